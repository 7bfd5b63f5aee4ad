"""Slugs, and the key under which names are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

MAX_LENGTH = 255

_SLUG = re.compile(r"[a-z0-9_-]+(?:/[a-z0-9_-]+)*")
PAGE_EXTENSION = re.compile(r"\.(md|markdown|org)\Z", re.IGNORECASE)
_FOREIGN = re.compile(r"[^a-z0-9_]+")
# "+" stays, because C++ is not C.
_ASCII_BREAK = re.compile(r"[^a-z0-9+]+")
_ACCENT = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")


def is_slug(text: str) -> bool:
    """Whether the text is a valid slug as it stands."""
    return len(text) <= MAX_LENGTH and _SLUG.fullmatch(text) is not None


def slugify(text: str) -> str:
    """A valid slug for any text."""
    if is_slug(text):
        return text
    segments = (_slug_segment(segment) for segment in PAGE_EXTENSION.sub("", text).split("/"))
    slug = "/".join(segment for segment in segments if segment)
    if not slug:
        return f"page-{_digest(text)}"
    if len(slug) > MAX_LENGTH:
        # The digest keeps two long names apart that only differ at their end.
        return f"{slug[: MAX_LENGTH - 9].rstrip('-/')}-{_digest(text)}"
    return slug


def slugs_of(paths: Iterable[str]) -> dict[str, str]:
    """A slug for each of a folder's pages, whatever the order in which they are named.

    Where several paths would have the same slug, one that is its own slug has it, but for capitals if there
    is no other, or else the first; the others have a part more that is made of their path.
    """
    wanted: dict[str, list[str]] = {}
    for path in paths:
        wanted.setdefault(slugify(path), []).append(path)
    given: dict[str, str] = {}
    for slug, rivals in wanted.items():
        first = min(rivals, key=lambda path: _strangeness(slug, path))
        for path in rivals:
            given[path] = slug if path == first else apart(slug, path)
    return given


def _strangeness(slug: str, path: str) -> tuple[bool, bool, str]:
    """How far a path is from being the slug: C.md is nearer to `c` than C++.md."""
    name = PAGE_EXTENSION.sub("", path)
    return name != slug, name.casefold() != slug, path


def apart(slug: str, path: str) -> str:
    """The slug of a path whose own slug another path has."""
    return f"{slug[: MAX_LENGTH - 9]}-{_digest(path)}"


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """The key under which two spellings of one name are equal. Cached, because links repeat names."""
    segments = (_fold_segment(segment) for segment in text.split("/"))
    return "/".join(segment for segment in segments if segment) or text.casefold().strip()


def _slug_segment(segment: str) -> str:
    if not segment.isascii():
        # Lazy for start-up time: most names are ASCII.
        from anyascii import anyascii

        # macOS hands out decomposed names; Hangul is only transliterated well when composed.
        segment = anyascii(unicodedata.normalize("NFC", segment))
    return _FOREIGN.sub("-", segment.lower()).strip("-")


def _fold_segment(segment: str) -> str:
    if segment.isascii():
        return _ASCII_BREAK.sub(" ", segment.lower()).strip()
    bare = _without_accents(_without_accents(segment).casefold())
    spaced = "".join(char if char == "+" or unicodedata.category(char)[0] in "LNM" else " " for char in bare)
    return unicodedata.normalize("NFC", " ".join(spaced.split()))


def _without_accents(text: str) -> str:
    """Only accents go: the marks of Devanagari or the voicing of kana make other letters."""
    return _ACCENT.sub("", unicodedata.normalize("NFKD", text))


def _digest(text: str) -> str:
    # Lazy for start-up time: OpenSSL takes longer to load than everything else here.
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
