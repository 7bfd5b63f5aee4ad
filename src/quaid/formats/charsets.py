"""The encoding of bytes that are no UTF-8, where something proves it.

A guess is made only of what the bytes show: words in which accented letters stand where they do in Western
languages, the letters or characters that are most frequent in a language. What proves nothing has no name.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from quaid.formats.phrase_files import sections

_WESTERN = "cp1252"
_RUSSIAN = "cp1251"
_HIGH = re.compile(rb"[\x80-\xff]")
# Three accented letters in a row, a sign that texts do not have, an upper-case letter within a word in lower
# case, what is left of a character of UTF-8, letters by themselves that are no word or end a file.
_NOT_WESTERN = re.compile(
    rb"[\xc0-\xff]{3}|[\x81\x8d\x8f\x90\x9d\x83\x88\x98\xa4\xa6\xa8\xac\xad\xaf\xb8]|[a-z][\xc0-\xde]"
    rb"|[\xc2-\xf4][\x80-\x84\x86-\x91\x93\x95\x98-\xba\xbc-\xbf]|[^\x80-\xff][\x80-\xbf]{3}"
    rb"|(?:\A|[^A-Za-z\x80-\xff])[\xc2-\xf4][\x80-\xff]?\Z"
    rb"|(?<![A-Za-z\x80-\xff])[\xc1-\xc4\xc6\xc7\xca-\xd2\xd4\xd5\xd8-\xdf\xe1-\xe4\xe6\xe7\xea\xeb"
    rb"\xed-\xf1\xf4\xf5\xf8\xfa-\xff](?![A-Za-z\x80-\xff])"
    rb"|(?<![A-Za-z\x80-\xff])[\xc0-\xff]{2}(?![A-Za-z\x80-\xff])"
)
_WORD = re.compile("[А-Яа-яЁё]{2,}")
_LETTERS = frozenset("оеаинтсрвл")
_COMMON = 0.5  # of the letters of a Russian text are among those
_LEAST_LETTERS = 8
_LEAST_SIGNS = 6
_LEAST_SHARE = 0.2  # of the signs of a text are among the most frequent of its language
_LEAST_KANA = 0.3
_MARGIN = 2.0  # between the two best
_LEAST_WIDE = 16  # bytes
_WIDE_SHARE = 0.4
_KANA = re.compile("[ぁ-ゖァ-ヺー]")
_SIGN = re.compile("[\u3400-\u9fff\uac00-\ud7a3ぁ-ゖァ-ヺー]")
_STRANGE = re.compile("[\ue000-\uf8ff\U00020000-\U0010ffff\x80-\x9f]")


@cache
def _frequent() -> dict[str, frozenset[str]]:
    """The most frequent characters of what is written in each encoding."""
    read = sections(Path(__file__).with_name("charsets.txt"))
    return {codec: frozenset("".join(lines)) for codec, lines in read.items()}


def unmarked_wide(data: bytes) -> str:
    """UTF-16 without a mark, by its zeros: every other byte of text in Latin letters is one."""
    if len(data) < _LEAST_WIDE or b"\0" not in data:
        return ""
    low, high = data[::2].count(0) / len(data[::2]), data[1::2].count(0) / len(data[1::2])
    if high >= _WIDE_SHARE and low < high / 10:
        return "utf-16-le"
    return "utf-16-be" if low >= _WIDE_SHARE and high < low / 10 else ""


def encoding_of(data: bytes) -> str:
    """The encoding of bytes that are no UTF-8; nothing where it is not certain."""
    if b"\0" in data or not _HIGH.search(data):
        return ""
    if not _NOT_WESTERN.search(data):
        return _WESTERN
    if _is_russian(data):
        return _RUSSIAN
    scores = sorted(
        ((_likeness(data, codec, signs), codec) for codec, signs in _frequent().items()), reverse=True
    )
    (best, codec), (second, _) = scores[:2]
    return codec if best >= _LEAST_SHARE and best >= _MARGIN * second else ""


def _is_russian(data: bytes) -> bool:
    try:
        text = data.decode(_RUSSIAN)
    except UnicodeDecodeError:
        return False
    letters = "".join(_WORD.findall(text))
    high = len(_HIGH.findall(data))
    if len(letters) < _LEAST_LETTERS or len(letters) < 0.8 * high:
        return False
    small = sum(map(str.islower, letters))
    return small >= 0.7 * len(letters) and sum(map(_LETTERS.__contains__, letters.lower())) >= _COMMON * small


def _likeness(data: bytes, codec: str, frequent: frozenset[str]) -> float:
    """How much of a text is what texts of its language consist of; nothing if the bytes do not come back."""
    try:
        text = data.decode(codec)
        if text.encode(codec) != data or _STRANGE.search(text):
            return 0.0
    except UnicodeError:
        return 0.0
    signs = _SIGN.findall(text)
    foreign = sum(character > "\x7f" for character in text)
    if len(signs) < _LEAST_SIGNS or len(signs) < 0.6 * foreign:
        return 0.0
    kana = len(_KANA.findall(text)) / len(signs)
    if not frequent:
        return kana if kana >= _LEAST_KANA else 0.0
    return sum(map(frequent.__contains__, signs)) / len(signs) if kana < _LEAST_KANA else 0.0
