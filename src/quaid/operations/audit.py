"""What is odd about the files and links of a collection."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import FINDINGS_STATUS
from quaid.model.record import record
from quaid.operations.operation import Operation, arg
from quaid.operations.text import Style, counted, shown
from quaid.store import audit, collections, file_state
from quaid.store.audit import OddLink, OddPage

KINDS = ("problems", "dangling", "ambiguous", "collisions", "encodings")


@record
class Audit:
    """Arguments of `collection audit`."""

    name: str | None = arg(
        "The collection; otherwise all.", default=None, positional=True, completes="collection"
    )
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
    named = [app.collection_row(args.name)] if args.name else collections.everything(app.connection)
    found: list[Audited] = []
    for row in named:
        connection = app.connection
        problems = audit.problems(connection, row.id)
        dangling, ambiguous = audit.dangling(connection, row.id), audit.ambiguous(connection, row.id)
        collisions = audit.collisions(connection, row.id)
        encodings = audit.encodings(connection, row.id)
        files = file_state.problems(connection, row.id)
        odd = {
            "files": len(files),
            "problems": len(problems),
            "dangling": len(dangling),
            "ambiguous": len(ambiguous),
            "collisions": len(collisions),
            "encodings": len(encodings),
        }
        found.append(
            Audited(
                collection=row.name,
                state=row.state,
                alarm=row.alarm,
                pages=sum(collections.page_counts(connection, row.id).values()),
                links=audit.link_count(connection, row.id),
                counts=odd,
                files=dict(list(files.items())[: args.limit]),
                problems=tuple(problems[: args.limit]),
                dangling=tuple(dangling[: args.limit]),
                ambiguous=tuple(ambiguous[: args.limit]),
                collisions=tuple(collisions[: args.limit]),
                encodings=tuple(encodings[: args.limit]),
            )
        )
    return AuditReport(tuple(found))


def _text(report: AuditReport, style: Style) -> str:
    return "\n".join(line for each in report.collections for line in _lines(each, style))


def _lines(each: Audited, style: Style) -> list[str]:
    lines = [
        f"{style.name(each.collection)}: {counted(each.pages, 'page')}, {counted(each.links, 'link')}"
        + (style.warning(f"; halted: {shown(each.alarm)}") if each.state == "halted" else "")
    ]
    sections = (
        (
            "files",
            "file not read",
            "files not read",
            [f"{shown(a)}: {shown(b)}" for a, b in each.files.items()],
        ),
        (
            "problems",
            "page not wholly understood",
            "pages not wholly understood",
            _pages(each.problems, style),
        ),
        ("dangling", "link that leads nowhere", "links that lead nowhere", _links(each.dangling, style)),
        (
            "ambiguous",
            "link that fits several pages",
            "links that fit several pages",
            _links(each.ambiguous, style),
        ),
        ("collisions", "slug told apart", "slugs told apart", _pages(each.collisions, style)),
        ("encodings", "page not plain UTF-8", "pages not plain UTF-8", _pages(each.encodings, style)),
    )
    for kind, one, many, listed in sections:
        count = each.counts[kind]
        if count:
            lines.append(f"  {counted(count, one, many)}")
            lines += [f"    {line}" for line in listed]
            if count > len(listed):
                lines.append(style.dim(f"    … and {count - len(listed):,} more; --limit shows more"))
    return lines


def _pages(found: tuple[OddPage, ...], style: Style) -> list[str]:
    return [f"{style.name(each.slug)}: {shown(each.remark)}" for each in found]


def _links(found: tuple[OddLink, ...], style: Style) -> list[str]:
    return [
        f"{style.name(each.slug)} → {shown(each.target)}"
        + (f" (taken as {each.leads_to}; {each.rivals} fit)" if each.rivals > 1 else "")
        for each in found
    ]


def _status(report: AuditReport) -> int:
    return FINDINGS_STATUS if any(sum(each.counts.values()) for each in report.collections) else 0


COLLECTION_AUDIT = Operation(
    "collection audit",
    Audit,
    run_audit,
    render=_text,
    status=_status,
    examples=("collection audit", "collection audit notes --limit 100"),
)
