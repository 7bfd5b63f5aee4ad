"""What is remembered: nodes that are written or changed, by the one write path, and what they rest on."""

from __future__ import annotations

from typing import Any

from quaid.errors import InvalidInput, QuaidError
from quaid.kb import capture as capturing
from quaid.kb import remember as remembering
from quaid.kb.likeness import Judge
from quaid.kb.node import LABELS, slug_of_project
from quaid.kb.place import check
from quaid.kb.remember import Remembered
from quaid.kb.writer import Writer, writer_of
from quaid.model.actor import present_actor
from quaid.model.record import fill, record
from quaid.operations.kb.answer import (
    KB,
    OFFLINE,
    Answer,
    Confidence,
    Type,
    Visibility,
    kb_operation,
    notices_of,
)
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.memory import memories_of
from quaid.operations.operation import arg

_NODE_START = (":properties:", "#+title:")


@record
class Remember:
    """Arguments of `kb remember`. What is not given stays when a node is updated."""

    title: str | None = arg("The title.", default=None)
    summary: str | None = arg("One sentence by which it is found.", default=None)
    body: str | None = arg(
        "The text, in org; - or nothing for standard input.",
        default=None,
        placeholder="TEXT",
        piped="missing",
        for_models="The text, in org.",
    )
    type: Type | None = arg("What kind of knowledge it is; observation unless given.", default=None)
    projects: list[str] | None = arg(
        "A project's slug, or . for this directory; may be repeated.",
        default=None,
        flag="--project",
        many=True,
        for_models="Slugs of projects; general unless given.",
    )
    tags: list[str] | None = arg(
        "A tag; may be repeated.", default=None, flag="--tag", many=True, for_models="Tags."
    )
    confidence: Confidence | None = arg("How it is known.", default=None)
    visibility: Visibility | None = arg("Who may know it; personal unless given.", default=None)
    source: str | None = arg("Where it comes from, or a path under raw/.", default=None)
    created_by: str | None = arg(
        "Who writes; otherwise AI_KB_CREATED_BY.",
        default=None,
        placeholder="AGENT",
        for_models="Who writes: claude-code, codex, ollama or human.",
    )
    relations: list[str] | None = arg(
        f"A relation to a node, such as RELATES_TO:ID; may be repeated. Labels: {', '.join(LABELS)}.",
        default=None,
        flag="--relate",
        many=True,
        placeholder="LABEL:NODE",
        for_models="Relations to nodes, such as RELATES_TO:ID.",
    )
    update: str | None = arg("Change this node; what is not given stays.", default=None, placeholder="NODE")
    append: bool = arg("With --update: add the body instead of replacing it.", default=False)
    expect: str | None = arg(
        "With --update: only if the node still has this etag.",
        default=None,
        placeholder="ETAG",
        for_tools="update",
        for_models="With update: the etag of the node as it was read.",
    )
    contest: str | None = arg(
        "Mark this node and the new one as contested.", default=None, placeholder="NODE"
    )
    force_new: bool = arg("Write it although a node is much like it.", default=False)
    node: str | None = arg(
        "A whole node instead of the fields; standard input may be one.",
        default=None,
        placeholder="TEXT",
        instead_of="body",
        for_models="A whole node instead of the fields.",
    )
    offline: bool = OFFLINE
    kb: str | None = KB


def remember(app: KbApp, args: Remember) -> Answer:
    """Write a node, or change one, and commit it.

    That is: lock, follow the remote, write, regenerate the index, check everything and commit. It never
    pushes. The body may come from standard input, which may be a whole node. If it repeats or contradicts a
    node that is there, nothing is written, and the answer names that node and the options with which you can
    go on. Status 0: committed, 4: something stands in the way, 11: the check failed and nothing was written.
    """
    check(app.root, writing=True)
    body, node = _texts(app, args)
    person = app.person
    writer = writer_of(args.created_by, app.environment, person.ask if person else None)
    request = fill(
        remembering.Request,
        args,
        body=body,
        projects=tuple(_project(app, name) for name in args.projects or ()),
        tags=tuple(tag.strip(":") for tag in args.tags or ()),
        relations=tuple(remembering.relation(stated) for stated in args.relations or ()),
        node=node,
        writer=writer if person else Writer(writer.name),  # programs are no persons, whatever they say
    )
    done = remembering.remember(app.kb, request, _judge(app))
    lines = [f"{done.action}: {done.title} ({done.id}) | {done.path}", *(f"  {side}" for side in done.sides)]
    if done.sides:
        lines.append("The person decides: `ai-kb resolve ID` keeps one side, `--both` both.")
    return Answer(_known_to_memory(app, done), "\n".join(lines), notices_of(done.written))


