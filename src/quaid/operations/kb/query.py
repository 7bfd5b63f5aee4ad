"""Questions to a knowledge base: by words from its own rows, and by meaning where words leave them open."""

from __future__ import annotations

from quaid.errors import QuaidError
from quaid.kb import query as asking
from quaid.model.record import fill, record
from quaid.operations.kb.answer import KB, Answer, Status, Type, kb_operation
from quaid.operations.kb.app import KbApp
from quaid.operations.operation import arg

QUESTION = 3  # words: fewer are looked up, not asked


@record
class Query:
    """Arguments of `kb query`."""

    question: str = arg("What you look for.", positional=True, rest=True, placeholder="WORDS")
    project: str | None = arg("Only nodes of this project.", default=None)
    tag: str | None = arg("Only nodes with this tag.", default=None)
    status: Status | None = arg("Only nodes of this status.", default=None)
    type: Type | None = arg("Only nodes of this type.", default=None)
    limit: int = arg("How many at most; 0 for all.", default=asking.LIMIT, least=0)
    every: bool = arg("Only nodes that have all the words.", default=False)
    semantic: bool = arg("By words and meaning, whatever words find.", default=False, for_people=True)
    words: bool = arg("By words alone.", default=False)
    kb: str | None = KB


def query(app: KbApp, args: Query) -> Answer:
    """Find nodes by words; a question that no node has all words of is asked by meaning too.

    By words, a node's score is the sum of what matches, each once: title 100, tag, project and status 50,
    summary 20, body 5; then the one updated last. Status 0: found, 3: nothing found, 6: no knowledge base,
    11: found what there is, but the index is stale, a file cannot be read, or a merge is not finished.
    """
    filters = fill(asking.Filters, args)
    found = asking.answer(app.kb, args.question, filters)
    if args.semantic or (not args.words and not args.every and _is_in_doubt(args.question, found)):
        found = _by_meaning(app, args, filters, found)
    notices = found.notices or (() if found.hits else (f"nothing found for {args.question!r}",))
    text = "\n".join(asking.line(hit) for hit in found.hits)
    return Answer(asking.answer_data(args.question, found), text, notices, found.status)


def _is_in_doubt(question: str, found: asking.Answer) -> bool:
    """Whether words leave it open: somebody asks in a sentence, and the best node lacks a part of it."""
    if len(question.split()) < QUESTION:
        return False
    return not found.hits or not asking.has_every_word(found.hits[0].node, question)


def _by_meaning(app: KbApp, args: Query, filters: asking.Filters, by_words: asking.Answer) -> asking.Answer:
    """What words and meaning find together.

    Unless it was asked for, what is merely the nearest is no answer where words have found nothing.
    """
    from quaid.operations.kb.semantic import found_by_meaning  # only this needs a whole memory

    try:
        near = found_by_meaning(app, args.question, filters)
    except QuaidError:
        if args.semantic:
            raise
        return by_words
    if not args.semantic and not (near.hits and (near.known or by_words.hits)):
        return by_words
    hits = tuple(hit for hit in near.hits if hit.node.path not in by_words.unsound)
    status = asking.FOUND_STATUS if hits else asking.NO_MATCH_STATUS
    status = by_words.status if by_words.status == asking.STALE_STATUS else status
    said = near.notices if args.semantic else ()
    return asking.Answer(hits, len(hits), status, (*by_words.notices, *said))


KB_QUERY = kb_operation(
    "kb query",
    query,
    examples=("kb query commit style", "kb query release --project emacs --json"),
    brief="Find nodes of the knowledge base alone: preferences, principles, procedures, lessons.",
    told=("question", "project", "type", "limit"),
    unneeded=("query", "score", "tags", "path"),
)
