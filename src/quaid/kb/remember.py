"""Remember something: a new node, or a change of one, by the write protocol.

What repeats or contradicts a node is not written silently: the caller decides whether to change that node
(`update`), to put both up for review (`contest`), or to keep both (`force_new`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import uuid4

from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.kb import edits
from quaid.kb.gate import Proposal, Written, message
from quaid.kb.likeness import Likeness, alike
from quaid.kb.node import LABELS, TYPES, Node, parse
from quaid.kb.nodes import Nodes
from quaid.kb.protocol import Plan, write
from quaid.kb.render import Draft, file_name, render
from quaid.kb.repository import Kb
from quaid.kb.views import etag
from quaid.model.record import field, record

LONGEST = 1_000_000  # characters of one node: a node is one thing that is known, not a document


@record
class Request:
    """What is to be remembered. None and () leave a field as it is when a node is updated."""

    title: str | None = None
    summary: str | None = None
    body: str | None = None
    type: str | None = None
    projects: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    confidence: str | None = None
    visibility: str | None = None
    source: str | None = None
    created_by: str | None = None
    relations: tuple[tuple[str, str], ...] = field(default=())  # label and the name of a node
    node: str | None = None  # a whole node's text, instead of the fields
    update: str | None = None
    contest: str | None = None
    force_new: bool = False
    append: bool = False
    expect: str | None = None
    offline: bool = False
    by_person: bool = False  # the person writes, who may change what they have said


@record
class Remembered:
    """The node that was written."""

    id: str
    title: str
    path: str
    action: str  # created, updated, contested, unchanged
    written: Written

    def as_data(self) -> dict[str, object]:
        shown = {"id": self.id, "title": self.title, "path": self.path, "action": self.action}
        return {**shown, **self.written.as_data()}


def remember(kb: Kb, request: Request) -> Remembered:
    """Write what is requested, all of it or nothing."""
    _check_whole(request)
    _check_request(request)
    planned = _Planned()
    plan: Plan = lambda nodes: planned.plan(kb, request, nodes)  # noqa: E731
    written = write(kb, plan, offline=request.offline)
    action = planned.action if written.commit else "unchanged"
    return Remembered(planned.id, planned.title, planned.path, action, written)


def with_provenance(request: Request, environment: Mapping[str, str], *, person: bool = False) -> Request:
    """Who writes, and how it is known: a model's guess must not pass for a person's word.

    `person` says that somebody sits there who would be the writer if nobody else is named.
    """
    creator = request.created_by or environment.get("AI_KB_CREATED_BY") or ""
    if not creator and environment.get("CLAUDECODE"):
        creator = "claude-code"
    if not creator and person:
        creator = "human"
    if not creator:
        raise InvalidInput(
            "it is not known who writes this", hint="Say so: --created-by claude-code, or AI_KB_CREATED_BY."
        )
    confidence = request.confidence or ("user-stated" if creator == "human" else "inferred")
    return Request(**{**request.__dict__, "created_by": creator, "confidence": confidence})


def relation(stated: str) -> tuple[str, str]:
    """Label and node of a relation that is written LABEL:NODE."""
    label, colon, name = stated.partition(":")
    if not colon or not name.strip():
        raise InvalidInput(f"--relate {stated!r} is not LABEL:NODE", hint="Such as RELATES_TO:7c9e6679.")
    return label.strip().upper().replace("-", "_"), name.strip()


class _Planned:
    """A plan, and what it came to."""

    id = title = path = action = ""

    def plan(self, kb: Kb, request: Request, nodes: Nodes) -> Proposal:
        if request.update:
            return self._update(kb, request, nodes)
        text = request.node if request.node is not None else ""
        text = _completed(text) if text else render(_draft(kb, request, nodes))
        new = parse(text, "")
        _refuse_known(new, nodes)
        files: dict[str, str | bytes | None] = {}
        if request.contest:
            text = self._contest(kb, request.contest, new, text, nodes, files)
        elif not request.force_new:
            refuse_likeness(nodes.alike(new.title, new.summary, new.body))
        self.path = _free_path(kb, new.title)
        self.id, self.title, self.action = new.id, new.title, "contested" if request.contest else "created"
        verb = "Contest" if request.contest else "Remember"
        return Proposal({self.path: text, **files}, message(verb, new.title))

    def _contest(
        self,
        kb: Kb,
        name: str,
        new: Node,
        text: str,
        nodes: Nodes,
        files: dict[str, str | bytes | None],
    ) -> str:
        old = nodes.find(name)
        changed = edits.set_property(old.text, "STATUS", "contested")
        changed = edits.set_property(changed, "UPDATED", kb.today)
        files[old.path] = edits.add_link(changed, "CONTRADICTS", new.id, new.title)
        text = edits.set_property(text, "STATUS", "contested")
        return edits.add_link(text, "CONTRADICTS", old.id, old.title)

    def _update(self, kb: Kb, request: Request, nodes: Nodes) -> Proposal:
        old = nodes.find(request.update or "")
        if request.expect and not etag(old.text).startswith(request.expect):
            raise Conflict(
                f"“{old.title}” has changed since it was read",
                hint="Read it again with `ai-kb show`, then decide.",
                current_etag=etag(old.text),
            )
        text = _replacing(request.node, old) if request.node is not None else _edited(request, old, nodes)
        self.id, self.path, self.action = old.id, old.path, "updated"
        self.title = parse(text, old.path).title or old.title
        if text == old.text:
            return Proposal({}, "")
        new = parse(text, old.path)
        if not request.by_person and request.confidence != "user-stated":
            _refuse_reversal(old, new)
        text = edits.set_property(text, "UPDATED", kb.today)
        notices = _now_alike(old, new, nodes)
        return Proposal({old.path: text}, message("Update", self.title), notices)


def _check_whole(request: Request) -> None:
    """Refuse fields besides a whole node: which of the two would hold?"""
    fields = ("title", "summary", "body", "type", "confidence", "visibility", "source", "created_by")
    given = [name for name in fields if getattr(request, name)]
    if request.node is not None and (given or request.projects or request.tags or request.relations):
        raise InvalidInput(
            "a whole node says everything itself",
            hint="Leave the other fields out, or give the body only, without :PROPERTIES:.",
        )


def _check_request(request: Request) -> None:
    if request.update and (request.contest or request.force_new):
        raise InvalidInput("--update goes neither with --contest nor with --force-new", hint="Choose one.")
    if (request.append or request.expect) and not request.update:
        raise InvalidInput("--append and --expect need --update", hint="Name the node: --update ID.")
    if request.node is None and not request.update and not (request.title and request.summary):
        raise InvalidInput(
            "a node needs a title and a summary",
            hint="Give --title and --summary, or a whole node on standard input.",
        )
    for text in (request.node, request.body):
        if text and len(text) > LONGEST:
            raise InvalidInput(
                f"a node may have {LONGEST:,} characters, not {len(text):,}",
                hint="Keep what was learned; `ai-kb capture --full` keeps a source.",
            )
    told = (request.title, request.summary, request.body, request.node, request.source)
    refuse_odd(*told, *request.projects, *request.tags)


def refuse_odd(*texts: str | None) -> None:
    """Refuse what no file of UTF-8 can hold: NUL characters, and bytes of another encoding."""
    for text in texts:
        if text and "\0" in text:
            raise InvalidInput("a node is text; this has a NUL character", hint="Is it a binary file?")
        if text and any("\ud800" <= char <= "\udfff" for char in text):
            raise InvalidInput("a node is UTF-8; this is not", hint="Convert it, say with iconv -f latin1.")


def _draft(kb: Kb, request: Request, nodes: Nodes) -> Draft:
    summary = edits.one_line(request.summary or "")
    return Draft(
        id=str(uuid4()),
        title=edits.one_line(request.title or ""),
        summary=summary,
        body=request.body or summary,
        type=request.type or "observation",
        projects=request.projects or ("general",),
        tags=request.tags,
        created=kb.today,
        updated=kb.today,
        created_by=request.created_by or "human",
        confidence=request.confidence or "inferred",
        visibility=request.visibility or "personal",
        source=edits.one_line(request.source or "") or f"chat {kb.today}",
        status="current",
        relations=_relations(request, nodes),
    )


def _relations(request: Request, nodes: Nodes) -> tuple[tuple[str, str, str], ...]:
    found = []
    for label, name in request.relations:
        if label not in LABELS:
            raise InvalidInput(f"{label!r} is no relation", hint=f"Relations are {', '.join(LABELS)}.")
        try:
            target = nodes.find(name)
        except NotFound as error:
            raise InvalidInput(f"--relate {label}:{name}: {error.message}", hint=error.hint) from None
        found.append((label, target.id, edits.plain(target.title)))
    return tuple(found)


def _completed(text: str, known: str = "") -> str:
    """A node from outside: as it is, with an ID if it has none. Whatever else it lacks, lint tells."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    text = text if text.endswith("\n") else text + "\n"
    return text if parse(text, "").id else edits.set_first_property(text, "ID", known or str(uuid4()))


