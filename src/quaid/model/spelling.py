"""Names that were probably meant: the one place that says "Did you mean …?"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

ALIKE = 0.6  # of difflib's ratio, from which on two names are alike
BEHIND = 0.1  # names that are that much less alike than the best are not meant
MOST = 3


def alike(name: str, known: Iterable[str], most: int = MOST) -> list[str]:
    """The known names that are spelled most like a name, the likest first.

    Case, plural and the signs between words do not count; of a name with folders, the last part is enough.
    """
    from difflib import SequenceMatcher  # what is spelled right does without

    asked = plain(name)
    if not asked:
        return []
    matcher = SequenceMatcher(b=asked, autojunk=False)
    found: list[tuple[float, str]] = []
    for each in dict.fromkeys(known):
        likeness = 0.0
        for form in {plain(each), plain(each.rsplit("/", 1)[-1])}:
            matcher.set_seq1(form)
            if form == asked:
                likeness = 1.0
            elif min(matcher.real_quick_ratio(), matcher.quick_ratio()) >= ALIKE:
                likeness = max(likeness, matcher.ratio())
        if likeness >= ALIKE:
            found.append((-likeness, each))
    best = min(found, default=(0.0, ""))[0]
    return [each for likeness, each in sorted(found)[:most] if likeness <= best + BEHIND]


def plain(name: str) -> str:
    """A name without what people spell differently: case, signs between words, the plural."""
    letters = "".join(sign for sign in name.casefold() if sign.isalnum())
    if len(letters) > 3 and letters.endswith("ies"):
        return letters[:-3] + "y"
    return letters[:-1] if len(letters) > 3 and letters.endswith("s") else letters


def did_you_mean(names: Sequence[str]) -> str:
    """The question whether one of these was meant; empty without any."""
    return f"Did you mean {' or '.join(names)}?" if names else ""


def hint(name: str, known: Iterable[str], otherwise: str) -> str:
    """What to say of a name that is not known."""
    return did_you_mean(alike(name, known)) or otherwise
