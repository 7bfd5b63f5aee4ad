from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from pathlib import Path

import apsw
import pytest

from tests.forked import programs
from tests.mcp.talking import CLIENT, Talk, talk
from tests.support import PROGRAM, environment, eventually, lengths, quaid, quick

PAGE = "---\ntitle: Zoë\n---\n# Zoë\n\n> Lives in Zürich: 東京 🗼.\n"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    quick("init", path)
    quick("put", "people/zoe", input=PAGE, db=path)
    return path


def test_reading_and_writing(db: Path) -> None:
    with talk(db) as server:
        page = server.call("memory_get", slug="people/zoe")
        assert page["content"] == PAGE
        entry = {"slug": "people/zoe", "date": "2026-04-03", "summary": "Moved"}
        assert server.call("memory_timeline_add", **entry, page_version=1)["version"] == 2
        stale = server.call("memory_timeline_add", **entry, page_version=1)["error"]
        assert stale["code"] == "conflict"
        assert stale["current_version"] == 2
        assert stale["hint"]
        assert server.end() == 0
    assert "Moved" in quick("get", "people/zoe", db=db).out


def test_errors_of_arguments_are_for_the_model(db: Path) -> None:
    with talk(db) as server:
        assert server.call("memory_get")["error"]["code"] == "invalid_input"
        assert server.call("memory_get", slug=["a", "b"])["error"]["code"] == "invalid_input"
        assert server.call("memory_get", slug="people/zoe", depth=1)["error"]["hint"]
        assert server.call("memory_get", slug="people/zoe", offset=-1)["error"]["code"] == "invalid_input"
        assert server.ask("tools/call", name="memory_nothing", arguments={})["error"]["code"] == -32602
        assert server.ask("tools/call", name="memory_export", arguments={})["error"]["code"] == -32602


def test_a_long_page_comes_in_parts(db: Path) -> None:
    text = "# Long\n\n" + "".join(f"Line {number} of a long page.\n" for number in range(20_000))
    quick("put", "concepts/long", input=text, db=db)
    with talk(db) as server:
        parts, offset = [], 0
        while True:
            page = server.call("memory_get", slug="concepts/long", offset=offset)
            parts.append(page["content"])
            if "next" not in page:
                break
            offset = page["next"]["offset"]
    assert "".join(parts) == text
    assert len(parts) > 5


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}, {"PYTHONUTF8": "0"}])
def test_bytes_are_utf_8_whatever_the_locale(db: Path, locale: dict[str, str]) -> None:
    with talk(db, env=locale, program=PROGRAM) as server:
        params = {"name": "memory_search", "arguments": {"query": "zürich"}}
        message = {"jsonrpc": "2.0", "id": "é", "method": "tools/call", "params": params}
        server.send(json.dumps(message, ensure_ascii=False).encode())
        assert server.process.stdout
        raw = server.process.stdout.readline()
    answer = json.loads(raw.decode())
    assert answer["id"] == "é"
    assert "東京 🗼" in raw.decode()


def test_what_was_asked_before_the_end_is_answered(db: Path) -> None:
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *(
            {
                "jsonrpc": "2.0",
                "id": number,
                "method": "tools/call",
                "params": {"name": "memory_get", "arguments": {"slug": "people/zoe"}},
            }
            for number in range(2, 30)
        ),
    ]
    done = quaid(
        "serve", input="".join(json.dumps(line) + "\n" for line in lines), db=db, program=programs() / "quaid"
    )
    assert done.status == 0
    assert {json.loads(line)["id"] for line in done.out.splitlines()} == set(range(1, 30))


def test_a_memory_that_is_not_there_yet(tmp_path: Path) -> None:
    db = tmp_path / "later.db"
    with talk(db) as server:
        assert len(server.ask("tools/list")["result"]["tools"]) > 5
        missing = server.call("memory_get", slug="a")["error"]
        assert missing["code"] == "not_found"
        assert "quaid init" in missing["hint"]
        quick("init", db)
        quick("put", "a", input="# A\n", db=db)
        assert server.call("memory_get", slug="a")["content"] == "# A\n"


def test_a_memory_that_is_replaced_meanwhile(db: Path) -> None:
    with talk(db) as server:
        assert server.call("memory_get", slug="people/zoe")
        for path in db.parent.glob("memory.db*"):
            path.unlink()
        quick("init", db)
        quick("put", "new", input="# New\n", db=db)
        assert server.call("memory_get", slug="new")["content"] == "# New\n"
        assert server.call("memory_get", slug="people/zoe")["error"]["code"] == "not_found"


