"""What keeps Org from reading a text as it was meant: open blocks and drawers, marks of a merge."""

from __future__ import annotations

import re

from quaid.formats.org.areas import VERBATIM
from quaid.formats.org.drawer import DRAWER_LINES
from quaid.model.record import record

# These are compiled when they are first used: a question about a few nodes does not wait for them.
_EDGE = (
    r"(?im)^(?:(\*+)[ \t]"
    r"|[ \t]*#\+(begin|end)(_\S+|:)"
    r"|[ \t]*:([\w-]+):[ \t]*$"
    r"|(<{7}|={7}|>{7}|\|{7})(?=[ \t\n]|\Z))"
)
_PLANNING = r"[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):[^\n]*\n"


@record
class Fault:
    """Something that keeps Org from reading a text as it was meant."""

    line: int
    message: str
    hint: str
    check: str = "org"


def faults(text: str, start: int = 0, line: int = 1) -> tuple[Fault, ...]:
    """The faults of a text, whose lines end in `\\n`, from a place on."""
    return _Scan(text, start, line).run()


class _Scan:
    def __init__(self, text: str, start: int, line: int) -> None:
        self._text = text
        self._place, self._line = start, line
        self._start = start
        self._blocks: list[tuple[str, int]] = []  # name, line
        self._drawer: tuple[str, int, int] | None = None
        self._own = -1  # where the drawer of the last headline may begin
        self._faults: list[Fault] = []

    def run(self) -> tuple[Fault, ...]:
        for match in re.compile(_EDGE).finditer(self._text, self._start):
            self._line += self._text.count("\n", self._place, match.start())
            self._place = match.start()
            stars, edge, name, drawer, marker = match.groups()
            verbatim = bool(self._blocks) and self._blocks[-1][0] in VERBATIM
            if stars:
                self._close_all()
                self._begin_headline(match)
            elif edge:
                self._block(edge.lower(), name.lstrip("_").lower(), match, verbatim)
            elif verbatim:
                continue
            elif drawer:
                self._edge(drawer.upper(), match)
            # A line `=======` stands between two sides of a merge.
            elif marker != "=======" or any(
                fault.message.endswith("conflict marker") for fault in self._faults
            ):
                self._fault("a line with a conflict marker", "Resolve the merge and remove the markers.")
        self._close_all()
        return tuple(self._faults)

    def _fault(self, message: str, hint: str, line: int = 0, check: str = "org") -> None:
        self._faults.append(Fault(line or self._line, message, hint, check))

    def _begin_headline(self, match: re.Match[str]) -> None:
        end = self._text.find("\n", match.start())
        after = len(self._text) if end < 0 else end + 1
        planning = re.compile(_PLANNING).match(self._text, after)
        self._own = planning.end() if planning else after

    def _block(self, edge: str, name: str, match: re.Match[str], verbatim: bool) -> None:
        if edge == "begin":
            if not verbatim:
                self._blocks.append((name, self._line))
            return
        if self._blocks and self._blocks[-1][0] == name:
            self._blocks.pop()
        elif not verbatim:
            self._fault(
                f"`#+end{_suffix(name)}` without a `#+begin{_suffix(name)}` before it",
                "Add the line that begins the block, or remove this one.",
            )

    def _edge(self, name: str, match: re.Match[str]) -> None:
        if name == "END":
            if self._drawer is None:
                self._fault(
                    "`:END:` without a drawer before it",
                    "Remove it, or begin the drawer.",
                    check="drawer",
                )
                return
            opened, line, place = self._drawer
            self._drawer = None
            if opened == "PROPERTIES":
                self._properties(line, place)
            return
        if self._drawer:
            self._note_unclosed(*self._drawer[:2])
        self._drawer = (name, self._line, match.start())

    def _properties(self, line: int, place: int) -> None:
        """A drawer of properties belongs to the headline right above it, and holds properties only."""
        if self._own != place:
            self._fault(
                "a drawer `:PROPERTIES:` where Org does not look for one",
                "It stands at the very top of the file, or right below a headline.",
                line,
                "drawer",
            )
        elif DRAWER_LINES.match(self._text, place) is None:
            self._fault(
                "a line in the drawer `:PROPERTIES:` is no property",
                "Every line of it has the form `:NAME: value`.",
                line,
                "drawer",
            )

    def _note_unclosed(self, name: str, line: int) -> None:
        self._fault(f"the drawer `:{name}:` has no line `:END:`", "Add the line.", line, "drawer")

    def _close_all(self) -> None:
        """A headline ends everything that was begun before it; so does the end of the text."""
        for name, line in self._blocks:
            self._fault(
                f"`#+begin{_suffix(name)}` without a `#+end{_suffix(name)}`",
                "Add the line that ends it. A line in a block that begins with `* ` needs a comma before it.",
                line,
            )
        if self._drawer:
            self._note_unclosed(*self._drawer[:2])
        self._blocks.clear()
        self._drawer = None


def _suffix(name: str) -> str:
    return ":" if name == ":" else f"_{name}"
