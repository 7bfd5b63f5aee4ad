from __future__ import annotations

import ctypes
import json
import os
import pty
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaid import operations
from quaid.errors import InvalidInput, NotFound
from quaid.mcp.answers import Part, answer, bounded, failure, shortened, tokens
from quaid.mcp.resources import IN_INDEX
from tests.forked import programs
from tests.mcp.talking import CLIENT, Talk, talk
from tests.support import PATIENCE, PROGRAM, environment, eventually, held, mounted, quaid, quick

GET = operations.operation("get")
SEARCH = operations.operation("search")
TOKEN = "a-token-for-tests-that-is-long-enough"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    quick("init", path)
    quick("put", "a", input="# A\n\nSome text.\n", db=path)
    return path


def parts_of(data: dict[str, Any], most: int) -> list[dict[str, Any]]:
    parts, offset = [], 0
    while True:
        part = bounded(data, offset, most)
        assert tokens(part) <= most
        parts.append(part)
        if "next" not in part:
            return parts
        offset = part["next"]["offset"]


def test_two_long_lists_come_one_after_the_other() -> None:
    nodes = [{"slug": f"people/number-{number}"} for number in range(700)]
    edges = [{"from": f"people/number-{number}", "to": "people/number-0"} for number in range(900)]
    data = {"slug": "people/number-0", "nodes": nodes, "edges": edges, "notices": ["Mind the gap."]}
    parts = parts_of(data, 2_000)
    assert [node for part in parts for node in part.get("nodes", ())] == nodes
    assert [edge for part in parts for edge in part.get("edges", ())] == edges
    assert all(part["notices"] and part["slug"] for part in parts)


def test_an_item_that_is_too_long_is_cut_and_says_so() -> None:
    data = {"results": [{"slug": "a", "content": "word " * 200_000}, {"slug": "b", "content": "short"}]}
    first, second = parts_of(data, 2_000)
    assert first["results"][0]["slug"] == "a"
    assert "more characters" in first["results"][0]["content"]
    assert second["results"] == [{"slug": "b", "content": "short"}]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=400),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=10), inner, max_size=30),
    max_leaves=60,
)


@given(json_values, st.integers(60, 600))
@example({"": None, "01": -10000, "00": {"": None, "0\x07": None}, "00000\x1f\r": []}, 60)
def test_whatever_it_is_it_can_be_shortened(value: Any, room: int) -> None:
    short = shortened(value, room)
    assert tokens(short) <= room + 30
    if tokens(value) <= room:
        assert short == value


def test_an_offset_where_nothing_goes_on() -> None:
    with pytest.raises(InvalidInput):
        bounded({"content": "short", "updated_at": "2026-04-03T00:00:00Z"}, 5, 1_000)
    with pytest.raises(InvalidInput):
        bounded({"content": "word " * 9_000}, 10**12, 1_000)


def test_nothing_found_is_said() -> None:
    assert answer(SEARCH, {"query": "x", "results": []}).structured_content == {"results": []}
    noticed = answer(SEARCH, {"query": "x", "results": []}, ["Searched by words only."]).structured_content
    assert noticed == {"results": [], "notices": ["Searched by words only."]}


def test_a_write_is_never_to_be_repeated_for_the_rest() -> None:
    result = answer(GET, {"pages": ["word " * 30] * 2_000}, part=Part(goes_on=False))
    assert "next" not in result.structured_content
    assert tokens(result.structured_content) <= 10_000


def test_failures_are_short_and_name_tools() -> None:
    result = failure(
        NotFound("x" * 1_000_000, hint="`quaid search` finds pages."), {"search": "memory_search"}
    )
    assert tokens(result.structured_content) <= 1_100
    assert result.structured_content["error"]["hint"] == "memory_search finds pages."


def test_pages_of_a_list_follow_each_other(db: Path) -> None:
    lines = [{"slug": f"n/{number}", "content": f"# {'Long title ' * 20}{number}\n"} for number in range(200)]
    quick("config", "set", "mcp.max_tokens", "2000", db=db)
    with talk(db) as server:
        for line in lines:
            server.call("memory_put", **line, expected_version=0)
        seen, offset = [], 0
        while True:
            listed = server.call("memory_list", limit=1_000, offset=offset)
            seen += [page["slug"] for page in listed["pages"]]
            if "next" not in listed:
                break
            offset = listed["next"]["offset"]
    assert len(seen) == len(set(seen)) == 201


