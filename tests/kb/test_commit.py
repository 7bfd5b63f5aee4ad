"""`ai-kb commit FILE` commits that file alone, checked and indexed as the commit will be."""

from __future__ import annotations

import pytest

from quaid.sync import lock as locks
from tests.kb.nodes import text, uid
from tests.kb.repositories import Repository, World


@pytest.fixture
def base(kb: Repository) -> Repository:
    """A knowledge base of two nodes, the second of which links to the first."""
    (kb.root / "tabs.org").write_text(text(1, title="Use tabs"))
    (kb.root / "width.org").write_text(text(2, title="Line width", body=f"See [[id:{uid(1)}][tabs]]."))
    kb.ok("commit")
    return kb


def edit(kb: Repository, name: str, summary: str) -> None:
    path = kb.root / name
    before = path.read_text()
    start = before.index(":SUMMARY:")
    path.write_text(f"{before[:start]}:SUMMARY: {summary}{before[before.index(chr(10), start) :]}")


def test_two_nodes_are_committed_one_after_the_other(base: Repository) -> None:
    edit(base, "tabs.org", "Wide ones.")
    edit(base, "width.org", "Ninety columns.")
    assert base.ok("commit", "tabs.org", "--json").json["paths"] == ["index.org", "tabs.org"]
    assert base.subjects()[0] == "Edit Use tabs"
    assert base.changes == "M width.org"
    index = base.git("show", "HEAD:index.org")
    assert "Wide ones." in index
    assert "Ninety columns." not in index
    assert "Ninety columns." in base.text(uid(2))
    base.ok("commit", "width.org")
    assert "Ninety columns." in base.git("show", "HEAD:index.org")
    assert base.changes == ""
    assert base.ok("lint").out == "sound\n"


def test_what_is_unfinished_is_neither_committed_nor_checked(base: Repository) -> None:
    (base.root / "draft.org").write_text("half a thought")
    (base.root / "width.org").write_text("and another")
    (base.root / "AGENT_CONTRACT.org").unlink()
    base.git("add", "--all")
    edit(base, "tabs.org", "Wide ones.")
    base.ok("commit", "tabs.org")
    assert base.git("show", "--format=", "--name-only", "HEAD").split() == ["index.org", "tabs.org"]
    assert "Line width" in base.git("show", "HEAD:index.org")
    assert base.changes == "D  AGENT_CONTRACT.org\nA  draft.org\nM  width.org"


def test_a_link_to_what_is_not_committed_is_refused(base: Repository) -> None:
    (base.root / "new.org").write_text(text(3, title="New"))
    path = base.root / "tabs.org"
    path.write_text(text(1, title="Use tabs", body=f"See [[id:{uid(3)}][new]]."))
    ran = base.run("commit", "tabs.org")
    assert (ran.status, "no node has the id" in ran.err) == (11, True)
    base.ok("commit", "tabs.org", "new.org")
    assert base.changes == ""


def test_what_git_has_removed(base: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    base.git("rm", "--quiet", "width.org")
    edit(base, "tabs.org", "Wide ones.")
    monkeypatch.chdir(base.root.parent)
    base.ok("commit", "width.org")
    assert base.subjects()[0] == "Edit Line width"
    assert base.changes == "M tabs.org"
    base.git("rm", "--quiet", "--force", "tabs.org")
    base.ok("commit")
    assert base.changes == ""
    assert "Use tabs" not in (base.root / "index.org").read_text()
    assert base.run("commit", "nowhere.org").status == 3


def test_what_others_link_to_does_not_go_unnoticed(base: Repository) -> None:
    base.git("rm", "--quiet", "tabs.org")
    for words in ((), ("tabs.org",)):
        ran = base.run("commit", *words)
        assert (ran.status, "width.org:" in ran.err) == (11, True)
    assert base.changes == "D  tabs.org"


@pytest.mark.parametrize("words", [(), ("tabs.org", "style/indent.org")])
def test_what_git_has_moved(base: Repository, words: tuple[str, ...]) -> None:
    (base.root / "style").mkdir()
    base.git("mv", "tabs.org", "style/indent.org")
    base.ok("commit", *words)
    assert base.changes == ""
    assert base.node(uid(1)) == base.root / "style" / "indent.org"
    assert base.ok("lint").out == "sound\n"


def test_a_machine_that_is_behind_follows_first(shared: Repository, world: World) -> None:
    mine = shared.remember("Use tabs")
    shared.ok("push")
    other = world.clone("other")
    other.remember("From elsewhere")
    other.ok("push")
    edit(shared, shared.node(mine).name, "Wide ones.")
    (shared.root / "draft.org").write_text("half a thought")
    ran = shared.ok("commit", shared.node(mine).name)
    assert "followed the remote by 1 commit" in ran.err
    assert not shared.ok("status", "--json").json["diverged"]
    shared.ok("push")
    assert Repository(world.bare).head == shared.head
    assert "From elsewhere" in shared.git("show", "HEAD:index.org")


def test_while_another_git_works_there_nothing_is_committed(
    base: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "INDEX_PATIENCE", 0.01)
    lock = base.root / ".git" / "index.lock"
    lock.touch()
    edit(base, "tabs.org", "Wide ones.")
    before = base.now()
    ran = base.run("commit", "tabs.org")
    assert (ran.status, str(lock) in ran.err) == (8, True)
    assert base.now() == before
    assert lock.exists()
