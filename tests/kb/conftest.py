"""A knowledge base in a real git repository, alone or with a remote and other clones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.kb.repositories import Repository, World
from tests.support import without_samples


@pytest.fixture(autouse=True)
def own_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the person's git nor their agents are seen."""
    become_ada(tmp_path, monkeypatch)


def become_ada(home: Path, patch: pytest.MonkeyPatch) -> None:
    for name in [each for each in os.environ if each.startswith(("XDG_", "AI_KB", "GIT_", "CLAUDE"))]:
        patch.delenv(name)
    patch.setenv("HOME", str(home))
    patch.setenv("AI_KB_CREATED_BY", "human")
    patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    (home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, World]:
    """A knowledge base without a remote, and one with it: most tests begin with a copy of one of them."""
    made = {}
    for kind in ("alone", "shared"):
        home = tmp_path_factory.mktemp(kind)
        with pytest.MonkeyPatch.context() as patch:
            become_ada(home, patch)
            made[kind] = World(home)
            made[kind].made("kb") if kind == "alone" else made[kind].shared("kb")
        without_samples(home)
    return made


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A place for repositories."""
    return World(tmp_path)


@pytest.fixture
def kb(world: World, models: dict[str, World]) -> Repository:
    """A new knowledge base without a remote."""
    return world.copied(Repository(models["alone"].place / "kb"), "kb")


@pytest.fixture
def shared(world: World, models: dict[str, World]) -> Repository:
    """A knowledge base whose commits so far are on a bare remote."""
    return world.copied_with_remote(models["shared"], "kb")
