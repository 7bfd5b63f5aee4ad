"""Commands that make a knowledge base and keep it in step with its remote."""

from __future__ import annotations

import os
from collections.abc import Sequence

from quaid.cli import kb_memory
from quaid.cli.kb_line import Line
from quaid.cli.kb_shell import Shell
from quaid.cli.kb_write import kb_of
from quaid.errors import FINDINGS_STATUS, GitFailed, InvalidInput
from quaid.kb import doctor as examining
from quaid.kb import init as making
from quaid.kb import push as pushing
from quaid.kb.doctor import Check
from quaid.kb.protocol import listed
from quaid.kb.repository import Kb


def init(shell: Shell, line: Line) -> int:
    """Make a knowledge base, or complete one."""
    stated = line.text("path")
    if stated and line.text("kb"):
        raise InvalidInput("a path and --kb are the same thing", hint="Give one of them.")
    if stated:
        shell = Shell(**{**shell.__dict__, "place": os.path.abspath(os.path.expanduser(stated))})
    kb = kb_of(shell)
    done = making.init(
        kb,
        remote=line.text("remote") or "",
        timer=line.has("timer"),
        agents=_agents(kb, line),
        agents_file=line.text("agents-file") or "",
    )
    attached, memory = ("", None) if line.has("no-attach") else kb_memory.attach(shell, line)
    checks = [*examining.doctor(kb, offline=line.has("offline")), *([memory] if memory else [])]
    for notice in done.notices:
        shell.notify(notice)
    said = {
        "made": f"Made a knowledge base: {kb.root}",
        "cloned": f"Cloned a knowledge base: {kb.root}",
        "known": f"{kb.root} is a knowledge base already",
    }[done.origin]
    lines = [said]
    lines += [f"wrote {listed(done.files)}"] if done.files else ["nothing was missing"]
    lines += [attached] if attached else []
    lines += [f"told agents in {path}" for path in done.adapters]
    if done.timer:
        lines.append("timer: runs" if done.timer.enabled else f"timer: written. {done.timer.hint}")
    text = "\n".join([*lines, "", checks_text(checks)])
    shell.answer(
        text, {**done.as_data(), "attached": attached, "checks": [dict(each.__dict__) for each in checks]}
    )
    return _status(checks)


def _agents(kb: Kb, line: Line) -> Sequence[str]:
    """The agents that are told: those that were named, else those that are here."""
    if line.has("no-adapter"):
        return []
    return line.many("adapter") or making.agents_here(kb)


def doctor(shell: Shell, line: Line) -> int:
    """Look at everything."""
    checks = examining.doctor(kb_of(shell), offline=line.has("offline"))
    if all(each.grade != "problem" or each.name not in ("git", "repository") for each in checks):
        checks.append(kb_memory.memory_check(shell, line))
    worst = "problem" if _status(checks) else "ok"
    shell.answer(checks_text(checks), {"state": worst, "checks": [dict(each.__dict__) for each in checks]})
    return _status(checks)


def checks_text(checks: list[Check]) -> str:
    """What was looked at, line by line."""
    lines = []
    for each in checks:
        lines.append(f"{each.grade:8}{each.name}: {each.message}")
        if each.hint and each.grade != "ok":
            lines.append(f"{'':8}{each.hint}")
    return "\n".join(lines)


def _status(checks: list[Check]) -> int:
    return FINDINGS_STATUS if any(each.grade == "problem" for each in checks) else 0


def push(shell: Shell, line: Line) -> int:
    """Push what is committed."""
    if line.has("if-ahead"):
        done = pushing.quietly(kb_of(shell))
        shell.answer(done.message, done.__dict__)
        return 0
    done = pushing.push(kb_of(shell))
    shell.answer(done.message, done.__dict__)
    if done.outcome == "diverged":
        shell.notify("the commits stay here; `ai-kb resolve-divergence` brings both sides together")
    return GitFailed.exit_status if done.failed else 0


def sync(shell: Shell, line: Line) -> int:
    """Fetch, follow, and refresh the memory to which this is attached."""
    done = pushing.sync(kb_of(shell))
    refreshed = kb_memory.refresh(shell, line)
    said = done.message + ("; the memory is refreshed" if refreshed else "")
    shell.answer(said, {**done.__dict__, "memory": bool(refreshed)})
    return 0
