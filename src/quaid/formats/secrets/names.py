"""What is assigned to a name that says password, secret, token, session or key, or told to be one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.formats.secrets.values import (
    UUID,
    is_figures,
    is_given,
    is_key,
    is_password,
    is_placeholder,
    is_random,
    is_userinfo,
)
from quaid.formats.secrets.words import Places, Secret, line_before
from quaid.model.record import record

_VALUE = r"""\\{0,2}(?:[bru](?=["']))?
        (?:"(?P<double>[^"\n]{4,300})"|'(?P<single>[^'\n]{4,300})'|`(?P<code>[^`\n]{4,300})`
          |(?P<bare>[^\s"'`<>,;()\[\]{}|]{4,300}))"""
# After a word that names a secret: the rest of the name, a sign, and the value, in quotes or bare. The sign
# is all that stands between a name and its value, also in XML, in a list of variables, or in a declaration.
_ASSIGNED = re.compile(
    rf"""(?P<rest>[\w-]{{0,24}}+)["'`\]*\\]{{0,4}}(?:[ \t]?\([^)\n]{{1,30}}\))?
        (?P<sign>[ \t]{{0,4}}(?::=|=>|={{1,3}}|:)|[ \t]{{0,3}}>(?=[^<\n]{{4,200}}</)
          |,?\s{{1,20}}["']?value["']?[ \t]{{0,2}}[:=]|[ \t]\{{[^{{}}]{{0,120}}?default[ \t]{{0,4}}=
          |\((?=[bru]?["'])|,(?=[ \t]{{0,4}}["'])|[ \t]{{1,3}}(?:->|→|—|–|-{{1,2}})(?=[ \t])
          |[ \t]{{0,3}}\|(?=[ \t]{{0,40}}\S{{4,80}}[ \t]{{0,40}}\|)|[ \t](?=\S))
        (?P<gap>[ \t]{{0,40}})\*{{0,2}}[ \t]{{0,4}}(?:[0579][ \t](?=[0-9A-F]{{8}}))?{_VALUE}""",
    re.VERBOSE,
)
# The same in a sentence: what it is for, and a verb.
_TOLD = re.compile(
    rf"""(?P<rest>s?)["'*]{{0,2}}
        (?:[ \t](?:for|on|of|at|in|from|für|vom|von|pour|du|de|del|do|para)[ \t][^\n:;=.]{{1,60}}?)?
        (?P<sign>[ \t]{{0,2}}:|['’]s
          |[ \t](?:is|was|are|to|be|ist|war|lautet|heißt|auf|est|es|era|é|è|now|still|then))
        (?:[ \t](?:now|still|just|then|jetzt|again|simply|currently|set|to|be|called|nun|also)){{0,2}}:?
        [ \t]{{1,3}}{_VALUE}""",
    re.VERBOSE,
)
_PHRASE = re.compile(
    r"phrase[ \t]{0,2}(?::|=|is)[ \t]{1,3}([a-z]{3,12}(?:[ \t][a-z]{3,12}){3,9})(?=[.\s]*(?:\n|\Z))"
)
_NEXT_LINE = re.compile(
    r"(?:word|wort|phrase|code)[*_]{0,2}:[*_]{0,2}[ \t]{0,3}[|>]?-?\r?\n"
    r"[ \t>*-]{0,8}[`\"']?([^\s`\"']{6,80})[`\"']?[ \t]{0,3}(?=\r?\n|\Z)"
)
_PASSWORDS = (b"pass", b"pw", b"psk", b"kennwort", b"contrase", b"senha", b"clave", b"parola", b"wachtwoord")
_WORDS = (*_PASSWORDS, b"secret", b"token", b"key", b"cred", b"auth", b"sess")
_NOT_OF_NAMES = re.compile(r"[^\w.:-]")
_RESTS = {
    b"pass": re.compile(r"(?:word|wort|wd|phrase|code|key|e)?s?(?:[_-]?\d+)?(?:[_-].*)?\Z"),
    b"pw": re.compile(r"d?s?\d?(?:[_-].*)?\Z"),
    b"contrase": re.compile(r".?as?\Z"),
    b"wachtwoord": re.compile(r"en\Z|\Z"),
    b"cred": re.compile(r"(?:ential)?s?(?:[_-].*)?\Z"),
    b"sess": re.compile(r"ion(?:[_-]?(?:id|key|token|cookie))?\Z|id\Z"),
    **dict.fromkeys((b"psk", b"kennwort", b"senha", b"clave", b"parola", b"auth"), re.compile(r"\Z")),
}
# The rests of names that sentences have.
_TOLD_RESTS = {
    b"pass": ("words", "word", "wort", "phrase", "code", "key", "e", ""),
    b"pw": ("d", ""),
    b"contrase": ("ña", "na"),
    b"secret": ("key", " key", ""),
    **dict.fromkeys(
        (b"psk", b"kennwort", b"senha", b"clave", b"parola", b"wachtwoord", b"token", b"key"), ("",)
    ),
}
_KIND_LIST = """
api access private secret auth encryption signing account master shared app client service webhook hmac jwt
license consumer subscription deploy storage ssh decryption admin
"""
_KEYS = tuple(_KIND_LIST.split())
_HEADER = re.compile(r"(?:^|[\s\"'`])[A-Z]\w{1,20}-\Z")  # Fastly-Key
_ENVIRONMENT = re.compile(r"[A-Z][A-Z0-9]{2,}(?:_[A-Z0-9]+)*_\Z")
_DECLARATION = re.compile(r"(?:^|\s)(?:ENV|ARG|setx|SetEnv|set -\w+|configure set|add-auth)[ \t]{0,3}\Z")
_JOINED = ("root", "user", "admin", "db", "php", "j", "wpa", "bind", "my", "sql")  # rootpw, JSESSIONID
_GIVEN = ("pgpass", "mysql_pw", "sshpass", "borg_pass", "restic_pass", "ansible_pass", "ansible_ssh_pass")
_NO_PASS = ("com", "by", "sur", "tres", "over", "under", "im")  # compass, bypass
# Names of what belongs to a secret and is none.
_ABOUT = re.compile(
    r"hash|sha\d|md5|digest|checksum|fingerprint|public|file|path|url|uri|field|label|type|policy|length|count"
    r"|limit|regex|pattern|expir|page|cursor|hint|reset|prompt|error|message|_name\b|-name\b|izer|arn\Z"
    r"|next|starting|continuation|idempoten|(?<!ess)(?<!ession)(?<!ession_)(?<!ession-)id\Z"
)
_OF_MANUALS = ("e89b-12d3-a456", "e29b-41d4-a716")
_NEXT_FIELD = re.compile(r"&\w+=")
_CONNECTION = re.compile(
    r"(?:server|host|data source|user id|uid|user|dbname|database)\s{0,3}=|--from-literal=|\bkv put\b",
    re.IGNORECASE,
)
# The line before names a user: `username=mia`, as credential helpers and many settings have it.
_AFTER_USER = re.compile(
    r"(?:^|\n)[ \t\"'-]{0,12}(?:user|username|login|usr)[\"']?[ \t]{0,2}[=:][^\n]{1,80}\n[ \t\"'-]{0,12}\Z"
)
_NETRC = re.compile(
    r"(?:\bmachine[ \t]{1,3}\S{1,100}|\bdefault)\s[^\n]{0,60}?\s{0,8}"
    r"login\s{1,8}\S{1,100}\s{1,8}(?:[a-z]{1,8}[ \t]\S{1,60}\s{1,8})?\Z"
)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+\Z", re.ASCII)


@record
class _Clause:
    """How a value is assigned."""

    word: bytes
    name: str  # all of it, as it is written
    value: str
    quote: str  # how its quotes are called, or "bare"
    sign: str
    gap: str  # between the sign and the value
    before: str  # what stands before the name in its line
    after: str  # the character that follows
    certain: bool  # the place alone tells that it is a password

    @property
    def bare(self) -> bool:
        return self.quote == "bare"

    @property
    def password(self) -> bool:
        return self.word in _PASSWORDS

    @property
    def loose(self) -> bool:
        """By a verb or by a blank: the value may as well be a word of a sentence."""
        return not self.sign or self.sign[-1] not in "=:,>("


def values(text: str, words: Places) -> Iterator[Secret]:
    """What is assigned to a name of a secret, or told to be one."""
    for word in _WORDS:
        judged = 0
        for place in words.get(word, ()):
            if place < judged or (word == b"key" and not _is_kind_of_key(text, place)):
                continue
            for clause, start in _clauses(text, place, word):
                if _is_secret(clause):
                    judged = start + len(clause.value)
                    yield Secret(_rule_of(clause), start, judged)
                    break
                judged = max(judged, start if clause.loose else start + len(clause.value))
    for place in words.get(b"pass", ()):
        phrase = _PHRASE.match(text, place + 4) or _NEXT_LINE.match(text, place + 4)
        if phrase and is_password(phrase.group(1), loose=phrase.re is _NEXT_LINE):
            yield Secret("password", *phrase.span(1))


def _is_kind_of_key(text: str, place: int) -> bool:
    """Whether the word before says which kind of key, or the name is one of the environment's. Cheap."""
    before = text[max(0, place - 14) : place]
    return before.rstrip("_-. ").lower().endswith(_KEYS) or text.startswith(("_KEY", "-Key"), place - 1)


def _clauses(text: str, place: int, word: bytes) -> Iterator[tuple[_Clause, int]]:
    """What a name at a place could be assigned to, and where that begins."""
    past = place + len(word)
    prefix = _name_before(text, place)
    if word == b"key" and not prefix and text[place - 1 : place] == " ":
        prefix = f"{_name_before(text, place - 1)} "
    for form in (_ASSIGNED, _TOLD):
        at = past
        if form is _TOLD:
            rest = next((each for each in _TOLD_RESTS.get(word, ()) if text.startswith(each, past)), None)
            if rest is None:
                return
            at += len(rest)
        match = form.match(text, at)
        if not match or not _names_a_secret(word, prefix, text[past:at] + match.group("rest")):
            continue
        kind = match.lastgroup or "bare"
        value, start = match.group(kind), match.start(kind)
        if kind == "bare":
            value = _NEXT_FIELD.split(value, maxsplit=1)[0].rstrip(".:?*_")
        value = value.rstrip("\\")
        before = line_before(text, place - len(prefix))
        clause = _Clause(
            word=word,
            name=f"{prefix}{text[place:at]}{match.group('rest')}",
            value=value,
            quote=kind,
            sign=match.group("sign").strip(),
            gap=match.groupdict().get("gap") or "",
            before=before,
            after=text[match.end() : match.end() + 1],
            certain=word in _PASSWORDS
            and _is_certain(text, place, before, match, f"{prefix}{text[place:past]}"),
        )
        if clause.sign or clause.certain or _may_follow(text[match.start("sign") - 1], clause):
            yield clause, start


def _name_before(text: str, place: int) -> str:
    """What of a name stands before a place."""
    tail = text[max(0, place - 32) : place]
    stop = _NOT_OF_NAMES.search(tail[::-1])
    return tail[len(tail) - stop.start() :] if stop else tail


def _is_certain(text: str, place: int, before: str, match: re.Match[str], name: str) -> bool:
    """Whether the line also names a server or a user, or an option is given the value right away."""
    sign, kind = match.group("sign"), match.lastgroup
    glued = sign == "=" and not match.groupdict().get("gap")
    if sign.isspace():
        around = text[max(0, place - 320) : place]
        return (name.startswith("-") and kind != "bare") or (
            "login" in around and bool(_NETRC.search(around))
        )
    if (glued and (name.lower() in _GIVEN or name.startswith("--"))) or (
        name.startswith("--") and kind != "bare"
    ):
        return True
    if (
        sign.strip() in ("=", ":")
        and not before.strip(" \t\"'-")
        and _AFTER_USER.search(text[max(0, place - 160) : place])
    ):
        return len(match.group(kind or 0)) >= 6 and " " not in match.group(kind or 0)
    return "=" in before and bool(_CONNECTION.search(before))


def _may_follow(last: str, clause: _Clause) -> bool:
    """Whether a value may stand after a name and a blank: in an option, a declaration, a sentence."""
    if clause.name.startswith("-") or _DECLARATION.search(clause.before):
        return True
    if last in "\"'`":  # the name was a word of its own, and not a name
        return False
    if clause.word not in _PASSWORDS:
        return clause.word != b"auth" and is_key(clause.value) and len(clause.value) >= 20
    verb = clause.name.lower() == "pass" and clause.name != "PASS"
    prefix = clause.name[: clause.name.lower().rfind(clause.word.decode())]
    return not verb and (not prefix or not clause.bare or prefix.lower() in ("require", "bind", "root"))


def _names_a_secret(word: bytes, prefix: str, rest: str) -> bool:
    lowered, rest = prefix.lower(), rest.lower()
    wanted = _RESTS.get(word)
    if wanted and not wanted.match(rest):
        return False
    if word == b"key":
        kind = lowered.rstrip("_-. ").endswith(_KEYS)
        if not (kind or _ENVIRONMENT.match(prefix) or _HEADER.search(prefix)):
            return False
    if word in (b"pw", b"psk", b"auth", b"sess") and lowered[-1:].isalpha():
        return lowered.endswith(_JOINED)
    if word == b"pass" and not rest and lowered.endswith(_NO_PASS):
        return False
    return "::" not in prefix and not _ABOUT.search(f"{lowered}{word.decode()}{rest}")


def _rule_of(clause: _Clause) -> str:
    name = clause.name.lower()
    if len(clause.value) == 40 and ("aws" in name or "access" in name):
        return "aws-secret-key"
    if clause.word == b"sess":
        return "cookie"
    return "password" if clause.password else "assigned-secret"


def _is_secret(clause: _Clause) -> bool:
    value = clause.value
    if clause.word == b"auth":
        return len(value) >= 8 and is_userinfo(value)
    if clause.word == b"sess":
        return len(value) >= 16 and not is_placeholder(value) and (is_random(value) or _is_uuid_key(clause))
    if clause.password and (clause.certain or _is_variable(clause)):
        return is_given(value)
    if is_key(value) or _is_uuid_key(clause):
        return True
    if clause.bare and _is_code(clause):
        return False
    if not clause.password:
        return _is_lesser_secret(clause)
    if value.isdecimal():
        return "word" in clause.name.lower() + "word" * clause.name.lower().endswith(
            ("wort", "code")
        ) and is_figures(value)
    return is_password(value, loose=clause.loose)


def _is_variable(clause: _Clause) -> bool:
    """Whether it is a variable of the environment, as in `DB_PASSWORD=sunflower`."""
    if clause.sign != "=" or not clause.name.isupper() or len(clause.value) < 6:
        return False
    return clause.quote in ("double", "single") or (clause.bare and not clause.gap and clause.after != "(")


def _is_code(clause: _Clause) -> bool:
    """Whether a bare value is a name of a program's, as in `password = other.password2;`."""
    if _DOTTED.match(clause.value) or ("=" in clause.value and not clause.sign):
        return True
    if clause.loose or not clause.value.isidentifier() or not clause.after:
        return False
    if clause.sign == ":" and clause.after in ",;)":
        return "{" in clause.before or "(" in clause.before[:-1]
    return clause.after in ";,()["


def _is_lesser_secret(clause: _Clause) -> bool:
    """Whether it is a short key, or one that somebody made up, as in JWT_SECRET=kiwi-4-breakfast."""
    if clause.sign in ("=", ":") and is_key(clause.value, short=True):
        return True
    name = clause.name.lower()
    made_up = name.endswith(("_secret", "-secret")) and clause.sign in ("=", ":") and len(clause.value) >= 10
    return made_up and is_password(clause.value, loose=True)


def _is_uuid_key(clause: _Clause) -> bool:
    """Whether a UUID is a key: some services give them out. One that stands in every manual is none."""
    if not UUID.match(clause.value):
        return False
    named = clause.password or clause.name.lower().endswith(
        ("key", "secret", "token", "session", "sessionid")
    )
    return named and len(set(clause.value)) >= 10 and clause.value[9:23] not in _OF_MANUALS
