"""Requests that are safe to make: encrypted, or to this machine."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from http.client import HTTPException
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from quaid.errors import InvalidInput

FAILURES = (OSError, HTTPException)  # what reading an answer may raise; HTTPError is an OSError


class NoRedirects(HTTPRedirectHandler):
    """Another address must not get what was meant for this one, least of all a key."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        """None: the redirection is an error like any other."""


class SafeRedirects(HTTPRedirectHandler):
    """Goes where it is sent, if a request there is safe too."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> Request | None:
        """The next request; it carries the headers of the first."""
        check_address(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def check_address(address: str) -> None:
    """Refuse an address that would send texts in the clear, or that is none."""
    try:
        parts = urlsplit(address)
        host = parts.hostname
        parts.port  # noqa: B018 - reading it checks it
    except ValueError as error:
        raise InvalidInput(f"{address!r} is not an address: {error}") from None
    if not host or parts.scheme not in ("http", "https"):
        raise InvalidInput(f"{address!r} is not an address of the form https://host/path")
    if parts.username or parts.password:
        raise InvalidInput(f"the address of {host} contains a name or a password", hint="Leave it out.")
    if parts.scheme == "http" and not is_loopback(host):
        raise InvalidInput(
            f"{address} is not encrypted", hint="Use https; plain http is for this machine only."
        )


def is_loopback(host: str) -> bool:
    """Whether the host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def make_opener(
    address: str, environment: Mapping[str, str], redirects: HTTPRedirectHandler
) -> OpenerDirector:
    """What makes requests to an address, through the proxy that the environment names for it, if any."""
    check_address(address)
    proxy = environment.get("https_proxy") or environment.get("HTTPS_PROXY")
    remote = not is_loopback(urlsplit(address).hostname or "")
    return build_opener(ProxyHandler({"https": proxy} if proxy and remote else {}), redirects)


def reason_of(error: Exception) -> str:
    """Why a request failed, in few words."""
    if isinstance(error, HTTPError):
        return f"HTTP status {error.code}"
    return str(getattr(error, "reason", None) or error) or type(error).__name__
