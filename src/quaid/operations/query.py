"""Questions, answered by name, by words and by meaning."""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol, cast

from quaid.app import App
from quaid.errors import Busy, InvalidInput, ReadOnly, StorageFailed
from quaid.graph.gaps import hash_of
from quaid.model.record import record
from quaid.operations.conversations import filter_of, restored
from quaid.operations.operation import Operation, arg
from quaid.operations.text import Style, counted, shown
from quaid.search import hybrid
from quaid.search.confidence import confidence, known_share
from quaid.search.evidence import Meaning
from quaid.search.hybrid import Hit
from quaid.search.merge import Merge, Strategy
from quaid.search.progressive import Candidate, Depth, Expanded, expand
from quaid.store import chunks, conversations, gaps, pages, turns
from quaid.store import scope as scopes
from quaid.store.scope import Kind

MOST_CONVERSATIONS = 3  # beside the pages
LEAST_SHARE = 0.35  # of a conversation's score, to stand there: about half of the question's words


@record
class Query:
    """Arguments of `query`."""

    question: str = arg("What you want to know.", positional=True, rest=True)
    depth: Depth = arg("How much of each page.", default="auto")
    token_budget: int | None = arg(
        "How many tokens in all; 4000 unless set otherwise.", default=None, least=1
    )
    wing: str | None = arg("Only pages of this wing.", default=None)
    type: str | None = arg("Only pages of this type.", default=None, completes="type")
    tag: str | None = arg("Only pages with this tag.", default=None, completes="tag")
    collection: str | None = arg("Only pages of this collection.", default=None, completes="collection")
    since: str | None = arg("Only pages that changed on or after this day.", default=None)
    until: str | None = arg("Only pages that changed on or before this day.", default=None)
    limit: int | None = arg("How many pages at most; 10 unless set otherwise.", default=None, least=1)
    kind: Kind | None = arg(
        "Only pages, or only conversations; otherwise pages, and then conversations.", default=None
    )
    explain: bool = arg("Say how each page did by words, by section and by meaning.", default=False)


@record
class ArmView:
    """How a page did in one arm of the search."""

    rank: int
    score: float


@record
class Answer:
    """A page that was found. `content` is what matched, or the whole page, as `depth` says.

    Of a conversation (`kind`), `slug` is its id, `turn` the one that matched, `content` what was said in it.
    """

    slug: str
    collection: str
    type: str
    title: str
    summary: str
    depth: str
    content: str | None
    heading: str | None
    lines: str | None
    score: float
    why: tuple[str, ...]
    tokens: int
    arms: dict[str, ArmView] | None = None
    kind: Kind = "page"
    turn: int | None = None


@record
class Answers:
    """What was found, best first, within the token budget.

    `confidence` is from 0 to 1; a question whose answer is below the threshold is noted as a gap.
    """

    question: str
    results: tuple[Answer, ...]
    total_tokens: int
    budget_remaining: int
    notices: tuple[str, ...] = ()
    confidence: float = 0.0


def query(app: App, args: Query) -> Answers:
    """Find what answers a question, by name, words and meaning, within a token budget.

    The best pages are shown in most detail: whole, or the section that matched, or a summary. What was said
    in conversations comes after them.
    """
    if not args.question.strip():
        raise InvalidInput("nothing is asked", hint="Give a question or some words.")
    settings = app.settings
    budget = args.token_budget or settings.integer("query.token_budget")
    meaning, notices = app.models.meaning(args.question)
    if args.kind != "page":
        restored(app)
    count = app.models.count_tokens()
    with app.store.read() as connection:
        known = known_share(connection, args.question)
        pages_found = _pages(app, args, meaning) if args.kind != "conversation" else []
        said = _conversations(app, args, meaning) if args.kind != "page" else []
        found: list[_Found] = [*pages_found, *said]
        sure = max(confidence([each.hit for each in group], known) for group in (pages_found, said))
        expanded = expand([each.candidate for each in found], args.depth, budget, count)
    results = tuple(each.answer(part, args.explain) for each, part in zip(found, expanded, strict=False))
    used = sum(result.tokens for result in results)
    # Without meaning, a low share of words says little: then only a question without any answer is a gap.
    weak = sure < settings.number("gaps.threshold") if meaning else not found
    if weak and not _narrowed(args) and settings.flag("gaps.log"):
        _note_gap(app, args.question, sure)
    return Answers(args.question, results, used, budget - used, tuple(notices), sure)


