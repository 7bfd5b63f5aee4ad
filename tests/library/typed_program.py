"""A program as people write it. mypy checks it: an `ignore` that is not needed is an error there."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import assert_type

import quaid
from quaid.operations.answers import Answers
from quaid.operations.edits import Stated
from quaid.operations.kb.answer import Answer
from quaid.operations.pages import OldPage, PageView
from quaid.operations.tags import PageTags, TagCounts


def well_typed(place: str | os.PathLike[str]) -> list[str]:
    """What methods take and return."""
    with quaid.open(place, create=True, notify=print) as memory:
        assert_type(memory, quaid.Memory)
        memory.put("people/alice", "# Alice\n\nLikes brief mails.\n", frontmatter=None)
        memory.put("people/bob", Path(__file__))
        assert_type(memory.get("people/alice"), PageView)
        assert_type(memory.get("people/alice", version=1), PageView | OldPage)
        assert_type(memory.tags(), TagCounts)
        memory.tag("people/alice", "founder")
        assert_type(memory.tags("people/alice"), PageTags | TagCounts)
        memory.timeline_add("people/alice", date=date(2026, 4, 14), summary="Met her")
        stated = memory.assert_("people/alice", "works_at", "RiverAI", valid_from="2026-01")
        assert_type(stated, Stated)
        memory.supersede(stated.id, "HarborAI", from_=date(2026, 5, 1))
        found = memory.search("mails", since=date(2026, 1, 1), limit=3)
        return [match.slug for match in found.results]


def answers(memory: quaid.Memory) -> None:
    """What questions return."""
    assert_type(memory.query("who likes brief messages?", limit=3), Answers)
    assert_type(memory.kb_query("deploys"), Answer)


def ill_typed(memory: quaid.Memory) -> None:
    """What a type checker finds."""
    memory.get(3)  # type: ignore[call-overload]
    memory.query("mails", limit="three")  # type: ignore[arg-type]
    memory.query("mails", lmit=3)  # type: ignore[call-arg]
    memory.list("people")  # type: ignore[call-arg]
    memory.timeline_add("people/alice", summary="Met her")  # type: ignore[call-arg]
    memory.qeury("mails")  # type: ignore[attr-defined]
    memory.list(sort="size")  # type: ignore[arg-type]
    quaid.open(3)  # type: ignore[arg-type]
