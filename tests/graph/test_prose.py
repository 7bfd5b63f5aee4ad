"""Which sentences contradict a fact, and which only look like it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.graph.contradictions import MANY_OBJECTS, ONE_SUBJECT, Rules, find
from quaid.graph.prose.candidates import candidates
from quaid.graph.prose.phrasebook import all_phrases
from quaid.graph.prose.relevance import interest, people
from quaid.graph.prose.statements import statements
from quaid.graph.prose.subjects import Voice
from quaid.store.doubts import Truth
from tests.support import call

LEFT = [
    ("Alice left [[companies/river-ai|RiverAI]] in 2025.", "2025-01-01"),
    ("Alice left [[river-ai]] on 4 March 2025.", "2025-03-04"),
    ("Left RiverAI in March 2025", "2025-03-01"),
    ("- She resigned from [RiverAI](../companies/river-ai.md) on 2025-03-04.", "2025-03-04"),
    ("She quit [[river-ai]].", None),
    ("CEO of RiverAI until 2024.", "2024-01-01"),
    ("[[companies/river-ai]] (until June 2024)", "2024-06-01"),
    ("Alice Example worked at RiverAI until June 2025", "2025-06-01"),
    ("Former CEO of RiverAI.", None),
    ("She is a former engineer at RiverAI", None),
    ("Alice, ex-RiverAI, now at Foo", None),
    ("Alice is no longer with RiverAI; she founded X.", None),
    ("Alice isn't working for RiverAI any more", None),
    ("In 2025 Alice left RiverAI.", "2025-01-01"),
    ("Alice stepped down as CEO of RiverAI in 2023.", "2023-01-01"),
    ("She was laid off from RiverAI", None),
    ("Handed in her notice at RiverAI on 2025-02-01, tired of it all.", "2025-02-01"),
    ("Handed in her notice in the spring.", None),
    ("Went freelance in May and is happier for it.", None),
    ("> Alice left **RiverAI** in 2025.", "2025-01-01"),
    ("Sie verließ RiverAI 2024.", "2024-01-01"),
    ("Alice arbeitet nicht mehr bei RiverAI.", None),
    ("They made her an offer, and she has never worked for RiverAI.", None),
]
STAYED = [
    "Her husband left RiverAI in 2025.",
    "Bob left RiverAI in 2025.",
    "Alice talked with Bob, who left RiverAI in 2024.",
    "The former CEO of RiverAI is a friend of hers.",
    "Alice replaced the former CEO of RiverAI.",
    "Met former RiverAI employees.",
    "Former CEO of Acme, now RiverAI.",
    "Alice has not left RiverAI.",
    "Alice never left RiverAI.",
    "If she left RiverAI, we would know.",
    "Has Alice left RiverAI?",
    "Alice left RiverAI's office at five.",
    "Alice left RiverAI a voicemail.",
    "She leaves RiverAI every evening.",
    "Alice will have left RiverAI by 2030.",
    "Alice left RiverAI in 2027.",
    "At RiverAI until 2027.",
    "At RiverAI until 2026.",
    "RiverAI left the market in 2024.",
    "RiverAI was in Berlin until 2024.",
    "Alice left Acme in 2024 for RiverAI.",
    "Alice left RiverAIs in 2024.",
    "Left RiverAI in 2024 and came back a year later.",
    "“Alice has left RiverAI for good”, wrote a paper.",
    "Wants to hand in her notice.",
    "`Alice left RiverAI`",
    "```\nAlice left RiverAI\n```",
    "Works at RiverAI.",
]


def findings(app: App, texts: list[str]) -> dict[int, dict[str, Any]]:
    """What `check` finds on pages of people who work at RiverAI, by the number of the text."""
    call(app, "put", slug="companies/river-ai", content="# RiverAI\n")
    for number, text in enumerate(texts):
        head = "title: Alice Example\nlinks:\n  - {to: companies/river-ai, relationship: works_at}"
        call(
            app,
            "put",
            slug=f"people/alice-{number}",
            content=f"---\n{head}\n---\n# Alice\n\nPaints.\n\n{text}\n",
        )
    found = call(app, "check", all=True)["findings"]
    return {int(each["sides"][0]["slug"].rsplit("-", 1)[1]): each for each in found}


def test_who_has_left(app: App) -> None:
    found = findings(app, [text for text, _ in LEFT])
    days = [
        found[number]["sides"][0].get("valid_from") if number in found else "missed"
        for number in range(len(LEFT))
    ]
    assert [(text, day) for (text, _), day in zip(LEFT, days, strict=True)] == LEFT
    assert all("[[" not in each["sides"][0]["statement"] for each in found.values())


def test_who_has_not(app: App) -> None:
    assert {STAYED[number]: each["description"] for number, each in findings(app, STAYED).items()} == {}


def test_every_phrase_can_be_found_by_a_word() -> None:
    for phrase in all_phrases():
        assert phrase.anchors, phrase.text
        assert phrase.expression.search("") is None, phrase.text


_SPOKEN = """
Alice she left signed [[river-ai|RiverAI]] [x](y.md) [[ ]] 2025 €2M ( . : of now CEO was born longer no who 's
— twelve employees by May
"""
_PIECES = st.sampled_from([*_SPOKEN.split(), "\n"])


@pytest.mark.parametrize("kind", ["person", "company", "thing", ""])
@given(text=st.one_of(st.text(), st.lists(_PIECES).map(" ".join)))
def test_any_text_can_be_read(kind: Any, text: str) -> None:
    voice = Voice(frozenset(("alice",)), kind)
    everything = interest(Voice(frozenset(), "person"), (), (), people(["river ai"]))
    for each in statements(text, (), voice, everything, "2026-11-16"):
        assert each.sentence
        assert each.day is None or each.day <= "2026-11-16"


def test_who_tells_of_an_end_is_set_against_the_state_alone(app: App) -> None:
    text = "---\ntype: company\nstatus: active\nhq: Oslo\nheadcount: 40\n---\n# Oak Robotics\n\n"
    text += "Oak was acquired by Big Tree in 2024 and shut down in June 2025."
    app.collection().put("companies/oak", text)
    found = call(app, "check", all=True)["findings"]
    assert [each["sides"][1]["statement"] for each in found] == ["companies/oak status active"]


def test_of_a_book_only_the_first_sentences_are_laid_beside_each_other() -> None:
    alike = "under seven tall green poplars beside the old quay"
    sentences = [f"Ana saw ship {number} at port{number}." for number in range(2_000)]
    sentences[1:3] = [f"Ana saw ship {number} {alike}." for number in (1, 2)]
    sentences[-2:] = [f"Ana saw ship {number} {alike} with gulls." for number in (1_998, 1_999)]
    page = Truth(
        1, "people/ana", "default", "Ana", ("Ana",), "\n\n".join(sentences), "2026-01-01", type="person"
    )
    read = {
        each.text for found in candidates({1: page}, {}, {}, {}, {}, "2026-11-16") for each in found.passages
    }
    assert sentences[2] in read
    assert sentences[-1] not in read


def laid_beside(app: App) -> dict[str, list[str]]:
    """What `check` gives a network to read: each statement with the sentences beside it."""
    read: dict[str, list[str]] = {}

    def reader(text: str, others: Sequence[str]) -> list[float]:
        read.setdefault(text, []).extend(others)
        return [0.0] * len(others)

    with app.store.read() as connection:
        find(connection, "2026-11-16", Rules(MANY_OBJECTS, ONE_SUBJECT, 30), ("temporal",), None, reader)
    return read


def test_what_a_page_that_a_field_names_says_of_itself_is_read_beside_the_field(app: App) -> None:
    app.collection().put(
        "people/jan", "---\ntype: person\nspouse: [[people/lotte]]\n---\n# Jan\n\nHe keeps bees."
    )
    hours = "\n\n".join(f"She was at sea for {number} days without a break." for number in range(100, 140))
    app.collection().put("people/lotte", f"---\ntype: person\n---\n# Lotte\n\nShe never married.\n\n{hours}")
    beside = laid_beside(app)["Jan, person. spouse: Lotte"]
    assert beside[:2] == ["He keeps bees.", "Lotte: She never married."]
    assert len(beside) < 20  # a long page is not read for every field that names it


@pytest.mark.parametrize(
    ("title", "beside"),
    [
        ("Villa Serrat, 8 to 22 August", True),
        ("8 to 22 August: villa serrat", True),
        ("Villa Serrat", False),  # another page of that name, not one about it
        ("Villa Serena, 8 to 22 August", False),
    ],
)
def test_a_page_whose_title_names_another_one_speaks_of_that_throughout(
    app: App, title: str, beside: bool
) -> None:
    free, charged = "Parking costs nothing.", "The car park charged us 12 euros a day."
    for slug, name, text in (("stays/villa", "Villa Serrat", free), ("trips/august", title, charged)):
        app.collection().put(slug, f"---\ntype: {slug.split('/')[0][:-1]}\n---\n# {name}\n\n{text}\n")
    read = {text.split(". ", 1)[-1]: others for text, others in laid_beside(app).items()}
    both = [*read.get(free, ()), *read.get(charged, ())]
    assert any(charged in each or free in each for each in both) is beside


def test_lines_of_fields_below_each_other_are_read_one_by_one(app: App) -> None:
    page = "---\ntype: recipe\nserves: 4\n---\n# Dal\n\nServings: enough for six\nTime: forty minutes\n"
    app.collection().put("recipes/dal", page)
    assert laid_beside(app)["Dal, recipe. serves: 4"] == ["Servings: enough for six", "Time: forty minutes"]


def test_what_somebody_has_heard_is_a_hint_however_sure_the_network_is(app: App) -> None:
    heard, known = "Stoyan heard at the fair that they do glass.", "They do nothing but glass."
    for name, text in (("Brankov", heard), ("Sandoval", known)):
        page = f"---\ntype: company\nmotto: Clay first\n---\n# {name}\n\n{text}\n"
        app.collection().put(f"companies/{name.lower()}", page)
    with app.store.read() as connection:
        rules = Rules(MANY_OBJECTS, ONE_SUBJECT, 30)
        found = find(
            connection, "2026-11-16", rules, ("temporal",), None, lambda _, others: [0.9] * len(others)
        )
    assert {each.sides[0].statement: bool(each.sides[0].perhaps) for each in found} == {
        heard: True,
        known: False,
    }


def test_the_day_of_last_years_fair_says_nothing_of_this_one(app: App) -> None:
    for name, text in (
        ("harvest", "Last year's was on the 25th of October."),
        ("autumn", "It was on the 25th of October."),
    ):
        page = f"---\ntype: event\ndate: 2026-10-24\n---\n# The {name} fair\n\n{text}\n"
        app.collection().put(f"events/{name}", page)
    with app.store.read() as connection:
        found = find(connection, "2026-11-16", Rules(MANY_OBJECTS, ONE_SUBJECT, 30), ("temporal",))
    assert [each.sides[0].slug for each in found] == ["events/autumn"]


def test_that_a_state_began_is_not_laid_beside_it(app: App) -> None:
    text = "Ana is with Heron as CEO.\n\n- Joined as CEO\n- Joined as an intern\n"
    app.collection().put("people/ana", f"---\ntype: person\n---\n# Ana\n\n{text}")
    read = laid_beside(app)
    assert "Joined as an intern" in str(read)
    assert not any("Joined as CEO" in one for one in read["Ana, person. Ana is with Heron as CEO."])


def _plugin(app: App, slug: str, name: str, text: str, head: str = "") -> None:
    app.collection().put(slug, f"---\ntitle: {name}\n{head}---\n{text}\n")


def test_a_page_that_has_no_type_and_states_nothing_is_not_read(app: App) -> None:
    text = "It draws every note in bright colours.\n\nNothing but grey is drawn by it."
    _plugin(app, "plugins/cards", "Cards View", text)
    assert laid_beside(app) == {}
    _plugin(app, "plugins/lists", "Lists View", text, "price: 5\n")
    assert any("grey" in str(each) for each in laid_beside(app).values())


@pytest.mark.parametrize(("count", "read"), [(4, True), (8, False)])
def test_what_names_many_pages_is_a_newsletter(app: App, count: int, read: bool) -> None:
    names = [f"Plugin {letter}{letter}" for letter in "bcdfghjk"[:count]]
    for name in names:
        _plugin(app, f"plugins/{name[-2:].lower()}", name, f"It shows {name} as cards.", "price: 5\n")
    news = "\n\n".join(f"[[plugins/{name[-2:].lower()}]] has lost its cards this week." for name in names)
    app.collection().put("news/may", f"# May\n\n{news}\n")
    beside = [other for text, others in laid_beside(app).items() if "price" not in text for other in others]
    assert any("has lost its cards" in each for each in beside) is read


def test_of_many_pages_fewer_sentences_are_laid_beside_each_other(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n\n".join(f"The kiln fires {kind} on Monday." for kind in ("plates", "cups", "bowls", "tiles"))
    for name in ("ana", "ben", "cem"):
        app.collection().put(
            f"people/{name}", f"---\ntype: person\n---\n# {name.title()}\n\n{text.replace('kiln', name)}\n"
        )
    every = sum(map(len, laid_beside(app).values()))
    monkeypatch.setattr("quaid.graph.prose.candidates._IN_ALL", 9)
    some = sum(map(len, laid_beside(app).values()))
    assert every > some == 9
