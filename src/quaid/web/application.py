"""The whole application: MCP, operations and health, behind the gate."""

from __future__ import annotations

from collections.abc import Callable

from anyio import to_thread
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from quaid import __version__
from quaid.errors import NotFound
from quaid.mcp.transport import Served
from quaid.model.record import record
from quaid.web import debug, rest
from quaid.web.events import EVENTS, Events
from quaid.web.feed import Feed
from quaid.web.gate import HEALTH, MCP, Doors, Gate, Policy
from quaid.web.oauth import Authorization, Provider
from quaid.web.openapi import openapi
from quaid.web.responses import answer, failure, json_bytes


@record
class Application:
    """Everything that the server answers, and what is to be called before it waits for the last answers."""

    asgi: ASGIApp
    end: Callable[[], None]


@record
class Extension:
    """What else the server has, and which of that needs no token."""

    routes: tuple[Route, ...] = ()
    doors: Doors = Doors()


BARE = Extension()


def make_app(served: Served, policy: Policy, extension: Extension = BARE) -> Application:
    """The application over a memory."""
    feed = Feed(served.workers)
    doors, open_routes = extension.doors, list(extension.routes)
    if policy.debug:
        open_routes += debug.routes(served.workers)
    if policy.oauth:
        provider = Provider(policy.address.public, policy.keys, served.workers, policy.oauth)
        authorization = Authorization(provider)
        doors, open_routes = authorization.doors, [*open_routes, *authorization.routes]
    routes = [
        *open_routes,
        Route(HEALTH, _health, methods=["GET"]),
        Route(rest.ROOT + "openapi.json", _description, methods=["GET"]),
        Route(EVENTS, Events(served.workers, feed)),
        Route(rest.ROOT + "{name:path}", rest.Rest(served.workers)),
        Route("/{path:path}", _nothing, methods=None),
    ]
    inner = served.server.streamable_http_app(
        streamable_http_path=MCP,
        json_response=True,
        max_request_body_size=rest.LARGEST,
        # The gate does it.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        custom_starlette_routes=routes,
    )
    return Application(Gate(inner, policy, doors), feed.close)


async def _health(request: Request) -> Response:
    return answer(json_bytes({"ok": True, "version": __version__}))


async def _description(request: Request) -> Response:
    return answer(await to_thread.run_sync(openapi))


async def _nothing(request: Request) -> Response:
    return failure(NotFound("there is nothing here", hint=f"There are {MCP} and {rest.ROOT}openapi.json."))
