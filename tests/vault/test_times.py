"""When the truth and the timeline of a page last changed."""

from __future__ import annotations

import pytest

from quaid.app import App
from tests.support import Clock, call

TEXT = "---\ntitle: A\n---\nThe truth.\n\n---\n\n- 2024-01-01 — First\n"
T0 = "2026-04-14T12:00:00Z"


def times(app: App, slug: str = "a") -> tuple[str, str, str, str]:
    page = call(app, "get", slug=slug)
    return tuple(page[f"{name}_at"] for name in ("created", "updated", "truth_updated", "timeline_updated"))


@pytest.fixture
def written(app: App, clock: Clock) -> str:
    """The time at which everything that follows happens to page `a`."""
    call(app, "put", slug="a", content=TEXT)
    assert times(app) == (T0, T0, T0, T0)
    return clock.tick(3600)


def test_new_truth(app: App, written: str) -> None:
    call(app, "put", slug="a", content=TEXT.replace("truth", "new truth"))
    assert times(app) == (T0, written, written, T0)


def test_new_truth_alone(app: App, written: str) -> None:
    call(app, "put", slug="a", compiled_truth="Other.\n")
    assert times(app) == (T0, written, written, T0)


def test_a_new_entry(app: App, written: str) -> None:
    call(app, "timeline-add", slug="a", date="2025-01-01", summary="Second")
    assert times(app) == (T0, written, T0, written)


def test_appended_timeline(app: App, written: str) -> None:
    call(app, "put", slug="a", timeline_append="- 2025-01-01 — Second\n")
    assert times(app) == (T0, written, T0, written)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("tag", {"slug": "a", "tag": "x"}),
        ("link", {"from": "a", "to": "b"}),
        ("put", {"slug": "a", "frontmatter": {"mood": "good"}}),
        ("raw", {"slug": "a", "source": "s", "data": 1}),
    ],
)
def test_frontmatter_and_raw_data_move_neither(
    app: App, written: str, name: str, values: dict[str, object]
) -> None:
    call(app, name, **values)
    assert times(app) == (T0, written, T0, T0)


def test_both(app: App, written: str) -> None:
    call(app, "put", slug="a", content="Other.\n\n---\n\n- 2025-01-01 — Else\n")
    assert times(app) == (T0, written, written, written)


def test_nothing_moves_when_nothing_changed(app: App, written: str) -> None:
    call(app, "put", slug="a", content=TEXT)
    call(app, "timeline-add", slug="a", date="2024-01-01", summary="First")
    call(app, "untag", slug="a", tag="never-there")
    assert times(app) == (T0, T0, T0, T0)


def test_a_move_and_a_return_move_neither(app: App, written: str, clock: Clock) -> None:
    call(app, "mv", slug="a", to="b")
    call(app, "rm", slug="b")
    call(app, "restore", slug="b")
    assert times(app, "b") == (T0, written, T0, T0)
