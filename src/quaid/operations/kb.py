"""A knowledge base in git, for programs: the functions of `ai-kb`, with the same answers.

What a person must decide (merge, delete, resolve and the like) is not offered here. A program names a
knowledge base by its collection and never by a path.
"""

from __future__ import annotations

from typing import Any, Literal

from quaid.app import App
from quaid.errors import FINDINGS_STATUS, InvalidInput, NotFound, QuaidError
from quaid.kb import capture as capturing
from quaid.kb import lint as linting
from quaid.kb import query as asking
from quaid.kb import remember as remembering
from quaid.kb import status as state
from quaid.kb import telling
from quaid.model.record import record
from quaid.operations.kb_place import Place, chosen
from quaid.operations.operation import Operation, arg
from quaid.operations.text import Style

Type = Literal["principle", "preference", "procedure", "observation", "reference"]
Status = Literal["current", "contested", "superseded"]
Confidence = Literal["user-stated", "observed", "inferred", "external"]
Visibility = Literal["personal", "work-private"]
Told = dict[str, Any]

_KB = "The collection, if several knowledge bases are attached."
_NAME = "ID, the start of one, title, file or pointer of a node."


def _in_step(app: App, place: Place, told: Told) -> Told:
    """Bring the collection into step with what was committed. That it fails does not undo the commit."""
    if place.row is not None:
        try:
            app.sync(place.row).run()
        except QuaidError as error:
            told["notices"] = [
                *told.get("notices", ()),
                f"the memory does not know of it yet: {error.message}",
            ]
    return told


@record
class Query:
    """Arguments of `kb query`."""

    question: str = arg("What you look for, in words.", positional=True)
    project: str | None = arg("Only nodes of this project.", default=None)
    tag: str | None = arg("Only nodes with this tag.", default=None)
    status: Status | None = arg("Only nodes of this status.", default=None)
    type: Type | None = arg("Only nodes of this type.", default=None)
    limit: int = arg("How many at most; 0 for all.", default=asking.LIMIT, least=0)
    every: bool = arg("Only nodes that have all the words.", default=False)
    kb: str | None = arg(_KB, default=None, completes="collection")


def query(app: App, args: Query) -> Told:
    """Find nodes by words.

    A title that matches counts most, then tag, project and status, then the summary, then the body.
    """
    filters = asking.Filters(args.project, args.tag, args.status, args.type, args.limit, args.every)
    kb = chosen(app, args.kb).kb
    return asking.told(args.question, asking.answer(kb, args.question, filters))


def _query_text(told: Told, style: Style) -> str:
    return "\n".join(f"{each['title']} ({each['id']}) | {each['summary']}" for each in told["results"])


def _query_status(told: Told) -> int:
    if told["notices"]:
        return asking.STALE_STATUS
    return asking.FOUND_STATUS if told["results"] else asking.NO_MATCH_STATUS


KB_QUERY = Operation(
    "kb query",
    Query,
    query,
    render=_query_text,
    transaction="none",
    status=_query_status,
    looks="nothing",
    examples=("kb query release", "kb query release --project emacs"),
    tool_name="kb_query",
    brief="Find durable knowledge by words: preferences, principles, procedures, lessons. Ask before you "
    "choose a convention or begin a procedure.",
    told=("question", "project", "type", "limit"),
    unneeded=("query", "score", "tags", "path"),
)


@record
class Named:
    """Arguments of commands about one node."""

    name: str = arg(_NAME, positional=True)
    kb: str | None = arg(_KB, default=None, completes="collection")


def show(app: App, args: Named) -> Told:
    """Read a node: its text, fields and links, and the etag that a change of it needs."""
    kb = chosen(app, args.kb).kb
    return telling.shown(kb.root, kb.nodes().find(args.name))


KB_SHOW = Operation(
    "kb show",
    Named,
    show,
    render=lambda told, style: str(told["text"]),
    transaction="none",
    looks="nothing",
    examples=("kb show 7c9e6679",),
    tool_name="kb_show",
    brief="Read a node, with the etag that an update needs.",
    told=("name: ID, title or `ai-kb: Title (ID)`",),
    unneeded=("file", "body", "properties", "links", "projects", "tags", "summary", "type"),
)


def backlinks(app: App, args: Named) -> Told:
    """List the nodes that link to a node; raw/ and the index do not count."""
    nodes = chosen(app, args.kb).kb.nodes()
    return telling.backlinks(nodes, nodes.find(args.name))


KB_BACKLINKS = Operation(
    "kb backlinks",
    Named,
    backlinks,
    render=lambda told, style: telling.backlinks_text(told),
    transaction="none",
    status=lambda told: 0 if told["backlinks"] else NotFound.exit_status,
    looks="nothing",
    examples=("kb backlinks 7c9e6679",),
    tool_name="kb_backlinks",
    brief="Nodes that link to a node.",
    told=("name",),
    unneeded=("path", "line", "description"),
)


