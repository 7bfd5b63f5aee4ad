"""Tables for people."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.operations.text import cells, columns
from tests.support import call, quick

LONG = "meetings/2026/a-talk-about-everything-that-anybody-ever-said-about-the-walrus-and-the-carpenter"


def test_one_long_slug_does_not_push_the_others_aside(app: App) -> None:
    for slug in ("people/alice", "people/bob", "acme", LONG):
        call(app, "put", slug=slug, content=f"# {slug}\n")
    lines = quick("list", db=app.store.path).out.splitlines()
    others = [line for line in lines if LONG not in line]
    assert all(cells(line) < 80 for line in others), others
    assert len({line.index("2026-04-14") for line in others}) == 1
    (long,) = (line for line in lines if line.startswith(LONG))
    assert long.startswith(f"{LONG}  source  2026-04-14  ")


def test_a_cell_that_is_too_long_moves_its_own_row_only() -> None:
    rows = [("a", "x", "1"), ("b" * 50, "x", "2"), ("cc", "yyy", "3"), ("ddd", "x", "4")]
    assert columns(rows).splitlines() == [
        "a    x    1",
        "b" * 50 + "  x  2",
        "cc   yyy  3",
        "ddd  x    4",
    ]


def test_columns_of_cells_that_are_all_long_are_aligned() -> None:
    rows = [("a" * 50, "1"), ("b" * 70, "2"), ("c" * 60, "3")]
    assert {len(line) for line in columns(rows).splitlines()} == {73}


@given(
    st.lists(st.tuples(st.text("ab学 ", max_size=80), st.text("xy", max_size=5), st.text("z", min_size=1)))
)
def test_every_cell_is_there_and_apart_from_the_next(rows: list[tuple[str, str, str]]) -> None:
    lines = columns(rows).splitlines() if rows else []
    assert len(lines) == len(rows)
    for line, (first, second, last) in zip(lines, rows, strict=True):
        assert line.startswith(f"{first}  ")
        assert line.endswith(f"  {last}")
        assert line[len(first) : len(line) - len(last)].strip() == second
