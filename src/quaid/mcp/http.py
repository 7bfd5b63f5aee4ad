"""The server over HTTP, for clients that do not start it themselves.

Any page in a browser can reach a port of this machine. So every request, whatever its method, must name
this server as its host, come from no foreign page, and carry the token.
"""

from __future__ import annotations

import errno
import hmac
import ipaddress
import socket
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from quaid.errors import InvalidInput, QuaidError, StorageFailed
from quaid.model.record import record

PATH = "/mcp"
GRACE = 2  # seconds that open requests have when the server ends
LARGEST = 64 * 1024 * 1024  # bytes of a request: a page may be large
CODES = {401: "unauthorized", 403: "forbidden", 415: "invalid_input", 421: "misdirected"}
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104  # addresses to listen at, not names


@record
class Address:
    """Where the server listens, and under which names it is reached."""

    host: str
    port: int
    token: str
    names: tuple[str, ...] = ()

    @property
    def hosts(self) -> frozenset[str]:
        """What a request may call us."""
        own = {self.host, *self.names} - set(ANYWHERE)
        if is_loopback(self.host):
            own |= {"127.0.0.1", "localhost", "::1"}
        bracketed = {f"[{name}]" if ":" in name else name for name in own}
        return frozenset({f"{name}:{self.port}" for name in bracketed} | set(self.names))


class Gate:
    """Lets a request pass that is meant for us and carries the token."""

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self._app = app
        self._hosts = address.hosts
        self._origins = frozenset(
            f"{scheme}://{host}" for host in address.hosts for scheme in ("http", "https")
        )
        self._token = address.token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request."""
        refused = self._refusal(scope["method"], Headers(scope=scope)) if scope["type"] == "http" else None
        if refused is None:
            await self._app(scope, receive, send)
            return
        status, message = refused
        headers = {"www-authenticate": 'Bearer realm="quaid"'} if status == 401 else {}
        error = {"code": CODES[status], "message": message}
        await JSONResponse({"error": error}, status, headers)(scope, receive, send)

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        if headers.get("host", "").lower() not in self._hosts:
            return 421, "this server does not answer to that name; see --allow-host"
        if "origin" in headers and headers["origin"] not in self._origins:
            return 403, "requests of other origins are refused"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "requests of other sites are refused"
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), self._token):
            return 401, "the token is missing or wrong"
        if (
            method == "POST"
            and headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json"
        ):
            return 415, "only JSON is accepted"
        return None


def make_app(server: Server[Any], address: Address) -> ASGIApp:
    """The whole application."""
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        max_request_body_size=LARGEST,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=False
        ),  # the gate does it
    )
    return Gate(inner, address)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, so that the address is known before the server starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise _cannot_listen(host, port, error) from None
    listening.listen()
    return listening


async def serve(server: Server[Any], address: Address, listening: socket.socket) -> None:
    """Answer until the process is told to end."""
    config = uvicorn.Config(
        make_app(server, address),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=GRACE,
    )
    await uvicorn.Server(config).serve(sockets=[listening])


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _cannot_listen(host: str, port: int, error: OSError) -> QuaidError:
    if isinstance(error, socket.gaierror) or error.errno in (errno.EADDRNOTAVAIL, errno.EINVAL):
        return InvalidInput(
            f"no address {host!r}", hint="Give --host an address of this machine, such as 127.0.0.1."
        )
    return StorageFailed(f"cannot listen at {host}:{port}: {error.strerror}", hint="Choose another --port.")
