"""What is said about lists: which list is meant, which items, and which item of a list somebody means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Protocol, TypeVar

from quaid.formats.slugs import fold
from quaid.routing.chores import begins_chore, deeds
from quaid.routing.patterns import grammar
from quaid.routing.phrase_files import sections

SHOPPING, TODOS, READING, WATCHLIST = "shopping", "todos", "reading", "watchlist"
APPOINTMENTS, IDEAS, LINKS, PACKING = "appointments", "ideas", "links", "packing"
# What is said for these is one thing, whatever commas it has.
_WHOLE = (APPOINTMENTS, IDEAS, LINKS)
_TITLES = (READING, WATCHLIST, "title")
# Things that are one thing although there is an "and" in their name.
_PAIRS = grammar("lists", r"\b{PAIR}\b")
_SEPARATOR = re.compile(r"\s*(?:;|\n|,(?=\s|\D))\s*(?:(?:and|&|plus)\s+)?", re.IGNORECASE)
_WHICH_ONE = re.compile(
    r"(?:not )?(?:the|those|that)\s+(?:[\w'’-]+\s+){0,3}(?:ones?|kind|sort)\b[^,;]*"
    r"|(?:preferably|ideally|if possible|not too|not the)\b[^,;]*",
    re.IGNORECASE,
)
_BREAK = re.compile(r"\s*(?:;\s|\n)\s*")
# What stands in brackets or is an address belongs together.
_BOUND = re.compile(r"\([^()\n]*\)|\[[^\[\]\n]{2,}\]|(?:https?://|www\.)[^\s<>\"]+", re.IGNORECASE)
_WARE = grammar("wares", r"{WARE}")
_REST_OF_WARE = grammar("wares", r"{REST OF WARE}")
_TWO_IN_ONE = grammar("wares", r"{TWO IN ONE}")
_JOINS = re.compile(r"(?:of|for|with|in|from|size|without|x|\d.*|\(.*|or|type|per|the big|to)", re.IGNORECASE)
_MASK = "\x00{}\x00"
_MASKED = re.compile(r"\x00(\d+)\x00")
_AND = re.compile(r"\s+(?:and also|and|&|plus|as well as)\s+", re.IGNORECASE)
_QUOTED = re.compile(r"""["“”'‘«]([^"“”«»\n]{1,300}?)["“”'’»](?=\s|$|[,;])""")
_TITLE = re.compile(r"\s*(?:[-*+•]\s+)?[\"“'‘«A-ZÀ-Þ0-9]")
_FILLER = re.compile(r"^(?:also|and|then|maybe|perhaps)\s+", re.IGNORECASE)
_BULLET = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_LIST_WORD = re.compile(r"\s*[- ]?list\b\s*", re.IGNORECASE)
CLOSE_NAME, CLOSE_ITEM, CLEARLY = 0.8, 0.6, 0.1


class Entry(Protocol):
    """An item of a list: what it says, and whether it is ticked."""

    @property
    def text(self) -> str: ...
    @property
    def done(self) -> bool: ...


Known = TypeVar("Known", bound=Entry)


def aliases() -> Mapping[str, tuple[str, ...]]:
    """What the usual lists are called, by the name that a new file gets."""
    return sections("list_names")


def path_named(
    said: str, files: Sequence[str], headings: Mapping[str, tuple[str, ...]], *, close: bool = True
) -> str | None:
    """The path of the list that somebody names, of those that there are; if `close`, also misspelt."""
    wanted = fold(_LIST_WORD.sub(" ", said))
    if not wanted:
        return None
    names = {path: _names(path, headings.get(path, ())) for path in files}
    for path, known in names.items():
        if wanted in known:
            return path
    if not close:
        return None
    likely = [
        (max(SequenceMatcher(None, wanted, name).ratio() for name in known), path)
        for path, known in names.items()
        if known
    ]
    best = max(likely, default=(0.0, ""))
    return best[1] if best[0] >= CLOSE_NAME else None


def kind_of(said: str) -> str | None:
    """The usual list that a name means, whether there is one or not."""
    wanted = fold(_LIST_WORD.sub(" ", said))
    for kind, names in aliases().items():
        if wanted in names or any(SequenceMatcher(None, wanted, name).ratio() >= 0.85 for name in names):
            return kind
    return None


def path_of(kind: str, files: Sequence[str]) -> str:
    """The file of a usual list, among those that there are, or the one to make."""
    names = aliases().get(kind, (kind,))
    by_stem = {_stem(path): path for path in files}
    return next((by_stem[name] for name in names if name in by_stem), f"lists/{kind}.md")


def parts(said: str, kind: str) -> tuple[str, ...]:
    """The items of a sentence: several where they are clearly several."""
    bound: list[str] = []

    def mask(found: re.Match[str]) -> str:
        bound.append(found[0])
        return _MASK.format(len(bound) - 1)

    masked = _BOUND.sub(mask, said.replace("\x00", " "))
    return tuple(_MASKED.sub(lambda found: bound[int(found[1])], each) for each in _pieces(masked, kind))


