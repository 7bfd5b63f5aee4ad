"""What is kept of a page before it changes, and for how long."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from quaid.app import App
from quaid.store import collections, history
from quaid.store.history import Keeping
from tests.support import Clock, call

DAY = 86_400


def kept(app: App, slug: str) -> list[tuple[int, bytes]]:
    page = app.page(slug)
    return [(each.version, each.data) for each in history.of_page(app.connection, page.id)]


@pytest.fixture
def vault(app: App, tmp_path: Path) -> Path:
    """A folder whose files are pages."""
    root = tmp_path / "vault"
    root.mkdir()
    app.territory.annex(root)
    collections.insert(app.connection, "vault", str(root), "vault")
    return root


@pytest.fixture
def limit(app: App) -> Callable[[int, int], None]:
    """Says how much is kept."""

    def set_limit(versions: int, days: int) -> None:
        app.keeping = Keeping(versions, days)

    return set_limit


def test_the_newest_are_kept(app: App, limit: Callable[[int, int], None]) -> None:
    limit(3, 90)
    for number in range(6):
        call(app, "put", slug="a", content=f"{number}\n")
    assert kept(app, "a") == [(5, b"4\n"), (4, b"3\n"), (3, b"2\n")]


def test_none_are_kept_if_none_are_wanted(app: App, limit: Callable[[int, int], None]) -> None:
    limit(0, 90)
    for number in range(3):
        call(app, "put", slug="a", content=f"{number}\n")
    assert kept(app, "a") == []


def test_the_settings_say_how_many(app: App) -> None:
    call(app, "config set", key="history.versions", value="2")
    again = app.reread()
    for number in range(5):
        call(again, "put", slug="a", content=f"{number}\n")
    assert [version for version, _ in kept(again, "a")] == [4, 3]


def test_what_was_replaced_long_ago_goes_at_the_next_change(
    app: App, clock: Clock, limit: Callable[[int, int], None]
) -> None:
    limit(10, 7)
    call(app, "put", slug="a", content="0\n")
    clock.tick(DAY * 100)
    call(app, "put", slug="a", content="1\n")
    assert [version for version, _ in kept(app, "a")] == [1]
    clock.tick(DAY * 8)
    call(app, "put", slug="a", content="2\n")
    assert [version for version, _ in kept(app, "a")] == [2, 1]
    clock.tick(DAY * 8)
    call(app, "put", slug="a", content="3\n")
    assert [version for version, _ in kept(app, "a")] == [3, 2]


def test_a_clock_that_jumps_costs_nothing(app: App, clock: Clock) -> None:
    """Ahead by fourteen years for five days of work, and back again."""
    for number in range(4):
        call(app, "put", slug="a", content=f"{number}\n")
        clock.tick(DAY * 20)
    before = kept(app, "a")
    clock.tick(DAY * 365 * 14)
    for number in range(5):
        call(app, "put", slug="a", content=f"later {number}\n")
        assert kept(app, "a")[-len(before) :] == before
        clock.tick(DAY)
    clock.tick(-DAY * (365 * 14 + 4))
    call(app, "put", slug="a", content="now\n")
    assert kept(app, "a")[-len(before) :] == before


def test_a_memory_that_was_not_used_for_long_forgets_when_it_is_used_again(app: App, clock: Clock) -> None:
    for number in range(3):
        call(app, "put", slug="a", content=f"{number}\n")
    clock.tick(DAY * 800)
    call(app, "put", slug="a", content="3\n")
    assert [version for version, _ in kept(app, "a")] == [3, 2, 1]
    clock.tick(DAY * 8)
    call(app, "put", slug="a", content="4\n")
    assert [version for version, _ in kept(app, "a")] == [4, 3]


def test_nothing_is_kept_of_a_write_that_fails(app: App) -> None:
    call(app, "put", slug="a", content="0\n")

    def fail(text: str) -> str:
        raise RuntimeError(text)

    with pytest.raises(RuntimeError):
        app.collection().edit("a", fail)
    assert kept(app, "a") == []


def test_the_bytes_of_an_encoding_are_kept(app: App) -> None:
    app.collection().put("a", "café\n", "utf-16-le-bom")
    app.collection().put("a", "tea\n")
    assert kept(app, "a") == [(1, b"\xff\xfe" + "café\n".encode("utf-16-le"))]
    old = history.one(app.connection, app.page("a").id, 1)
    assert old is not None
    assert old.text == "café\n"


def test_a_change_outside_keeps_what_was_there(app: App, vault: Path) -> None:
    call(app, "put", slug="vault::a", content="first\n")
    (vault / "a.md").write_bytes(b"caf\xe9\r\n")
    os.utime(vault / "a.md", ns=(1, 1))
    app.sync(app.collection_row("vault")).run()
    assert kept(app, "a") == [(1, b"first\n")]
    call(app, "revert", slug="a")
    assert (vault / "a.md").read_bytes() == b"first\n"
    call(app, "revert", slug="a")
    assert (vault / "a.md").read_bytes() == b"caf\xe9\r\n"


def test_a_page_takes_its_past_along(app: App, vault: Path) -> None:
    call(app, "put", slug="vault::a", content="first\n")
    call(app, "put", slug="vault::a", content="second\n")
    call(app, "mv", slug="vault::a", to="b")
    assert [data for _, data in kept(app, "b")] == [b"first\n"]
    call(app, "rm", slug="b")
    call(app, "restore", slug="vault::b")
    assert [data for _, data in kept(app, "b")] == [b"first\n"]
    assert call(app, "history", slug="b")["versions"][-1]["slug"] == "a"
