"""What a hook costs the agent that waits for it, and whether it brings the line that helps:
python bench/hooks.py [--days 1096] [--runs 20]; python bench/hooks.py --prompts [--labelled DIR] [--misses].

Each call is a process of its own, from start to end, as a client makes it: on a notebook with years of daily
logs, and with a transcript of 20 MB, of which the end is read.

With --prompts: notebooks of remembered sentences and prompts to an agent, those of `_prompts.py`, on which
the thresholds were chosen, and those of notebook*.json in a folder, the repository's own unless --labelled
names another. A prompt is right if its line is shown, and one that needs no line if nothing is. Bare
questions are asked too, with those about other subjects; near misses are about the same, and nothing answers.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from _memories import dictated, high, middle
from _prompts import PROMPTS, SENTENCES, UNRELATED
from notebook import made

from quaid.agents.hooks.recollection import recollect
from quaid.app import App, open_app
from quaid.cli.main import main as main_of_quaid
from quaid.settings import Settings

EVENTS = ("session-start", "prompt", "tool", "pre-compact", "stop", "session-end")
LABELLED = Path(__file__).parent / "labelled"
MOST_WORDS = 0.7


def main() -> None:
    """Make a notebook and a transcript, call each hook, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=1096)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--folder", type=Path, help="Where to keep the notebook; otherwise nowhere.")
    parser.add_argument("--prompts", action="store_true", help="Whether the right lines are shown.")
    parser.add_argument("--labelled", type=Path, default=LABELLED, help="A folder with notebook*.json.")
    parser.add_argument("--misses", action="store_true", help="Name what went wrong.")
    given = parser.parse_args()
    if given.prompts:
        measure_prompts(given.labelled, given.misses)
        return
    with tempfile.TemporaryDirectory() as temporary:
        root = given.folder or Path(temporary) / "notebook"
        made(root, given.days).store.close()
        transcript = Path(temporary) / "session.jsonl"
        write_transcript(transcript)
        quaid = Path(sys.executable).with_name("quaid")
        base = [str(quaid), "--db", str(root / ".quaid" / "memory.db"), "hook"]
        times: dict[str, list[float]] = {name: [] for name in ("python -c pass", *EVENTS)}
        for run in range(given.runs + 2):
            for name, series in times.items():
                command = [sys.executable, "-c", "pass"] if name not in EVENTS else [*base, name]
                took = timed(command, call(run, transcript), Path(temporary))
                if run >= 2:  # the first ones fill the caches of the file system
                    series.append(took)
    print(f"{given.runs} runs; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'':16} {'median':>9} {'p95':>9}   (ms)")
    for name, series in times.items():
        print(f"{name:16} {middle(series):>9.1f} {high(series):>9.1f}")


def measure_prompts(folder: Path, misses: bool) -> None:
    """Print how many prompts get their line, and how many that need none get none."""
    print(f"{'':28} {'mode':8} {'right':>12} {'silent':>12} {'wrong line':>11} {'ms median':>10} {'p95':>7}")
    own = [(prompt, [piece]) for prompt, piece in PROMPTS] + [(prompt, []) for prompt in UNRELATED]
    sets = [(SENTENCES, {"own": own}), *map(labelled, sorted(folder.glob("notebook*.json")))]
    for sentences, rows in sets:
        with tempfile.TemporaryDirectory() as temporary:
            app = remembered(Path(temporary), sentences)
            for row, prompts in rows.items():
                for mode in ("words", "meaning"):
                    print_prompts(app, f"{row:28} {mode:8}", mode, prompts, misses)


def labelled(path: Path) -> tuple[list[str], dict[str, list[tuple[str, list[str]]]]]:
    """What somebody else had a notebook remember, and prompts and bare questions to it."""
    data = json.loads(path.read_text(encoding="utf-8"))
    said = [each["said"] for each in data["sentences"]]
    prompts = [
        (each["prompt"], [said[place] for place in each["answers"]]) for each in data.get("prompts", ())
    ]
    asked = [(each["question"], [said[place] for place in each["answers"]]) for each in data["questions"]]
    near, foreign = (
        [(each["question"], []) for each in data["unanswerable"] if (each["kind"] == "near miss") == is_near]
        for is_near in (True, False)
    )
    rows = {"prompts": prompts, "questions": [*asked, *foreign], "near misses": near}
    return said, {f"{path.stem}: {name}": row for name, row in rows.items() if row}


def remembered(folder: Path, sentences: Sequence[str]) -> App:
    """A notebook that was told these sentences, with every text embedded."""
    main_of_quaid(["init", str(folder), "--profile", "notebook"])
    app = open_app(folder / ".quaid" / "memory.db", Settings())
    dictated(app, sentences)
    app.models.embed(app.models.current())
    return app


def print_prompts(
    app: App, label: str, mode: str, prompts: Sequence[tuple[str, list[str]]], misses: bool
) -> None:
    """One row of the table. A line that `remember` has shortened counts if most of its words are shown."""
    right = silent = wrong = 0
    times = []
    for prompt, lines in prompts:
        began = time.perf_counter()
        shown = recollect(app, prompt, mode, 1500, ()).text
        times.append((time.perf_counter() - began) * 1000)
        good = any(shows(shown, line) for line in lines) if lines else not shown
        right += good and bool(lines)
        silent += good and not lines
        wrong += bool(shown and lines and not good)
        if misses and not good:
            print(f"  {prompt!r}: {shown.splitlines()[2:-1]}")
    needing = sum(bool(lines) for _, lines in prompts)
    print(
        f"{label} {right:>5} of {needing:<3} {silent:>5} of {len(prompts) - needing:<3} {wrong:>11} "
        f"{middle(times):>10.0f} {high(times):>7.0f}"
    )


def shows(shown: str, line: str) -> bool:
    """Whether a text shows a line: all of it, or nearly all of its words in one line."""
    wanted = set(re.findall(r"\w+", line.lower()))
    found = [set(re.findall(r"\w+", each.lower())) for each in shown.splitlines()]
    return line in shown or any(len(wanted & each) >= MOST_WORDS * len(wanted) for each in found)


def call(run: int, transcript: Path) -> bytes:
    """What a client says to a hook."""
    prompt = "Can you look up who owns the DNS zone of Atlas, and what Sarah said about the mock-ups?"
    said = {"session_id": f"bench-{run}", "transcript_path": str(transcript), "prompt": prompt}
    return json.dumps(said).encode()


def timed(command: list[str], said: bytes, home: Path) -> float:
    """Milliseconds from start to end."""
    environment = {**os.environ, "HOME": str(home)}
    began = time.perf_counter()
    subprocess.run(command, input=said, stdout=subprocess.DEVNULL, check=True, env=environment)
    return (time.perf_counter() - began) * 1000


def write_transcript(path: Path) -> None:
    """A long conversation without a note of its size, so that it must be counted."""
    line = {"type": "user", "message": {"role": "user", "content": "The harbour has eleven berths. " * 60}}
    path.write_text((json.dumps(line) + "\n") * 10_000, encoding="utf-8")


if __name__ == "__main__":
    main()
