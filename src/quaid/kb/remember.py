"""Remember something: a new node, or a change of one, by the write protocol.

What repeats or contradicts a node is not written silently: the caller decides whether to change that node
(`update`), to put both up for review (`contest`), or to keep both (`force_new`). A change of what a person
has said becomes a contest unless the person makes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from quaid.errors import Conflict, InvalidInput, NotFound
from quaid.kb import edits
from quaid.kb.gate import Proposal, Written, message
from quaid.kb.likeness import Judge, Likeness
from quaid.kb.node import LABELS, TYPES, Node, etag, parse
from quaid.kb.nodes import Nodes
from quaid.kb.protocol import Plan, write
from quaid.kb.render import Draft, file_name, render
from quaid.kb.repository import Kb
from quaid.kb.writer import HUMAN, STATED, Writer, adds_only, is_persons, quotation, restates
from quaid.model.record import field, record, replace

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
    writer: Writer = field(default=Writer())


@record
class Remembered:
    """The node that was written."""

    id: str
    title: str
    path: str
    action: str  # created, updated, contested, unchanged
    written: Written
    sides: tuple[str, ...] = field(default=())  # of a contest: what each says, and who

    def as_data(self) -> dict[str, object]:
        own = {name: self.__dict__[name] for name in ("id", "title", "path", "action")}
        return {**own, **({"sides": self.sides} if self.sides else {}), **self.written.as_data()}


def remember(kb: Kb, request: Request, judge: Judge | None = None) -> Remembered:
    """Write what is requested, all of it or nothing. `judge` compares meanings, if a model is at hand."""
    _check_request(request)
    if request.node is None and not request.update:
        request = _with_provenance(request)
    planned = _Planned(judge)
    plan: Plan = lambda nodes: planned.plan(kb, request, nodes)  # noqa: E731
    written = write(kb, plan, offline=request.offline)
    action = planned.action if written.commit else "unchanged"
    return Remembered(planned.id, planned.title, planned.path, action, written, planned.sides)


def _with_provenance(request: Request) -> Request:
    """Who writes, and how it is known: a model's guess must not pass for a person's word."""
    creator = request.writer.certain_name
    confidence = request.confidence or (STATED if creator == HUMAN else "inferred")
    return replace(request, created_by=creator, confidence=confidence)


def relation(stated: str) -> tuple[str, str]:
    """Label and node of a relation that is written LABEL:NODE."""
    label, colon, name = stated.partition(":")
    if not colon or not name.strip():
        raise InvalidInput(f"--relate {stated!r} is not LABEL:NODE", hint="Such as RELATES_TO:7c9e6679.")
    return label.strip().upper().replace("-", "_"), name.strip()


class _Planned:
    """A plan, and what it came to."""

    id = title = path = action = ""
    sides: tuple[str, ...] = ()

    def __init__(self, judge: Judge | None) -> None:
        self.judge = judge

    def plan(self, kb: Kb, request: Request, nodes: Nodes) -> Proposal:
        if request.update:
            return self._update(kb, request, nodes)
        text = _completed(request.node) if request.node else render(_draft(kb, request, nodes))
        new = parse(text, "")
        new = replace(new, path=_free_path(kb, new.title))
        _refuse_known(new, nodes)
        if request.contest:
            return self._contest(kb, nodes.find(request.contest), new)
        if not request.force_new:
            found = nodes.alike(new.title, new.summary, new.body, judge=self.judge)
            refuse_likeness(new, found, nodes, request.writer)
        self._record_result(new, "created")
        return Proposal({new.path: text}, message("Remember", new.title), nodes=(new,))

    def _record_result(self, new: Node, action: str) -> None:
        self.id, self.title, self.path, self.action = new.id, new.title, new.path, action

    def _contest(self, kb: Kb, old: Node, new: Node) -> Proposal:
        """Keep both, marked and linked, until the person has decided."""
        self._record_result(new, "contested")
        self.sides = (f"{old.id}: {quotation(old)}", f"{new.id}: {quotation(new)}")
        changed = edits.set_property(old.text, "STATUS", "contested")
        changed = edits.set_property(changed, "UPDATED", kb.today)
        changed = edits.add_link(changed, "CONTRADICTS", new.id, new.title)
        text = edits.set_property(new.text, "STATUS", "contested")
        text = edits.add_link(text, "CONTRADICTS", old.id, old.title)
        return Proposal({new.path: text, old.path: changed}, message("Contest", new.title))

    def _update(self, kb: Kb, request: Request, nodes: Nodes) -> Proposal:
        old = nodes.find(request.update or "")
        if request.expect and not etag(old.text).startswith(request.expect):
            raise Conflict(
                f"“{old.title}” has changed since it was read",
                hint="Read it again with `ai-kb show`, then decide.",
                current_etag=etag(old.text),
            )
        whole = request.node is not None
        text, notices = (
            _replacing(request.node or "", old) if whole else (_text_with_fields(request, old, nodes), ())
        )
        new = parse(text, old.path)
        self._record_result(new, "updated")
        if text == old.text:
            return Proposal({}, "")
        if is_persons(old) and not request.writer.is_person and not adds_only(old, new):
            return self._challenge(kb, request, (old, new), nodes)
        text = edits.set_property(text, "UPDATED", kb.today)
        notices += _now_alike(old, new, nodes)
        return Proposal({old.path: text}, message("Update", self.title), notices)

    def _challenge(self, kb: Kb, request: Request, change: tuple[Node, Node], nodes: Nodes) -> Proposal:
        """A change of a person's node by somebody else: a node of its own that contests it."""
        old, wanted = change
        if not restates(old, wanted):
            raise Conflict(
                f"“{old.title}” ({old.id}) is the person's: how it is known and shown is for them to change",
                hint=f"Nothing was written. Propose it to the person. It says {quotation(old)}.",
            )
        text = edits.set_property(wanted.text, "ID", str(uuid4()))
        for name, value in (
            ("CREATED", kb.today),
            ("UPDATED", kb.today),
            ("CREATED_BY", request.writer.certain_name),
            ("CONFIDENCE", request.confidence or "inferred"),
        ):
            text = edits.set_property(text, name, value)
        new = parse(text, _free_path(kb, wanted.title))
        for row, link in nodes.backlinks(old.id):  # it may be contested in the same words already
            if link.label == "CONTRADICTS" and (row.title, row.summary) == (new.title, new.summary):
                self._record_result(nodes.node(row), "unchanged")
                return Proposal({}, "")
        return self._contest(kb, old, new)


