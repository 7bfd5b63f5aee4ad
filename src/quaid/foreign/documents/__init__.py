"""The text of documents: bytes and a file's name become Markdown. Nothing is executed or fetched."""

from quaid.foreign.documents.documents import Extracted, SourceType, extract

__all__ = ["Extracted", "SourceType", "extract"]
