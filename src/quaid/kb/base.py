"""A knowledge base read from its files, by which rules, and how a node is found by a name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from quaid.errors import Ambiguous, Corrupt, InvalidInput, NotFound
from quaid.files import read_own
from quaid.formats.patterns import Pattern
from quaid.kb.node import CREATORS, NOT_NODES, UUID, is_index, is_node, is_raw
from quaid.kb.place import CONTRACT
from quaid.model.record import record

if TYPE_CHECKING:
    from pathlib import Path  # for its name only: loading it takes longer than reading a hundred nodes

    from quaid.store.nodes import NodeRow

MAX_BYTES = 8 * 1024 * 1024  # a larger file is not read as a node
SHORTEST_PREFIX = 4  # of an id, for finding a node by it
VERSION = 4  # raised when the same text is to be read or checked otherwise
_MOST_BYTES = 1_000_000  # of a contract that are read
_READING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_SHOWN = 8  # candidates that an error names
_MOMENT = Pattern(r"^\d{8,14}-")  # in front of a name, where a node was written by the program


class Rules(NamedTuple):
    """Who may write nodes: those who are known, and those whom the contract names."""

    creators: tuple[str, ...] = CREATORS

    @property
    def mark(self) -> str:
        """What tells these rules from others."""
        return " ".join((str(VERSION), *self.creators[len(CREATORS) :]))


def rules_in(contract: str) -> Rules:
    """The rules of a contract, which names agents by `#+agents:`."""
    more = re.findall(r"(?im)^[ \t]*#\+agents:(.*)$", contract) if "#+" in contract else []
    return Rules((*CREATORS, *(name for line in more for name in line.replace(",", " ").split())))


def rules_of(root: Path) -> Rules:
    """By which rules the nodes of a knowledge base are read and checked."""
    try:
        return rules_in(read_own(root / CONTRACT, _MOST_BYTES).decode(errors="replace"))
    except OSError:
        return Rules()


@record
class RawFile:
    """A captured source."""

    path: str
    size: int


@record
class Base:
    """The files of a knowledge base as they are, by path; `odd` says which were not read well, and why."""

    root: Path
    nodes: Mapping[str, str]
    others: Mapping[str, str]  # README and contract
    indexes: Mapping[str, str]  # index*.org
    raw: tuple[RawFile, ...]
    odd: Mapping[str, str]


def read(root: Path) -> Base:
    """Read the files of a knowledge base; refuse a directory that is none."""
    nodes: dict[str, str] = {}
    others: dict[str, str] = {}
    indexes: dict[str, str] = {}
    raw: list[RawFile] = []
    odd: dict[str, str] = {}
    for path, place, size in sorted(_walk(root)):
        if is_node(path):
            nodes[path] = _text(path, place, size, odd)
        elif is_raw(path):
            raw.append(RawFile(path, size))
        elif path in NOT_NODES:
            others[path] = _text(path, place, size, odd)
        elif is_index(path):
            indexes[path] = _text(path, place, size, odd)
    if not nodes and not others and not indexes:
        raise Corrupt(
            f"{root} is not a knowledge base: it has no nodes, no index and no {CONTRACT}",
            hint="`ai-kb init` makes one; --kb PATH or AI_KB names another.",
        )
    return Base(root, nodes, others, indexes, tuple(raw), {path: why for path, why in odd.items() if why})


def find(nodes: Sequence[NodeRow], name: str) -> NodeRow:
    """The node of that name; else the one whose title has those words."""
    found = _nodes_called(nodes, name) or _by_part(nodes, name)
    if found:
        return _single(found, name.strip())
    raise NotFound(f"no node is called {name.strip()!r}", hint="`ai-kb query` finds nodes by their words.")


def node_named(nodes: Sequence[NodeRow], name: str) -> NodeRow:
    """The node of that id, or start of one, title or file; a pointer `ai-kb: Title (UUID)` goes by its id.

    Part of a title names nothing: what is changed or deleted must be meant.
    """
    found = _nodes_called(nodes, name)
    if found:
        return _single(found, name.strip())
    near = _by_part(nodes, name) or _by_letters(nodes, name)
    shown = ", ".join(f"“{node.title}” ({node.id})" for node in near[:_SHOWN])
    hint = f"Did you mean {shown}? " if near else ""
    raise NotFound(
        f"no node is called {name.strip()!r}",
        hint=f"{hint}Name its id, its file or its whole title; `ai-kb query` finds it by its words.",
        candidates=[node.id or node.path for node in near[:_SHOWN]],
    )


def _nodes_called(nodes: Sequence[NodeRow], name: str) -> list[NodeRow]:
    wanted = name.strip()
    if not wanted:
        raise InvalidInput("no node is named", hint="Name an id, a title or a file.")
    title = wanted
    if wanted.endswith(")") and "(" in wanted:
        title, _, pointed = wanted[:-1].rpartition("(")
        if UUID.fullmatch(pointed.strip()):
            found = _by_id(nodes, pointed.strip())
            if found:
                return found
        else:
            title = wanted
    title = title.strip().removeprefix("ai-kb:").strip()
    return _by_id(nodes, wanted) or _by_title(nodes, title) or _by_path(nodes, wanted)


def oversize(size: int) -> str:
    """What is wrong with the size of a node; "" if nothing is."""
    return f"is larger than {MAX_BYTES // 1024 // 1024} MB" if size > MAX_BYTES else ""


def not_utf8(data: bytes) -> str:
    """What is wrong with the bytes of a node; "" if nothing is."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return f"is not UTF-8 (byte {error.start})"
    return ""


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
    odd[path] = oversize(size)
    if odd[path]:
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
    odd[path] = not_utf8(data)
    return data.decode(errors="replace")


