"""What an agent always has before it: standing orders, reference, the last days' logs, within a size.

Everything is shown whole where there is room. Otherwise a file is cut between its sections, and a note says
what is missing and how to read it. The order is always the same: standing orders, the other files of
reference by their names, then the logs, the newest day first. Each file stands within a fence that its text
cannot close; standing orders have one of their own, because they alone bind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from quaid.formats import fence
from quaid.formats.markdown import frontmatter, structure
from quaid.model.record import record, replace

Kind = Literal["orders", "reference", "daily"]

SECTION_LEVEL = 2
LEAST = 200  # characters below which a part of a file is of no use
NOTE = 330  # characters of a note about what is missing, at most
NAMES = 4  # sections or files that a note names
LONGEST_NAME = 40
LOGS_SHARE = 3  # a third of the room is kept for logs, if they need it
MARKS: dict[Kind, str] = {"orders": "standing-orders", "reference": "file", "daily": "file"}
_ORG_HEADING = re.compile(r"^\*{1,2} (.*)$", re.MULTILINE)


@record
class Source:
    """A file of the notebook, and what it is for. `size` is known where the text was not read.

    Of a text that is only a part of its file, `numbers` are those of its lines.
    """

    path: str
    kind: Kind
    text: str | None
    size: int = 0
    numbers: tuple[int, ...] = ()


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


@record
class _File:
    """A file as it is shown: without frontmatter, and harmless."""

    source: Source
    body: str
    text: str
    before: int  # lines of the file above the body

    @property
    def characters(self) -> int:
        return self.source.size if self.source.text is None else len(self.text)

    @property
    def framed_size(self) -> int:
        return self.characters + _frame(self.source) + 1

    def shown_file(self, characters: int = 0, left_out: tuple[str, ...] = ()) -> ShownFile:
        return ShownFile(self.source.path, self.source.kind, self.characters, characters, left_out)

    def line(self, number: int) -> int:
        """The line of the file that a line of the body is; both count from 1."""
        place = self.before + number
        numbers = self.source.numbers
        return numbers[min(place, len(numbers)) - 1] if numbers else place


def assemble(preamble: str, sources: Sequence[Source], limits: Limits) -> Assembled:
    """The context: a preamble and the files, within the limits."""
    files = [_file(each) for each in sources]
    files.sort(key=lambda each: each.source.path)
    orders, reference, logs = ([each for each in files if each.source.kind == kind] for kind in MARKS)
    logs.reverse()
    room = limits.total - len(preamble) - 1
    if sum(each.framed_size for each in files) > room:
        room -= NOTE  # to say which files are missing
    kept = min(room // LOGS_SHARE, sum(min(each.framed_size, limits.per_file) for each in logs))
    blocks: list[str] = []
    shown_files: list[ShownFile] = []
    # What binds comes first and whole; then the files of a group share alike what there is for them.
    for group, reserved in ((orders, kept), (reference, kept), (logs, 0)):
        for block, shown in _blocks(group, room - reserved, limits.per_file):
            blocks += [block] if block else []
            room -= len(block) + 1 if block else 0
            shown_files.append(shown)
    missing = [each for each in shown_files if not each.shown and each.characters]
    parts = [preamble, *blocks, *([_missing_files(missing)] if missing else [])]
    text = "\n".join(part for part in parts if part)
    if len(text) > limits.total:  # not even the preamble and a note have room, and no fence is cut open
        hidden = (replace(each, shown=0, left_out=()) for each in shown_files)
        return Assembled(preamble[: max(0, limits.total)], tuple(hidden))
    return Assembled(text, tuple(shown_files))


def _blocks(files: Sequence[_File], room: int, per_file: int) -> Iterator[tuple[str, ShownFile]]:
    """Each file as it is shown, in their order; what one leaves over is for those behind it."""
    needs = [min(each.framed_size, per_file + _frame(each.source) + 1) for each in files]
    least = LEAST + NOTE + 1 + max((_frame(each.source) for each in files), default=0)
    for place, each in enumerate(files):
        own = needs[place] if each.source.kind == "orders" else _shares(needs[place:], room, least)[0]
        block, shown = _block(each, min(per_file, own - _frame(each.source) - 1, room - _frame(each.source)))
        room -= len(block) + 1 if block else 0
        yield block, shown


def _shares(needs: Sequence[int], room: int, least: int) -> list[int]:
    """What each may have of a room: the small ones all they need, the others alike.

    Where so many share it that a share would be less than what is of use, the last ones get none.
    """
    shares = [0] * len(needs)
    sharing = list(range(len(needs)))
    while sharing:
        left = room
        ascending = sorted(sharing, key=lambda place: needs[place])
        for count, place in zip(range(len(ascending), 0, -1), ascending, strict=True):
            shares[place] = min(needs[place], max(0, left) // count)
            left -= shares[place]
        useless = [place for place in sharing if shares[place] < min(needs[place], least)]
        if not useless:
            break
        sharing.remove(useless[-1])
        shares[useless[-1]] = 0
    return shares


def _file(source: Source) -> _File:
    head, rest = frontmatter.split(source.text or "")
    body = rest.lstrip("\r\n")
    before = (head + rest[: len(rest) - len(body)]).count("\n")
    body = body.rstrip().replace("\r\n", "\n")
    return _File(source, body, fence.harmless(body), before)


def _frame(source: Source) -> int:
    return len(_framed(source, ""))


def _framed(source: Source, text: str) -> str:
    mark = MARKS[source.kind]
    return f'<{mark} path="{fence.attribute(source.path)}">\n{text}\n</{mark}>'


def _block(file: _File, room: int) -> tuple[str, ShownFile]:
    """A file as it is shown in so many characters; nothing if there is no room for anything of use."""
    if not file.body:
        return "", file.shown_file()
    if len(file.text) <= room:
        return _framed(file.source, file.text), file.shown_file(len(file.text))
    if room < LEAST + NOTE:
        return "", file.shown_file()
    newest = file.source.kind == "daily"
    cut = _cut(list(_sections(file.source.path, file.body)), room - NOTE, newest=newest)
    note = _note(file.source.path, cut, file.line(cut.missing_line + 1))
    text = f"{note}\n\n{cut.text}" if newest else f"{cut.text}\n\n{note}"
    return _framed(file.source, text), file.shown_file(len(cut.text), cut.left_out)


@record
class _Section:
    heading: str
    line: int  # of the body; the first is 0
    text: str  # harmless


@record
class _Kept:
    """What fits of a file, and what does not: its headings, its size, and the line at which it begins."""

    text: str
    left_out: tuple[str, ...]
    characters: int
    missing_line: int


def _sections(path: str, body: str) -> Iterator[_Section]:
    """The sections; a heading without text of its own belongs to the next one."""
    marks = [(0, "")]
    if path.lower().endswith(".org"):
        marks += [(match.start(), match[1]) for match in _ORG_HEADING.finditer(body)]
    else:
        starts = [0, *(match.end() for match in re.finditer("\n", body))]
        marks += [
            (starts[each.line - 1], each.text)
            for each in structure.headings(body)
            if each.level <= SECTION_LEVEL
        ]
    start = 0
    for (place, heading), (end, _) in pairwise([*marks, (len(body), "")]):
        if len(body[place:end].strip().splitlines()) > 1 or end == len(body):
            yield _Section(heading, body.count("\n", 0, start), fence.harmless(body[start:end]))
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
        missing_line=missing[0].line,
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
    line = first.line + text.count("\n") if not newest or len(sections) == 1 else 0
    return _Kept(text.rstrip(), (rest, *others), whole - len(text), line)


def _note(path: str, cut: _Kept, line: int) -> str:
    names = _names([each or "the beginning" for each in cut.left_out])
    return (
        f"[Left out, {cut.characters:,} characters: {names}. "
        f'notebook_read with path "{fence.attribute(path)}" and start_line {line} shows them.]'
    )[:NOTE]


def _missing_files(files: Sequence[ShownFile]) -> str:
    names = _names([f"{each.path} ({each.characters:,} characters)" for each in files])
    return f"[No room for {names}. notebook_read shows them.]"[: NOTE - 1]


def _names(names: Sequence[str]) -> str:
    shown = [name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…" for name in names[:NAMES]]
    return ", ".join(map(fence.attribute, shown)) + (
        f" and {len(names) - NAMES:,} more" if len(names) > NAMES else ""
    )
