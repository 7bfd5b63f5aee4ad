"""Which kind of document some bytes are, and its text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from quaid.errors import InvalidInput
from quaid.foreign.documents import mail, office, pdf, subtitles, web
from quaid.foreign.documents.readers import MAX_CHARACTERS, Reading
from quaid.formats.encoding import decode
from quaid.model.record import fill, record

SourceType = Literal["meeting", "article", "doc", "conversation"]
MAX_BYTES = 64 * 1024 * 1024
BINARY = ("\x00", "\x01", "\x02")


@record
class Extracted(Reading):
    """What a document says, and what it is."""

    kind: str = ""
    type: SourceType = "doc"


# Kind, endings, how such a document begins, what it usually is, and its reader.
_KINDS: tuple[tuple[str, tuple[str, ...], tuple[bytes, ...], SourceType, Callable[[bytes], Reading]], ...] = (
    ("PDF", ("pdf",), (b"%pdf-",), "doc", pdf.read),
    ("Word document", ("docx",), (b"pk\x03\x04",), "doc", office.read),
    ("web page", ("html", "htm", "xhtml"), (b"<!doctype html", b"<html"), "article", web.read),
    ("transcript", ("vtt", "srt"), (b"webvtt", b"\xef\xbb\xbfwebvtt"), "meeting", subtitles.read),
    ("mail", ("eml",), (), "conversation", mail.read),
)


def extract(data: bytes, name: str) -> Extracted:
    """The text of a document; its kind is known by the name's ending, or else by how it begins."""
    if len(data) > MAX_BYTES:
        raise InvalidInput(
            f"{_title_from(name)} is larger than 64 MB", hint="Split it, or ingest its text only."
        )
    for kind, endings, beginnings, usual, read in _KINDS:
        if _is(endings, beginnings, data, name):
            reading = read(data)
            return fill(Extracted, reading, text=_demanded(reading.text, name), kind=kind, type=usual)
    text, encoding = decode(data)
    # What only Latin-1 can decode holds bytes that no text in a Western encoding has.
    if encoding == "latin-1" or any(mark in text for mark in BINARY):
        raise InvalidInput(
            f"{_title_from(name)} is not text, and no kind of document that Quaid reads",
            hint="Quaid reads HTML, PDF, DOCX, VTT, SRT, EML, and text; save text as UTF-8.",
        )
    return Extracted(_demanded(text, name), kind="text")


def _is(endings: tuple[str, ...], beginnings: tuple[bytes, ...], data: bytes, name: str) -> bool:
    """Whether these bytes are such a document. What a file is called counts less than what a PDF is."""
    start = data[:64].lstrip()
    if "pdf" in endings and start.startswith(b"%PDF-"):
        return True
    if "." in name.rsplit("/", 1)[-1]:
        return name.rsplit(".", 1)[-1].lower() in endings
    return start.lower().startswith(beginnings) and ("docx" not in endings or b"word/" in data)


def _demanded(text: str, name: str) -> str:
    if not text.strip():
        raise InvalidInput(f"{_title_from(name)} holds no text", hint="There is nothing to remember in it.")
    if len(text) > MAX_CHARACTERS:
        raise InvalidInput(f"{_title_from(name)} holds more than 32 million characters", hint="Split it.")
    return text


def _title_from(name: str) -> str:
    return name or "the content"
