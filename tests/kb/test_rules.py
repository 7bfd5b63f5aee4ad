"""The rules that `init` writes for agents: every command in them runs, against the right knowledge base."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kb.repositories import Repository, World
from tests.support import PATIENCE, PROGRAM

_FENCE = re.compile(r"(?ms)^```sh\n(.*?)^```|^#\+begin_src sh\n(.*?)^#\+end_src")
_INLINE = re.compile(r"`((?:ai-kb|grep) [^`]+)`|=(ai-kb [a-z][^=]+)=")


def commands(text: str) -> list[str]:
    """The commands of a text, each on one line."""
    blocks = [one or other for one, other in _FENCE.findall(text)]
    heredoc = [re.sub(r"(?ms) <<'TEXT'\n.*?^TEXT$", " --body TEXT", block) for block in blocks]
    lines = [line for block in heredoc for line in block.replace("\\\n", " ").splitlines()]
    inline = [one or other for one, other in _INLINE.findall(_FENCE.sub("", text))]
    found = [line.partition("  # ")[0].strip() for line in (*lines, *inline)]
    return [line for line in found if line.startswith(("ai-kb ", "grep "))]


@pytest.fixture
def installed(world: World, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A knowledge base at a place of its own, attached to a memory, of which an agent was told."""
    (world.place / ".claude").mkdir()
    subprocess.run(
        [PROGRAM, "init", str(world.place / ".quaid" / "memory.db")], check=True, capture_output=True
    )
    kb = world.made("my knowledge")
    monkeypatch.setenv("QUAID_DB", str(world.place / ".quaid" / "memory.db"))
    kb.ok("init", "--offline", "--adapter", "claude")
    return kb


def test_every_command_of_the_rules_runs(installed: Repository, world: World) -> None:
    kb = installed
    rules = (world.place / ".claude" / "rules" / "ai-kb.md").read_text()
    contract = (kb.root / "AGENT_CONTRACT.org").read_text()
    programs = world.place / "bin"
    programs.mkdir()
    (programs / "ai-kb").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m quaid.cli.ai_kb "$@"\n')
    (programs / "ai-kb").chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "AI_KB": str(kb.root)}
    del environment["AI_KB_CREATED_BY"]
    ran = [*commands(rules), *commands(contract)]
    verbs = {word for line in ran for word in line.split()}
    assert {"query", "--semantic", "show", "remember", "--contest", "--update", "grep", "backlinks"} <= verbs
    for number, line in enumerate(ran):
        known = kb.remember(f"Thing {number}", f"All about the {_NAMES[number]}.", "--force-new")
        kb.remember(f"Link {number}", "It leads there.", "--force-new", body=f"[[id:{known}][Thing]]")
        words = {"WORDS": "Thing", "ID": known, "TITLE": f"'Title {number}'", "TEXT": "'Some text.'"}
        words |= {"SENTENCE": f"'Mount {_NAMES[number][::-1]} is steep.'", "ADDRESS": "https://example.org"}
        filled = re.sub(
            r"\b(WORDS|ID|TITLE|TEXT|SENTENCE|ADDRESS)\b(?!:)",
            lambda match, words=words: words[match[1]],
            line,
        )
        filled = re.sub(
            r"\b([\w-]+)(?:\|[\w-]+)+", r"\1", filled.replace("…", f"Lake {_NAMES[number][::-1]}")
        )
        done = subprocess.run(
            ["sh", "-c", filled],
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        if "resolve" in line:  # it is there, and it is the person's
            assert "for a person to decide" in done.stderr
            continue
        assert done.returncode == 0, (filled, done.stdout, done.stderr)
    assert not kb.changes


def test_the_rules_name_their_knowledge_base(installed: Repository, world: World) -> None:
    rules = (world.place / ".claude" / "rules" / "ai-kb.md").read_text()
    called = [line for line in commands(rules) if line.startswith("ai-kb")]
    assert called
    assert all(f"--kb '{installed.root}'" in line for line in called)
    assert str(Path(installed.root)) in rules


_NAMES = """alder birch cedar elm fir hazel juniper larch maple oak pine rowan spruce walnut willow yew acacia
aspen beech cypress""".split()  # noqa: SIM905
