"""Which sentences may be true beside a claim, by the words with which they speak of something else."""

from __future__ import annotations

import pytest

from quaid.app import App
from quaid.graph.contradictions import MANY_OBJECTS, ONE_SUBJECT, Rules, find
from quaid.graph.prose.leeway import leaves_room

FIELDS = [
    ("stage: signed", "At our coffee in October it wasn't signed yet.", True),
    ("stage: signed", "It isn't signed yet.", False),
    ("stage: signed", "It was still with their lawyers when we met.", True),
    ("stage: signed", "It is still with their lawyers.", False),
    ("drinks: no", "Drank like a fish in his twenties.", True),
    ("drinks: no", "Had two pints with us on Friday.", False),
    ("drinks: no", "Hasn't swallowed a dram since 2011.", True),
    ("drinks: no", "Hasn't gone a day without a dram since 2011.", False),
    ("vegetarian: no", "Hasn't eaten meat since 2011.", False),
    ("smokes: no", "She used to get through a pack a day.", True),
    ("born: 1991", "He was born again in 2017, as he puts it.", True),
    ("born: 1991", "He was born in 1987.", False),
    ("opens: 2027", "She might open it in May.", True),
    ("opens: 2027", "She opened it in May.", False),
    ("status: live", "The Android version isn't live.", True),
    ("status: live", "It isn't live.", False),
    ("status: active", "We killed it after the pilot failed.", False),
    ("headcount: 400", "The Gateshead site has 85 staff.", True),
    ("headcount: 400", "It has 85 staff.", False),
    ("status: broken", "Since the fall it's dead.", True),
    ("status: broken", "It works again.", False),
    ("stage: lost", "They went elsewhere, so it's lost.", True),
    ("stage: lost", "It isn't lost.", False),
    ("status: running", "It is open to all.", False),
    ("status: active", "That Phoenix is cancelled was about the campaign of the same name.", True),
    ("status: active", "Phoenix is cancelled.", False),
    ("status: alive", "His father Walter died in 2019.", True),
    ("status: alive", "Walter died in 2019.", False),
    ("status: done", "We work for Harlow again since April, this time on energy.", True),
    ("headcount: 90", "Her team of 12 does everything.", True),
    ("founded: 2015", "The Gazette wrote that it was founded in 2005, which is wrong.", True),
    ("seats: 64", "I first noted 46 seats here, a slip of the pen.", True),
    ("children: none", "Her daughter Ida sings.", False),
]


@pytest.mark.parametrize(("field", "sentence", "room"), FIELDS)
def test_sentences_beside_a_field(field: str, sentence: str, room: bool) -> None:
    key, value = field.split(": ")
    assert leaves_room(key, value, value, sentence) is room


@pytest.mark.parametrize(
    ("one", "other", "room"),
    [
        ("She might stop doing house calls.", "She comes out to us every second Tuesday.", True),
        ("She has stopped doing house calls.", "She comes out to us every second Tuesday.", False),
        ("She might stop doing house calls.", "Maybe she never stops doing them.", False),
        ("We won the pilot in February.", "It went to a Danish firm, so it's lost.", True),
        ("We won it in February.", "It went to a Danish firm, so it's lost.", False),
    ],
)
def test_two_sentences(one: str, other: str, room: bool) -> None:
    assert leaves_room("", "", one, other) is room
    assert leaves_room("", "", other, one) is room


def test_a_line_of_a_day_says_what_was_so_on_it() -> None:
    assert not leaves_room("stage", "signed", "signed", "It wasn't signed yet.", told=True)


def opened(app: App, slug: str, text: str, odds: float | None = None) -> list[str]:
    """The sentences that are found to contradict a page, by phrases or by a network of these odds."""
    app.collection().put(slug, text)
    rules = Rules(MANY_OBJECTS, ONE_SUBJECT, 30)
    with app.store.read() as connection:
        reader = None if odds is None else lambda _, others: [odds] * len(others)
        found = find(connection, "2026-11-16", rules, ("temporal",), None, reader)
    return [each.sides[0].statement for each in found if not each.sides[0].perhaps]


@pytest.mark.parametrize(
    ("fields", "sentence", "open_"),
    [
        ("type: person\nchildren: 3", "Two of her kids were at the station.", False),
        ("type: person\nchildren: 3", "Five kids were at the station.", True),
        ("type: machine\npressure: 9 bar", "The gauge shows about 130 psi.", False),
        ("type: machine\npressure: 9 bar", "The gauge shows about 90 psi.", True),
        ("type: person\nsmokes: no", "Smoked like a chimney in her twenties.", False),
        ("type: person\nsmokes: no", "Smoked like a chimney on Friday.", True),
    ],
)
def test_what_a_network_is_sure_of_is_open_unless_there_is_room(
    app: App, fields: str, sentence: str, open_: bool
) -> None:
    text = f"---\n{fields}\n---\n# Tuuli\n\n{sentence}\n"
    assert opened(app, "things/tuuli", text, 0.97) == [sentence] * open_


@pytest.mark.parametrize(
    ("fields", "sentence", "open_"),
    [
        ("type: deal\nstage: signed", "At our coffee on 9 October it wasn't signed yet.", False),
        ("type: deal\nstage: signed", "It isn't signed yet.", True),
        ("type: project\nstatus: live", "Live on the web since July.", False),
        ("type: machine\nstatus: broken", "Since the fall it's dead.", False),
        (
            "type: company\nheadcount: 400",
            "He runs the Leeds site of [[companies/acme]], which has 85 staff.",
            False,
        ),
        ("type: company\nheadcount: 400", "He runs [[companies/acme]], which has 85 staff.", True),
        ("type: company\nheadcount: 45", "Team: just nine of them at the moment.", True),
        ("type: company\nheadcount: 9", "Team: just nine of them at the moment.", False),
        ("type: company\nfounded: 2016", "Started in Valladolid by two sisters in 2011.", True),
        ("type: company\nfounded: 2011", "Started in Valladolid by two sisters in 2011.", False),
        ("type: project\nstatus: not started", "Half the sections are surveyed by now.", True),
        ("type: project\nstatus: scheduled", "Half the tickets are sold by now.", False),
        ("type: deal\nstage: closed won", "Ornella told us that they went with Zucchetti instead.", True),
        ("type: deal\nstage: closed won", "They went with our offer.", False),
        ("type: person\nmarried: yes", "Single all her life.", True),
        ("type: person\nmarried: no", "Single all her life.", False),
        ("type: person\nmarried: no", "She married Ole in 2019.", True),
    ],
)
def test_what_phrases_find(app: App, fields: str, sentence: str, open_: bool) -> None:
    shown = sentence.replace("[[", "").replace("]]", "")
    assert opened(app, "companies/acme", f"---\n{fields}\n---\n# Acme\n\n{sentence}\n") == [shown] * open_