def test_settings_that_are_changed_meanwhile(db: Path) -> None:
    with talk(db) as server:
        server.call("memory_get", slug="people/zoe")
        quick("put", "concepts/x", input="# X\n" + "word\n" * 3_000, db=db)
        assert "next" not in server.call("memory_get", slug="concepts/x")
        quick("config", "set", "mcp.max_tokens", "1000", db=db)
        assert "next" in server.call("memory_get", slug="concepts/x")


def test_files_of_a_folder_are_seen(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "one.md").write_text("# One\n")
    quick("init", notes)
    with talk(notes / ".quaid" / "memory.db") as server:
        assert server.call("memory_get", slug="one")["content"] == "# One\n"
        (notes / "two.md").write_text("# Two\n\nAbout llamas.\n")
        found = server.call("memory_search", query="llamas")
        assert [each["slug"] for each in found["results"]] == ["two"]


def test_a_folder_is_watched_and_given_up(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    quick("init", notes)
    db = notes / ".quaid" / "memory.db"
    quick("config", "set", "sync.debounce", "0.05", db=db)
    with talk(db) as server:
        server.ask("tools/list")
        (notes / "late.md").write_text("# Late\n")
        eventually(lambda: count(db, "SELECT count(*) FROM pages WHERE slug = 'late'"))
        eventually(lambda: count(db, "SELECT count(*) FROM collection_owners"))
        assert server.end() == 0
    assert not count(db, "SELECT count(*) FROM collection_owners")


def count(db: Path, statement: str) -> int:
    connection = apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return int(connection.execute(statement).fetchone()[0])  # type: ignore[index]
    finally:
        connection.close()


@lengths("many", 1_000, 10_000)
def test_malformed_messages_are_answered(db: Path, many: int) -> None:
    chance = random.Random(6)
    valid = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": {}}).encode()
    bad = [b"{", b"null", b"[]", b"3", b'"x"', b"{}", b'{"id":1}', b"\xff\xfe", b"[" * 5_000]
    bad += [b'{"jsonrpc":"1.0","id":1,"method":"ping"}', b'{"jsonrpc":"2.0","id":{},"method":"ping"}']
    while len(bad) < many:
        cut = bytearray(valid)
        for _ in range(chance.randint(1, 4)):
            cut[chance.randrange(len(cut))] = chance.choice(b'{}[]",:x0 \xc3')
        bad.append(bytes(cut).replace(b"\n", b" "))
    server = Talk(db)
    server.greet()
    try:
        for line in bad:
            server.send(line)
            if b"jsonrpc" not in line:
                answer = server.receive()
                assert answer["error"]["code"] in (-32700, -32600), (line, answer)
            else:
                server.send({"jsonrpc": "2.0", "id": "end", "method": "ping"})
                while server.receive().get("id") != "end":
                    pass
        assert server.call("memory_get", slug="people/zoe")["content"] == PAGE
        assert server.end() == 0
    finally:
        server.stop()


WRITTEN = "SELECT count(*) FROM pages WHERE slug LIKE 'notes/%'"


def is_gone(pid: int) -> bool:
    """Whether a process that is not ours has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_nothing_of_a_killed_client_stays(db: Path) -> None:
    """The server of a client that dies in the middle of calls ends; nothing is half there, or locked."""
    script = (
        "import subprocess, sys, json, time\n"
        f"command = [{PROGRAM!r}, 'serve']\n"
        "server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)\n"
        "print(server.pid, flush=True)\n"
        "say = lambda x: (server.stdin.write(json.dumps(x).encode() + b'\\n'), server.stdin.flush())\n"
        f"say({{'jsonrpc': '2.0', 'id': 0, 'method': 'initialize', 'params': {CLIENT!r}}})\n"
        "say({'jsonrpc': '2.0', 'method': 'notifications/initialized'})\n"
        "for n in range(100000):\n"
        "    say({'jsonrpc': '2.0', 'id': n + 1, 'method': 'tools/call', 'params': {'name': 'memory_put',\n"
        "         'arguments': {'slug': f'notes/n{n}', 'content': '# N\\n' * 50, 'expected_version': 0}}})\n"
    )
    client = subprocess.Popen(
        [os.environ.get("PYTHON", "python3"), "-c", script], stdout=subprocess.PIPE, env=environment(db)
    )
    assert client.stdout
    pid = int(client.stdout.readline())
    eventually(lambda: count(db, WRITTEN))
    client.send_signal(signal.SIGKILL)
    client.wait()
    client.stdout.close()
    eventually(lambda: is_gone(pid))
    assert quick("validate", "--all", db=db).status == 0
    assert quick("put", "after", input="# After\n", db=db).status == 0
