"""Conversations: read once, kept, masked, found, forgotten."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid import operations
from quaid.app import App, Surroundings
from quaid.conversations import pieces
from quaid.conversations.archives import Archive
from quaid.conversations.indexer import Indexer
from quaid.conversations.transcripts import of_paths
from quaid.errors import Ambiguous, InvalidInput, NotFound
from quaid.settings import Settings
from quaid.store.connection import Store
from tests.support import Clock, call, examples, memory_at

TABLE = (
    ("conversations index", "transcripts"),
    ("conversations embed", "transcripts"),
    ("conversations forget", "transcripts"),
    ("conversations search", "conversations"),
    ("conversations show", "conversations"),
    ("conversations list", "conversations"),
)
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    new = tuple(each for each in TABLE if each not in operations.TABLE)
    monkeypatch.setattr(operations, "TABLE", operations.TABLE + new)
    monkeypatch.setattr(operations, "NAMES", tuple(name for name, _ in operations.TABLE))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def app(tmp_path: Path, home: Path, clock: Clock) -> Iterator[App]:
    opened = open_memory(tmp_path / "memory.db", home, clock)
    yield opened
    opened.store.close()


def open_memory(path: Path, home: Path, clock: Clock | None = None) -> App:
    return App(memory_at(path), Settings(), clock or Clock(), Surroundings({}, home))


def line(number: int, text: str, role: str = "", day: int = 14, **more: Any) -> bytes:
    role = role or ("user" if number % 2 else "assistant")
    about = {"sessionId": "s1", "cwd": "/home/al/shop", "gitBranch": "main"}
    moment = {"timestamp": f"2026-04-{day}T12:00:00.000Z", "uuid": f"u{number}"}
    message = {"role": role, "content": text}
    return json.dumps({"type": role, **about, **moment, "message": message, **more}).encode() + b"\n"


def session(home: Path, name: str = "s1", *lines: bytes) -> Path:
    path = home / ".claude" / "projects" / "-home-al-shop" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(lines))
    return path


def rollout(home: Path, identity: str, *texts: str) -> Path:
    path = (
        home / ".codex" / "sessions" / "2026" / "04" / "14" / f"rollout-2026-04-14T12-00-00-{identity}.jsonl"
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    meta = {
        "timestamp": "2026-04-14T12:00:00Z",
        "type": "session_meta",
        "payload": {"id": identity, "cwd": "/home/al/api"},
    }
    lines = [meta]
    for number, text in enumerate(texts):
        role = "assistant" if number % 2 else "user"
        payload = {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}
        lines.append(
            {"timestamp": f"2026-04-14T12:00:{number:02}Z", "type": "response_item", "payload": payload}
        )
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return path


def texts(app: App) -> list[str]:
    """All turns that are kept, by conversation."""
    return [
        turn["text"]
        for each in reversed(call(app, "conversations list", limit=1000)["conversations"])
        for turn in call(app, "conversations show", id=each["id"], limit=100_000)["turns"]
    ]


def found(app: App, query: str, **filters: Any) -> list[str]:
    return [each["snippet"] for each in call(app, "conversations search", query=query, **filters)["results"]]


def test_what_is_new_is_read_and_found(app: App, home: Path) -> None:
    session(home, "s1", line(1, "Why is the walrus flaky?"), line(2, "It depends on the clock."))
    done = call(app, "conversations index")
    assert (done["transcripts"], done["changed"], done["turns"], done["problems"]) == (1, 1, 2, [])
    [match] = call(app, "conversations search", query="walrus")["results"]
    assert match["snippet"] == "Why is the **walrus** flaky?"
    assert (match["turn"], match["role"], match["time"]) == (1, "user", "2026-04-14T12:00:00Z")
    assert (match["project"], match["client"], match["title"]) == (
        "/home/al/shop",
        "claude",
        "Why is the walrus flaky?",
    )
    shown = call(app, "conversations show", id=match["conversation"])
    assert [turn["text"] for turn in shown["turns"]] == [
        "Why is the walrus flaky?",
        "It depends on the clock.",
    ]
    assert (shown["branch"], shown["count"]) == ("main", 2)


def test_a_file_that_grows_is_read_from_where_it_ended(app: App, home: Path) -> None:
    path = session(home, "s1", line(1, "one"))
    call(app, "conversations index")
    with path.open("ab") as file:
        file.write(line(2, "two") + line(3, "three")[:-30])
    done = call(app, "conversations index")
    assert (done["turns"], done["bytes"]) == (1, len(line(2, "two")))
    with path.open("ab") as file:
        file.write(line(3, "three")[-30:])
    assert call(app, "conversations index")["turns"] == 1
    assert texts(app) == ["one", "two", "three"]
    assert call(app, "conversations index")["bytes"] == 0


def test_a_last_line_without_an_end_is_read_if_it_is_whole(app: App, home: Path) -> None:
    path = session(home, "s1", line(1, "one"), line(2, "two")[:-1])
    assert call(app, "conversations index")["turns"] == 2
    with path.open("ab") as file:
        file.write(b"\n" + line(3, "three"))
    assert call(app, "conversations index")["turns"] == 1
    assert texts(app) == ["one", "two", "three"]


def test_a_file_that_was_replaced_adds_what_is_new_and_loses_nothing(app: App, home: Path) -> None:
    path = session(home, "s1", line(1, "one"), line(2, "two"), line(3, "three"))
    call(app, "conversations index")
    path.write_bytes(line(1, "one") + line(4, "four"))
    assert call(app, "conversations index")["turns"] == 1
    assert texts(app) == ["one", "two", "three", "four"]


def test_what_was_read_stays_when_the_client_deletes_it(app: App, home: Path) -> None:
    session(home, "s1", line(1, "the walrus"))
    call(app, "conversations index")
    shutil.rmtree(home)
    assert call(app, "conversations index")["transcripts"] == 0
    assert found(app, "walrus") == ["the **walrus**"]


def test_reading_all_again_keeps_no_turn_twice(app: App, home: Path) -> None:
    session(home, "s1", line(1, "one"), line(2, "two"))
    rollout(home, "0195aaaa-0000-7000-8000-000000000001", "yes", "yes", "yes", "no")
    assert call(app, "conversations index")["turns"] == 6
    assert call(app, "conversations index", all=True)["turns"] == 0
    assert sorted(texts(app)) == ["no", "one", "two", "yes", "yes", "yes"]


def test_subagents_are_conversations_of_their_own(app: App, home: Path) -> None:
    path = session(home, "s1", line(1, "one"))
    agent = path.parent / "s1" / "subagents" / "agent-7f3a.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(line(1, "look at the walrus", isSidechain=True))
    assert call(app, "conversations index")["transcripts"] == 2
    lines = call(app, "conversations list")["conversations"]
    assert {each["session"]: each.get("parent") for each in lines} == {"s1": None, "agent-7f3a": "s1"}


def test_a_rollout_that_was_compressed_goes_on_where_it_was(app: App, home: Path) -> None:
    if not shutil.which("zstd"):
        pytest.skip("NOT TESTED: there is no zstd here")
    identity = "0195aaaa-0000-7000-8000-000000000001"
    path = rollout(home, identity, "Rename the table", "Done")
    assert call(app, "conversations index")["turns"] == 2
    path = rollout(home, identity, "Rename the table", "Done", "Thanks")
    subprocess.run(["zstd", "-q", "--rm", path], check=True)
    assert call(app, "conversations index")["turns"] == 1
    assert texts(app) == ["Rename the table", "Done", "Thanks"]
    assert call(app, "conversations list")["total"] == 1


def test_a_damaged_archive_of_a_client_is_reported_and_does_not_stop_the_rest(app: App, home: Path) -> None:
    broken = rollout(home, "0195aaaa-0000-7000-8000-000000000001", "x")
    broken.with_name(broken.name + ".zst").write_bytes(b"no zstd at all")
    broken.unlink()
    session(home, "s1", line(1, "one"))
    done = call(app, "conversations index")
    assert [each["path"] for each in done["problems"]] == [str(broken) + ".zst"]
    assert texts(app) == ["one"]


def opencode_database(home: Path, *texts: str) -> Path:
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    connection = apsw.Connection(str(path))
    connection.execute(
        """CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT,
               title TEXT, time_created INTEGER, time_updated INTEGER);
           CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,
               time_updated INTEGER, data TEXT);
           CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER,
               time_updated INTEGER, data TEXT);
           INSERT INTO session VALUES ('ses_1', 'p', NULL, '/home/al/paint', 'Colours', 1, 1)"""
    )
    for number, text in enumerate(texts):
        time = {"created": 1776168000000 + number, "completed": 1776168000000 + number}
        data = {"role": "assistant" if number % 2 else "user", "time": time}
        connection.execute(
            "INSERT INTO message VALUES (?, 'ses_1', ?, ?, ?)",
            (f"msg_{number}", number, number, json.dumps(data)),
        )
        connection.execute(
            "INSERT INTO part VALUES (?, ?, 'ses_1', ?, ?, ?)",
            (f"prt_{number}", f"msg_{number}", number, number, json.dumps({"type": "text", "text": text})),
        )
    connection.close()
    return path


def test_opencode_is_read_from_its_database(app: App, home: Path) -> None:
    opencode_database(home, "Which colour?", "Blue.")
    assert call(app, "conversations index", client="opencode")["turns"] == 2
    assert call(app, "conversations index")["changed"] == 0
    opencode_database(home, "Which colour?", "Blue.", "Really?")
    assert call(app, "conversations index")["turns"] == 1
    [about] = call(app, "conversations list", project="paint")["conversations"]
    assert (about["title"], about["turns"], about["client"]) == ("Colours", 3, "opencode")


def test_a_database_that_is_none_of_opencode_is_reported(app: App, home: Path) -> None:
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database, but long enough to be read as the beginning of one" * 50)
    assert [each["path"] for each in call(app, "conversations index")["problems"]] == [str(path)]


def test_opencode_is_read_from_the_files_of_earlier_versions(app: App, home: Path) -> None:
    storage = home / ".local" / "share" / "opencode" / "storage"
    for path, value in {
        "session/p/ses_1.json": {"id": "ses_1", "directory": "/home/al/paint", "title": "Colours"},
        "message/ses_1/msg_1.json": {"id": "msg_1", "role": "user", "time": {"created": 1776168000000}},
        "part/msg_1/prt_1.json": {"type": "text", "text": "Which colour?"},
    }.items():
        (storage / path).parent.mkdir(parents=True, exist_ok=True)
        (storage / path).write_text(json.dumps(value))
    assert call(app, "conversations index")["turns"] == 1
    assert texts(app) == ["Which colour?"]
    assert call(app, "conversations index")["changed"] == 0


def test_files_of_people_are_read_where_they_are_named(app: App, tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    folder.mkdir()
    (folder / "a.md").write_text("## User\n\nhello walrus\n\n## Assistant\n\nhello\n")
    (folder / "b.jsonl").write_text('{"role": "user", "content": "from a program"}\n')
    (folder / "c.txt").write_text("nothing")
    assert call(app, "conversations index", paths=[str(folder)])["turns"] == 3
    (folder / "a.md").write_text("## User\n\nhello seal\n")
    call(app, "conversations index", paths=[str(folder / "a.md")])
    assert sorted(texts(app)) == ["from a program", "hello seal"]
    assert found(app, "walrus") == []
    with pytest.raises(InvalidInput):
        call(app, "conversations index", paths=[str(folder / "c.txt")])
    with pytest.raises(NotFound):
        call(app, "conversations index", paths=[str(folder / "none.jsonl")])


def stored_bytes(app: App) -> bytes:
    """Everything that the memory has on disk."""
    folder = app.store.path.parent
    files = [*folder.glob("memory.db*"), *folder.glob("memory.db.conversations/*")]
    return b"".join(each.read_bytes() for each in files if each.is_file())


def test_a_secret_reaches_no_file_of_the_memory(app: App, home: Path) -> None:
    summary = {"type": "summary", "summary": f"Use {SECRET}"}
    session(
        home,
        "s1",
        line(1, f"Use {SECRET} for this walrus."),
        line(2, f"I used `{SECRET}`.  # quaid: allow-secret"),
        json.dumps(summary).encode() + b"\n",
    )
    call(app, "conversations index")
    data = stored_bytes(app)
    assert b"walrus" in data
    for part in (SECRET.encode(), SECRET[4:24].encode(), SECRET[-20:].encode()):
        assert part not in data
    assert found(app, "walrus") == ["Use [secret: github-token] for this **walrus**."]
    assert call(app, "conversations list")["conversations"][0]["title"] == "Use [secret: github-token]"


def test_what_is_forgotten_leaves_no_byte_and_is_not_read_again(app: App, home: Path) -> None:
    path = session(home, "s1", line(1, "the walrus sleeps"), line(2, "so it does"))
    session(home, "s2", line(1, "the seal swims"))
    call(app, "conversations index")
    gone = call(app, "conversations forget", id="s1")
    assert (gone["turns"], gone["scrubbed"]) == (2, True)
    assert b"walrus" not in stored_bytes(app)
    assert b"seal" in stored_bytes(app)
    with path.open("ab") as file:
        file.write(line(3, "the walrus wakes"))
    call(app, "conversations index", all=True)
    assert texts(app) == ["the seal swims"]
    with pytest.raises(NotFound):
        call(app, "conversations show", id="s1")


def test_forgetting_that_was_interrupted_is_finished(app: App, home: Path) -> None:
    path = session(home, "s1", line(1, "the walrus sleeps"))
    call(app, "conversations index")
    archive = Archive(app.store.path)
    archive.forget(archive.conversation_keys()[0])  # and then the process was killed
    path.touch()
    call(app, "conversations index")
    assert texts(app) == []


def test_an_older_copy_of_the_memory_does_not_bring_back_what_is_forgotten(app: App, home: Path) -> None:
    session(home, "s1", line(1, "the walrus sleeps"))
    call(app, "conversations index")
    app.store.close()
    db = app.store.path
    shutil.copy(db, db.with_name("older.db"))
    call(app, "conversations forget", id="s1")
    app.store.close()
    for each in db.parent.glob("memory.db-*"):
        each.unlink()
    shutil.copy(db.with_name("older.db"), db)
    call(app, "conversations index")
    assert texts(app) == []


def test_a_lost_memory_is_read_back_from_the_archive(app: App, home: Path, tmp_path: Path) -> None:
    session(home, "s1", line(1, "the walrus"), line(2, "yes"))
    rollout(home, "0195aaaa-0000-7000-8000-000000000001", "Rename", "Done")
    session(home, "s3", line(1, "to be forgotten"))
    call(app, "conversations index")
    call(app, "conversations forget", id="s3")
    before = call(app, "conversations list"), texts(app)
    app.store.close()
    for each in tmp_path.glob("memory.db*"):
        if each.is_file():
            each.unlink()
    shutil.copytree(home, tmp_path / "kept")
    shutil.rmtree(home)
    again = open_memory(tmp_path / "memory.db", home)
    assert found(again, "walrus") == ["the **walrus**"]
    assert (call(again, "conversations list"), texts(again)) == before
    shutil.copytree(tmp_path / "kept", home)
    assert call(again, "conversations index", all=True)["turns"] == 0
    again.store.close()


def test_a_lost_archive_is_written_anew_from_the_memory(app: App, home: Path) -> None:
    path = session(home, "s1", line(1, "one"), line(2, "two"))
    call(app, "conversations index")
    archive = Archive(app.store.path)
    before = archive.path(archive.conversation_keys()[0]).read_bytes()
    archive.path(archive.conversation_keys()[0]).unlink()
    path.touch()
    call(app, "conversations index")
    lines = archive.path(archive.conversation_keys()[0]).read_bytes()
    assert lines.startswith(before[: before.index(b'{"mark"')])
    assert texts(app) == ["one", "two"]


def test_whatever_somebody_does_to_the_archive_it_is_read(app: App, home: Path) -> None:
    session(home, "s1", line(1, "one"), line(2, "two"))
    call(app, "conversations index")
    archive = Archive(app.store.path)
    (archive.directory / "notes.jsonl").write_text("not ours")
    (archive.directory / "0123456789ab.jsonl").write_bytes(b"\xff\x00 no json\n[]\n{}\n")
    assert call(app, "conversations list")["total"] == 1
    file = archive.path(next(key for key in archive.conversation_keys() if key != "0123456789ab"))
    file.write_bytes(b"x" * 5000 + b"\n" + file.read_bytes())
    call(app, "conversations index")
    assert texts(app) == ["one", "two"]


def test_markdown_without_turns_is_no_conversation(app: App, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Notes\n\nNobody speaks.\n")
    assert call(app, "conversations index", paths=[str(tmp_path / "notes")])["changed"] == 0
    assert call(app, "conversations list")["total"] == 0


def test_the_archive_is_private(app: App, home: Path) -> None:
    session(home, "s1", line(1, "one"))
    call(app, "conversations index")
    archive = Archive(app.store.path)
    assert stat.S_IMODE(archive.directory.stat().st_mode) == 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in archive.directory.iterdir()} == {0o600}


def test_filters(app: App, home: Path) -> None:
    session(home, "s1", line(1, "walrus at the shop", day=10), line(3, "walrus again", day=14))
    rollout(home, "0195aaaa-0000-7000-8000-000000000001", "walrus of the api")
    call(app, "conversations index")
    assert found(app, "walrus", client="codex") == ["**walrus** of the api"]
    assert found(app, "walrus", project="shop", until="2026-04-10") == ["**walrus** at the shop"]
    assert len(found(app, "walrus", since="2026-04-11")) == 2
    assert len(found(app, "walrus", max_results=1)) == 1
    assert found(app, "walrus", project="sho_") == []
    assert [
        each["client"] for each in call(app, "conversations list", project="/home/al/api")["conversations"]
    ] == ["codex"]
    assert call(app, "conversations list", limit=1)["total"] == 2


def test_a_text_that_was_said_often_is_found_once(app: App, home: Path) -> None:
    for number in range(5):
        session(home, f"s{number}", line(1, "the same walrus"))
    call(app, "conversations index")
    assert len(found(app, "walrus")) == 1


def test_turns_with_every_word_come_first(app: App, home: Path) -> None:
    session(
        home, "s1", line(1, "walrus walrus walrus"), line(2, "the walrus and the seal"), line(3, "seal seal")
    )
    call(app, "conversations index")
    results = call(app, "conversations search", query="walrus seal")["results"]
    assert results[0]["snippet"] == "the **walrus** and the **seal**"
    assert len(results) == 3


@pytest.mark.parametrize(
    "query", ['"', "AND", "NEAR(", "*", "-", "walrus -seal", "机器学习", "a" * 5000, "text:x"]
)
def test_any_query_is_answered(app: App, home: Path, query: str) -> None:
    session(home, "s1", line(1, "the walrus and 机器学习"))
    call(app, "conversations index")
    call(app, "conversations search", query=query)


def test_chinese_is_found(app: App, home: Path) -> None:
    session(home, "s1", line(1, "我们讨论机器学习的问题"))
    call(app, "conversations index")
    assert found(app, "学习") == ["我们讨论机器**学习**的问题"]


def test_by_meaning_once_turns_are_embedded(app: App, home: Path) -> None:
    session(
        home,
        "s1",
        line(1, "The automobile would not start this morning"),
        line(2, "We talked about soup recipes"),
    )
    call(app, "conversations index")
    assert found(app, "broken car") == []
    assert call(app, "conversations embed")["embedded"] == 2
    assert call(app, "conversations embed")["embedded"] == 0
    results = call(app, "conversations search", query="broken car")["results"]
    assert (results[0]["turn"], results[0]["by"]) == (1, "meaning")
    assert found(app, "broken car", words=True) == []
    (best,) = call(app, "query", question="broken car")["results"]
    assert best["type"] == "conversation"


def test_what_is_around_a_turn(app: App, home: Path) -> None:
    session(home, "s1", *(line(number, f"turn {number}") for number in range(1, 30)))
    call(app, "conversations index")
    shown = call(app, "conversations show", id="s1", turn=10, around=2)
    assert [each["turn"] for each in shown["turns"]] == [8, 9, 10, 11, 12]
    with pytest.raises(NotFound):
        call(app, "conversations show", id="s1", turn=30)
    with pytest.raises(NotFound):
        call(app, "conversations show", id="nobody")
    session(home, "s10", line(1, "other"))
    session(home, "s11", line(1, "other"))
    call(app, "conversations index")
    with pytest.raises(Ambiguous):
        call(app, "conversations show", id="s")


def test_only_so_much_is_shown_and_what_is_nearest_first(app: App, home: Path) -> None:
    session(home, "s1", *(line(number, f"{number} " + "x" * 1000) for number in range(1, 30)))
    call(app, "conversations index")
    shown = call(app, "conversations show", id="s1", turn=10, around=5, max_chars=3500)
    assert [each["turn"] for each in shown["turns"]] == [9, 10, 11]
    cut = call(app, "conversations show", id="s1", max_chars=100)["turns"]
    assert [(each["turn"], len(each["text"])) for each in cut] == [(1, 101)]
    assert len(call(app, "conversations show", id="s1", max_chars=0)["turns"]) == 29


def test_an_unreadable_file_is_reported(app: App, home: Path) -> None:
    path = session(home, "s1", line(1, "one"))
    path.unlink()
    path.mkdir()
    done = call(app, "conversations index")
    assert [each["path"] for each in done["problems"]] == [str(path)]


def test_a_pipe_among_transcripts_is_not_waited_for(app: App, tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    folder.mkdir()
    os.mkfifo(folder / "a.jsonl")
    (folder / "b.jsonl").write_text('{"role": "user", "content": "Where is the ladder?"}\n')
    done = call(app, "conversations index", paths=[str(folder)])
    assert (done["turns"], [each["reason"] for each in done["problems"]]) == (1, ["not a file"])


def test_a_line_that_no_client_writes_is_skipped(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "BLOCK", 1000)
    monkeypatch.setattr(pieces, "LONGEST_LINE", 500)
    said = [json.dumps({"role": "user", "content": f"Turn {number} {'x' * 60}"}) for number in range(60)]
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join([*said[:30], "\0" * 9_000, *said[30:]]) + "\n")
    done = call(app, "conversations index", paths=[str(path)])
    assert (done["turns"], done["malformed"]) == (60, 1)
    assert call(app, "conversations index", paths=[str(path)])["turns"] == 0
    with path.open("a") as file:
        file.write(said[0].replace("Turn 0", "Turn 60") + "\n")
    assert call(app, "conversations index", paths=[str(path)])["turns"] == 1


def test_a_conversation_that_was_copied_often_leaves_room_for_others(app: App, tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    folder.mkdir()
    for number in range(40):
        said = ["The ladder is in the ladder shed by the ladder", f"Another ladder, number {number}, is new"]
        lines = [json.dumps({"role": "user", "content": each}) for each in said]
        (folder / f"{number}.jsonl").write_text("\n".join(lines) + "\n")
    call(app, "conversations index", paths=[str(folder)])
    found = call(app, "conversations search", query="ladder", max_results=5)
    assert len(found["results"]) == 5


def test_no_client_at_all_is_no_error(app: App) -> None:
    assert call(app, "conversations index")["transcripts"] == 0
    assert call(app, "conversations list") == {"conversations": [], "total": 0}


def test_the_digest_and_lists_of_pages_know_nothing_of_conversations(app: App, home: Path) -> None:
    before = call(app, "digest")
    session(home, "s1", line(1, "the walrus"))
    call(app, "conversations index")
    assert call(app, "digest") == before
    assert call(app, "list")["pages"] == []
    assert not call(app, "validate", all=True)["findings"]
    call(app, "rebuild")
    assert found(app, "walrus") == ["the **walrus**"]


@given(st.lists(st.integers(0, 10**6), max_size=6), st.booleans())
@examples(30, 300)
def test_any_cuts_give_what_one_reading_gives(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], small: bool
) -> None:
    folder = tmp_path_factory.mktemp("cuts")
    said = ["yes", "yes", "a longer text", "", "yes", "no", "ü" * 50]
    whole = b"".join(json.dumps({"role": "user", "content": text}).encode() + b"\n" for text in said * 3)
    path = folder / "chat.jsonl"
    indexer = Indexer(memory_at(folder / "memory.db"))
    block = pieces.BLOCK
    pieces.BLOCK = 100 if small else block
    try:
        for cut in [*sorted(each % len(whole) for each in cuts), len(whole)]:
            path.write_bytes(whole[:cut])
            indexer.run(of_paths([str(path)]))
    finally:
        pieces.BLOCK = block
    kept = indexer.store.connection.execute("SELECT text FROM turns ORDER BY ordinal").fetchall()
    indexer.store.close()
    assert [text for (text,) in kept] == [text for text in said * 3 if text]


SCRIPT = """
import sys
from pathlib import Path
from quaid.conversations import pieces
from quaid.conversations.indexer import Indexer
from quaid.conversations.transcripts import of_paths
from quaid.store.connection import Store
pieces.BLOCK = 20_000
import quaid.conversations.indexer as conversations
conversations.BLOCK = 20_000
print("ready", flush=True)
Indexer(Store.create(Path(sys.argv[1]))).run(of_paths(sys.argv[2:]))
"""


def start(db: Path, *paths: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", SCRIPT, str(db), *map(str, paths)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def many(folder: Path, files: int, turns: int) -> list[Path]:
    """Transcripts with and without ids."""
    folder.mkdir(exist_ok=True)
    paths = []
    for number in range(files):
        path = folder / f"s{number}.jsonl"
        if number % 2:
            path.write_bytes(
                b"".join(line(each, f"text {number} {each} " + "x" * 50) for each in range(turns))
            )
        else:
            said = ({"role": "user", "content": f"text {number} {each // 2}"} for each in range(turns))
            path.write_bytes(b"".join(json.dumps(each).encode() + b"\n" for each in said))
        paths.append(path)
    return paths


def counts(db: Path) -> list[tuple[int, int]]:
    connection = Store.open(db).connection
    return connection.execute(
        """SELECT c.turns, (SELECT count(*) FROM turns t WHERE t.conversation_id = c.id) FROM conversations c
           ORDER BY c.path"""
    ).fetchall()


@pytest.mark.stress
def test_two_indexers_at_once_keep_every_turn_once(tmp_path: Path) -> None:
    paths = many(tmp_path / "chats", 20, 300)
    db = tmp_path / "memory.db"
    with start(db, *paths) as one, start(db, *reversed(paths)) as other:
        assert [one.wait(), other.wait()] == [0, 0]
    assert counts(db) == [(300, 300)] * 20


@pytest.mark.stress
def test_killed_at_any_moment_the_next_run_converges(tmp_path: Path) -> None:
    paths = many(tmp_path / "chats", 6, 2000)
    db = tmp_path / "memory.db"
    for attempt in range(6):
        with start(db, *paths) as process:
            assert process.stdout
            process.stdout.readline()
            # A wait that is not for anything: the kill is to fall anywhere within an index.
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.05 + 0.07 * attempt)
            process.kill()
    with start(db, *paths) as process:
        assert process.wait() == 0
    assert counts(db) == [(2000, 2000)] * 6
    archive = Archive(db)
    for key in archive.conversation_keys():
        _, batches = archive.read(key)
        assert sum(len(batch.turns) for batch in batches) == 2000
    for each in tmp_path.glob("memory.db*"):
        if each.is_file():
            each.unlink()
    Indexer(Store.create(db)).restore()
    assert counts(db) == [(2000, 2000)] * 6


def test_a_killed_writer_leaves_a_tail_that_does_not_count(app: App, home: Path) -> None:
    path = session(home, "s1", line(1, "one"))
    call(app, "conversations index")
    archive = Archive(app.store.path)
    file = archive.path(archive.conversation_keys()[0])
    with file.open("ab") as tail:
        tail.write(b'{"role":"user","time":"","id":"u9","text":"never finished"}\n{"role":"us')
    with path.open("ab") as more:
        more.write(line(2, "two"))
    call(app, "conversations index")
    assert texts(app) == ["one", "two"]
    assert b"never" not in file.read_bytes()


def test_a_batch_that_was_not_committed_is_taken_over(app: App, home: Path) -> None:
    path = session(home, "s1", line(1, "one"))
    call(app, "conversations index")
    app.store.close()
    db = app.store.path
    shutil.copy(db, db.with_name("older.db"))
    with path.open("ab") as more:
        more.write(line(2, "two"))
    call(app, "conversations index")
    app.store.close()
    for each in db.parent.glob("memory.db-*"):
        each.unlink()
    shutil.copy(db.with_name("older.db"), db)
    path.unlink()
    assert call(app, "conversations index")["transcripts"] == 0
    assert texts(app) == ["one", "two"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("console.md", "> fix the tests\n\n● I will look at them.\n"),
        ("session.jsonl", '{"stream": "stdout", "bytes": "$ ls"}\n{"stream": "stdin", "bytes": "exit"}\n'),
    ],
)
def test_a_transcript_in_which_nobody_speaks_is_reported(
    app: App, tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    for _ in range(2):
        done = call(app, "conversations index", paths=[str(tmp_path / name)])
        assert done["turns"] == 0
        assert [Path(each["path"]).name for each in done["problems"]] == [name]
        assert "nobody speaks in it" in done["problems"][0]["reason"]
    assert call(app, "conversations list")["conversations"] == []


def test_notes_among_transcripts_are_no_mistake(app: App, tmp_path: Path) -> None:
    (tmp_path / "chats").mkdir()
    (tmp_path / "chats" / "readme.md").write_text("# Chats\n")
    assert call(app, "conversations index", paths=[str(tmp_path / "chats")])["problems"] == []
