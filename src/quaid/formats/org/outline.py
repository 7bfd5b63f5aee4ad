"""The headlines of an org text, and which of them are nodes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from quaid.formats.org.areas import VALUE, Headline
from quaid.formats.org.drawer import properties_of, quoted_words
from quaid.formats.org.elements import elements
from quaid.formats.patterns import Pattern
from quaid.model.record import record

_STATES = frozenset(("TODO", "DONE"))
_STATE_KEYS = frozenset(("todo", "seq_todo", "typ_todo"))
_STATE = Pattern(r"([^\s(]+)(?:\([^)\s]*\))?")
_PRIORITY = Pattern(r"\[#.\](?=[ \t]|\Z)")
_TAGS = Pattern(r"(?:[ \t]+|\A)(:[\w@#%:]+:)[ \t]*\Z")
_LINK = Pattern(r"\[\[((?:[^\[\]\\]|\\[\s\S])+)\](?:\[([\s\S]+?)\])?\]")


@record
class Title:
    """What a headline says: its text, with statistics and links as they stand, and its tags."""

    text: str
    state: str = ""
    tags: tuple[str, ...] = ()


@record
class Section:
    """A headline that has an id, and so is a node of its own within a file. `line` counts from 1."""

    id: str
    title: str
    line: int
    level: int
    start: int
    aliases: tuple[str, ...] = ()
    refs: str = ""
    tags: tuple[str, ...] = ()
    excluded: bool = False  # it asks org-roam to leave it out


def states_of(text: str) -> frozenset[str]:
    """The words that say how far a headline's task is: Org's own, or those that the text names."""
    if "todo:" not in text.lower():
        return _STATES
    known = elements(text)
    named: set[str] = set()
    for area in known.areas:
        if area.kind == VALUE and area.key in _STATE_KEYS:
            value = known.text[area.start : area.end].partition(":")[2]
            named |= {match.group(1) for match in _STATE.finditer(value) if match.group(1) != "|"}
    return frozenset(named) or _STATES


def title_of(headline: str, states: frozenset[str] = _STATES) -> Title:
    """The title in the text behind a headline's stars."""
    text, state = headline.strip(), ""
    word = text.split(maxsplit=1)
    if word and word[0] in states:
        state, text = word[0], text[len(word[0]) :].lstrip()
    priority = _PRIORITY.match(text)
    text = text[priority.end() :].lstrip() if priority else text
    tags = _TAGS.search(text)
    if tags is None:
        return Title(text, state)
    return Title(text[: tags.start()], state, tuple(tag for tag in tags.group(1).split(":") if tag))


def shown(text: str) -> str:
    """A title as org-roam shows it, with the descriptions of its links only."""
    if "[[" not in text:
        return text
    return _LINK.sub(lambda match: match.group(2) or match.group(1), text)


@lru_cache(maxsize=8)
def sections(text: str) -> tuple[Section, ...]:
    """The headlines that have an id and a title."""
    upper = text.upper()
    if "* " not in text or ":ID:" not in upper or ":PROPERTIES:" not in upper:
        return ()
    return tuple(_sections(text))


def _sections(text: str) -> Iterator[Section]:
    known = elements(text)
    states = states_of(text)
    for headline in known.headlines:
        if headline.drawer is None:
            continue
        first, after = headline.drawer
        inner = known.text[known.starts[first + 1] : known.starts[after - 1]]
        found = properties_of(inner)
        title = title_of(known.text[headline.start + headline.level : headline.end], states)
        if found.get("ID") and title.text:
            yield _section(headline, title, found)


def _section(headline: Headline, title: Title, found: dict[str, str]) -> Section:
    return Section(
        id=found["ID"],
        title=shown(title.text),
        line=headline.number + 1,
        level=headline.level,
        start=headline.start,
        aliases=tuple(quoted_words(found.get("ROAM_ALIASES", ""))),
        refs=found.get("ROAM_REFS", ""),
        tags=title.tags,
        excluded=found.get("ROAM_EXCLUDE", "nil") != "nil",
    )
