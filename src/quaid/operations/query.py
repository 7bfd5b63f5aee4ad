"""Questions, answered by name, by words and by meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar, cast

from quaid.app import App
from quaid.app.questions import Questions
from quaid.embed.tokens import estimate_tokens
from quaid.errors import Busy, InvalidInput, ReadOnly, StorageFailed
from quaid.graph.gaps import hash_of
from quaid.index import chunk_rows
from quaid.model.record import record, replace
from quaid.operations.answers import Answer, Answers, answers_text
from quaid.operations.conversations import filter_of, restore_archive
from quaid.operations.matches import ConversationMatch, Match, PageMatch
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.results import as_data
from quaid.search import hybrid
from quaid.search.confidence import confidence
from quaid.search.evidence import Meaning, WordsArm, by_words
from quaid.search.excerpts import Found, excerpts
from quaid.search.hybrid import EXACT, Hit
from quaid.search.merge import Merge, Strategy
from quaid.search.progressive import Candidate, Depth, Expanded, expand
from quaid.search.question import read_question
from quaid.search.voice import Voice
from quaid.store import gaps, units
from quaid.store import scope as scopes
from quaid.store.aside import aside
from quaid.store.scope import Kind, Scope

R = TypeVar("R")
CLOSE = 16  # tokens: no closer to the budget is looked for
MOST_CONVERSATIONS = 3  # beside the pages
NEARLY_ALL = 0.95  # of the texts, so that what none of them answers can be called a gap
FEW = 3  # that are shown where nothing answers
TAIL = 0.05  # of the best page's belief: what has less is noise beside it
LEAST_SURE = 0.15  # of a conversation, to stand there: it costs a few lines, and pages come first
BY_WORDS = ("words", "sections")  # the arms of the search whose scores are shares of the question's words
LEAD = 0.2  # by which a conversation must be better than a page to come before it
NEARNESS = 3.0  # of a cosine of one, against all words


@record
class Query:
    question: str = arg("What you want to know.", positional=True, rest=True)
    depth: Depth = arg("How much of each page.", default="auto")
    token_budget: int | None = option("How many tokens in all; 4000 unless set otherwise.", least=1)
    wing: str | None = option("Only pages of this wing.")
    type: str | None = option("Only pages of this type.", completes="type")
    tag: str | None = option("Only pages with this tag.", completes="tag")
    collection: str | None = option("Only pages of this collection.", completes="collection")
    since: str | None = option("Only pages that changed on or after this day.")
    until: str | None = option("Only pages that changed on or before this day.")
    limit: int | None = option("How many pages at most; 10 unless set otherwise.", least=1)
    kind: Kind | None = option("Only pages, or only conversations; otherwise both.")
    explain: bool = flag("Say how each page did by words, by section and by meaning.")
    unfinished: bool = flag("It is still being typed, and no gap.", hidden=True)


def query(app: App, args: Query) -> Answers:
    """Find what answers a question, by name, words and meaning, within a token budget.

    One question over everything: pages, notebooks with their daily logs, knowledge bases and conversations.
    The best are shown in most detail: whole, or the section that matched, or a summary.
    """
    if not args.question.strip():
        raise InvalidInput("nothing is asked", hint="Give a question or some words.")
    is_shared = app.settings.text("search.engine") != "own"
    # Pages that wait to be cut into sections are cut first, as many as there is time for.
    if is_shared or args.kind == "conversation" or chunk_rows.left_to_chunk(app.connection):
        return _answers(app, args)
    scope = _scope(app, args)
    words = lambda connection: by_words(connection, read_question(args.question), scope)  # noqa: E731
    with aside(app.store, words) as found:
        return _answers(app, args, scope, found)


def _answers(
    app: App, args: Query, scope: Scope | None = None, words: Callable[[], WordsArm] | None = None
) -> Answers:
    """The answer; `words` says what the words of the question have found meanwhile in a scope."""
    settings = app.settings
    budget = args.token_budget or settings.integer("query.token_budget")
    meaning, heard = app.models.meaning(args.question)
    voice, unheard = app.models.voice()
    if args.kind != "page":
        restore_archive(app)
    with app.store.read():
        of_pages = scope or _scope(app, args) if args.kind != "conversation" else None
        pages_found = _pages(app, args, of_pages, meaning, voice, words) if of_pages else []
        said = _conversations(app, args, meaning, voice) if args.kind != "page" else []
        sure = max(confidence([each.hit for each in group]) for group in (pages_found, said))
        threshold = settings.number("gaps.threshold")
        is_doubtful = sure < threshold
        # What is not embedded yet may be the answer: then it is too early to say that nobody knows.
        unread = meaning is not None and meaning.coverage <= NEARLY_ALL
        weak = not (pages_found or said) if unread else is_doubtful
        found = _together(pages_found, said)
        for each in found if not weak else ():
            each.weak = confidence([each.hit]) < threshold
        found = found if args.limit else _telling(found, known=not is_doubtful)
        # A question about a part of the memory is no gap of all of it.
        parts = (args.type, args.tag, args.wing, args.collection, args.since, args.until, args.kind)
        noted = weak and not any(parts) and not args.unfinished and settings.flag("gaps.log")
        so_far = ["Not known so far: what is shown is nearest."] if is_doubtful and not weak else []
        notices = (*heard, *unheard, *app.models.trouble(heard), *so_far)
        draft = Answers(
            question=args.question,
            results=(),
            total_tokens=0,
            budget_remaining=0,
            notices=notices,
            confidence=sure,
            known=False if weak else None,
            gap=0 if noted else None,
            depth=None if args.depth == "auto" else args.depth,
        )
        depth = "section" if is_doubtful and args.depth == "auto" else args.depth
        answers = _within(app, replace(args, depth=depth), found, draft, budget)
    return replace(answers, gap=_note_gap(app, args.question, sure)) if noted else answers


def _telling(found: Sequence[Match], *, known: bool) -> list[Match]:
    """What is shown unless a caller says how much: few where nothing answers, and no tail of noise."""
    if not known:
        said = [each for each in found if isinstance(each, ConversationMatch)][:1]
        nearest = [each for each in found if each not in said][: FEW - len(said)]
        return sorted([*nearest, *said], key=found.index)
    best = max((each.hit.score for each in found if each.hit.score < EXACT), default=0.0)
    return [each for place, each in enumerate(found) if place == 0 or each.hit.score >= TAIL * best]


def _together(pages_found: Sequence[Match], said: Sequence[Match]) -> list[Match]:
    """Pages and conversations in one list, each in its order.

    Scores hold within each of them; so what counts between them is which share of the question's words a
    document has, and how near it is. A conversation must be clearly better than a page to come before it.
    """
    left, right = list(pages_found), list(said)
    found: list[Match] = []
    while left and right:
        ahead = _evidence(right[0].hit, left[0].hit) > LEAD
        found.append((right if ahead else left).pop(0))
    return [*found, *left, *right]


def _evidence(one: Hit, other: Hit) -> float:
    """By how much more speaks for one hit than for another."""
    shares = [
        max((hit.arms[arm][1] for arm in BY_WORDS if arm in hit.arms), default=0.0) for hit in (one, other)
    ]
    cosines = [hit.arms["meaning"][1] for hit in (one, other) if "meaning" in hit.arms]
    nearer = cosines[0] - cosines[1] if len(cosines) == 2 else 0.0
    return shares[0] - shares[1] + NEARNESS * nearer


def _within(app: App, args: Query, found: Sequence[Match], draft: Answers, budget: int) -> Answers:
    """As much of what was found as the budget allows, in the form in which it is delivered."""

    def size(answers: Answers) -> int:
        """What an answer costs its reader: all that is delivered counts, the JSON around the texts too."""
        return estimate_tokens(_delivery(app, answers))

    def having(results: Sequence[Answer]) -> Answers:
        used = sum(result.tokens for result in results)
        left = max(0, budget - used)
        return replace(draft, results=tuple(results), total_tokens=used, budget_remaining=left)

    alone = size(draft)
    candidates = []
    for each in found:
        plain = each.candidate
        bare = each.answer(Expanded("summary", "", 0, plain.heading), args.explain)
        around = size(having([bare])) - alone - text_tokens(plain.heading)
        candidates.append(Candidate(**vars(plain) | {"overhead": max(0, around), "asked": args.question}))

    def answers_within(room: int) -> Answers:
        expanded = expand(candidates, args.depth, room - alone, text_tokens)
        return having([each.answer(part, args.explain) for each, part in zip(found, expanded, strict=False)])

    answers: Answers = largest_fit(answers_within, budget, size)
    return answers


def _delivery(app: App, result: Any) -> str:
    """An answer as the surface writes it out; JSON where it does not say."""
    if app.spelled:
        return app.spelled(QUERY, result)
    import json  # a surface that writes text does without

    return json.dumps(as_data(result), ensure_ascii=False)


def largest_fit(made: Callable[[int], R], budget: int, size: Callable[[R], int]) -> R:
    """The largest of some answers whose size is within a budget; the least one where none is.

    `made` makes an answer whose texts have so many tokens in all.
    """
    answer = made(budget)
    cost = size(answer)
    if cost <= budget:
        return answer
    best, low, high = made(0), 0, budget
    room = max(1, budget - (cost - budget))
    while high - low > CLOSE or (low == 0 and high > 1):
        answer = made(room)
        cost = size(answer)
        if cost <= budget:
            best, low = answer, room
        else:
            high = room
        room = (low + high) // 2
    return best


@lru_cache(256)
def text_tokens(text: str) -> int:
    """About how many tokens a text has within an answer: as JSON writes it, whose marks are tokens too."""
    return estimate_tokens(text) + sum(map(text.count, '\n"\\'))


def _scope(app: App, args: Query) -> Scope:
    """The pages that are asked about."""
    return scopes.pages(
        app.page_filter(args.type, args.tag, args.wing, args.collection, args.since, args.until)
    )


def _pages(
    app: App,
    args: Query,
    scope: Scope,
    meaning: Meaning | None,
    voice: Voice | None,
    words: Callable[[], WordsArm] | None,
) -> list[Match]:
    """The best pages."""
    limit = args.limit or app.settings.integer("query.limit")
    hits = hybrid.find(
        app.connection, args.question, scope, limit, meaning, _merge(app), voice=voice, words=words
    )
    found = [Found(hit.document, hit.unit, hit.score >= EXACT, hit.read) for hit in hits]
    reader = voice if args.depth != "summary" else None  # with a summary no part is shown
    shown = excerpts(app.connection, args.question, found, meaning, app.today(), reader)
    return [PageMatch(app, hit, shown[hit.document]) for hit in hits]


def _conversations(app: App, args: Query, meaning: Meaning | None, voice: Voice | None) -> list[Match]:
    """The best conversations, unless the question is about pages of some sort."""
    if args.type or args.tag or args.wing or args.collection:
        return []
    scope = scopes.conversations(filter_of(app, since=args.since, until=args.until))
    if not units.last(app.connection, scope.units):
        return []
    near = app.models.meaning_of_turns(args.question, meaning)[0] if meaning else None
    limit = (args.limit or app.settings.integer("query.limit")) if args.kind else MOST_CONVERSATIONS
    hits = hybrid.find(app.connection, args.question, scope, limit, near, _merge(app), voice=voice)
    # One that has little to do with the question does not stand beside the pages unasked.
    return [ConversationMatch(app, hit) for hit in hits if args.kind or confidence([hit]) >= LEAST_SURE]


def _merge(app: App) -> Merge:
    settings = app.settings
    return Merge(cast("Strategy", settings.text("query.merge")), settings.integer("query.rrf_k"))


def _note_gap(app: App, question: str, sure: float) -> int | None:
    """Note a gap; its number. None if somebody else is writing or nobody may: a question does not wait."""
    with (
        suppress(Busy, ReadOnly, StorageFailed),
        app.store.impatient(0),
        app.store.hasty(),
        app.store.write() as connection,
    ):
        number = gaps.note(connection, hash_of(question), sure, app.now())
        if app.is_at_hand:
            Questions(app.home).note(hash_of(question), question)
        return number
    return None


QUERY = Operation(
    "query",
    query,
    render=answers_text,
    transaction="none",
    examples=(
        'query "who founded RiverAI?"',
        "query what did we decide about storage --depth section --explain",
    ),
    brief="Ask the memory: one question over pages, notebook, daily logs, conversations and knowledge base.",
    told=("question", "depth", "token_budget: default 4000", "wing", "limit"),
    unneeded=("lines", "tokens", "budget_remaining", "question", "score", "total_tokens"),
)
