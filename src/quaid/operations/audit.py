"""What is odd about the files and links of a collection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from apsw import Connection

from quaid.app import App
from quaid.errors import FINDINGS_STATUS
from quaid.model.record import record
from quaid.operations.fields import EVERY_COLLECTION
from quaid.operations.operation import Operation, arg
from quaid.operations.sync import collection_rows
from quaid.operations.text import Style, count_of, left_out, shown
from quaid.store import audit, collections, file_state
from quaid.store.audit import OddLink, OddPage
from quaid.store.collections import CollectionRow

_CHECKS: dict[str, Callable[[Connection, int], Sequence[Any]]] = {
    "problems": audit.problems,
    "dangling": audit.dangling,
    "ambiguous": audit.ambiguous,
    "collisions": audit.collisions,
    "encodings": audit.encodings,
}
_HEADINGS = {
    "files": ("file not read", "files not read"),
    "problems": ("page not wholly understood", "pages not wholly understood"),
    "dangling": ("link that leads nowhere", "links that lead nowhere"),
    "ambiguous": ("link that fits several pages", "links that fit several pages"),
    "collisions": ("slug told apart", "slugs told apart"),
    "encodings": ("page not plain UTF-8", "pages not plain UTF-8"),
}


@record
class Audit:
    name: str | None = EVERY_COLLECTION
    limit: int = arg("How many of each kind are listed.", default=20, least=0)


@record
class Audited:
    """What was found in one collection: how many of each kind, and the first of them."""

    collection: str
    state: str
    alarm: str
    pages: int
    links: int
    counts: dict[str, int]
    files: dict[str, str]
    problems: tuple[OddPage, ...]
    dangling: tuple[OddLink, ...]
    ambiguous: tuple[OddLink, ...]
    collisions: tuple[OddPage, ...]
    encodings: tuple[OddPage, ...]


@record
class AuditReport:
    """All collections that were looked at."""

    collections: tuple[Audited, ...]


def run_audit(app: App, args: Audit) -> AuditReport:
    """List what is odd about the files, pages and links of collections.

    Files that could not be read, pages not wholly understood, links that lead nowhere or fit several pages,
    files whose names would give the same slug, pages that are not UTF-8 or have odd bytes. Nothing of it is
    lost, or wrong by itself.
    """
    return AuditReport(tuple(_audit_of(app, row, args.limit) for row in collection_rows(app, args.name)))


def _audit_of(app: App, row: CollectionRow, limit: int) -> Audited:
    files = file_state.problems(app.connection, row.id)
    odd: dict[str, Sequence[Any]] = {kind: find(app.connection, row.id) for kind, find in _CHECKS.items()}
    return Audited(
        collection=row.name,
        state=row.state,
        alarm=row.alarm,
        pages=sum(collections.page_counts(app.connection, row.id).values()),
        links=audit.link_count(app.connection, row.id),
        counts={"files": len(files), **{kind: len(found) for kind, found in odd.items()}},
        files=dict(list(files.items())[:limit]),
        **{kind: tuple(found[:limit]) for kind, found in odd.items()},
    )


def _lines(each: Audited, style: Style) -> list[str]:
    lines = [
        f"{style.name(each.collection)}: {count_of(each.pages, 'page')}, {count_of(each.links, 'link')}"
        + (style.warning(f"; halted: {shown(each.alarm)}") if each.state == "halted" else "")
    ]
    files = [f"{shown(path)}: {shown(reason)}" for path, reason in each.files.items()]
    for kind, heading in _HEADINGS.items():
        count = each.counts[kind]
        listed = files if kind == "files" else [_line(odd, style) for odd in getattr(each, kind)]
        if count:
            lines.append(f"  {count_of(count, *heading)}")
            lines += [f"    {line}" for line in listed]
            if count > len(listed):
                lines.append(style.dim(f"    {left_out(count - len(listed))}"))
    return lines


def _line(odd: OddPage | OddLink, style: Style) -> str:
    if isinstance(odd, OddPage):
        return f"{style.name(odd.slug)}: {shown(odd.remark)}"
    taken = f" (taken as {odd.leads_to}; {odd.rivals} fit)" if odd.rivals > 1 else ""
    return f"{style.name(odd.slug)} → {shown(odd.target)}{taken}"


COLLECTION_AUDIT = Operation(
    "collection audit",
    run_audit,
    render=lambda report, style: "\n".join(
        line for each in report.collections for line in _lines(each, style)
    ),
    status=lambda report: (
        FINDINGS_STATUS if any(sum(each.counts.values()) for each in report.collections) else 0
    ),
    examples=("collection audit", "collection audit notes --limit 100"),
)
