"""What a person accepted on this machine, and what only they can sign."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from quaid.errors import ReadOnly, Untrusted
from quaid.trust import Territory, Trust, confine, stranger_among
from tests.support import NOBODY

as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="chown needs root")


@pytest.fixture
def trust(tmp_path: Path) -> Trust:
    """The list of a person whose home is a folder of the test."""
    (tmp_path / "home").mkdir()
    return Trust(tmp_path / "home")


def test_nothing_is_accepted_until_it_is(trust: Trust, tmp_path: Path) -> None:
    folder, root = tmp_path / "notes", tmp_path / "diary"
    folder.mkdir()
    assert not trust.accepts(folder)
    trust.accept(folder, [root])
    assert trust.accepts(folder)
    assert Trust(trust.home).accepts(folder)
    assert not trust.accepts(folder / "within")
    assert not trust.accepts(tmp_path)
    assert [(each.path, each.roots) for each in trust.everything()] == [(folder, (root,))]
    assert trust.remove(folder)
    assert not trust.remove(folder)
    assert not Trust(trust.home).accepts(folder)


def test_what_was_accepted_before_stays(trust: Trust, tmp_path: Path) -> None:
    trust.accept(tmp_path / "a", [tmp_path / "b"])
    Trust(trust.home).accept(tmp_path / "a", [tmp_path / "c"])
    known = trust.entry(tmp_path / "a")
    assert known
    assert known.roots == (tmp_path / "b", tmp_path / "c")


def test_a_link_is_the_folder_to_which_it_leads(trust: Trust, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    trust.accept(tmp_path / "link")
    assert trust.accepts(tmp_path / "real")


def test_list_and_key_are_the_persons_alone(trust: Trust, tmp_path: Path) -> None:
    trust.accept(tmp_path)
    key = trust.key()
    assert len(key) == 32
    assert Trust(trust.home).key() == key
    own = trust.home / ".quaid"
    modes = {path.name: path.stat().st_mode & 0o777 for path in [own, *own.iterdir()]}
    assert modes == {".quaid": 0o700, "trust.json": 0o600, "trust.lock": 0o600, "journal.key": 0o600}


@pytest.mark.parametrize("name", ["trust.json", "journal.key"])
def test_what_others_can_write_is_not_believed(trust: Trust, tmp_path: Path, name: str) -> None:
    trust.accept(tmp_path)
    trust.key()
    (trust.home / ".quaid" / name).chmod(0o666)
    with pytest.raises(Untrusted, match="others than you"):
        Trust(trust.home).accepts(tmp_path) and trust.key()


@as_root
def test_a_list_of_another_user_is_not_believed(trust: Trust, tmp_path: Path) -> None:
    trust.accept(tmp_path)
    os.chown(trust.home / ".quaid" / "trust.json", NOBODY, NOBODY)
    with pytest.raises(Untrusted):
        Trust(trust.home).accepts(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", '{"folders": 3}', '{"folders": {"/a": {}}}', "\0\xff"])
def test_a_damaged_list_accepts_nothing_and_says_so(trust: Trust, tmp_path: Path, text: str) -> None:
    trust.accept(tmp_path)
    (trust.home / ".quaid" / "trust.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(Untrusted, match="cannot be read"):
        trust.accepts(tmp_path)


def test_a_home_that_cannot_be_used_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    trust = Trust(tmp_path / "file" / "home")
    assert not trust.accepts(tmp_path)
    for attempt in (trust.key, lambda: trust.accept(tmp_path)):
        with pytest.raises(ReadOnly, match="cannot be used") as refused:
            attempt()
        assert "HOME" in refused.value.hint


@as_root
def test_a_folder_that_another_user_took_over_is_accepted_no_longer(trust: Trust, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    trust.accept(folder)
    os.chown(folder, NOBODY, NOBODY)
    assert not trust.accepts(folder)
    trust.accept(folder)  # knowingly
    assert trust.accepts(folder)


@as_root
def test_root_by_sudo_is_also_whoever_called_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.chown(tmp_path, NOBODY, NOBODY)
    assert stranger_among([tmp_path]) == tmp_path
    monkeypatch.setenv("SUDO_UID", str(NOBODY))
    assert stranger_among([tmp_path]) is None


def test_confinement_follows_links(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir()
    (inside / "link").symlink_to(outside)
    (inside / "dangling").symlink_to(outside / "new")
    assert confine(inside / "a" / "b", [inside]) == inside / "a" / "b"
    for path in ("link/x", "dangling", "../out", "a/../../out/x", "../inside-not", "../in2"):
        with pytest.raises(Untrusted, match="does not belong"):
            confine(inside / path, [inside])
    with pytest.raises(Untrusted):
        confine(inside, [])


def test_the_territory_of_a_memory(trust: Trust, tmp_path: Path) -> None:
    notes, other = tmp_path / "notes", tmp_path / "other"
    within = Territory(trust, notes / ".quaid" / "memory.db")
    assert within.admits(notes / "deep")
    assert not within.admits(other)
    alone = Territory(trust, notes / "work.db")
    assert not alone.admits(notes)
    alone.annex(other)
    assert alone.admits(other / "deep")
    assert not within.admits(other)
    own = Territory(trust, trust.home / ".quaid" / "memory.db")
    assert own.admits(other)


def test_the_persons_own_memory_is_believed_while_it_is_theirs_alone(trust: Trust, tmp_path: Path) -> None:
    own = trust.home / ".quaid"
    own.mkdir(mode=0o700)
    territory = Territory(trust, own / "memory.db")
    assert territory.admits(tmp_path / "anything")
    own.chmod(0o777)
    assert not territory.admits(tmp_path / "anything")


def test_a_signature_is_of_one_person_and_one_memory(trust: Trust, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    here, there = (Territory(trust, tmp_path / name / "memory.db") for name in ("a", "b"))
    foreign = Territory(Trust(tmp_path / "other"), tmp_path / "a" / "memory.db")
    assert here.signature(b"x") == here.signature(b"x")
    assert (
        len({here.signature(b"x"), here.signature(b"y"), there.signature(b"x"), foreign.signature(b"x")}) == 4
    )


def test_several_processes_note_what_they_accept(trust: Trust, tmp_path: Path) -> None:
    lists = [Trust(trust.home) for _ in range(3)]
    for number, each in enumerate(lists):
        each.accept(tmp_path / str(number))
    assert len(json.loads((trust.home / ".quaid" / "trust.json").read_text())["folders"]) == 3
