"""The third voice: it is heard where the order is in doubt, reads little, and judges nothing alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from quaid.app import App
from quaid.model.reading import Reading
from quaid.search import hybrid, passages, voice
from quaid.search.excerpts import Excerpt, Found, excerpts
from quaid.search.question import read_question
from quaid.search.voice import Voice, shares_with_reader
from quaid.store import passages as texts
from quaid.store import scope as scopes
from quaid.store.filters import PageFilter
from tests.support import call
from tests.support_embedders import BagOfWords, install

PAGES = {
    "notes/dog": "# Dog\n\nThe dog was taken to the vet on Monday. He got a tablet against worms.\n",
    "notes/vet": "# Practice\n\nThe vet has moved to Station Road. The practice opens at nine on Monday.\n",
    "notes/cat": "# Cat\n\nThe cat does not like the vet, and hides on Monday.\n",
    "notes/long": "# Long\n\n" + "Nothing of note happened. " * 200 + "The vet likes chess.\n",
}


class Reader:
    """A reranker that likes one word, and keeps what it read."""

    def __init__(self, liked: str = "") -> None:
        self.liked = liked
        self.read: list[str] = []

    def reads(self, question: str) -> bool:
        return question.isascii()

    def readings(self, question: str, passages: Sequence[str], budget: int) -> list[Reading]:
        self.read += passages
        liked = [bool(self.liked) and self.liked in passage for passage in passages]
        return [Reading(9.0, 3.0) if each else Reading(-9.0, -3.0) for each in liked]

    def with_opinions(
        self, question: str, passages: Sequence[str], readings: Sequence[Reading]
    ) -> list[Reading]:
        return list(readings)


@pytest.fixture
def library(app: App) -> App:
    with app.store.write():
        for slug, text in PAGES.items():
            call(app, "put", slug=slug, content=text)
    return app


def found(app: App, question: str, reader: Reader | None) -> list[str]:
    with app.store.read() as connection:
        hits = hybrid.find(connection, question, scopes.pages(), 10, voice=Voice(reader) if reader else None)
        slugs = dict(connection.execute("SELECT id, slug FROM pages"))
        return [slugs[hit.document] for hit in hits]


def test_it_lifts_what_it_likes(library: App) -> None:
    silent = found(library, "vet on Monday", Reader())
    assert silent == found(library, "vet on Monday", None), "one that likes all alike changes nothing"
    assert found(library, "vet on Monday", Reader("tablet"))[0] == "notes/dog"
    assert found(library, "vet on Monday", Reader("Station"))[0] == "notes/vet"


def test_it_is_no_judge() -> None:
    """What nearly all evidence speaks for stays first, though the reranker prefers another."""
    assert shares_with_reader({1: 0.9, 2: 0.1}, {1: 0.0, 2: 1.0})[1] > 0.5
    assert shares_with_reader({1: 0.5, 2: 0.5}, {1: 0.0, 2: 1.0})[2] > 0.5


def test_what_was_not_read_stays_below() -> None:
    scores = shares_with_reader({1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}, {1: -4.0, 2: 3.0})
    assert sorted(scores, key=lambda each: -scores[each]) == [2, 1, 3, 4]
    assert sum(scores.values()) == pytest.approx(1)


def test_it_knows_how_much_of_a_text_it_has_read(library: App) -> None:
    shown = {
        "short": texts.Excerpt("", "", "The vet likes chess."),
        "long": texts.Excerpt("", "", "The vet likes chess. " + "Nothing of note happened. " * 60),
    }
    read = Voice(Reader("chess")).readings(library.connection, read_question("who likes chess"), shown)
    assert read["short"] == Reading(9.0, 3.0, 1.0)
    assert 0 < read["long"].share < 0.3


def test_it_has_less_to_say_about_texts_of_which_it_has_read_little(app: App) -> None:
    """Words are for the practice, the reader is for the dog: of short texts it is believed."""
    rest = " Nothing of note happened." * 80
    for more, first in (("", "notes/dog"), (rest, "notes/practice")):
        call(
            app, "put", slug="notes/practice", content=f"# Practice\n\nThe vet. The vet, and the vet.{more}\n"
        )
        call(app, "put", slug="notes/dog", content=f"# Dog\n\nThe dog got a tablet of the vet.{more}\n")
        assert found(app, "what of the vet", None)[0] == "notes/practice"
        assert found(app, "what of the vet", Reader("tablet"))[0] == first, more[:10]


def test_a_name_needs_no_reader(library: App) -> None:
    reader = Reader("tablet")
    assert found(library, "Cat", reader)[0] == "notes/cat"
    assert not reader.read


def test_it_reads_a_short_passage_around_the_words(library: App) -> None:
    reader = Reader()
    found(library, "does the vet play chess", reader)
    [passage] = [each for each in reader.read if each.startswith("Long")]
    assert "likes chess" in passage
    assert len(passage.split()) <= voice.WORDS + 1


def test_a_script_that_it_does_not_read_is_left_to_the_others(library: App) -> None:
    reader = Reader("tablet")
    assert found(library, "vet Монday", reader)
    assert not reader.read


def test_only_the_first_is_read_where_there_is_no_doubt(library: App) -> None:
    reader = Reader()
    assert found(library, "worms tablet", reader)[0] == "notes/dog"
    assert len(reader.read) == 1


@pytest.fixture
def lists(app: App) -> App:
    """A page of many things under one heading, in a language whose meaning is its words."""
    install(app, BagOfWords())
    things = [f"- thing {number} is kept in drawer{number} of the cabinet" for number in range(30)]
    things += ["- the spare key hangs behind the oak door", "- the spare key of the shed lies under a brick"]
    call(app, "put", slug="notes/house", content="# House\n\n## Things\n\n" + "\n".join(things) + "\n")
    call(app, "put", slug="notes/garden", content="# Garden\n\nThe roses are pruned in March.\n")
    call(app, "embed")
    return app


@pytest.mark.parametrize("liked", ["brick", "oak"])
def test_it_reads_the_lines_of_a_list_and_the_one_it_likes_is_shown(lists: App, liked: str) -> None:
    question, reader = "where is the spare key", Reader(liked)
    meaning, _ = lists.models.meaning(question)
    with lists.store.read() as connection:
        (hit, *_) = hybrid.find(connection, question, scopes.pages(), 5, meaning, voice=Voice(reader))
        found = Found(hit.document, hit.unit, read=hit.read)
        shown = excerpts(connection, question, [found], meaning, "2026-04-14")[hit.document]
    assert "House. Things. the spare key hangs behind the oak door" in reader.read
    assert liked in shown.text(shown.line)


@pytest.mark.parametrize("liked", ["brick", "oak"])
def test_it_is_heard_about_passages(lists: App, liked: str) -> None:
    with lists.store.read() as connection:
        question, meaning = "where is the spare key", lists.models.meaning("where is the spare key")[0]
        every = [PageFilter()]
        (first, second, *_) = passages.find(
            connection, question, every, 5, meaning, voice=Voice(Reader(liked))
        )
    assert liked in first.text
    assert first.score > second.score


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("where is the spare key", "the spare key hangs behind the oak door"),
        ("where is the spare key of the house", "House. Things. the spare key hangs behind the oak door"),
        ("where are the candles", "House. Cellar. candles lie left"),
    ],
)
def test_headings_are_read_with_a_line_where_they_help_to_understand_it(
    lists: App, question: str, read: str
) -> None:
    cellar = "# House\n\n## Cellar\n\n- candles lie left\n- the rope of the boat\n"
    call(lists, "put", slug="notes/cellar", content=cellar)
    call(lists, "embed")
    reader, (meaning, _) = Reader("oak"), lists.models.meaning(question)
    with lists.store.read() as connection:
        passages.find(connection, question, [PageFilter()], 5, meaning, voice=Voice(reader))
    assert read in reader.read


COMPANY = """---
title: Tidemark
hq: Leeds
headcount: 91
---
# Tidemark

