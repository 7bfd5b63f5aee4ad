"""Pages of one title in one folder lend to those beside them, and to nobody else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.search import hybrid
from quaid.search.series import lent_shares, series_of
from quaid.store import scope as scopes
from tests.support import call

ASKED = "when does the ferry to Inchkeith leave"
MAILS = {
    "mail/boat-9": "Does anybody know when the ferry to Inchkeith is to leave?",
    "mail/boat-10": "Half past six, from the old pier.",
    "mail/boat-11": "Thanks. Then six it is, and I bring the tea.",
    "mail/boat-12": "Somebody has left an umbrella in the van.",
}


def put(app: App, pages: dict[str, str], title: str = "The trip") -> None:
    with app.store.write():
        for slug, text in pages.items():
            call(app, "put", slug=slug, content=f"---\ntitle: {title}\n---\n\n{text}\n")


def found(app: App, question: str) -> list[str]:
    with app.store.read() as connection:
        slugs = dict(connection.execute("SELECT id, slug FROM pages"))
        return [slugs[hit.document] for hit in hybrid.find(connection, question, scopes.pages(), 10)]


def ids(app: App) -> dict[str, int]:
    return dict(app.connection.execute("SELECT slug, id FROM pages"))


def test_an_answer_without_words_of_the_question_comes_before_others_of_its_subject(app: App) -> None:
    put(app, dict(reversed(MAILS.items())))
    others = {f"mail/else-{number}": f"The trip is on day {number}." for number in range(5)}
    put(app, others, "Another trip")
    order = found(app, f"{ASKED}, and who said so on the trip")
    assert order[:2] == ["mail/boat-9", "mail/boat-10"]
    assert order.index("mail/boat-11") < order.index("mail/boat-12")


def test_numbers_in_names_are_counted(app: App) -> None:
    put(app, dict(reversed(MAILS.items())))
    known = ids(app)
    (series,) = series_of(app.connection, dict.fromkeys(known.values(), 0.25))
    assert series == [known[slug] for slug in MAILS]


@pytest.mark.parametrize(
    "pages",
    [
        {"a/one": "The trip", "b/two": "The trip"},  # of two folders
        {"a/one": "The trip", "a/two": "The trips"},
        {"a/one": "The trip"},
    ],
)
def test_what_is_no_series(app: App, pages: dict[str, str]) -> None:
    for slug, title in pages.items():
        put(app, {slug: "We leave at six."}, title)
    assert series_of(app.connection, dict.fromkeys(ids(app).values(), 0.5)) == []


def test_pages_without_a_title_of_their_own_are_no_series(app: App) -> None:
    for name in ("one", "two"):
        call(app, "put", slug=f"a/{name}", content="We leave at six.\n")
    assert series_of(app.connection, dict.fromkeys(ids(app).values(), 0.5)) == []


def test_the_nearer_the_more_is_lent() -> None:
    shares = lent_shares({1: 0.9, 2: 0.02, 3: 0.02, 4: 0.02, 5: 0.02, 6: 0.02}, [[1, 2, 3, 4, 5]])
    assert shares[1] > shares[2] > shares[3] > shares[4] > shares[5] > shares[6]
    assert shares[5] / shares[6] < 1.5, "what is further away has hardly more than what stands alone"


SHARES = st.lists(st.floats(0.001, 1), min_size=2, max_size=12)


@given(SHARES, st.integers(0, 12))
def test_all_belief_is_one_and_nobody_alone_is_reordered(weights: list[float], cut: int) -> None:
    scores = {page: weight / sum(weights) for page, weight in enumerate(weights)}
    pages = list(scores)
    lent = lent_shares(scores, [pages[:cut]])
    assert sum(lent.values()) == pytest.approx(1)
    alone = pages[cut:]
    assert sorted(alone, key=lambda page: scores[page]) == sorted(alone, key=lambda page: lent[page])


@given(SHARES)
def test_without_series_nothing_changes(weights: list[float]) -> None:
    scores = {page: weight / sum(weights) for page, weight in enumerate(weights)}
    assert lent_shares(scores, []) == pytest.approx(scores)
