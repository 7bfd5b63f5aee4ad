"""A command that is ended ends the git and the ssh that it started."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kb.repositories import Repository, World
from tests.mcp.talking import talk
from tests.support import quick

PATIENCE = 60.0  # seconds after which a test gives up


class Line:
    """A pipe with a name, into which programs write and whose end says that all of them are gone."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._end, selectors.EVENT_READ)

    def read(self) -> bytes:
        """The next bytes; b"" when nobody holds the other end any longer."""
        assert self._selector.select(PATIENCE), "nobody wrote, and somebody still could"
        return os.read(self._end, 1000)

    def close(self) -> None:
        self._selector.close()
        os.close(self._end)


@pytest.fixture
def line(world: World, monkeypatch: pytest.MonkeyPatch) -> Line:
    """The person's ssh says that it began, and then it and a helper of its own stay for ever."""
    made = Line(world.place / "line")
    ssh = world.place / "slow-ssh"
    ssh.write_text(
        f"#!/bin/sh\nexec 9>{made.path}\nsleep 1000 >/dev/null 2>&1 &\n"
        "trap '' HUP PIPE\necho $$ >&9\nsleep 1000\n"
    )
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    monkeypatch.setenv("AI_KB_FETCH_TIMEOUT", "1000")
    yield made  # type: ignore[misc]
    made.close()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
@pytest.mark.parametrize("command", ["push", "sync", "doctor", "remember"])
def test_git_and_ssh_end_with_the_command(shared: Repository, line: Line, command: str, name: str) -> None:
    shared.remember("Walrus")
    shared.git("remote", "set-url", "origin", "ssh://git@nowhere.invalid/kb.git")
    before = shared.now()
    words = [command, *(("--title", "X", "--summary", "Y z.") if command == "remember" else ())]
    process = started(shared, *words)
    try:
        assert line.read()
        process.send_signal(getattr(signal, name))
        assert line.read() == b""
        assert process.wait(PATIENCE) == (130 if name == "SIGINT" else 128 + getattr(signal, name))
    finally:
        process.kill()
        process.wait()
    shared.untouched(before)
    shared.git("remote", "remove", "origin")
    shared.remember("Tusk")  # nothing is locked


def test_what_ignores_the_end_of_a_session_goes_on(shared: Repository, line: Line) -> None:
    """As `nohup` wants it."""
    shared.remember("Walrus")
    shared.git("remote", "set-url", "origin", "ssh://git@nowhere.invalid/kb.git")
    process = started(shared, "push", ignoring=True)
    try:
        assert line.read()
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        assert line.read() == b""
        assert process.wait(PATIENCE) == 128 + signal.SIGTERM
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("way", ["closed", "SIGTERM"])
def test_they_end_with_a_server_whose_client_is_gone(
    shared: Repository, line: Line, world: World, way: str
) -> None:
    memory = world.place / ".quaid" / "memory.db"
    assert quick("init", str(memory)).status == 0
    words = ("collection", "add", "kb", str(shared.root), "--profile", "kb")
    assert quick("--db", str(memory), *words).status == 0
    shared.git("remote", "set-url", "origin", "ssh://git@nowhere.invalid/kb.git")
    with talk(memory, "--tools", "kb", env=dict(os.environ)) as agent:
        agent.greet()
        node = {"title": "Otter", "summary": "It swims on its back."}
        asked = {"name": "kb_remember", "arguments": node}
        agent.send({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": asked})
        assert line.read()
        if way == "closed":
            agent.end()
        else:
            agent.process.send_signal(signal.SIGTERM)
        assert line.read() == b""


def started(repository: Repository, *words: str, ignoring: bool = False) -> subprocess.Popen[bytes]:
    """`ai-kb` as a process, whose ssh is the person's; it hears signals that its caller may ignore."""
    hearing = "signal.signal(signal.SIGINT, signal.default_int_handler)"
    hanging_up = f"signal.signal(signal.SIGHUP, signal.{'SIG_IGN' if ignoring else 'SIG_DFL'})"
    run = "from quaid.cli.ai_kb import main; sys.exit(main(sys.argv[1:]))"
    code = f"import signal, sys; {hearing}; {hanging_up}; {run}"
    return subprocess.Popen(
        [sys.executable, "-c", code, "--kb", str(repository.root), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
