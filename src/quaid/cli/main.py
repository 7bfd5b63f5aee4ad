"""The `quaid` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from quaid import __version__, operations
from quaid.cli.console import Console
from quaid.cli.parser import help_text, operation_arguments, parse
from quaid.cli.session import Session
from quaid.errors import INTERRUPTED_STATUS, Internal, QuaidError
from quaid.operations.arguments import Parameter, parameters
from quaid.operations.results import as_data

JSON_COMMANDS = ("call", "pipe")  # what they answer is JSON, errors too
NO_HOME = os.path.join(os.devnull, "home")  # where not even root could make anything
UNFAILING = ("hook",)  # an agent's program takes a failure for a veto


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the answer is the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    place = _first_word(words)
    if words[place : place + 1] == ["kb"]:
        from quaid.cli import ai_kb  # a command line of its own

        return ai_kb.main([*words[:place], *words[place + 1 :]], "quaid kb")
    name, _ = split_command(words)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # closed by whoever started us
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")  # type: ignore[union-attr]
    status = _run(words, Console("--json" in words or name in JSON_COMMANDS, os.environ))
    if status and name in UNFAILING:
        print("{}")
        return 0
    return status


def _run(words: list[str], console: Console) -> int:
    try:
        status = dispatch(words)
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


def dispatch(words: list[str]) -> int:
    """Find the command among the words and run it."""
    name, rest = split_command(words)
    if name == "":
        return _without_command(rest)
    if name in operations.NAMES:
        return _operate(name, rest)
    from quaid.cli import commands  # what operations do not need

    if name in commands.BY_NAME:
        command = commands.BY_NAME[name]
        given = parse(name, command.arguments, rest)
        if given.help:
            return _help(name, command.help, command.arguments, command.examples)
        return command.run(_session(given.db, given.json), given)
    from quaid.cli import completion, overview  # rarely needed

    if name == "help":
        return dispatch([*rest, "--help"])
    if name == "complete":
        return completion.complete(rest, lambda db: _session(db, False))
    return overview.unknown(name, rest)


def split_command(words: list[str]) -> tuple[str, list[str]]:
    """The command's name, of one word or more, and the other words."""
    place = _first_word(words)
    if place >= len(words):
        return "", words
    known = _names(words[place])
    end = place + 1
    while end < len(words) and not words[end].startswith("-"):
        name = " ".join(words[place:end])
        if not any(each.startswith(name + " ") for each in known):
            break
        if name in known and f"{name} {words[end]}" not in known:
            break
        end += 1
    return " ".join(words[place:end]), words[:place] + words[end:]


def _first_word(words: list[str]) -> int:
    """Where the first word that is no option stands."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] == "--db" else 1
    return place


def _names(first: str) -> Sequence[str]:
    """The commands among which one that begins with that word is."""
    if any(name.split(" ")[0] == first for name in operations.NAMES):
        return operations.NAMES
    from quaid.cli import commands  # what operations do not need

    return tuple(commands.BY_NAME)


def _operate(name: str, words: list[str]) -> int:
    operation = operations.operation(name)
    known = parameters(operation.arguments)
    given = parse(name, known, words)
    if given.help:
        return _help(name, operation.help, known, operation.examples)
    session = _session(given.db, given.json)
    arguments = operation_arguments(operation, given)
    result = operations.run(session.app, operation, arguments)
    if session.console.as_json:
        session.console.show_data(as_data(result))
    elif operation.verbatim:
        session.console.show_verbatim(operation.render(result, session.console.style()))
    else:
        style = session.console.style(session.app.settings.text("output.color"))
        session.console.show(operation.render(result, style))
    return operation.status(result)


def _without_command(words: list[str]) -> int:
    if "--version" in words:
        print(f"quaid {__version__}")
        return 0
    from quaid.cli import overview  # loads every operation

    return overview.tools() if "--tools-json" in words else overview.show(words)


def _help(name: str, description: str, known: Sequence[Parameter], examples: Sequence[str]) -> int:
    print(help_text(name, description, known, examples))
    return 0


def _session(db: str | None, as_json: bool) -> Session:
    try:
        here = Path.cwd()
    except FileNotFoundError:  # the directory is gone
        here = _home()
    return Session(db, Console(as_json, os.environ), os.environ, here, _home())


def _home() -> Path:
    """The person's home directory; for a user who has none, one that is not there."""
    home = os.path.expanduser("~")
    return Path(home if os.path.isabs(home) else NO_HOME)
