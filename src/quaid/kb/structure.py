"""The structure of an org text as far as a knowledge base needs it: blocks, drawers, headlines with ids.

One pass over the lines that matter, because a whole base is read for every question. Nothing is imported that
would take longer than that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.model.record import record

VERBATIM = frozenset(("src", "example", "export", "comment"))  # blocks whose text is not Org

# A value begins after a space: not every version of Org accepts a tab.
PROPERTY = re.compile(r"^[ \t]*:(\S+?)(\+?):(?: ([^\n]*)|[ \t]*)$", re.MULTILINE)
DRAWER = re.compile(
    r"[ \t]*:PROPERTIES:[ \t]*\n((?:[ \t]*:\S+:(?: [^\n]*|\t[ \t]*)?\n)*?)[ \t]*:END:[ \t]*(?:\n|\Z)",
    re.IGNORECASE,
)

# These are compiled when they are first used: a question about a few nodes does not wait for them.
_EDGE = (
    r"(?im)^(?:(\*+)[ \t]"
    r"|[ \t]*#\+(begin|end)(_\S+|:)"
    r"|[ \t]*:([\w-]+):[ \t]*$"
    r"|(<{7}|={7}|>{7}|\|{7})(?=[ \t\n]|\Z))"
)
_PLANNING = r"[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):[^\n]*\n"
_TODO = r"(?:TODO|DONE)(?:[ \t]+|\Z)"
_PRIORITY = r"\[#[A-Za-z0-9]{1,2}\][ \t]*"
_ANY_LINK = r"\[\[([^\[\]\n]+)\](?:\[((?:[^\[\]]|\[[^\[\]\n]*\]){1,500})\])?\]"
_TAGS = r":(?:[\w@#%]+:)+"


@record
class Fault:
    """Something that keeps Org from reading a text as it was meant."""

    line: int
    message: str
    hint: str
    check: str = "org"


@record
class Section:
    """A headline that has an id, and so is a node of its own within a file."""

    id: str
    title: str
    line: int


@record
class Structure:
    """What is in a text besides prose. `hidden` are the blocks in which markup has no meaning, in order."""

    hidden: tuple[tuple[int, int], ...] = ()
    faults: tuple[Fault, ...] = ()
    sections: tuple[Section, ...] = ()


def scan(text: str, start: int = 0, line: int = 1) -> Structure:
    """Read a text, whose lines end in `\\n`, from a place on. Never fails."""
    return _Scan(text, start, line).run()


def line_of(text: str, place: int) -> int:
    """The number of the line in which a place is."""
    return text.count("\n", 0, place) + 1


class _Scan:
    def __init__(self, text: str, start: int, line: int) -> None:
        self._text = text
        self._place, self._line = start, line
        self._start = start
        self._blocks: list[tuple[str, int, int]] = []  # name, line, place
        self._drawer: tuple[str, int, int] | None = None
        self._headline: tuple[str, int, int] | None = None  # title, line, where a drawer of its own begins
        self._hidden: list[tuple[int, int]] = []
        self._faults: list[Fault] = []
        self._sections: list[Section] = []

    def run(self) -> Structure:
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
            elif marker != "=======" or self._has_conflict():
                self._fault("a line with a conflict marker", "Resolve the merge and remove the markers.")
        self._close_all()
        return Structure(tuple(self._hidden), tuple(self._faults), tuple(self._sections))

    def _has_conflict(self) -> bool:
        """Whether the line `=======` stands between two sides of a merge."""
        return any(fault.message.endswith("conflict marker") for fault in self._faults)

    def _fault(self, message: str, hint: str, line: int = 0, check: str = "org") -> None:
        self._faults.append(Fault(line or self._line, message, hint, check))

    def _begin_headline(self, match: re.Match[str]) -> None:
        end = self._text.find("\n", match.start())
        end = len(self._text) if end < 0 else end
        after = min(end + 1, len(self._text))
        planning = re.compile(_PLANNING).match(self._text, after)
        own = planning.end() if planning else after
        self._headline = (headline(self._text[match.end() : end]), self._line, own)

    def _block(self, edge: str, name: str, match: re.Match[str], verbatim: bool) -> None:
        if edge == "begin":
            if not verbatim:
                self._blocks.append((name, self._line, match.start()))
            return
        if self._blocks and self._blocks[-1][0] == name:
            _, _, place = self._blocks.pop()
            if name in VERBATIM:
                self._hidden.append((place, match.end()))
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
            self._unclosed(*self._drawer[:2])
        self._drawer = (name, self._line, match.start())

    def _properties(self, line: int, place: int) -> None:
        """A drawer of properties belongs to the headline right above it, and holds properties only."""
        if self._headline is None or self._headline[2] != place:
            self._fault(
                "a drawer `:PROPERTIES:` where Org does not look for one",
                "It stands at the very top of the file, or right below a headline.",
                line,
                "drawer",
            )
            return
        drawer = DRAWER.match(self._text, place)
        if drawer is None:
            self._fault(
                "a line in the drawer `:PROPERTIES:` is no property",
                "Every line of it has the form `:NAME: value`.",
                line,
                "drawer",
            )
            return
        found = dict(reversed(list(properties(drawer.group(1)))))
        title, at, _ = self._headline
        title = display(title)
        if title and found.get("ID"):
            self._sections.append(Section(found["ID"], title, at))

    def _unclosed(self, name: str, line: int) -> None:
        self._fault(f"the drawer `:{name}:` has no line `:END:`", "Add the line.", line, "drawer")

    def _close_all(self) -> None:
        """A headline ends everything that was begun before it; so does the end of the text."""
        for name, line, _ in self._blocks:
            self._fault(
                f"`#+begin{_suffix(name)}` without a `#+end{_suffix(name)}`",
                "Add the line that ends it. A line in a block that begins with `* ` needs a comma before it.",
                line,
            )
        if self._drawer:
            self._unclosed(*self._drawer[:2])
        self._blocks.clear()
        self._drawer = None


def properties(inner: str) -> Iterator[tuple[str, str]]:
    """The properties between the edges of a drawer; `:KEY+:` goes on with the one above."""
    held: list[str] = []
    for match in PROPERTY.finditer(inner):
        key, more, value = match.group(1).upper(), match.group(2), (match.group(3) or "").strip()
        if more and held and held[0] == key:
            held[1] = f"{held[1]} {value}".strip()
            continue
        if held:
            yield held[0], held[1]
        held = [key, value]
    if held:
        yield held[0], held[1]


def display(text: str) -> str:
    """A text as a reader sees it, with the descriptions of its links only."""
    if "[[" not in text:
        return text
    return re.sub(_ANY_LINK, lambda match: match.group(2) or _unschemed(match.group(1)), text)


def headline(text: str) -> str:
    """The title in a headline, without its state, priority and tags."""
    text = re.sub(_TODO, "", text.strip(), count=1)
    text = re.sub(_PRIORITY, "", text, count=1) if text.startswith("[#") else text
    rest, _, last = text.rpartition(" ") if " " in text else text.rpartition("\t")
    return rest.rstrip() if re.fullmatch(_TAGS, last) else text


def _unschemed(address: str) -> str:
    scheme, colon, rest = address.partition(":")
    return rest if colon and scheme.lower() in ("id", "roam", "file") else address


def _suffix(name: str) -> str:
    return ":" if name == ":" else f"_{name}"
