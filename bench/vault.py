"""A folder of Markdown files as a memory: python bench/vault.py [--files 10000] [--folder DIR].

The files are made for the purpose unless a folder is named, of which a copy is used. First and second sync
run in processes of their own, so that their memory can be told. Nothing is embedded.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from _corpus import Corpus
from _memories import high, middle, peak_mb

from quaid import operations
from quaid.app import App, open_app
from quaid.settings import Settings
from quaid.store.connection import Store
from quaid.vault.attachments import Attachment, insert, record_all
from quaid.vault.readers import possible

CHANGES = 50
COMMANDS = 15
PROGRAM = str(Path(sys.executable).with_name("quaid"))


def main() -> None:
    """Make the files, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--folder", type=Path, help="Real files instead of made ones.")
    parser.add_argument("--sync", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.sync:
        print(json.dumps(synced(given.sync)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "vault"
        if given.folder:
            shutil.copytree(given.folder, folder, ignore=shutil.ignore_patterns(".git", ".quaid"))
        else:
            make(folder, Corpus(given.files))
        report(folder)


def make(folder: Path, corpus: Corpus) -> None:
    """Files with frontmatter, links and a timeline, as old as real ones are."""
    long_ago = time.time() - 86_400
    for number in range(corpus.pages):
        draft = corpus.draft(number)
        path = folder / f"{draft.slug}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(draft.text, encoding="utf-8")
        os.utime(path, (long_ago, long_ago + number / corpus.pages))


def report(folder: Path) -> None:
    """Measure one thing after the other, and print it."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".md", ".org") and path.is_file())
    size = sum(path.stat().st_size for path in files)
    print(
        f"{len(files):,} files of {size / len(files) / 1000:.1f} KB on average; "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n"
    )
    hashed = min(timed(lambda: hash_all(files)) for _ in range(3)) / 1000
    line("read and hash the files alone", f"{hashed:.2f} s", f"{len(files) / hashed:,.0f} files/s")
    db = attach(folder)
    first, second = in_process(folder), in_process(folder)
    rate = len(files) / first["seconds"]
    line("first sync", f"{first['seconds']:.2f} s", f"{rate:,.0f} files/s, {first['peak']:.0f} MB at most")
    line("  against reading and hashing", f"{first['seconds'] / hashed:.1f} x", "")
    line("  processor time of it", f"{first['cpu']:.2f} s", f"{len(files) / first['cpu']:,.0f} files/s")
    line("second sync, nothing to do", f"{second['seconds']:.3f} s", f"{second['peak']:.0f} MB at most")
    taken = db.stat().st_size
    line("size of the memory", f"{taken / 1e6:.1f} MB", f"{taken / size:.1f} x that of the files")
    rewrite(files)
    third = in_process(folder)
    rate, each = len(files) / third["seconds"], third["cpu"] / len(files) * 1000
    remark = f"{rate:,.0f} files/s, {each:.2f} ms of processors each"
    line("all files changed, as by a checkout", f"{third['seconds']:.2f} s", remark)
    app = open_app(db, Settings())
    digest = call(app, "digest", {}).digest
    changed(app, folder, files)
    app.store.close()
    commands(db, files)
    rebuilt(db, digest)


def rewrite(files: list[Path]) -> None:
    """Let every file say something more."""
    for path in files:
        path.write_bytes(path.read_bytes() + b"\nA line that was not there before.\n")


def changed(app: App, folder: Path, files: list[Path]) -> None:
    """A file changes: what a watching process does, until the page is found by a new word."""
    times = []
    for number, path in enumerate(random.Random(5).sample(files, CHANGES)):
        before = path.read_bytes()
        path.write_bytes(before + f"\nqqchanged{number}\n".encode())
        place = path.relative_to(folder).as_posix()
        times.append(timed(lambda n=number, p=place: found(app, p, f"qqchanged{n}")))
        path.write_bytes(before)
        app.sync(app.collection_row()).run_at([place])
    text = f"p95 {high(times):.1f} ms, n={CHANGES}"
    line("one changed file until it is found, watched", f"{middle(times):.1f} ms", text)


def found(app: App, path: str, word: str) -> None:
    """Read one file, and ask for it."""
    app.sync(app.collection_row()).run_at([path])
    if not call(app, "search", {"query": word}).results:
        raise SystemExit("a changed file was not found")


def commands(db: Path, files: list[Path]) -> None:
    """Whole processes, in turns with an interpreter that does nothing."""
    path = files[len(files) // 2]
    page = quaid(db, "search", path.read_text(encoding="utf-8").split("\n# ")[-1].split("\n")[0], "--json")
    slug = json.loads(page)["results"][0]["slug"]
    original = path.read_bytes()
    tries: dict[str, Callable[[int], object]] = {
        "python -c pass": lambda _: subprocess.run([sys.executable, "-c", "pass"], check=True),
        "quaid get": lambda _: quaid(db, "get", slug),
        "quaid list": lambda _: quaid(db, "list"),
        "quaid search, one file has changed": lambda number: sought(db, path, original, number),
    }
    times: dict[str, list[float]] = {name: [] for name in tries}
    for number in range(COMMANDS + 2):
        for name, attempt in tries.items():
            took = timed(lambda a=attempt, n=number: a(n))
            if number >= 2:  # the first ones fill the caches of the file system
                times[name].append(took)
    path.write_bytes(original)
    for name, series in times.items():
        more = middle(series) - middle(times["python -c pass"])
        line(name, f"{middle(series):.0f} ms", f"{more:.0f} more than python, n={COMMANDS}")


def sought(db: Path, path: Path, original: bytes, number: int) -> None:
    """Change a file, and find it by a new word with the next command."""
    path.write_bytes(original + f"\nqqcommand{number}\n".encode())
    if '"results": []' in quaid(db, "search", f"qqcommand{number}", "--json"):
        raise SystemExit("a changed file was not found")


def rebuilt(db: Path, digest: str) -> None:
    """The memory is lost: the next command makes it anew."""
    for path in db.parent.glob("memory.db*"):
        path.unlink()
    took = timed(lambda: quaid(db, "list")) / 1000
    line("`quaid list` after memory.db was deleted", f"{took:.2f} s", "")
    same = json.loads(quaid(db, "digest", "--json"))["digest"] == digest
    line("  the same digest", "yes" if same else "NO", "")


def attach(folder: Path) -> Path:
    """Make a folder a memory without reading it: what is measured comes later."""
    db = folder / ".quaid" / "memory.db"
    store = Store.create(db)
    with store.write() as connection:
        insert(connection, Attachment("vault", "..", default=True))
        record_all(connection, db)
    store.close()
    return db


def in_process(folder: Path) -> dict[str, float]:
    """What a sync costs in a process of its own."""
    command = [sys.executable, __file__, "--sync", str(folder)]
    answer = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    result: dict[str, float] = json.loads(answer.stdout)
    return result


def synced(folder: Path) -> dict[str, float]:
    """Bring the folder's pages into step with its files."""
    app = open_app(folder / ".quaid" / "memory.db", Settings())
    row = app.collection_row()
    cpu = processor_time()
    took = timed(lambda: app.sync(row).run())
    peak = peak_mb() + possible() * peak_mb(resource.RUSAGE_CHILDREN)
    return {"seconds": took / 1000, "cpu": processor_time() - cpu, "peak": peak}


def processor_time() -> float:
    """Seconds of all cores that this process and those that it started have used."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def hash_all(files: list[Path]) -> None:
    """The least that a sync could do."""
    for path in files:
        hashlib.sha256(path.read_bytes()).hexdigest()


def call(app: App, name: str, values: dict[str, Any]) -> Any:
    """An operation, as a program calls it."""
    return operations.call(app, name, values)


def quaid(db: Path, *words: str) -> str:
    """The program as a person runs it."""
    return subprocess.run(
        [PROGRAM, "--db", str(db), *words], stdout=subprocess.PIPE, check=True, text=True
    ).stdout


def line(name: str, figure: str, remark: str) -> None:
    """One line of the table."""
    print(f"{name:44} {figure:>10}   {remark}".rstrip(), flush=True)


def timed(work: Callable[[], object]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
