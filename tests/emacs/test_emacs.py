"""The Emacs package in a real Emacs, with real git: with org-roam, and with built-in packages alone."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

import pytest

from quaid.operations.kb.nodes import PACKAGE
from tests.forked import programs
from tests.kb.conftest import become_ada
from tests.kb.repositories import World
from tests.support import PATIENCE

HERE = Path(__file__).parent
LINT = """
(progn
  (require 'checkdoc)
  (setq byte-compile-error-on-warn t)
  (dolist (file (directory-files "." t "\\\\.el\\\\'"))
    (unless (byte-compile-file file) (kill-emacs 1))
    (checkdoc-file file)))
"""


def emacs(*words: str | Path, cwd: Path, **environment: str) -> str:
    """What Emacs prints in batch; a test that it fails is one of ours."""
    if not shutil.which("emacs"):
        pytest.skip("NOT TESTED: Emacs is not installed")
    done = subprocess.run(
        ["emacs", "--batch", *words],
        cwd=cwd,
        env={**os.environ, "LC_ALL": "C.UTF-8", **environment},
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    said = done.stdout.decode() + done.stderr.decode()
    assert done.returncode == 0, said
    return said


@pytest.fixture
def kb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A knowledge base, and the programs that work on it."""
    become_ada(tmp_path, monkeypatch)
    monkeypatch.setenv("PATH", f"{programs()}:{os.environ['PATH']}")
    monkeypatch.setenv("AI_KB", str(World(tmp_path).made("kb").root))
    return tmp_path


def ert(name: str, place: Path, *words: str) -> str:
    """Run one file of ERT tests; the answer is what it said."""
    paths = ["-L", PACKAGE, "-L", HERE, "-l", HERE / f"{name}-tests.el"]
    return emacs("-Q" if words else "-q", *paths, "-f", "ert-run-tests-batch-and-exit", *words, cwd=place)


@lru_cache(maxsize=1)
def has_org_roam() -> bool:
    look = '(progn (package-initialize) (princ (locate-library "org-roam")))'
    return "org-roam" in emacs("-q", "--eval", look, cwd=HERE)


@pytest.mark.parametrize("name", ["edit", "browse", "profile"])
def test_with_all_packages(kb: Path, name: str) -> None:
    if not has_org_roam():
        pytest.skip("NOT TESTED: org-roam is not installed")
    ert(name, kb)


@pytest.mark.parametrize("name", ["edit", "browse", "profile"])
def test_with_built_in_packages_alone(kb: Path, name: str) -> None:
    said = ert(name, kb, "--built-in")
    assert "0 unexpected" in said
    assert "Ran 0" not in said


def test_it_compiles_and_is_documented_without_a_warning(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "package")
    said = emacs("-Q", "-L", ".", "--eval", LINT, cwd=tmp_path / "package")
    assert "arning" not in said
