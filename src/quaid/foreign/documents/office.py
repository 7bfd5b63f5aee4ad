"""Word documents as Markdown."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any
from xml.parsers.expat import ExpatError
from xml.sax import SAXException

from quaid.errors import InvalidInput
from quaid.foreign.documents.readers import Reading, broken, missing_reader
from quaid.foreign.documents.web import markdown

MAX_UNPACKED = 256 * 1024 * 1024
MAX_FILES = 10_000

_UNREADABLE = (NotImplementedError, RuntimeError, EOFError, ValueError, OSError, LookupError)


def read(data: bytes) -> Reading:
    """The text of a Word document with its headings, lists and tables. Images are left out."""
    parts = _parts(data)
    try:
        import mammoth  # type: ignore[import-untyped]  # only for Word documents, and an extra
        from bs4 import BeautifulSoup
    except ImportError:
        raise missing_reader("Word documents") from None
    try:
        made: Any = mammoth.convert_to_html(
            io.BytesIO(parts), convert_image=mammoth.images.img_element(lambda image: {})
        )
    except (
        SAXException,
        ExpatError,
        zipfile.BadZipFile,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
        OSError,
        RecursionError,
    ) as error:
        raise broken("Word document", error) from error
    return markdown(BeautifulSoup(made.value, "html.parser"))


def _parts(data: bytes) -> bytes:
    """An archive of the document's XML alone, which holds no more than it says and defines no entities."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise InvalidInput("the Word document is encrypted, or of the old format", hint="Save it as DOCX.")
    out = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w") as kept:
            members = archive.infolist()
            if len(members) > MAX_FILES or sum(each.file_size for each in members) > MAX_UNPACKED:
                raise InvalidInput(
                    "the Word document unpacks to more than 256 MB", hint="Ingest its text only."
                )
            for each in members:
                if each.filename.endswith((".xml", ".rels")):
                    with archive.open(each) as file:
                        # Not more at once than it claims: what is packed may be without bound.
                        kept.writestr(each.filename, _checked(file.read(each.file_size)))
    except (zipfile.BadZipFile, zlib.error, *_UNREADABLE) as error:
        raise broken("Word document", error) from error
    return out.getvalue()


def _checked(part: bytes) -> bytes:
    if b"<!DOCTYPE" in part or b"<!ENTITY" in part or b"<\x00!\x00D\x00O" in part:
        raise InvalidInput("the Word document defines entities, which none does", hint="Save it anew.")
    return part
