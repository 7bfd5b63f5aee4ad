"""The pages of a memory as documents of LlamaIndex: pip install 'quaid[llamaindex]'."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from quaid.library.memory import Memory

BATCH = 100  # pages that are listed at a time


class QuaidReader(BaseReader):
    """Reads pages one after the other, those of `memory.list`."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def lazy_load_data(self, **filters: Any) -> Iterator[Document]:
        """Every page, or those that `filters` leave: type, tag, wing, collection, since."""
        offset = 0
        while True:
            listed = self._memory.list(**filters, sort="slug", limit=BATCH, offset=offset)
            for line in listed.pages:
                yield self._document(f"{line.collection}::{line.slug}")
            if not listed.more:
                return
            offset += BATCH

    def _document(self, name: str) -> Document:
        page = self._memory.get(name)
        return Document(
            doc_id=name,
            text=page.content,
            metadata={
                "slug": page.slug,
                "collection": page.collection,
                "type": page.type,
                "title": page.title,
                "tags": list(page.tags),
                "version": page.version,
                "updated_at": page.updated_at,
            },
        )