def _pages(app: App, args: Query, meaning: Meaning | None) -> list[_Found]:
    """The best pages."""
    chosen = app.chosen(args.type, args.tag, args.wing, args.collection, args.since, args.until)
    limit = args.limit or app.settings.integer("query.limit")
    how = _merge(app)
    hits = hybrid.find(app.connection, args.question, scopes.pages(chosen), limit, meaning, how)
    return [_Page(app, hit) for hit in hits]


def _conversations(app: App, args: Query, meaning: Meaning | None) -> list[_Found]:
    """The best conversations, unless the question is about pages of some sort."""
    if args.type or args.tag or args.wing or args.collection:
        return []
    near = app.models.meaning_of_turns(args.question, meaning)[0] if meaning else None
    scope = scopes.conversations(filter_of(app, since=args.since, until=args.until))
    limit = (args.limit or app.settings.integer("query.limit")) if args.kind else MOST_CONVERSATIONS
    hits = hybrid.find(app.connection, args.question, scope, limit, near, _merge(app))
    return [_Conversation(app, hit) for hit in hits if args.kind or _tells(hit)]


def _tells(hit: Hit) -> bool:
    """Whether a conversation has enough to do with a question to stand beside the pages unasked."""
    return hit.score >= LEAST_SHARE


def _merge(app: App) -> Merge:
    settings = app.settings
    return Merge(cast("Strategy", settings.text("query.merge")), settings.integer("query.rrf_k"))


def _narrowed(args: Query) -> bool:
    """Whether the question is about a part of the memory only."""
    return any((args.type, args.tag, args.wing, args.collection, args.since, args.until, args.kind))


def _note_gap(app: App, question: str, sure: float) -> None:
    """Note a gap, unless somebody else is writing or nobody may: a question is a read, and does not wait."""
    with (
        suppress(Busy, ReadOnly, StorageFailed),
        app.store.impatient(0),
        app.store.hasty(),
        app.store.write() as connection,
    ):
        gaps.note(connection, hash_of(question), sure, app.now())


class _Found(Protocol):
    """A hit with its document."""

    hit: Hit

    @property
    def candidate(self) -> Candidate:
        """What can be shown of it."""

    def answer(self, part: Expanded, explain: bool) -> Answer:
        """What is shown of it."""


class _Page:
    """A page."""

    def __init__(self, app: App, hit: Hit) -> None:
        self._app = app
        self.hit = hit
        self.page = pages.load(app.connection, hit.document)
        self.chunk = chunks.place(app.connection, hit.unit) if hit.unit else None

    @property
    def section(self) -> str:
        """The part of the page that matched."""
        return self.page.text[self.chunk.start : self.chunk.start + self.chunk.length] if self.chunk else ""

    @property
    def candidate(self) -> Candidate:
        info = self.page.info
        return Candidate(f"{info.title}\n{info.summary}", self.section, self._whole)

    def _whole(self) -> str:
        """The compiled truth, and the entry of the timeline that matched, if one did."""
        truth = pages.searched_text(self._app.connection, self.hit.document)[0].strip()
        return f"{truth}\n\n{self.section}" if self.chunk and self.chunk.kind == "timeline_entry" else truth

    def answer(self, part: Expanded, explain: bool) -> Answer:
        """What is shown of the page."""
        title, _, summary = part.heading.partition("\n")
        info, chunk = self.page.info, self.chunk
        return Answer(
            slug=info.slug,
            collection=info.collection,
            type=info.type,
            title=title,
            summary=summary,
            depth=part.depth,
            content=part.content or None,
            heading=(chunk.heading or None) if chunk else None,
            lines=_span(chunk.line_start, chunk.line_end) if chunk else None,
            score=_rounded(max(0.0, self.hit.score)),
            why=self.hit.why,
            tokens=part.tokens,
            arms=_arms(self.hit) if explain else None,
        )


