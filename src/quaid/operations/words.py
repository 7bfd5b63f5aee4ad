"""Search by words."""

from __future__ import annotations

import re

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.model.record import record
from quaid.operations.operation import Operation, arg
from quaid.operations.text import Style, counted, shown
from quaid.search.snippets import END, START
from quaid.search.words import search
from quaid.store import pages

_MARKUP = re.compile(r"(?:^|(?<=\s))(?:#{1,6}|>)\s")
_EMPHASIS = re.compile(r"\*\*(.+?)\*\*")
_MARKED = re.compile(f"{START}(.*?){END}", re.DOTALL)


@record
class Search:
    """Arguments of `search`."""

    query: str = arg(
        'Words; "a phrase"; word* for beginnings; -word to leave out.', positional=True, rest=True
    )
    type: str | None = arg("Only pages of this type.", default=None, completes="type")
    wing: str | None = arg("Only pages of this wing.", default=None)
    tag: str | None = arg("Only pages with this tag.", default=None, completes="tag")
    collection: str | None = arg("Only pages of this collection.", default=None, completes="collection")
    since: str | None = arg("Only pages that changed on or after this day.", default=None)
    limit: int | None = arg("How many at most; 20 unless set otherwise.", default=None, least=1)


@record
class Match:
    """A page that was found; ** stands around the words that matched."""

    slug: str
    collection: str
    type: str
    title: str
    score: float
    snippet: str
    every_word: bool


@record
class Matches:
    """What was found, best first."""

    query: str
    results: tuple[Match, ...]


def search_pages(app: App, args: Search) -> Matches:
    """Find pages by their words. Any text may be searched for.

    Pages that contain every word come first, then those that contain some.
    """
    if not args.query.strip():
        raise InvalidInput("nothing to search for", hint="Give one or more words.")
    chosen = app.chosen(args.type, args.tag, args.wing, args.collection, args.since)
    limit = args.limit or app.settings.integer("search.limit")
    results = []
    for found in search(app.connection, args.query, chosen, limit):
        page = pages.info(app.connection, found.page_id)
        marked = _MARKED.sub(r"**\1**", found.snippet)
        results.append(
            Match(
                page.slug,
                page.collection,
                page.type,
                page.title,
                float(f"{found.score:.4g}"),
                marked,
                found.every_word,
            )
        )
    return Matches(args.query, tuple(results))


def _text(result: Matches, style: Style) -> str:
    if not result.results:
        return f"Nothing found for {shown(result.query)!r}."
    blocks = []
    for match in result.results:
        partial = "" if match.every_word else style.dim("  (some of the words)")
        text = _MARKUP.sub(" ", shown(match.snippet)).strip()
        snippet = _EMPHASIS.sub(lambda found: style.match(found.group(1)), text)
        blocks.append(f"{style.name(match.slug)}  {style.bold(shown(match.title))}{partial}\n    {snippet}")
    return "\n".join(blocks) + style.dim(f"\n{counted(len(blocks), 'page')}")


SEARCH = Operation(
    "search",
    Search,
    search_pages,
    render=_text,
    examples=("search river", 'search "demo day" --type person', "search infra* -aws --limit 5"),
    brief="Find pages by exact words. Use memory_query for questions.",
    told=('query: words, "a phrase", word*, -word', "type", "wing", "limit"),
    unneeded=("score", "query"),
)
