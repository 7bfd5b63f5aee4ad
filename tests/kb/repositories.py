"""Real git repositories for tests: a knowledge base, a bare remote, a second clone."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

from quaid.cli.ai_kb import main
from quaid.trust import Trust
from tests.support import Ran

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def run(*words: str, input: str | bytes = b"") -> Ran:
    """Run `ai-kb` within this process, with its streams caught."""
    data = input.encode() if isinstance(input, str) else input
    streams = [io.TextIOWrapper(io.BytesIO(data)), *(io.TextIOWrapper(io.BytesIO()) for _ in range(2))]
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        status = main(list(words))
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    for stream in streams[1:]:
        stream.flush()
    out, err = (stream.buffer.getvalue() for stream in streams[1:])  # type: ignore[attr-defined]
    return Ran(status, out, err.decode())


def git(root: Path, *words: str, check: bool = True) -> str:
    """What git prints."""
    done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout.strip()


class Repository:
    """A knowledge base as a person or an agent uses it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *words: str, input: str | bytes = b"") -> Ran:
        return run("--kb", str(self.root), *words, input=input)

    def ok(self, *words: str, input: str | bytes = b"") -> Ran:
        ran = self.run(*words, input=input)
        assert ran.status == 0, ran.err or ran.out
        return ran

    def git(self, *words: str, check: bool = True) -> str:
        return git(self.root, *words, check=check)

    def remember(self, title: str, summary: str = "", *words: str, body: str = "") -> str:
        """Remember something that must be accepted; the answer is its ID."""
        told = summary or f"All that is known about {title.lower()}."
        done = self.ok("remember", "--title", title, "--summary", told, *words, "--json", input=body)
        return str(done.json["id"])

    def node(self, id: str) -> Path:
        """The file of a node."""
        return self.root / str(self.ok("show", id, "--json").json["path"])

    def text(self, id: str) -> str:
        return self.node(id).read_text()

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    @property
    def changes(self) -> str:
        return self.git("status", "--porcelain", "--untracked-files=all")

    def subjects(self, *span: str) -> list[str]:
        return self.git("log", "--format=%s", *span).splitlines()

    def files(self) -> dict[str, bytes]:
        """Every file of the working tree; the memory in it is derived from the others."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not {".git", ".quaid"} & {*path.relative_to(self.root).parts}
        }

    def untouched(self, before: tuple[str, dict[str, bytes]]) -> None:
        """Nothing is other than it was: no commit, no file, nothing staged, no journal."""
        assert (self.head, self.files()) == before
        assert self.git("diff", "--cached", "--name-only") == ""
        assert not (self.root / ".git" / "ai-kb-journal.json").exists()
        assert not list((self.root / ".git").glob("ai-kb-new-*"))

    def now(self) -> tuple[str, dict[str, bytes]]:
        return self.head, self.files()


class World:
    """Where repositories lie."""

    def __init__(self, place: Path) -> None:
        self.place = place

    @property
    def bare(self) -> Path:
        return self.place / "remote.git"

    def made(self, name: str, *words: str) -> Repository:
        ran = run("init", str(self.place / name), "--offline", *words)
        assert ran.status == 0, ran.err or ran.out
        return Repository(self.place / name)

    def shared(self, name: str) -> Repository:
        """The first machine, whose knowledge base has been pushed."""
        subprocess.run(["git", "init", "--quiet", "--bare", "-b", "main", self.bare], check=True)
        made = self.made(name, "--remote", str(self.bare))
        made.ok("push")
        return made

    def copied(self, model: Repository, name: str) -> Repository:
        """A knowledge base like one that was made before, and trusted as if it were made here."""
        place = self.place / name
        shutil.copytree(model.root, place, symlinks=True)
        Trust(Path.home()).accept(place)
        return Repository(place)

    def copied_with_remote(self, model: World, name: str) -> Repository:
        """The same, of one that has been pushed, with its remote."""
        shutil.copytree(model.bare, self.bare)
        copy = self.copied(Repository(model.place / name), name)
        config = copy.root / ".git" / "config"
        config.write_text(config.read_text().replace(str(model.bare), str(self.bare)))
        return copy

    def clone(self, name: str) -> Repository:
        """Another machine."""
        return self.made(name, "--remote", str(self.bare))

    def refuse_pushes(self, reason: str) -> None:
        """A hook of the server that rejects everything."""
        hook = self.bare / "hooks" / "pre-receive"
        hook.write_text(f"#!/bin/sh\necho '{reason}' >&2\nexit 1\n")
        hook.chmod(0o755)
