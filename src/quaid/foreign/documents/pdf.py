"""PDFs as text."""

from __future__ import annotations

import io
import logging
from typing import Any

from quaid.errors import InvalidInput
from quaid.foreign.documents.readers import MAX_CHARACTERS, Reading, broken, missing_reader, tidied

MAX_PAGES = 5_000


def read(data: bytes) -> Reading:
    """The text of a PDF, page after page."""
    try:
        from pypdf import PdfReader  # only for PDFs, and an extra
        from pypdf.errors import DependencyError, PyPdfError
    except ImportError:
        raise missing_reader("PDFs") from None
    # It tells every oddity of a file; what matters comes as an error.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(io.BytesIO(data))
        # Many PDFs are encrypted with no password at all, against changes rather than reading.
        if reader.is_encrypted and not reader.decrypt(""):
            raise _encryption_error()
        return _reading(reader)
    except DependencyError:
        raise _encryption_error() from None
    except (
        PyPdfError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        AssertionError,
        NotImplementedError,
        RecursionError,
        MemoryError,
        OSError,
        ImportError,
    ) as error:
        raise broken("PDF", error) from error


def _encryption_error() -> InvalidInput:
    return InvalidInput("the PDF is encrypted", hint="Save it without a password first, then ingest it.")


def _reading(reader: Any) -> Reading:
    count = len(reader.pages)
    if count > MAX_PAGES:
        raise InvalidInput(f"the PDF has {count:,} pages; at most {MAX_PAGES:,} are read", hint="Split it.")
    parts: list[str] = []
    size = 0
    for page in reader.pages:
        parts.append(page.extract_text().strip())
        size += len(parts[-1])
        if size > MAX_CHARACTERS:
            raise InvalidInput("the PDF holds more text than a page can", hint="Split it.")
    written = sum(1 for part in parts if part)
    if not written:
        raise InvalidInput(
            "the PDF holds no text, only images", hint="Recognise its text first, such as with ocrmypdf."
        )
    notes = (f"{count - written} of {count} pages hold no text.",) if written < count else ()
    return Reading(tidied("\n\n".join(part for part in parts if part)), _title(reader), notes)


def _title(reader: Any) -> str:
    title = reader.metadata.title if reader.metadata else None
    return " ".join(title.split()) if isinstance(title, str) else ""
