"""A command loads what it needs and no more: what is slow to load is loaded late."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quaid.app import App
from tests.support import call, environment

HEAVY = {
    "hashlib",
    "datetime",
    "yaml",
    "anyascii",
    "tomllib",
    "asyncio",
    "zoneinfo",
    "argparse",
    "importlib.metadata",
    "unittest",
    "email",
    "quaid.formats.fields",  # what reads a page out of a text
    "quaid.model.statement",
}


@pytest.mark.parametrize(
    "words", [["get", "people/alice"], ["list"], ["get", "people/alice", "--json"], ["--version"]]
)
def test_reading_a_page_loads_nothing_heavy(app: App, db: Path, words: list[str]) -> None:
    call(app, "put", slug="people/alice", content="---\ntitle: Alice\ntags: [x]\n---\n# Alice\n")
    script = f"""
import sys
from quaid.cli.main import main
status = main({words!r})
print("\\n" + " ".join(sys.modules), file=sys.stderr)
sys.exit(status)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(db), capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    assert HEAVY & loaded == set()
    assert {name for name in loaded if name.startswith("quaid.operations.")} <= {
        f"quaid.operations.{name}"
        for name in (
            *("actors", "arguments", "fields", "operation", "results", "text", "pages", "values"),
            "vocabulary",
        )
    }


def test_looking_at_files_that_have_not_changed_loads_nothing_that_reads_them(
    app: App, db: Path, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "alice.md").write_text("# Alice\n")
    os.utime(notes / "alice.md", (1_700_000_000, 1_700_000_000))
    call(app, "collection add", name="notes", folder=str(notes))
    script = "import sys; from quaid.cli.main import main; main(['get', 'alice']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(db), capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("# Alice")
    assert {"quaid.vault.mirror", "quaid.vault.sync", "hashlib"} & set(done.stdout.split()) == set()


def test_the_operation_table_loads_no_memory() -> None:
    script = "import sys, quaid.operations; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {"apsw", "json", "pathlib", "quaid.app", "quaid.store"} & set(done.stdout.split()) == set()


def test_a_command_leaves_no_log_of_changes_behind(app: App, db: Path) -> None:
    call(app, "put", slug="people/alice", content="# Alice\n")
    app.store.close()
    quaid = [sys.executable, "-c", "from quaid.cli.main import main; main()"]
    for words in (["tag", "people/alice", "x"], ["get", "people/alice"], ["get", "people/nobody"]):
        subprocess.run([*quaid, *words], env=environment(db), capture_output=True, check=False)
        assert not list(db.parent.glob("*-wal"))
