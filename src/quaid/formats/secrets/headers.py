"""Secrets in headers of HTTP: what stands after Authorization, Bearer, Basic and Cookie."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.formats.secrets.values import FILLER, PLACEHOLDER, UUID, is_key, is_random, is_userinfo
from quaid.formats.secrets.words import Places, Secret, behind

_BEARER = re.compile(r"[ \t]{1,4}([\w\-.~+/]{16,2000}=*)", re.ASCII | re.IGNORECASE)
_BASIC = re.compile(r"[ \t]{1,4}([A-Za-z0-9+/_-]{8,400}={0,2})", re.IGNORECASE)
_AUTHORIZATION = re.compile(
    r"""orization["'`]{0,2}[ \t]{0,3}[:=,][ \t]{0,3}["'`]{0,2}
        (?:[A-Za-z][\w-]{1,20}[ \t]{1,3})?(?:[A-Za-z]{2,12}=["']?)?([\w\-.~+/:]{16,2000}=*)""",
    re.ASCII | re.VERBOSE | re.IGNORECASE,
)
_DIGEST = re.compile(
    r"orization:[ \t]{0,3}Digest[ \t][^\n]{0,600}?response=[\"']?([0-9a-f]{32,64})", re.IGNORECASE
)
_COOKIE = re.compile(r"cookies?[\"'`]{0,2}[ \t]{0,3}[:=]?[ \t]{0,3}[\"'`]?([^\n\"'`]{8,4000})", re.IGNORECASE)
_ALONE = re.compile(r"[\w%.~+/-]{20,4000}", re.ASCII)
_CRUMB = re.compile(r"(?<![\w.$-])([\w.$-]{1,60}+)=([^\s;,&\"'`]{16,2000})", re.ASCII)
# What sites keep about a visitor, and not who the visitor is.
_COUNTED = re.compile(
    r"_g[ac]|_gid|_fbp|__utm|_hj|optimizely|amplitude|consent|theme|lang|locale|expires|path|domain", re.I
)


def credentials(text: str, words: Places) -> Iterator[Secret]:
    """What lets somebody in."""
    for match in behind(text, words, _BEARER, b"bearer"):
        if is_random(match.group(1)) and not FILLER.search(match.group(1)[-24:]):
            yield Secret("bearer-token", *match.span(1))
    for match in behind(text, words, _BASIC, b"basic"):
        if is_userinfo(match.group(1)):
            yield Secret("basic-credentials", *match.span(1))
    seen = 0
    for place in words.get(b"cookie", ()):
        cookie = _COOKIE.match(text, place) if place >= seen else None
        if cookie:
            seen = cookie.end()
            yield from _crumbs(text, *cookie.span(1))
    for form in (_AUTHORIZATION, _DIGEST):
        for match in behind(text, words, form, b"auth"):
            value = match.group(1)
            if (is_random(value) or UUID.match(value)) and not PLACEHOLDER.match(value):
                yield Secret("authorization", *match.span(1))


def _crumbs(text: str, start: int, end: int) -> Iterator[Secret]:
    """The parts of a cookie that name a session, or all of it if it has no parts."""
    alone = _ALONE.match(text, start, end)
    if alone and is_key(alone.group()):
        yield Secret("cookie", *alone.span())
    for match in _CRUMB.finditer(text, start, end):
        name, value = match.groups()
        if not _COUNTED.match(name) and not PLACEHOLDER.match(value) and is_random(value):
            yield Secret("cookie", *match.span(2))
