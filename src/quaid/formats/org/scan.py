"""A walk through the lines of an org text that finds its elements."""

from __future__ import annotations

import re
from bisect import bisect_right

from quaid.formats.document import BLANK, CODE, COMMENT, FENCE, HEADING, ITEM, OTHER, QUOTE, TABLE, TEXT
from quaid.formats.org import syntax
from quaid.formats.org.areas import CELL, DRAWER, KEYWORD, PROSE, VALUE, VERBATIM, Area, Headline
from quaid.formats.org.drawer import DRAWER_LINES
from quaid.formats.org.lines import plain_lines, starts_of
from quaid.formats.patterns import Pattern


class Scan:
    """Walks through stretches of lines; what contains others leaves them to be walked through later.

    A stretch is its first line, the line behind it, where its first line begins, and whether it is quoted.
    """

    def __init__(self, text: str) -> None:
        self.text = plain_lines(text)
        self.starts = starts_of(self.text)
        self.kinds = [TEXT] * (len(self.starts) - 1)  # of lines, which count from 0
        self.areas: list[Area] = []
        self.headlines: list[Headline] = []
        self._stack: list[tuple[int, int, int, bool]] = []
        self._ends: dict[str, list[int]] = {}
        self._environments: dict[str, Pattern] = {}

    def _run(self) -> None:
        count = len(self.kinds)
        heads = [n for n in range(count) if syntax.HEADLINE.match(self.text, self.starts[n])]
        first = self._top(heads[0] if heads else count)
        self._section(first, heads[0] if heads else count)
        for number, head in enumerate(heads):
            limit = heads[number + 1] if number + 1 < len(heads) else count
            self._section(self._headline(head, limit), limit)

    def _top(self, limit: int) -> int:
        """The line behind the comments and the drawer on top."""
        line = 0
        while line < limit and syntax.COMMENT.match(self.text, self.starts[line]):
            line += 1
        drawer = self._property_drawer(line, limit)
        if not drawer:
            return 0
        for number in range(line):
            self.kinds[number] = COMMENT
        return drawer[1]

    def _headline(self, line: int, limit: int) -> int:
        self.kinds[line] = HEADING
        start, end = self.starts[line], self._line_end(line)
        level = self.text.index(" ", start) - start
        after = line + 1
        if after < limit and syntax.PLANNING.match(self.text, self.starts[after]):
            self.kinds[after] = OTHER
            after += 1
        drawer = self._property_drawer(after, limit)
        self.headlines.append(Headline(level, start, end, line, drawer))
        self.areas.append(Area(start + level, end, PROSE, "headline"))
        return drawer[1] if drawer else after

    def _property_drawer(self, line: int, limit: int) -> tuple[int, int] | None:
        """The lines of a drawer of properties, edges included."""
        if line >= limit or ":" not in self.text[self.starts[line] : self.starts[line] + 40]:
            return None
        match = DRAWER_LINES.match(self.text, self.starts[line])
        if match is None:
            return None
        after = line
        while after < limit and self.starts[after] < match.end():
            self.kinds[after] = DRAWER
            after += 1
        for number in range(line + 1, after - 1):
            start, end = self.starts[number], self._line_end(number)
            key = self.text[start:end].strip().partition(": ")[0].strip(":+").lower()
            self.areas.append(Area(start, end, VALUE, f":{key}"))
        return line, after

    def _section(self, first: int, limit: int) -> None:
        self._stack.append((first, limit, self.starts[first], False))
        while self._stack:
            line, end, place, quoted = self._stack.pop()
            if line < end and place > self.starts[line]:
                line = self._paragraph(line, end, quoted, place)
            while line < end:
                line = self._element(line, end, quoted)

    def _line_end(self, line: int) -> int:
        """Where a line ends, without its line feed."""
        end = self.starts[line + 1]
        return end - 1 if self.text.startswith("\n", end - 1) else end

    def _element(self, line: int, limit: int, quoted: bool) -> int:
        """Read one element. Returns the line behind it."""
        text, start = self.text, self.starts[line]
        place = start
        while text[place : place + 1] in (" ", "\t"):
            place += 1
        char = text[place : place + 1]
        if char in ("", "\n"):
            self.kinds[line] = BLANK
            return line + 1
        if char == "#":
            return self._hash(line, limit, quoted)
        if char in "Cc" and syntax.CLOCK.match(text, start):
            self.kinds[line] = OTHER
            return line + 1
        return self._body_element(line, limit, quoted, char)

    def _hash(self, line: int, limit: int, quoted: bool) -> int:
        if syntax.COMMENT.match(self.text, self.starts[line]):
            self.kinds[line] = COMMENT
            return line + 1
        after = line
        while after < limit and syntax.AFFILIATED.match(self.text, self.starts[after]):
            after += 1
        if after == line:
            return self._body_element(line, limit, quoted, "#")
        if after >= limit or not self.text[self.starts[after] : self.starts[after + 1]].strip():
            return self._keyword(line)
        for number in range(line, after):
            self.kinds[number] = KEYWORD
            self._caption(number)
            if self._is_keyword(after):
                start, end = self.starts[number], self._line_end(number)
                self.areas.append(Area(start, end, VALUE, "affiliated"))
        char = self.text[self.starts[after] : self.starts[after + 1]].lstrip(" \t")[0]
        return self._body_element(after, limit, quoted, char)

    def _is_keyword(self, line: int) -> bool:
        """Whether a line is a keyword, whose links count with those of the keywords right above it."""
        text, start = self.text, self.starts[line]
        others = (syntax.BEGIN, syntax.CALL, syntax.DYNAMIC)
        return bool(syntax.KEYWORD.match(text, start)) and not any(each.match(text, start) for each in others)

    def _caption(self, line: int) -> None:
        match = syntax.AFFILIATED.match(self.text, self.starts[line])
        if match and (match.group(1) or "").lower() == "caption":
            self.areas.append(Area(match.end(), self._line_end(line), PROSE))
            if match.group(2):
                self.areas.append(Area(*match.span(2), PROSE))

    def _keyword(self, line: int) -> int:
        self.kinds[line] = KEYWORD
        match = syntax.KEYWORD.match(self.text, self.starts[line])
        if match:
            start, end = self.starts[line], self._line_end(line)
            self.areas.append(Area(start, end, VALUE, match.group(1).lower()))
        return line + 1

    def _body_element(self, line: int, limit: int, quoted: bool, char: str) -> int:
        after: int | None = None
        if char == "#":
            after = self._block(line, limit, quoted)
        elif char == ":":
            after = self._colon(line, limit, quoted)
        elif char == "\\":
            after = self._environment(line, limit)
        elif char == "|":
            after = self._table(line, limit)
        elif char == "[" and syntax.FOOTNOTE.match(self.text, self.starts[line]):
            after = self._footnote(line, limit, quoted)
        elif char == "-" and syntax.RULE.match(self.text, self.starts[line]):
            self.kinds[line] = OTHER
            after = line + 1
        elif char == "%" and self.text.startswith("%%(", self.starts[line]):
            after = line + 1
        elif char == "+" and syntax.GRID.match(self.text, self.starts[line]):
            after = self._grid(line, limit)
        if after is None and char in "-+*0123456789" and syntax.ITEM.match(self.text, self.starts[line]):
            after = self._list(line, limit, quoted)
        return self._paragraph(line, limit, quoted) if after is None else after

    def _block(self, line: int, limit: int, quoted: bool) -> int | None:
        text, start = self.text, self.starts[line]
        match = syntax.BEGIN.match(text, start)
        if match:
            name = match.group(1).lower()
            end = self._closing(f"#+end_{name}", line, limit)
            if end is None:
                return None
            self.kinds[line] = self.kinds[end] = FENCE
            if name in VERBATIM:
                for number in range(line + 1, end):
                    self.kinds[number] = COMMENT if name == "comment" else CODE
            elif name == "verse":
                self.areas.append(Area(self.starts[line + 1], self.starts[end], PROSE))
            else:
                self._stack.append((line + 1, end, self.starts[line + 1], quoted or name == "quote"))
            return end + 1
        if syntax.CALL.match(text, start):
            self.kinds[line] = KEYWORD
            return line + 1
        if syntax.DYNAMIC.match(text, start):
            return self._contents(line, self._closing("#+end:", line, limit, "#+end"), FENCE, quoted)
        return self._keyword(line) if syntax.KEYWORD.match(text, start) else None

    def _colon(self, line: int, limit: int, quoted: bool) -> int | None:
        if syntax.DRAWER.match(self.text, self.starts[line]):
            return self._contents(line, self._closing(":end:", line, limit), OTHER, quoted)
        if not syntax.FIXED.match(self.text, self.starts[line]):
            return None
        self.kinds[line] = CODE
        return line + 1

    def _contents(self, line: int, end: int | None, kind: str, quoted: bool) -> int | None:
        """What stands between two lines of a kind, if there is a second one."""
        if end is None:
            return None
        self.kinds[line] = self.kinds[end] = kind
        self._stack.append((line + 1, end, self.starts[line + 1], quoted))
        return end + 1

    def _environment(self, line: int, limit: int) -> int | None:
        match = syntax.ENVIRONMENT.match(self.text, self.starts[line])
        end = self._environment_end(match.group(1), line, limit) if match else None
        return None if end is None else end + 1

    def _environment_end(self, name: str, line: int, limit: int) -> int | None:
        name = name.lower()
        pattern = self._environments.get(name)
        if pattern is None:
            ending = rf"\\end\{{{re.escape(name)}\}}[ \t]*$"
            pattern = self._environments[name] = Pattern(ending, re.IGNORECASE | re.MULTILINE)
        found = pattern.search(self.text, self.starts[line], self.starts[limit])
        return bisect_right(self.starts, found.start()) - 1 if found else None

    def _closing(self, wanted: str, line: int, limit: int, other: str = "") -> int | None:
        """The next line that consists of that text, whatever its case."""
        known = self._closers().get(wanted, ())
        index = bisect_right(known, line)
        found = known[index] if index < len(known) and known[index] < limit else None
        if other:
            shorter = self._closing(other, line, limit)
            return min((n for n in (found, shorter) if n is not None), default=None)
        return found

    def _closers(self) -> dict[str, list[int]]:
        """The lines that may end something, by their text."""
        if not self._ends:
            self._ends[""] = []
            for match in re.finditer(
                r"^[ \t]*(#\+end\S*|:end:)[ \t]*$", self.text, re.IGNORECASE | re.MULTILINE
            ):
                number = bisect_right(self.starts, match.start()) - 1
                self._ends.setdefault(match.group(1).lower(), []).append(number)
        return self._ends

    def _table(self, line: int, limit: int) -> int:
        while line < limit and syntax.ROW.match(self.text, self.starts[line]):
            self.kinds[line] = TABLE
            self._row(line)
            line += 1
        while line < limit and syntax.FORMULA.match(self.text, self.starts[line]):
            self.kinds[line] = KEYWORD
            line += 1
        return line

    def _row(self, line: int) -> None:
        place, end = self.text.index("|", self.starts[line]) + 1, self._line_end(line)
        if self.text.startswith("-", place):
            return
        while place < end:
            match = syntax.CELL.match(self.text, place, end)
            if match is None or match.end() == place:
                break
            if match.end(1) > match.start(1):
                self.areas.append(Area(*match.span(1), CELL))
            place = match.end()

    def _grid(self, line: int, limit: int) -> int | None:
        """A table as table.el draws it; what stands in it has no meaning for Org."""
        after = line + 1
        while after < limit:
            row = self.text[self.starts[after] : self.starts[after + 1]].lstrip(" \t")
            if row[:1] not in ("|", "+"):
                break
            after += 1
        if after == line + 1 or not syntax.GRID.match(self.text, self.starts[after - 1]):
            return None
        for number in range(line, after):
            self.kinds[number] = TABLE
        return after

    def _footnote(self, line: int, limit: int, quoted: bool) -> int:
        after, blank = line + 1, 0
        while after < limit:
            row = self.text[self.starts[after] : self.starts[after + 1]]
            blank = 0 if row.strip() else blank + 1
            if blank == 2:
                break
            if syntax.FOOTNOTE.match(row):
                while after - 1 > line and syntax.AFFILIATED.match(self.text, self.starts[after - 1]):
                    after -= 1
                break
            after += 1
        place = self.text.index("]", self.starts[line]) + 1
        self._inner(line, after, place, quoted)
        return after

    def _inner(self, line: int, after: int, place: int, quoted: bool) -> None:
        """The contents of something that begins within a line."""
        end = self._line_end(line)
        while place < end and self.text[place] in " \t":
            place += 1
        if place < end:
            self._stack.append((line, after, place, quoted))
        elif line + 1 < after:
            self._stack.append((line + 1, after, self.starts[line + 1], quoted))

    def _list(self, line: int, limit: int, quoted: bool) -> int:
        """A list: each of its items is walked through on its own. Returns the line behind the list."""
        tops: list[int] = []
        open_items: list[int] = []
        last = line  # behind the last line that is not blank
        current, blanks = line, 0
        while current < limit:
            start = self.starts[current]
            row = self.text[start : self.starts[current + 1]]
            content = row.lstrip(" \t")
            if not content.strip():
                blanks += 1
                if blanks == 2:
                    break
                current += 1
                continue
            indent = len(row[: len(row) - len(content)].expandtabs(8))
            if content[0] in "-+*0123456789" and syntax.ITEM.match(row):
                while open_items and indent <= open_items[-1]:
                    open_items.pop()
                if not open_items:
                    tops.append(current)
                open_items.append(indent)
                current += 1
            else:
                while open_items and indent <= open_items[-1]:
                    open_items.pop()
                if not open_items:
                    break
                current = self._skipped(current, limit) + 1
            blanks, last = 0, current
        for top, after in zip(tops, [*tops[1:], last], strict=True):
            self._item(top, after, quoted)
        return last

    def _skipped(self, line: int, limit: int) -> int:
        """The last line of a block or drawer that begins on a line, else that line."""
        begin = syntax.ANY_BLOCK.match(self.text, self.starts[line])
        end = None
        if begin:
            end = self._closing(f"#+end{begin.group(1).lower()}", line, limit)
        elif syntax.DRAWER.match(self.text, self.starts[line]):
            end = self._closing(":end:", line, limit)
        return line if end is None else end

    def _item(self, line: int, after: int, quoted: bool) -> None:
        self.kinds[line] = ITEM
        match = syntax.FULL_ITEM.match(self.text, self.starts[line], self._line_end(line))
        if match is None:
            return
        if match.group(2) is not None and match.group(1) not in "-+*":
            match = syntax.FULL_ITEM.match(self.text, self.starts[line], match.start(2)) or match
        elif match.group(2):
            self.areas.append(Area(*match.span(2), PROSE, "tag"))
        self._inner(line, after, match.end(), quoted)

    def _paragraph(self, line: int, limit: int, quoted: bool, place: int | None = None) -> int:
        first = line
        line += 1
        while line < limit:
            start = self.starts[line]
            if not syntax.PLAIN_START.match(self.text, start) and self._separates(line, limit):
                break
            line += 1
        if quoted:
            for number in range(first, line):
                self.kinds[number] = QUOTE if self.kinds[number] == TEXT else self.kinds[number]
        start = self.starts[first] if place is None else place
        self.areas.append(Area(start, self.starts[line], PROSE))
        return line

    def _separates(self, line: int, limit: int) -> bool:
        """Whether a line ends the paragraph above it."""
        text, start = self.text, self.starts[line]
        if not syntax.SEPARATE.match(text, start):
            return False
        if syntax.DRAWER.match(text, start):
            return self._closing(":end:", line, limit) is not None
        begin = syntax.BEGIN.match(text, start)
        if begin:
            return self._closing(f"#+end_{begin.group(1).lower()}", line, limit) is not None
        environment = syntax.ENVIRONMENT.match(text, start)
        if environment:
            return self._environment_end(environment.group(1), line, limit) is not None
        dual = syntax.DUAL.match(text, start)
        return not dual or dual.group(1).lower() in ("caption", "results")
