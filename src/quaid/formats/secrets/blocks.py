"""Secrets that are known by how they begin: private keys, hashes of passwords, words of a wallet."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.formats.secrets.words import Places, Secret, behind

_KEY_HEAD = re.compile(r"-----BEGIN (?:(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----")
_KEY_FOOT = re.compile(r"-----END [A-Za-z0-9 ]{1,60}-----")
_SSH2 = re.compile(
    r"---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----\r?\n(?:[^\n]{1,200}\r?\n){1,200}?---- END"
)
_KEY_BODY = re.compile(r"(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{16,}+)*+")
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{24}")
_JWK = re.compile(r"\"(?:d|p|q|dp|dq|qi|k)\"[ \t]{0,3}:[ \t]{0,3}\"([\w-]{32,1000})\"", re.ASCII)
_PUTTY = re.compile(r"Private-Lines: \d{1,3}\r?\n((?:[A-Za-z0-9+/=]{4,80}\r?\n){1,100})")
_CRYPT = r"[A-Za-z0-9./]"
_HASH = re.compile(
    rf"""\$(?:2[abxy]?\$\d\d\${_CRYPT}{{53}}
      |(?:apr1|1)\${_CRYPT}{{1,8}}\${_CRYPT}{{22}}
      |[56]\$(?:rounds=\d{{1,9}}\$)?{_CRYPT}{{1,16}}\${_CRYPT}{{43,86}}
      |(?:y|gy|7)\$[A-Za-z0-9./]{{1,16}}\${_CRYPT}{{1,86}}\${_CRYPT}{{43}}
      |argon2(?:id|i|d)\$(?:v=\d{{1,3}}\$)?[a-z0-9=,]{{5,40}}\$[A-Za-z0-9+/=]{{8,64}}\$[A-Za-z0-9+/=]{{16,128}}
      |(?:pbkdf2(?:-sha\d{{1,3}})?|scrypt|pbkdf2_sha\d{{1,3}})\$[A-Za-z0-9=,]{{1,30}}\$[A-Za-z0-9./+=]{{8,64}}\$[A-Za-z0-9./+=]{{24,128}}
      |[PH]\${_CRYPT}{{31}}(?!\w))""",
    re.VERBOSE,
)
_DJANGO = re.compile(r"(?:pbkdf2|bcrypt)_sha\d{1,3}\$[\w$./+=,-]{40,300}", re.ASCII)
_SCHEME = re.compile(
    r"\{(?:SSHA\d{0,3}|SHA\d{0,3}|SMD5|MD5|CRYPT|PBKDF2[\w-]{0,12})\}[A-Za-z0-9+/=.$]{20,200}"
)
_SCRAM = re.compile(r"SCRAM-SHA-(?:1|256|512)\$\d{3,7}:[A-Za-z0-9+/=]{12,60}\$[A-Za-z0-9+/=:]{40,200}")
_SAM = re.compile(r":\d{3,6}:([0-9a-fA-F]{32}:[0-9a-fA-F]{32}):::")
_MYSQL = re.compile(r"\*[0-9A-F]{40}(?![0-9A-Za-z])")
_ENCODED = re.compile(r"\n[ \t]{1,8}[\w.-]{1,60}:[ \t]([A-Za-z0-9+/]{8,8000}={0,2})(?=\s|\Z)")
_PHRASE = re.compile(
    r"(?:[ \t]{0,3}(?:phrase|words?|key|backup)){0,2}[ \t]{0,3}(?:is|are|:|=)?"
    r"[ \t]{0,3}[\"'`:\n]{0,3}[ \t]{0,3}"
    r"((?:[a-z]{3,8}[ \t,]{1,2}){11,23}[a-z]{3,8})(?![a-z])"
)


# A sign without which a form does not occur, and the form.
_HASHES = (
    ("$", _HASH),
    ("_sha", _DJANGO),
    ("SCRAM", _SCRAM),
    (":::", _SAM),
    ("*", _MYSQL),
    ("{", _SCHEME),
)


def private_keys(text: str, words: Places) -> Iterator[Secret]:
    """Private keys in their armour, whole or with their end cut off, and PuTTY's."""
    start = text.find("-----BEGIN")
    while start >= 0:
        head = _KEY_HEAD.match(text, start)
        start += 10
        if head:
            start = head.end()
            stop = text.find("-----", start)
            stop = len(text) if stop < 0 else stop
            foot = _KEY_FOOT.match(text, stop)
            body = None if foot else _KEY_BODY.match(text, start, stop)
            end = foot.end() if foot else body.end() if body else start
            if _KEY_LINE.search(text, start, end):
                yield Secret("private-key", head.start(), end)
                start = end
        start = text.find("-----BEGIN", start)
    if '"kty"' in text:
        yield from (Secret("private-key", *match.span(1)) for match in _JWK.finditer(text))
    if "- BEGIN SSH2 " in text:
        yield from (Secret("private-key", *match.span()) for match in _SSH2.finditer(text))
    for place in words.get(b"private-lines", ()):
        match = _PUTTY.match(text, place)
        if match:
            yield Secret("private-key", *match.span(1))


def hashes(text: str) -> Iterator[Secret]:
    """Hashes of passwords, as in htpasswd, shadow and tables of users: they can be guessed at."""
    for literal, form in _HASHES:
        for match in form.finditer(text) if literal in text else ():
            yield Secret("password-hash", *match.span(match.lastindex or 0))


def manifests(text: str) -> Iterator[Secret]:
    """The values of a Secret of Kubernetes, which are only encoded."""
    place = text.find("kind: Secret")
    while place >= 0:
        following = text.find("kind: ", place + 6)
        end = following if following >= 0 else len(text)
        data = text.find("\ndata:", place, end)
        for match in _ENCODED.finditer(text, data, end) if data >= 0 else ():
            yield Secret("assigned-secret", *match.span(1))
        place = text.find("kind: Secret", place + 12)


def phrases(text: str, words: Places) -> Iterator[Secret]:
    """Twelve or more words that restore a wallet."""
    for match in behind(text, words, _PHRASE, b"seed", b"mnemonic", b"recovery phrase"):
        yield Secret("recovery-phrase", *match.span(1))
