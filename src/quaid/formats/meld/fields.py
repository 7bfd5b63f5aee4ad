"""A field that both sides have changed: mappings by key, lists as sets, all else as one value."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quaid.errors import InvalidInput
from quaid.formats.markdown import frontmatter, yaml_edits
from quaid.formats.markdown.yaml_edits import Path
from quaid.formats.meld.parts import KEYWORD

_MISSING: Any = object()
_TIME_FIELDS = (
    "updated updated_at modified modified_at date_modified last_modified lastmod mtime last_curated"
)
_TIMES = frozenset(_TIME_FIELDS.split())
_TIME = re.compile(r"[\[<]?\d{4}-\d\d-\d\d")
_WORD_FIELDS = frozenset(("tags", "tag", "aliases", "alias"))
_WORD_LINES = frozenset(
    ("filetags", "roam_aliases", "roam_alias", "roam_tags", "roam_refs", "tags", "aliases")
)
_COMMENT = re.compile(r"(?:^|[ \t])#[^\n]*", re.MULTILINE)
_FACT = ("subject", "predicate", "object")
_LINKED = ("to", "target", "slug")
_NAMES = ("id", "uuid", "key", "name", "title", "url", "slug")
_KEYWORD = re.compile(r"([ \t]*#\+([^\s:]+):[ \t]*)(.*?)([ \t]*\r?\n?)\Z", re.DOTALL)
_PROPERTY = re.compile(r"([ \t]*:(\S+?)\+?:[ \t]*)(.*?)([ \t]*\r?\n?)\Z", re.DOTALL)
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+')


def field_settled(base: str | None, newer: str, older: str) -> tuple[str, bool]:
    """The lines of a field in frontmatter, and whether the sides clash."""
    texts = [f"---\n{each}---\n" for each in (base or "", newer, older)]
    read = [frontmatter.read(each) for each in texts]
    if any(problems for _, problems in read) or any(len(values) != 1 for values, _ in read[1:]):
        return newer, True
    key = next(iter(read[1][0]))
    old, new, other = (values.get(key, _MISSING) for values, _ in read)
    if key.lower() in _TIMES and _TIME.match(str(new)) and _TIME.match(str(other)):
        return (newer if str(new) >= str(other) else older), False
    if key.lower() in _WORD_FIELDS:
        old, new, other = (_listed(each) for each in (old, new, other))
    union = _Union()
    value = union.of(old, new, other)
    try:
        text = _rewritten(texts[1], (key,), read[1][0][key], value)
    except InvalidInput:
        return newer, True
    inner = text[len("---\n") : -len("---\n")]
    lost = set(_COMMENT.findall(older)) - set(_COMMENT.findall(base or "")) - set(_COMMENT.findall(inner))
    return inner, union.clashes or bool(lost)


def line_settled(kind: str, base: str | None, newer: str, older: str) -> tuple[str, bool]:
    """The line of a keyword or property of an org file, and whether the sides clash."""
    pattern = _KEYWORD if kind == KEYWORD else _PROPERTY
    was = pattern.match(base or "")
    new, old = pattern.match(newer), pattern.match(older)
    if new is None or old is None:
        return newer, True
    key, before = new[2].lower(), was[3] if was else ""
    if key in _TIMES and _TIME.match(new[3]) and _TIME.match(old[3]):
        return (newer if new[3] >= old[3] else older), False
    if new[3] == old[3] or old[3] == before:
        return newer, False
    if new[3] == before:
        return older, False
    if key in _WORD_LINES:
        return f"{new[1]}{_words_united(before, new[3], old[3])}{new[4]}", False
    if key in ("relation", "assertion"):
        return _mapping_settled(before, newer, older, new)
    return newer, True


def _mapping_settled(before: str, newer: str, older: str, new: re.Match[str]) -> tuple[str, bool]:
    old = _KEYWORD.match(older)
    given = f"a: {before}\n" if before else None
    text, clashes = field_settled(given, f"a: {new[3]}\n", f"a: {old[3] if old else ''}\n")
    line = text.removeprefix("a: ").rstrip("\n")
    return (newer, True) if "\n" in line else (f"{new[1]}{line}{new[4]}", clashes)


def _words_united(base: str, newer: str, older: str) -> str:
    """Tags between colons, or words and quoted names: those of both sides."""
    colons = newer.startswith(":") or older.startswith(":")
    split: Callable[[str], list[str]] = (
        (lambda text: [word for word in re.split(r"[:\s]+", text) if word]) if colons else _WORD.findall
    )
    kept = united_set(split(base), split(newer), split(older))
    return f":{':'.join(kept)}:" if colons and kept else " ".join(kept)


def united_set(base: Sequence[str], newer: Sequence[str], older: Sequence[str]) -> list[str]:
    """The words of both sides, without those that either took away."""
    kept = [word for word in newer if word in older or word not in base]
    return [*kept, *(word for word in older if word not in newer and word not in base)]


class _Union:
    """Merges values, and remembers whether they clashed anywhere."""

    def __init__(self) -> None:
        self.clashes = False

    def of(self, base: Any, newer: Any, older: Any) -> Any:
        if newer == older or older == base:
            return newer
        if newer == base:
            return older
        if isinstance(newer, dict) and isinstance(older, dict):
            return self._mapping(base if isinstance(base, dict) else {}, newer, older)
        if isinstance(newer, list) and isinstance(older, list):
            return self._list(base if isinstance(base, list) else [], newer, older)
        self.clashes = True
        return older if newer is _MISSING else newer

    def _mapping(
        self, base: Mapping[str, Any], newer: Mapping[str, Any], older: Mapping[str, Any]
    ) -> dict[str, Any]:
        keys = [*newer, *(key for key in older if key not in newer)]
        merged = {key: self.of(*(each.get(key, _MISSING) for each in (base, newer, older))) for key in keys}
        return {key: value for key, value in merged.items() if value is not _MISSING}

    def _list(self, base: list[Any], newer: list[Any], older: list[Any]) -> list[Any]:
        was, new, old = _by_identity(base), _by_identity(newer), _by_identity(older)
        return list(self._mapping(was, new, old).values())


def _by_identity(items: Sequence[Any]) -> dict[str, Any]:
    """Items by what makes each of them the one that it is; a second of the same is another."""
    seen: Counter[str] = Counter()
    found: dict[str, Any] = {}
    for item in items:
        name = _identity(item)
        seen[name] += 1
        found[f"{name} {seen[name]}"] = item
    return found


def _identity(item: Any) -> str:
    if isinstance(item, dict):
        if all(key in item for key in _FACT):
            return json.dumps([item[key] for key in _FACT])
        linked = next((item[key] for key in _LINKED if key in item), None)
        if linked is not None:
            return json.dumps([linked, item.get("relationship")])
        for key in _NAMES:
            if key in item:
                return json.dumps([key, item[key]])
    return json.dumps(item, sort_keys=True)


def _listed(value: Any) -> Any:
    """Tags and names that are written as words, as a list."""
    if isinstance(value, str):
        return [word for word in re.split(r"\s*,\s*" if "," in value else r"\s+", value.strip()) if word]
    return value


def _rewritten(head: str, path: Path, old: Any, new: Any) -> str:
    """The text with what differs changed in place."""
    if isinstance(old, dict) and isinstance(new, dict) and new:
        for key in [key for key in old if key not in new]:
            head = yaml_edits.delete_value(head, (*path, key))
        for key, value in new.items():
            head = _rewritten(head, (*path, key), old.get(key, _MISSING), value)
        return head
    if isinstance(old, list) and isinstance(new, list) and new and old:
        return _rewritten_list(head, path, old, new)
    return head if old == new and old is not _MISSING else yaml_edits.set_value(head, path, new)


def _rewritten_list(head: str, path: Path, old: list[Any], new: list[Any]) -> str:
    was, now = _by_identity(old), _by_identity(new)
    names = list(was)
    for place in range(len(names) - 1, -1, -1):
        if names[place] not in now and len(names) > 1:
            head = yaml_edits.delete_value(head, (*path, place))
            del names[place]
    for place, name in enumerate(names):
        if name in now:
            head = _rewritten(head, (*path, place), was[name], now[name])
    for name in now:
        if name not in names:
            head = yaml_edits.set_value(head, (*path, len(names)), now[name])
            names.append(name)
    if names[0] not in now:
        head = yaml_edits.delete_value(head, (*path, 0))
    return head
