"""Finds secrets in text: keys and tokens by their form, passwords by their place. No I/O, linear time.

Most text holds none, so it is looked through by cheap means first: tokens have known forms and are long runs
of certain characters; passwords stand after a word that names them. Only what is found that way meets a
regular expression. Every repetition is bounded, or ends where no other match can begin, so that no input is
slow. What merely looks the part (placeholders, words, variables, UUIDs, hashes) is no secret.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from quaid.model.record import record

ALLOWED = ("quaid: allow-secret", "pragma: allowlist secret")


@record
class Secret:
    """A secret's kind and its place in the text, in characters."""

    rule: str
    start: int
    end: int


# The name of each rule, the literals of which one must occur, and the form.
_TABLE = r"""
aws-access-key AKIA,ASIA,ABIA,ACCA A[A-Z]{3}[A-Z2-7]{16}(?![A-Za-z0-9])
gcp-api-key AIza AIza[\w-]{35}(?![\w-])
google-oauth GOCSPX-,ya29.,1//0 (?:GOCSPX-[\w-]{28}|ya29\.[\w-]{20}|1//0[\w-]{40})[\w-]*+
azure-storage-key AccountKey=,SharedAccessKey= (?:Account|SharedAccess)Key=[A-Za-z0-9+/]{43,86}={1,2}
azure-client-secret Q~ [\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])
azure-sas sig= sig=(?:[A-Za-z0-9+/]|%2[BbFf]){40,60}+(?:%3[Dd]|=)
github-token ghp_,gho_,ghu_,ghr_ gh[pour]_[A-Za-z0-9]{36,}
github-token ghs_ ghs_[\w.-]{36,}
github-token github_pat_ github_pat_\w{40,}
gitlab-token glpat-,glptt-,gldt-,glrt-,glrtr-,glsoat-,glcbt-,gloas-,glagent- gl[a-z]{2,5}-[\w.-]{20,}
slack-token xoxb-,xoxp-,xoxa-,xoxe-,xoxs-,xoxr-,xoxc-,xoxo-,xapp- x(?:ox[a-s]|app)-[A-Za-z0-9.-]{15,}
slack-webhook hooks.slack.com/ hooks\.slack\.com/[a-z]+/[A-Za-z0-9_/]{20,}
stripe-key sk_live_,rk_live_,sk_test_,rk_test_ [sr]k_(?:live|test)_[A-Za-z0-9]{16,}
stripe-key whsec_ whsec_[A-Za-z0-9+/=]{24,}
anthropic-key sk-ant- sk-ant-[\w-]{20,}
openai-key sk- sk-(?:(?:proj|svcacct|admin|None|or-v1)-[\w-]{20}[\w-]*+|[A-Za-z0-9]{32,})
huggingface-token hf_,api_org_ (?:hf|api_org)_[A-Za-z0-9]{30,}
npm-token npm_ npm_[A-Za-z0-9]{36,}
pypi-token pypi-AgE pypi-AgE[\w-]{50,}
jwt eyJ (?<![\w-])eyJ[\w-]{8,}+\.eyJ[\w-]{8,}+\.[\w-]{8,}
age-key AGE-SECRET-KEY-1 AGE-SECRET-KEY-1[A-Z0-9]{50,}
twilio-key SK SK[0-9a-f]{32}(?![A-Za-z0-9])
sendgrid-key SG. SG\.[\w-]{16,32}\.[\w-]{32,64}
telegram-token :AA \d{8,10}:AA[\w-]{32,33}(?![\w-])
discord-webhook discord.com/api/,discordapp.com/api/ discord(?:app)?\.com/api/webhooks/\d{10,20}/[\w-]{40,}
digitalocean-token dop_v1_,doo_v1_,dor_v1_ do[opr]_v1_[a-f0-9]{64}
shopify-token shpat_,shpca_,shppa_,shpss_ shp[a-z]{2}_[a-fA-F0-9]{32}
docker-token dckr_pat_,dckr_oat_ dckr_[op]at_[\w-]{20,}
atlassian-token ATATT3 ATATT3[\w-]{50,}
linear-key lin_api_,lin_oauth_ lin_[a-z]+_[A-Za-z0-9]{32,}
notion-token ntn_ ntn_[A-Za-z0-9]{40,}
grafana-token glsa_,glc_ glsa_\w{30,}|glc_[A-Za-z0-9+/=]{32,}
vault-token hvs.,hvb. hv[sb]\.[\w-]{24,}
groq-key gsk_ gsk_[A-Za-z0-9]{40,}
xai-key xai- xai-[A-Za-z0-9]{40,}
replicate-token r8_ r8_[A-Za-z0-9]{37}
databricks-token dapi dapi[a-f0-9]{32}
mailgun-key key- key-[0-9a-f]{32}(?![A-Za-z0-9])
tailscale-key tskey- tskey-[a-z]{2,12}-[\w-]{20,}
figma-token figd_ figd_[\w-]{36,}
sentry-token sntrys_,sntryu_ sntry[su]_[\w=/+-]{40,}
"""
_FORMS = tuple(
    (row[0], tuple(row[1].split(",")), row[2]) for row in map(str.split, _TABLE.strip().splitlines())
)
_DISCORD = re.compile(r"(?<![\w-])[MNO][A-Za-z\d][\w-]{21,26}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])", re.ASCII)

