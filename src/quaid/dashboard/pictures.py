"""Pictures: images that lie beside pages, and drawings of what is around a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from quaid.app import App
from quaid.errors import InvalidInput, NotFound, QuaidError
from quaid.mcp.workers import Workers
from quaid.model.grant import Grant, Visit
from quaid.operations import confinement
from quaid.operations.graph import GRAPH, Graph
from quaid.operations.text import Style
from quaid.vault import folder
from quaid.web.responses import failure

LARGEST = 20 * 1024 * 1024  # bytes of an image
MOST = 300  # pages of a drawing
KINDS = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".svg": "image/svg+xml",
}
OF_IMAGES = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",  # also of an SVG
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, max-age=60",
}
OF_DRAWINGS = {
    # The drawing has a script of its own, which its own policy names by its hash; here it belongs to nobody.
    "content-security-policy": "sandbox allow-scripts; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
Picture = tuple[str, str | bytes]  # its kind, and what it holds


class Pictures:
    """Answers requests for pictures, as far as somebody may see them."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def image(self, request: Request) -> Response:
        """An image of an attached folder."""
        return await self._response(request, image, OF_IMAGES)

    async def drawing(self, request: Request) -> Response:
        """The file that `quaid graph --format html` writes."""
        return await self._response(request, drawing, OF_DRAWINGS)

    async def _response(
        self,
        request: Request,
        work: Callable[[App, Mapping[str, str], Grant], Picture],
        headers: dict[str, str],
    ) -> Response:
        visit: Visit = request.scope[Visit.KEY]
        try:
            kind, data = await self._workers.run(lambda app, _: work(app, request.query_params, visit.grant))
        except QuaidError as error:
            return failure(error)
        return Response(data, headers=headers, media_type=kind)


def drawing(app: App, asked: Mapping[str, str], grant: Grant) -> Picture:
    """The drawing around a page."""
    depth = asked.get("depth", "2")
    if depth not in ("1", "2", "3"):
        raise InvalidInput("depth is 1, 2 or 3")
    arguments = Graph(slug=asked.get("slug", ""), depth=int(depth), limit=MOST, format="html")
    return "text/html", GRAPH.render(confinement.run(app, GRAPH, arguments, grant.collections), Style())


def image(app: App, asked: Mapping[str, str], grant: Grant) -> Picture:
    """An image, by the path that a page names: from the page (`beside`), or from the folder's root.

    Refused if it is none, or lies outside its folder.
    """
    name = asked.get("collection", "")
    if grant.collections and name not in grant.collections:
        raise NotFound("no such image")
    row = app.collection_row(name)
    if row.root is None:
        raise NotFound("pages of this collection have no files")
    root = app.root_of(row)
    for path in (asked.get("beside", ""), asked.get("path", "")):
        place = _place(root, path)
        if place is not None:
            return KINDS[place.suffix.lower()], place.read_bytes()
    raise NotFound("no such image")


def _place(root: Path, path: str) -> Path | None:
    """Where an image is, if there is one of that name that nobody has hidden or linked from elsewhere."""
    if Path(path).suffix.lower() not in KINDS or any(folder.is_hidden(part) for part in path.split("/")):
        return None
    try:
        place = folder.real(root, path)
        is_file = place.is_file() and not place.is_symlink() and place.stat().st_size <= LARGEST
    except (InvalidInput, OSError, ValueError):
        return None
    return place if is_file else None
