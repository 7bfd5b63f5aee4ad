"""The addresses of OAuth: what describes the server, and where clients and the person go."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.handlers.metadata import MetadataHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.revoke import RevocationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import ClientAuthenticator
from mcp.server.auth.routes import (
    build_metadata,
    build_resource_metadata_url,
    create_protected_resource_routes,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.transport_security import RequestBodyLimitMiddleware
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, request_response

from quaid.web.gate import MCP, Doors
from quaid.web.oauth import SCOPES, Provider

DESCRIBED = "/.well-known/oauth-authorization-server"
LARGEST = 64 * 1024  # bytes of a request
PUBLIC = "none"  # how a client proves who it is: it has no secret


class Authorization:
    """The addresses, with what answers there; all of them are open to whoever has no token."""

    def __init__(self, provider: Provider) -> None:
        issuer = AuthSettings.model_validate(
            {"issuer_url": provider.issuer, "resource_server_url": None}
        ).issuer_url
        resource = AnyHttpUrl(f"{provider.issuer}{MCP}")
        scopes = list(SCOPES)
        registration = ClientRegistrationOptions(enabled=True, valid_scopes=scopes, default_scopes=scopes)
        described = build_metadata(issuer, None, registration, RevocationOptions(enabled=True))
        described.token_endpoint_auth_methods_supported = [PUBLIC]
        described.revocation_endpoint_auth_methods_supported = [PUBLIC]
        described.authorization_response_iss_parameter_supported = True
        known = ClientAuthenticator(provider)
        self.routes = [
            *create_protected_resource_routes(resource, [issuer], scopes, "Quaid"),
            _route(DESCRIBED, MetadataHandler(described).handle, "GET"),
            _route("/register", RegistrationHandler(provider, registration).handle, "POST"),
            _route("/authorize", AuthorizationHandler(provider).handle, "GET", "POST"),
            _route("/consent", provider.consent, "GET", "POST"),
            _route("/token", TokenHandler(provider, known).handle, "POST"),
            _route("/revoke", RevocationHandler(provider, known).handle, "POST"),
        ]
        paths, pages = frozenset(route.path for route in self.routes), frozenset({"/authorize", "/consent"})
        self.doors = Doors(
            paths=paths,
            pages=pages,
            shared=paths - pages | {MCP},
            described_at=str(build_resource_metadata_url(resource)),
        )


def _route(path: str, answer: Callable[[Request], Awaitable[Response]], *methods: str) -> Route:
    return Route(path, RequestBodyLimitMiddleware(request_response(answer), LARGEST), methods=list(methods))
