"""A page in another encoding, where a person says which one it has."""

from __future__ import annotations

import codecs

from quaid.errors import InvalidInput
from quaid.formats.encoding import decode_as, encode, odd_bytes

# Encodings in which a page can be written: those that are known again when it is read.
TARGETS = (
    "utf-8",
    "utf-8-sig",
    "utf-16-le-bom",
    "utf-16-be-bom",
    "cp1252",
    "cp1251",
    "gb18030",
    "big5",
    "cp949",
    "cp932",
    "euc_jp",
)
_MARKED = ("utf-8-sig", "utf-16-le-bom", "utf-16-be-bom")
_NO_CHARSETS = (
    "unicode-escape",
    "raw-unicode-escape",
    "idna",
    "punycode",
    "undefined",
    "mbcs",
    "oem",
    "utf-7",
)


def page_in_encoding(data: bytes, source: str, target: str) -> tuple[bytes, str, str]:
    """Bytes, text and encoding of a page whose bytes are in one encoding, in another."""
    if target not in TARGETS:
        raise InvalidInput(f"a page cannot be written in {target!r}", hint=f"Choose {', '.join(TARGETS)}.")
    text = _read(data, source)
    text = text.removeprefix("\ufeff") if target in _MARKED else text
    if odd_bytes(text):
        raise InvalidInput(
            f"as {source}, the page has characters that Quaid uses for odd bytes",
            hint="Choose another encoding.",
        )
    return encode(text, target), text, target


def _read(data: bytes, source: str) -> str:
    if source in _MARKED:
        text = decode_as(data, source)
        if not odd_bytes(text):
            return text
        raise InvalidInput(f"the page is not {source} throughout", hint="Remove what is odd in it first.")
    try:
        found = codecs.lookup(source)
    except LookupError:
        found = None
    if found is None or not getattr(found, "_is_text_encoding", True) or found.name in _NO_CHARSETS:
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
