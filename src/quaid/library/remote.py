"""A memory of a server, asked over HTTP.

A call is a POST of its arguments as JSON. Connections are kept for the next call. No redirect is followed:
the token goes to the server that was named, and to nobody else.
"""

from __future__ import annotations

import ipaddress
import json
import selectors
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import socket
from typing import Any
from urllib.parse import quote, urlsplit

from quaid import __version__
from quaid.errors import ERRORS, InvalidInput, QuaidError, Unreachable
from quaid.library.memory import Caller
from quaid.library.records import result_of
from quaid.model.record import fields_of, record
from quaid.operations.operation import Operation
from quaid.operations.results import as_data

NOTICES = "Quaid-Notices"  # a header: a JSON list of what a person would be told besides the answer
KEPT = 8  # connections that wait for the next call
FRESH = 2.0  # seconds in which no server closes one: what changes something cannot simply be sent again
_BY_CODE = {error.code: error for error in ERRORS}
_TOKEN_HINT = "Give the server's token: quaid.open(address, token=…)."  # noqa: S105  # no token


@record
class Address:
    """Where a server is, and what opens it."""

    secure: bool
    host: str
    port: int | None
    path: str
    token: str

    def __str__(self) -> str:
        scheme = "https" if self.secure else "http"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}{f':{self.port}' if self.port else ''}{self.path}"


def read_address(url: str, token: str, *, insecure: bool) -> Address:
    """The server that an address names. What is said to it must not be read on the way."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidInput(f"{url!r} is no address of a server") from None
    host = parts.hostname or ""
    if not host or parts.username or parts.query or parts.fragment:
        raise InvalidInput(
            f"{url!r} is no address of a server", hint="Such as https://memory.example.org; a token is apart."
        )
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise InvalidInput("a token has ASCII letters, digits and signs only")
    secure = parts.scheme.lower() == "https"
    if not (secure or insecure or _is_loopback(host)):
        raise InvalidInput(
            f"whatever is said to {host} over plain HTTP can be read on the way",
            hint="Use https://. insecure=True says that you know why that does not matter.",
        )
    return Address(secure, host, port, parts.path.rstrip("/"), token)


class RemoteMemory:
    """A server's memory."""

    def __init__(self, address: Address, caller: Caller, timeout: float) -> None:
        self._address = address
        self._timeout = timeout
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": f"{quote(caller.name)} quaid/{__version__}",
        }
        if address.token:
            self._headers["Authorization"] = f"Bearer {address.token}"
        if caller.session:
            self._headers["Quaid-Session"] = quote(caller.session)
        self._idle: list[tuple[HTTPConnection, float]] = []  # and since when
        self._lock = threading.Lock()
        self._is_closed = False

    def run(self, operation: Operation[Any, Any], arguments: Any, notices: list[str]) -> Any:
        """Let the server run an operation."""
        path = f"{self._address.path}/api/{quote(operation.name.replace(' ', '/'))}"
        answer, text = self._response(path, _arguments(arguments), repeatable=operation.effect == "read")
        told = _json(answer.headers.get(NOTICES, "[]").encode())
        notices += [str(each) for each in told or ()]
        if answer.status == 200:
            return result_of(operation, _json(text))
        raise _failure(answer.status, _json(text), operation.name)

    def close(self) -> None:
        """Let go of the connections."""
        with self._lock:
            self._is_closed = True
            kept, self._idle = self._idle, []
        for connection, _ in kept:
            connection.close()

    def __str__(self) -> str:
        return str(self._address)

    def _response(self, path: str, values: dict[str, Any], *, repeatable: bool) -> tuple[HTTPResponse, bytes]:
        """The server's answer. What only reads is asked again where the server had closed the connection."""
        body = json.dumps(values, ensure_ascii=False).encode()
        while True:
            connection, is_used = self._connection(anything=repeatable)
            try:
                connection.request("POST", path, body, self._headers)
                answer = connection.getresponse()
                text = answer.read()
            except (OSError, HTTPException) as error:
                connection.close()
                if repeatable and is_used and not isinstance(error, TimeoutError):
                    continue
                raise self._unreachable(error, repeatable) from None
            except BaseException:
                connection.close()
                raise
            self._keep(connection)
            return answer, text

    def _connection(self, *, anything: bool) -> tuple[HTTPConnection, bool]:
        """A connection, and whether it was used before. One that the server has closed is not taken."""
        with self._lock:
            if self._is_closed:
                raise InvalidInput("the memory is closed", hint="Open it again.")
            while self._idle:
                kept, since = self._idle.pop()
                fresh = anything or time.monotonic() - since < FRESH
                if fresh and kept.sock is not None and not _is_readable(kept.sock):
                    return kept, True
                kept.close()
        made = HTTPSConnection if self._address.secure else HTTPConnection
        return made(self._address.host, self._address.port, timeout=self._timeout), False

    def _keep(self, connection: HTTPConnection) -> None:
        with self._lock:
            if not self._is_closed and len(self._idle) < KEPT and connection.sock is not None:
                self._idle.append((connection, time.monotonic()))
                return
        connection.close()

    def _unreachable(self, error: Exception, repeatable: bool) -> Unreachable:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        if isinstance(error, TimeoutError):
            reason = f"no answer within {self._timeout:g} s"
        unknown = "" if repeatable else " Whether it was done is not known: look before you repeat it."
        return Unreachable(
            f"{self._address} cannot be reached: {reason}",
            hint=f"Does `quaid serve --http` run there?{unknown}",
        )


def _arguments(arguments: Any) -> dict[str, Any]:
    """The arguments that are not what they are anyway."""
    given = ((field, getattr(arguments, field.name)) for field in fields_of(arguments))
    return {each.name.rstrip("_"): as_data(value) for each, value in given if value != each.default}


def _failure(status: int, data: Any, name: str) -> QuaidError:
    """The error that the server told of."""
    told = data.get("error") if isinstance(data, dict) else None
    if not isinstance(told, dict):
        told = {}
    message = str(told.get("message") or f"the server answered {name!r} with status {status}")
    hint = str(told.get("hint") or "")
    kind = _BY_CODE.get(str(told.get("code")))
    if kind is None:
        return Unreachable(message, hint=hint or (_TOKEN_HINT if status in (401, 403) else ""), status=status)
    more = {key: value for key, value in told.items() if key not in ("code", "message", "hint")}
    return kind(message, hint, **more)


def _json(text: bytes) -> Any:
    """JSON, or None: a proxy may answer with a page."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _is_readable(connection: socket) -> bool:
    """Whether something came unasked: the end, most likely."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        return bool(selector.select(0))


def _is_loopback(host: str) -> bool:
    """Whether what is said to it stays on this machine."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
