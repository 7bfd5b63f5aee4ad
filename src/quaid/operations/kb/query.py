"""Questions to a knowledge base; by words they are answered from its own rows."""

from __future__ import annotations

from quaid.kb import query as asking
from quaid.model.record import record
from quaid.operations.kb.answer import Answer, kb_operation
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.fields import KB, Status, Type
from quaid.operations.operation import arg


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
    semantic: bool = arg(
        "Ask the Quaid memory to which this is attached, by words and meaning.",
        default=False,
        for_people=True,
    )
    kb: str | None = KB


def query(app: KbApp, args: Query) -> Answer:
    """Find nodes by words.

    A node's score is the sum of what matches, each once: title 100, tag, project and status 50, summary 20,
    body 5; then the one updated last. Status 0: found, 3: nothing found, 6: no knowledge base, 11: found
    what there is, but the index is stale or a file cannot be read.
    """
    filters = asking.Filters(args.project, args.tag, args.status, args.type, args.limit, args.every)
    if args.semantic:
        from quaid.operations.kb.semantic import found_by_meaning  # only this needs a memory

        return found_by_meaning(app, args.question, filters)
    found = asking.answer(app.kb, args.question, filters)
    notices = found.notices or (() if found.hits else (f"nothing found for {args.question!r}",))
    text = "\n".join(asking.line(hit) for hit in found.hits)
    return Answer(asking.told(args.question, found), text, notices, found.status)


KB_QUERY = kb_operation(
    "kb query",
    Query,
    query,
    examples=("kb query commit style", "kb query release --project emacs --json"),
    brief="Find nodes of the knowledge base alone, by words: preferences, principles, procedures, lessons.",
    told=("question", "project", "type", "limit"),
    unneeded=("query", "score", "tags", "path"),
)
