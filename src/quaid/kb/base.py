"""A knowledge base read from its files: all nodes, what belongs to them, and how one is found by a name."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from quaid.errors import Ambiguous, Corrupt, InvalidInput, NotFound
from quaid.kb.node import CONTRACT, NOT_NODES, UUID, Node, is_index, is_node, is_raw, parse
from quaid.kb.place import is_kb
from quaid.model.record import record

if TYPE_CHECKING:
    from pathlib import Path  # for its name only: loading it takes longer than reading a hundred nodes

MAX_BYTES = 8 * 1024 * 1024  # a larger file is not read as a node
SHORTEST_PREFIX = 4  # of an id, for finding a node by it
_READING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_SHOWN = 8  # candidates that an error names


class Named(Protocol):
    """What a name can find: a node, or what a memory knows of one."""

    @property
    def id(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def path(self) -> str: ...


N = TypeVar("N", bound=Named)


@record
class RawFile:
    """A captured source."""

    path: str
    size: int


@record
class Base:
    """All that is in a knowledge base. `odd` says why a file could not be read as it should be."""

    root: Path
    nodes: tuple[Node, ...]
    others: Mapping[str, str]  # README and contract: path -> text
    indexes: Mapping[str, str]  # index*.org: path -> text
    raw: tuple[RawFile, ...]
    odd: Mapping[str, str]


@record
class Counts:
    """How many nodes there are, and of which kinds."""

    nodes: int
    by_status: dict[str, int]
    by_type: dict[str, int]
    by_project: dict[str, int]


@record
class Texts:
    """The files of a knowledge base as they are, by path; `odd` says which were not read well, and why."""

    nodes: dict[str, str]
    files: dict[str, str]  # index, README and contract
    raw: tuple[RawFile, ...]
    odd: dict[str, str]


def texts(root: Path) -> Texts:
    """Read the files of a knowledge base; refuse a directory that is none."""
    found: dict[str, str] = {}
    others: dict[str, str] = {}
    raw: list[RawFile] = []
    odd: dict[str, str] = {}
    for path, place, size in _walk(root):
        if is_node(path):
            found[path] = _text(path, place, size, odd)
        elif is_raw(path):
            raw.append(RawFile(path, size))
        elif is_index(path) or path in NOT_NODES:
            others[path] = _text(path, place, size, odd)
    if not found and not others:
        raise Corrupt(
            f"{root} is not a knowledge base: it has no nodes, no index and no {CONTRACT}",
            hint="`ai-kb init` makes one; --kb PATH or AI_KB names another.",
        )
    return Texts(found, others, tuple(sorted(raw, key=lambda file: file.path)), odd)


def demand_nodes(root: Path) -> None:
    """Refuse to read a directory in which nothing is of a knowledge base."""
    if not is_kb(root):
        texts(root)


def oddity(root: Path, path: str) -> str:
    """Why a file cannot be read as it should be; "" if it can."""
    odd: dict[str, str] = {}
    place = os.path.join(root, path)
    try:
        _text(path, place, os.stat(place).st_size, odd)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return odd.get(path, "")


def read(root: Path) -> Base:
    """Read a knowledge base and all its nodes."""
    found = texts(root)
    nodes = tuple(parse(found.nodes[path], path) for path in sorted(found.nodes))
    others = {path: text for path, text in found.files.items() if path in NOT_NODES}
    indexes = {path: found.files[path] for path in sorted(found.files) if path not in NOT_NODES}
    return Base(root, nodes, others, indexes, found.raw, found.odd)


def nodes(root: Path) -> list[Node]:
    """The nodes of a knowledge base, by their paths."""
    return list(read(root).nodes)


def find(nodes: Sequence[N], name: str) -> N:
    """The node of that id, or start of one, title or file; a pointer `ai-kb: Title (UUID)` goes by its id."""
    wanted = name.strip()
    if not wanted:
        raise InvalidInput("no node is named", hint="Name an id, a title or a file.")
    title = wanted
    if wanted.endswith(")") and "(" in wanted:
        title, _, pointed = wanted[:-1].rpartition("(")
        if UUID.fullmatch(pointed.strip()):
            found = _by_id(nodes, pointed.strip())
            if found:
                return _single(found, wanted)
        else:
            title = wanted
    title = title.strip().removeprefix("ai-kb:").strip()
    for chosen, words in ((_by_id, wanted), (_by_title, title), (_by_path, wanted), (_by_part, wanted)):
        found = chosen(nodes, words)
        if found:
            return _single(found, wanted)
    raise NotFound(f"no node is called {wanted!r}", hint="`ai-kb query` finds nodes by their words.")


def inner_ids(node: Named) -> Collection[str]:
    """The ids of a node and of headlines in it, in small letters."""
    if isinstance(node, Node):
        return {node.id.lower(), *(each.id.lower() for each in node.sections)} - {""}
    return str(getattr(node, "ids", "")).split()


def counts(nodes: Sequence[Node]) -> Counts:
    """How many nodes there are of each status, type and project."""
    return Counts(
        len(nodes),
        _counted(node.status for node in nodes),
        _counted(node.type for node in nodes),
        _counted(project for node in nodes for project in node.projects),
    )


def _walk(root: Path) -> Iterator[tuple[str, str, int]]:
    """Path, place and size of every regular file; links are not followed, hidden directories not entered."""
    pending = [(os.fspath(root), "")]
    while pending:
        directory, prefix = pending.pop()
        try:
            with os.scandir(directory) as listed:
                entries = list(listed)
        except OSError as error:
            if prefix:
                continue
            raise Corrupt(
                f"there is no knowledge base in {root}: {error.strerror}",
                hint="`ai-kb init` makes one; --kb PATH or AI_KB names another.",
            ) from None
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith("."):
                    pending.append((entry.path, f"{prefix}{entry.name}/"))
            elif entry.is_file(follow_symlinks=False):
                try:
                    size = entry.stat(follow_symlinks=False).st_size
                except OSError:
                    continue  # it has gone meanwhile
                yield prefix + entry.name, entry.path, size


def _text(path: str, place: str, size: int, odd: dict[str, str]) -> str:
    if size > MAX_BYTES:
        odd[path] = f"is larger than {MAX_BYTES // 1024 // 1024} MB"
        return ""
    try:
        # A file object for each would cost as much as reading it.
        descriptor = os.open(place, _READING)
        try:
            data = os.read(descriptor, size + 1)
            while more := os.read(descriptor, MAX_BYTES) if len(data) > size else b"":
                data += more
        finally:
            os.close(descriptor)
    except OSError as error:
        odd[path] = f"cannot be read: {error.strerror}"
        return ""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        odd[path] = f"is not UTF-8 (byte {error.start})"
        return data.decode(errors="replace")


def _by_id(nodes: Sequence[N], wanted: str) -> list[N]:
    lower = wanted.lower()
    exact = [node for node in nodes if node.id.lower() == lower]
    inner = [] if exact else [node for node in nodes if lower in inner_ids(node)]
    if exact or inner or len(lower) < SHORTEST_PREFIX or not set(lower) <= set("0123456789abcdef-"):
        return exact or inner
    return [node for node in nodes if node.id.lower().startswith(lower)]


def _by_title(nodes: Sequence[N], wanted: str) -> list[N]:
    folded = " ".join(wanted.casefold().split())
    return [node for node in nodes if node.title.casefold() == folded]


def _by_path(nodes: Sequence[N], wanted: str) -> list[N]:
    path = wanted.removeprefix("./")
    names = {path, f"{path}.org"}
    exact = [node for node in nodes if node.path in names]
    return exact or [node for node in nodes if node.path.rpartition("/")[2] in names]


def _by_part(nodes: Sequence[N], wanted: str) -> list[N]:
    """Nodes whose title contains the words; the last resort."""
    folded = " ".join(wanted.casefold().split())
    return [node for node in nodes if folded in node.title.casefold()]


def _single(found: list[N], wanted: str) -> N:
    if len(found) == 1:
        return found[0]
    shown = [f"{node.title} ({node.id})" for node in found[:_SHOWN]]
    raise Ambiguous(
        f"{wanted!r} fits {len(found)} nodes: {', '.join(shown)}{' …' if len(found) > _SHOWN else ''}",
        hint="Name the id.",
        candidates=[node.id or node.path for node in found],
    )


def _counted(values: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return dict(sorted(found.items()))