def test_a_page_of_many_megabytes_comes_in_parts(db: Path) -> None:
    with talk(db) as server:
        server.call("memory_put", slug="big", content="x y " * 1_000_000, expected_version=0)
        assert server.call("memory_get", slug="big")["next"]["of"] == 4_000_000


def test_the_index_of_many_pages_is_short(db: Path) -> None:
    with talk(db) as server:
        for number in range(IN_INDEX + 50):
            server.call("memory_put", slug=f"n/{number}", content="# N\n", expected_version=0)
        text = server.ask("resources/read", uri="memory://index")["result"]["contents"][0]["text"]
    assert text.count("\n- n/") <= IN_INDEX
    assert "more: memory_list" in text


def test_a_write_that_waits_holds_up_no_reading(db: Path) -> None:
    with held(db, "BEGIN IMMEDIATE") as other, talk(db) as server:
        for number in range(10):
            arguments = {"slug": f"w/{number}", "content": "# W\n", "expected_version": 0}
            params = {"name": "memory_put", "arguments": arguments}
            server.send({"jsonrpc": "2.0", "id": f"w{number}", "method": "tools/call", "params": params})
        assert server.call("memory_get", slug="a")["version"] == 1
        assert other.stdin
        other.stdin.write("ROLLBACK\n")
        other.stdin.flush()
        answers = [server.receive() for _ in range(10)]
        assert not any(each["result"].get("isError") for each in answers), "they gave up meanwhile"


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    with mounted(tmp_path / "small", "size=3m") as place:
        db = place / "memory.db"
        quick("init", db)
        with talk(db) as server:
            kept = 0
            while True:
                text = "# P\n" + "word another \n" * 20_000
                done = server.call("memory_put", slug=f"p{kept}", content=text, expected_version=0)
                if "error" in done:
                    break
                kept += 1
            assert done["error"]["code"] == "storage"
            assert "full" in done["error"]["message"]
            assert len(server.call("memory_list")["pages"]) == kept
        assert quick("validate", "--all", db=db).status == 0


def test_a_memory_that_cannot_be_written(tmp_path: Path) -> None:
    with mounted(tmp_path / "fixed") as place:
        db = place / "memory.db"
        quaid("init", db)  # a process, which leaves no file open
        quaid("put", "a", input="# A\n\nSome text.\n", db=db)
        subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        with talk(db, "--tools", "full") as server:
            assert server.call("memory_get", slug="a")["version"] == 1
            assert server.call("memory_query", question="some text?")["results"][0]["slug"] == "a"
            refused = server.call("memory_put", slug="b", content="# B\n", expected_version=0)
            assert refused["error"]["code"] == "read_only"
            assert server.end() == 0


@pytest.mark.parametrize("contents", [b"no database, but long enough" * 500, b"\0" * 8192])
def test_a_file_that_is_no_memory(tmp_path: Path, contents: bytes) -> None:
    db = tmp_path / "memory.db"
    db.write_bytes(contents)
    with talk(db) as server:
        assert server.call("memory_get", slug="a")["error"]["code"] in (
            "corrupt",
            "not_found",
            "invalid_input",
        )
        assert server.ask("tools/list")["result"]["tools"]
        assert server.end() == 0
    assert db.read_bytes() == contents


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_told_to_end(db: Path, told: signal.Signals) -> None:
    with talk(db) as server:
        server.ask("tools/list")
        server.process.send_signal(told)
        assert server.process.wait(PATIENCE) == 0
        assert server.process.stderr
        assert server.process.stderr.read() == b""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are found in /proc")
def test_told_to_end_while_the_loop_sleeps(db: Path) -> None:
    """A signal that another thread is given, or that comes just before the loop sleeps, wakes it up."""
    with talk(db, program=PROGRAM) as server:
        server.ask("tools/list")
        pid = server.process.pid
        other = next(int(each.name) for each in Path(f"/proc/{pid}/task").iterdir() if int(each.name) != pid)
        assert ctypes.CDLL(None).tgkill(pid, other, signal.SIGTERM) == 0
        assert server.process.wait(PATIENCE) == 0


def test_ending_while_the_model_is_being_loaded(db: Path) -> None:
    quick("query", "text", db=db)
    for number in range(1, 12, 3):  # so many questions later, it has come a little further
        with talk(db) as server:
            for _ in range(number):
                server.ask("tools/list")
            assert server.end() == 0


