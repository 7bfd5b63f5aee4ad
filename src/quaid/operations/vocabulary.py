"""Other names of arguments. A caller need not know which of several common names an operation uses.

The table holds for every operation and every surface. A name of an operation's own always comes first.
Nothing of this is listed in schemas: it would cost every session, and what is listed is right.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from functools import cache
from itertools import pairwise

# Not by pathlib: every start would pay for it.
_FILE = os.path.join(os.path.dirname(__file__), "vocabulary.txt")


@cache
def families() -> tuple[tuple[str, ...], ...]:
    """Names for one thing, each time; read when somebody uses another name."""
    with open(_FILE, encoding="utf-8") as file:
        return tuple(tuple(line.split()) for line in file if line.strip() and not line.startswith("#"))


def snake(name: str) -> str:
    """A name as ours are written: maxResults and Max-Results are max_results."""
    plain = name.strip().replace("-", "_").replace(" ", "_").strip("_")
    if plain.isupper() or plain.islower():
        return plain.lower()
    humps = (
        f"_{sign}" if sign.isupper() and before not in "_" else sign for before, sign in pairwise(f"_{plain}")
    )
    return "".join(humps).lower()


def meant(name: str, known: Collection[str], given: Collection[str] = ()) -> str | None:
    """The one of some arguments that another name means.

    Where it can mean several, it means one that is not `given`; of those, the first one in the file.
    """
    plain = snake(name)
    if plain in known:
        return plain
    for forms in ({plain}, set(_numbers(plain))):
        candidates = [each for each in known if each in forms]
        for family in families():
            if forms & set(family):
                candidates += [
                    own for each in family for own in known if own == each or each in _numbers(own)
                ]
        free = [each for each in candidates if each not in given]
        if candidates:
            return (free or candidates)[0]
    return None


def _numbers(name: str) -> Iterator[str]:
    """A name's singular and plural."""
    if name.endswith("ies"):
        yield f"{name[:-3]}y"
    if name.endswith("s"):
        yield name[:-1]
    else:
        yield f"{name}s"
        yield f"{name[:-1]}ies" if name.endswith("y") else f"{name}es"
