"""What merging left open: listed, shown, marked in answers, settled; and copies of other programs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.support import Restored, quick
from tests.sync.machines import Machine, World, settle

BOB = "---\ntags: [crew]\nstatus: new\n---\n# Bob\n\nLives in Oslo.\n"
MORE = "".join(f"Line {n} of a page that is long enough to be known again.\n" for n in range(9))
PAGES = {"bob.md": BOB, "kept.md": "# Kept\n", "gone.md": "# Gone\n", "place.md": MORE, "data.txt": "0\n"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Restored:
    """Two machines after a merge that left all kinds of conflicts open; the second one is newer."""
    place = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(place))
        world = World(place)
        one, two = world.machine("one", PAGES), world.machine("two")
        for day, machine, name in ((1, one, "one"), (2, two, "two")):
            patch.setenv("GIT_AUTHOR_DATE", f"2026-05-0{day}T08:00:00+00:00")
            machine.write("bob.md", BOB.replace("new", name).replace("Oslo", f"the house of {name}"))
            (machine.root / "place.md").rename(machine.root / f"place-{name}.md")
            machine.write("data.txt", f"{day}\n")
            if name == "one":
                (machine.root / "gone.md").unlink()
            else:
                machine.write("gone.md", "# Gone\n\nNot yet.\n")
            machine.sync()
        one.sync()
    return Restored(place)


@pytest.fixture
def two(made: Restored, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("HOME", str(made()))
    return Machine(made.place / "two")


def ids(machine: Machine) -> dict[str, str]:
    """The open conflicts by kind."""
    found = machine.ok("conflicts", "--json").json["conflicts"]
    return {each["kind"]: each["id"] for each in found}


def test_all_kinds_are_listed(two: Machine) -> None:
    assert ids(two).keys() == {"field", "text", "page", "name", "file"}
    listed = two.ok("conflicts").out
    assert "moved by both; the other calls it place-one.md" in listed
    assert "removed by one, changed by the other" in listed
    assert listed.endswith("5 open conflicts\n")
    assert len(two.ok("conflicts", "bob", "--json").json["conflicts"]) == 2
    assert two.read("gone.md") == "# Gone\n\nNot yet.\n"
    assert (two.read("data.txt"), "place-two.md" in two.pages) == ("2\n", True)
    assert two.status()["conflicts"] == 5


def test_both_sides_are_shown_side_by_side(two: Machine) -> None:
    shown = two.ok("conflicts", "show", ids(two)["text"]).out.splitlines()
    assert shown[0].endswith("bob.md: text Bob")
    assert [part.strip() for part in shown[-1].split("│")] == [
        "Lives in the house of two.",
        "Lives in the house of one.",
    ]


def test_a_question_names_them(two: Machine) -> None:
    assert f"two versions: quaid conflicts show {ids(two)['text']}" in two.ok("query", "bob").out
    answers = two.ok("query", "kept", "--json").json["results"]
    assert "conflicts" not in next(each for each in answers if each["slug"] == "kept")


@pytest.mark.parametrize("keep", ["ours", "theirs"])
def test_settled_on_one_machine_they_are_settled_everywhere(two: Machine, keep: str) -> None:
    for id in ids(two).values():
        two.ok("conflicts", "resolve", id, "--keep", keep)
    assert two.ok("conflicts").out == "No open conflicts.\n"
    name = "two" if keep == "ours" else "one"
    assert f"status: {name}" in two.read("bob.md")
    assert f"house of {name}" in two.read("bob.md")
    assert f"place-{name}.md" in two.pages
    assert ("gone.md" in two.pages) == (keep == "ours")
    assert two.read("data.txt") == ("2\n" if keep == "ours" else "1\n")
    one = Machine(two.root.parent / "one")
    settle([two, one])
    assert one.files == two.files
    assert one.digest == two.digest


def test_something_else_may_be_written(two: Machine) -> None:
    two.ok("conflicts", "resolve", ids(two)["text"], "--text", "Lives on a boat.")
    assert "\nLives on a boat.\n" in two.read("bob.md")
    assert two.quaid("conflicts", "resolve", ids(two)["field"]).status == 2
    assert two.quaid("conflicts", "resolve", "none~12345678", "--keep", "ours").status == 3


def test_a_page_that_was_edited_since_is_not_guessed_at(two: Machine) -> None:
    two.write("bob.md", "# Bob\n\nAll new.\n")
    ran = two.quaid("conflicts", "resolve", ids(two)["text"], "--keep", "theirs")
    assert ran.status == 2
    assert "no longer has what the merge kept" in ran.err
    two.ok("conflicts", "resolve", ids(two)["text"], "--keep", "ours")
    assert two.read("bob.md") == "# Bob\n\nAll new.\n"


COPIES = [
    "bob.sync-conflict-20260102-101112-ABCDEFG.md",
    "bob (Anna's conflicted copy 2026-01-02).md",
    "bob (conflicted copy 2026-01-02 101112).md",
    "bob 2.md",
]


@pytest.mark.parametrize("name", COPIES)
def test_copies_of_other_programs_are_merged_with_consent(tmp_path: Path, name: str) -> None:
    machine = Machine(tmp_path / "notes")
    machine.write("bob.md", BOB + "\nSails.\n")
    machine.write(name, BOB.replace("[crew]", "[crew, cook]").replace("new", "old") + "\nReads.\n")
    machine.write("other 2.md", "# Another\n")
    machine.write("other.md", "Nothing of the kind.\n")
    os.utime(machine.root / name, (1e9, 1e9))
    assert quick("init", str(machine.root)).status == 0
    assert machine.status()["copies"] == [name]
    listed = machine.ok("conflicts", "bob")
    assert f"{name}  a copy of bob.md\n1 copy of another program: quaid conflicts merge-copies" in listed.out
    assert name in machine.ok("conflicts", "merge-copies").out
    assert (machine.root / name).exists()
    machine.ok("conflicts", "merge-copies", "--yes")
    assert machine.pages == ["bob.md", "other 2.md", "other.md"]
    text = machine.read("bob.md")
    assert {"Sails.", "Reads.", "tags: [crew, cook]", "status: new"} <= {*text.splitlines()}
    (conflict,) = [json.loads(data) for path, data in machine.files.items() if path.startswith(".conflicts")]
    assert (conflict["kept"], conflict["other"]) == ("status: new\n", "status: old\n")
    assert machine.ok("conflicts", "merge-copies").out == "No copies of other programs.\n"
    assert machine.ok("list", "--removed").out.count("\n") >= 1


@pytest.mark.parametrize(
    ("path", "name"),
    [("../outside.txt", "0" * 40), ("data.txt", "--filters"), (".quaid/config.toml", "x"), (".GIT/x", "x")],
)
def test_a_conflict_that_somebody_made_up_reaches_nothing(two: Machine, path: str, name: str) -> None:
    """Conflicts come from other machines: a path may lead anywhere, and a name be an option of git's."""
    facts = {"path": path, "kind": "file", "name": name, "base": "", "kept": "", "other": "evil\n"}
    two.write(".conflicts/trap.json", json.dumps(facts | {"kept_at": "", "other_at": ""}))
    (two.root.parent / "outside.txt").write_text("mine\n")
    before = two.files, (two.root / ".quaid" / "config.toml").read_bytes()
    for words in (("--keep", "theirs"), ("--text", "evil")):
        if path != "data.txt" or words[0] == "--keep":
            assert two.quaid("conflicts", "resolve", "trap", *words).status in (2, 3)
    assert (two.files, (two.root / ".quaid" / "config.toml").read_bytes()) == before
    assert (two.root.parent / "outside.txt").read_text() == "mine\n"
