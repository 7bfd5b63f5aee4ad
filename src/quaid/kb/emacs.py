"""Emacs, where it is installed: a second opinion on org files, and told when files have changed.

It sees less than the checks of this package, but it is what reads the files in the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from quaid.kb.findings import Finding
from quaid.trust import trust_command

GATING = ("incomplete-drawer", "obsolete-properties-drawer", "invalid-block")
TIMEOUT = 120.0  # seconds for one run
_AT_ONCE = 500  # files of one run
PATIENCE = 2  # seconds; an editor that asks its person something does not hold up a sync


def second_opinion(root: Path, paths: Sequence[str], *, trusted: bool) -> Iterator[Finding]:
    """What org-lint says of some files; only broken drawers and blocks are fatal.

    In some versions of Emacs, a file runs a program by being opened as org: a stranger's are not shown to it.
    """
    from shutil import which  # slow to load, and seldom needed

    if not trusted:
        yield _notice(f"Emacs was not asked: org files can run programs in it; {trust_command(root)}")
        return
    emacs = which("emacs")
    if emacs is None:
        yield _notice("Emacs is not installed, so that org-lint was not asked")
        return
    for start in range(0, len(paths), _AT_ONCE):
        yield from _run(emacs, root, paths[start : start + _AT_ONCE])


def _run(emacs: str, root: Path, paths: Sequence[str]) -> Iterator[Finding]:
    import subprocess  # slow to load, and seldom needed

    there = [path for path in paths if (root / path).is_file()]
    if not there:
        return
    script = Path(__file__).with_name("org_lint.el").read_text(encoding="utf-8")
    command = [emacs, "--batch", "-Q", "--eval", script, *(f"./{path}" for path in there)]
    try:
        done = subprocess.run(
            command, cwd=root, capture_output=True, timeout=TIMEOUT, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        yield _notice(f"Emacs did not answer: {type(error).__name__}")
        return
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        yield _notice(f"org-lint failed: {said[-1][:200] if said else done.returncode}")
    for line in done.stdout.decode(errors="replace").splitlines():
        parts = line.split("\t")
        if len(parts) == 4:
            path, number, checker, message = parts
            severe = checker in GATING
            yield Finding(
                path.removeprefix("./"),
                int(number) if number.isdigit() else 0,
                "org-lint",
                "fatal" if severe else "warning",
                f"{checker}: {message}",
            )


def _notice(message: str) -> Finding:
    return Finding(".", 0, "org-lint", "warning", message, "The other checks do not need it.")


def poke(root: Path, environment: Mapping[str, str]) -> bool:
    """Tell the Emacs server, if one runs and has our package; none is ever started."""
    import subprocess  # slow to load, and seldom needed
    from shutil import which

    client = which("emacsclient", path=environment.get("PATH"))
    if client is None:
        return False
    # Lisp reads a string as JSON writes it, but for \u, which only stands where ASCII is asked for.
    place = json.dumps(str(root), ensure_ascii=False)
    call = f"(and (fboundp 'ai-kb-files-changed) (ai-kb-files-changed {place}) t)"
    try:
        done = subprocess.run(
            [client, "--eval", call],
            capture_output=True,
            timeout=PATIENCE,
            env={**environment, "ALTERNATE_EDITOR": "false"},
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout.strip() == b"t"
