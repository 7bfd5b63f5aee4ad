"""A system without what Unix alone has: every module loads there, and a memory works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support import PATIENCE, environment

# What Python has on Unix alone. Libraries of others are loaded before: they know Windows by themselves.
ELSEWHERE = """
import os, pkgutil, select, signal, socket, sys
from importlib import import_module

import subprocess, tempfile
import anyio, apsw, numpy, starlette.applications, uvicorn, mcp.server.stdio, httpx2, yaml

for name in ("fcntl", "pwd", "grp", "resource", "termios", "tty", "pty", "syslog"):
    sys.modules[name] = None
for name in ("geteuid", "getuid", "getegid", "getgid", "fork", "killpg", "setsid", "uname", "pread", "pwrite",
             "chown", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_DIRECTORY", "pidfd_open", "mkfifo"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGCHLD", "SIGPIPE", "pthread_sigmask", "setitimer"):
    if hasattr(signal, name):
        delattr(signal, name)
for module, name in ((socket, "AF_UNIX"), (select, "poll"), (select, "epoll")):
    delattr(module, name)
"""
IMPORTING = """
import quaid
for found in pkgutil.walk_packages(quaid.__path__, "quaid."):
    if not found.name.endswith(("__main__", "fastembed", "langchain", "llamaindex")):
        import_module(found.name)
print("all")
"""
WORKING = """
from pathlib import Path
from quaid.cli.main import main

folder = Path(sys.argv[1])
(folder / "notes").mkdir()
(folder / "notes" / "old.md").write_text("# Old\\n\\nwalrus\\n")
(folder / "given.txt").write_text("# New")
for words in (["init", "m.db"], ["collection", "add", "notes", "notes"],
              ["put", "notes::new", "--content", "given.txt"], ["search", "walrus"], ["list"],
              ["validate", "--all"], ["rescue", "saved"], ["version"]):
    status = main(["--db", "m.db", *words] if words[0] != "init" else words)
    assert status == 0, words
"""


def elsewhere(script: str, place: Path) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", ELSEWHERE + script, str(place)],
        cwd=place,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_every_module_loads_without_what_unix_alone_has(tmp_path: Path) -> None:
    assert elsewhere(IMPORTING, tmp_path).strip() == "all"


def test_a_memory_works_there_and_says_what_is_missing(tmp_path: Path) -> None:
    out = elsewhere(WORKING, tmp_path)
    assert (tmp_path / "notes" / "new.md").read_text() == "# New"
    assert "This system lacks:" in out
    assert "locks between processes" in out