class _Conversation:
    """A conversation, and the turn of it that matched."""

    def __init__(self, app: App, hit: Hit) -> None:
        self.hit = hit
        self.about = conversations.load(app.connection, hit.document)
        self.turn = turns.load(app.connection, [hit.unit])[hit.unit]

    @property
    def candidate(self) -> Candidate:
        day = self.turn.time[:10] or self.about.ended[:10]
        facts = ", ".join(each for each in (self.about.client, day, self.about.project) if each)
        said = self.turn.text.strip()
        return Candidate(f"{self.about.title}\n{facts}", said, lambda: said)

    def answer(self, part: Expanded, explain: bool) -> Answer:
        """What is shown of the conversation."""
        title, _, facts = part.heading.partition("\n")
        return Answer(
            slug=self.about.key,
            collection="conversations",
            type="conversation",
            title=title,
            summary=facts,
            depth="section" if part.content else "summary",
            content=part.content or None,
            heading=self.turn.role,
            lines=None,
            score=_rounded(max(0.0, self.hit.score)),
            why=self.hit.why,
            tokens=part.tokens,
            arms=_arms(self.hit) if explain else None,
            kind="conversation",
            turn=self.turn.ordinal,
        )


def _arms(hit: Hit) -> dict[str, ArmView]:
    return {name: ArmView(rank, _rounded(score)) for name, (rank, score) in hit.arms.items()}


def _span(first: int, last: int) -> str:
    return f"{first}-{last}" if last > first else str(first)


def _rounded(score: float) -> float:
    return float(f"{score:.4g}")


def _text(result: Answers, style: Style) -> str:
    blocks = [_block(answer, style) for answer in result.results]
    if not blocks:
        blocks = [f"Nothing found for {shown(result.question)!r}."]
    said = sum(answer.kind == "conversation" for answer in result.results)
    parts = [counted(len(result.results) - said, "page")]
    parts += [counted(said, "conversation")] if said else []
    used = ", ".join([*parts, counted(result.total_tokens, "token")])
    notices = [style.warning(notice) for notice in result.notices]
    return "\n\n".join(blocks) + "\n\n" + "\n".join([*notices, style.dim(used)])


def _block(answer: Answer, style: Style) -> str:
    lines = f"line{'s' if '-' in answer.lines else ''} {answer.lines}" if answer.lines else ""
    turn = f"turn {answer.turn}, {answer.summary}" if answer.turn else ""
    where = " › ".join(part for part in (answer.heading, lines, turn) if part)
    where = f"matched: {where}" if where and answer.depth == "full" else where
    depth = answer.depth if answer.kind == "page" else answer.kind
    facts = ", ".join([*answer.why, f"{answer.score:.2f}", depth])
    shown_lines = [f"{style.name(answer.slug)}  {style.bold(shown(answer.title))}  {style.dim(f'[{facts}]')}"]
    if answer.arms:
        shown_lines += [
            style.dim(f"    {name}: rank {arm.rank}, {arm.score}") for name, arm in answer.arms.items()
        ]
    if answer.content:
        shown_lines += [style.dim(f"    {where}")] if where else []
        shown_lines += [f"    {shown(line)}" for line in answer.content.strip().splitlines()]
    elif answer.summary:
        shown_lines.append(f"    {shown(answer.summary)}")
    return "\n".join(line.rstrip() for line in shown_lines)


QUERY = Operation(
    "query",
    Query,
    query,
    render=_text,
    transaction="none",
    examples=(
        'query "who founded RiverAI?"',
        "query what did we decide about storage --depth section --explain",
    ),
    brief="Answer a question from the memory: best pages by name, words and meaning, within a token budget.",
    told=("question", "depth", "token_budget: default 4000", "wing", "limit"),
    unneeded=("lines", "tokens", "budget_remaining", "question", "score", "total_tokens"),
)
