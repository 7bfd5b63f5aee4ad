"""What a knowledge base costs: python bench/kb.py [--nodes 100 1000 5000] [--runs 15].

Whole processes of `ai-kb`, from start to end, on a git repository of that many nodes, next to the budgets and
to a bare `git commit` of one file. On a busy machine the time on a processor says more than the time that
passed. `rebuilt` is the first question after `.quaid` was lost.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from _corpus import SEED, Corpus

from quaid.kb import index
from quaid.kb.node import TYPES
from quaid.kb.render import Draft, file_name, render
from quaid.trust import Trust

AI_KB = [sys.executable, "-c", "import sys; from quaid.cli.ai_kb import main; sys.exit(main())"]
BUDGETS = {"query": 0.1, "index": 0.3, "lint": 0.3, "remember": 0.5}  # seconds, at 1,000 nodes
LARGE = {"query": 0.15, "remember": 0.75}  # at 5,000


def main() -> None:
    """Make the bases, time the commands, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, nargs="+", default=[100, 1000, 5000])
    parser.add_argument("--runs", type=int, default=15)
    given = parser.parse_args()
    print(f"{given.runs} runs; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'nodes':>6} {'':24} {'least':>8} {'median':>8} {'of CPU':>8} {'budget':>8}   (s)")
    for count in given.nodes:
        with tempfile.TemporaryDirectory() as temporary:
            root = Path(temporary) / "kb"
            corpus = Corpus(count)
            build(root, corpus)
            for name, times in measure(root, corpus, given.runs).items():
                budget = (BUDGETS if count <= 1000 else LARGE).get(name.split(",")[0])
                whole, busy = zip(*times, strict=True)
                shown = f"{min(whole):>8.3f} {middle(whole):>8.3f} {middle(busy):>8.3f}"
                print(f"{count:>6} {name:24} {shown} {f'{budget:>8.2f}' if budget else ''}")


def build(root: Path, corpus: Corpus) -> None:
    """A repository of nodes with two links each, and a captured source for every tenth."""
    rng = random.Random(SEED)
    ids = [str(uuid.UUID(int=rng.getrandbits(128), version=4)) for _ in range(corpus.pages)]
    (root / "raw").mkdir(parents=True)
    for number, each in enumerate(ids):
        page = corpus.draft(number)
        body = (
            page.text.split("---\n")[2]
            .replace("## ", "* ")
            .replace("# ", "* ")
            .replace("[[", "")
            .replace("]]", "")
        )
        title = page.slug.rsplit("/", 1)[1].replace("-", " ").capitalize()
        day = datetime(2026, 1, 1) + timedelta(days=number % 200)
        source = f"raw/source-{number}.org" if number % 10 == 0 else f"chat {day:%Y-%m-%d}"
        if source.startswith("raw/"):
            (root / source).write_text(f"#+title: Source\nhttps://example.org/{number}\n\n{body}")
        draft = Draft(
            each,
            title,
            f"{body.split('.')[0].strip('* ').replace(chr(10), ' ')}.",
            body,
            TYPES[number % len(TYPES)],
            ("general", f"project-{number % 12}"),
            created=f"{day:%Y-%m-%d}",
            created_by="claude-code",
            source=source,
            status=("current", "contested", "superseded")[number % 20 if number % 20 < 3 else 0],
            relations=tuple(("RELATES_TO", rng.choice(ids), "another node") for _ in range(2)),
        )
        (root / file_name(title, day + timedelta(seconds=number))).write_text(render(draft))
    (root / "AGENT_CONTRACT.org").write_text("#+title: Contract\n")
    index.write(root)
    for words in (
        ("init", "-q", "-b", "main"),
        ("config", "user.name", "Bench"),
        ("config", "user.email", "bench@example.org"),
        ("add", "-A"),
        ("commit", "-q", "-m", "Nodes"),
    ):
        subprocess.run(["git", *words], cwd=root, check=True)
    Trust(root.parent).accept(root)  # which is the home directory of what is measured


def measure(root: Path, corpus: Corpus, runs: int) -> dict[str, list[tuple[float, float]]]:
    """Seconds of each command, interleaved."""
    rare, common = corpus.words[3000], corpus.words[40]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "query, a rare word": [*AI_KB, "query", rare],
        "query, a common word": [*AI_KB, "query", "--json", common],
        "query, all nodes": [*AI_KB, "query", "general"],
        "show": [*AI_KB, "show", "General"],
        "status": [*AI_KB, "status"],
        "index": [*AI_KB, "index"],
        "lint": [*AI_KB, "lint"],
        "doctor": [*AI_KB, "doctor", "--offline"],
        "curate": [*AI_KB, "curate", "--dry-run"],
    }
    times: dict[str, list[tuple[float, float]]] = {"rebuilt": [timed(commands["query, all nodes"], root)]}
    times |= {name: [] for name in commands}
    for run in range(runs + 2):
        for name, command in commands.items():
            took = timed(command, root)
            if run >= 2:  # the first ones fill the caches of the file system
                times[name].append(took)
    times["git commit"], times["remember"] = [], []
    for run in range(runs):
        times["git commit"].append(committed(root, run))
        times["remember"].append(timed(remembering(run, corpus), root))
    return times


def committed(root: Path, run: int) -> tuple[float, float]:
    """What git alone takes for one file that is new."""
    (root / f"plain-{run}.txt").write_text("Text.\n")
    script = f"git -C {root} add plain-{run}.txt && git -C {root} commit -q -m Plain"
    return timed(["sh", "-c", script], root)


def remembering(run: int, corpus: Corpus) -> list[str]:
    """A write of something new: unlike any node, and so compared with all."""
    words = [corpus.words[2000 + 17 * run + number] for number in range(12)]
    told = ["--title", " ".join(words[:4]), "--summary", " ".join(words[4:]), "--created-by", "human"]
    return [*AI_KB, "remember", *told, "--body", " ".join(words * 10)]


def timed(command: list[str], root: Path) -> tuple[float, float]:
    """Seconds from start to end, and those of them in which it had a processor."""
    environment = {**os.environ, "AI_KB": str(root), "HOME": str(root.parent)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    took = time.perf_counter() - began
    if done.returncode not in (0, 3, 5):
        said = done.stderr.decode() + done.stdout.decode()[-2000:]
        sys.exit(f"{command[3:]} ended with {done.returncode}: {said}")
    return took, sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - sum(used[:2])


def middle(times: Sequence[float]) -> float:
    """The median."""
    return sorted(times)[len(times) // 2]


if __name__ == "__main__":
    main()
