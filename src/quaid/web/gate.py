"""What every request passes, whatever it asks for.

Any page in a browser can reach a port of this machine. So every request, whatever its method, must name
this server as its host, come from no foreign page, and carry a token. A client that runs in a page elsewhere
is let in where nothing but what it shows counts: at the addresses of OAuth and at `/mcp`, never by a cookie.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quaid.errors import Forbidden, InvalidInput, Limited, QuaidError, Unauthorized
from quaid.model.grant import Grant, Visit
from quaid.model.record import record
from quaid.web.cookies import Cookies, cookie_name
from quaid.web.keys import Keys
from quaid.web.limits import Limit, Limits
from quaid.web.log import Line, Log
from quaid.web.responses import failure

HEALTH = "/healthz"  # for whoever keeps the server running: it needs no token, and tells nothing
MCP = "/mcp"
DATA = "/api/"  # where a cookie is as good as a token
STREAMS = (MCP, "/api/events")  # where GET has an answer without an end
PATIENCE = 60.0  # seconds that a client has to send what it announces
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104  # addresses to listen at, not names
STRANGER = Grant("", "read")  # who has no token
TOLD = ("WWW-Authenticate", "Mcp-Session-Id", "Mcp-Protocol-Version", "Retry-After")  # to pages elsewhere


@record
class Address:
    """Where the server listens, and under which names it is reached."""

    host: str
    port: int
    names: tuple[str, ...] = ()
    certificate: tuple[str, str] | None = None  # files with the certificate and its key: TLS
    behind_proxy: bool = False  # which does TLS, and says for whom it asks

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.certificate else 'http'}://{host}:{self.port}"

    @property
    def public(self) -> str:
        """The address by which others know this server."""
        return f"https://{self.names[0]}" if self.names else str(self)

    @property
    def hosts(self) -> frozenset[str]:
        """What a request may call us."""
        own = {self.host, *self.names} - set(ANYWHERE)
        if is_loopback(self.host) or self.host in ANYWHERE:
            own |= {"127.0.0.1", "localhost", "::1"}
        bracketed = {f"[{name}]" if ":" in name else name for name in own}
        return frozenset({f"{name}:{self.port}" for name in bracketed} | set(self.names))


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@record
class Doors:
    """What is open to whoever has no token yet, and where that is said to those who are refused."""

    paths: frozenset[str] = frozenset()
    pages: frozenset[str] = frozenset()  # of them: to which a link on another site may lead
    described_at: str = ""
    shared: frozenset[str] = frozenset()  # where pages of other sites may ask, by what they show alone
    views: frozenset[str] = frozenset()  # first parts of addresses at which there is a program, and no data

    def is_open(self, path: str) -> bool:
        """Whether whoever has no token may have it."""
        return path in self.paths or path.split("/")[1] in self.views


@record
class Policy:
    """Who is let in, how much each may ask for, and where that is noted."""

    address: Address
    keys: Keys
    limit: Limit = Limit()
    log: Log = Log()
    cookies: Cookies | None = None  # of the person's browser; None: there are none
    oauth: Callable[[str], None] | None = None  # tells the person what to prove themself with
    debug: bool = False  # whether tests and developers may look inside


class Gate:
    """Lets a request pass that is meant for us and carries a token."""

    def __init__(self, app: ASGIApp, policy: Policy, doors: Doors) -> None:
        self._app = app
        self._hosts = policy.address.hosts
        self._origins = frozenset(
            f"{scheme}://{host}" for host in self._hosts for scheme in ("http", "https")
        )
        self._keys = policy.keys
        self._limits = Limits(policy.limit)
        self._log = policy.log
        self._cookies = policy.cookies
        self._cookie = cookie_name(policy.address.port)
        self._doors = doors
        # Whatever a client sends beside its token, it may: a header alone opens nothing.
        self._shared = CORSMiddleware(
            self._admit,
            allow_origins=["*"],
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],
            allow_private_network=True,
            expose_headers=TOLD,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request, pass it on, and note it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"] in self._doors.shared:
            await self._shared(scope, receive, send)
        else:
            await self._admit(scope, receive, send)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = monotonic()
        visit = scope[Visit.KEY] = Visit(STRANGER)
        exchange = Exchange(receive, send, PATIENCE)
        try:
            await self._pass(scope, visit, exchange)
        finally:
            milliseconds = round((monotonic() - began) * 1000, 1)
            address = (scope.get("client") or ("",))[0]
            what = visit.operation or scope["path"][:100]
            self._log.note(Line(visit.grant.name, address, what, exchange.status, milliseconds))

    async def _pass(self, scope: Scope, visit: Visit, exchange: Exchange) -> None:
        headers = Headers(scope=scope)
        try:
            self._refuse_foreign(scope, headers)
            if scope["path"] == HEALTH:
                await self._app(scope, exchange.receive, exchange.send)
                return
            if not self._doors.is_open(scope["path"]):
                self._identify(scope, headers, visit)
            stream = scope["method"] == "GET" and scope["path"] in STREAMS
            with self._limits.turn(visit.grant.name, stream=stream), suppress(ClientDisconnect):
                await self._app(scope, exchange.receive, exchange.send)
        except Refusal as refusal:
            await exchange.answer(failure(refusal.error, refusal.status, refusal.headers), scope)
        except Limited as error:
            wait = {"retry-after": str(error.data["retry_after"])}
            await exchange.answer(failure(error, headers=wait), scope)
        except QuaidError as error:  # who may ask cannot be told
            if not exchange.status:
                await exchange.answer(failure(error), scope)
        if exchange.is_late and not exchange.status:
            late = InvalidInput(f"the request did not arrive within {PATIENCE:g} seconds")
            await exchange.answer(failure(late, 408, {"connection": "close"}), scope)

    def _refuse_foreign(self, scope: Scope, headers: Headers) -> None:
        """Refuse a request that is not meant for us, or that another page makes."""
        if headers.get("host", "").lower() not in self._hosts:
            raise Refusal(
                Forbidden("this server does not answer to that name", hint="--allow-host adds one."), 421
            )
        if scope["path"] in self._doors.shared:
            return
        if "origin" in headers and headers["origin"] not in self._origins:
            raise Refusal(Forbidden("requests of other origins are refused"))
        is_link = scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"
        if is_link and scope["path"] in self._doors.pages:
            return
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Refusal(Forbidden("requests of other sites are refused"))

    def _identify(self, scope: Scope, headers: Headers, visit: Visit) -> None:
        """Refuse a request whose sender may not ask, or that asks in a form's clothes."""
        scheme, _, words = headers.get("authorization", "").partition(" ")
        given = words.strip()
        find: Callable[[str], Grant | None] = self._keys.grant
        if not scheme and self._cookies and scope["path"].startswith(DATA):
            given, find = cookie_parser(headers.get("cookie", "")).get(self._cookie, ""), self._cookies.grant
        grant = find(given) if scheme.lower() in ("", "bearer") else None
        if grant is None:
            error = Unauthorized("the token is missing or wrong", hint="Authorization: Bearer TOKEN")
            where = f', resource_metadata="{self._doors.described_at}"' if self._doors.described_at else ""
            raise Refusal(error, headers={"www-authenticate": f'Bearer realm="quaid"{where}'})
        visit.grant = grant
        visit.is_valid = lambda: find(given) == grant
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if scope["method"] == "POST" and kind != "application/json":
            raise Refusal(InvalidInput("only JSON is accepted", hint="Content-Type: application/json"), 415)
        # The SDK lets a session be used by whoever opened it alone, and looks here for who that is.
        scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=grant.name, scopes=[grant.can]))


