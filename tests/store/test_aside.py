"""Reading in another thread: what it sees, and that it is done with before anybody goes on."""

from __future__ import annotations

import threading

import apsw
import pytest

from quaid.app import App
from quaid.store import aside as module
from quaid.store.aside import aside
from tests.support import call


@pytest.fixture
def pages(app: App, monkeypatch: pytest.MonkeyPatch) -> App:
    """A memory with one page, on a machine with two cores."""
    monkeypatch.setattr(module, "_cores", lambda: 2)
    call(app, "put", slug="a", content="# A\n\nA walrus.\n")
    return app


def slugs(connection: apsw.Connection) -> tuple[int, list[str]]:
    """Who reads, and what there is."""
    found = connection.execute("SELECT slug FROM live_pages ORDER BY slug").fetchall()
    return threading.get_ident(), [slug for (slug,) in found]


def test_another_thread_reads(pages: App) -> None:
    for _ in range(3):
        with aside(pages.store, slugs) as found:
            thread, seen = found()
        assert seen == ["a"]
        assert thread != threading.get_ident()


def test_one_core_does_one_thing_after_the_other(pages: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_cores", lambda: 1)
    with aside(pages.store, slugs) as found:
        assert found() == (threading.get_ident(), ["a"])


def test_whoever_writes_sees_what_is_written(pages: App) -> None:
    with pages.store.write():
        call(pages, "put", slug="b", content="# B\n")
        with aside(pages.store, slugs) as found:
            assert found() == (threading.get_ident(), ["a", "b"])


def test_what_fails_is_told_to_whoever_asks(pages: App) -> None:
    def fails(connection: apsw.Connection) -> None:
        raise ZeroDivisionError

    with aside(pages.store, fails) as found, pytest.raises(ZeroDivisionError):
        found()
    with aside(pages.store, slugs) as seen:
        assert seen()[1] == ["a"]


def test_it_has_ended_when_the_block_has(pages: App) -> None:
    go, done = threading.Event(), []

    def slow(connection: apsw.Connection) -> None:
        go.wait()
        done.append(connection.execute("SELECT 1").fetchall())

    with aside(pages.store, slow):
        threading.Timer(0.05, go.set).start()
    assert done


def test_a_memory_that_was_closed_is_read_anew(pages: App) -> None:
    with aside(pages.store, slugs) as found:
        found()
    pages.store.close()
    with aside(pages.store, slugs) as found:
        assert found()[1] == ["a"]


def test_a_page_that_goes_while_words_are_looked_up_is_not_shown(
    pages: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    call(pages, "put", slug="b", content="# B\n\nA walrus too.\n")
    meaning = pages.models.meaning

    def removing(question: str) -> object:
        threading.Event().wait(0.2)  # words were looked up meanwhile
        call(pages, "rm", slug="b")
        return meaning(question)

    monkeypatch.setattr(pages.models, "meaning", removing)
    assert [each["slug"] for each in call(pages, "query", question="walrus")["results"]] == ["a"]
