"""What an agent always has before it: standing orders, reference, the last days' logs, within a size.

Everything is shown whole where there is room. Otherwise a file is cut between its sections, and a note says
what is missing and how to read it. The order is always the same: standing orders, the other files of
reference by their names, then the logs, the newest day first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from quaid.formats import frontmatter, markdown
from quaid.model.record import record

Kind = Literal["orders", "reference", "daily"]

SECTION_LEVEL = 2
LEAST = 200  # characters below which a part of a file is of no use
NOTE = 330  # characters of a note about what is missing, at most
NAMES = 4  # sections or files that a note names
LONGEST_NAME = 40
LOGS_SHARE = 3  # a third of the room is kept for logs, if they need it
_ORG_HEADING = re.compile(r"^\*{1,2} (.*)$", re.MULTILINE)


@record
class Source:
    """A file of the notebook, and what it is for. `size` is known where the text was not read."""

    path: str
    kind: Kind
    text: str | None
    size: int = 0

    @property
    def characters(self) -> int:
        """How long it is."""
        return self.size if self.text is None else len(self.text)


@record
class Limits:
    """How many characters may be shown."""

    per_file: int
    total: int


@record
class ShownFile:
    """How much of a file is shown; `left_out` names the sections that are not."""

    path: str
    kind: Kind
    characters: int
    shown: int
    left_out: tuple[str, ...] = ()


@record
class Assembled:
    """The text for the agent, and what it holds."""

    text: str
    files: tuple[ShownFile, ...]


def assemble(preamble: str, sources: Sequence[Source], limits: Limits) -> Assembled:
    """The context: a preamble and the files, within the limits."""
    logs = [each for each in sources if each.kind == "daily"]
    others = sorted(
        (each for each in sources if each.kind != "daily"),
        key=lambda each: (each.kind != "orders", each.path),
    )
    logs.sort(key=lambda each: each.path, reverse=True)
    room = limits.total - len(preamble) - 1
    whole = sum(_framed_size(each) for each in (*others, *logs))
    if whole > room:
        room -= NOTE  # to say which files are missing
    kept = min(room // LOGS_SHARE, sum(min(_framed_size(each), limits.per_file) for each in logs))
    blocks: list[str] = []
    files: list[ShownFile] = []
    for each in (*others, *logs):
        own = room - (kept if each.kind != "daily" else 0)
        block, shown = _block(each, min(limits.per_file, own - _frame(each)))
        if block:
            blocks.append(block)
            room -= len(block) + 1
        files.append(shown)
    missing = [each for each in files if not each.shown and each.characters]
    parts = [preamble, *blocks, *([_missing_files(missing)] if missing else [])]
    text = "\n".join(part for part in parts if part)
    return Assembled(text if len(text) <= limits.total else text[: max(0, limits.total)], tuple(files))


def _frame(source: Source) -> int:
    return len(_framed(source.path, ""))


def _framed(path: str, text: str) -> str:
    shown = path.replace('"', "'")
    return f'<file path="{shown}">\n{text}\n</file>'


def _framed_size(source: Source) -> int:
    return source.characters + _frame(source) + 1


def _block(source: Source, room: int) -> tuple[str, ShownFile]:
    """A file as it is shown in so many characters; nothing if there is no room for anything of use."""
    if source.text is None:
        return "", ShownFile(source.path, source.kind, source.size, 0)
    head, rest = frontmatter.split(source.text)
    body = rest.strip("\r\n").rstrip().replace("</file>", "< /file>")  # no text ends its own frame
    if not body:
        return "", ShownFile(source.path, source.kind, 0, 0)
    if len(body) <= room:
        return _framed(source.path, body), ShownFile(source.path, source.kind, len(body), len(body))
    if room < LEAST + NOTE:
        return "", ShownFile(source.path, source.kind, len(body), 0)
    before = source.text.count("\n", 0, len(head) + len(rest) - len(rest.lstrip("\r\n")))
    newest = source.kind == "daily"
    cut = _cut(list(_sections(source.path, body)), room - NOTE, newest=newest)
    note = _note(source.path, cut, before + body.count("\n", 0, cut.missing_at) + 1)
    shown = ShownFile(source.path, source.kind, len(body), len(cut.text), cut.left_out)
    return _framed(source.path, f"{note}\n\n{cut.text}" if newest else f"{cut.text}\n\n{note}"), shown


@record
class _Section:
    heading: str
    start: int
    text: str


@record
class _Kept:
    """What fits of a file, and what does not: its headings, its size, and where the first of it begins."""

    text: str
    left_out: tuple[str, ...]
    characters: int
    missing_at: int


def _sections(path: str, body: str) -> Iterator[_Section]:
    """The sections; a heading without text of its own belongs to the next one."""
    marks = [(0, "")]
    if path.lower().endswith(".org"):
        marks += [(match.start(), match[1]) for match in _ORG_HEADING.finditer(body)]
    else:
        starts = [0, *(match.end() for match in re.finditer("\n", body))]
        marks += [
            (starts[each.line - 1], each.text)
            for each in markdown.headings(body)
            if each.level <= SECTION_LEVEL
        ]
    start = 0
    for (place, heading), (end, _) in pairwise([*marks, (len(body), "")]):
        if len(body[place:end].strip().splitlines()) > 1 or end == len(body):
            yield _Section(heading, start, body[start:end])
            start = end


def _cut(sections: Sequence[_Section], room: int, *, newest: bool) -> _Kept:
    """The sections that fit, in their order: of a log the newest, of other files from the first on."""
    kept: set[int] = set()
    left = room
    for place in range(len(sections) - 1, -1, -1) if newest else range(len(sections)):
        size = len(sections[place].text)
        if size <= left:
            kept.add(place)
            left -= size
        elif newest:
            break
    missing = [each for place, each in enumerate(sections) if place not in kept]
    if not kept:
        return _beginning(sections, room, newest=newest)
    return _Kept(
        text="".join(sections[place].text for place in sorted(kept)).rstrip(),
        left_out=tuple(each.heading for each in missing),
        characters=sum(len(each.text) for each in missing),
        missing_at=missing[0].start,
    )


def _beginning(sections: Sequence[_Section], room: int, *, newest: bool) -> _Kept:
    """Of a file none of whose sections fits: the beginning of one, to the end of a paragraph or a line."""
    first = sections[-1 if newest else 0]
    text = first.text[:room]
    for bound in ("\n\n", "\n", " "):
        place = text.rfind(bound)
        if place > room // 2:
            text = text[:place]
            break
    whole = sum(len(each.text) for each in sections)
    rest = f"the rest of {first.heading}" if first.heading else "the rest"
    others = [each.heading for each in sections if each is not first]
    at = first.start + len(text) if not newest or len(sections) == 1 else 0
    return _Kept(text.rstrip(), (rest, *others), whole - len(text), at)


def _note(path: str, cut: _Kept, line: int) -> str:
    names = _names([each or "the beginning" for each in cut.left_out])
    return (
        f"[Left out, {cut.characters:,} characters: {names}. "
        f'notebook_read with path "{path}" and start_line {line} shows them.]'
    )[:NOTE]


def _missing_files(files: Sequence[ShownFile]) -> str:
    names = _names([f"{each.path} ({each.characters:,} characters)" for each in files])
    return f"[No room for {names}. notebook_read shows them.]"[: NOTE - 1]


def _names(names: Sequence[str]) -> str:
    shown = [name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…" for name in names[:NAMES]]
    return ", ".join(shown) + (f" and {len(names) - NAMES:,} more" if len(names) > NAMES else "")
