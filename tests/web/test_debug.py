"""The addresses for tests and developers: there with --debug alone, behind the same gate, and confined."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.dashboard.serving import Dashboard, running
from tests.support import quick

ADDRESSES = (
    ("GET", "memory/status"),
    ("GET", "memory/search?q=tea"),
    ("GET", "memory/files"),
    ("POST", "memory/rebuild"),
    ("GET", "notebook/pages"),
    ("GET", "notebook/lists/shopping.md"),
    ("POST", "notebook/lists/new.md"),
    ("DELETE", "notebook/lists/shopping.md"),
    ("POST", "memory/simulate-compaction"),
    ("POST", "brain/inject-turn"),
)
OUTSIDE = (
    "../secret.md",
    "..%2fsecret.md",
    "lists/..%2f..%2fsecret.md",
    "%2e%2e/secret.md",
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "linked.md",
    "away/secret.md",
    ".quaid/memory.db",
    ".quaid/config.toml",
    "a%00.md",
)


class Debugged:
    """A dashboard with --debug, asked as the person."""

    def __init__(self, dashboard: Dashboard) -> None:
        self.server = dashboard.server
        self._headers = dashboard.person

    def get(self, path: str) -> dict:  # type: ignore[type-arg]
        answered = self.server.get(f"/api/debug/{path}", **self._headers)
        assert answered.status == 200, answered.body
        return dict(answered.json)

    def send(self, method: str, path: str, **values: object) -> tuple[int, dict]:  # type: ignore[type-arg]
        address = f"/api/debug/{path}"
        if method == "POST":
            answered = self.server.post(address, self._headers, **values)
        else:
            answered = self.server.send(method, address, **self._headers)
        return answered.status, dict(answered.json)


@pytest.fixture(scope="module")
def debugged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debugged]:
    folder = tmp_path_factory.mktemp("debug") / "diary"
    quick("init", str(folder), "--profile", "notebook")
    db = folder / ".quaid" / "memory.db"
    quick("remember", "buy oat milk", db=db)
    quick("remember", "The fuse box is behind the coat rack.", db=db)
    (folder.parent / "secret.md").write_text("secret", encoding="utf-8")
    (folder / "linked.md").symlink_to(folder.parent / "secret.md")
    (folder / "away").symlink_to(folder.parent)
    with running(db, debug=True) as dashboard:
        yield Debugged(dashboard)


def test_without_debug_there_is_nothing(tmp_path: Path) -> None:
    quick("init", str(tmp_path / "diary"), "--profile", "notebook")
    with running(tmp_path / "diary" / ".quaid" / "memory.db") as dashboard:
        plain = Debugged(dashboard)
        for method, path in ADDRESSES:
            assert plain.send(method, path)[0] == 404, path


def test_the_gate_stands_before_it(debugged: Debugged) -> None:
    for method, path in ADDRESSES:
        address = f"/api/debug/{path}"
        assert debugged.server.send(method, address, Authorization="Bearer guess").status == 401, path
        foreign = debugged.server.send(method, address, Origin="https://evil.example.org")
        assert foreign.status == 403, path
    assert debugged.server.post("/api/debug/memory/rebuild").status == 403  # with a token that agents have


def test_the_index_is_looked_into(debugged: Debugged) -> None:
    status = debugged.get("memory/status")
    files = debugged.get("memory/files")
    assert status["files"] == files["total"] == len(files["files"]) > 3
    assert status["chunks"] > 0
    assert status["last_sync"]
    shopping = next(each for each in files["files"] if each["path"] == "lists/shopping.md")
    assert len(shopping["hash"]) == 64
    assert debugged.get("memory/files?limit=1&offset=1")["files"] == files["files"][1:2]
    found = debugged.get("memory/search?q=oat%20milk")
    assert found["words"][0]["slug"] == "lists/shopping"
    assert found["words"][0]["score"] > 0
    assert found["query"]["results"]
    assert debugged.send("POST", "memory/rebuild") == (200, debugged.send("POST", "memory/rebuild")[1])
    assert debugged.send("GET", "memory/files?limit=x")[0] == 400


def test_pages_are_set_up_and_taken_down(debugged: Debugged) -> None:
    status, made = debugged.send(
        "POST", "notebook/lists/test.md", content="# Test\n\n- one\n", replace=True, etag=""
    )
    assert status == 200
    assert "lists/test.md" in str(debugged.get("notebook/pages"))
    page = debugged.get("notebook/lists/test.md")
    assert page["content"] == "# Test\n\n- one\n"
    stale, _ = debugged.send("POST", "notebook/lists/test.md", content="# No\n", replace=True, etag="old")
    assert stale == 409
    assert debugged.send("POST", "notebook/lists/test.md", content="- two\n")[0] == 200
    assert "- one\n- two" in debugged.get("notebook/lists/test.md")["content"]
    assert debugged.send("DELETE", "notebook/lists/test.md")[0] == 200
    assert debugged.send("GET", "notebook/lists/test.md")[0] == 404
    assert made["created"]


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leads_out_of_the_notebook(debugged: Debugged, path: str) -> None:
    for method, values in (("GET", {}), ("POST", {"content": "x"}), ("DELETE", {})):
        status, said = debugged.send(method, f"notebook/{path}", **values)
        assert status in (400, 403, 404), (method, said)
        assert "secret" not in str(said.get("content", ""))
    folder = debugged.server.db.parent.parent
    assert (folder.parent / "secret.md").read_text(encoding="utf-8") == "secret"


def test_a_turn_is_run_through_the_hooks_and_starts_nothing(debugged: Debugged) -> None:
    status, said = debugged.send("POST", "brain/inject-turn", prompt="Where is the fuse box?")
    assert status == 200
    calls = {each["event"]: each for each in said["calls"]}
    assert list(calls) == ["session-start", "prompt", "stop"]
    assert "Notebook" in calls["session-start"]["context"]
    assert "coat rack" in calls["prompt"]["context"]
    again = debugged.send("POST", "brain/inject-turn", prompt="Where is the fuse box?", events=["prompt"])[1]
    assert again["calls"][0]["context"] == "", "what was shown is not shown again"
    other = {"prompt": "Where is the fuse box?", "session_id": "b", "events": ["prompt"]}
    assert "coat rack" in debugged.send("POST", "brain/inject-turn", **other)[1]["calls"][0]["context"]
    assert debugged.send("POST", "brain/inject-turn", events=["rm -rf"])[0] == 400
    assert debugged.send("POST", "brain/inject-turn", prompt=["x"])[0] == 400


def test_a_compaction_is_simulated(debugged: Debugged) -> None:
    words = ["word " * 200] * 10
    status, said = debugged.send("POST", "memory/simulate-compaction", messages=words, window_tokens=1_000)
    assert status == 200
    assert said["message"].startswith("This conversation is close")
    assert said["when"]["fired"][0]["message"] == 4
    assert "Notebook" in said["after"]["context"]
    assert debugged.send("POST", "memory/simulate-compaction", window_tokens="x")[0] == 400
