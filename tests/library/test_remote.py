"""A server's memory is the same object: the same methods, records and errors."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

import quaid
from quaid.operations.kb.answer import Answer
from quaid.operations.put import Checked
from tests.library.served import TOKEN, Handler, Server, serving
from tests.support import PATIENCE


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "served.db") as found:
        yield found


@pytest.fixture
def remote(server: Server) -> Iterator[quaid.Memory]:
    with quaid.open(server.url, token=TOKEN) as memory:
        yield memory


CALLS: tuple[Callable[[quaid.Memory], Any], ...] = (
    lambda memory: memory.get("people/alice"),
    lambda memory: memory.get("people/alice", version=1),
    lambda memory: memory.list(type="person", limit=5),
    lambda memory: memory.search("mails"),
    lambda memory: memory.facts("people/alice", at=date(2026, 6, 1)),
    lambda memory: memory.links("people/alice"),
    lambda memory: memory.path("people/alice", "companies/river-ai"),
    lambda memory: memory.diff("people/alice", from_=1, to=2),
    lambda memory: memory.timeline("people/alice"),
    lambda memory: memory.tags(),
    lambda memory: memory.tags("people/alice"),
    lambda memory: memory.raw("people/alice", "crm"),
    lambda memory: memory.config_list(),
    lambda memory: memory.stats(),
)


def test_results_are_the_records_that_a_memory_here_gives(server: Server, remote: quaid.Memory) -> None:
    alice = "---\ntags: [founder]\nowner: Zoë\n---\n# Alice\n\nLikes mails. [[companies/river-ai]]\n"
    assert remote.put("people/alice", alice, expected_version=0).created
    remote.put("companies/river-ai", "# RiverAI\n")
    remote.timeline_add("people/alice", date=date(2026, 4, 14), summary="Met her", detail="At the stand.")
    remote.assert_("people/alice", "works_at", "RiverAI", valid_from=date(2026, 1, 1))
    remote.raw("people/alice", "crm", data={"id": 7, "names": ["Alice", None]})
    for call in CALLS:
        assert call(remote) == call(server.memory)
    checked = remote.put("people/alice", compiled_truth="Likes mails.", check_novelty=True)
    assert isinstance(checked, Checked)
    assert checked.novelty


def test_errors_come_back_as_what_they_are(remote: quaid.Memory) -> None:
    remote.put("people/alice", "# Alice\n")
    with pytest.raises(quaid.NotFound, match="no page 'alicia'") as missing:
        remote.get("alicia")
    assert missing.value.hint
    with pytest.raises(quaid.Conflict) as conflict:
        remote.put("people/alice", "# Other\n", expected_version=7)
    assert conflict.value.data["current_version"] == 1
    with pytest.raises(quaid.InvalidInput, match="unknown argument 'slg'"):
        remote.get(slg="people/alice")  # type: ignore[call-overload]


def test_a_connection_is_kept_and_each_thread_has_its_own(server: Server, remote: quaid.Memory) -> None:
    remote.put("a", "# A\n")
    for _ in range(5):
        remote.get("a")
    assert server.connections == 1
    together = Barrier(4)

    def ask() -> None:
        together.wait()
        assert remote.get("a").title == "A"

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.connections <= 5


def test_a_connection_that_the_server_closed_is_not_used_again(server: Server, remote: quaid.Memory) -> None:
    server.closes = True
    for number in range(3):
        assert remote.put(f"p-{number}", "# P\n").created
        assert server.closed.acquire(timeout=PATIENCE)
    assert server.connections == 3


def test_the_token_is_needed(server: Server) -> None:
    with quaid.open(server.url) as memory, pytest.raises(quaid.QuaidError, match="token is missing"):
        memory.stats()


@pytest.mark.parametrize(
    ("url", "options", "wrong"),
    [
        ("http://memory.example.org", {"token": TOKEN}, "plain HTTP"),
        ("http://192.168.1.4:8766", {}, "plain HTTP"),
        ("https://", {}, "no address"),
        ("https://me:secret@memory.example.org", {}, "no address"),
        ("https://memory.example.org:port", {}, "no address"),
        ("https://memory.example.org", {"token": "a\r\nb"}, "token"),
        ("https://memory.example.org", {"create": True}, "already"),
    ],
)
def test_an_address_that_would_give_something_away_is_refused(
    url: str, options: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(quaid.InvalidInput, match=wrong):
        quaid.open(url, **options)


def test_plain_http_beyond_this_machine_is_for_who_says_so() -> None:
    memory = quaid.open("http://memory.example.org/quaid/", token=TOKEN, insecure=True)
    assert repr(memory) == "<quaid.Memory http://memory.example.org/quaid>"


class Redirecting(Handler):
    def _answered(self, path: str, values: dict[str, Any]) -> tuple[int, Any]:
        return 302, b"elsewhere"


class Confused(Handler):
    def _answered(self, path: str, values: dict[str, Any]) -> tuple[int, Any]:
        return (200, {"surprise": 1}) if path == "/api/get" else (502, b"<h1>Bad gateway</h1>")


def test_no_redirect_is_followed(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "served.db", Redirecting) as server,
        quaid.open(server.url, token=TOKEN) as memory,
    ):
        with pytest.raises(quaid.Unreachable, match="status 302"):
            memory.get("a")
        assert len(server.requests) == 1


def test_what_is_no_quaid_is_said_to_be_none(tmp_path: Path) -> None:
    with serving(tmp_path / "served.db", Confused) as server, quaid.open(server.url, token=TOKEN) as memory:
        with pytest.raises(quaid.Unreachable, match="cannot be understood"):
            memory.get("a")
        with pytest.raises(quaid.Unreachable, match="status 502"):
            memory.put("a", "# A\n")


def test_a_server_that_is_not_there_or_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"http://127.0.0.1:{mute.getsockname()[1]}"
        with (
            quaid.open(url, timeout=0.05) as memory,
            pytest.raises(quaid.Unreachable, match=r"0\.05 s") as late,
        ):
            memory.put("a", "# A\n")
        assert "Whether it was done is not known" in late.value.hint
    with quaid.open(url) as memory, pytest.raises(quaid.Unreachable, match="refused"):
        memory.get("a")


def test_a_closed_one_answers_no_more(server: Server, remote: quaid.Memory) -> None:
    remote.stats()
    remote.close()
    with pytest.raises(quaid.InvalidInput, match="the memory is closed"):
        remote.stats()
    assert len(server.requests) == 1


def test_the_program_names_itself(server: Server) -> None:
    with quaid.open(server.url, token=TOKEN, actor="bücher wurm", session="night") as memory:
        memory.stats()
    ((_, _, headers),) = server.requests
    assert headers["User-Agent"].startswith("b%C3%BCcher%20wurm quaid/")
    assert headers["Quaid-Session"] == "night"


def test_notices_come_with_the_answer(server: Server, remote: quaid.Memory, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"# A\n\n\x81\x8d in no encoding \xff\xfe\n")
    remote.put("a", tmp_path / "a.md")
    remote.get("a")
    assert remote.notices == server.memory_notices[-1]
    assert "encoding" in remote.notices[0]


def test_a_knowledge_base_answers_with_its_facts(tmp_path: Path) -> None:
    class Knowing(Handler):
        def _answered(self, path: str, values: dict[str, Any]) -> tuple[int, Any]:
            return 200, {"path": path, "given": json.dumps(values)}

    with serving(tmp_path / "served.db", Knowing) as server, quaid.open(server.url) as memory:
        found = memory.kb_remember(title="Deploys", tags=("release",))
    assert found == Answer({"path": "/api/kb/remember", "given": '{"title": "Deploys", "tags": ["release"]}'})
