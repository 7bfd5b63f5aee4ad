"""Which sentences say that something has ended, and which only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.graph.endings import WORDS, Bond, endings

OWN = ("people/alice", "Alice Example", "Al")
RIVER = Bond(1, "works_at", ("companies/river-ai", "RiverAI", "river-ai"))
TODAY = "2026-04-14"


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("Alice left [[companies/river-ai|RiverAI]] in 2025.", "2025-01-01"),
        ("Alice left [[river-ai]] on 4 March 2025.", "2025-03-04"),
        ("Left RiverAI in March 2025", "2025-03-01"),
        ("- She resigned from [RiverAI](../companies/river-ai.md) on 2025-03-04.", "2025-03-04"),
        ("She quit the [[id:1][RiverAI]].", None),
        ("CEO of RiverAI until 2024.", "2024-01-01"),
        ("[[companies/river-ai]] (until June 2024)", "2024-06-01"),
        ("Alice Example worked at RiverAI until June 2025", "2025-06-01"),
        ("Former CEO of RiverAI.", None),
        ("She is a former engineer at RiverAI", None),
        ("Alice, ex-RiverAI, now at Foo", None),
        ("Alice is no longer with RiverAI; she founded X.", None),
        ("Alice is no longer working for RiverAI", None),
        ("In 2025 Alice left RiverAI.", "2025-01-01"),
        ("Alice stepped down as CEO of RiverAI in 2023.", "2023-01-01"),
        ("She was laid off from RiverAI", None),
        ("Alice joined Acme after she left RiverAI.", None),
        ("> Alice left **RiverAI** in 2025.", "2025-01-01"),
        ("Sie verließ RiverAI 2024.", "2024-01-01"),
        ("Alice arbeitet nicht mehr bei RiverAI.", None),
    ],
)
def test_what_has_ended(sentence: str, day: str | None) -> None:
    (ending,) = endings(f"# Alice\n\nShe paints.\n{sentence}\n", OWN, [RIVER], TODAY)
    assert ending.key == 1
    assert ending.day == day
    assert "[[" not in ending.sentence


@pytest.mark.parametrize(
    "sentence",
    [
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
        "She leaves RiverAI every evening.",
        "Alice will have left RiverAI by 2030.",
        "Alice left RiverAI in 2027.",
        "At RiverAI until 2027.",
        "At RiverAI until 2026.",
        "RiverAI left the market in 2024.",
        "RiverAI was in Berlin until 2024.",
        "Alice left Acme in 2024 for RiverAI.",
        "Alice left RiverAIs in 2024.",
        "`Alice left RiverAI`",
        "```\nAlice left RiverAI\n```",
        "Works at RiverAI.",
    ],
)
def test_what_has_not(sentence: str) -> None:
    assert endings(f"# Alice\n\n{sentence}\n", OWN, [RIVER], TODAY) == []


def test_who_came_back_has_not_left() -> None:
    text = "Alice left RiverAI in 2024."
    assert endings(text, OWN, [Bond(1, "works_at", ("RiverAI",), "2023-05-01")], TODAY)
    assert not endings(text, OWN, [Bond(1, "works_at", ("RiverAI",), "2024-05-01")], TODAY)


@pytest.mark.parametrize("relationship", ["founded", "invested_in", "knows", "mentions", "related"])
def test_what_cannot_be_left_does_not_end(relationship: str) -> None:
    assert not endings("Alice left RiverAI in 2024.", OWN, [Bond(1, relationship, ("RiverAI",))], TODAY)


def test_each_bond_ends_once() -> None:
    bonds = [RIVER, Bond(2, "member_of", ("Rowing Club",))]
    text = "Alice left RiverAI in 2024. She left RiverAI. She resigned from the Rowing Club."
    assert [ending.key for ending in endings(text, OWN, bonds, TODAY)] == [1, 2]


_PIECES = st.sampled_from(
    [
        *sorted(WORDS),
        "Alice",
        "she",
        "RiverAI",
        "[[river-ai|RiverAI]]",
        "[x](y.md)",
        "[[",
        "]]",
        "2025",
        "in",
        ".",
        "\n",
        "of",
    ]
)


@given(st.one_of(st.text(), st.lists(_PIECES).map(" ".join)))
def test_any_text_can_be_read(text: str) -> None:
    for ending in endings(text, OWN, [RIVER, Bond(2, "works_at", ("", "(", "a/b"))], TODAY):
        assert ending.sentence
        assert ending.day is None or ending.day <= TODAY
