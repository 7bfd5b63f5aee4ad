"""The socket that is listened at, and the process behind it."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import anyio
import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from quaid.app.shared import Opening
from quaid.errors import InvalidInput, QuaidError, StorageFailed
from quaid.mcp import transport
from quaid.mcp.background import warn
from quaid.model.record import replace
from quaid.web import rest
from quaid.web.application import Application, make_app
from quaid.web.gate import MCP, Address, Policy

GRACE = 2  # seconds that open requests have when the server ends
HEAD = 10.0  # seconds in which a client must have said what it wants
IDLE = 30  # seconds for which a connection without requests is kept
CONNECTIONS = 1_000


def run(opening: Opening, options: transport.Options, policy: Policy) -> NoReturn:
    """Serve over HTTP until the process is told to end."""
    if policy.address.certificate:  # what is wrong with it is said before anything starts
        encryption(*policy.address.certificate)

    def serving(served: transport.Served, gone: Any) -> None:
        listening = listen(policy.address.host, policy.address.port)
        own = replace(policy.address, port=listening.getsockname()[1])
        server = answerer(make_app(served, replace(policy, address=own)), own)
        warn(f"MCP server at {own}{MCP}, operations at {own}{rest.ROOT}")
        anyio.run(server.serve, [listening])

    transport.run(opening, options, serving)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, so that the address is known before the server starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because only then asyncio sends at once, and no answer waits 40 ms for the client.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise _cannot_listen(host, port, error) from None
    listening.listen()
    return listening


class Answerer(uvicorn.Server):
    """What speaks HTTP."""

    def __init__(self, config: uvicorn.Config, end: Callable[[], None]) -> None:
        super().__init__(config)
        self._end = end

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End answers that would go on for ever, and give the others a moment."""
        self._end()
        await super().shutdown(sockets)


def answerer(app: Application, address: Address) -> Answerer:
    """What speaks HTTP for an application."""
    context = encryption(*address.certificate) if address.certificate else None
    config = uvicorn.Config(
        app.asgi,
        http=PunctualProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=address.behind_proxy,
        forwarded_allow_ips="*",
        ssl_context_factory=(lambda *_: context) if context else None,
        ws="none",
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=GRACE,
    )
    return Answerer(config, app.end)


def encryption(certificate: str, key: str) -> ssl.SSLContext:
    """TLS with a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # Nobody can be asked for the password of a key that is encrypted, so it is not opened.
        context.load_cert_chain(Path(certificate).expanduser(), Path(key).expanduser(), lambda: "")
    except (OSError, ValueError) as error:
        raise InvalidInput(
            f"{certificate} and {key} are no certificate with its key: {error}",
            hint="--tls-cert and --tls-key name PEM files that you can read.",
        ) from None
    return context


class PunctualProtocol(H11Protocol):
    """Drops whoever connects and does not say in time what it wants; uvicorn itself would wait for ever."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self._waiting or self.loop.call_later(HEAD, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None


def _cannot_listen(host: str, port: int, error: OSError) -> QuaidError:
    if isinstance(error, socket.gaierror) or error.errno in (errno.EADDRNOTAVAIL, errno.EINVAL):
        return InvalidInput(
            f"no address {host!r}", hint="Give --host an address of this machine, such as 127.0.0.1."
        )
    return StorageFailed(f"cannot listen at {host}:{port}: {error.strerror}", hint="Choose another --port.")
