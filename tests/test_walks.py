"""What an everyday command does once: it lists a folder, reads a file and parses a page no second time.

The figures are those of `tools/shape.py`, which runs a command under a profiler.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
DIAGRAMS = sorted((ROOT / "docs" / "diagrams").glob("*.mmd"))


def walk(name: str, home: Path) -> dict[str, Any]:
    """What a walk touches."""
    around = {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    command = [sys.executable, str(ROOT / "tools" / "shape.py"), str(ROOT), "--walk", name]
    done = subprocess.run(command, env=around, capture_output=True, text=True, check=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def test_a_page_that_is_written_is_parsed_once(tmp_path: Path) -> None:
    figures = walk("put", tmp_path)
    assert figures["pages parsed"] == 1
    assert figures["file reads"] == figures["folder listings"] == 0


def test_a_file_that_was_edited_is_read_and_parsed_once(tmp_path: Path) -> None:
    figures = walk("an edited file until found", tmp_path)
    assert figures["file reads"] == figures["pages parsed"] == 1
    assert figures["folder listings"] <= 1


def test_what_is_remembered_reads_no_file_that_has_just_been_looked_at(tmp_path: Path) -> None:
    figures = walk("remember", tmp_path)
    reads = figures["reads"]
    # By the look, if it was written just before; what the edit is made of; what is there when it is replaced.
    assert reads.pop("shopping.md") <= 3
    assert len(reads) == 2  # the logs of two days, at which that look was not
    assert max(reads.values()) == 1


def test_the_index_of_a_knowledge_base_is_judged_by_the_bytes_that_the_journal_knows(tmp_path: Path) -> None:
    figures = walk("ai-kb remember", tmp_path)
    # The new node: is it there, is it still as it was written after the commit.
    assert figures["most reads of one file"] == 2
    # Nodes that were written within a clock's grain of being read are read once more, the index is not.
    assert figures["reads"]["index.org"] == 2


@pytest.mark.parametrize("diagram", DIAGRAMS, ids=lambda each: each.stem)
def test_a_picture_names_rooms_that_there_are(diagram: Path) -> None:
    source = ROOT / "src" / "quaid"
    named = re.findall(r"\b[a-z_]+(?:/[a-z_]+)+\b", diagram.read_text(encoding="utf-8"))
    missing = [
        name for name in named if not (source / name).is_dir() and not (source / f"{name}.py").is_file()
    ]
    assert not missing
