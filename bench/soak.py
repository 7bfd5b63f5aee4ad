"""Endurance: writers, readers, a watcher, an editor and sync on one memory, with all that can go wrong.

    make soak [MINUTES=30]

Processes are killed (kill -9) and started again at random, some with a clock that is days wrong (faketime),
the disk fills up and becomes read-only for seconds (a tmpfs of its own, which needs root). Readers check
all the time that what was acknowledged is there; every minute everything is killed, and then `validate
--all` must be clean, every acknowledged write be found, and the digest equal that of a memory made anew
from the files. It prints a report as Markdown. The exit status is 1 if an invariant was broken.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ACTORS = Path(__file__).with_name("_soak_actors.py")
PROGRAM = Path(sys.executable).with_name("quaid")
WRITERS, READERS = 4, 8
ROUND = 60.0  # seconds between two checks of everything
SPELL = 4.0  # seconds for which a disk is full or read-only
CLOCKS = ("+3d", "-2d", "+400d")
DISK = "size=400m"


@contextmanager
def disk(place: Path) -> Iterator[bool]:
    """A file system of its own, which can be filled and made read-only; whether there is one."""
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", DISK, "tmpfs", place], capture_output=True, check=False
    )
    try:
        yield made.returncode == 0
    finally:
        if made.returncode == 0:
            subprocess.run(["umount", "-l", place], check=False)


class Soak:
    """One run: the processes, and what was counted."""

    def __init__(self, place: Path, own_disk: bool, seed: int) -> None:
        self.place, self.own_disk = place, own_disk
        self.disk, self.notebook = place / "disk", place / "notebook"
        self.root = self.disk / "notes"
        self.rng = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.running: dict[tuple[str, int], subprocess.Popen[bytes]] = {}
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("QUAID_")},
            "HOME": str(place / "home"),
            "QUAID_EMBED_BACKGROUND": "off",
            "QUAID_WARM_MINUTES": "0",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            **{f"GIT_{who}_{what}": "soak" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }
        self.roles = [
            *(("writer", number) for number in range(WRITERS)),
            *(("reader", number) for number in range(READERS)),
            *(("editor", 0), ("watch", 0), ("sync", 0)),
        ]

    def quaid(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run the program to its end."""
        return subprocess.run(
            [PROGRAM, *words],
            cwd=cwd or self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def prepare(self) -> None:
        """The memory, its folder, and the remote."""
        for path in (self.notebook, self.place / "home", self.root):
            path.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", "--bare", self.place / "remote.git"], check=True)
        for words in (("init", str(self.root)), ("sync", "init", str(self.place / "remote.git"))):
            done = self.quaid(*words)
            if done.returncode:
                raise SystemExit(f"quaid {' '.join(words)}: {done.stderr}")

    def start(self, role: str, number: int) -> None:
        """Start a process, sometimes with another clock."""
        words: list[str | Path] = [sys.executable, ACTORS, role, self.root, self.notebook, str(number)]
        if role == "watch":
            words = [PROGRAM, "watch"]
        if role == "sync":
            words = [PROGRAM, "sync", "--watch"]
        if shutil.which("faketime") and self.rng.random() < 0.15:
            words = ["faketime", "-f", self.rng.choice(CLOCKS), *words]
            self.counts["clock jumps"] += 1
        log = (self.notebook / f"{role}-{number}.err").open("ab")
        with log:
            self.running[role, number] = subprocess.Popen(
                words,
                cwd=self.root,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self, key: tuple[str, int]) -> None:
        """Kill a process with all that it has started."""
        process = self.running.pop(key)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def run(self, minutes: float) -> None:
        """Let it run, and check it, until time is up."""
        ends = time.monotonic() + minutes * 60
        while time.monotonic() < ends:
            for key in self.roles:
                self.start(*key)
            self.disturb(min(time.monotonic() + ROUND, ends))
            for key in list(self.running):
                self.kill(key)
            self.check()
            print(f"{self.counts['checks']}: {dict(self.counts)}, {len(self.wrong)} wrong", file=sys.stderr)

    def disturb(self, until: float) -> None:
        """Kill and restart at random, and let the disk fail once."""
        spell = until - ROUND / 2 if self.own_disk else until + ROUND
        while time.monotonic() < until:
            time.sleep(self.rng.uniform(0.5, 2.0))
            key = self.rng.choice(self.roles)
            self.counts["ended by themselves"] += self.running[key].poll() is not None
            self.kill(key)
            self.counts["kills"] += 1
            self.start(*key)
            if time.monotonic() > spell:
                spell = until + ROUND  # once
                (self.fill if self.counts["checks"] % 2 == 0 else self.lock)()

    def fill(self) -> None:
        """A full disk, for a while."""
        balloon = self.disk / "balloon"
        with suppress(OSError), balloon.open("wb") as file:
            while True:
                file.write(bytes(1 << 16))
                file.flush()
        time.sleep(SPELL)
        balloon.unlink()
        self.counts["full disks"] += 1

    def lock(self) -> None:
        """A read-only disk, for a while: who has files open for writing is killed before."""
        for key in list(self.running):
            self.kill(key)
        remount = ["mount", "-o", "remount,{}", str(self.disk)]
        done = subprocess.run([word.format("ro") for word in remount], capture_output=True, check=False)
        self.counts["read-only spells"] += done.returncode == 0
        for key in self.roles:
            self.start(*key)
        time.sleep(SPELL)
        for key in list(self.running):
            self.kill(key)
        subprocess.run([word.format("rw") for word in remount], check=False)
        for key in self.roles:
            self.start(*key)

    def check(self) -> None:
        """With nobody there: the memory is sound, says what the files say, and has what was acknowledged."""
        self.counts["checks"] += 1
        listed = self.quaid("list", "--limit", "1", "--json")  # sees the last edits
        if listed.returncode:
            self.wrong.append(f"list: {listed.stderr.strip()}")
        sound = self.quaid("validate", "--all", "--json")
        if sound.returncode:
            self.wrong.append(f"validate: {sound.stdout[:1500]}{sound.stderr[:500]}")
        for said in self.acknowledged():
            path = self.root / f"{said['slug']}.md"
            if not path.exists() or said["word"] not in path.read_text(encoding="utf-8"):
                self.wrong.append(f"lost: {said}")
        own, anew = self.quaid("digest").stdout, self.digest_of_files()
        if own != anew or not own:
            self.wrong.append(f"digest: {own.strip()} is not {anew.strip()}, that of the files")

    def digest_of_files(self) -> str:
        """The digest of a memory made anew of a copy of the folder."""
        copy = self.place / "copy" / self.root.name
        shutil.copytree(self.root, copy, ignore=shutil.ignore_patterns(".quaid", ".git"))
        try:
            self.quaid("init", str(copy), cwd=self.place)
            return self.quaid("digest", cwd=copy).stdout
        finally:
            shutil.rmtree(copy.parent)

    def notes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """What all actors have noted; a line that a kill cut off was acknowledged to nobody."""
        for path in sorted(self.notebook.glob("*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                with suppress(ValueError):
                    yield path.stem.split("-")[0], json.loads(line)

    def acknowledged(self) -> Iterator[dict[str, Any]]:
        return (said for _, said in self.notes() if said["kind"] == "done")

    def report(self, minutes: float) -> str:
        """What happened, as Markdown."""
        did: Counter[str] = Counter()
        refused: Counter[str] = Counter()
        for role, said in self.notes():
            if said["kind"] == "refused":
                refused[said["code"]] += 1
            elif said["kind"] == "wrong":
                self.wrong.append(f"{role}: {said['code']}: {said['message']}")
            elif said["kind"] == "absent":
                did["reads of what was not there yet"] += 1
            elif said["kind"] == "told":
                did["reads that said that they may be out of date"] += 1
            else:
                did[{"writer": "writes", "reader": "reads", "editor": "edits by hand"}[role]] += 1
        for path in sorted(self.notebook.glob("*.err")):
            told = path.read_text(encoding="utf-8", errors="replace")
            if "Traceback" in told or "[internal]" in told:
                self.wrong.append(f"{path.stem} crashed: {told[-300:]}")
        commits = subprocess.run(
            ["git", "-C", self.place / "remote.git", "rev-list", "--all", "--count"],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.strip()
        missing = [] if self.own_disk else ["full and read-only disks (no file system could be mounted)"]
        missing += [] if shutil.which("faketime") else ["clock jumps (faketime is not installed)"]
        lines = [f"# Soak of {minutes:g} minutes", "", "| what | count |", "|---|---:|"]
        rows = {**did, "commits at the remote": int(commits or 0), **self.counts}
        lines += [f"| {name} | {count:,} |" for name, count in rows.items()]
        lines += [f"| refused: {code} | {count:,} |" for code, count in sorted(refused.items())]
        lines += ["", *(f"Not done: {each}." for each in missing)]
        lines += [
            "",
            f"**Invariants broken: {len(self.wrong)}**",
            "",
            *(f"- {each}" for each in self.wrong[:40]),
        ]
        return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    """Run it."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--minutes", type=float, default=30)
    given.add_argument("--seed", type=int, default=1)
    given.add_argument("--report", type=Path, help="also write the report there")
    given.add_argument("--keep", action="store_true", help="leave everything where it is")
    chosen = given.parse_args()
    place = Path(tempfile.mkdtemp(prefix="quaid-soak-"))
    with disk(place / "disk") as own_disk:
        soak = Soak(place, own_disk, chosen.seed)
        soak.prepare()
        try:
            soak.run(chosen.minutes)
        finally:
            for key in list(soak.running):
                soak.kill(key)
        report = soak.report(chosen.minutes)
        if chosen.keep:
            print(f"kept: {shutil.copytree(place, place.with_name(place.name + '-kept'), symlinks=True)}")
    shutil.rmtree(place, ignore_errors=True)
    print(report)
    if chosen.report:
        chosen.report.write_text(report, encoding="utf-8")
    return 1 if soak.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