def _replacing(text: str, old: Node) -> str:
    """A whole node in another's place; it keeps the other's ID."""
    new = _completed(text, old.id)
    stated = parse(new, "").id
    if stated != old.id:
        raise Conflict(
            f"the new text has another ID than “{old.title}”: {stated}", hint=f"It must be {old.id}, or none."
        )
    return new


def _edited(request: Request, old: Node, nodes: Nodes) -> str:
    """A node's text with the fields that are given; all other bytes stay."""
    text = old.text
    properties = {
        "SUMMARY": request.summary and edits.one_line(request.summary),
        "PROJECTS": request.projects and " ".join(f":{slug}:" for slug in request.projects),
        "CONFIDENCE": request.confidence,
        "VISIBILITY": request.visibility,
        "SOURCE": request.source and edits.one_line(request.source).replace(" ;", ";"),
    }
    for name, value in properties.items():
        if value:
            text = edits.set_property(text, name, value)
    if request.title:
        text = edits.set_keyword(text, "title", edits.one_line(request.title))
    if request.type or request.tags:
        text = edits.set_keyword(text, "filetags", _filetags(request, old))
    if request.body:
        text = edits.append(text, request.body) if request.append else edits.set_body(text, request.body)
    for label, target, title in _relations(request, nodes):
        text = edits.add_link(text, label, target, title)
    return text


