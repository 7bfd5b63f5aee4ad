"""How fast transcripts are read, and conversations searched: python bench/conversations.py [MEGABYTES].

Writes a transcript as Claude Code does (most of it results of tools, some prose) and one of 10,000 turns,
then measures parsing alone, `conversations index` with all that it does, a second run, and searching.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from quaid.app import App
from quaid.conversations import turns as turn_search
from quaid.conversations.indexer import Indexer
from quaid.conversations.transcripts import of_paths
from quaid.foreign.transcripts import claude
from quaid.foreign.transcripts.turn import Context
from quaid.settings import Settings
from quaid.store import scope as scopes
from quaid.store.connection import Store

WORDS = "the river runs past a mill where tests fail when nobody reads them and deploys wait for a plan"
SEARCHES = 200


def main() -> None:
    """Write the transcripts, measure, print a table."""
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 100.0
    dice = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        big, many = Path(folder) / "big.jsonl", Path(folder) / "many.jsonl"
        _write(big, dice, size=int(megabytes * 1e6))
        _write(many, dice, turns=10_000)
        rows: list[tuple[str, str]] = []
        for path in (big, many):
            rows += _measured(path, Path(folder) / path.stem)
    width = max(len(name) for name, _ in rows)
    print("\n".join(f"{name:{width}}  {value}" for name, value in rows))


def _measured(path: Path, folder: Path) -> list[tuple[str, str]]:
    size = path.stat().st_size / 1e6
    data = path.read_bytes()
    took, parsed = _timed(lambda: claude.parse(data, Context()))
    rows = [
        (f"{path.stem}: {size:.0f} MB, {len(parsed.turns):,} turns: parsing alone", f"{size / took:.0f} MB/s")
    ]
    app = App(Store.create(folder / "memory.db"), Settings())
    indexer = Indexer(app.store)
    took, done = _timed(lambda: indexer.run(of_paths([str(path)])))
    rows.append((f"{path.stem}: index, {done.turns:,} turns kept", f"{size / took:.0f} MB/s, {took:.2f} s"))
    took, _ = _timed(lambda: indexer.run(of_paths([str(path)])))
    rows.append((f"{path.stem}: index again, nothing new", f"{1000 * took:.1f} ms"))
    times = []
    dice = random.Random(8)
    for _ in range(SEARCHES):
        query = " ".join(dice.sample(WORDS.split(), 3)) + f" w{dice.randrange(5000)}"
        took, _ = _timed(
            lambda query=query: turn_search.search(app.connection, query, scopes.conversations(), 10)
        )
        times.append(1000 * took)
    times.sort()
    p95 = times[int(0.95 * len(times))]
    rows.append(
        (
            f"{path.stem}: search by words, n = {SEARCHES}",
            f"median {statistics.median(times):.1f} ms, p95 {p95:.1f} ms",
        )
    )
    app.store.close()
    return rows


def _write(path: Path, dice: random.Random, size: int = 0, turns: int = 0) -> None:
    """Until it has that size, most of it tool results; or that many turns and nothing else."""
    written = count = 0
    with path.open("wb") as file:
        while written < size or count < turns:
            role = ("user", "assistant")[count % 2]
            written += file.write(_line(role, _prose(dice, 120), count))
            count += 1
            if size:
                block = {"type": "tool_result", "tool_use_id": f"t{count}", "content": _prose(dice, 800)}
                written += file.write(_line("user", [block], f"r{count}"))


def _prose(dice: random.Random, words: int) -> str:
    chosen = dice.choices(WORDS.split(), k=words)
    return " ".join([*chosen, *(f"w{dice.randrange(5000)}" for _ in range(words // 10))])


def _line(role: str, content: Any, name: Any) -> bytes:
    facts = {
        "uuid": f"u{name}",
        "parentUuid": None,
        "isSidechain": False,
        "sessionId": "s",
        "cwd": "/home/al/shop",
    }
    moment = {"timestamp": "2026-04-14T12:00:00.000Z", "gitBranch": "main", "version": "2.1"}
    line = {"type": role, **facts, **moment, "message": {"role": role, "content": content}}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _timed(run: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    result = run()
    return time.perf_counter() - started, result


if __name__ == "__main__":
    main()
