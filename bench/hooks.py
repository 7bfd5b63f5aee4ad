"""What a hook costs the agent that waits for it: python bench/hooks.py [--days 1096] [--runs 20].

Each call is a process of its own, from start to end, as a client makes it: on a notebook with years of daily
logs, and with a transcript of 20 MB, of which the end is read.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _memories import high, middle
from notebook import made

EVENTS = ("session-start", "prompt", "pre-compact", "stop", "session-end")


def main() -> None:
    """Make a notebook and a transcript, call each hook, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=1096)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--folder", type=Path, help="Where to keep the notebook; otherwise nowhere.")
    given = parser.parse_args()
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
