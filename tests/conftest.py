"""What every test gets: a Hypothesis profile, and an environment without the person's own memory."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from quaid.app import App
from quaid.embed.onnx import usable_cores
from tests.graph import browser as browsers
from tests.support import Clock, open_memory

# No deadline: the tests share two busy cores, and a slow example is not a wrong one.
settings.register_profile("local", deadline=None, max_examples=50)
settings.register_profile("ci", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=1_000)
settings.load_profile("ci" if os.environ.get("CI") else "local")

# Whoever runs them in the background may ignore it, and with it every process that a test interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests start the program hundreds of times. Without compiled modules, each start compiles them all.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

MEMORY = "/dev/shm"
ENOUGH = 4 << 30  # bytes; the tests leave nothing behind that is nearly as large


def holds_programs(place: str) -> bool:
    """Whether a file system has room for all tests, and runs the scripts that they write."""
    if not hasattr(os, "statvfs") or not os.access(place, os.W_OK) or shutil.disk_usage(place).free < ENOUGH:
        return False
    return not os.statvfs(place).f_flag & os.ST_NOEXEC


# Tests wait for the disk tens of thousands of times, and no process that is killed can tell the difference.
if holds_programs(MEMORY):
    os.environ.setdefault("TMPDIR", MEMORY)
    tempfile.tempdir = None  # it was found out before


@pytest.hookimpl(optionalhook=True)  # without xdist there is none
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: tests wait for the processes that they start."""
    return usable_cores() + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is loaded by then, and the tests themselves, stay: the collector need not look at them again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def home_of_fixtures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What lives longer than a test does not touch the home directory of whoever runs it either."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("QUAID_EMBED_BACKGROUND", "off")
        yield


@pytest.fixture(autouse=True)
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests neither see nor touch the home directory and the settings of whoever runs them."""
    # Another test of this process may have loaded the model: a hook is tested as one that has none.
    monkeypatch.setattr("quaid.app.models.Models.is_ready", False)
    gc.enable()  # a server that was started within this process has turned it off
    monkeypatch.setenv("HOME", str(tmp_path))
    agents = ("CLAUDE", "CODEX", "GEMINI", "CURSOR", "OPENCODE")
    for name in [name for name in os.environ if name.startswith(("QUAID_", *agents))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("QUAID_WARM_MINUTES", "0")  # no process outlives the test that called a hook
    monkeypatch.setenv("QUAID_EMBED_BACKGROUND", "off")  # a process must not outlive its test


@pytest.fixture
def clock() -> Clock:
    """The time of the memory `app`."""
    return Clock()


@pytest.fixture
def app(tmp_path: Path, clock: Clock) -> Iterator[App]:
    """A new memory in a file, whose clock stands still."""
    opened = open_memory(tmp_path / "memory.db", clock)
    yield opened
    opened.store.close()


@pytest.fixture
def db(app: App) -> Path:
    """The file of the memory `app`."""
    return app.store.path


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Browser]:
    """A browser, which takes seconds of a processor to start."""
    if not browsers.PROGRAM:
        pytest.skip("NO BROWSER: the dashboard and drawings are not tested; install chromium")
    with browsers.running(tmp_path_factory.mktemp("chromium")) as started:
        yield started


@pytest.fixture(scope="module")
def browser(chromium: browsers.Browser) -> Iterator[browsers.Room]:
    """A browser that knows nothing of what other modules did with it."""
    with chromium.room() as room:
        yield room
