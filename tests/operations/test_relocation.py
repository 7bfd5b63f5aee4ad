"""Pages of the memory that become files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from quaid.errors import Conflict, InvalidInput
from tests.formats.histories import MARKDOWN
from tests.stress.mortal import killing, spread
from tests.support import call, lengths, open_memory, quick

PAGES = {
    "people/alice": MARKDOWN,
    "people/bob": "---\ntags: [crew]\n---\n[[people/alice]], [her](alice.md).\n\n---\n\n- 2026-01-02 — Met\n",
    "notes/plain": "No head, [[bob]].",
}


def fill(app: App) -> None:
    for slug, text in PAGES.items():
        call(app, "put", slug=slug, text=text)
    call(app, "put", slug="people/bob", text=PAGES["people/bob"] + "- 2026-01-03 — Again\n")
    call(app, "raw", slug="people/bob", source="crm", data={"id": 7})
    call(app, "link", **{"from": "notes/plain", "to": "people/alice", "relationship": "about"})
    call(app, "put", slug="gone", text="Removed.")
    call(app, "rm", slug="gone")


@pytest.fixture
def filled(app: App) -> App:
    fill(app)
    return app


def facts(app: App) -> dict[str, Any]:
    """What a person sees of every page."""
    names = [page["slug"] for page in call(app, "list")["pages"]]
    found = {name: (call(app, "get", slug=name), call(app, "links", slug=name)) for name in names}
    return found | {name + "!": call(app, "history", slug=name)["versions"] for name in names}


def test_everything_goes_along(filled: App, tmp_path: Path) -> None:
    before, digest = facts(filled), call(filled, "digest")["digest"]
    done = call(filled, "collection move", name="default", folder=str(tmp_path / "notes"))
    assert (done["pages"], done["digest"]) == (3, digest)
    assert (tmp_path / "notes" / "people" / "alice.md").read_text() == MARKDOWN
    assert json.loads((tmp_path / "notes" / "people" / ".raw" / "bob.json").read_text())["sources"] == {
        "crm": {"id": 7}
    }
    again = open_memory(filled.store.path)
    assert call(again, "collection sync")["collections"][0]["effects"] == {}
    assert call(again, "digest")["digest"] == digest
    after = facts(again)
    for name, known in before.items():
        assert after[name] == known or after[name][0] | {"path": None} == known[0] | {"path": None}
    call(again, "restore", slug="gone")
    assert (tmp_path / "notes" / "gone.md").read_text() == "Removed."
    again.store.close()


def test_a_memory_that_is_lost_afterwards_is_made_anew(filled: App, tmp_path: Path) -> None:
    digest = call(filled, "digest")["digest"]
    call(filled, "collection move", name="default", folder=str(tmp_path / "notes"))
    filled.store.close()
    filled.store.path.unlink()
    assert quick("digest", db=filled.store.path).out.strip() == digest


def test_a_folder_with_other_pages_is_refused(filled: App, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.md").write_text("Mine.\n")
    with pytest.raises(Conflict, match=r"mine\.md"):
        call(filled, "collection move", name="default", folder=str(tmp_path / "notes"))
    assert [each.name for each in (tmp_path / "notes").iterdir()] == ["mine.md"]
    call(filled, "collection move", name="default", folder=str(tmp_path / "other"))
    with pytest.raises(InvalidInput, match="files already"):
        call(filled, "collection move", name="default", folder=str(tmp_path / "third"))


@lengths("most", 4, 200)
def test_killed_on_the_way(tmp_path: Path, most: int) -> None:
    """The pages live in the memory until all of them are files; a second run ends what the first began."""

    def made(name: str) -> Path:
        folder = tmp_path / name
        app = open_memory(folder / ".quaid" / "memory.db")
        fill(app)
        app.store.close()
        return folder

    with killing() as killer:
        folder = made("whole")
        digest = quick("digest", cwd=folder, db=folder / ".quaid" / "memory.db").out
        order = [("collection move", {"name": "default", "folder": str(folder / "notes")})]
        _, steps = killer.write(folder, order)
        for point in spread(steps, most):
            folder = made(f"at-{point}")
            db = folder / ".quaid" / "memory.db"
            order = [("collection move", {"name": "default", "folder": str(folder / "notes")})]
            killer.write(folder, order, point)
            assert quick("digest", db=db).out == digest
            ran = quick("collection", "move", "default", str(folder / "notes"), db=db)
            assert ran.status == 0 or "are files already" in ran.err, ran.err
            assert quick("digest", db=db).out == digest
            assert quick("validate", db=db).status == 0
            assert len(list((folder / "notes").rglob("*.md"))) == 3
