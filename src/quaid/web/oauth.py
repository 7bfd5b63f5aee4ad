"""OAuth 2.1 for clients that run elsewhere: registration, PKCE, and a page on which the person decides.

The parts of the protocol are the SDK's. What a client gets is a named token like any other: hashed, listed by
`quaid token list`, revocable; it lasts an hour and is renewed with another secret, which changes each time.
Clients have no secrets of their own: each request for a token proves by PKCE who began it.
"""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.handlers.metadata import MetadataHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.revoke import RevocationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import ClientAuthenticator
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    RegistrationError,
    TokenError,
    construct_redirect_uri,
)
from mcp.server.auth.routes import (
    build_metadata,
    build_resource_metadata_url,
    create_protected_resource_routes,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.transport_security import RequestBodyLimitMiddleware
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, request_response

from quaid.app.app import utc_now
from quaid.app.tokens import Token, Tokens
from quaid.errors import QuaidError
from quaid.mcp.workers import Workers
from quaid.model.grant import Right
from quaid.store import collections
from quaid.web import consent
from quaid.web.gate import MCP, Doors
from quaid.web.keys import Keys

SCOPES = ("read", "write")
LASTING = 3_600  # seconds of a token
RENEWABLE = 60 * 86_400  # seconds in which it must be renewed
DECIDING = 600  # seconds that the person has
EXCHANGING = 60  # seconds that the client has
WAITING = 20  # questions at a time; the oldest goes
TRIES = 5
UNDECIDED = 200  # clients that nobody has let in yet
NEVER = ("javascript", "data", "file", "blob", "vbscript", "about")  # schemes to which nobody is sent
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Question:
    """What a person is asked, and the code that proves who they are."""

    def __init__(
        self, client: OAuthClientInformationFull, params: AuthorizationParams, resource: str
    ) -> None:
        self.client = client
        self.params = params
        self.resource = resource
        self.code = "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(3))
        self.ends = time.time() + DECIDING
        self.left = TRIES

    @property
    def name(self) -> str:
        return self.client.client_name or "a program without a name"

    @property
    def can(self) -> Right:
        """The most that it asks for."""
        return "write" if "write" in (self.params.scopes or SCOPES) else "read"


class Granted(AuthorizationCode):
    """What the person allowed, until the client fetches its token."""

    name: str
    collections: tuple[str, ...] = ()


class Provider(OAuthAuthorizationServerProvider[Granted, RefreshToken, AccessToken]):
    """Decides who gets a token: whoever the person lets in."""

    def __init__(self, issuer: str, keys: Keys, workers: Workers, tell: Callable[[str], None]) -> None:
        self.issuer = issuer
        self._keys = keys
        self._workers = workers
        self._tell = tell
        self._clients: dict[str, OAuthClientInformationFull] = {}  # that nobody has let in yet
        self._questions: dict[str, Question] = {}
        self._granted: dict[str, Granted] = {}

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """A client that has registered."""
        known = self._tokens.client(client_id)
        return OAuthClientInformationFull.model_validate(known) if known else self._clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Take note of a client; it is forgotten unless the person lets it in."""
        for address in client_info.redirect_uris or ():
            _check_redirect(str(address))
        client_info.token_endpoint_auth_method = "none"  # noqa: S105  # no password
        client_info.client_secret = None
        client_info.client_secret_expires_at = None
        _remember(self._clients, str(client_info.client_id), client_info, UNDECIDED)

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Where the person is asked."""
        if params.resource and params.resource.rstrip("/") not in (self.issuer, f"{self.issuer}/mcp"):
            raise AuthorizeError("invalid_target", "this server gives no tokens for another one")
        question = Question(client, params, params.resource or f"{self.issuer}/mcp")
        identity = secrets.token_urlsafe(32)
        _remember(self._questions, identity, question, WAITING)
        place = consent.place_of(str(params.redirect_uri))
        self._tell(f"{question.name[: consent.LONGEST]!r} ({place}) wants in; the code is {question.code}")
        return f"{self.issuer}/consent?request={identity}"

    async def consent(self, request: Request) -> Response:
        """Ask the person, and hear their answer."""
        sent = await request.form() if request.method == "POST" else request.query_params
        identity = str(sent.get("request", ""))
        question = self._questions.get(identity)
        if question is None or question.ends < time.time():
            return consent.message("This question is not open any more. Let the program ask again.", 404)
        if request.method == "GET":
            return await self._ask(identity, question)
        if sent.get("answer") != "allow":
            del self._questions[identity]
            return self._back(question, error="access_denied")
        if not self._is_proven(question, str(sent.get("code", ""))):
            question.left -= 1
            if question.left <= 0:
                del self._questions[identity]
                return consent.message("That was wrong too often. Let the program ask again.", 403)
            return await self._ask(identity, question, "The code is wrong.")
        del self._questions[identity]
        can: Right = "write" if sent.get("can") == "write" and question.can == "write" else "read"
        chosen = [str(each) for each in sent.getlist("collection")]
        return self._back(question, code=self._allow(question, can, tuple(chosen)))

    async def _ask(self, identity: str, question: Question, wrong: str = "") -> Response:
        names = await self._workers.run(lambda app, _: collections.names(app.connection))
        redirect = str(question.params.redirect_uri)
        return consent.page(
            consent.Asked(identity, question.name, redirect, question.can, tuple(names), wrong)
        )

    def _is_proven(self, question: Question, code: str) -> bool:
        """Whether who answers sees the server's terminal, or has the owner's token."""
        given = code.strip()
        if hmac.compare_digest(given.lower().encode(), question.code.encode()):
            return True
        grant = self._keys.grant(given)
        return grant is not None and grant.covers("own")

    def _allow(self, question: Question, can: Right, chosen: tuple[str, ...]) -> str:
        client, params = question.client, question.params
        code = secrets.token_urlsafe(32)
        granted = Granted(
            code=code,
            scopes=[scope for scope in SCOPES if scope == "read" or can == "write"],
            expires_at=time.time() + EXCHANGING,
            client_id=str(client.client_id),
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=question.resource,
            name=_token_name(question.name),
            collections=chosen,
        )
        _remember(self._granted, code, granted, WAITING)
        self._tokens.keep_client(str(client.client_id), client.model_dump(mode="json", exclude_none=True))
        return code

    def _back(self, question: Question, **told: str) -> Response:
        """Take the person back to the program, with the answer."""
        address = construct_redirect_uri(
            str(question.params.redirect_uri), **told, state=question.params.state, iss=self.issuer
        )
        return RedirectResponse(address, 302, {"cache-control": "no-store", "referrer-policy": "no-referrer"})

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> Granted | None:
        """What was allowed."""
        return self._granted.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: Granted
    ) -> OAuthToken:
        """A token for what was allowed; once."""
        granted = self._granted.pop(authorization_code.code, None)
        if granted is None:
            raise TokenError("invalid_grant", "the code was used already")
        token = Token(
            name=granted.name,
            digest="",
            can="write" if "write" in granted.scopes else "read",
            collections=granted.collections,
            created=utc_now(),
            expires=_moment(LASTING),
            client=granted.client_id,
            renewable=_moment(RENEWABLE),
        )
        _, secret, renewal = self._tokens.add_for_client(token)
        return _answer(secret, renewal, granted.scopes)

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        """The token that can be renewed with that."""
        found = self._tokens.token_renewed_by(refresh_token, str(client.client_id), utc_now())
        if found is None:
            return None
        return RefreshToken(token=refresh_token, client_id=found.client, scopes=_scopes(found))

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        """Another token in the place of one."""
        found = self._tokens.token_renewed_by(refresh_token.token, str(client.client_id), utc_now())
        if found is None:
            raise TokenError("invalid_grant", "it was renewed already")
        try:
            secret, renewal = self._tokens.renew(found, _moment(LASTING), _moment(RENEWABLE))
        except QuaidError as error:
            raise TokenError("invalid_grant", error.message) from None
        return _answer(secret, renewal, _scopes(found))

    async def load_access_token(self, token: str) -> AccessToken | None:
        """A token that is valid."""
        found = self._tokens.find(token, utc_now())
        return AccessToken(token=token, client_id=found.client, scopes=_scopes(found)) if found else None

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """Forget a token that its client needs no longer."""
        found = self._tokens.find(token.token, utc_now()) or self._tokens.token_renewed_by(
            token.token, token.client_id, utc_now()
        )
        if found and found.client:
            self._tokens.revoke(found.name)

    @property
    def _tokens(self) -> Tokens:
        return self._keys.demand_tokens()


def _answer(secret: str, renewal: str, scopes: list[str]) -> OAuthToken:
    return OAuthToken(access_token=secret, expires_in=LASTING, scope=" ".join(scopes), refresh_token=renewal)


def _scopes(token: Token) -> list[str]:
    return [scope for scope in SCOPES if token.grant().covers("write" if scope == "write" else "read")]


def _check_redirect(address: str) -> None:
    parts = urlsplit(address)
    is_plain = parts.scheme == "http" and parts.hostname not in _LOOPBACK
    if parts.scheme in NEVER or is_plain or parts.fragment:
        raise RegistrationError("invalid_redirect_uri", f"nobody is sent to {address[:200]}")


def _token_name(client: str) -> str:
    """What a token is called in lists, from what its client calls itself."""
    plain = re.sub(r"[^a-z0-9]+", "-", client.lower()).strip("-")[:40].strip("-")
    return plain or "client"


def _remember(known: dict[str, Any], key: str, value: object, most: int) -> None:
    known[key] = value
    while len(known) > most:
        del known[next(iter(known))]


def _moment(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


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
