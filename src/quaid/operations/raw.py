"""Raw data: what other systems said about a page."""

from __future__ import annotations

import json
from typing import Any

from quaid.app import App
from quaid.errors import InvalidInput, NotFound
from quaid.model.record import record
from quaid.operations.fields import PAGE, read_version
from quaid.operations.operation import Operation, option
from quaid.operations.text import Style, shown
from quaid.store import raw


@record
class Raw:
    slug: str = PAGE
    source: str | None = option("Who said it, such as crustdata.", positional=True)
    data: Any = option("What it said, as JSON; replaces what it said before.")
    page_version: int | None = read_version("The version that was read; needed with data.", for_tools="data")


@record
class SourceData:
    """One source's data."""

    source: str
    fetched_at: str
    data: Any


@record
class RawData:
    """Raw data of a page."""

    slug: str
    version: int
    sources: tuple[SourceData, ...]


def raw_data(app: App, args: Raw) -> RawData:
    """Read the raw data of a page, or set that of one source."""
    page = app.page(args.slug)
    version = page.version
    if args.data is not None:
        if not args.source or not args.source.strip():
            raise InvalidInput("data needs a source", hint="Say who it comes from.")
        collection = app.collection(page.collection)
        version = collection.set_raw(page.slug, args.source, args.data, args.page_version).version
    found = raw.of_page(app.connection, page.id, args.source)
    if args.source and not found:
        raise NotFound(f"no raw data of {args.source!r} for {page.slug}")
    return RawData(
        page.slug, version, tuple(SourceData(name, at, data) for name, (data, at) in found.items())
    )


def _text(result: RawData, style: Style) -> str:
    parts: list[str] = []
    for each in result.sources:
        data = json.dumps(each.data, ensure_ascii=False, indent=2)
        parts.append(f"{style.bold(shown(each.source))} {style.dim(each.fetched_at)}\n{data}")
    return "\n\n".join(parts) or "No raw data."


RAW = Operation(
    "raw",
    raw_data,
    render=_text,
    effect="write",
    transaction="none",
    examples=("raw people/alice", """raw people/alice crustdata --data '{"headcount": 12}'"""),
    brief="Read raw data of a page, or set a source's.",
    told=("slug", "source", "data", "page_version: with data"),
)
