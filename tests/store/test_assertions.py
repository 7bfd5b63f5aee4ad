"""Rows of assertions: what stays the same row, and the chains between them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.model.interval import Interval
from quaid.model.page import Claim
from quaid.store import assertions
from tests.support import call, examples, open_memory

TEA = Claim("Alice", "likes", "tea", Interval("2024-01-01", None), source="m/1")


@pytest.fixture
def page(app: App) -> int:
    call(app, "put", slug="a", content="# A\n")
    return app.page("a").id


@pytest.mark.parametrize(
    "changed",
    [
        Claim("Alice", "likes", "tea", Interval("2024-01-01", "2025-01-01"), source="m/1"),
        Claim("Alice", "likes", "tea", Interval("2023-01-01", None), source="m/1"),
        Claim("ALICE", "likes", "Tea", Interval("2024-01-01", None), 0.5, "agent", "m/2", "words"),
    ],
)
def test_a_fact_that_is_told_better_stays_the_same_row(app: App, page: int, changed: Claim) -> None:
    assertions.replace(app.connection, page, [TEA], "2026-01-01T00:00:00Z")
    (before,) = assertions.ids_of_page(app.connection, page)
    other = Claim("Alice", "likes", "rain")
    assertions.replace(app.connection, page, [other, changed], "2026-02-02T00:00:00Z")
    after = assertions.ids_of_page(app.connection, page)
    assert [claim for _, claim in after] == [other, changed]
    assert after[1][0] == before[0]
    learned = app.connection.execute("SELECT created_at FROM assertions ORDER BY ordinal").fetchall()
    assert learned == [("2026-02-02T00:00:00Z",), ("2026-01-01T00:00:00Z",)]


CLAIMS = st.lists(
    st.builds(
        Claim,
        st.sampled_from(["Alice", "ALICE", "Bob"]),
        st.sampled_from(["likes", "is"]),
        st.sampled_from(["tea", "rain"]),
        st.builds(Interval, st.sampled_from([None, "2024-01-01"]), st.sampled_from([None, "2025-01-01"])),
    ),
    max_size=6,
)


@examples(20, 200)
@given(st.lists(CLAIMS, min_size=1, max_size=4))
def test_rows_say_what_was_said_last(steps: list[list[Claim]]) -> None:
    with TemporaryDirectory() as place:
        app = open_memory(Path(place) / "memory.db")
        call(app, "put", slug="a", content="# A\n")
        page = app.page("a").id
        before: dict[int, Claim] = {}
        for claims in steps:
            assertions.replace(app.connection, page, claims, app.now())
            after = assertions.ids_of_page(app.connection, page)
            assert [claim for _, claim in after] == claims
            # Whatever is still there as it was is the same row, unless an equal one is.
            for claim in set(before.values()) & set(claims):
                ids = {each for each, known in before.items() if known == claim}
                assert ids & {each for each, known in after if known == claim}
            before = dict(after)
        app.store.close()


def fact(object_: str, days: str, more: str = "") -> str:
    return f"  - {{subject: Alice, predicate: role, object: {object_}, {days}{more}}}\n"


def chain_of(app: App) -> list[tuple[str, str]]:
    return sorted(
        app.connection.execute(
            """SELECT b.object, a.object FROM assertions b JOIN assertions a ON a.id = b.supersedes_id"""
        )
    )


def test_a_chain_follows_the_text(app: App) -> None:
    old, new = (
        fact("intern", "valid_until: 2025-01-01"),
        fact("cto", "valid_from: 2025-01-01", ", supersedes: Intern"),
    )
    call(app, "put", slug="a", content=f"---\nassertions:\n{new}{old}---\n")
    assert chain_of(app) == [("cto", "intern")]
    call(app, "put", slug="a", content=f"---\nassertions:\n{new}---\n")
    assert chain_of(app) == []
    call(app, "put", slug="a", content=f"---\nassertions:\n{old}{new}---\n")
    assert chain_of(app) == [("cto", "intern")]
    call(
        app, "put", slug="a", content=f"---\nassertions:\n{old}{new}---\n".replace(", supersedes: Intern", "")
    )
    assert chain_of(app) == []


@pytest.mark.parametrize("order", [["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"]])
def test_a_chain_between_pages_does_not_depend_on_their_order(app: App, order: list[str]) -> None:
    texts = {
        "a": fact("intern", "valid_until: 2025-01-01"),
        "b": fact("cto", "valid_from: 2025-01-01", ", supersedes: {page: a, object: intern}"),
        "c": fact("intern", "valid_until: 2024-01-01"),
    }
    for slug in order:
        call(app, "put", slug=slug, content=f"---\nassertions:\n{texts[slug]}---\n")
    assert chain_of(app) == [("cto", "intern")]
    (of,) = app.connection.execute(
        """SELECT p.slug FROM assertions b JOIN assertions a ON a.id = b.supersedes_id
           JOIN pages p ON p.id = a.page_id"""
    )
    assert of == ("a",)


def test_a_circle_is_shown_as_far_as_it_goes(app: App) -> None:
    text = fact("x", "valid_from: 2025", ", supersedes: y") + fact("y", "valid_from: 2025", ", supersedes: x")
    call(app, "put", slug="a", content=f"---\nassertions:\n{text}---\n")
    ids = [each for each, _ in assertions.ids_of_page(app.connection, app.page("a").id)]
    assert set(assertions.predecessors(app.connection, ids)) == set(ids)
