"""Questions, answered by name, by words and by meaning."""

from __future__ import annotations

from contextlib import suppress
from typing import cast

from quaid.app import App
from quaid.errors import Busy, InvalidInput, ReadOnly, StorageFailed
from quaid.graph.gaps import hash_of
from quaid.model.record import record
from quaid.operations.operation import Operation, arg
from quaid.operations.text import Style, counted, shown
from quaid.search import hybrid
from quaid.search.confidence import confidence, known_share
from quaid.search.hybrid import Hit
from quaid.search.merge import Strategy
from quaid.search.progressive import Candidate, Depth, Expanded, expand
from quaid.store import chunks, gaps, pages


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
    explain: bool = arg("Say how each page did by words, by section and by meaning.", default=False)


@record
class ArmView:
    """How a page did in one arm of the search."""

    rank: int
    score: float


@record
class Answer:
    """A page that was found. `content` is what matched, or the whole page, as `depth` says."""

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
    """Find the pages that answer a question, by name, words and meaning, within a token budget.

    The best pages are shown in most detail: whole, or the section that matched, or a summary.
    """
    if not args.question.strip():
        raise InvalidInput("nothing is asked", hint="Give a question or some words.")
    settings = app.settings
    budget = args.token_budget or settings.integer("query.token_budget")
    meaning, notices = app.models.meaning(args.question)
    count = app.models.count_tokens()
    with app.store.read() as connection:
        chosen = app.chosen(args.type, args.tag, args.wing, args.collection, args.since, args.until)
        hits = hybrid.find(
            connection,
            args.question,
            chosen,
            args.limit or settings.integer("query.limit"),
            meaning,
            cast("Strategy", settings.text("query.merge")),
            settings.integer("query.rrf_k"),
        )
        sure = confidence(hits, known_share(connection, args.question))
        found = [_Found(app, hit) for hit in hits]
        candidates = [each.candidate for each in found]
        expanded = expand(candidates, args.depth, budget, count)
    results = tuple(each.answer(part, args.explain) for each, part in zip(found, expanded, strict=False))
    used = sum(result.tokens for result in results)
    # Without meaning, a low share of words says little: then only a question without any answer is a gap.
    weak = sure < settings.number("gaps.threshold") if meaning else not hits
    if weak and not chosen.any and settings.flag("gaps.log"):
        _note_gap(app, args.question, sure)
    return Answers(args.question, results, used, budget - used, tuple(notices), sure)


def _note_gap(app: App, question: str, sure: float) -> None:
    """Note a gap, unless somebody else is writing or nobody may: a question is a read, and does not wait."""
    with (
        suppress(Busy, ReadOnly, StorageFailed),
        app.store.impatient(0),
        app.store.hasty(),
        app.store.write() as connection,
    ):
        gaps.note(connection, hash_of(question), sure, app.now())


class _Found:
    """A hit with its page."""

    def __init__(self, app: App, hit: Hit) -> None:
        self._app = app
        self.hit = hit
        self.page = pages.load(app.connection, hit.page_id)
        self.chunk = chunks.place(app.connection, hit.chunk_id) if hit.chunk_id else None

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
        truth = pages.searched_text(self._app.connection, self.hit.page_id)[0].strip()
        return f"{truth}\n\n{self.section}" if self.chunk and self.chunk.kind == "timeline_entry" else truth

    def answer(self, part: Expanded, explain: bool) -> Answer:
        """What is shown of the page."""
        title, _, summary = part.heading.partition("\n")
        info, chunk = self.page.info, self.chunk
        arms = {name: ArmView(rank, _rounded(score)) for name, (rank, score) in self.hit.arms.items()}
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
            arms=arms if explain else None,
        )


def _span(first: int, last: int) -> str:
    return f"{first}-{last}" if last > first else str(first)


def _rounded(score: float) -> float:
    return float(f"{score:.4g}")


def _text(result: Answers, style: Style) -> str:
    blocks = [_block(answer, style) for answer in result.results]
    if not blocks:
        blocks = [f"Nothing found for {shown(result.question)!r}."]
    used = f"{counted(len(result.results), 'page')}, {counted(result.total_tokens, 'token')}"
    notices = [style.warning(notice) for notice in result.notices]
    return "\n\n".join(blocks) + "\n\n" + "\n".join([*notices, style.dim(used)])


def _block(answer: Answer, style: Style) -> str:
    lines = f"line{'s' if '-' in answer.lines else ''} {answer.lines}" if answer.lines else ""
    where = " › ".join(part for part in (answer.heading, lines) if part)
    where = f"matched: {where}" if where and answer.depth == "full" else where
    facts = ", ".join([*answer.why, f"{answer.score:.2f}", answer.depth])
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