def _known_to_memory(app: KbApp, done: Remembered) -> dict[str, Any]:
    """Bring an open memory into step with what was committed. That it fails does not undo the commit."""
    data, follow = done.as_data(), app.around.memories.follow
    try:
        if follow:
            follow(app, dict.fromkeys(done.written.paths, present_actor()))
    except QuaidError as error:
        data["notices"] = (*done.written.notices, f"the memory does not know of it yet: {error.message}")
    return data


def _judge(app: KbApp) -> Judge | None:
    """How meanings are compared, where a memory knows the knowledge base."""
    if not memories_of(app):
        return None
    from quaid.operations.kb.meaning import judge  # only this needs a memory

    return judge(app)


def _texts(app: KbApp, args: Remember) -> tuple[str | None, str | None]:
    """The body and the whole node, of which at most one is given; what a person gives may be either."""
    body = args.body
    if app.person is None or args.node is not None:
        return body, args.node
    if body is not None and body.lstrip().lower().startswith(_NODE_START):
        return None, body.lstrip("\n")
    return body, None


def _project(app: KbApp, name: str) -> str:
    """A slug as it is stated; a person may name a directory instead."""
    if app.person is not None and (name in (".", "..") or "/" in name):
        return slug_of_project(type(app.root)(name).expanduser().resolve().name)
    return name.strip(":")


KB_REMEMBER = kb_operation(
    "kb remember",
    remember,
    effect="write",
    idempotent=False,
    examples=(
        "kb remember --title 'Commit style' --summary 'Short subjects.' --type preference",
        "kb remember --update 7c9e6679 --summary 'Short subjects, no full stop.'",
        "kb remember < node.org",
    ),
    brief="Keep what is true beyond this session and this repository: a preference, principle, procedure or "
    "lesson. No status, no secrets. What repeats or contradicts a node is refused: update it, or contest it "
    "and ask the person.",
    told=(
        "title",
        "summary: one sentence to be found by",
        "body: org text",
        "type",
        "projects: slugs",
        "tags",
        "confidence",
        "source: origin, or path from kb_capture",
        "created_by: claude-code|codex|ollama|human",
        "relations: LABEL:ID; SUPERSEDES, CONTRADICTS, RELATES_TO, IMPLEMENTS or DERIVED_FROM",
        "update: ID to change; needs expect",
        "append: add body",
        "expect: etag from kb_show",
        "contest: ID it contradicts",
        "force_new: although alike",
    ),
    unneeded=("commit", "paths"),
)


@record
class Capture:
    """Arguments of `kb capture`."""

    source: str = arg(
        "An address or a file.", positional=True, completes="file", for_models="The address that was read."
    )
    excerpt: str | None = arg(
        "The passage that matters; - or nothing for standard input.",
        default=None,
        placeholder="TEXT",
        piped="missing",
        for_tools=True,
        for_models="The passage that matters: at most 2,000 words and 16 KB.",
    )
    title: str | None = arg("What it is called.", default=None)
    full: bool = arg("Keep the whole file under raw/files.", default=False, for_people=True)
    offline: bool = OFFLINE
    kb: str | None = KB


def capture(app: KbApp, args: Capture) -> Answer:
    """Keep what a node rests on: a stub under raw/ with address, day and excerpt.

    The excerpt has at most 2,000 words and 16 KB. Nothing is downloaded. Name the path that it prints as
    the node's source.
    """
    check(app.root, writing=True)
    if app.person is None and not capturing.is_address(args.source):
        raise InvalidInput(
            f"{args.source!r} is no address",
            hint="Such as https://…; a person can keep files: ai-kb capture.",
        )
    done = capturing.capture(
        app.kb, args.source, args.excerpt or "", title=args.title, full=args.full, offline=args.offline
    )
    data = {"path": done.path, "file": done.file, **done.written.as_data()}
    return Answer(data, done.path, notices_of(done.written))


KB_CAPTURE = kb_operation(
    "kb capture",
    capture,
    effect="write",
    idempotent=False,
    examples=(
        "kb capture https://example.org/post --excerpt 'The passage.'",
        "kb capture paper.pdf --full",
    ),
    brief="Keep the passage of a source on which a node rests; name the returned path as its source.",
    told=("source: address", "excerpt: up to 2,000 words", "title"),
    unneeded=("commit", "paths", "file"),
)
