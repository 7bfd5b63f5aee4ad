"""The daily log: entries with their time, the newest last."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.formats.markdown.sections import sections
from quaid.notebook import daily
from tests.notebook.notebooks import Notes, notes
from tests.support import Clock, found

__all__ = ["notes"]
MOMENT = datetime(2026, 4, 14, 9, 5)


def test_entries_have_the_time_and_follow_each_other(notes: Notes, clock: Clock) -> None:
    notes.app = zoned(notes, "UTC")
    first = notes.tool("daily_log", entry="Called Sarah\nShe said yes.")
    clock.tick(60)
    second = notes.tool("daily_log", entry="Lunch")
    assert (first["path"], first["heading"], first["line"]) == (
        "daily/2026-04-14.md",
        "12:00 — Called Sarah",
        3,
    )
    assert second["line"] == 7
    assert notes["daily/2026-04-14.md"] == (
        "# 2026-04-14\n\n## 12:00 — Called Sarah\n\nShe said yes.\n\n## 12:01 — Lunch\n"
    )
    assert found(notes.app, "lunch") == ["daily/2026-04-14"]


def zoned(notes: Notes, zone: str) -> App:
    notes.call("config set", key="time.zone", value=zone)
    return notes.app.reread()


@pytest.mark.parametrize(
    ("zone", "path", "clock_time"),
    [
        ("Asia/Tokyo", "daily/2026-04-15.md", "04:30"),
        ("America/Los_Angeles", "daily/2026-04-14.md", "12:30"),
        ("Asia/Kathmandu", "daily/2026-04-15.md", "01:15"),
    ],
)
def test_the_day_is_the_persons(notes: Notes, clock: Clock, zone: str, path: str, clock_time: str) -> None:
    clock.tick(7.5 * 3600)
    notes.app = zoned(notes, zone)
    logged = notes.call("daily-log", entry="x")
    assert (logged["path"], logged["heading"]) == (path, f"{clock_time} — x")


def test_what_a_person_wrote_is_kept(notes: Notes) -> None:
    notes.app = zoned(notes, "UTC")
    notes["daily/2026-04-14.md"] = "My own words, without a newline"
    notes.call("daily-log", entry="x")
    assert notes["daily/2026-04-14.md"] == "My own words, without a newline\n\n## 12:00 — x\n"


def test_the_same_entry_twice_is_two_entries(notes: Notes) -> None:
    notes.app = zoned(notes, "UTC")
    notes.call("daily-log", entry="Coffee")
    notes.call("daily-log", entry="Coffee")
    assert notes["daily/2026-04-14.md"].count("12:00 — Coffee") == 2


@pytest.mark.parametrize("entry", ["", " \n ", "x" * 70_000])
def test_empty_and_endless_entries_are_refused(notes: Notes, entry: str) -> None:
    with pytest.raises(InvalidInput):
        notes.call("daily-log", entry=entry)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("# Big\n\n## Small\ntext", "## 09:05 — Big\n\n### Small\ntext\n"),
        ("- [ ] a task", "## 09:05 — a task\n"),
        ("Met [[Sarah]] *today*", "## 09:05 — Met [[Sarah]] *today*\n"),
        ("x\r\ny\r\n", "## 09:05 — x\n\ny\n"),
        ("word " * 40, f"## 09:05 — {('word ' * 24).strip()}…\n\n{('word ' * 40).strip()}\n"),
    ],
)
def test_how_an_entry_is_written(said: str, text: str) -> None:
    assert daily.with_entry("", MOMENT, said) == f"# 2026-04-14\n\n{text}"


def test_an_entry_that_leaves_code_open_is_refused_and_a_log_that_does_is_not() -> None:
    with pytest.raises(InvalidInput, match="other sections"):
        daily.with_entry("", MOMENT, "x\n```\nopen")
    log = "# 2026-04-14\n\n```\nleft open\n"
    assert daily.with_entry(log, MOMENT, "x") == f"{log}\n## 09:05 — x\n"


@given(st.lists(st.text(min_size=1, max_size=60).filter(lambda text: text.strip()), max_size=4))
def test_a_log_only_grows(entries: list[str]) -> None:
    text = ""
    for entry in entries:
        try:
            new = daily.with_entry(text, MOMENT, entry)
        except InvalidInput:
            continue
        assert new.startswith(text.rstrip() if text else "# 2026-04-14\n")
        assert len(sections(new)) == len(sections(text)) + 1
        text = new


def test_a_secret_is_masked_in_the_log_and_the_answer_says_so(notes: Notes) -> None:
    entry = "Moved the box\nThe password is " + "hunter2" + "Xy9 now."
    done = notes.tool("daily_log", entry=entry)
    assert "what looked like a secret is masked" in done["message"]
    assert "The password is [secret: password] now." in notes[done["path"]]
    kept = notes.tool("daily_log", entry=f"{entry} <!-- quaid: allow-secret -->")
    assert "masked" not in kept["message"]
    assert "hunter2" + "Xy9" in notes[done["path"]]


def test_what_is_to_be_remembered_is_kept_and_the_answer_warns(notes: Notes) -> None:
    done = notes.tool("remember", content="the wifi password at the cabin is trout-lake-77")
    assert "it looks like a secret, stands there in plain text" in done["message"]
    assert "trout-lake-77" in notes[done["places"][0]["path"]]
    assert "secret" not in notes.tool("remember", content="the wifi at the cabin is slow")["message"]
