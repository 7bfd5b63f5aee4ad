"""One confidence: higher for what more speaks for, in the middle where nothing can tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.model.reading import Reading
from quaid.model.record import replace
from quaid.search.confidence import WEAK, confidence
from quaid.search.hybrid import EXACT, Hit
from quaid.settings import Settings
from tests.support import call


def hit(words: float, nearness: float | None = None, lead: float = 0.2, score: float = 0.5) -> Hit:
    return Hit(1, 1, score, ("words",), {}, words=words, known=1.0, lead=lead, nearness=nearness)


def test_nothing_and_a_name() -> None:
    assert confidence([]) == 0.0
    assert confidence([hit(0.0, score=EXACT + 1)]) == 1.0


def test_one_threshold() -> None:
    assert Settings().number("gaps.threshold") == WEAK


@pytest.mark.parametrize("nearness", [None, 0.7])
def test_more_words_are_surer(nearness: float | None) -> None:
    assert confidence([hit(0.8, nearness)]) > confidence([hit(0.1, nearness)])


@given(words=st.floats(0, 1), near=st.floats(-1, 1), lead=st.floats(0, 1))
def test_it_is_a_probability(words: float, near: float, lead: float) -> None:
    for found in ([hit(words)], [hit(words, near)], [hit(words, near, lead)]):
        assert 0.0 <= confidence(found) <= 1.0


def test_a_better_hit_never_makes_it_less_sure() -> None:
    weak = hit(0.1, 0.55, 0.1)
    assert confidence([weak, hit(0.5, 0.75, 0.8)]) > confidence([weak])
    assert confidence([hit(0.5, 0.7, 0.9)]) > confidence([hit(0.5, 0.7, 0.1)])


def test_the_nearest_of_few_texts_makes_nobody_sure() -> None:
    near = {share: Hit(1, 1, 0.5, (), {}, nearness=0.9, coverage=share) for share in (0.1, 1.0)}
    assert confidence([near[0.1]]) < WEAK < confidence([near[1.0]])


def test_who_has_read_little_of_a_text_knows_little_of_whether_it_answers() -> None:
    """From all of it to nothing, the same reading moves the confidence less and less."""

    def sure(answers: float, share: float) -> float:
        read = {0: Reading(-5.0, answers, share)} if share else None
        return confidence([replace(hit(0.5, 0.75), read=read)])

    for answers in (-4.0, 4.0):
        moved = [abs(sure(answers, share) - sure(0.0, 0.0)) for share in (0.0, 0.3, 0.6, 1.0)]
        assert moved == sorted(moved)
        assert moved[-1] > moved[1] > 0


PAGES = {
    "people/maria": "# Maria Lopez\n\nMaria runs our office in Lisbon since 2019. She speaks Greek.\n",
    "plants/basil": "# Basil\n\nWater basil in the morning. It wants sun, and a pot with a hole.\n",
    "house/boiler": "# Boiler\n\nThe boiler is serviced every October. Its pressure is 1.4 bar.\n",
    "trips/oslo": "# Oslo\n\nWe took the night train to Oslo and stayed three days at the fjord.\n",
}
KNOWN = ("who runs the Lisbon office?", "when is the boiler serviced?", "how did we travel to Oslo?")
MISSES = ("what is Maria's telephone number?", "who fitted the boiler?", "how much was the train to Oslo?")
UNKNOWN = ("qwzx blorf ninkle", "what is the melting point of tungsten?", "who won the election in Peru?")


@pytest.mark.parametrize("rerank", ["auto", "off"])
def test_a_memory_knows_what_it_does_not_know(app: App, rerank: str) -> None:
    call(app, "config set", key="search.rerank", value=rerank)
    chosen = app.reread()
    for slug, text in PAGES.items():
        call(chosen, "put", slug=slug, content=text)
    sure = {each: call(chosen, "query", question=each)["confidence"] for each in (*KNOWN, *UNKNOWN)}
    assert all(sure[each] >= WEAK for each in KNOWN), sure
    assert all(sure[each] < WEAK for each in UNKNOWN), sure


def test_a_detail_that_is_not_there_makes_it_less_sure(app: App) -> None:
    """Though the question has the words of the page that is nearest."""
    for slug, text in PAGES.items():
        call(app, "put", slug=slug, content=text)
    sure = {each: call(app, "query", question=each)["confidence"] for each in (*KNOWN, *MISSES)}
    assert max(sure[each] for each in MISSES) < min(sure[each] for each in KNOWN), sure


def test_mere_words_that_a_page_has_are_known(app: App) -> None:
    for slug, text in PAGES.items():
        call(app, "put", slug=slug, content=text)
    for words in ("boiler pressure", "water basil", "night train", "Lisbon office"):
        assert call(app, "query", question=words)["confidence"] > 0.5
