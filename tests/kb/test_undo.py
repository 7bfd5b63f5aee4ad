"""Who wrote a node, and taking back what one of them wrote: as a commit, through the gate."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid import operations
from quaid.app import App, Surroundings
from quaid.model.actor import Actor, acting
from quaid.settings import Settings
from quaid.store.connection import Store
from tests.kb.nodes import text, uid
from tests.kb.repositories import Repository, World
from tests.support import call, quick

AGENT = Actor("agent", "Robot", "2.1", "r-1")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """The person's own memory."""
    around = Surroundings({"PATH": os.environ["PATH"], "HOME": str(tmp_path)}, tmp_path)
    opened = App(Store.create(tmp_path / "own" / "memory.db"), Settings(), surroundings=around)
    yield opened
    opened.store.close()


@pytest.fixture
def base(app: App, kb: Repository) -> Repository:
    """A knowledge base of a node, attached as kb."""
    (kb.root / "tabs.org").write_text(text(1, title="Use tabs", body="First.\n\nLast.", updated="2026-01-01"))
    kb.ok("commit", "--message", "A node")
    call(app, "collection add", name="kb", folder=str(kb.root), profile="kb")
    return kb


def test_an_undo_is_a_commit_that_keeps_what_others_wrote(app: App, base: Repository) -> None:
    with acting(AGENT):
        call(app, "put", slug="kb::width", content=text(2, title="Width", body=f"See [[id:{uid(1)}][tabs]]."))
        wrong = base.text(uid(1)).replace("First.", "Wrong.")
        call(app, "put", slug="kb::tabs", content=wrong, expected_version=1)
    call(app, "put", slug="kb::tabs", content=base.text(uid(1)).replace("Last.", "Last of all."))
    before = base.subjects()
    done = call(app, "undo", session="r-1", yes=True)
    assert {each["slug"]: each["what"] for each in done["pages"]} == {
        "tabs": ["merged"],
        "width": ["removed"],
    }
    assert base.subjects() == ["Undo 2 nodes", *before]
    assert "First.\n\nLast of all." in base.text(uid(1))
    assert not (base.root / "width.org").exists()
    assert (base.changes, base.ok("lint").out) == ("", "sound\n")


def test_a_knowledge_base_that_would_not_be_sound_is_left(app: App, base: Repository) -> None:
    with acting(AGENT):
        call(app, "put", slug="kb::width", content=text(2, title="Width"))
    call(app, "put", slug="kb::tabs", content=base.text(uid(1)).replace("Last.", f"See [[id:{uid(2)}][it]]."))
    head = base.head
    (clash,) = call(app, "undo", session="r-1", yes=True)["conflicts"]
    assert (clash["slug"], base.head) == ("width", head)
    assert "no node has the id" in clash["reason"]


def test_a_node_that_an_agent_remembers_is_the_agents_in_both_memories(app: App, base: Repository) -> None:
    (base.root / "mine.org").write_text(text(3, title="By hand"))
    base.ok("commit", "--message", "By hand")
    operation = operations.tool("kb_remember")
    node = {"title": "Width", "summary": "Lines have 110 signs.", "created_by": "codex"}
    with acting(AGENT):
        operations.run(app, operation, operations.decode(operation.arguments, node, tool=True))
    assert [each["title"] for each in call(app, "list", by="robot")["pages"]] == ["Width"]
    assert {each["slug"] for each in call(app, "list", by="edit")["pages"]} == {"mine", "tabs"}
    own = quick("list", "--by", "robot", "--json", db=base.root / ".quaid" / "memory.db")
    assert [each["title"] for each in own.json["pages"]] == ["Width"]
    call(app, "undo", session="r-1", yes=True)
    assert base.subjects()[0] == "Undo Width"


def test_what_a_remote_brings_is_by_its_authors(world: World, shared: Repository) -> None:
    other = world.clone("other")
    other.git("config", "user.name", "Grace")
    other.remember("Seals")
    other.ok("push")
    shared.remember("Otters")
    db = shared.root / ".quaid" / "memory.db"
    listed = quick("list", "--by", "git", "--json", db=db).json["pages"]
    assert [(each["title"], each["by"]) for each in listed] == [("Seals", "git Grace")]
