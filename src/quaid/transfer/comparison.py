"""Whether two folders say the same: pages, what their frontmatter means, truth, timeline, raw data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quaid.errors import InvalidInput, NotFound
from quaid.formats import encoding
from quaid.formats.content import read_page
from quaid.formats.slugs import slugs_of
from quaid.model.page import Content, format_of
from quaid.store.integrity import Finding
from quaid.vault import folder
from quaid.vault.sidecars import read_sidecar

CHECKS = ("pages", "frontmatter", "truth", "timeline", "raw data")
_EXPORT_AGAIN = "Export anew; if it stays, report it."


def compare(original: Path, exported: Path) -> Iterator[Finding]:
    """What the second folder lacks, has more, or says otherwise."""
    one, other = _Side(original), _Side(exported)
    pairs = dict(_pairs(one, other))
    for path in sorted(one.slugs.keys() - pairs.keys()):
        yield Finding("pages", f"{path} is missing in the exported folder", _EXPORT_AGAIN)
    for path in sorted(other.slugs.keys() - set(pairs.values())):
        yield Finding("pages", f"{path} is in the exported folder only", "Remove it, if it is not wanted.")
    for path, counterpart in sorted(pairs.items()):
        yield from _differences(path, one.page(path), other.page(counterpart))
        if one.raw_data(path) != other.raw_data(counterpart):
            yield Finding("raw data", f"{path}: the raw data differs", _EXPORT_AGAIN)


class _Side:
    """One folder, and its pages by path."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise NotFound(f"there is no directory {root}", hint="Name two directories.")
        self._root = root
        self._files = folder.walk(root).files
        self.slugs = slugs_of(path for path in self._files if folder.is_page(path))

    def page(self, path: str) -> Content:
        """A page, read as an import would."""
        text = encoding.decode(self._read(path))[0]
        return read_page(text, self.slugs[path], format_of(path), path)

    def raw_data(self, path: str) -> Any:
        """What sources say about a page; the bytes where they cannot be understood."""
        whole = folder.sidecar_of(f"{path}.md")
        place = whole if whole in self._files else folder.sidecar_of(path)
        if place not in self._files:
            return {}
        data = self._read(place)
        try:
            return dict(read_sidecar(data).sources)
        except InvalidInput:
            return data

    def _read(self, path: str) -> bytes:
        try:
            return folder.read(self._root, path)
        except OSError as error:
            raise InvalidInput(f"{self._root / path} cannot be read: {error.strerror}") from None


def _pairs(one: _Side, other: _Side) -> Iterator[tuple[str, str]]:
    """Pages of both: those of one path, then those of one slug."""
    by_slug = {slug: path for path, slug in other.slugs.items() if path not in one.slugs}
    for path, slug in one.slugs.items():
        if path in other.slugs:
            yield path, path
        elif slug in by_slug:
            yield path, by_slug[slug]


def _differences(path: str, one: Content, other: Content) -> Iterator[Finding]:
    old, new = one.frontmatter, other.frontmatter
    keys = sorted(key for key in old | new if not (key in old and key in new and old[key] == new[key]))
    if keys:
        yield Finding("frontmatter", f"{path}: {', '.join(keys)} differs", _EXPORT_AGAIN)
    if _lines(one.truth) != _lines(other.truth):
        yield Finding("truth", f"{path}: the compiled truth differs", _EXPORT_AGAIN)
    if _entries(one) != _entries(other) or _lines(one.timeline) != _lines(other.timeline):
        yield Finding("timeline", f"{path}: the timeline differs", _EXPORT_AGAIN)


def _lines(text: str) -> list[str]:
    """Lines without what is invisible at their ends and at the end of all."""
    return [line.rstrip() for line in text.strip().splitlines()]


def _entries(content: Content) -> list[tuple[str, str, str, str]]:
    return [(each.date, each.source, each.summary, each.detail.rstrip()) for each in content.entries]
