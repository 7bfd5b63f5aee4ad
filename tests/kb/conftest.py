"""A knowledge base in a real git repository, alone or with a remote and other clones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.kb.repositories import Repository, World


@pytest.fixture(autouse=True)
def own_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the person's git nor their agents are seen."""
    for name in [each for each in os.environ if each.startswith(("XDG_", "AI_KB", "GIT_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AI_KB_CREATED_BY", "human")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A place for repositories."""
    return World(tmp_path)


@pytest.fixture
def kb(world: World) -> Repository:
    """A new knowledge base without a remote."""
    return world.made("kb")


@pytest.fixture
def shared(world: World) -> Repository:
    """A knowledge base whose commits so far are on a bare remote."""
    return world.shared("kb")
