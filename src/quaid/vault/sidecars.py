"""The file beside a page that holds what sources said about it: `.raw/NAME.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from quaid.errors import InvalidInput
from quaid.foreign.importers.importer import read_json
from quaid.model.record import field, record


@record
class Sidecar:
    """Raw data by source, and when each was fetched, as far as that is known."""

    sources: Mapping[str, Any]
    fetched: Mapping[str, str] = field(default={})


def read_sidecar(data: bytes) -> Sidecar:
    """What a file of raw data says."""
    try:
        values = read_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InvalidInput("the raw data is not UTF-8") from None
    sources = values.get("sources") if isinstance(values, dict) else None
    if not isinstance(sources, dict):
        raise InvalidInput('the raw data is not of the form {"sources": {NAME: …}}')
    try:
        json.dumps(sources, ensure_ascii=False, allow_nan=False).encode()
    except ValueError as error:
        raise InvalidInput(f"the raw data cannot be kept: {error}") from None
    fetched = values.get("fetched_at")
    times = fetched if isinstance(fetched, dict) else {}
    return Sidecar(
        {name: value for name, value in sources.items() if name.strip()},
        {name: time for name, time in times.items() if isinstance(time, str) and time},
    )


def sidecar_data(said: Mapping[str, tuple[Any, str]]) -> bytes:
    """The file of a page's raw data: data and time of fetching by source."""
    values = {
        "sources": {name: value for name, (value, _) in said.items()},
        "fetched_at": {name: time for name, (_, time) in said.items()},
    }
    return _file(values)


def with_source(data: bytes | None, source: str, value: Any) -> bytes:
    """The file of a page's raw data with what one source says now; all else in it stays."""
    values = _values_without(data, source, "fetched_at")
    values["sources"][source] = value
    return _file(values)


def without_source(data: bytes | None, source: str) -> bytes | None:
    """The file of a page's raw data without what one source said; None if nothing is left of it."""
    values = _values_without(data, source, "sources", "fetched_at")
    return _file(values) if any(name.strip() for name in values["sources"]) else None


def _values_without(data: bytes | None, source: str, *parts: str) -> dict[str, Any]:
    values: dict[str, Any] = {"sources": {}}
    if data:
        read_sidecar(data)
        values = json.loads(data.decode("utf-8-sig"))
    for part in parts:
        if isinstance(values.get(part), dict):
            values[part].pop(source, None)
    return values


def _file(values: dict[str, Any]) -> bytes:
    return (json.dumps(values, ensure_ascii=False, indent=2) + "\n").encode()


def merged_sidecars(base: bytes, newer: bytes, older: bytes) -> bytes | None:
    """The file with what both sides have made of it, source by source; None where they clash."""
    try:
        texts = [json.loads(data or b"{}") for data in (base, newer, older)]
        for data in (newer, older):
            read_sidecar(data)
    except (ValueError, InvalidInput):
        return None
    merged: dict[str, Any] = {}
    for part in ("sources", "fetched_at"):
        was, new, old = (each.get(part) or {} for each in texts)
        names = [*new, *(name for name in old if name not in new)]
        for name in names:
            before, mine, other = (each.get(name) for each in (was, new, old))
            if mine != other and before not in (mine, other) and part == "sources":
                return None
            kept = other if mine == before else mine
            if kept is not None:
                merged.setdefault(part, {})[name] = kept
    return _file(merged) if merged else None
