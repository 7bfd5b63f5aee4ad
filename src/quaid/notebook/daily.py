"""The daily log: one file for each day, to which entries are added at the end."""

from __future__ import annotations

import re
from datetime import datetime

from quaid.errors import InvalidInput
from quaid.formats.encoding import newline_of
from quaid.formats.markdown import sections

FOLDER = "daily"
MAX_ENTRY = 64 * 1024  # characters
LONG_LINE = 120  # characters of a first line that is a heading; a longer one is cut there, and follows whole
_MARKS = re.compile(r"^(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?|>\s+)")


def path_of(moment: datetime) -> str:
    """The file of a day."""
    return f"{FOLDER}/{moment.date().isoformat()}.md"


def with_entry(text: str, moment: datetime, said: str) -> str:
    """A day's text with one more entry, the newest last."""
    heading, body = _parts(moment, said)
    text = text if text.strip() else f"# {moment.date().isoformat()}\n"
    try:
        return sections.added(text, heading, body)
    except InvalidInput:
        # Somebody left a code block or a comment open in the file. An entry is kept all the same, unless it
        # fits nowhere, which is its own fault.
        sections.added("# Day\n", heading, body)
        newline = newline_of(text)
        added = f"{newline}{newline}## {heading}{newline}{newline}{body}".rstrip()
        return f"{text.rstrip()}{added}{newline}"


def heading_of(moment: datetime, said: str) -> str:
    """The heading of an entry."""
    return _parts(moment, said)[0]


def said_in(heading: str) -> str:
    """What an entry says in its heading; nothing for one that is cut, or is no entry."""
    clock, dash, said = heading.partition(" — ")
    return said if dash and re.fullmatch(r"\d\d:\d\d", clock) and not said.endswith("…") else ""


def checked(said: str) -> str:
    """An entry that can be kept."""
    if not said.strip():
        raise InvalidInput("the entry is empty", hint="Say what happened.")
    if len(said) > MAX_ENTRY:
        raise InvalidInput(
            f"the entry has more than {MAX_ENTRY:,} characters", hint="Put longer texts into the notebook."
        )
    return said


def _parts(moment: datetime, said: str) -> tuple[str, str]:
    """The heading of an entry and what stands below it."""
    lines = said.replace("\r\n", "\n").replace("\r", "\n").strip().split("\n")
    first = _MARKS.sub("", lines[0].strip()).strip() or lines[0].strip()
    rest = sections.demoted("\n".join(lines[1:]).strip("\n"))
    clock = moment.strftime("%H:%M")
    if len(first) > LONG_LINE:
        cut = first[:LONG_LINE].rsplit(" ", 1)[0].rstrip(" ,;:") or first[:LONG_LINE]
        return f"{clock} — {cut}…", f"{first}\n{rest}".strip()
    return f"{clock} — {first}", rest
