"""Passwords that were typed into a command: after an option, before a pipe, in a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.formats.secrets.values import is_given, is_password, is_random, is_userinfo
from quaid.formats.secrets.words import Places, Secret, line_before
from quaid.model.record import record

_WORD = r"""(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s"'`|;&<>]{1,200}(?:&[^\s"'`|;&<>]{1,100})?))"""
_PAIR = r"""["']?[^\s:"'$%<>]{0,80}:(?:([^\s"'`<>]{1,200})["']?|([^"'`<>\n]{1,200})["'])"""
_SHARE = r"""["']?[^\s%"'$<>]{1,80}%([^\s"'`<>]{1,200})"""  # as Samba has it: NAME%PASSWORD
_COOKIE = re.compile(r"""[ \t]{0,3}["']?[\w.-]{1,60}=([^\s"'`;&<>]{16,2000})""")
_LOGIN = r"(?:docker|podman|buildah|skopeo|helm|oc|az|nerdctl|crane|oras)[ \t][^\n]{0,80}?login\b[^\n]{0,80}"


@record
class _Option:
    """An option that takes a password, and the programs that have it."""

    spelling: str
    programs: re.Pattern[str]
    value: re.Pattern[str]


def _option(spelling: str, programs: str, value: str) -> _Option:
    before = rf"(?:^|[\s;&|/`($])(?:{programs})(?:\.exe)?\b[^\n|;&]*\Z"
    return _Option(spelling, re.compile(before), re.compile(value))


_OPTIONS = (
    _option(" -u", r"curl|https?|xh|lftp|wget2", rf"[ \t]{{0,3}}{_PAIR}"),
    _option(" -U", r"curl", rf"[ \t]{{0,3}}{_PAIR}"),
    _option(" -U", r"smb\w+|rpcclient|net|winexe|pth-\w+", rf"[ \t]{{0,3}}{_SHARE}"),
    _option(" --user", r"curl|lftp", rf"[ \t=]{_PAIR}"),
    _option(" --user", r"smb\w+|rpcclient", rf"[ \t=]{_SHARE}"),
    _option(" --proxy-user", r"curl", rf"[ \t=]{_PAIR}"),
    _option(" -a", r"https?|xh", rf"[ \t]{{1,3}}{_PAIR}"),
    _option(" -a", r"(?:redis|valkey|keydb)-cli", rf"[ \t]{{1,3}}{_WORD}"),
    _option(" -p", r"mysql\w*|mariadb[\w-]*|mycli|xtrabackup|7z[ar]?", _WORD),
    _option(
        " -p",
        rf"sshpass|{_LOGIN}|mongo\w*|cqlsh|influx|rabbitmqadmin|unrar|rdesktop|evil-winrm|psexec\w*|netexec|nxc|crackmapexec",
        rf"[ \t=]{{0,3}}{_WORD}",
    ),
    _option(" -P", r"sqlcmd|bcp|isql|tsql|mosquitto_\w+|ipmitool|zip|unzip", rf"[ \t]{{0,3}}{_WORD}"),
    _option(" -pw", r"plink|pscp|psftp|putty|winscp", rf"[ \t]{{1,3}}{_WORD}"),
    _option(" -k", r"openssl", rf"[ \t]{{1,3}}{_WORD}"),
    _option(" -w", r"ldap\w+|security", rf"[ \t]{{1,3}}{_WORD}"),
    _option(" -N", r"ssh-keygen", rf"[ \t]{{1,3}}{_WORD}"),
    _option(" -u", r"lftp", r"""[ \t]{0,3}["']?[^\s,:"'$]{1,80},([^\s"'`<>]{1,200})"""),
    _option(" -b", r"curl", _COOKIE.pattern),
)
_BY_WORD: dict[bytes, tuple[_Option, ...]] = {
    word: tuple(each for each in _OPTIONS if each.spelling.lower().encode().startswith(word))
    for word in (b" -u", b" -p", b" -a", b" -w", b" -b", b" -n", b" -k", b" --user", b" --proxy-user")
}
_PIPED = re.compile(
    r"""(?:echo|printf)[ \t]{1,3}(?:-\w{1,4}[ \t]{1,3})?
        (?:"([^"\n]{3,160})"|'([^'\n]{3,160})'|([^\s"'|]{3,160}))
        [ \t]{0,3}\|[^|\n]{0,160}\Z""",
    re.VERBOSE,
)
_HTPASSWD = re.compile(
    r"[ \t]{1,3}-[a-zA-Z]{0,5}b[a-zA-Z]{0,5}[ \t]{1,3}(?:(?:-[\w-]{1,20}|\d{1,6})[ \t]{1,3}){0,3}"
    rf"(?:\S{{1,100}}[ \t]{{1,3}})?\S{{1,60}}[ \t]{{1,3}}{_WORD}[ \t]{{0,3}}(?=\n|\Z|[|;&#])"
)
_OPENSSL = re.compile(r":([^\s\"'`]{3,200})")
_OPENSSL_OPTION = re.compile(r"-pass(?:in|out)?[ \t=]{1,3}[\"']?\Z")
_NET_USE = re.compile(
    r"net user[ \t]{1,3}[^\s/]{1,60}[ \t]{1,3}(?![/*])(\S{3,100})"
    r"|net use[ \t]{1,3}(?:\S{1,20}[ \t]{1,3})?\\\\\S{1,100}[ \t]{1,3}"
    r"(?:/user:\S{1,60}[ \t]{1,3})?(?!/)(\S{3,100})",
    re.I,
)
_SECURE_STRING = re.compile(r"[ \t]{1,3}(?:-String[ \t]{1,3})?(?:\"([^\"\n]{3,200})\"|'([^'\n]{3,200})')")
_AUTH_OPTION = re.compile(rf"[ \t=]{_PAIR}")
_SNMP = re.compile(r"(?:snmp\S*[ \t]{1,3}|^[ \t]*r[ow])\Z", re.IGNORECASE)
_COMMUNITY = re.compile(r"[ \t]{1,3}([^\s\"']{4,60})")
_SESSION = re.compile(
    r"(?<![A-Z] )(?:AUTH|LOGIN)(?:[ \t](?:PLAIN|LOGIN))?[ \t](?:[^\s\"']{1,80}[ \t])?"
    r"[\"']?([^\s\"']{6,200})[\"']?(?=\s|\Z)"
)
_IDENTIFIED = re.compile(
    r"identified(?:[ \t]{1,3}with[ \t]{1,3}\S{1,60})?[ \t]{1,3}(?:by|as)[ \t]{1,3}(?:password[ \t]{1,3})?"
    r"(?:'([^'\n]{1,200})'|\"([^\"\n]{1,200})\")",
    re.IGNORECASE,
)
_SQL = re.compile(r"word[ \t]{0,3}(?:=|\()?[ \t]{0,3}'([^'\n]{1,200})'", re.IGNORECASE)
_STATEMENT = re.compile(r"\b(?:create|alter|set|grant)\b[^\n;]{0,180}\Z", re.IGNORECASE)


def passwords(text: str, words: Places) -> Iterator[Secret]:
    """What commands and statements were given as a password."""
    for word, options in _BY_WORD.items():
        for place in words.get(word, ()):
            for option in options:
                yield from _after(text, place, option)
    for place in words.get(b"sudo -s", ()):
        if text.startswith("-S", place + 5):
            yield from _before_pipe(text, place)
    for place in words.get(b"net use", ()):
        yield from _secrets_in(_NET_USE.match(text, place))
    for place in words.get(b"securestring", ()):
        yield from _secrets_in(_SECURE_STRING.match(text, place + 12))
    for place in words.get(b"community", ()):
        if _SNMP.search(line_before(text, place)):
            yield from _secrets_in(_COMMUNITY.match(text, place + 9))
    for word in (b"auth", b"login"):
        for place in words.get(word, ()):
            if text.startswith("--auth", place - 2):
                yield from _secrets_in(_AUTH_OPTION.match(text, place + 4))
            elif text.startswith(("AUTH ", "LOGIN "), place):
                yield from _secrets_in(_SESSION.match(text, place), strange=True)
    for place in words.get(b"identified", ()):
        if _STATEMENT.search(line_before(text, place)):
            yield from _secrets_in(_IDENTIFIED.match(text, place))
    for place in words.get(b"pass", ()):
        if text.startswith(("word-stdin", "phrase-fd", "wd --stdin"), place + 4):
            yield from _before_pipe(text, place)
        elif text.startswith("wd", place + 4):
            if text.startswith("ht", place - 2):
                yield from _secrets_in(_HTPASSWD.match(text, place + 6))
            elif text.startswith("ch", place - 2):
                yield from _before_pipe(text, place - 2, named=True)
        elif text.startswith(":", place + 4) and _OPENSSL_OPTION.search(text[max(0, place - 14) : place]):
            yield from _secrets_in(_OPENSSL.match(text, place + 4))
        elif (match := _SQL.match(text, place + 4)) and _STATEMENT.search(line_before(text, place)):
            yield from _secrets_in(match)


def _after(text: str, place: int, option: _Option) -> Iterator[Secret]:
    if text.startswith(option.spelling, place):
        match = option.value.match(text, place + len(option.spelling))
        if match and option.programs.search(line_before(text, place)):
            yield from _secrets_in(match, cookie=option.spelling == " -b")


def _before_pipe(text: str, place: int, *, named: bool = False) -> Iterator[Secret]:
    """What is piped into a program that wants a password; `named`: after a name and a colon."""
    before = line_before(text, place)
    match = _PIPED.search(before)
    if not match:
        return
    index = match.lastindex or 1
    value, start = match.group(index), place - len(before) + match.start(index)
    if named:
        name, _, value = value.partition(":")
        start += len(name) + 1
    if is_given(value) and not value.isalpha():
        yield Secret("password", start, start + len(value))


def _secrets_in(
    match: re.Match[str] | None, *, cookie: bool = False, strange: bool = False
) -> Iterator[Secret]:
    """`strange`: the place alone does not tell, so the value has to."""
    if match and match.lastindex:
        value = match.group(match.lastindex)
        if strange and not (is_password(value, loose=True) or is_userinfo(value)):
            return
        if is_random(value) if cookie else is_given(value):
            yield Secret("cookie" if cookie else "password", *match.span(match.lastindex))