Parametric cover for ports. The reinsurer is Northstone.

The offer of June was refused by the board.

- Runway: until July 2027

## Timeline
- 2026-03-30: Passed six million
- 2026-10-06: The Kiel team joined
"""


@pytest.mark.parametrize(
    ("liked", "line"),
    [
        ("Northstone", "Parametric cover for ports. The reinsurer is Northstone."),
        ("refused", "The offer of June was refused by the board."),
        ("Runway", "- Runway: until July 2027"),
        ("Kiel", "- 2026-10-06: The Kiel team joined"),
    ],
)
def test_the_part_that_answers_is_shown(app: App, liked: str, line: str) -> None:
    shown = told(app, "what is there to know of the company", Reader(liked))
    assert shown.text(shown.passage).strip() == line
    assert not shown.facts
    assert not shown.more


def test_a_field_that_answers_is_shown(app: App) -> None:
    shown = told(app, "where do they sit", reader := Reader("hq"))
    assert [(fact.name, fact.value) for fact in shown.facts] == [("hq", "Leeds")]
    assert "Tidemark. headcount: 91" in reader.read


def test_a_day_that_is_asked_for_goes_before_what_was_read(app: App) -> None:
    shown = told(app, "what was in March 2026", Reader())
    assert "six million" in shown.text(shown.passage)


def told(app: App, question: str, reader: Reader) -> Excerpt:
    call(app, "put", slug="companies/tidemark", content=COMPANY)
    with app.store.read() as connection:
        ((page,),) = connection.execute("SELECT id FROM pages")
        shown = excerpts(connection, question, [Found(page, 0)], None, "2026-11-17", Voice(reader))
    return shown[page]


def test_a_footer_of_many_pages_is_not_shown_beside_the_answer(app: App) -> None:
    footer = "## About\n\nCopy this note, or edit it in the [hub](https://hub.example/{}).\n"
    with app.store.write():
        for number in range(25):
            text = f"# Tide {number}\n\nA note on the tide of day {number}.\n\n{footer.format(number)}"
            call(app, "put", slug=f"tides/t{number}", content=text)
    with app.store.read() as connection:
        ((page,),) = connection.execute("SELECT id FROM pages WHERE slug = 'tides/t7'")
        found = excerpts(connection, "a note", [Found(page, 0)], None, "2026-11-17", Voice(Reader("note")))
    shown = found[page]
    assert "tide of day 7" in shown.text(shown.line or shown.section)
    assert not any("Copy this note" in shown.text(row) for row in shown.more)


def test_of_a_page_that_is_found_by_its_name_the_beginning_is_read(app: App) -> None:
    text = "---\ntitle: Access to the clusters\nowner: Ada\nteam: platform\n---\nLog in with one command.\n"
    call(app, "put", slug="notes/clusters", content=text)
    call(app, "put", slug="notes/other", content="# Other\n\nAccess for guests is at the desk.\n")
    found(app, "owner platform access", reader := Reader())
    assert any("Log in with one command" in passage for passage in reader.read)
    assert not any("---" in passage for passage in reader.read)


def settings(app: App, value: str) -> App:
    call(app, "config set", key="search.rerank", value=value)
    return app.reread()


def line(app: App) -> dict[str, Any]:
    return next(dict(each) for each in call(app, "model list")["models"] if each["kind"] == "reranker")


def test_the_setting_turns_it_off(library: App) -> None:
    assert line(library)["active"]
    assert library.models.voice()[0]
    silent = settings(library, "off")
    assert silent.models.voice() == (None, [])
    assert not line(silent)["active"]
    assert call(silent, "model status")["reranker"] == "off"


def test_without_its_file_it_is_silent(library: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quaid.embed.weights.PACKAGED", library.store.path.parent / "nowhere")
    assert library.models.voice() == (None, [])
    assert "model_int8.onnx" in line(library)["missing"]
    wanted = settings(library, "on")
    nothing, notices = wanted.models.voice()
    assert nothing is None
    assert "its files are not in" in notices[0]