class Refusal(Exception):
    """A request goes no further, with the status that the protocol has for the case."""

    def __init__(
        self, error: QuaidError, status: int | None = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(error.message)
        self.error = error
        self.status = status
        self.headers = headers


class Exchange:
    """What a client sends, in time, or it counts as gone; and what it is answered."""

    def __init__(self, receive: Receive, send: Send, patience: float) -> None:
        self._receive = receive
        self._send = send
        self._patience = patience
        self._ends: float | None = None
        self._is_whole = False
        self.is_late = False
        self.status = 0  # of the answer, once it has begun

    async def receive(self) -> Message:
        """The next part. After the last, whoever asks waits for the client to go, however long that takes."""
        if self._is_whole:
            return await self._receive()
        now = asyncio.get_running_loop().time()
        self._ends = self._ends or now + self._patience
        try:
            message = await asyncio.wait_for(self._receive(), self._ends - now)
        except TimeoutError:
            self.is_late = True
            return {"type": "http.disconnect"}
        self._is_whole = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """A part of the answer; what is said about a request that was cut off is no answer to it."""
        if self.is_late and not self.status:
            return
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)

    async def answer(self, response: Response, scope: Scope) -> None:
        """Answer from here, whatever was to be said."""
        self.status = response.status_code
        await response(scope, self._receive, self._send)
