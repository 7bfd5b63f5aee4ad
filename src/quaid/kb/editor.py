"""A running Emacs is told that files have changed: it may have them open."""

from __future__ import annotations

import json
import shutil
import subprocess

from quaid.kb.repository import Kb

PATIENCE = 2  # seconds; an editor that asks its person something does not hold up a sync


def poke(kb: Kb) -> bool:
    """Tell the Emacs server, if one runs and has our package; none is ever started."""
    client = shutil.which("emacsclient", path=kb.environment.get("PATH"))
    if client is None:
        return False
    # Lisp reads a string as JSON writes it, but for \u, which only stands where ASCII is asked for.
    place = json.dumps(str(kb.root), ensure_ascii=False)
    call = f"(and (fboundp 'ai-kb-files-changed) (ai-kb-files-changed {place}) t)"
    try:
        done = subprocess.run(
            [client, "--eval", call],
            capture_output=True,
            timeout=PATIENCE,
            env={**kb.environment, "ALTERNATE_EDITOR": "false"},
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout.strip() == b"t"
