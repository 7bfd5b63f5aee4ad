"""What `query` answers with, for programs and for people."""

from __future__ import annotations

from quaid.model.record import record
from quaid.operations.text import Style, count_of, shown
from quaid.search.facts import Fact, Superseded
from quaid.store.scope import Kind

LONG_PAGE = 24  # lines of a page that a person reads through unasked
AROUND = 2  # lines above and below those that matched


@record
class ArmView:
    """How a page did in one arm of the search."""

    rank: int
    score: float


@record
class PassageView:
    """Where the part that matched stands, as closely as can be told: headings, lines, and what kind of line.

    `text` is there where `content` does not have it.
    """

    heading: str | None
    lines: str
    item: str | None = None
    text: str | None = None
    header: str | None = None  # of a table, above the row


@record
class DoubtView:
    """An open contradiction that touches a page; `check` says more."""

    id: int
    type: str
    description: str


@record
class Answer:
    """A page that was found. `content` is what matched, or the whole page, as `depth` says.

    `passage` is the line that matters, `more` are others that fit nearly as well, `facts` fields and facts
    that answer, `superseded` what the text says and no longer holds; a `weak` page hardly answers.
    `conflicts` are those that merging left open on the page. Of a conversation (`kind`), `slug` is its id,
    `turn` the one that matched, `content` what was said in it. `first_line` is where a whole page begins
    below its head.
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
    passage: PassageView | None = None
    facts: tuple[Fact, ...] | None = None
    superseded: tuple[Superseded, ...] | None = None
    contradictions: tuple[DoubtView, ...] | None = None
    conflicts: tuple[str, ...] | None = None
    more: tuple[PassageView, ...] | None = None
    weak: bool | None = None
    first_line: int | None = None


@record
class Answers:
    """What was found, best first, within the token budget.

    `confidence` is from 0 to 1; a question whose answer is below the threshold is noted as a `gap`, by its
    number, and `known` is false then. `depth` is there where somebody has asked for one.
    """

    question: str
    results: tuple[Answer, ...]
    total_tokens: int
    budget_remaining: int
    notices: tuple[str, ...] = ()
    confidence: float = 0.0
    known: bool | None = None
    gap: int | None = None
    depth: str | None = None


def answers_text(result: Answers, style: Style) -> str:
    """An answer for people: pages and conversations, then what it cost."""
    blocks = [_block(answer, style, whole=result.depth == "full") for answer in result.results]
    if not blocks:
        blocks = [f"Nothing found for {shown(result.question)!r}."]
    elif result.known is False:
        blocks.insert(0, style.warning("Not known; nearest:"))
    said = sum(answer.kind == "conversation" for answer in result.results)
    parts = [count_of(len(result.results) - said, "page")]
    parts += [count_of(said, "conversation")] if said else []
    parts += [count_of(result.total_tokens, "token")]
    used = ", ".join([*parts, f"gap {result.gap}"] if result.gap else parts)
    notices = [style.warning(notice) for notice in result.notices]
    return "\n\n".join(blocks) + "\n\n" + "\n".join([*notices, style.dim(used)])


def _block(answer: Answer, style: Style, *, whole: bool) -> str:
    """Title, facts, doubts, then the lines that matter with their numbers. `whole` is what was asked for."""
    depth = answer.depth if answer.kind == "page" else answer.kind
    why = ", ".join([*answer.why, f"{answer.score:.2f}", depth, *(["weak"] if answer.weak else [])])
    shown_lines = [f"{style.name(answer.slug)}  {style.bold(shown(answer.title))}  {style.dim(f'[{why}]')}"]
    if answer.arms:
        shown_lines += [
            style.dim(f"    {name}: rank {arm.rank}, {arm.score}") for name, arm in answer.arms.items()
        ]
    shown_lines += [f"    {shown(fact_text(fact))}" for fact in answer.facts or ()]
    shown_lines += [
        style.warning(f"    no longer: {shown(outdated_text(each))}") for each in answer.superseded or ()
    ]
    shown_lines += [
        style.warning(f"    in doubt: {shown(each.description)} [{each.id}]")
        for each in answer.contradictions or ()
    ]
    shown_lines += [
        style.warning(f"    two versions: quaid conflicts show {shown(each)}")
        for each in answer.conflicts or ()
    ]
    where, lines = _where(answer), [*_numbered_lines(answer), *_others(answer)]
    if lines and answer.depth == "full" and not whole:
        lines = _around(answer, style) or lines
    if lines:
        shown_lines += [style.dim(f"    {where}")] if where else []
        header = answer.passage.header if answer.passage and answer.depth != "full" else None
        margin = len(lines[0]) - len(lines[0].lstrip(" 0123456789"))
        shown_lines += [style.dim(" " * margin + shown(header))] if header else []
        shown_lines += lines
    elif answer.summary:
        shown_lines.append(f"    {shown(answer.summary)}")
    return "\n".join(line.rstrip() for line in shown_lines)


def _where(answer: Answer) -> str:
    """Under which headings, or in which turn, the passage stands; its line where the whole page is shown."""
    turn = f"turn {answer.turn}, {answer.summary}" if answer.turn else ""
    place = answer.passage.heading if answer.passage else answer.heading
    if answer.depth != "full" or not answer.passage:
        return " › ".join(part for part in (place, turn) if part)
    spoken = f"line{'s' if '-' in answer.passage.lines else ''} {answer.passage.lines}"
    return "matched: " + " › ".join(part for part in (place, spoken) if part)


def _numbered_lines(answer: Answer) -> list[str]:
    """The lines that are shown: of a section, those of the passage, with their numbers."""
    content = (answer.content or (answer.passage and answer.passage.text) or "").strip("\n")
    if not content.strip():
        return []
    lines = content.splitlines()
    if answer.depth == "full" or answer.kind != "page" or not answer.passage:
        return [f"    {shown(line)}" for line in content.strip().splitlines()]
    start, _, end = answer.passage.lines.partition("-")
    first = int(start) if not answer.content else int((answer.lines or start).partition("-")[0])
    numbered = list(enumerate(lines, first))
    if answer.passage.item:
        numbered = [(n, line) for n, line in numbered if int(start) <= n <= int(end or start)] or numbered
    width = len(str(numbered[-1][0]))
    return [f"    {number:>{width}}  {shown(line)}" for number, line in numbered]


def _around(answer: Answer, style: Style) -> list[str]:
    """Of a long page, the lines that matched with a few around them; nothing where all of it can be read."""
    lines, first = (answer.content or "").splitlines(), answer.first_line or 1
    if len(lines) <= LONG_PAGE or not answer.passage:
        return []
    start, _, end = answer.passage.lines.partition("-")
    low = max(0, int(start) - first - AROUND)
    high = max(low, min(len(lines), int(end or start) - first + 1 + AROUND, low + LONG_PAGE))
    while low < high and not lines[low].strip():
        low += 1
    while low < high and not lines[high - 1].strip():
        high -= 1
    if low == high:  # an entry of the timeline, which stands below the rest
        return []
    width = len(str(first + high - 1))
    near = [f"    {first + place:>{width}}  {shown(lines[place])}" for place in range(low, high)]
    return [*near, style.dim(f"    … {len(lines) - len(near)} more lines: quaid get {shown(answer.slug)}")]


def _others(answer: Answer) -> list[str]:
    """Other lines of the page that fit, with their numbers."""
    return [
        f"    {number}  {shown(line)}"
        for each in answer.more or ()
        for number, line in enumerate((each.text or "").splitlines(), int(each.lines.partition("-")[0]))
    ]


def fact_text(fact: Fact) -> str:
    """A fact as a line: name, value, days."""
    subject = f"{fact.subject} " if fact.subject else ""
    return f"{subject}{fact.name}: {fact.value}{_days(fact.valid_from, fact.valid_to)}"


def outdated_text(each: Superseded) -> str:
    """A value that no longer holds, and the one that does."""
    now = f"; now {each.now}" if each.now else ""
    return f"{each.name}: {each.value}{_days(each.valid_from, each.valid_to)}{now} (line {each.line})"


def _days(since: str | None, until: str | None) -> str:
    if since and until:
        return f" ({since} to {until})"
    return f" (since {since})" if since else f" (until {until})" if until else ""
