"""Pages that have to do with a page, and why."""

from __future__ import annotations

from quaid.app import App
from quaid.graph.picture import PageName
from quaid.graph.related import Reason, Relative
from quaid.graph.related import related as relatives
from quaid.index.matrix import VectorMatrix
from quaid.model.interval import span_text
from quaid.model.record import record
from quaid.operations.days import day_of
from quaid.operations.fields import AS_OF, PAGE
from quaid.operations.operation import Operation, arg
from quaid.operations.text import Style, count_of, shown
from quaid.store import embeddings
from quaid.store.graph import Scope
from quaid.store.relations import Temporal


@record
class Related:
    slug: str = PAGE
    limit: int = arg("How many at most.", default=10, least=1)
    temporal: Temporal = arg("Which links count.", default="current")
    at: str | None = AS_OF


@record
class SharedLink:
    """A link with the related page; `out` if it starts from the page that was asked for."""

    id: int
    relationship: str
    out: bool
    valid_from: str | None = None
    valid_until: str | None = None


@record
class ReasonView:
    """Why a page is related: `link`, `shared` neighbours or `meaning`; the weight is from 0 to 1."""

    why: str
    weight: float
    links: tuple[SharedLink, ...] | None = None
    shared: tuple[str, ...] | None = None
    count: int | None = None
    cosine: float | None = None


@record
class RelatedPage(PageName):
    """A related page; its score is the sum of its reasons' weights."""

    score: float
    reasons: tuple[ReasonView, ...]


@record
class RelatedPages:
    """Pages that have to do with a page, best first."""

    slug: str
    pages: tuple[RelatedPage, ...]


def related(app: App, args: Related) -> RelatedPages:
    """Pages that have to do with a page, and why: links, neighbours that both have, similar texts.

    Texts count as far as they are embedded; no model is loaded.
    """
    page = app.page(args.slug)
    scope = Scope(args.temporal, day_of(app, args.at))
    model = embeddings.active(app.connection)
    matrix = VectorMatrix(app.store.path, model) if model else None
    found = relatives(app.connection, page.id, scope, args.limit, model, matrix)
    return RelatedPages(page.slug, tuple(_view(each, page.id) for each in found))


def _view(relative: Relative, page_id: int) -> RelatedPage:
    node = relative.node
    reasons = tuple(_reason(each, page_id) for each in relative.reasons)
    return RelatedPage(node.slug, node.title, node.type, round(relative.score, 3), reasons)


def _reason(reason: Reason, page_id: int) -> ReasonView:
    links = tuple(
        SharedLink(each.id, each.relationship, each.from_id == page_id, each.valid.since, each.valid.until)
        for each in reason.links
    )
    return ReasonView(
        why=reason.why,
        weight=round(reason.weight, 3),
        links=links or None,
        shared=tuple(each.slug for each in reason.shared) or None,
        count=reason.count or None,
        cosine=round(reason.cosine, 3) if reason.why == "meaning" else None,
    )


def _related_text(result: RelatedPages, style: Style) -> str:
    lines = []
    for page in result.pages:
        lines.append(f"{page.score:.2f}  {style.name(page.slug)}  {shown(page.title)}".rstrip())
        lines += [f"      {_why(each, style)}" for each in page.reasons]
    return "\n".join(lines) or "Nothing is related to this page yet."


def _why(reason: ReasonView, style: Style) -> str:
    if reason.links:
        words = ", ".join(_link(each) for each in reason.links)
    elif reason.shared:
        count = reason.count or 0
        rest = ", …" if count > len(reason.shared) else ""
        words = f"{count_of(count, 'shared neighbour')}: {', '.join(reason.shared)}{rest}"
    else:
        words = f"similar text: cosine {reason.cosine:.2f}"
    return f"{words} {style.dim(f'({reason.weight:.2f})')}"


def _link(link: SharedLink) -> str:
    span = span_text(link.valid_from, link.valid_until)
    return " ".join(part for part in ("→" if link.out else "←", shown(link.relationship), span) if part)


RELATED = Operation(
    "related",
    related,
    render=_related_text,
    examples=("related people/alice", "related people/alice --limit 3 --at 2024-06-01"),
    looks="pages",
)
