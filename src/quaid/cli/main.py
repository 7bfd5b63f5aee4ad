"""The `quaid` command, and `ai-kb` under its own name."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from typing import TYPE_CHECKING, Any

from quaid import __version__, operations
from quaid.cli.console import Console
from quaid.cli.parser import help_text, operation_arguments, parse
from quaid.cli.program import QUAID, Program
from quaid.errors import INTERRUPTED_STATUS, Internal, QuaidError
from quaid.home import home_directory
from quaid.operations.arguments import parameters
from quaid.operations.operation import Operation
from quaid.operations.results import as_data

if TYPE_CHECKING:
    from quaid.app import App
    from quaid.cli.session import Session

JSON_COMMANDS = ("call", "pipe")  # what they answer is JSON, errors too
GROUPS = ("kb",)  # first words of commands that have an overview of their own
VALUED = ("--db", "--kb")  # options before a command that are followed by a value
UNFAILING = ("hook",)  # an agent's program takes a failure for a veto
OBJECTS = 10_000  # that are made before cycles are looked for: loading makes thousands that all stay
PRODUCTS = "OPENBLAS_NUM_THREADS"  # of NumPy: more than one wait by spinning, on cores that a model needs


def main(argv: Sequence[str] | None = None, program: Program = QUAID) -> int:
    """Run one command; the answer is the exit status."""
    os.environ.setdefault(PRODUCTS, "1")
    is_process = argv is None
    if is_process:
        gc.set_threshold(OBJECTS)
    words = list(sys.argv[1:] if argv is None else argv)
    words = [program.group, *words] if program.group else words
    name, rest = split_command(words)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # closed by whoever started us
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")  # type: ignore[union-attr]
    as_json = "--json" in words or name in JSON_COMMANDS
    status = _run(name, rest, program, Console(as_json, os.environ, program.name))
    if is_process and name in operations.NAMES:
        gc.freeze()  # they close what they open; Python need not search all the rest before it ends
    if status and name in UNFAILING:
        print("{}")
        return 0
    return status


def _run(name: str, words: list[str], program: Program, console: Console) -> int:
    try:
        status = _dispatch(name, words, program)
        sys.stdout.flush()
        return status
    except QuaidError as error:
        console.show_error(error)
        return error.exit_status
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS
    except BrokenPipeError:
        # Whoever read our output has gone; keep Python from complaining when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # surface: the last one
        if os.environ.get("QUAID_DEBUG"):
            raise
        hint = "This is a defect of Quaid. QUAID_DEBUG=1 shows where."
        console.show_error(Internal(f"{type(error).__name__}: {error}", hint=hint))
        return Internal.exit_status


def _dispatch(name: str, rest: list[str], program: Program) -> int:
    """Run a command with the words beside its name."""
    if name in ("", *GROUPS):
        return _without_command(name, rest, program)
    if name in operations.NAMES:
        return _operate(name, rest, program)
    from quaid.cli import commands  # what operations do not need

    if name in commands.BY_NAME:
        command = commands.BY_NAME[name]
        given = parse(name, command.arguments, rest, program)
        if given.help:
            print(help_text(name, command.help, command.arguments, command.examples, program))
            return 0
        as_json = given.json or name in JSON_COMMANDS
        with _acting():
            return command.run(_session(given.db, Console(as_json, os.environ, program.name)), given)
    *group, last = name.split(" ")
    if last == "help":
        return _dispatch(*split_command([*group, *rest, "--help"]), program)
    from quaid.cli import completion, overview  # rarely needed

    listing = f"{name} list"
    if "--help" not in rest and (listing in operations.NAMES or listing in commands.BY_NAME):
        return _dispatch(listing, rest, program)
    if name == "complete":
        return completion.complete(rest, lambda db: _session(db, Console(False, os.environ, program.name)))
    return overview.unknown(name, program)


def split_command(words: list[str]) -> tuple[str, list[str]]:
    """The command's name, of one word or more, and the other words.

    Options may stand before the name, and behind a first word that is no command by itself.
    """
    place = _skip_options(words, 0)
    if place >= len(words):
        return "", words
    known = _names(words[place])
    name, taken = words[place], {place}
    while any(each.startswith(name + " ") for each in known):
        place = place + 1 if name in known else _skip_options(words, place + 1)
        if place >= len(words) or words[place].startswith("-"):
            break
        longer = f"{name} {words[place]}"
        if name in known and longer not in known:
            break
        name = longer
        taken.add(place)
    return name, [word for place, word in enumerate(words) if place not in taken]


def _skip_options(words: list[str], place: int) -> int:
    """Where the first word from there on stands that is no option."""
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in VALUED else 1
    return place


def _names(first: str) -> Sequence[str]:
    """The commands among which one that begins with that word is."""
    if any(name.split(" ")[0] == first for name in operations.NAMES):
        return operations.NAMES
    from quaid.cli import commands  # what operations do not need

    return tuple(commands.BY_NAME)


def _operate(name: str, words: list[str], program: Program) -> int:
    operation = operations.operation(name)
    known = parameters(operation.arguments)
    given = parse(name, known, words, program)
    if given.help:
        print(help_text(name, operation.help, known, operation.examples, program))
        return 0
    arguments = operation_arguments(operation, known, given)
    console = Console(given.json, os.environ, program.name)
    if operation.needs == "kb":
        from quaid.cli.kb import kb_app  # only for knowledge bases

        asked = kb_app(arguments.kb, given.db, console, lambda: _session(given.db, console))
        reads = operation.effect == "read"
        with closing(asked) as kb, nullcontext() if reads else _acting():
            result = operation.run(kb, arguments)
        _show(operation, result, console)
        return operation.status(result)
    with _acting():
        session = _session(given.db, console)
        app = session.open_memory(session.memory, mending=operation.mends)
        with closing(app.store):
            result = operations.run(app, operation, arguments)
            _show(operation, result, console, app)
    return operation.status(result)


def _acting() -> AbstractContextManager[None]:
    """What tells operations who types."""
    from quaid.cli.actor import typist  # a knowledge base is asked without it
    from quaid.model.actor import acting

    return acting(typist(os.environ))


def _show(operation: Operation[Any, Any], result: Any, console: Console, app: App | None = None) -> None:
    if console.as_json:
        console.show_data(as_data(result))
        return
    for notice in operation.notices(result):
        console.notify(notice)
    if operation.verbatim:
        console.show_verbatim(operation.render(result, console.style()))
    elif app is None:
        console.show_plain(operation.render(result, console.style()))
    else:
        console.show(operation.render(result, console.style(app.settings.text("output.color"))))


def _without_command(group: str, words: list[str], program: Program) -> int:
    if "--version" in words:
        print(f"{program.name} {__version__}")
        return 0
    from quaid.cli import overview  # loads every operation

    return overview.tools() if "--tools-json" in words and not group else overview.show(words, group, program)


def _session(db: str | None, console: Console) -> Session:
    from pathlib import Path  # a knowledge base is asked without it

    from quaid.cli.session import Session  # and without a memory

    try:
        here = Path.cwd()
    except FileNotFoundError:  # the directory is gone
        here = Path(home_directory())
    return Session(db, console, os.environ, here, Path(home_directory()))