def _check_request(request: Request) -> None:
    # Of a whole node and fields besides it, which would hold?
    fields = ("title", "summary", "body", "type", "confidence", "visibility", "source", "created_by")
    given = [name for name in fields if getattr(request, name)]
    if request.node is not None and (given or request.projects or request.tags or request.relations):
        raise InvalidInput(
            "a whole node says everything itself",
            hint="Leave the other fields out, or give the body only, without :PROPERTIES:.",
        )
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
        created_by=request.created_by or "human",
        confidence=request.confidence or "inferred",
        visibility=request.visibility or "personal",
        source=edits.one_line(request.source or "") or f"chat {kb.today}",
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


def _replacing(text: str, old: Node) -> tuple[str, tuple[str, ...]]:
    """A whole node in another's place, and what there is to say: ID, creator and an unmentioned body stay."""
    new = _completed(text, old.id)
    stated = parse(new, "")
    if stated.id != old.id:
        raise Conflict(
            f"the new text has another ID than “{old.title}”: {stated.id}",
            hint=f"It must be {old.id}, or none.",
        )
    notices: list[str] = []
    creator, said = old.properties.get("CREATED_BY", ""), stated.properties.get("CREATED_BY", "")
    if creator and said and creator != said:
        new = edits.set_property(new, "CREATED_BY", creator)
        notices.append(f"CREATED_BY stays {creator}, who created it")
    if old.body.strip() and not stated.body.strip():
        new = edits.set_body(new, old.body)
        notices.append("the new text has no body: the old one stays")
    return new, tuple(notices)


def _text_with_fields(request: Request, old: Node, nodes: Nodes) -> str:
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
        others = request.tags or tuple(tag for tag in old.tags if tag not in TYPES)
        tags = dict.fromkeys(filter(None, (request.type or old.type, *others)))
        text = edits.set_keyword(text, "filetags", f":{':'.join(tags)}:")
    if request.body:
        text = edits.append(text, request.body) if request.append else edits.set_body(text, request.body)
    elif request.summary and old.summary and old.body.strip().partition("\n")[0] == old.summary:
        # Its text began as its summary, because nothing else was given.
        body = old.body.replace(old.summary, edits.one_line(request.summary), 1)
        text = edits.set_body(text, body)
    for label, target, title in _relations(request, nodes):
        text = edits.add_link(text, label, target, title)
    return text


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


def refuse_likeness(new: Node, found: Sequence[Likeness], nodes: Nodes, writer: Writer) -> None:
    """An error that names the nodes which say the same or the opposite, quotes both, and names ways on."""
    if not found:
        return
    first = found[0]
    old = nodes.find(first.node.id or first.node.path)
    contrary = first.kind == "contradiction"
    verb = "contradicts" if contrary else "says much the same as"
    contest = f"--contest {old.id} keeps both until the person has decided"
    update = f"--update {old.id} changes that node"
    if is_persons(old) and not writer.is_person:
        ways = f"{contest}." if contrary else f"It is known already; if yours is right instead, {contest}."
        ways += " It is the person's word: nobody else replaces it."
    else:
        ways = f"{contest}, {update}." if contrary else f"{update}, {contest}."
    reason = f": {first.reason}" if first.reason else ""
    raise Conflict(
        f"this {verb} “{old.title}” ({old.id}){reason}",
        hint=f"Nothing was written. It says {quotation(old)}; yours: {quotation(new)}. {ways} "
        "--force-new keeps both as they are.",
        similar=[each.as_data() for each in found[:5]],
    )


def _free_path(kb: Kb, title: str) -> str:
    path = file_name(title, kb.moment)
    stem, number = path.removesuffix(".org"), 2
    while kb.file(path).exists():
        path, number = f"{stem}-{number}.org", number + 1
    return path
