"""Documents whose commands are run: every ```console block is a transcript.

    $ quaid put notes/tea <<'EOF'       a command; here documents and `> ` continuation lines belong to it
    # Tea
    EOF
    notes/tea is at version [..]        `[..]` matches anything within a line
    ...                                 `...` matches any number of lines
    [exit 3]                            the last line, if and only if the command fails

All blocks of one document run in order in one directory; standard error is part of the output. A block
that cannot run says why, in the line before it: <!-- norun: needs a network -->.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

TIMEOUT = 600
INSTALLED = Path(sys.executable).parent

_FENCE = re.compile(r"( *)(`{3,}(?=[^`]*$)|~{3,}) *(.*)")
_HEREDOC = re.compile(r"(?<!<)<<-?\s*(['\"]?)(\w+)\1")
_EXIT = re.compile(r"\[exit \d+\]")
_LOOKS_LIKE_MARKUP = re.compile(r"\$ |\s*```|\s*~~~|\[exit \d+\]$")

Run = Callable[[str], tuple[list[str], int]]
"""Runs a script; gives the lines of its output and its exit status."""


class TranscriptError(Exception):
    """A block that is not written as a transcript."""


@dataclass(frozen=True)
class Command:
    """A script, and where in the document the output that it should have stands."""

    script: str
    start: int
    stop: int
    indent: str


def commands(lines: list[str]) -> Iterator[Command]:
    """The commands of all ```console blocks that are to be run."""
    for info, indent, start, stop in _fenced(lines):
        if info.split(" ")[0] != "console":
            continue
        if info != "console":
            raise TranscriptError(f"line {start}: nothing stands behind ```console")
        before = lines[start - 2].strip() if start > 1 else ""
        if before.startswith("<!-- norun"):
            if not re.fullmatch(r"<!-- norun: \S.* -->", before):
                raise TranscriptError(f"line {start - 1}: write <!-- norun: and the reason -->")
            continue
        yield from _commands_of_block(lines, indent, start, stop)


def _fenced(lines: list[str]) -> Iterator[tuple[str, str, int, int]]:
    """Fenced blocks: info string, indentation, index of the first line and of the closing fence."""
    at = 0
    while at < len(lines):
        opening = _FENCE.fullmatch(lines[at].rstrip())
        at += 1
        if not opening:
            continue
        indent, fence, info = opening.groups()
        start = at
        closing = re.compile(rf" *{fence[0]}{{{len(fence)},}} *")
        while at < len(lines) and not closing.fullmatch(lines[at]):
            at += 1
        yield info, indent, start, at
        at += 1


def _commands_of_block(lines: list[str], indent: str, start: int, stop: int) -> Iterator[Command]:
    block = [line.removeprefix(indent) for line in lines[start:stop]]
    at = 0
    while at < len(block):
        if not block[at].startswith("$ "):
            raise TranscriptError(f"line {start + at + 1}: a block starts with `$ ` and a command")
        script, at = _script(block, at)
        first = at
        while at < len(block) and not block[at].startswith("$ "):
            at += 1
        last = at
        while last > first and not block[last - 1].strip():
            last -= 1
        yield Command(script, start + first, start + last, indent)


def _script(block: list[str], at: int) -> tuple[str, int]:
    """The script that starts at a `$ ` line, and the index of the line after it."""
    script = [block[at].removeprefix("$ ")]
    at += 1
    for _, end in _HEREDOC.findall(script[0]):
        ending = next((i for i in range(at, len(block)) if block[i] in (end, f"> {end}")), None)
        if ending is None:
            raise TranscriptError(f"`{script[0]}`: no line {end} in the block")
        prefixed = block[ending] != end
        body = block[at : ending + 1]
        script += [line.removeprefix(">").removeprefix(" ") for line in body] if prefixed else body
        at = ending + 1
    # A line of output may start with `> ` too: it continues only a command that is not complete.
    while at < len(block) and block[at].startswith("> ") and _incomplete("\n".join(script)):
        script.append(block[at].removeprefix("> "))
        at += 1
    return "\n".join(script), at


def _incomplete(script: str) -> bool:
    parsed = subprocess.run(["bash", "-n", "-c", script], capture_output=True, check=False)
    return script.endswith("\\") or parsed.returncode != 0


