"""The making of a knowledge base, and its health, looked at from all sides."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Literal

from quaid.errors import FINDINGS_STATUS, InvalidInput
from quaid.kb import doctor as examining
from quaid.kb import init as making
from quaid.model.check import Check
from quaid.model.record import record
from quaid.operations.kb.answer import KB, OFFLINE, Answer, kb_command
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.memory import attach, memory_check
from quaid.operations.operation import arg
from quaid.sync.repository import path_list


@record
class Doctor:
    """Arguments of `kb doctor`."""

    offline: bool = OFFLINE
    kb: str | None = KB


def doctor(app: KbApp, args: Doctor) -> Answer:
    """Look at everything: git, remote, pushes, index, nodes, secrets, sizes, tools.

    Status 11: a problem.
    """
    checks = examining.doctor(app.kb, offline=args.offline)
    if all(each.grade != "problem" or each.name not in ("git", "repository") for each in checks):
        checks.append(memory_check(app))
    status = status_of(checks)
    data = {"state": "problem" if status else "ok", "checks": checks}
    return Answer(data, text_of(checks), status=status)


def text_of(checks: Sequence[Check]) -> str:
    """What was looked at, line by line."""
    lines = []
    for each in checks:
        lines.append(f"{each.grade:8}{each.name}: {each.message}")
        if each.hint and each.grade != "ok":
            lines.append(f"{'':8}{each.hint}")
    return "\n".join(lines)


def status_of(checks: Sequence[Check]) -> int:
    """The exit status: whether there is a problem."""
    return FINDINGS_STATUS if any(each.grade == "problem" for each in checks) else 0


KB_DOCTOR = kb_command("kb doctor", doctor, "kb doctor", "kb doctor --offline --json", effect="read")


@record
class Init:
    """Arguments of `kb init`."""

    path: str | None = arg(
        "Where; otherwise --kb, AI_KB or the usual place.", default=None, positional=True, completes="file"
    )
    remote: str = arg("The private repository to clone or to push to.", default="", placeholder="ADDRESS")
    timer: bool = arg("Sync every 15 minutes by systemd or launchd.", default=False)
    adapter: list[Literal["claude", "codex"]] | None = arg(
        "Tell only this agent; without it, every agent that is installed here; may be repeated.",
        default=None,
        many=True,
    )
    no_adapter: bool = arg("Tell no agent.", default=False)
    agents_file: str = arg("Tell agents about it in this AGENTS.md.", default="", placeholder="FILE")
    no_attach: bool = arg("Do not attach it to your Quaid memory.", default=False)
    offline: bool = OFFLINE
    kb: str | None = KB


def init(app: KbApp, args: Init) -> Answer:
    """Make a knowledge base, or complete one: git repository or clone, contract, index.

    Claude Code and Codex are told of it if they are here, and it is attached to your Quaid memory if there
    is one. A second run changes nothing. Ends with what doctor says.
    """
    if args.path and args.kb:
        raise InvalidInput("a path and --kb are the same thing", hint="Give one of them.")
    with closing(app.at(args.path or args.kb)) as chosen:
        return _init(chosen, args)


def _init(app: KbApp, args: Init) -> Answer:
    agents = args.adapter or making.agents_here(app.kb)
    done = making.init(
        app.kb,
        remote=args.remote,
        timer=args.timer,
        agents=() if args.no_adapter else agents,
        agents_file=args.agents_file,
    )
    attached, memory = ("", None) if args.no_attach else attach(app)
    checks = [*examining.doctor(app.kb, offline=args.offline), *([memory] if memory else [])]
    lines = [
        {
            "made": f"Made a knowledge base: {app.root}",
            "cloned": f"Cloned a knowledge base: {app.root}",
            "known": f"{app.root} is a knowledge base already",
        }[done.origin]
    ]
    lines += [f"wrote {path_list(done.files)}"] if done.files else ["nothing was missing"]
    lines += [attached] if attached else []
    lines += [f"told agents in {path}" for path in done.adapters]
    if done.timer:
        lines.append("timer: runs" if done.timer.enabled else f"timer: written. {done.timer.hint}")
    data = {**done.__dict__, "attached": attached, "checks": checks}
    return Answer(data, "\n".join([*lines, "", text_of(checks)]), done.notices, status_of(checks))


KB_INIT = kb_command("kb init", init, "kb init", "kb init --remote git@git.example.org:ai-kb.git --timer")