def _filetags(request: Request, old: Node) -> str:
    others = request.tags or tuple(tag for tag in old.tags if tag not in TYPES)
    first = request.type or old.type
    wanted = [first, *others] if first else list(others)
    return ":" + ":".join(dict.fromkeys(wanted)) + ":"


def _refuse_reversal(old: Node, new: Node) -> None:
    """What a person has stated is not turned into its opposite by somebody else."""
    stated = old.properties.get("CONFIDENCE") == "user-stated"
    found = alike(new.title, new.summary, new.body, [old]) if stated else []
    if found and found[0].kind == "contradiction":
        raise Conflict(
            f"this is the opposite of what the person has stated: “{old.title}” ({old.id})",
            hint=f"Nothing was written. Without --update, --contest {old.id} keeps both until they have "
            "decided. If they have said so now: --confidence user-stated.",
            similar=[found[0].as_data()],
        )


def _now_alike(old: Node, new: Node, nodes: Nodes) -> tuple[str, ...]:
    """The nodes that a changed one repeats or contradicts, where it did not before: for people to decide."""
    if (old.title, old.summary, old.body) == (new.title, new.summary, new.body):
        return ()
    known = {each.node.id for each in nodes.alike(old.title, old.summary, old.body, besides=old.id)}
    found = nodes.alike(new.title, new.summary, new.body, besides=old.id)
    verbs = {"contradiction": "contradicts", "duplicate": "says much the same as"}
    return tuple(
        f"it now {verbs[each.kind]} “{each.node.title}” ({each.node.id}): `ai-kb merge` or `contest`"
        for each in found[:3]
        if each.node.id not in known
    )


def _refuse_known(new: Node, nodes: Nodes) -> None:
    known = next((row for row in nodes.rows if row.id and row.id == new.id), None)
    if known:
        raise Conflict(
            f"“{known.title}” has this ID already",
            hint=f"Change it with --update {known.id}, or leave the ID out.",
            similar=[Likeness(known, "duplicate", 1.0).as_data()],
        )


def refuse_likeness(found: Sequence[Likeness]) -> None:
    """An error that names the nodes which say the same or the opposite, and the ways on."""
    if not found:
        return
    first = found[0]
    verb = "contradicts" if first.kind == "contradiction" else "says much the same as"
    ways = (
        f"--update {first.node.id} changes that node, --contest {first.node.id} marks both as contested, "
        "--force-new keeps both."
    )
    raise Conflict(
        f"this {verb} “{first.node.title}” ({first.node.id})",
        hint=f"Nothing was written. {ways}",
        similar=[each.as_data() for each in found[:5]],
    )


def _free_path(kb: Kb, title: str) -> str:
    path = file_name(title, kb.moment)
    stem, number = path.removesuffix(".org"), 2
    while kb.file(path).exists():
        path, number = f"{stem}-{number}.org", number + 1
    return path
