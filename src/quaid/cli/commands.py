"""Commands that are not operations: those that make a memory, describe the program, or carry other calls."""

from __future__ import annotations

import json
import platform
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

from quaid import __version__, operations
from quaid.app import open_app, user_memory
from quaid.app.attachments import Attachment
from quaid.app.discovery import DATABASE, DIRECTORY, is_memory
from quaid.cli import completion
from quaid.cli.console import read_json
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import Internal, InvalidInput, QuaidError
from quaid.files import make_private_directory
from quaid.formats.slugs import slugify
from quaid.model.record import record
from quaid.operations.arguments import Parameter
from quaid.operations.collections import Profile, attach
from quaid.operations.operation import Argument
from quaid.operations.results import as_data
from quaid.operations.syncing import sync_collection, synced_text
from quaid.store.collections import of_files
from quaid.store.connection import Store
from quaid.store.migrations import SCHEMA_VERSION
from quaid.vault.sync import Report
from quaid.vault.watch import Watched, Watcher

DATABASE_SUFFIXES = (".db", ".sqlite", ".sqlite3")
SHOWN = 5  # slugs in a line


@record
class Command:
    """A command of the shell; `run` answers with the exit status."""

    name: str
    help: str
    run: Callable[[Session, Given], int]
    arguments: tuple[Parameter, ...] = ()
    examples: tuple[str, ...] = ()


def _word(name: str, help_text: str, *, required: bool = True) -> Parameter:
    return Parameter(name, "string", Argument(help_text, positional=True), required, None)


def init(session: Session, given: Given) -> int:
    """Make a memory."""
    wanted = given.values.get("path") or session.db or session.environment.get("QUAID_DB")
    path = Path(wanted).expanduser().absolute() if wanted else user_memory(session.home)
    if path.suffix not in DATABASE_SUFFIXES or path.is_dir():
        return _init_folder(session, path.resolve(), given.values.get("profile") or "vault")
    existed = path.exists() and path.stat().st_size > 0
    Store.create(path, session.settings.number("store.busy_timeout")).close()
    if session.console.as_json:
        session.console.show_data({"path": str(path), "created": not existed})
    else:
        session.console.show(
            f"{path} is a memory already; nothing changed" if existed else f"Made a memory: {path}"
        )
    return 0


def _init_folder(session: Session, folder: Path, profile: str) -> int:
    """A folder whose files are the pages, with the memory that is derived from them in it."""
    if folder == session.home.resolve():
        raise InvalidInput(
            "your home directory is not a folder of notes", hint="Name one: quaid init ~/notes."
        )
    if folder.is_file():
        raise InvalidInput(
            f"{folder} is neither a folder nor a file that ends in .db", hint=f"Try {folder.parent}."
        )
    make_private_directory(folder)
    path = folder / DIRECTORY / DATABASE
    existed = is_memory(path)
    if not existed:
        Store.create(path, session.settings.number("store.busy_timeout")).close()
    app = open_app(path, session.settings, session.surroundings)
    if app.has_files:
        synced = [sync_collection(app, row) for row in of_files(app.connection)]
    else:
        name = slugify(folder.name).replace("/", "-")
        synced = [attach(app, Attachment(name, "..", profile, default=True))]
    if session.console.as_json:
        session.console.show_data(
            {"path": str(path), "created": not existed, "collections": as_data(tuple(synced))}
        )
        return 0
    style = session.console.style()
    said = f"{path} is a memory already" if existed else f"Made a memory: {path}"
    session.console.show("\n".join([said, *(synced_text(each, style) for each in synced)]))
    return 0


def watch(session: Session, given: Given) -> int:
    """Keep collections in step with their files until interrupted."""
    app = session.app
    name = given.values.get("name")
    rows = [app.collection_row(name)] if name else of_files(app.connection)
    watched = [Watched(row, app.root_of(row)) for row in rows if row.kind == "files"]
    if not watched:
        raise InvalidInput(
            "there is no folder to watch", hint="Attach one: quaid collection add NAME FOLDER."
        )
    embed = given.values.get("embed")

    def tell(report: Report) -> None:
        if session.console.as_json:
            session.console.show_data(as_data(report))
        else:
            did = ", ".join(f"{count:,} {effect}" for effect, count in report.effects.items())
            slugs = ", ".join(report.slugs[:SHOWN]) + (" …" if len(report.slugs) > SHOWN else "")
            session.console.show(
                f"{report.collection}: {did} ({slugs})" if did else f"{report.collection}: in step"
            )
        sys.stdout.flush()
        if embed and report.changed:
            app.models.embed(app.models.current())

    debounce = app.settings.number("sync.debounce")
    watcher = Watcher(app.store, watched, app.sync, app.now, debounce, tell, session.console.notify)
    stop = threading.Event()
    with stopping(stop):
        watcher.run(stop)
    return 0


