"""Lists of one's own: where a thing goes for which none is named, by what stands there already."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaid.model.record import replace
from quaid.routing import lists, places
from quaid.routing.list_items import list_section
from quaid.routing.lists import PACKING, SHOPPING
from quaid.routing.shelf import Route, Shelf, ShelfSection, where
from quaid.routing.stems import fillers, stems
from quaid.routing.values import without_values

# "for the Whitby bag", "for pune also a shawl".
_FOR = re.compile(
    r"(?:^|[\s,])for\s(?:the\s|my\s|our\s)?(?P<what>[\w'’-]+(?:\s[\w'’-]+)??)"
    r"(?=\s(?P<bag>bag|case|suitcase|rucksack|backpack)\b"
    r"|\s(?:trip|list|also|too|as well|please)\b|[,.!:]|$)",
    re.IGNORECASE,
)


def beside_its_like(found: Route, said: str, shelf: Shelf) -> Route:
    """The route of a thing to buy for which no list is named.

    It goes to a list that has such a thing already, or one that is for the same: a bag, a journey, a feast.
    """
    if places.is_told(found) or not found.is_list or places.kind_of(found.path) != SHOPPING:
        return found
    near = [each for each in shelf.find_sections(said) if each.path.startswith("lists/")]
    others = [each for each in near if places.kind_of(each.path) == places.LIST]
    purpose = _FOR.search(said)
    if purpose and (known := _for_the_same(purpose["what"], others, shelf)):
        return _moved(found, known, "it is for the same as what stands there", shelf)
    if purpose and purpose["bag"]:
        path = lists.path_of(PACKING, shelf.under("lists"))
        return _moved(found, ShelfSection(path, list_section(path, shelf), ""), "it is to be packed", shelf)
    asked = stems(without_values(" ".join(found.texts))) - fillers()

    def likeness(section: ShelfSection) -> int:
        return max((len(asked & stems(line)) for line in section.text.splitlines()), default=0)

    here = max((likeness(each) for each in near if each.path == found.path), default=0)
    best = max(others, key=likeness, default=None)
    if best is None or likeness(best) <= here:
        return found
    return _moved(found, best, "something like it stands there", shelf)


def _for_the_same(purpose: str, found: Sequence[ShelfSection], shelf: Shelf) -> ShelfSection | None:
    """A place on the only list of one's own that has the words of a purpose, in its name or on it."""
    named = [
        ShelfSection(path, list_section(path, shelf), "")
        for path in shelf.under("lists")
        if places.kind_of(path) == places.LIST
    ]
    meant = stems(purpose)
    fitting = [
        each
        for each in (*found, *named)
        if meant and meant <= stems(f"{_name(each.path)} {each.section} {each.text}")
    ]
    return fitting[0] if len({each.path for each in fitting}) == 1 else None


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1].removesuffix(".md").replace("-", " ")


def _moved(found: Route, place: ShelfSection, reason: str, shelf: Shelf) -> Route:
    reasons = (f"lists: {reason}", where(place.path, place.section, shelf))
    return replace(found, path=place.path, section=place.section, reasons=reasons)