# Long runs of characters of which tokens are made, found by their translation into one letter.
_IN_RUN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-~"
_RUNS = bytes(97 if byte in _IN_RUN else 32 for byte in range(256))
_FIGURES = bytes(49 if 48 <= byte <= 57 else 32 for byte in range(256))
_RUN = b"a" * 20
# Each literal with the number of its form, by where it is looked for.
_LITERALS = [(number, each.encode()) for number, row in enumerate(_FORMS) for each in row[1]]
_IN_RUNS = [each for each in _LITERALS if not each[1].translate(None, _IN_RUN)]
_ANYWHERE = [each for each in _LITERALS if b"=" in each[1]]
_BEFORE_RUNS = [each for each in _LITERALS if each not in _IN_RUNS and each not in _ANYWHERE]
_HEAD = 48  # how far before a run the literal stands that is not made of its characters
_LAST_PART = 27  # of a Discord token, the only one without a literal

_KEY_HEAD = re.compile(r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_KEY_FOOT = re.compile(r"-----END [A-Z0-9 ]{1,60}-----")
_KEY_BODY = re.compile(r"(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{16,}+)*+")
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{24}")

_BEARER = re.compile(r"bearer[ \t]{1,4}([\w\-.~+/]{16,2000}=*)", re.ASCII | re.IGNORECASE)
_BASIC = re.compile(r"basic[ \t]{1,4}([A-Za-z0-9+/_-]{8,400}={0,2})", re.IGNORECASE)
_USERINFO = re.compile(r"://([^\s/:@\"'`<>?#]{0,100}):([^\s/@\"'`<>]{1,200})@[\w.\[-]")

# After a word that names a secret: the rest of the name, a sign, and the value, in quotes or bare.
_ASSIGNED = re.compile(
    r"""(?P<rest>[\w-]{0,24})["'`\]*]{0,4}
        (?P<sign>[ \t]{0,4}(?::=|=>|={1,3}|:)|[ \t]{1,3}is:?(?=[ \t])|[ \t](?=\S))[ \t]{0,4}\*{0,2}
        (?:"(?P<double>[^"\n]{4,300})"|'(?P<single>[^'\n]{4,300})'|`(?P<code>[^`\n]{4,300})`
          |(?P<bare>[^\s"'`<>,;()\[\]{}|]{4,300}))""",
    re.VERBOSE,
)
_NAMES = (b"pass", b"pwd", b"secret", b"token", b"key", b"credential")
_NAME_BEFORE = re.compile(r"[\w.:-]{0,32}\Z")
_PASS = re.compile(r"(?:word|wd|phrase|code|key)?s?(?:[_-]?\d+)?(?:[_-].*)?\Z")
_KEYS = ("api", "access", "private", "secret", "auth", "encryption", "signing", "account", "master", "shared")
# Names of what belongs to a secret and is none.
_ABOUT = re.compile(
    r"hash|sha\d|md5|digest|checksum|fingerprint|public|file|path|url|uri|field|label|type|policy|length|count"
    r"|limit|regex|pattern|expir|page|cursor|hint|reset|prompt|error|message|_name\b|-name\b|izer|id\Z|arn\Z"
    r"|next|starting|continuation|idempoten"
)
_NEXT_FIELD = re.compile(r"&\w+=")
_CONNECTION = re.compile(
    r"(?:server|host|data source|user id|uid|user|dbname|database)\s{0,3}=", re.IGNORECASE
)

_PLACEHOLDER = re.compile(r"[<{$%*#@\[(]|\\?\$|&lt;|env[.:(]|os\.|process\.|ENC\[|!vault|ref\+|op://|vault:")
_FILLER = re.compile(r"\.\.\.|…|\*\*\*|xxxx|___|\$\{|\{\{|<[a-z]|%\(|(.)\1{4}", re.IGNORECASE)
_STAND_IN_LIST = """
your my the some example examples sample changeme change placeholder dummy fake redacted masked secret
secrets password passwd passphrase pass token tokens none null nil true false undefined test testing todo
insert replace here string value abc foo bar baz demo default admin root user username input env
"""
_STAND_INS = frozenset(_STAND_IN_LIST.split())
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PARTS = re.compile(r"[A-Za-z0-9]+")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\Z", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]\w*)+\Z")
_PATH = re.compile(r"[A-Za-z_]\w*(?:[.:]{1,2}[A-Za-z_]\w*)+\Z|[.~]{0,2}/[\w./-]*\Z|https?:")


