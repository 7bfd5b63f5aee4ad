"""What somebody wants to read or watch, and what only sounds like that."""

from __future__ import annotations

import pytest

from quaid.routing import titles


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("the film Paddington for Sunday, the boys love bears", "watchlist"),
        ("documentary Free Solo, Tom says watch", "watchlist"),
        ("Underland, my brother says to read it", "reading"),
        ("that Zadie Smith one Nora is always on about, White Teeth", "reading"),
        ("somebody said The Salt Path is a good one", "reading"),
        ("the novel Stoner for the train", "reading"),
    ],
)
def test_a_work_with_its_name_is_to_be_read_or_watched(said: str, kind: str) -> None:
    assert titles.titles(said) == (kind, said)


@pytest.mark.parametrize(
    "said",
    [
        "the book Underland is Tom's",
        "the film was too long",
        "that Zadie Smith one is on the shelf",
        "Tom says watch the oven",
        "somebody said the bridge is closed",
    ],
)
def test_what_is_said_of_a_work_is_not(said: str) -> None:
    assert titles.titles(said) is None
