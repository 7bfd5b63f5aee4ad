"""Machines that edit the same pages at random come to hold the same, and lose nothing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.formats.histories import MARKDOWN, ORG
from tests.sync.machines import Hands, World, settle, told

LONG = pytest.mark.long
PAGES = {"people/alice.md": MARKDOWN, "notes/tea.md": "# Tea\n\nGreen.\n", "org/alice.org": ORG}


@pytest.mark.parametrize(
    ("count", "rounds"), [(3, 2), pytest.param(2, 200, marks=LONG), pytest.param(3, 200, marks=LONG)]
)
def test_random_edits_converge(tmp_path: Path, count: int, rounds: int) -> None:
    world, rng = World(tmp_path), random.Random(count)
    machines = [world.machine("m0", PAGES), *(world.machine(f"m{n}") for n in range(1, count))]
    hands = [Hands(machine, rounds, f"h{n}x") for n, machine in enumerate(machines)]
    for _ in range(rounds):
        for place in rng.sample(range(count), count):
            hands[place].work()
            if rng.random() < 0.7:
                assert machines[place].sync()["outcome"] == "synced"
    settle(machines)
    first, *others = machines
    assert all(machine.files == first.files for machine in others)
    assert len({machine.digest for machine in machines}) == 1
    assert not [path for path, data in first.files.items() if b"<<<<<<<" in data]
    written = {word for each in hands for word in each.written}
    removed = {word for each in hands for word in each.removed}
    assert written - removed - told(first) == set()
    assert first.git("status", "--porcelain") == ""
