"""Commands that are not operations: those that make a memory, describe the program, or carry other calls."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from quaid import __version__, operations
from quaid.app import user_memory
from quaid.cli import completion
from quaid.cli.console import read_json
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import Internal, InvalidInput, QuaidError
from quaid.model.record import record
from quaid.operations.arguments import Parameter
from quaid.operations.operation import Argument
from quaid.operations.results import as_data
from quaid.store.connection import Store
from quaid.store.migrations import SCHEMA_VERSION

DATABASE_SUFFIXES = (".db", ".sqlite", ".sqlite3")


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
        raise InvalidInput(f"{path} does not end in .db", hint=f"Try {path}.db.")
    existed = path.exists() and path.stat().st_size > 0
    Store.create(path, session.settings.number("store.busy_timeout")).close()
    if session.console.as_json:
        session.console.show_data({"path": str(path), "created": not existed})
    else:
        session.console.show(
            f"{path} is a memory already; nothing changed" if existed else f"Made a memory: {path}"
        )
    return 0


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
        "Make a memory. Without a path, it is yours for every directory: ~/.quaid/memory.db.",
        init,
        (_word("path", "A file that ends in .db.", required=False),),
        ("init", "init work.db"),
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
