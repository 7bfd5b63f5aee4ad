"""The command that runs the server."""

from __future__ import annotations

import gc
import secrets
from importlib import import_module
from pathlib import Path
from typing import Any

from quaid.cli.commands import LISTENING
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import InvalidInput, NotFound

LOOPBACK = "127.0.0.1"
PORT = 8766
ONLY_HTTP = (*(each.name for each in LISTENING), "log", "debug")
SHORTEST = 16  # characters of a token
TOKEN = "QUAID_TOKEN"  # noqa: S105  # the name of a variable


def serve(session: Session, given: Given) -> int:
    """Serve the memory to MCP clients and other programs."""
    gc.disable()  # thousands of objects are made while the SDK is loaded, and none is garbage
    transport = import_module("quaid.mcp.transport")  # a surface of its own, which no other command loads
    shared = import_module("quaid.app.shared")
    values = given.values
    opening = shared.Opening(lambda: session.memory, session.settings, session.surroundings)
    options = transport.Options(values.get("tools"), not values.get("no_watch"))
    if values.get("http"):
        return _serve_http(session, given, opening, options)
    for name in ONLY_HTTP:
        if values.get(name):
            raise InvalidInput(f"--{name.replace('_', '-')} needs --http")
    status: int = transport.run(opening, options)
    return status


def _serve_http(session: Session, given: Given, opening: object, options: object) -> int:
    listener, gate = import_module("quaid.web.listener"), import_module("quaid.web.gate")
    limits, log = import_module("quaid.web.limits"), import_module("quaid.web.log")
    address = checked_address(given)
    keys = _keys(session, given, within=gate.is_loopback(address.host))
    policy = gate.Policy(
        address=address,
        keys=keys,
        limit=limits.Limit(
            session.settings.integer("server.rate"), session.settings.integer("server.at_once")
        ),
        log=log.Log.open_log(given.values.get("log")),
        oauth=session.console.notify if given.values.get("oauth") else None,
        debug=bool(given.values.get("debug")),
    )
    status: int = listener.run(opening, options, policy)
    return status


def checked_address(given: Given) -> Any:
    """Where to listen. What others can reach must be encrypted, here or before."""
    gate, values = import_module("quaid.web.gate"), given.values
    host, certificate, key = values.get("host") or LOOPBACK, values.get("tls_cert"), values.get("tls_key")
    if bool(certificate) != bool(key):
        raise InvalidInput("--tls-cert and --tls-key belong together")
    if not (certificate or values.get("behind_proxy") or gate.is_loopback(host)):
        raise InvalidInput(
            f"others than you can reach {host}, and read what is said on the way",
            hint="Give --tls-cert and --tls-key; --behind-proxy says that a proxy before it does TLS.",
        )
    names = tuple(name for name in (values.get("allow_host") or "").lower().split(",") if name)
    if host in gate.ANYWHERE and not names:
        raise InvalidInput(
            f"{host} is every address of this machine, and a request must name one that is meant",
            hint="--allow-host memory.example.org:8766 says under which names it answers.",
        )
    return gate.Address(
        host=host,
        port=port_of(values.get("port")),
        names=names,
        certificate=(certificate, key) if certificate else None,
        behind_proxy=bool(values.get("behind_proxy")),
    )


def _keys(session: Session, given: Given, *, within: bool) -> object:
    """Who may ask: whoever has the token that was given, or one that has a name, or gets one by OAuth.

    Where there is none, and only this machine can reach the server, one is made.
    """
    keys = import_module("quaid.web.keys")
    shared, oauth = _token(session, given.values.get("token_file")), given.values.get("oauth")
    known = keys.Keys(session.home, lambda: session.memory, shared)
    if shared or oauth or (known.tokens and known.tokens.everything()):
        return known
    if not within:
        raise InvalidInput(
            "others than you can reach it: a token is needed",
            hint=f"`quaid token add NAME`, or set {TOKEN}, or name a file with --token-file.",
        )
    made = secrets.token_urlsafe(32)
    session.console.notify(f"Token, for this run: {made}")
    return keys.Keys(session.home, lambda: session.memory, made)


def port_of(text: str | None) -> int:
    """The port that is meant."""
    port = int(text) if text and text.isdecimal() else PORT
    if (text and not text.isdecimal()) or port > 65535:
        raise InvalidInput(f"no port {text!r}")
    return port


def _token(session: Session, file: str | None) -> str:
    """The token that was given, or none."""
    token = session.environment.get(TOKEN, "").strip()
    if file:
        try:
            token = Path(file).expanduser().read_text("utf-8").strip()
        except (OSError, UnicodeError) as error:
            raise NotFound(
                f"cannot read {file}: {error}", hint="--token-file names a file with the token."
            ) from None
    if token and len(token) < SHORTEST:
        raise InvalidInput(f"a token must have {SHORTEST} characters or more", hint="`openssl rand -hex 32`.")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise InvalidInput("a token has ASCII letters, digits and signs only", hint="`openssl rand -hex 32`.")
    return token
