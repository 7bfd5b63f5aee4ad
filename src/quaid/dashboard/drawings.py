"""The pages around a page, drawn: the file that `quaid graph --format html` writes, in the browser."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from quaid.app import App
from quaid.errors import InvalidInput, QuaidError
from quaid.mcp.workers import Workers
from quaid.model.grant import Grant, Visit
from quaid.operations import confinement
from quaid.operations.graph import GRAPH, Graph
from quaid.operations.text import Style
from quaid.web.responses import failure

MOST = 300  # pages of a drawing
HEADERS = {
    # The drawing has a script of its own, which its own policy names by its hash; here it belongs to nobody.
    "content-security-policy": "sandbox allow-scripts; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


class Drawings:
    """Answers requests for drawings."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def respond(self, request: Request) -> Response:
        """Answer one request."""
        slug, depth = request.query_params.get("slug", ""), request.query_params.get("depth", "2")
        visit: Visit = request.scope[Visit.KEY]
        try:
            if depth not in ("1", "2", "3"):
                raise InvalidInput("depth is 1, 2 or 3")
            page = await self._workers.run(lambda app, _: drawing(app, slug, int(depth), visit.grant))
        except QuaidError as error:
            return failure(error)
        return Response(page, headers=HEADERS, media_type="text/html")


def drawing(app: App, slug: str, depth: int, grant: Grant) -> str:
    """The drawing around a page, as somebody may see it."""
    arguments = Graph(slug=slug, depth=depth, limit=MOST, format="html")
    return GRAPH.render(confinement.run(app, GRAPH, arguments, grant.collections), Style())
