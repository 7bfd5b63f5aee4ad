"""Nothing leaves the machine: the runtime of the models is kept from reporting its use."""

from __future__ import annotations

from pathlib import Path

from tests.support import quaid


def test_a_question_leaves_nothing_outside_the_memory(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    memory = tmp_path / "m.db"
    environment = {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
    assert quaid("init", str(memory), env=environment).status == 0
    assert quaid("put", "a", input="# A\n\nA cat sleeps.\n", db=memory, env=environment).status == 0
    asked = quaid("query", "feline at rest", "--json", db=memory, env=environment)
    assert asked.json["results"][0]["why"] == ["meaning"]
    left = {path.name for path in home.rglob("*")}
    assert left == {".quaid", "trust.json", "trust.lock"}, "only that the person made this memory"