def test_nobody_reads_the_answers(db: Path) -> None:
    with talk(db) as server:
        assert server.process.stdout
        server.process.stdout.close()
        server.send({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
        assert server.process.wait(PATIENCE) == 0
        assert server.process.stderr
        assert server.process.stderr.read() == b""


def test_a_client_that_writes_and_never_reads(db: Path) -> None:
    """Its requests wait in the pipe instead of filling the memory; when it dies, the server ends."""
    sent = 0
    with talk(db) as server:

        def write() -> None:
            nonlocal sent
            with suppress(OSError, ValueError):
                for sent in range(50_000):
                    server.send({"jsonrpc": "2.0", "id": sent, "method": "tools/list"})

        def stands_still() -> bool:
            before = sent
            time.sleep(0.2)
            return before == sent > 0

        writing = threading.Thread(target=write, daemon=True)
        writing.start()
        eventually(stands_still)
        assert writing.is_alive()
        assert server.process.stdout
        server.process.stdout.close()
        assert server.process.wait(PATIENCE) == 0
        writing.join(PATIENCE)
        assert server.process.stdin
        with suppress(BrokenPipeError):
            server.process.stdin.close()


def test_many_requests_at_once_with_all_kinds_of_ids(db: Path) -> None:
    with talk(db) as server:
        identities = [identity for n in range(500) for identity in (n, f"s{n}", "same", 7)]
        answered: list[Any] = []
        reading = threading.Thread(
            target=lambda: answered.extend(server.receive()["id"] for _ in identities), daemon=True
        )
        reading.start()
        params = {"name": "memory_get", "arguments": {"slug": "a"}}
        for identity in identities:
            server.send({"jsonrpc": "2.0", "id": identity, "method": "tools/call", "params": params})
        reading.join(PATIENCE)
        assert sorted(map(str, answered)) == sorted(map(str, identities))
        assert server.end() == 0


@pytest.mark.parametrize(
    "text", [rb"a\ud800b", b"a\xffb", rb"a\u0000b", b"\xed\xa0\x80", rb"\udfff\ud800"], ids=str
)
def test_text_that_is_hardly_any(db: Path, text: bytes) -> None:
    call = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_put","arguments":'
    with talk(db) as server:
        server.send(call + b'{"slug":"t","content":"' + text + b'","expected_version":0}}}')
        said = server.receive()
        assert "error" in said or "error" in said["result"]["structuredContent"] or said["id"] == 1
        assert server.call("memory_get", slug="a")["version"] == 1
        assert server.end() == 0


def test_empty_lines_are_nothing(db: Path) -> None:
    greeting = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT})
    done = quaid("serve", input=f"\n\r\n  \n{greeting}\r\n\n", db=db, program=programs() / "quaid")
    assert [json.loads(line)["id"] for line in done.out.splitlines()] == [1]


def test_a_person_who_starts_it_is_told_what_it_waits_for(db: Path) -> None:
    keyboard, terminal = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, "serve"],
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(db),
    )
    os.close(terminal)
    assert process.stderr
    assert b"waits for an MCP client" in process.stderr.readline()
    os.write(keyboard, b"\x04")
    out, _ = process.communicate()
    os.close(keyboard)
    assert process.returncode == 0
    assert out == b""


def test_without_standard_input(db: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "{PROGRAM}" serve <&-'], capture_output=True, env=environment(db), check=False
    )
    assert done.returncode == 2
    assert b"closed" in done.stderr


@pytest.mark.parametrize("token", ["é" * 20, "a token with spaces in it", "tab\tulator-token-of-20"])
def test_a_token_that_no_header_can_carry(db: Path, token: str) -> None:
    refused = quaid(
        "serve", "--http", "--port", "0", db=db, env={"QUAID_TOKEN": token}, program=programs() / "quaid"
    )
    assert refused.status == 2
    assert "ASCII" in refused.err


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid", "127.0.0.1:80"])
def test_a_host_that_is_not_this_machine(db: Path, host: str) -> None:
    refused = quaid(
        "serve",
        "--http",
        "--port",
        "0",
        "--host",
        host,
        "--behind-proxy",
        db=db,
        env={"QUAID_TOKEN": TOKEN},
        program=programs() / "quaid",
    )
    assert refused.status == 2
    assert "--host" in refused.err


def test_two_eras_are_not_mixed(db: Path) -> None:
    server = Talk(db)
    try:
        assert "error" in server.ask("tools/list")
        server.greet()
        assert server.ask("tools/list")["result"]["tools"]
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
        assert "error" in server.ask("server/discover", _meta=meta)
        assert server.call("memory_get", slug="a")["version"] == 1
        assert server.end() == 0
    finally:
        server.stop()