def find(text: str, *, allowing: bool = True) -> tuple[Secret, ...]:
    """The secrets in the text, by place, none within another; a line with an allowing comment has none."""
    data = text.encode("ascii", "replace")  # one byte for each character: places stay what they are
    found = [*_tokens(text, data), *_private_keys(text)]
    lowered = data.lower()
    found += _headers(text, lowered)
    found += _in_addresses(text)
    found += _assigned(text, lowered)
    if found and allowing and any(mark.encode() in lowered for mark in ALLOWED):
        found = [secret for secret in found if not _is_allowed(text, secret)]
    return _apart(found)


def masked(text: str, *, allowing: bool = True) -> str:
    """The text with `[secret: RULE]` in place of every secret; the same text if there is none."""
    secrets = find(text, allowing=allowing)
    if not secrets:
        return text
    out = []
    position = 0
    for secret in secrets:
        out += [text[position : secret.start], f"[secret: {secret.rule}]"]
        position = secret.end
    return "".join([*out, text[position:]])


def _tokens(text: str, data: bytes) -> Iterator[Secret]:
    """Keys and tokens that are known by their form."""
    found = list(_long_runs(data))
    present = [each for each in _ANYWHERE if each[1] in data]
    if found:
        runs = b" ".join([data[start:end] for start, end in found])
        heads = b" ".join([data[max(0, start - _HEAD) : start + 8] for start, _ in found])
        present += [each for each in _IN_RUNS if each[1] in runs]
        present += [each for each in _BEFORE_RUNS if each[1] in heads]
    for number, plain in sorted(present):
        form, literal = _form(number), plain.decode()
        place = text.find(literal)
        while place >= 0:
            token = form.match(text, _beginning(text, literal, place))
            if token and _is_varied(token.group()):
                yield Secret(_FORMS[number][0], *token.span())
            place = text.find(literal, token.end() if token else place + 1)
    for start, end in found:
        if (
            end - start >= _LAST_PART
            and data[start - 1 : start] == b"."
            and data[start - 8 : start - 7] == b"."
        ):
            for token in _DISCORD.finditer(text, max(0, start - 40), start + 41):
                yield Secret("discord-token", *token.span())


