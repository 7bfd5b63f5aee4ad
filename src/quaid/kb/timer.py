"""The timer that syncs in the background: a systemd user timer, or a launch agent on macOS."""

from __future__ import annotations

import sys
from functools import partial
from hashlib import sha256

from quaid.kb.place import chosen_root
from quaid.kb.repository import Kb
from quaid.model.check import Check
from quaid.supervisor import Job, ask, program, systemctl

_BACKGROUND = "--background"
_IDLE = ("inactive", "failed", "unknown")  # as systemd says it
_UNLOADED = "Could not find service"  # and launchd


_fault = partial(Check, "timer", "warning")


def name_of(kb: Kb) -> str:
    """The timer's name: plain for the usual knowledge base, with a mark for another."""
    usual = chosen_root(None, {**kb.environment, "AI_KB": ""}, str(kb.home))
    if str(kb.root) == usual:
        return "ai-kb-push"
    return f"ai-kb-push-{sha256(str(kb.root).encode()).hexdigest()[:8]}"


def job_of(kb: Kb) -> Job:
    """What syncs a knowledge base."""
    words = [*program("ai-kb", "quaid.cli.ai_kb"), "--kb", str(kb.root), "sync", _BACKGROUND]
    return Job(name_of(kb), f"Sync the knowledge base in {kb.root}", words, kb.environment, kb.home)


def fault(kb: Kb, platform: str = sys.platform) -> Check | None:
    """What is wrong with the timer, or that nobody could be asked; None if it runs."""
    name = name_of(kb)
    on_mac = platform == "darwin"
    file = job_of(kb).file(platform)
    file = file if on_mac else file.with_suffix(".service")
    if not file.is_file():
        return _fault("no timer syncs in the background", "`ai-kb init --timer` installs one.")
    if _BACKGROUND not in file.read_text("utf-8", "replace"):
        return _fault("the timer is an old one, which never fetches", "`ai-kb init --timer` writes it anew.")
    said = ask("launchctl", "list", name) if on_mac else systemctl("is-active", f"{name}.timer")
    if said.out in _IDLE or _UNLOADED in said.error:
        start = f"launchctl load -w {file}" if on_mac else f"systemctl --user enable --now {name}.timer"
        return _fault("the timer that syncs does not run", start)
    if said.out:
        return None
    why = said.error.splitlines()[0] if said.error else "no answer"
    return _fault(
        f"whether the timer runs could not be asked: {why}",
        "Where neither systemd nor launchd runs for you, let something else call `ai-kb sync --background`.",
    )