def _pieces(said: str, kind: str) -> tuple[str, ...]:
    said = said.strip().strip(".!").strip()
    if kind in _WHOLE:
        return tuple(piece.strip() for piece in _BREAK.split(said) if piece.strip())
    quoted = _QUOTED.findall(said)
    if quoted and not _QUOTED.sub("", said).strip(" ,;&").replace("and", "").strip():
        return tuple(each.strip() for each in quoted if each.strip())
    chores = deeds(said) if kind == TODOS else []
    if len(chores) > 1:
        return tuple(chores)
    pieces = _bound([piece for piece in _SEPARATOR.split(said) if piece.strip()])
    if kind in _TITLES and not all(_TITLE.match(piece) for piece in pieces):
        pieces = [said]
    if kind == TODOS and "\n" not in said and ";" not in said and not _all_chores(pieces):
        pieces = [said]
    several = len(pieces) > 1
    found: list[str] = []
    for piece in pieces:
        found += _things_joined(piece, kind, several)
    cleaned = (
        _FILLER.sub("", _BULLET.sub("", each.strip())).strip().strip("\"“”'").strip() for each in found
    )
    return tuple(each for each in cleaned if each)


def _bound(pieces: Sequence[str]) -> list[str]:
    """The pieces of a row, each with what tells which is meant: `cat food, the salmon one`."""
    bound: list[str] = []
    for piece in pieces:
        is_told = bound and _WHICH_ONE.fullmatch(piece.strip())
        if is_told and not _WHICH_ONE.fullmatch(bound[-1].strip()):
            bound[-1] = f"{bound[-1]}, {piece.strip()}"
        else:
            bound.append(piece)
    return bound


def _all_chores(pieces: Sequence[str]) -> bool:
    """Chores that are told apart by commas each begin with a verb; a sentence has commas of its own."""
    return all(1 < len(piece.split()) <= 8 and begins_chore(piece.split()[0].lower()) for piece in pieces)


def _things_joined(piece: str, kind: str, several: bool) -> list[str]:
    if _PAIRS.search(piece) or kind == TODOS:
        return [piece]
    halves = _AND.split(piece)
    if kind == SHOPPING and not several:
        return [ware for half in halves for ware in _things_dictated(half)]
    if kind not in _TITLES or several or len(halves) == 1:
        return halves
    # A title may have an "and" in it: only long ones are taken for two.
    titled = all(half[:1].isupper() for half in halves)
    return halves if titled and len(halves[0].split()) >= 3 else [piece]


def _things_dictated(piece: str) -> list[str]:
    """Things that somebody named without a comma, as in `milk bread and cream cheese`."""
    found: list[list[str]] = [[]]
    words = piece.split()
    for word, following in zip(words, [*words[1:], ""], strict=True):
        found[-1].append(word)
        pair = f"{word} {following}"
        goes_on = (
            _TWO_IN_ONE.fullmatch(pair) or _REST_OF_WARE.fullmatch(following) or _JOINS.fullmatch(following)
        )
        if following and _WARE.fullmatch(word) and not goes_on:
            found.append([])
    # The last thing must be one as well: "milk for the cat" is not two.
    is_list = all(_WARE.fullmatch(each[-1]) or _REST_OF_WARE.fullmatch(each[-1]) for each in found)
    return [" ".join(each) for each in found] if is_list else [piece]


def match(wanted: str, entries: Sequence[Known], *, done: bool | None = None) -> list[Known]:
    """The items that somebody may mean, the best alone if it is clearly the best."""
    among = [each for each in entries if done is None or each.done == done]
    key = key_of(wanted)
    same = [each for each in among if key_of(each.text) == key]
    if same:
        return same
    scored = sorted(((_likeness(key, key_of(each.text)), n) for n, each in enumerate(among)), reverse=True)
    near = [(score, among[n]) for score, n in scored if score >= CLOSE_ITEM]
    if len(near) > 1 and near[0][0] - near[1][0] >= CLEARLY:
        return [near[0][1]]
    return [each for _, each in near[:8]]


def key_of(text: str) -> str:
    """What two ways of writing one item or fact have in common."""
    words = fold(text).split()
    while words and words[0] in ("the", "a", "an", "some", "more"):
        words = words[1:]
    return " ".join(words)


def _likeness(one: str, other: str) -> float:
    if not one or not other:
        return 0.0
    mine, theirs = set(one.split()), set(other.split())
    contained = len(mine & theirs) / min(len(mine), len(theirs))
    if contained == 1.0:
        shared = len(mine & theirs)
        return 0.8 + 0.2 * shared / max(len(mine), len(theirs)) + 0.08 * shared
    return max(SequenceMatcher(None, one, other).ratio() - 0.05, 0.75 * contained if len(mine) > 2 else 0.0)


@lru_cache(maxsize=1_024)  # a sentence asks for those of each file for every list that it may name
def _names(path: str, headings: tuple[str, ...]) -> frozenset[str]:
    stem = _stem(path)
    own = {stem, *(fold(_LIST_WORD.sub(" ", each)) for each in headings)}
    kind = next((kind for kind, names in aliases().items() if own & set(names)), None)
    return frozenset(name for name in own | set(aliases().get(kind or "", ())) if name)


def _stem(path: str) -> str:
    return fold(_LIST_WORD.sub(" ", path.rsplit("/", 1)[-1].rsplit(".", 1)[0].replace("-", " ")))
