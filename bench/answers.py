"""Whether the fact and the line are shown: bench/answers.py [--folder DIR] [--labelled DIR] [--misses].

A notebook is made by remembering its sentences one after the other, and asked with `recall` and with
`query`. A question is a hit when a piece of the sentence that answers it stands in the line that is shown
at that rank. The pages of an investor are asked with `query`: the page at the first rank, the fact or line
shown with it, and what is marked as no longer true. `--labelled` names a folder with a notebook of the same
form that others wrote.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import _investor
import _remembered
from _measures import table
from _memories import digest, embedded, opened, written

from quaid import operations
from quaid.app import App, open_app
from quaid.errors import Ambiguous
from quaid.operations.collections import attach
from quaid.operations.query import QUERY, Query
from quaid.operations.recall import RECALL, Recall
from quaid.operations.remember import REMEMBER, Remember
from quaid.operations.results import as_data
from quaid.settings import Settings
from quaid.store.connection import Store
from quaid.vault.attachments import Attachment

DEPTH = 5


class Notebook(NamedTuple):
    """What was said, and what is asked with a piece of the sentence that answers it."""

    name: str
    sentences: Sequence[str]
    questions: Sequence[tuple[str, str]]


class Hits(NamedTuple):
    """At which rank each question had its line, from 0; None where it had not."""

    ranks: list[int | None]

    def within(self, count: int) -> int:
        """How many had it among the first."""
        return sum(rank is not None and rank < count for rank in self.ranks)


def main() -> None:
    """Make the memories, ask, print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="Where to keep the memories; otherwise nowhere.")
    parser.add_argument("--labelled", type=Path, help="A folder with notebook.json and investor.json.")
    parser.add_argument("--misses", action="store_true", help="Say what was not shown.")
    given = parser.parse_args()
    notebooks = [Notebook("own notebook", _remembered.SENTENCES, _remembered.QUESTIONS)]
    if given.labelled:
        notebooks.append(labelled_notebook(given.labelled / "notebook.json"))
    with tempfile.TemporaryDirectory() as temporary:
        root = given.folder or Path(temporary)
        rows = []
        for notebook in notebooks:
            app = remembered(root, notebook)
            for way, ask in (("recall", recalled), ("query", queried)):
                found = [ask(app, question) for question, _ in notebook.questions]
                hits = Hits(list(map(rank_of, found, (piece for _, piece in notebook.questions))))
                size = sum(len(" ".join(lines)) for lines in found) / len(found)
                rows.append([notebook.name, way, str(hits.within(1)), str(hits.within(DEPTH)), f"{size:.0f}"])
                if given.misses:
                    show_misses(notebook, found, hits)
        print(table(["", "by", "hit@1", f"hit@{DEPTH}", "characters shown"], rows))
        print()
        investor(root, given.misses)


def remembered(root: Path, notebook: Notebook) -> App:
    """A notebook in which the sentences were remembered one by one, embedded."""
    folder = root / digest([(notebook.name, "\n".join(notebook.sentences))])
    path = folder / ".quaid" / "memory.db"
    known = path.is_file()
    if not known:
        path.parent.mkdir(parents=True)
        Store.create(path).close()
    app = open_app(path, Settings())
    if not known:
        attach(app, Attachment("notebook", "..", "notebook", default=True))
        for sentence in notebook.sentences:
            try:
                operations.run(app, REMEMBER, Remember(sentence))
            except Ambiguous as error:  # nothing was written: what is asked about it will be missed
                print(f"  refused: {sentence!r}: {error}")
    embedded(app)
    return app


def recalled(app: App, question: str) -> list[str]:
    """What `recall` shows, both groups by score."""
    result = operations.run(app, RECALL, Recall(question, DEPTH, 0.0))
    both = sorted((*result.notebook, *result.daily), key=lambda each: -each.score)
    return [each.snippet for each in both]


def queried(app: App, question: str) -> list[str]:
    """What `query` shows of each page: the passage that matched, and the facts beside it."""
    result = as_data(operations.run(app, QUERY, Query(question, depth="section", limit=DEPTH)))
    return [shown(each) for each in result["results"]]


def shown(result: dict[str, Any]) -> str:
    """The passage and the facts of one result, as one text."""
    passage = result.get("passage") or {}
    text = passage.get("text") or matched(result)
    facts = [f"{fact['name']}: {fact['value']}" for fact in result.get("facts") or ()]
    more = [each["text"] for each in result.get("more") or ()]
    return "\n".join([*facts, text, *more])


def matched(result: dict[str, Any]) -> str:
    """The lines of the content that matched, where the answer says which; else all of it."""
    content, passage = result.get("content") or "", result.get("passage") or {}
    if not passage.get("lines") or not result.get("lines"):
        return content
    first = int(str(result["lines"]).split("-", maxsplit=1)[0])
    start, _, end = str(passage["lines"]).partition("-")
    return "\n".join(content.splitlines()[int(start) - first : int(end or start) - first + 1])


def rank_of(lines: Sequence[str], piece: str) -> int | None:
    """The first rank whose text has a piece."""
    wanted = " ".join(piece.split()).casefold()
    return next(
        (rank for rank, text in enumerate(lines) if wanted in " ".join(text.split()).casefold()), None
    )


def show_misses(notebook: Notebook, found: Sequence[Sequence[str]], hits: Hits) -> None:
    """The questions whose line did not come first."""
    for (question, piece), lines, rank in zip(notebook.questions, found, hits.ranks, strict=True):
        if rank != 0:
            print(f"  {question!r} wants {piece!r}, rank {rank}, first {lines[:1]}")


def labelled_notebook(path: Path) -> Notebook:
    """A notebook that somebody else wrote."""
    data = json.loads(path.read_text(encoding="utf-8"))
    asked = [(each["question"], each["expect"]) for each in data["questions"]]
    return Notebook("unseen notebook", [each["said"] for each in data["sentences"]], asked)


def investor(root: Path, misses: bool) -> None:
    """Ask the investor's pages."""
    pages = list(_investor.PAGES.items())
    app = opened(root / f"investor-{digest(pages)}.db")
    written(app, pages)
    embedded(app)
    first = line = marked = 0
    wanted = sum(bool(asked.superseded) for asked in _investor.QUESTIONS)
    size = 0
    for asked in _investor.QUESTIONS:
        result = as_data(operations.run(app, QUERY, Query(asked.question, depth="section", limit=DEPTH)))
        best = result["results"][0] if result["results"] else {}
        found = best.get("slug") == asked.slug
        told = shown(best) if best else ""
        has_line = found and rank_of([told], asked.shown) is not None
        outdated = json.dumps(best.get("superseded") or [], ensure_ascii=False)
        first, line = first + found, line + has_line
        marked += bool(asked.superseded) and found and asked.superseded in outdated
        size += len(told)
        if misses and not has_line:
            print(
                f"  {asked.question!r} wants {asked.slug} {asked.shown!r}: {best.get('slug')} {told[:200]!r}"
            )
    count = len(_investor.QUESTIONS)
    cells = [f"{first} of {count}", f"{line} of {count}", f"{marked} of {wanted}", f"{size / count:.0f}"]
    print(
        table(
            ["investor", "page first", "and its fact or line", "marked", "characters shown"],
            [["query", *cells]],
        )
    )


if __name__ == "__main__":
    main()
