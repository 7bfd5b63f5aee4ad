"""Judges of values: which could be a secret, and which stand for something else."""

from __future__ import annotations

import binascii
import re
from itertools import pairwise

PLACEHOLDER = re.compile(
    r"[<{\[(]|\\?\$[\w{(]|\$\{|%[sd(A-Z{]|\*\*|#\{|@@|&lt;|env[.:(]|os\.|process\.|ENC\[|!|ref\+|op://|vault:"
)
FILLER = re.compile(r"\.\.\.|…|\*\*\*|xxxx|___|\$\{|\{\{|<[a-z]|%\(|(.)\1{4}", re.IGNORECASE)
_STAND_IN_LIST = """
your my the some example examples sample changeme change placeholder dummy fake redacted masked secret
secrets password passwd passphrase pass token tokens none null nil true false undefined testing todo
insert replace here string value abc foo bar baz default username input env pwd mypass
anonymous public private passwort kennwort foobared unique phrase key apikey new old this that
"""
# Words that people also begin a real password with: only when hardly anything follows, they stand for one.
_WEAK = frozenset(["admin", "root", "user", "test", "demo", "guest", "postgres"])
STAND_INS = frozenset(_STAND_IN_LIST.split()) | _WEAK
_WELL_KNOWN = frozenset(("hunter2", "correcthorsebatterystaple", "letmein", "qwerty", "qwerty123", "s3cr3t"))
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PARTS = re.compile(r"[A-Za-z0-9]+")
UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\Z", re.IGNORECASE)
_MIXED = re.compile(
    r"(?=.*[A-Z])(?=.*[a-z])[\w-]+\Z|(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[\w+/-]{24,200}={0,2}\Z", re.ASCII
)
_LICENCE = re.compile(r"(?=.*\d)[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){3,7}\Z")
_UNSIGNED = str.maketrans("", "", "-_+/=")
_CODE = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]\w*)+\Z")
_OLD_VAULT_TOKEN = re.compile(r"s\.[A-Za-z0-9]{24}\Z")
_PATH = re.compile(r"[.~]{0,2}/[\w./-]*\Z|[a-z]+://|[A-Z]:\\", re.ASCII)
_PORTS = re.compile(r"[\d.]+:[\d.:]+\Z")
# Words of a sentence that have a figure: sha256, 12-character, 2nd, v1.2, RFC6750, 1Password, 2026-04-14.
_TECHNICAL = re.compile(
    r"""(?:\d+(?:st|nd|rd|th|[-_]?(?:char|digit|bit|byte|day|hour|min|month|year|week|time|word|letter|factor|step)\w*)
    |(?:sha|md|utf|base|aes|rsa|ed|rfc|iso|v|ver|version|option|step|line|page|section|chapter|figure|table|field|column
      |row|item|case|part|level|arg|param|var|val|tmp|str|node|host|server|port|tls|ssl|ipv|web|oauth|argon|bcrypt
      |scrypt|pbkdf|hmac|crypt|windows|win|python|java|php|mysql|postgres|pg|ubuntu|x|issue|id|no|nr)
      [-_.]?\d+(?:[._-]\d+)*[a-z]{0,2}|0x[0-9a-f]+|\d+password\w*|[\d.,:/+*%-]+[a-z]{0,2}|20\d\d[-./].*)\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_FUNCTION_WORD_LIST = """
a an and are as at be before by for from if in into is it not of on or see so that the this to until with your
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_WORD_LIST.split())


def is_placeholder(value: str) -> bool:
    """Whether it stands for a value: a variable, a template, a row of stars, an example."""
    return bool(PLACEHOLDER.match(value) or FILLER.search(value)) or is_stand_in(value)


def is_stand_in(value: str) -> bool:
    """Whether most of its letters are words such as example and changeme."""
    if value.lower() in _WELL_KNOWN:
        return True
    words = _WORDS.findall(value)
    letters = sum(map(len, words))
    more = len(value) - letters
    weak = more >= 4 or (more >= 3 and not value.isalnum())
    stand_ins = sum(
        len(word) for word in words if word.lower() in STAND_INS and not (weak and word.lower() in _WEAK)
    )
    return stand_ins > 0 and stand_ins * 2 >= letters


