"""Likeness by meaning: the model of the memory to which a knowledge base is attached."""

from __future__ import annotations

import subprocess

import pytest

from tests.kb.repositories import Repository, World
from tests.support import PATIENCE, PROGRAM

KNOWN = ("Rent", "Our landlord wants the rent by standing order.")
ANEW = ("Standing order", "Rent must be paid with a standing order, says the owner of the house.")


def test_other_words_are_recognised_where_the_memory_has_vectors(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = world.place / ".quaid" / "memory.db"
    monkeypatch.setenv("QUAID_DB", str(memory))
    subprocess.run([PROGRAM, "init", str(memory)], check=True, capture_output=True)
    kb: Repository = world.made("kb")
    kb.ok("init", "--offline", "--no-adapter")
    id = kb.remember(*KNOWN)
    subprocess.run([PROGRAM, "embed"], check=True, capture_output=True, timeout=PATIENCE)
    ran = kb.run("remember", "--title", ANEW[0], "--summary", ANEW[1])
    assert ran.status == 4, ran.out
    assert f"says much the same as “{KNOWN[0]}” ({id})" in ran.err


def test_without_vectors_words_decide(kb: Repository) -> None:
    kb.remember(*KNOWN)
    assert kb.remember(*ANEW)
