"""The command that runs the MCP server."""

from __future__ import annotations

import gc
import secrets
from importlib import import_module
from pathlib import Path

from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import InvalidInput, NotFound

LOOPBACK = "127.0.0.1"
PORT = 8766
SHORTEST = 16  # characters of a token
TOKEN = "QUAID_TOKEN"  # noqa: S105  # the name of a variable


def serve(session: Session, given: Given) -> int:
    """Serve the memory to MCP clients."""
    gc.disable()  # thousands of objects are made while the SDK is loaded, and none is garbage
    serving = import_module("quaid.mcp.transport")  # a surface of its own, which no other command loads
    shared = import_module("quaid.app.shared")
    values = given.values
    address = _address(session, given) if values.get("http") else None
    if address is None and any(values.get(name) for name in ("host", "port", "token_file", "allow_host")):
        raise InvalidInput("--host, --port, --token-file and --allow-host need --http")
    opening = shared.Opening(lambda: session.place.path, session.settings, session.surroundings)
    options = serving.Options(values.get("tools"), not values.get("no_watch"), address)
    status: int = serving.run(opening, options)
    return status


def _address(session: Session, given: Given) -> object:
    """Where to listen, with the token. Beyond this machine, one must be given."""
    http = import_module("quaid.mcp.http")
    host = given.values.get("host") or LOOPBACK
    token = _token(session, given.values.get("token_file"))
    if not token and not http.is_loopback(host):
        raise InvalidInput(
            f"others than you can reach {host}: a token is needed",
            hint=f"Set {TOKEN}, or name a file with --token-file.",
        )
    if token and len(token) < SHORTEST:
        raise InvalidInput(f"a token must have {SHORTEST} characters or more", hint="`openssl rand -hex 32`.")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise InvalidInput("a token has ASCII letters, digits and signs only", hint="`openssl rand -hex 32`.")
    if not token:
        token = secrets.token_urlsafe(32)
        session.console.notify(f"Token, for this run: {token}")
    names = tuple(name for name in (given.values.get("allow_host") or "").lower().split(",") if name)
    if host in http.ANYWHERE and not names:
        raise InvalidInput(
            f"{host} is every address of this machine, and a request must name one that is meant",
            hint="--allow-host memory.example.org:8766 says under which names it answers.",
        )
    return http.Address(host, _port(given.values.get("port")), token, names)


def _port(text: str | None) -> int:
    port = int(text) if text and text.isdecimal() else PORT
    if (text and not text.isdecimal()) or port > 65535:
        raise InvalidInput(f"no port {text!r}")
    return port


def _token(session: Session, file: str | None) -> str:
    if file:
        try:
            return Path(file).expanduser().read_text("utf-8").strip()
        except (OSError, UnicodeError) as error:
            raise NotFound(
                f"cannot read {file}: {error}", hint="--token-file names a file with the token."
            ) from None
    return session.environment.get(TOKEN, "").strip()