def is_random(value: str) -> bool:
    """Whether some part changes between letters, capitals and figures as no word or name does."""
    for part in _PARTS.findall(value):
        if len(part) >= 10:
            kinds = ["d" if char.isdigit() else "u" if char.isupper() else "l" for char in part[:400]]
            pairs = [(one, other) for one, other in pairwise(kinds) if one != other]
            changes = len(pairs) - pairs.count(("u", "l"))
            figures = kinds.count("d")
            if figures >= 2 and changes >= 4 and changes * 5 >= len(kinds):
                return True
            if figures and changes >= 4 and len(pairs) * 5 >= len(kinds) * 2:
                return True
    return False


def is_key(value: str, *, short: bool = False) -> bool:
    """Whether it is as random as keys and tokens are; `short`: such as are less so."""
    if len(value) < 12 or " " in value or is_placeholder(value) or UUID.match(value):
        return False
    if _CODE.match(value) and not _OLD_VAULT_TOKEN.match(value):
        return False
    if is_random(value) or (_MIXED.match(value) and is_random(value.translate(_UNSIGNED))):
        return True
    if _LICENCE.match(value):
        return True
    groups = value.split("-")
    if len(groups) >= 3 and all(group.isalnum() and any(map(str.isdigit, group)) for group in groups[1:]):
        return len(value) >= 16 and not value.replace("-", "").isdecimal()
    figures = sum(map(str.isdigit, value))
    return (
        short and len(value) >= 16 and value.isalnum() and 3 <= figures < len(value) - 2 and value.islower()
    )


def is_given(value: str) -> bool:
    """Whether what stands where only a password can is one, and not a variable or an example."""
    return len(value) >= 3 and not (is_placeholder(value) or _PATH.match(value) or _PORTS.match(value))


def is_password(value: str, *, loose: bool) -> bool:
    """Whether it is strange enough for a password. `loose`: it may as well be a word of a sentence."""
    if len(value) < 6 or is_placeholder(value) or UUID.match(value):
        return False
    if _PATH.match(value) or _TECHNICAL.match(value):
        return False
    if " " in value:
        return _is_phrase(value, " ")
    signs = any(not char.isalnum() and char not in "_-./:,'’" for char in value[:-1])
    figures = any(map(str.isdigit, value))
    letters = any(map(str.isalpha, value))
    if loose:
        cases = any(map(str.isupper, value)) + any(map(str.islower, value))
        return letters and (figures or (signs and cases == 2))
    return letters and (figures or signs or _is_phrase(value, "-"))


def is_figures(value: str) -> bool:
    """Whether figures are a password, and not the first ones, nor the same ones over and over, nor a year."""
    return 6 <= len(value) <= 12 and value not in "01234567890123" and len(set(value)) >= 4


def _is_phrase(value: str, between: str) -> bool:
    """Whether it is a row of words that make no sentence."""
    words = value.lower().split(between)
    if not all(words) or _FUNCTION_WORDS.intersection(words) or STAND_INS.intersection(words):
        return False
    return (
        len(words) >= (4 if between == " " else 3)
        and all(word.isalnum() for word in words)
        and len(value) < 80
    )


def is_userinfo(value: str) -> bool:
    """Whether it is base64 of a name and a password."""
    padded = value.rstrip("=") + "=" * (-len(value.rstrip("=")) % 4)
    try:
        decoded = binascii.a2b_base64(padded.replace("-", "+").replace("_", "/"))
    except ValueError:
        return False
    if decoded.count(0) == 2 and decoded[-1]:  # as SASL has it
        decoded = decoded.replace(b"\0", b":")
    return b":" in decoded[:-1] and all(32 <= byte < 127 for byte in decoded)