@contextmanager
def stopping(stop: threading.Event) -> Iterator[None]:
    """Let a request to end the process set an event instead."""
    before = {
        number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def version(session: Session, given: Given) -> int:
    """Say which version of what runs."""
    import apsw  # the other commands that are not operations do without

    facts = {
        "quaid": __version__,
        "schema": SCHEMA_VERSION,
        "sqlite": apsw.sqlite_lib_version(),
        "python": platform.python_version(),
    }
    if session.console.as_json:
        session.console.show_data(facts)
    else:
        session.console.show("\n".join(f"{name:7} {value}" for name, value in facts.items()))
    return 0


def call(session: Session, given: Given) -> int:
    """Call a tool as a program does."""
    values = read_json(given.values.get("arguments") or "{}")
    if not isinstance(values, dict):
        raise InvalidInput("the arguments must be a JSON object")
    result = operations.call(session.app, given.values["tool"], values)
    session.console.show_data(as_data(result))
    return operations.tool(given.values["tool"]).status(result)


def pipe(session: Session, given: Given) -> int:
    """Answer calls, one JSON object a line, until the input ends."""
    app = session.app
    for line in _lines():
        identity: Any = None
        answer: dict[str, Any]
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise InvalidInput("a line must be an object with `tool` and `args`")
            identity = request.get("id")
            answer = {"result": as_data(operations.call(app, *_request(request)))}
        except QuaidError as error:
            answer = {"error": error.as_dict()}
        except (ValueError, RecursionError) as error:
            answer = {"error": InvalidInput(f"that is not JSON: {error}").as_dict()}
        except Exception as error:  # surface: one bad line must not end the stream
            answer = {"error": Internal(f"{type(error).__name__}: {error}").as_dict()}
        sys.stdout.write(json.dumps({"id": identity} | answer, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    return 0


def _lines() -> Iterator[bytes]:
    return (line for line in sys.stdin.buffer if line.strip())


def _request(request: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    name, values = request.get("tool"), request.get("args", {})
    if not isinstance(name, str) or not isinstance(values, dict):
        raise InvalidInput("a line must have a `tool` and an object of `args`")
    return name, values


def print_completion(session: Session, given: Given) -> int:
    """Print a script that completes commands, slugs, types and tags."""
    script = completion.script(given.values["shell"])
    if session.console.as_json:
        session.console.show_data({"script": script})
    else:
        session.console.show(script)
    return 0


COMMANDS: tuple[Command, ...] = (
    Command(
        "init",
        "Make a memory. Without a path, it is yours for every directory: ~/.quaid/memory.db. "
        "Of a folder, the files are the pages; they stay as they are.",
        init,
        (
            _word("path", "A file that ends in .db, or a folder.", required=False),
            Parameter(
                "profile", "string", Argument("What kind of folder it is."), False, "vault", get_args(Profile)
            ),
        ),
        ("init", "init work.db", "init ~/notes"),
    ),
    Command(
        "watch",
        "Keep the memory in step with folders until interrupted. "
        "What changes is read after a moment of quiet.",
        watch,
        (
            _word("name", "The collection; otherwise all.", required=False),
            Parameter("embed", "boolean", Argument("Also embed what has changed."), False, False),
        ),
        ("watch", "watch notes --embed"),
    ),
    Command("version", "Say which version of what runs.", version),
    Command(
        "call",
        "Call a tool as a program does; the answer is JSON.",
        call,
        (
            _word("tool", "The tool, such as memory_get."),
            _word("arguments", "Its arguments: JSON, @FILE or -.", required=False),
        ),
        ("""call memory_search '{"query": "river"}'""",),
    ),
    Command(
        "pipe",
        "Answer calls until the input ends. "
        'A line in: {"id": 1, "tool": "memory_get", "args": {"slug": "x"}}; '
        'a line out: {"id": 1, "result": …} or {"id": 1, "error": …}.',
        pipe,
    ),
    Command(
        "completion",
        "Print a script that completes commands, slugs, types and tags in your shell.",
        print_completion,
        (_word("shell", "bash, zsh or fish."),),
        ("completion bash > ~/.local/share/bash-completion/completions/quaid",),
    ),
)

BY_NAME = {command.name: command for command in COMMANDS}