def _long_runs(data: bytes) -> Iterator[tuple[int, int]]:
    """Where tokens may stand: long runs of their characters, with a figure."""
    runs, figures = data.translate(_RUNS), data.translate(_FIGURES)
    start = runs.find(_RUN)
    while start >= 0:
        end = runs.find(b" ", start + len(_RUN))
        end = len(runs) if end < 0 else end
        if figures.find(b"1", start, end) >= 0:
            yield start, end
        start = runs.find(_RUN, end)


@cache
def _form(number: int) -> re.Pattern[str]:
    return re.compile(f"(?<![\\w-])(?:{_FORMS[number][2]})", re.ASCII)


def _beginning(text: str, literal: str, place: int) -> int:
    """Where a token begins that has its literal there."""
    if literal == "Q~":
        return max(0, place - 4)
    if literal == ":AA":
        before = text[max(0, place - 11) : place]
        return place - len(before) + len(before.rstrip("0123456789"))
    return place


def _is_varied(token: str) -> bool:
    """Whether it is a token and not a row of x, a word or your-token-here."""
    tail = token[-24:]
    return len(set(tail)) >= 7 and any(map(str.isdigit, token)) and not _FILLER.search(tail)


def _private_keys(text: str) -> Iterator[Secret]:
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


def _headers(text: str, lowered: bytes) -> Iterator[Secret]:
    """What stands after Bearer and Basic."""
    for place in _places(lowered, b"bearer"):
        match = _BEARER.match(text, place)
        if match and _is_random(match.group(1)):
            yield Secret("bearer-token", *match.span(1))
    for place in _places(lowered, b"basic"):
        match = _BASIC.match(text, place)
        if match and _is_userinfo(match.group(1)):
            yield Secret("basic-credentials", *match.span(1))


def _is_userinfo(value: str) -> bool:
    padded = value.rstrip("=") + "=" * (-len(value.rstrip("=")) % 4)
    try:
        decoded = binascii.a2b_base64(padded.replace("-", "+").replace("_", "/"))
    except ValueError:
        return False
    return b":" in decoded[:-1] and all(32 <= byte < 127 for byte in decoded)


def _in_addresses(text: str) -> Iterator[Secret]:
    """Passwords in URLs, connection strings of databases among them."""
    place = text.find("://")
    while place >= 0:
        match = _USERINFO.match(text, place)
        if match:
            user, password = match.groups()
            plain = password.lower() in _STAND_INS or password == user or _FILLER.search(password)
            if not plain and not _PLACEHOLDER.match(password):
                yield Secret("password-in-url", *match.span(2))
        place = text.find("://", place + 3)


def _assigned(text: str, lowered: bytes) -> Iterator[Secret]:
    """What is assigned to a name that says password, secret, token, credential or some kind of key."""
    for word in _NAMES:
        judged = 0
        for place in _places(lowered, word):
            match = _ASSIGNED.match(text, place + len(word)) if place >= judged else None
            if not match:
                continue
            before = _NAME_BEFORE.search(text[max(0, place - 32) : place])
            prefix = (before.group() if before else "").lower()
            rest = match.group("rest").lower()
            spaced = match.group("sign").isspace()
            if (spaced and not prefix.startswith("--")) or not _names_a_secret(word, prefix, rest):
                continue
            value, bare = match.group(match.lastgroup or 0), match.lastgroup == "bare"
            if bare:
                value = _NEXT_FIELD.split(value, maxsplit=1)[0].rstrip(".:!?\\")
            start = match.start(match.lastgroup or 0)
            judged = start + len(value)
            clause = _Clause(
                password=word in (b"pass", b"pwd"),
                bare=bare,
                loose=spaced or "is" in match.group("sign"),
                connection=bool(_CONNECTION.search(_line_before(text, place))),
            )
            if _is_secret(value, clause):
                yield Secret(_rule_of(prefix + rest, value, clause), start, judged)


