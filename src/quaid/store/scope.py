"""What a search looks through: the texts of pages, or those of conversations.

Each kind has tables of its own, so that the weight of a word in pages does not depend on how much was said in
conversations; what searches them is the same.
"""

from __future__ import annotations

from typing import Any, Literal

from quaid.model.record import record
from quaid.store.conversations import ConversationFilter
from quaid.store.filters import PageFilter

Kind = Literal["page", "conversation"]
UnitName = Literal["chunk", "item", "turn"]
Filter = PageFilter | ConversationFilter


@record
class Units:
    """The tables of one kind of document. A document has units, each with one text that is searched."""

    kind: Kind
    name: UnitName  # of the word index: chunk_fts, turn_fts
    table: str  # `u` in a condition
    owner: str  # its column that says whose it is
    documents: str  # `p` in a condition
    vectors: str
    rank: str  # how the columns of the word index weigh
    day: str  # an expression: the day of a unit
    done: str = ""  # the column of a model that says up to which unit all texts are embedded

    @property
    def index(self) -> Literal["chunk", "turn"]:
        """The word index in which its words are counted: a line's stand in its chunk."""
        return "turn" if self.name == "turn" else "chunk"


PAGES = Units(
    kind="page",
    name="chunk",
    table="chunks",
    owner="page_id",
    documents="pages",
    vectors="embeddings",
    rank="bm25(1.0, 3.0, 2.0, 0.0)",
    day="u.date",
    done="done_to",
)
# Single lines of pages. They have no word index: words find the chunk in which a line stands.
ITEMS = Units(
    kind="page",
    name="item",
    table="items",
    owner="page_id",
    documents="pages",
    vectors="item_embeddings",
    rank="",
    day="NULL",
    done="items_to",
)
CONVERSATIONS = Units(
    kind="conversation",
    name="turn",
    table="turns",
    owner="conversation_id",
    documents="conversations",
    vectors="turn_embeddings",
    rank="bm25(1.0, 0.0)",
    day="substr(u.time, 1, 10)",
)


@record
class Scope:
    """The texts of one kind that pass a filter."""

    units: Units
    chosen: Filter

    @property
    def join(self) -> str:
        """SQL that leads from a unit `u` to its document `p`."""
        return f"JOIN {self.units.documents} p ON p.id = u.{self.units.owner}"

    def where(self) -> tuple[str, list[Any]]:
        """SQL conditions on `p` and `u`, joined with AND, and their parameters."""
        return self.chosen.where()


def pages(chosen: PageFilter | None = None) -> Scope:
    """The pages that pass a filter."""
    return Scope(PAGES, chosen or PageFilter())


def items(chosen: PageFilter | None = None) -> Scope:
    """The single lines of the pages that pass a filter."""
    return Scope(ITEMS, chosen or PageFilter())


def conversations(chosen: ConversationFilter | None = None) -> Scope:
    """The conversations that pass a filter."""
    return Scope(CONVERSATIONS, chosen or ConversationFilter())
