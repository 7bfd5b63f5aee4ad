"""Other names of arguments. A caller need not know which of several common names an operation uses.

The table holds for every operation and every surface. A name of an operation's own always comes first.
Nothing of this is listed in schemas: it would cost every session, and what is listed is right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

_RESULTS = ("max_results", "maximum_results", "num_results", "n_results", "results", "max_items")
# Each line has names for one thing.
FAMILIES: tuple[tuple[str, ...], ...] = (
    ("question", "query", "q", "query_text", "text", "search", "search_query", "prompt", "terms", "words"),
    ("limit", *_RESULTS, "k", "n", "top_k", "top", "top_n", "count", "num", "max", "page_size"),
    ("expected_version", "page_version", "version", "base_version", "if_version"),
    ("token_budget", "budget", "max_tokens", "token_limit", "tokens"),
    ("min_score", "minimum_score", "score_threshold", "threshold", "least_score"),
    ("slug", "page", "page_slug", "page_id", "page_name"),
    ("slug", "subject", "entity"),
    ("content", "text", "body", "markdown", "entry", "note", "message"),
    ("from", "from_slug", "from_page", "source_slug", "source_page", "src", "start"),
    ("to", "to_slug", "to_page", "target", "target_slug", "target_page", "dest", "destination", "end"),
    ("relationship", "relation", "rel", "predicate", "link_type", "edge_type", "relation_type"),
    ("object", "value", "obj"),
    ("since", "after", "from_date", "date_from", "start_date", "changed_since"),
    ("until", "before", "to_date", "date_to", "end_date"),
    ("valid_from", "start", "start_date", "from_date"),
    ("valid_until", "valid_to", "end", "end_date", "to_date"),
    ("at", "as_of", "on_date", "on"),
    ("date", "day", "on", "when"),
    ("type", "page_type", "kind", "node_type"),
    ("tag", "label"),
    ("collection", "collection_name", "vault"),
    ("name", "collection", "collection_name"),
    ("name", "model", "model_name"),
    ("notebook", "notebook_name"),
    ("id", "link_id"),
    ("id", "gap_id"),
    ("id", "fact_id", "assertion_id"),
    ("id", "conversation_id", "conversation", "session", "session_id"),
    ("node", "node_id", "id"),
    ("path", "file", "file_path", "filename", "file_name"),
    ("folder", "directory", "dir", "path"),
    ("section", "heading"),
    ("title", "heading", "name"),
    ("summary", "description", "abstract"),
    ("detail", "details", "description"),
    ("source", "source_ref", "reference", "ref", "citation"),
    ("depth", "hops", "max_depth"),
    ("offset", "skip"),
    ("start_line", "line", "from_line", "line_start"),
    ("lines", "line_count", "num_lines", "max_lines"),
    ("key", "setting", "name"),
    ("value", "content"),
    ("dry_run", "preview"),
    ("force", "overwrite"),
    ("sort", "sort_by", "order", "order_by"),
    ("frontmatter", "metadata", "properties", "fields"),
    ("confidence_score", "confidence"),
    ("every", "all_words", "match_all"),
)


def snake(name: str) -> str:
    """A name as ours are written: maxResults and Max-Results are max_results."""
    plain = name.strip().replace("-", "_").replace(" ", "_").strip("_")
    if plain.isupper() or plain.islower():
        return plain.lower()
    humps = (
        f"_{sign}" if sign.isupper() and before not in "_" else sign for before, sign in pairwise(f"_{plain}")
    )
    return "".join(humps).lower()


def meant(name: str, known: Collection[str], given: Collection[str] = ()) -> str | None:
    """The one of some arguments that another name means.

    Where it can mean several, it means one that is not `given`; of those, the one that comes first above.
    """
    plain = snake(name)
    if plain in known:
        return plain
    for forms in ({plain}, set(_numbers(plain))):
        candidates = [each for each in known if each in forms]
        for family in FAMILIES:
            if forms & set(family):
                candidates += [
                    own for each in family for own in known if own == each or each in _numbers(own)
                ]
        free = [each for each in candidates if each not in given]
        if candidates:
            return (free or candidates)[0]
    return None


def _numbers(name: str) -> Iterator[str]:
    """A name's singular and plural."""
    if name.endswith("ies"):
        yield f"{name[:-3]}y"
    if name.endswith("s"):
        yield name[:-1]
    else:
        yield f"{name}s"
        yield f"{name[:-1]}ies" if name.endswith("y") else f"{name}es"
