"""The files of phrases: what a person who extends them can rely on."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.routing import phrase_files
from quaid.routing.patterns import grammar, ways
from quaid.routing.phrase_files import FOLDER, phrase_set, sections
from quaid.routing.router import route
from quaid.routing.shelf import Hints, Shelf

FILES = sorted(path.stem for path in FOLDER.glob("*.txt"))


@pytest.fixture
def own_phrases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(phrase_files, "FOLDER", tmp_path)
    sections.cache_clear()
    phrase_set.cache_clear()
    yield tmp_path
    sections.cache_clear()
    phrase_set.cache_clear()


@pytest.mark.parametrize("file", FILES)
def test_every_section_can_be_understood(file: str) -> None:
    assert sections(file)
    for section, phrases in sections(file).items():
        assert phrases, section
        assert len(set(phrases)) == len(phrases), f"{section} says something twice"
        for anywhere in (False, True):
            ways(file, section, anywhere=anywhere).search("a sentence")  # every name in braces is known


def test_every_topic_of_a_file_is_a_topic() -> None:
    for topics in sections("topics_of_files").values():
        assert set(topics) <= set(sections("topics"))


def test_phrases_are_lines_and_comments_are_not(own_phrases: Path) -> None:
    (own_phrases / "mine.txt").write_text(
        '# a comment\n\n[one]\n  milk  \n# no phrase\n["#]\n\n[two words]\nGrün\n'
    )
    assert sections("mine") == {"one": ("milk", '["#]'), "two words": ("Grün",)}
    assert phrase_set("mine", "two words") == {"Grün"}


def test_names_in_braces_stand_for_sections(own_phrases: Path) -> None:
    (own_phrases / "common.txt").write_text("[day]\nmonday\nsunday\n[fruit]\npear\n")
    (own_phrases / "mine.txt").write_text("[fruit]\nfig\n(red )?apple\n[wish]\nan? {FRUIT} on {DAY}\n")
    wish = ways("mine", "wish")
    assert wish.match("A  red apple on Sunday")
    assert not wish.match("a pear on sunday"), "the file's own section comes first"
    assert not wish.match("I want a fig on monday")
    assert ways("mine", "wish", anywhere=True).search("I want a fig on monday")
    assert wish.without("a fig on monday, please") == ", please"
    found = grammar("mine", r"{FRUIT} (\d{1,2})").match("red apple 12")
    assert found
    assert found[1] == "12", "groups of phrases are not counted"


@given(st.lists(st.from_regex(r"[a-z][a-z ]{0,10}[a-z]", fullmatch=True), min_size=1))
def test_a_list_fits_its_own_phrases(words: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("quaid.routing.patterns.sections", lambda file: {"mine": tuple(words)})
        mine = ways("any", "mine")
        assert all(mine.match(re.sub(" +", "\t", word.upper())) for word in words)


def test_a_phrase_that_is_added_counts(own_phrases: Path) -> None:
    """In a process of its own, as patterns are made once."""
    for path in FOLDER.glob("*.txt"):
        (own_phrases / path.name).write_bytes(path.read_bytes())
    said = "defenestrate the printer"
    assert route(said, Hints(), Shelf())[0].path == "knowledge/facts.md"
    chores = own_phrases / "chores.txt"
    chores.write_text(
        chores.read_text(encoding="utf-8").replace("[verbs]\n", "[verbs]\ndefenestrate\n"), "utf-8"
    )
    script = f"""
from pathlib import Path
from quaid.routing import phrase_files
phrase_files.FOLDER = Path({str(own_phrases)!r})
from quaid.routing.router import route
from quaid.routing.shelf import Hints, Shelf
print(route({said!r}, Hints(), Shelf())[0].path)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "lists/todos.md"


def test_phrases_are_read_when_a_sentence_is() -> None:
    script = """
import sys
read = []
def note(event, args):
    if event == "open" and "phrases" in str(args[0]) and str(args[0]).endswith(".txt"):
        read.append(args[0])
sys.addaudithook(note)
from quaid.routing.router import route
from quaid.routing.shelf import Hints, Shelf
import quaid.operations.remember
before = len(read)
route("we need milk", Hints(), Shelf())
route("we need bread", Hints(), Shelf())
print(before, len(read) > 2, len(read) == len(set(read)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "True", "True"]
