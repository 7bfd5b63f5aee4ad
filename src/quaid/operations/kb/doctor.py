"""The health of a knowledge base, looked at from all sides."""

from __future__ import annotations

from collections.abc import Sequence

from quaid.errors import FINDINGS_STATUS
from quaid.kb import doctor as examining
from quaid.model.check import Check
from quaid.model.record import record
from quaid.operations.kb.answer import KB, OFFLINE, Answer, kb_command
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.memory import memory_check


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
