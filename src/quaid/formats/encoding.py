"""Bytes of a file as text, and back to the same bytes, whatever they are.

A byte that has no meaning in its file's encoding is a character of its own in the text: U+10F700 and the
byte's number, of the last private area. Such a text can be stored, searched, shown and sent like any other,
and `encode` gives the byte again.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable

from quaid.errors import InvalidInput

UNKNOWN = "unknown"  # bytes of an encoding that nothing proves; what is ASCII in them is taken as that
ODD = 0x10F700
# UTF-16 files keep their byte order and their mark, so the names differ from Python's own "utf-16".
_MARKS = {
    "utf-8-sig": codecs.BOM_UTF8,
    "utf-16-le-bom": codecs.BOM_UTF16_LE,
    "utf-16-be-bom": codecs.BOM_UTF16_BE,
}
_CODECS = {
    "utf-8-sig": "utf-8",
    "utf-16-le-bom": "utf-16-le",
    "utf-16-be-bom": "utf-16-be",
    UNKNOWN: "utf-8",
}
# Not compiled here: what is ASCII needs none of them.
_ODD = f"[{chr(ODD)}-{chr(ODD + 255)}]"
AMBIGUOUS = rb"(\xf4\x8f[\x9c-\x9f][\x80-\xbf])"  # in UTF-8, a character that means an odd byte
_FOUR_WIDE = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_CONTROL = "[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]"
_WIDE = "utf-16"
# Encodings in which a page can be written: those that are known again when it is read.
_KNOWN = "utf-8 utf-8-sig utf-16-le-bom utf-16-be-bom cp1252 cp1251 gb18030 big5 cp949 cp932 euc_jp"
TARGETS = tuple(_KNOWN.split())
_NO_CHARSETS = "unicode-escape raw-unicode-escape idna punycode undefined mbcs oem utf-7"
# Two bytes of another encoding are easily a character of UTF-8; three hardly ever are.
_WEAK_PROOF, _STRONG_PROOF = 0.5, 3.0  # odd bytes, at most, for each character of two bytes, and of more


def decode(data: bytes) -> tuple[str, str]:
    """The text and the name of its encoding, such that `encode` restores the bytes."""
    if data.isascii() and b"\0" not in data:
        return data.decode("ascii"), "utf-8"
    from quaid.formats import charsets  # only for bytes that may be in some other encoding

    if not data.startswith(_FOUR_WIDE):
        for name, mark in _MARKS.items():
            if data.startswith(mark):
                text = _read(data[len(mark) :], _CODECS[name])
                return (text, name) if text is not None else (_with_odd_bytes(data), UNKNOWN)
    wide = charsets.unmarked_wide(data)
    if wide:
        text = _read(data, wide)
        return (text, wide) if text is not None else (_with_odd_bytes(data), UNKNOWN)
    text = _with_odd_bytes(data)
    odd = odd_bytes(text)
    if not odd or odd <= _proof(text, odd):
        return text, "utf-8"
    name = charsets.encoding_of(data)
    return (data.decode(name), name) if name else (text, UNKNOWN)


def decode_as(data: bytes, encoding: str) -> str:
    """The text of bytes that are known to be in an encoding: what `encode` made them of."""
    mark = _MARKS.get(encoding, b"")
    text = _read(data[len(mark) :] if data.startswith(mark) else data, _CODECS.get(encoding, encoding))
    return _with_odd_bytes(data) if text is None else text


def encode(text: str, encoding: str) -> bytes:
    """The bytes of a text, or a refusal: nothing is left out, and no other encoding is taken instead."""
    if encoding == "utf-8" and text.startswith("\ufeff"):
        encoding = "utf-8-sig"  # the mark that is part of the text needs one before it
    return _MARKS.get(encoding, b"") + _bytes_of(text, encoding)


def page_with_text(
    data: bytes, old: str, new: str, encoding: str, *, pinned: bool = False
) -> tuple[bytes, str, str]:
    """A page with another text: its bytes, the text as it is read out of them, and its encoding.

    `data` are the bytes of the old text. What the encoding cannot say is refused, and so is an edit after
    which the text would be read as something else, unless the encoding is kept beside the text (`pinned`).
    """
    if encoding == UNKNOWN:
        if not re.search(_CONTROL, new) and not re.search(_ODD, new):
            encoding = "utf-8"  # nothing is left of what could not be read
        elif re.search(_CONTROL, old):
            raise InvalidInput(
                "the page cannot be edited: its encoding is not known, and it is not made of lines of text",
                hint="Say which encoding it has: quaid recode SLUG --from ENCODING, such as utf-16-le.",
            )
    made = spliced(data, old, new, encoding)
    text, name = decode(made)
    if text == new or encoding == UNKNOWN:
        return made, text, name
    if pinned and decode_as(made, encoding) == new:
        return made, new, encoding
    raise InvalidInput(
        f"after this change, the page could no longer be read as {encoding}",
        hint=f"Convert it first: quaid recode SLUG --from {encoding}.",
    )


def page_in_encoding(data: bytes, source: str, target: str) -> tuple[bytes, str, str]:
    """Bytes, text and encoding of a page whose bytes are in one encoding, in another."""
    if target not in TARGETS:
        raise InvalidInput(f"a page cannot be written in {target!r}", hint=f"Choose {', '.join(TARGETS)}.")
    text = _text_in(data, source)
    text = text.removeprefix("\ufeff") if target in _MARKS else text
    if odd_bytes(text):
        raise InvalidInput(
            f"as {source}, the page has characters that Quaid uses for odd bytes",
            hint="Choose another encoding.",
        )
    return encode(text, target), text, target


def _text_in(data: bytes, source: str) -> str:
    if source in _MARKS:
        text = decode_as(data, source)
        if not odd_bytes(text):
            return text
        raise InvalidInput(f"the page is not {source} throughout", hint="Remove what is odd in it first.")
    try:
        found = codecs.lookup(source)
    except LookupError:
        found = None
    if found is None or not getattr(found, "_is_text_encoding", True) or found.name in _NO_CHARSETS.split():
        raise InvalidInput(
            f"{source!r} is no encoding",
            hint="Such as gb18030, cp1251, shift_jis, euc_kr, latin-1 or utf-16-le.",
        )
    try:
        return data.decode(found.name)
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"the page is not {source}: byte {error.start} does not fit",
            hint="Try another encoding; latin-1 fits always, though it may not be what was meant.",
        ) from None


def spliced(data: bytes, old: str, new: str, encoding: str) -> bytes:
    """The bytes of a text: those of the part that differs from the old one are new, all others stay."""
    start, end = _common(old, new)
    middle = new[start : len(new) - end]
    _check_additions(old[start : len(old) - end], middle, new, encoding)
    mark = codecs.BOM_UTF8 if encoding == "utf-8" and new.startswith("\ufeff") else b""
    before = len(_MARKS.get(encoding, b"")) + len(_bytes_of(old[:start], encoding))
    after = len(data) - len(_bytes_of(old[len(old) - end :], encoding))
    return mark + data[:before] + _bytes_of(middle, encoding) + data[after:]


def odd_bytes(text: str) -> int:
    """How many bytes of a text have no meaning in its encoding."""
    return 0 if text.isascii() else len(re.findall(_ODD, text))


def without_odd_bytes(text: str) -> str:
    """The text as it is shown and searched, with U+FFFD for what cannot be read."""
    return text if text.isascii() else re.sub(_ODD, "\ufffd", text)


def newline_of(text: str) -> str:
    """The line ending that most lines have."""
    windows = text.count("\r\n")
    return "\r\n" if windows * 2 > text.count("\n") else "\n"


def _check_additions(old: str, middle: str, new: str, encoding: str) -> None:
    """Refuse characters that come to a page although nothing tells which bytes they are."""
    if middle.isascii():
        return
    added = Counter(filter(_is_foreign, middle)) - Counter(filter(_is_foreign, old))
    if any(re.match(_ODD, each) for each in added):
        raise InvalidInput(
            "the text has characters that stand for bytes which the page does not have",
            hint=f"Leave out U+{ODD:X} to U+{ODD + 255:X}.",
        )
    if encoding == UNKNOWN and added and re.search(_ODD, new):
        shown = "".join(added)[:20]
        raise InvalidInput(
            f"{shown!r} cannot be written: the encoding of the page is not known",
            hint="Say which it is: quaid recode SLUG --from ENCODING. Plain ASCII can be added as it is.",
        )


def _common(old: str, new: str) -> tuple[int, int]:
    """How many characters two texts have in common at their start, and at their end."""
    shorter = min(len(old), len(new))
    start = _longest(shorter, lambda size: old[:size] == new[:size])
    end = _longest(shorter - start, lambda size: size == 0 or old[-size:] == new[-size:])
    return start, end


def _longest(most: int, holds: Callable[[int], bool]) -> int:
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if holds(middle):
            least = middle
        else:
            most = middle - 1
    return least


def _proof(text: str, odd: int) -> float:
    """How many odd bytes a text may have that is UTF-8 nevertheless."""
    foreign = sum(map(_is_foreign, text)) - odd
    long = sum(character > "\u07ff" for character in text) - odd
    return _WEAK_PROOF * (foreign - long) + _STRONG_PROOF * long


def _is_foreign(character: str) -> bool:
    return character > "\x7f"


def _with_odd_bytes(data: bytes) -> str:
    text = _read(data, "utf-8")
    if text is None:
        parts = re.split(AMBIGUOUS, data)
        text = "".join(
            "".join(chr(ODD + byte) for byte in part) if place % 2 else part.decode("utf-8", _HANDLER)
            for place, part in enumerate(parts)
        )
    return text


def _read(data: bytes, codec: str) -> str | None:
    """The text of bytes; None if it would have characters that mean odd bytes and are none."""
    if codec == "utf-8":
        return None if re.search(AMBIGUOUS, data) else data.decode(codec, _HANDLER)
    if codec.startswith(_WIDE):
        text = data.decode(codec, _HANDLER)
        return text if _bytes_of(text, codec) == data else None
    text = data.decode(codec)
    return None if re.search(_ODD, text) else text


def _bytes_of(text: str, encoding: str) -> bytes:
    codec = _CODECS.get(encoding, encoding)
    try:
        if text.isascii() or not (codec == "utf-8" or codec.startswith(_WIDE)) or not re.search(_ODD, text):
            return text.encode(codec)
        parts = re.split(f"({_ODD}+)", text)
        return b"".join(
            bytes(ord(odd) - ODD for odd in part) if place % 2 else part.encode(codec)
            for place, part in enumerate(parts)
        )
    except UnicodeEncodeError as error:
        raise _unsayable(text[error.start] if error.object == text else "", encoding) from error


def _unsayable(character: str, encoding: str) -> InvalidInput:
    if "\ud800" <= character <= "\udfff" or not character:
        number = f" (U+{ord(character):04X})" if character else ""
        return InvalidInput(
            f"the text holds half a character{number} and cannot be stored",
            hint="Remove the broken character.",
        )
    return InvalidInput(
        f"{character!r} cannot be written in {encoding}, the encoding of the page",
        hint=f"Convert it first: quaid recode SLUG --from {encoding}; or write without that character.",
    )


def _odd_characters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(chr(ODD + byte) for byte in error.object[error.start : error.end]), error.end


_HANDLER = "quaid.odd"
codecs.register_error(_HANDLER, _odd_characters)
