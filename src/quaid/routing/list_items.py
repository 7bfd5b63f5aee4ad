"""Things for lists: what is to be bought, done or read, and lists that are named."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaid.formats.slugs import fold, slugify
from quaid.routing import chores, days, lists, manners, occasions, titles
from quaid.routing.lists import APPOINTMENTS, IDEAS, LINKS, PACKING, READING, SHOPPING, TODOS, WATCHLIST
from quaid.routing.patterns import grammar
from quaid.routing.places import USUAL
from quaid.routing.shelf import Hints, Route, Shelf, where

_ADD = grammar("lists", r"^{ADD}\s+")
_TO = re.compile(r"\s+(?:down )?(?:to|on|onto|in|into|under)\s+(?:the |my |our |your |a )?", re.IGNORECASE)
_ADD_TO = grammar(
    "lists",
    r"^(?:also\s+|and\s+)?{ADD}\s+(?:to|on|onto|in|into|under)\s+(?:the |my |our )?"
    r"(?:(?P<where>[^:\n]{2,50}?)\s*(?::(?!//)|[–—])\s*|(?P<list>[\w' -]{2,40}?\blist)\s+)"
    r"(?P<what>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_FOR_LIST = re.compile(
    r"^(?:also,?\s+|and\s+)?(?P<what>[^:]+?),?\s+(?:for|on|onto|to|in|into|goes on|go on|needs to go on)\s+"
    r"(?:the |my |our )(?P<where>[\w' -]{2,40}\blist)"
    r"(?:,?\s+(?:too|as well|also|an' all|and all|please|pls|thanks|again|for (?:now|later)))*$",
    re.IGNORECASE,
)
# "shopping list sponges", "for the party list balloons": without a colon, only before what is no verb.
_OF_LIST = grammar(
    "lists",
    r"^(?:also\s+|and\s+)?(?P<for>(?:for|on|in|to)\s+(?:the |my |our )?)?"
    r"(?P<where>(?:[\w'-]+\s+){1,3}?list)\s+(?!{FINITE}\b|(?:of|for|on|in|at|from|that|which|with)\b)"
    r"(?:also\s+|add\s+|and\s+|(?:we|i) (?:also )?need\s+|we're out of\s+|needs\s+|get\s+)*"
    r"(?P<what>\S[^:]*)$",
)
_LATER = re.compile(r"\s+(?:for|of|from|this|next|today|tomorrow|on|before|by)\b.*$", re.IGNORECASE)
_LIST_OF = re.compile(r"^(?:the |my |our )?list of (?:all )?(?:the )?(.+)$", re.IGNORECASE)
_LED = re.compile(r"^(?P<where>[^:\n]{2,60}?)\s*(?::(?!//)|\+=|=>|→|\s[–—-]\s)\s*(?P<what>\S.*)$", re.DOTALL)
_NEW_LIST = re.compile(
    r"^(?:(?:make|start|create|begin|open)\s+)?(?:me\s+)?(?:a\s+|another\s+)?"
    r"(?:new\s+list\s*(?:(?:called|named|for|of|with the name)\s+|:?\s*(?=[^:]+:))|"
    r"list\s+(?:called|named|for|of|with the name)\s+)",
    re.IGNORECASE,
)
_PUT_IT = re.compile(
    r"^(?P<what>.+?)[,;.–—-]*\s+(?:so |and |please |pls )*(?:add|put|stick|pop)\s+(?:it|them|'?em|that|those|"
    r"this|one|some)\s+"
    r"(?:to|on|onto|in)\s+(?:the |my |our )?(?P<where>[\w -]{2,40})$",
    re.IGNORECASE | re.DOTALL,
)
_GONE = re.compile(
    r"\s+(?:is|are|has|have|was|were)\s+(?:almost|nearly|all|completely|just|been|about)?\s*"
    r"(?:gone|empty|finished|out|used up|running (?:low|out)|over)$",
    re.IGNORECASE,
)
_LIST = re.compile(r"\blist\b", re.IGNORECASE)
_ADD_AFTER = re.compile(r"(?<=list)\s+(?:add|plus|addition|update)$", re.IGNORECASE)
_BARE_LIST = re.compile(r"\s+(?:to|on|onto)\s+(?:the|my|our)\s+list[.!]?$", re.IGNORECASE)
_IDEAS = grammar("lists", r"\b{IDEAS}\b")
_FOR_THE = re.compile(
    r"^(?:(?:on|onto|to|in|into) (?:the |my |our )?"
    r"(?=(?:[\w' -]{2,40}\blist|to-?dos?|to do|shopping|groceries|packing)\s*[:–—])"
    r"|(?:for|from|at) (?:the |my |our )|for (?=(?:[\w'-]+ ){1,3}list\s*:))",
    re.IGNORECASE,
)
# "… to the shopping list, 22 inch": what comes after the name is said of the thing.
_SAID_AFTER = re.compile(
    r"(?P<name>[^,]*\blist),\s+(?!please|pls|thanks|thank|too\b|as well|for\b|by\b)"
    r"(?P<and>and\s+)?(?P<more>\S+(?:\s+\S+){0,3})",
    re.IGNORECASE,
)
_READ_LEAD = re.compile(
    r"^(?:(?:please )?(?:read|check out)(?: this| later| it)*|[^:]{0,40}?\bread[^:]{0,20})"
    r"\s*:(?!//)\s*(?=\S)",
    re.IGNORECASE,
)
_BESIDES = re.compile(r"^(?:(?:oh|and|also|plus)\b,?\s+)+(?=\S)", re.IGNORECASE)
_BARE_THING = re.compile(r"[^\W\d]+(?:\s[^\W\d]+){0,2}")
_TITLES = ("title", READING, WATCHLIST, LINKS)  # words of a title name no day
_IDEAS_FOR = re.compile(r"(?P<name>.*\bideas) (?P<whom>(?:for|about|on)\s.+)", re.IGNORECASE)
_TO_PACK = grammar("lists", r"^(?P<what>(?:(?!\b{FINITE}\b)[^:,]){2,60}?) to pack\b(?P<rest>.*)$")
_DONE_HEADING = grammar("lists", r"{DONE HEADING}\b", re.NOFLAG)


def routes_to_lists(said: str, shelf: Shelf, hints: Hints) -> list[Route]:
    """The lists and items that a sentence speaks of, of each of its chores; none if it is not for lists."""
    said = chores.reminder(said)
    named = _named_list(said, shelf, hints)
    own = None if named else _occasion(said, shelf, hints)
    if own:
        return [own]
    if manners.is_standing(said):
        return []
    chore, when = chores.first(said)
    is_order = manners.is_order(chore) and not chores.is_led(chore)
    several = [f"{each} {when}".strip() for each in ([chore] if is_order else chores.deeds(chore))]
    if several == [said]:
        found = [_pointed_route(said, shelf, hints) or named or _unnamed_route(said, shelf, hints)]
    else:
        found = [route_to_list(each, shelf, hints) for each in several]
    return [each for each in found if each] if all(found) else []


def route_to_list(said: str, shelf: Shelf, hints: Hints) -> Route | None:
    """The list and the items that a sentence speaks of."""
    return (
        _pointed_route(said, shelf, hints)
        or _named_list(said, shelf, hints)
        or _unnamed_route(said, shelf, hints)
    )


def route_to_usual(kind: str, said: str, reason: str, shelf: Shelf, hints: Hints) -> Route:
    """A list of a certain kind, for what is said without naming it: one thing, unless several stand in a row.

    What is for some other list says which one before a colon, or is to be bought.
    """
    files = shelf.under("lists")
    led = _LED.match(said)
    if kind not in USUAL and led:
        path = f"lists/{slugify(led['where']).replace('/', '-')[:80]}.md"
        return _list_route(path, led["what"], SHOPPING, reason, shelf, hints, whole=True)
    kind = kind if kind in USUAL else SHOPPING
    said = _BESIDES.sub("", said) or said
    things = lists.parts(said, kind)
    row = len(things) > 1 and all(_BARE_THING.fullmatch(each) for each in things)
    return _list_route(lists.path_of(kind, files), said, kind, reason, shelf, hints, whole=not row)


def _occasion(said: str, shelf: Shelf, hints: Hints) -> Route | None:
    """An appointment, an idea, or something behind a link."""
    files = shelf.under("lists")
    link = occasions.link(said)
    if occasions.URL.search(said) and occasions.is_to_read(said):
        what = _READ_LEAD.sub("", said).strip() or said
        return _list_route(lists.path_of(READING, files), what, LINKS, "something to read", shelf, hints)
    if link:
        return _list_route(lists.path_of(LINKS, files), link, LINKS, "it is a link", shelf, hints)
    idea = occasions.idea(said)
    if idea:
        return _list_route(lists.path_of(IDEAS, files), idea, IDEAS, "it is an idea", shelf, hints)
    if occasions.is_appointment(said, hints.day):
        path = lists.path_of(APPOINTMENTS, files)
        return _list_route(path, said, APPOINTMENTS, "it happens on a day to come", shelf, hints)
    return None


def _named_list(said: str, shelf: Shelf, hints: Hints) -> Route | None:
    """The list that is named, and what is to go on it."""
    files = shelf.under("lists")
    for what, name, led in _named_lists(said, files, shelf):
        place = _list_place(name, files, shelf, led=led)
        if place:
            kind = lists.kind_of(name) or lists.kind_of(place.rsplit("/", 1)[-1].removesuffix(".md")) or ""
            return _list_route(place, what, kind, f"{name!r} is named", shelf, hints)
    return None


def _pointed_route(said: str, shelf: Shelf, hints: Hints) -> Route | None:
    """What was said before `put it on the list`."""
    found = _PUT_IT.match(said)
    if not found or manners.is_order(said):
        return None
    files = shelf.under("lists")
    what = found["what"].strip(" ,")
    gone = chores.wares(what) or _GONE.sub("", what).strip()
    kind = SHOPPING if gone != what else TODOS  # what is gone is to be bought
    usual = lists.kind_of(found["where"])
    path = lists.path_named(found["where"], files, shelf.headings) or lists.path_of(usual or kind, files)
    named = titles.titles(what) if usual in (READING, WATCHLIST) else None
    return _list_route(
        path, named[1] if named else gone, usual or kind, "it is to go on a list", shelf, hints
    )


def _unnamed_route(said: str, shelf: Shelf, hints: Hints) -> Route | None:
    """The list that is not named, and what is to go on it."""
    return _added_route(said, shelf, hints) or _implied_route(said, shelf, hints)


def _added_route(said: str, shelf: Shelf, hints: Hints) -> Route | None:
    """What is added without naming a list."""
    files = shelf.under("lists")
    add = _ADD.match(said)
    rest = _BARE_LIST.sub("", said[add.end() :]).strip(" .!") if add else ""
    named = add and _BARE_LIST.search(said)
    if not rest or not (named or (said.lower().startswith("add ") and len(rest.split()) <= 4)):
        return None
    if not named and _TO.search(said):
        return None
    kind = TODOS if chores.chore(rest) else SHOPPING
    return _list_route(lists.path_of(kind, files), rest, kind, "no list is named", shelf, hints)


def _implied_route(said: str, shelf: Shelf, hints: Hints) -> Route | None:
    """A list that is not named: something to read, to buy or to do."""
    files = shelf.under("lists")
    named = titles.titles(said)
    if named:
        path = lists.path_of(named[0], files)
        return _list_route(path, named[1], "title", "something to read or watch", shelf, hints)
    packed = None if chores.chore(said) else _TO_PACK.match(said)
    if packed:
        what = f"{packed['what']}{packed['rest']}"
        return _list_route(lists.path_of(PACKING, files), what, PACKING, "it is to be packed", shelf, hints)
    goods = chores.wares(said)
    if goods:
        path = lists.path_of(SHOPPING, files)
        return _list_route(path, goods, SHOPPING, "something is needed or to be bought", shelf, hints)
    if manners.is_order(said) and not chores.is_led(said):
        return None
    deed = chores.chore(said)
    if not deed or deed.endswith("?"):
        return None
    goods = chores.purchase(deed)
    if goods:
        path = lists.path_of(SHOPPING, files)
        return _list_route(path, goods, SHOPPING, "something is to be bought", shelf, hints)
    path = lists.path_of(TODOS, files)
    return _list_route(path, deed, TODOS, "something is to be done", shelf, hints)


def _named_lists(said: str, files: Sequence[str], shelf: Shelf) -> list[tuple[str, str, bool]]:
    """Items and the list that may be named after or before them.

    Of several `to` in `add X to Y`, the first before the very name of a list counts, or the last.
    """
    add = _ADD.match(said)
    found = [
        (*_thing_and_list(said[add.end() : to.start()], said[to.end() :].strip(" .!?")), False)
        for to in reversed(list(_TO.finditer(said)))
        if add and to.start() > add.end() and 2 <= len(said) - to.end() <= 60
    ]
    exact = [
        each for each in reversed(found) if lists.path_named(each[1], files, shelf.headings, close=False)
    ]
    found = [*exact, *found]
    add_to = _ADD_TO.match(said)
    found += [(add_to["what"], (add_to["where"] or add_to["list"]).strip(), True)] if add_to else []
    for_list = _FOR_LIST.match(said)
    found += [(for_list["what"], for_list["where"].strip(), True)] if for_list else []
    of_list = _OF_LIST.match(said)
    known = of_list and (
        lists.kind_of(of_list["where"]) or lists.path_named(of_list["where"], files, shelf.headings)
    )
    if of_list and (known or of_list["for"]):
        found.append((of_list["what"], of_list["where"].strip(), True))
    led = _LED.match(_NEW_LIST.sub("list of ", _FOR_THE.sub("", said)))
    if led:
        name = _ADD_AFTER.sub("", led["where"].strip())
        about = None if lists.path_named(name, files, shelf.headings) else _IDEAS_FOR.fullmatch(name)
        found.append(
            (_each_for(led["what"], about["whom"]), about["name"], True)
            if about
            else (led["what"], name, True)
        )
    return found


def _each_for(what: str, whom: str) -> str:
    """Things in a row, each with what it is for: ideas for one and another stand on one list."""
    return ", ".join(f"{each} ({whom})" for each in lists.parts(what, ""))


def _thing_and_list(what: str, name: str) -> tuple[str, str]:
    """A thing and the list that is named after it."""
    said = _SAID_AFTER.fullmatch(name)
    if not said:
        return what, name
    return f"{what}, {said['more']}" if said["and"] else f"{what} ({said['more']})", said["name"]


def _list_place(said: str, files: Sequence[str], shelf: Shelf, *, led: bool) -> str | None:
    """The file of a list that is named; a new one only where it is called a list."""
    if fold(said) in ("list", "lists"):
        return None  # which one, the words before it tell: see _put_it
    of = _LIST_OF.match(said.strip())
    name = (of[1] if of else said).strip()
    bare = _LATER.sub("", name)  # the shopping list for Saturday
    known = lists.path_named(name, files, shelf.headings) or lists.path_named(bare, files, shelf.headings)
    if known:
        return known
    usual = fold(bare) in lists.aliases().get(lists.kind_of(bare) or "", ())
    kind = lists.kind_of(name) or (lists.kind_of(bare) if usual or _LIST.search(bare) else None)
    if kind and (
        not led or usual or fold(name) in (*lists.aliases()[kind], f"{kind} list") or _IDEAS.search(said)
    ):
        return lists.path_of(kind, files)
    if of or _IDEAS.search(said):
        called = bare if _LIST.search(bare) else name
        stem = re.sub(r"\b(?:list)\b", " ", called, flags=re.IGNORECASE).strip(" '\"") or name
        return f"lists/{slugify(stem).replace('/', '-')[:80]}.md"
    return None


def _list_route(
    path: str, said: str, kind: str, reason: str, shelf: Shelf, hints: Hints, *, whole: bool = False
) -> Route:
    texts = () if whole else lists.parts(said, kind)
    texts = texts or (said.strip(),)
    if hints.day and kind not in _TITLES:
        texts = tuple(days.dated(each, hints.day, dates=kind in (APPOINTMENTS, TODOS)) for each in texts)
    section = hints.section or list_section(path, shelf)
    return Route(
        "lists", path, section, texts, (f"lists: {reason}", where(path, section, shelf)), is_list=True
    )


def list_section(path: str, shelf: Shelf) -> str:
    """The section for new items: the first, unless that one is for what is done."""
    known = shelf.headings.get(path, ())
    open_ones = [each for each in known if not _DONE_HEADING.match(fold(each))]
    return next((each for each in (*open_ones, *known)), "")
