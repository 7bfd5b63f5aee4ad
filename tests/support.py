"""What tests share: a clock that they move, the program as a process, and a look into a memory."""

from __future__ import annotations

import io
import json
import os
import pkgutil
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import apsw
import pytest
from hypothesis import settings

import quaid as quaid_package
from quaid import operations
from quaid.app import App
from quaid.cli.main import main
from quaid.errors import QuaidError
from quaid.files import make_private_directory, make_private_file
from quaid.operations.results import as_data
from quaid.settings import Settings
from quaid.store.connection import Store, schema

PROGRAM = str(Path(sys.executable).with_name("quaid"))
NOBODY = 65534
PATIENCE = 300  # seconds; only for what would otherwise never end
START = datetime(2026, 4, 14, 12, tzinfo=UTC)


def examples(few: int, many: int, **more: Any) -> settings:
    """How many inputs Hypothesis tries: few in every run of the tests, many in `make test-long`."""
    return settings(max_examples=many if settings.get_current_profile_name() == "long" else few, **more)


def lengths(name: str, short: Any, long: Any) -> pytest.MarkDecorator:
    """A test of endurance: short in every run of the tests, and long in `make test-long`."""
    return pytest.mark.parametrize(name, [short, pytest.param(long, marks=pytest.mark.long)])


class Clock:
    """A time that stands still until a test moves it."""

    def __init__(self) -> None:
        self.moment = START

    def __call__(self) -> str:
        return self.moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    def tick(self, seconds: float = 1) -> str:
        self.moment += timedelta(seconds=seconds)
        return self()


@dataclass(frozen=True)
class Ran:
    """How a run of the program ended."""

    status: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.raw)

    @property
    def error(self) -> Any:
        """The error that --json puts on standard error."""
        return json.loads(self.err)["error"]


def quaid(
    *words: str | bytes | Path,
    input: str | bytes | None = None,
    db: Path | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    program: str | Path = PROGRAM,
) -> Ran:
    """Run the program as people do; a stand-in of `tests/forked.py` starts sooner."""
    data = input.encode() if isinstance(input, str) else input
    done = subprocess.run(
        [program, *words],
        input=data if data is not None else b"",
        capture_output=True,
        env=environment(db, env),
        cwd=cwd,
        timeout=PATIENCE,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr.decode())


