"""Images that lie beside pages."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from quaid.app import App
from quaid.errors import InvalidInput, NotFound, QuaidError
from quaid.mcp.workers import Workers
from quaid.model.grant import Visit
from quaid.model.record import record
from quaid.vault import folder
from quaid.web.responses import failure

LARGEST = 20 * 1024 * 1024  # bytes
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
HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",  # also of an SVG
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, max-age=60",
}


@record
class Wanted:
    """A file, by the path that a page names: from the folder's root, or from the page."""

    collection: str
    path: str
    beside: str


class Files:
    """Answers requests for images of attached folders."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def respond(self, request: Request) -> Response:
        """Answer one request."""
        query = request.query_params
        wanted = Wanted(query.get("collection", ""), query.get("path", ""), query.get("beside", ""))
        visit: Visit = request.scope[Visit.KEY]
        try:
            if visit.grant.collections and wanted.collection not in visit.grant.collections:
                raise NotFound("no such image")
            kind, data = await self._workers.run(lambda app, _: image(app, wanted))
        except QuaidError as error:
            return failure(error)
        return Response(data, headers=HEADERS, media_type=kind)


def image(app: App, wanted: Wanted) -> tuple[str, bytes]:
    """The kind and bytes of an image; refused if it is none, or lies outside its folder."""
    row = app.collection_row(wanted.collection)
    if row.root is None:
        raise NotFound("pages of this collection have no files")
    root = app.root_of(row)
    for path in (wanted.beside, wanted.path):
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