def line_matches(expected: str, actual: str) -> bool:
    """Whether a line of output is as expected, where `[..]` stands for anything."""
    pattern = ".*".join(re.escape(part) for part in expected.rstrip().split("[..]"))
    return re.fullmatch(pattern, actual.rstrip()) is not None


def merge(expected: list[str], actual: list[str]) -> list[str]:
    """The actual output, written with those expected lines that still fit.

    It is `expected` itself if and only if the output matches: the alignment of both with the fewest
    lines changed, where `...` takes any number of lines for nothing.
    """
    rows, columns = len(expected) + 1, len(actual) + 1
    cost = [[0] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            if i == 0:
                cost[i][j] = j
            elif expected[i - 1] == "...":
                cost[i][j] = min(cost[i - 1][j], cost[i][j - 1]) if j else cost[i - 1][j]
            elif j == 0:
                cost[i][j] = cost[i - 1][j] + 1
            else:
                changed = 0 if line_matches(expected[i - 1], actual[j - 1]) else 1
                cost[i][j] = min(cost[i - 1][j - 1] + changed, cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    return _merged(expected, actual, cost)


def _merged(expected: list[str], actual: list[str], cost: list[list[int]]) -> list[str]:
    """Walk the cheapest alignment backwards."""
    merged: list[str] = []
    i, j = len(expected), len(actual)
    while i or j:
        if i and expected[i - 1] == "...":
            if cost[i][j] == cost[i - 1][j]:
                merged.append("...")
                i -= 1
            else:
                j -= 1
            continue
        fits = i > 0 and j > 0 and line_matches(expected[i - 1], actual[j - 1])
        if i and j and cost[i][j] == cost[i - 1][j - 1] + (0 if fits else 1):
            merged.append(expected[i - 1] if fits else _quoted(actual[j - 1]))
            i, j = i - 1, j - 1
        elif j and cost[i][j] == cost[i][j - 1] + 1:
            merged.append(_quoted(actual[j - 1]))
            j -= 1
        else:
            i -= 1
    return merged[::-1]


def _quoted(line: str) -> str:
    """A line of output that would be read as a part of the transcript's own notation, made harmless."""
    return f"[..]{line}".rstrip() if _LOOKS_LIKE_MARKUP.match(line) else line.rstrip()


def replay(text: str, run: Run) -> str:
    """Run a document's commands; give the document with the output that they have now.

    The result is the same text if and only if every command did what the document says.
    """
    lines = text.split("\n")
    replayed: list[str] = []
    done = 0
    for command in commands(lines):
        output, status = run(command.script)
        expected = [line.removeprefix(command.indent) for line in lines[command.start : command.stop]]
        if expected and _EXIT.fullmatch(expected[-1]):
            expected.pop()
        while output and not output[-1].strip():
            output.pop()
        shown = merge(expected, output) + ([f"[exit {status}]"] if status else [])
        replayed += lines[done : command.start]
        replayed += [command.indent + line if line else "" for line in shown]
        done = command.stop
    return "\n".join(replayed + lines[done:])


@dataclass(frozen=True)
class Shell:
    """Runs scripts in one directory with an environment that holds nothing of the caller's."""

    directory: Path
    home: Path
    programs: Path

    def __call__(self, script: str) -> tuple[list[str], int]:
        """Run a script with bash; give the lines of its output and its exit status."""
        process = subprocess.Popen(
            ["bash", "-c", script],
            cwd=self.directory,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired as late:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise TranscriptError(f"`{script}` still ran after {TIMEOUT} s") from late
        status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        return output.decode(errors="replace").split("\n"), status

    def environment(self) -> dict[str, str]:
        """The variables that a documented command sees."""
        return {
            "PATH": f"{self.programs}:{INSTALLED}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "QUAID_EMBED_BACKGROUND": "off",  # a process must not outlive its block
        }


def fresh_shell(directory: Path, programs: Path = INSTALLED) -> Shell:
    """A shell in an empty directory, with an empty home, both below `directory`; where the programs are."""
    shell = Shell(directory / "work", directory / "home", programs)
    shell.directory.mkdir()
    shell.home.mkdir()
    return shell
