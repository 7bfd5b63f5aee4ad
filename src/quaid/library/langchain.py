"""A memory as a retriever of LangChain: pip install 'quaid[langchain]'."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from quaid.library.memory import Memory


class QuaidRetriever(BaseRetriever):
    """Finds what `memory.query` finds; `filters` are more of its arguments, such as type or since."""

    memory: Memory
    limit: int = 5
    filters: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = self.memory.query(query, limit=self.limit, **self.filters)
        return [
            Document(
                id=f"{answer.collection}::{answer.slug}",
                page_content=answer.content or answer.summary,
                metadata={
                    "slug": answer.slug,
                    "collection": answer.collection,
                    "type": answer.type,
                    "title": answer.title,
                    "score": answer.score,
                    "confidence": found.confidence,
                },
            )
            for answer in found.results
        ]