@record
class Remember:
    """Arguments of `kb remember`. What is not given stays when a node is updated."""

    title: str | None = arg("The title.", default=None)
    summary: str | None = arg("One sentence by which it is found.", default=None)
    body: str | None = arg("The text, in org.", default=None)
    type: Type | None = arg("What kind of knowledge it is; observation unless given.", default=None)
    projects: list[str] | None = arg("Slugs of projects; general unless given.", default=None)
    tags: list[str] | None = arg("Tags.", default=None)
    confidence: Confidence | None = arg("How it is known; inferred unless given.", default=None)
    visibility: Visibility | None = arg("Who may know it; personal unless given.", default=None)
    source: str | None = arg("Where it comes from, or the path that kb_capture gave.", default=None)
    created_by: str | None = arg("Who writes: claude-code, codex, ollama or human.", default=None)
    relations: list[str] | None = arg("Relations to nodes, such as RELATES_TO:ID.", default=None)
    update: str | None = arg("Change this node.", default=None)
    append: bool = arg("With update: add the body instead of replacing it.", default=False)
    expect: str | None = arg(
        "With update: the etag of the node as it was read.", default=None, for_tools="update"
    )
    contest: str | None = arg("Mark this node and the new one as contested.", default=None)
    force_new: bool = arg("Write it although a node is much like it.", default=False)
    node: str | None = arg("A whole node instead of the fields.", default=None)
    offline: bool = arg("Do not ask the remote.", default=False)
    kb: str | None = arg(_KB, default=None, completes="collection")


def remember(app: App, args: Remember) -> Told:
    """Write a node, or change one, and commit it.

    All is checked before. What repeats or contradicts a node is refused, with the ways on. Nothing is pushed.
    """
    place = chosen(app, args.kb, writing=True)
    request = remembering.Request(
        title=args.title,
        summary=args.summary,
        body=args.body,
        type=args.type,
        projects=tuple(name.strip(":") for name in args.projects or ()),
        tags=tuple(tag.strip(":") for tag in args.tags or ()),
        confidence=args.confidence,
        visibility=args.visibility,
        source=args.source,
        created_by=args.created_by,
        relations=tuple(remembering.relation(stated) for stated in args.relations or ()),
        node=args.node,
        update=args.update,
        contest=args.contest,
        force_new=args.force_new,
        append=args.append,
        expect=args.expect,
        offline=args.offline,
    )
    if args.node is None and not args.update:
        request = remembering.with_provenance(request, app.environment)
    return _in_step(app, place, remembering.remember(place.kb, request).as_data())


KB_REMEMBER = Operation(
    "kb remember",
    Remember,
    remember,
    render=lambda told, style: f"{told['action']}: {told['title']} ({told['id']}) | {told['path']}",
    effect="write",
    idempotent=False,
    transaction="none",
    looks="nothing",
    examples=("kb remember --title Tabs --summary 'Indent with tabs.' --type preference --created-by human",),
    tool_name="kb_remember",
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

    source: str = arg("The address that was read.", positional=True)
    excerpt: str = arg("The passage that matters: at most 2,000 words and 16 KB.")
    title: str | None = arg("What it is called.", default=None)
    offline: bool = arg("Do not ask the remote.", default=False)
    kb: str | None = arg(_KB, default=None, completes="collection")


def capture(app: App, args: Capture) -> Told:
    """Keep the passage on which a node rests, with its address and the day. Nothing is downloaded."""
    place = chosen(app, args.kb, writing=True)
    if not capturing.is_address(args.source):
        raise InvalidInput(
            f"{args.source!r} is no address",
            hint="Such as https://…; a person can keep files: ai-kb capture.",
        )
    done = capturing.capture(place.kb, args.source, args.excerpt, title=args.title, offline=args.offline)
    return done.as_data()


KB_CAPTURE = Operation(
    "kb capture",
    Capture,
    capture,
    render=lambda told, style: str(told["path"]),
    effect="write",
    idempotent=False,
    transaction="none",
    looks="nothing",
    examples=("kb capture https://example.org/post --excerpt 'The passage.'",),
    tool_name="kb_capture",
    brief="Keep the passage of a source on which a node rests; name the returned path as its source.",
    told=("source: address", "excerpt: up to 2,000 words", "title"),
    unneeded=("commit", "paths", "file"),
)


@record
class Whole:
    """Arguments of commands about the whole."""

    kb: str | None = arg(_KB, default=None, completes="collection")


def lint(app: App, args: Whole) -> Told:
    """Check nodes, links, index and raw/ for what must not be committed."""
    return telling.checked(linting.lint(chosen(app, args.kb).kb.root))


KB_LINT = Operation(
    "kb lint",
    Whole,
    lint,
    render=lambda told, style: "\n".join(
        [*(f"{each['path']}:{each['line']}: {each['message']}" for each in told["findings"])] or ["sound"]
    ),
    transaction="none",
    status=lambda told: FINDINGS_STATUS if told["blocking"] else 0,
    looks="nothing",
    examples=("kb lint",),
    tool_name="kb_lint",
    brief="Check all nodes.",
    told=(),
)


def status(app: App, args: Whole) -> Told:
    """Say how the knowledge base is: nodes, commits not pushed, failures, whether curation is due."""
    return state.status(chosen(app, args.kb).kb).as_data()


KB_STATUS = Operation(
    "kb status",
    Whole,
    status,
    render=lambda told, style: str(told["nudge"]) or f"{told['root']}: {told['nodes']:,} nodes",
    transaction="none",
    looks="nothing",
    examples=("kb status",),
    tool_name="kb_status",
    brief="Nodes, unpushed commits, failures, contests; what to tell the person is in nudge.",
    told=(),
)
