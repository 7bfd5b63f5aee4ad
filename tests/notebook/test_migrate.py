"""Taking over the files of an older folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quaid.errors import InvalidInput, NotFound
from quaid.notebook.places import furnish
from tests.notebook.notebooks import Notes, made, notes
from tests.support import Clock, quick

__all__ = ["notes"]
OLD = {
    "runtime/standing-orders.md": "# Orders\n\n- Be brief\n",
    "runtime/external-communications.md": "# Outside\n\n- Ask first\n",
    "brain/CLAUDE.md": "You are Ada.\n",
    "brain/memory/core/identity.md": "Ada\n",
    "brain/memory/core/contacts.md": "## Ana\n\n- 555-0101\n",
    "brain/memory/core/preferences.md": "- Tea\n",
    "brain/memory/projects/boat.md": "# Boat\n",
    "brain/memory/2026-01-02.md": "# A day\n",
    "notebook/lists/reading.md": "- Dune\n",
    "sessions/one.jsonl": "{}\n",
    "brain/memory/core/notes.txt": "not Markdown\n",
}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    root = tmp_path / "agent"
    for path, text in OLD.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def tree(root: Path) -> dict[str, bytes]:
    return {str(place.relative_to(root)): place.read_bytes() for place in root.rglob("*") if place.is_file()}


def test_first_it_only_says_what_it_would_do(notes: Notes, old: Path) -> None:
    before, there = notes.files(), tree(old)
    plan = notes.call("notebook migrate", directory=str(old))
    assert {(step["source"], step["target"]) for step in plan["steps"] if step["what"] == "copy"} == {
        ("runtime/standing-orders.md", "reference/standing-orders.md"),
        ("runtime/external-communications.md", "reference/external-communications.md"),
        ("brain/memory/core/preferences.md", "reference/preferences.md"),
        ("brain/memory/projects/boat.md", "knowledge/projects/boat.md"),
        ("brain/memory/2026-01-02.md", "daily/2026-01-02.md"),
        ("notebook/lists/reading.md", "lists/reading.md"),
    }
    assert [step["source"] for step in plan["steps"] if step["what"] == "conflict"] == [
        "brain/memory/core/contacts.md"
    ]
    assert {step["source"] for step in plan["steps"] if step["what"] == "stays"} == {
        "brain/CLAUDE.md",
        "brain/memory/core/identity.md",
    }
    assert (notes.files(), tree(old)) == (before, there)


def test_then_it_copies_and_a_second_time_does_nothing(notes: Notes, old: Path) -> None:
    there, contacts = tree(old), notes["reference/contacts.md"]
    done = notes.call("notebook migrate", directory=str(old), apply=True)
    assert (done["copied"], done["conflicts"]) == (6, 1)
    assert notes["reference/standing-orders.md"] == OLD["runtime/standing-orders.md"]
    assert notes["reference/contacts.md"] == contacts
    assert tree(old) == there
    after = notes.files()
    again = notes.call("notebook migrate", directory=str(old), apply=True)
    assert (again["copied"], again["conflicts"]) == (0, 1)
    assert notes.files() == after
    assert notes.call("notebook list", folder="daily")["folders"][0]["files"] == 1


def test_files_that_a_new_notebook_begins_with_give_way(tmp_path: Path, old: Path, clock: Clock) -> None:
    root = tmp_path / "new"
    root.mkdir()
    furnish(root)
    notes = made(root, {}, clock)
    assert notes.call("notebook migrate", directory=str(old), apply=True)["conflicts"] == 0
    assert notes["reference/contacts.md"] == OLD["brain/memory/core/contacts.md"]
    notes.app.store.close()


def test_two_files_for_one_place_are_a_conflict(notes: Notes, old: Path) -> None:
    (old / "brain/memory/core/standing-orders.md").write_text("Others\n")
    done = notes.call("notebook migrate", directory=str(old), apply=True)
    conflicts = [step for step in done["steps"] if step["what"] == "conflict"]
    assert {step["source"] for step in conflicts} == {
        "runtime/standing-orders.md",
        "brain/memory/core/contacts.md",
    }
    assert notes["reference/standing-orders.md"] == "Others\n"


def test_what_is_no_older_folder_is_refused(notes: Notes, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match="older layout"):
        notes.call("notebook migrate", directory=str(tmp_path / "empty"))
    with pytest.raises(NotFound):
        notes.call("notebook migrate", directory=str(tmp_path / "none"))


def test_links_out_of_the_folder_are_not_followed(notes: Notes, old: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret\n")
    (old / "runtime/link.md").symlink_to(tmp_path / "secret.md")
    done = notes.call("notebook migrate", directory=str(old), apply=True)
    assert "runtime/link.md" not in {step["source"] for step in done["steps"]}


CONFIG = """\
memory:
  notebookDir: notebook
  search: {maxResults: 7, minScore: 0.25, fusionK: many}
  sync:
    watchDebounceMs: 2500
  embedding: {modelsDir: cache/models}
  prompt: {dailyWindow: 5}
"""


def test_a_configuration_without_settings_of_the_memory_is_named(notes: Notes, old: Path) -> None:
    (old / "config.yaml").write_text("search: {maxResults: 7}\n")
    steps = notes.call("notebook migrate", directory=str(old))["steps"]
    (told,) = [step for step in steps if step["source"] == "config.yaml"]
    assert told["what"] == "stays"
    assert "`memory:`" in told["reason"]


def test_the_older_configuration_is_taken_over_once(notes: Notes, old: Path) -> None:
    (old / "config.yaml").write_text(CONFIG)

    def run(*words: str | Path) -> Any:
        return quick(*words, "--json", db=notes.app.store.path).json

    run("config", "set", "prompt.daily_window", "3")
    steps = run("notebook", "migrate", old)["steps"]
    told = {step["source"]: (step["what"], step["target"]) for step in steps if ":" in step["source"]}
    assert told == {
        "config.yaml: notebookDir": ("stays", ""),
        "config.yaml: search.maxResults": ("set", "recall.max_results = 7"),
        "config.yaml: search.minScore": ("there", "recall.min_score = 0.25"),
        "config.yaml: search.fusionK": ("stays", ""),
        "config.yaml: sync.watchDebounceMs": ("set", "sync.debounce = 2.5"),
        "config.yaml: embedding.modelsDir": ("stays", "models.directory = cache/models"),
        "config.yaml: prompt.dailyWindow": ("conflict", "prompt.daily_window = 5"),
    }
    assert run("config", "get", "recall.max_results")["value"] == 15
    run("notebook", "migrate", old, "--apply")
    assert run("config", "get", "search.maxResults")["value"] == 7
    assert run("config", "get", "sync.debounce")["value"] == 2.5
    run("config", "set", "recall.max_results", "9")
    run("notebook", "migrate", old, "--apply")
    assert run("config", "get", "recall.max_results")["value"] == 9
