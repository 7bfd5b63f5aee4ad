"""Bytes of a file as text, and back to the same bytes."""

from __future__ import annotations

import codecs

from quaid.errors import InvalidInput

# UTF-16 files keep their byte order and their mark, so the names differ from Python's own "utf-16".
_MARKED = (
    ("utf-8-sig", "utf-8", codecs.BOM_UTF8),
    ("utf-16-le-bom", "utf-16-le", codecs.BOM_UTF16_LE),
    ("utf-16-be-bom", "utf-16-be", codecs.BOM_UTF16_BE),
)
_UNMARKED = ("utf-8", "cp1252")


def decode(data: bytes) -> tuple[str, str]:
    """The text and the name of its encoding, such that `encode` restores the bytes."""
    for name, codec, mark in _MARKED:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(codec), name
            except UnicodeDecodeError:
                continue
    for name in _UNMARKED:
        try:
            return data.decode(name), name
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def encode(text: str, encoding: str) -> bytes:
    """The bytes of a text.

    A text that no longer fits its old encoding, or would be read back as another, becomes UTF-8.
    """
    if encoding == "utf-8" and text.startswith("\ufeff"):
        encoding = "utf-8-sig"  # the mark that is part of the text needs one before it
    try:
        data = _encoded(text, encoding)
        if encoding not in ("cp1252", "latin-1") or decode(data)[0] == text:
            return data
    except UnicodeEncodeError:
        pass
    try:
        return _encoded(text, "utf-8-sig" if text.startswith("\ufeff") else "utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"the text holds half a character (U+{ord(text[error.start]):04X}) and cannot be stored",
            hint="Remove the broken character.",
        ) from error


def newline_of(text: str) -> str:
    """The line ending that most lines have."""
    windows = text.count("\r\n")
    return "\r\n" if windows * 2 > text.count("\n") else "\n"


def _encoded(text: str, encoding: str) -> bytes:
    for name, codec, mark in _MARKED:
        if name == encoding:
            return mark + text.encode(codec)
    return text.encode(encoding)
