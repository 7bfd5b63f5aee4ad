"""Search by words."""

from __future__ import annotations

import re

from quaid.app import App
from quaid.conversations import turns
from quaid.errors import InvalidInput
from quaid.model.record import fill, record
from quaid.operations.conversations import filter_of, restore_archive
from quaid.operations.operation import Operation, arg, option
from quaid.operations.text import Style, count_of, shown
from quaid.search.snippets import END, START
from quaid.search.words import search
from quaid.store import conversations, pages
from quaid.store import scope as scopes
from quaid.store.scope import Kind

MOST_CONVERSATIONS = 5  # turns beside the pages

_MARKUP = re.compile(r"(?:^|(?<=\s))(?:#{1,6}|>)\s")
_EMPHASIS = re.compile(r"\*\*(.+?)\*\*")
_MARKED = re.compile(f"{START}(.*?){END}", re.DOTALL)


@record
class Search:
    query: str = arg(
        'Words; "a phrase"; word* for beginnings; -word to leave out.', positional=True, rest=True
    )
    type: str | None = option("Only pages of this type.", completes="type")
    wing: str | None = option("Only pages of this wing.")
    tag: str | None = option("Only pages with this tag.", completes="tag")
    collection: str | None = option("Only pages of this collection.", completes="collection")
    since: str | None = option("Only pages that changed on or after this day.")
    limit: int | None = option("How many at most; 20 unless set otherwise.", least=1)


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
    kind: Kind = "page"
    turn: int | None = None  # of a conversation, whose id is the slug


@record
class Matches:
    """What was found, best first."""

    query: str
    results: tuple[Match, ...]


def search_pages(app: App, args: Search) -> Matches:
    """Find pages by their words, and turns of conversations. Any text may be searched for.

    Pages that contain every word come first, then what was said with every word, then pages with some.
    """
    if not args.query.strip():
        raise InvalidInput("nothing to search for", hint="Give one or more words.")
    limit = args.limit or app.settings.integer("search.limit")
    results = _pages(app, args, limit)
    every = sum(match.every_word for match in results)
    said = _conversations(app, args, min(MOST_CONVERSATIONS, limit - every))
    # What has every word comes before what has some, wherever it was said.
    return Matches(args.query, tuple([*results[:every], *said, *results[every:]][:limit]))


def _pages(app: App, args: Search, limit: int) -> list[Match]:
    chosen = app.page_filter(args.type, args.tag, args.wing, args.collection, args.since)
    connection = app.connection
    return [
        fill(
            Match,
            pages.info(connection, found.page_id),
            score=float(f"{found.score:.4g}"),
            snippet=_MARKED.sub(r"**\1**", found.snippet),
            every_word=found.every_word,
        )
        for found in search(connection, args.query, chosen, limit)
    ]


def _conversations(app: App, args: Search, limit: int) -> list[Match]:
    """Turns with every word, unless the search is about pages of some sort."""
    if args.type or args.tag or args.wing or args.collection or limit <= 0:
        return []
    restore_archive(app)
    scope = scopes.conversations(filter_of(app, since=args.since))
    results = []
    for found in turns.search(app.connection, args.query, scope, limit, every=True):
        about = conversations.load(app.connection, found.turn.conversation_id)
        results.append(
            Match(
                slug=about.key,
                collection="conversations",
                type="conversation",
                title=about.title,
                score=float(f"{found.score:.4g}"),
                snippet=_MARKED.sub(r"**\1**", found.snippet),
                every_word=True,
                kind="conversation",
                turn=found.turn.ordinal,
            )
        )
    return results


def _text(result: Matches, style: Style) -> str:
    if not result.results:
        return f"Nothing found for {shown(result.query)!r}."
    blocks = []
    for match in result.results:
        partial = "" if match.every_word else style.dim("  (some of the words)")
        text = _MARKUP.sub(" ", shown(match.snippet)).strip()
        snippet = _EMPHASIS.sub(lambda found: style.match(found.group(1)), text)
        name = f"{match.slug}:{match.turn}" if match.turn else match.slug
        blocks.append(f"{style.name(name)}  {style.bold(shown(match.title))}{partial}\n    {snippet}")
    said = sum(match.kind == "conversation" for match in result.results)
    counts = [count_of(len(blocks) - said, "page")] + ([count_of(said, "turn")] if said else [])
    return "\n".join(blocks) + style.dim("\n" + ", ".join(counts))


SEARCH = Operation(
    "search",
    search_pages,
    render=_text,
    examples=("search river", 'search "demo day" --type person', "search infra* -aws --limit 5"),
    brief="Find pages by exact words. Use memory_query for questions.",
    told=('query: words, "a phrase", word*, -word', "type", "wing", "limit"),
    unneeded=("score", "query"),
)