@record
class _Clause:
    """How a value is assigned."""

    password: bool
    bare: bool
    loose: bool  # by "is" or by a blank: the value may as well be a word of a sentence
    connection: bool  # in a line that also names a server or a user


def _line_before(text: str, place: int) -> str:
    start = max(0, place - 200)
    return text[max(start, text.rfind("\n", start, place) + 1) : place]


def _rule_of(name: str, value: str, clause: _Clause) -> str:
    if len(value) == 40 and ("aws" in name or "access" in name):
        return "aws-secret-key"
    return "password" if clause.password else "assigned-secret"


def _names_a_secret(word: bytes, prefix: str, rest: str) -> bool:
    if word == b"pass" and not _PASS.match(rest):
        return False
    if word == b"key" and not prefix.rstrip("_-. ").endswith(_KEYS):
        return False
    return "::" not in prefix and not _ABOUT.search(f"{prefix}{word.decode()}{rest}")


def _is_secret(value: str, clause: _Clause) -> bool:
    """Whether a value is random enough, or strange enough for a password, and stands for nothing else."""
    if len(value) < 4 or " " in value or _PLACEHOLDER.match(value) or _UUID.match(value):
        return False
    if _FILLER.search(value) or (clause.bare and _CODE.match(value)):
        return False
    if clause.password and clause.connection and not clause.loose:
        return value.lower() not in _STAND_INS and not _PATH.match(value)
    if len(value) >= 12 and _is_random(value):
        return True
    if not clause.password or len(value) < 8 or _PATH.match(value):
        return False
    if any(word.lower() in _STAND_INS for word in _WORDS.findall(value)):
        return False
    signs = any(not char.isalnum() and char not in "_-./:" for char in value)
    figures = any(map(str.isdigit, value))
    cases = any(map(str.isupper, value)) + any(map(str.islower, value))
    enough = signs + figures + cases >= 3 and (signs or figures)
    return enough and (signs or not clause.loose) and not (clause.bare and "=" in value)


def _is_random(value: str) -> bool:
    """Whether some part changes between letters, capitals and figures as no word or name does."""
    for part in _PARTS.findall(value):
        if len(part) >= 10:
            kinds = ["d" if char.isdigit() else "u" if char.isupper() else "l" for char in part[:400]]
            changes = sum(one != other and (one, other) != ("u", "l") for one, other in pairwise(kinds))
            if kinds.count("d") >= 2 and changes >= 4 and changes * 5 >= len(kinds):
                return True
    return False


def _places(data: bytes, word: bytes) -> Iterator[int]:
    place = data.find(word)
    while place >= 0:
        yield place
        place = data.find(word, place + len(word))


def _is_allowed(text: str, secret: Secret) -> bool:
    """Whether a comment on the line where it begins, or on the line where it ends, allows it."""
    for place in (secret.start, secret.end):
        end = text.find("\n", place)
        line = text[text.rfind("\n", 0, place) + 1 : end if end >= 0 else len(text)].lower()
        if any(mark in line for mark in ALLOWED):
            return True
    return False


def _apart(found: list[Secret]) -> tuple[Secret, ...]:
    """Secrets in order; those that overlap become one, named by the rule that was found first."""
    rank = {id(secret): number for number, secret in enumerate(found)}
    out: list[Secret] = []
    best = 0
    for secret in sorted(found, key=lambda one: (one.start, -one.end)):
        if out and secret.start < out[-1].end:
            rule = secret.rule if rank[id(secret)] < best else out[-1].rule
            best = min(best, rank[id(secret)])
            out[-1] = Secret(rule, out[-1].start, max(out[-1].end, secret.end))
        else:
            out.append(secret)
            best = rank[id(secret)]
    return tuple(out)
