"""The command that looks at the installation itself: is it whole, and does it work?"""

from __future__ import annotations

import base64
import gc
import hashlib
import platform
import tempfile
from collections.abc import Callable
from importlib.metadata import Distribution, distribution
from pathlib import Path

import apsw

from quaid import __version__, operations
from quaid.app import App, Surroundings, open_app
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import FINDINGS_STATUS, QuaidError
from quaid.model.record import record
from quaid.operations.results import as_data
from quaid.operations.text import columns, count_of
from quaid.settings import Settings
from quaid.store.connection import Store

PAGE = "# The tide table\n\nHigh water at the pier is shortly after noon.\n"
QUESTION = "when is the sea deepest at the jetty?"
MOST_NAMED = 3


@record
class Checked:
    """What was looked at, whether it is well, and what was seen."""

    name: str
    ok: bool
    seen: str


class Faulty(Exception):
    """What a check found; its text is for people."""


def self_check(session: Session, given: Given) -> int:
    """Look at the installation, part by part; one that fails stops no other."""
    checks: tuple[tuple[str, Callable[[], str]], ...] = (
        ("files", lambda: file_count(distribution("quaid"))),
        ("sqlite", _sqlite),
        ("models", _models),
        ("memory", _memory),
    )
    done = [_outcome(name, check) for name, check in checks]
    style = session.console.style()
    rows = [("ok" if each.ok else "FAULT", each.name, each.seen) for each in done]
    ok = all(each.ok for each in done)
    verdict = (
        "Everything works." if ok else style.warning("Install Quaid anew; if that does not help, report it.")
    )
    first = (
        f"quaid {__version__}, Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    )
    session.console.answer(
        {"version": __version__, "ok": ok, "checks": as_data(done)},
        "\n".join([first, columns(rows), verdict]),
    )
    return 0 if ok else FINDINGS_STATUS


def _outcome(name: str, check: Callable[[], str]) -> Checked:
    try:
        return Checked(name, True, check())
    except Faulty as fault:
        return Checked(name, False, str(fault))
    except QuaidError as error:
        return Checked(name, False, f"{error.message}. {error.hint}")
    except Exception as error:  # surface: what is damaged may fail in any way
        return Checked(name, False, f"{type(error).__name__}: {error}")


def file_count(installed: Distribution) -> str:
    """How many files of a package are as it lists them, with hashes; a fault, if some are not."""
    listed = [(each, each.hash) for each in installed.files or () if each.hash]
    if not any(each.suffix == ".py" for each, _ in listed):
        return "run from a copy of the source: there is nothing to compare with"
    wrong = [str(each) for each, stated in listed if _hash_of(Path(str(each.locate()))) != stated.value]
    if wrong:
        more = f" and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
        raise Faulty(f"missing or changed: {', '.join(wrong[:MOST_NAMED])}{more}")
    return f"{count_of(len(listed), 'file is', 'files are')} as the package lists them"


def _hash_of(path: Path) -> str:
    """A file's SHA-256 as such lists spell it; empty for one that is not there."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return ""
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _sqlite() -> str:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(text)")
    connection.execute("INSERT INTO t VALUES ('an anchor')")
    if not connection.execute("SELECT 1 FROM t WHERE t MATCH 'anchor'").fetchall():
        raise Faulty("the word index finds nothing")
    return f"{apsw.sqlite_lib_version()}, with word indexes"


def _models() -> str:
    """Load what comes with the package."""
    with tempfile.TemporaryDirectory(prefix="quaid-check-") as place:
        app = _new_memory(Path(place))
        models = app.models
        embedder = models.embedder_of(models.current())
        if embedder.embed(["an anchor"]).shape != (1, embedder.dimensions):
            raise Faulty(f"{embedder.name} gives something else than a vector")
        voice, _ = models.voice()
        app.store.close()  # Windows removes no file that is open
    return f"{embedder.name} loads" + (", and so does the reranker" if voice else "; there is no reranker")


def _memory() -> str:
    """Use a memory that nobody else has."""
    with tempfile.TemporaryDirectory(prefix="quaid-check-") as place:
        _use(_new_memory(Path(place)))
        gc.collect()  # Windows removes no file that is still mapped
    return "a page was written, found by its words and by its meaning, and removed"


def _use(app: App) -> None:
    operations.call(app, "put", {"slug": "check/tide", "content": PAGE, "expected_version": 0})
    for tool, wanted in (("search", "pier"), ("query", QUESTION)):
        found = operations.call(app, tool, {"query": wanted}).results
        if [each.slug for each in found[:1]] != ["check/tide"]:
            raise Faulty(f"`{tool}` does not find the page that was written")
    operations.call(app, "rm", {"slug": "check/tide", "page_version": 1})
    if operations.call(app, "list", {}).pages:
        raise Faulty("a page that was removed is still there")
    app.store.close()


def _new_memory(place: Path) -> App:
    """A new memory, with no settings and no home but its own."""
    path = place / "memory.db"
    Store.create(path).close()
    return open_app(path, Settings(), Surroundings(home=place))