def _by_id(nodes: Sequence[NodeRow], wanted: str) -> list[NodeRow]:
    lower = wanted.lower()
    exact = [node for node in nodes if node.id.lower() == lower]
    inner = [] if exact else [node for node in nodes if lower in node.ids.split()]
    if exact or inner or len(lower) < SHORTEST_PREFIX or not set(lower) <= set("0123456789abcdef-"):
        return exact or inner
    return [node for node in nodes if node.id.lower().startswith(lower)]


def _by_title(nodes: Sequence[NodeRow], wanted: str) -> list[NodeRow]:
    folded = " ".join(wanted.casefold().split())
    return [node for node in nodes if node.title.casefold() == folded]


def _by_path(nodes: Sequence[NodeRow], wanted: str) -> list[NodeRow]:
    path = wanted.removeprefix("./")
    names = {path, f"{path}.org"}
    exact = [node for node in nodes if node.path in names]
    exact = exact or [node for node in nodes if node.path.rpartition("/")[2] in names]
    return exact or [node for node in nodes if _MOMENT.sub("", node.path.rpartition("/")[2]) in names]


def _by_letters(nodes: Sequence[NodeRow], wanted: str) -> list[NodeRow]:
    """Nodes whose titles are spelt much the same."""
    from difflib import get_close_matches  # only for who is refused

    titles = {node.title.casefold(): node for node in nodes}
    return [titles[each] for each in get_close_matches(wanted.strip().casefold(), titles, _SHOWN, 0.6)]


def _by_part(nodes: Sequence[NodeRow], wanted: str) -> list[NodeRow]:
    """Nodes whose title contains the words; the last resort."""
    folded = " ".join(wanted.casefold().split())
    return [node for node in nodes if folded in node.title.casefold()]


def _single(found: list[NodeRow], wanted: str) -> NodeRow:
    if len(found) == 1:
        return found[0]
    shown = [f"{node.title} ({node.id})" for node in found[:_SHOWN]]
    raise Ambiguous(
        f"{wanted!r} fits {len(found)} nodes: {', '.join(shown)}{' …' if len(found) > _SHOWN else ''}",
        hint="Name the id.",
        candidates=[node.id or node.path for node in found],
    )
