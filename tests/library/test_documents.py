"""The examples of docs/library.md are run, and answer what the page says."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

import quaid

PAGE = (Path(__file__).parents[2] / "docs" / "library.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_sessions_go_as_they_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest("".join(blocks("pycon")), {}, "library.md", None, 0)
    told: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(session, out=told.append)
    assert "".join(told) == ""


@pytest.mark.parametrize("package", ["langchain_core", "llama_index"])
def test_other_libraries_find_pages(package: str, tmp_path: Path) -> None:
    pytest.importorskip(package, reason=f"NOT TESTED: {package} is not installed")
    (example,) = [block for block in blocks("python") if package.split("_")[0] in block]
    with quaid.open(tmp_path / "memory.db", create=True) as memory:
        memory.put("people/alice", "# Alice Example\n\nPrefers short mails.\n")
        memory.put("companies/river-ai", "# RiverAI\n\nWrites brief messages about rivers.\n")
        *steps, last = example.strip().splitlines()
        names: dict[str, Any] = {"memory": memory}
        exec("\n".join(steps), names)
        assert eval(last, names) == "people/alice"