def environment(db: Path | None = None, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment, with a memory chosen."""
    chosen = {"QUAID_DB": str(db)} if db else {}
    return {**os.environ, **chosen, **(more or {})}


def quick(
    *words: str | bytes | Path,
    input: str | bytes = b"",
    db: Path | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Ran:
    """Run the program within this process: as `quaid` does, without the time that a start takes."""
    data = input.encode() if isinstance(input, str) else input
    streams = [io.TextIOWrapper(io.BytesIO(data)), *(io.TextIOWrapper(io.BytesIO()) for _ in range(2))]
    with pytest.MonkeyPatch.context() as patch:
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, stream)
        for variable, value in (env or {}).items():
            patch.setenv(variable, value)
        if cwd:
            patch.chdir(cwd)
        try:
            status: Any = main([*(["--db", str(db)] if db else []), *map(os.fsdecode, words)])
        except SystemExit as ended:
            status = ended.code or 0
    for stream in streams[1:]:
        stream.flush()
    out, err = (stream.buffer.getvalue() for stream in streams[1:])  # type: ignore[attr-defined]
    return Ran(status, out, err.decode())


def open_memory(path: Path, now: Any = None) -> App:
    """A memory, made if it is not there."""
    return App(memory_at(path), Settings(), **({"now": now} if now else {}))


def memory_at(path: Path) -> Store:
    """The store of a memory, made if it is not there: as `Store.create` does, in a third of the time."""
    if not path.exists():
        make_private_directory(path.parent)
        make_private_file(path)
        path.write_bytes(_new_memory())
    return Store.open(path)


@lru_cache(maxsize=1)
def _new_memory() -> bytes:
    """An empty memory, with which thousands of tests begin."""
    with TemporaryDirectory() as place:
        path = Path(place) / "memory.db"
        Store.create(path).close()
        return path.read_bytes()


def call(app: App, name: str, /, **values: Any) -> Any:
    """Run an operation as a person does, who need not name versions; the answer is data."""
    chosen = operations.operation(name) if name in operations.NAMES else operations.tool(name)
    return as_data(operations.run(app, chosen, operations.decode(chosen.arguments, values, tool=False)))


def tool(app: App, name: str, /, **values: Any) -> Any:
    """Run an operation as a program does; the answer is data."""
    return as_data(operations.call(app, name, values))


def version_of(app: App, slug: str) -> int:
    """The version that a reader sees."""
    return int(call(app, "get", slug=slug)["version"])


def dump(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, those of the word index too."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        tables = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        )
        return {name: list(connection.execute(f'SELECT * FROM "{name}"')) for (name,) in list(tables)}
    finally:
        connection.close()


def links_table(app: App) -> list[tuple[Any, ...]]:
    """Where every link of a readable page leads, by slugs."""
    return sorted(
        app.connection.execute(
            """SELECT f.slug, l.ordinal, l.target, coalesce(t.slug, '') FROM links l
               JOIN live_pages f ON f.id = l.from_page_id LEFT JOIN pages t ON t.id = l.to_page_id"""
        )
    )


def leads_to(app: App, slug: str) -> list[str]:
    """The pages to which a page's links lead, in the order of its text; "" where there is none."""
    return [link["to"] for link in call(app, "links", slug=slug)["links"]]


def found(app: App, query: str, **filters: Any) -> list[str]:
    """The slugs that a search answers with."""
    return [match["slug"] for match in call(app, "search", query=query, **filters)["results"]]


def load_everything() -> None:
    """Import what commands load late: a checkout may lie where another user may not look."""
    schema()
    for found in pkgutil.walk_packages(quaid_package.__path__, "quaid."):
        if not found.name.startswith(("quaid.mcp", "quaid.embed", "quaid.library", "quaid.__main__")):
            import_module(found.name)


@contextmanager
def unprivileged(*paths: Path) -> Iterator[None]:
    """As somebody whom permissions stop, who owns these files: root, who runs CI, is stopped by none."""
    if os.geteuid() != 0:
        yield
        return
    load_everything()
    for path in paths:
        for each in (path, *path.rglob("*")):
            os.chown(each, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def eventually(holds: Callable[[], Any]) -> Any:
    """What another process brings about, once it has; a test that waits for ever for it has failed."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.02)
    return found


def listens(process: subprocess.Popen[Any], port: int) -> bool:
    """Whether a server that was started can be reached already."""
    assert process.poll() is None, "the server ended before it listened"
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def waits(process: subprocess.Popen[Any]) -> bool:
    """Whether a process has nothing to do but wait; where nobody says, it is taken for granted."""
    place = Path(f"/proc/{process.pid}/syscall")
    try:
        return place.read_text().split()[0] == "0"  # read
    except OSError:
        return True


def calls(run: Callable[[], Any]) -> int:
    """How many functions are called: what it costs, whatever else the machine does."""
    count = 0

    def look(frame: FrameType, event: str, called: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(look)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


def without_samples(place: Path) -> None:
    """Remove the samples of git's hooks below a place: nothing reads them, and every copy would copy them."""
    for sample in place.glob("**/hooks/*.sample"):
        sample.unlink()


class Restored:
    """A directory that was made once, and is put back as it was for each test: paths in it stay true."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._copy = place.with_name(f"{place.name}-as-made")
        without_samples(place)
        shutil.copytree(place, self._copy, symlinks=True)

    def __call__(self) -> Path:
        shutil.rmtree(self.place)
        shutil.copytree(self._copy, self.place, symlinks=True)
        return self.place


@contextmanager
def tolerating(*codes: str) -> Iterator[None]:
    """Let a refusal with one of these codes pass; anything else is raised."""
    try:
        yield
    except QuaidError as error:
        if error.code not in codes:
            raise


@contextmanager
def mounted(place: Path, options: str = "") -> Iterator[Path]:
    """A file system of its own, in memory; the test is skipped where none can be mounted."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("NOT TESTED: mounting a file system needs root on Linux")
    place.mkdir()
    command = ["mount", "-t", "tmpfs", *(["-o", options] if options else []), "tmpfs", str(place)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"NOT TESTED: no file system can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


@contextmanager
def held(path: Path, statement: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that has a transaction open on a memory as long as the block runs."""
    script = f"""
import sys
from pathlib import Path
from quaid.store.connection import Store
connection = Store.open(Path({str(path)!r})).connection
connection.execute({statement!r}).fetchall()
connection.execute("SELECT count(*) FROM pages").fetchall()
print("held", flush=True)
for line in sys.stdin:
    print(connection.execute(line).fetchall(), flush=True)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    try:
        yield process
    finally:
        process.stdin.close()
        process.wait(timeout=PATIENCE)
        process.stdout.close()


def ask(process: subprocess.Popen[str], statement: str) -> str:
    """What the process that holds a memory sees."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(statement + "\n")
    process.stdin.flush()
    return process.stdout.readline().strip()
