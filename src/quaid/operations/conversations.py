"""Conversations with agents: searched, shown, listed."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

from quaid.app import App
from quaid.conversations import turns as turn_search
from quaid.conversations.archives import Archive
from quaid.errors import Ambiguous, Busy, InvalidInput, NotFound, ReadOnly
from quaid.model.interval import day_after, parse_day
from quaid.model.record import fill, record, replace
from quaid.operations.fields import CONVERSATION, OF_CLIENT, OF_PROJECT
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.text import COMMANDING, Style, clipped, columns, count_of, shown
from quaid.search.snippets import END, START
from quaid.store import conversations, turns
from quaid.store import scope as scopes
from quaid.store.conversations import ConversationFilter, ConversationRow
from quaid.store.turns import TurnRow

ClientName = Literal["claude", "codex", "opencode", "plain", "markdown"]


@record
class Search:
    query: str = arg(
        'Words; "a phrase"; word* for beginnings; -word to leave out.', positional=True, rest=True
    )
    max_results: int = arg("How many turns at most.", default=10, least=1)
    client: ClientName | None = OF_CLIENT
    project: str | None = OF_PROJECT
    since: str | None = option("Only what was said on or after this day.")
    until: str | None = option("Only what was said on or before this day.")
    words: bool = flag("By words only, even if turns are embedded.")


@record
class TurnMatch:
    """A turn that was found; ** stands around the words that matched."""

    conversation: str
    turn: int
    role: str
    time: str
    client: str
    project: str
    title: str
    snippet: str
    score: float
    by: str


@record
class TurnMatches:
    """What was found, best first."""

    query: str
    results: tuple[TurnMatch, ...]
    notice: str | None = None


def search(app: App, args: Search) -> TurnMatches:
    """Find what was said in conversations with agents. `query` looks there too, after the pages.

    By words, and also by meaning once turns are embedded. `conversations show` gives what was said around it.
    """
    if not args.query.strip():
        raise InvalidInput("nothing to search for", hint="Give one or more words.")
    restore_archive(app)
    scope = scopes.conversations(filter_of(app, args.client, args.project, args.since, args.until))
    meaning, notices = (None, []) if args.words else app.models.meaning_of_turns(args.query)
    results = []
    known: dict[int, ConversationRow] = {}
    with app.store.read() as connection:
        for found in turn_search.search(connection, args.query, scope, args.max_results, meaning):
            turn = found.turn
            if turn.conversation_id not in known:
                known[turn.conversation_id] = conversations.load(connection, turn.conversation_id)
            about = known[turn.conversation_id]
            snippet = found.snippet.replace(START, "**").replace(END, "**")
            score = float(f"{found.score:.4g}")
            facts = {"conversation": about.key, "turn": turn.ordinal, "role": turn.role, "time": turn.time}
            results.append(fill(TurnMatch, about, **facts, snippet=snippet, score=score, by=found.by))
    return TurnMatches(args.query, tuple(results), notices[0] if notices else None)


def _search_text(result: TurnMatches, style: Style) -> str:
    notice = [style.warning(shown(result.notice))] if result.notice else []
    if not result.results:
        return "\n".join([*notice, f"Nothing found for {shown(result.query)!r} in conversations."])
    blocks = []
    for match in result.results:
        place = style.name(f"{match.conversation}:{match.turn}")
        facts = "  ".join(each for each in (match.role, match.time[:10], shown(match.project)) if each)
        title = style.bold(shown(match.title))
        blocks.append(f"{place}  {title}\n    {style.dim(facts)}\n    {_matched_text(match, style)}")
    return "\n".join([*notice, *blocks, style.dim(count_of(len(blocks), "turn"))])


def _matched_text(match: TurnMatch, style: Style) -> str:
    parts = shown(match.snippet).split("**")
    return "".join(
        style.match(part) if place % 2 and place < len(parts) - 1 else part
        for place, part in enumerate(parts)
    )


CONVERSATIONS_SEARCH = Operation(
    "conversations search",
    search,
    render=_search_text,
    transaction="own",
    brief="Search past conversations alone.",
    told=("query", "max_results", "since: day"),
    unneeded=("query", "score"),
    examples=(
        "conversations search flaky test",
        "conversations search deploy --project shop --since 2026-04-01",
    ),
)


@record
class Show:
    id: str = CONVERSATION
    turn: int | None = option("The turn that matters.", least=1)
    around: int = arg("How many turns before and after it.", default=5, least=0)
    limit: int = arg("How many turns at most.", default=200, least=1)
    max_chars: int = arg("How many characters at most; 0: no matter how many.", default=40_000, least=0)


@record
class ShownTurn:
    """A turn."""

    turn: int
    role: str
    time: str
    text: str


@record
class ConversationHead:
    """What is known of a conversation besides what was said."""

    id: str
    client: str
    session: str
    parent: str | None
    project: str
    branch: str
    title: str
    started: str
    ended: str


@record
class Conversation(ConversationHead):
    """A conversation and some of its turns."""

    count: int
    turns: tuple[ShownTurn, ...]


def show(app: App, args: Show) -> Conversation:
    """Show a conversation, or what was said around one of its turns."""
    restore_archive(app)
    about = one(app, args.id)
    first, last = 1, args.limit
    if args.turn is not None:
        if args.turn > about.turns:
            raise NotFound(
                f"{about.key} has no turn {args.turn}", hint=f"It has {count_of(about.turns, 'turn')}."
            )
        first = max(1, args.turn - args.around)
        last = min(args.turn + args.around, first + args.limit - 1)
    found = turns.between(app.connection, about.id, first, last)
    if args.max_chars:
        found = _within(found, args.turn or first, args.max_chars)
    return fill(
        Conversation,
        about,
        id=about.key,
        parent=about.parent or None,
        count=about.turns,
        turns=tuple(ShownTurn(each.ordinal, each.role, each.time, each.text) for each in found),
    )


def _within(found: list[TurnRow], centre: int, budget: int) -> list[TurnRow]:
    """As many turns as fit, those nearest to one first; that one is cut if it does not fit by itself."""
    taken: list[TurnRow] = []
    for turn in sorted(found, key=lambda each: (abs(each.ordinal - centre), each.ordinal)):
        if len(turn.text) > budget and taken:
            break
        text = turn.text if len(turn.text) <= budget else turn.text[:budget] + "…"
        taken.append(replace(turn, text=text))
        budget = max(0, budget - len(text))
    return sorted(taken, key=lambda each: each.ordinal)


def _show_text(result: Conversation, style: Style) -> str:
    facts = (result.client, result.started[:10], shown(result.project), shown(result.branch))
    lines = [
        f"{style.name(result.id)}  {style.bold(shown(result.title))}",
        style.dim("  ".join(each for each in facts if each)),
    ]
    for turn in result.turns:
        head = style.bold(f"{turn.turn}  {turn.role}  {turn.time}".rstrip())
        lines += ["", head, turn.text.translate(COMMANDING)]
    if result.turns and len(result.turns) < result.count:
        shown_now = f"turns {result.turns[0].turn} to {result.turns[-1].turn} of {result.count:,}"
        lines += ["", style.dim(shown_now)]
    return "\n".join(lines)


CONVERSATIONS_SHOW = Operation(
    "conversations show",
    show,
    render=_show_text,
    transaction="own",
    examples=("conversations show 3fa2b1c09d7e", "conversations show 3fa2b1c09d7e --turn 12 --around 3"),
)


@record
class List:
    client: ClientName | None = OF_CLIENT
    project: str | None = OF_PROJECT
    since: str | None = option("Only those that went on after the beginning of this day.")
    until: str | None = option("Only those that ended before the end of this day.")
    limit: int = arg("How many at most.", default=20, least=1)


@record
class ConversationLine(ConversationHead):
    """A conversation in a list."""

    turns: int


@record
class ConversationList:
    """Conversations, the last ones first, and how many there are in all."""

    conversations: tuple[ConversationLine, ...]
    total: int


def listing(app: App, args: List) -> ConversationList:
    """List conversations, the last ones first."""
    restore_archive(app)
    wanted = filter_of(app, args.client, args.project, args.since, args.until)
    with app.store.read() as connection:
        found = conversations.newest(connection, wanted, args.limit)
        total = conversations.count(connection, wanted)
    lines = (fill(ConversationLine, each, id=each.key, parent=each.parent or None) for each in found)
    return ConversationList(tuple(lines), total)


def _list_text(result: ConversationList, style: Style) -> str:
    if not result.conversations:
        return "No conversations; `quaid conversations index` reads transcripts."
    rows = [
        (
            style.name(each.id),
            each.ended[:10],
            each.client,
            f"{each.turns:,}",
            clipped(shown(each.project).rpartition("/")[2], 24),
            shown(each.title),
        )
        for each in result.conversations
    ]
    more = f"\n{len(rows):,} of {result.total:,}" if result.total > len(rows) else ""
    return columns(rows) + style.dim(more)


CONVERSATIONS_LIST = Operation(
    "conversations list",
    listing,
    render=_list_text,
    transaction="own",
    examples=("conversations list", "conversations list --project shop --limit 5"),
)


def restore_archive(app: App) -> None:
    """Read the archive back if the memory was lost; where nobody may write, what is there is answered."""
    kept = Archive(app.store.path).conversation_keys()
    if not kept or conversations.keys(app.connection).keys() >= set(kept):
        return
    from quaid.conversations.indexer import Indexer  # only where something was lost

    with suppress(Busy, ReadOnly):
        Indexer(app.store).restore()


def one(app: App, name: str) -> ConversationRow:
    """The conversation that a name means."""
    found = conversations.conversations_named(app.connection, name.strip()) if name.strip() else []
    if not found:
        raise NotFound(f"no conversation {name!r}", hint="`quaid conversations list` shows them.")
    if len(found) > 1:
        candidates = [each.key for each in found]
        raise Ambiguous(
            f"{name!r} fits several conversations",
            hint=f"Name one of them: {', '.join(candidates)}.",
            candidates=candidates,
        )
    return found[0]


def filter_of(
    app: App,
    client: str | None = None,
    project: str | None = None,
    since: str | None = None,
    until: str | None = None,
) -> ConversationFilter:
    """The conversations that a search is about, from what a person says."""
    first = app.days.start_of(parse_day(since, "since")) if since else None
    last = app.days.start_of(day_after(parse_day(until, "until"))) if until else None
    return ConversationFilter(client or None, project or None, first, last)
