"""A command line, read by the parameters of the command.

argparse would do, but loading it and building one parser takes a fifth of what a whole command may take.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from quaid.cli.console import read_input, read_json, read_piped
from quaid.cli.program import QUAID, Program
from quaid.errors import InvalidInput
from quaid.model import spelling
from quaid.operations import vocabulary
from quaid.operations.arguments import decode
from quaid.operations.operation import DAY, Argument, Operation, Parameter

HELP_WIDTH = 96
COMMON: tuple[Parameter, ...] = (
    Parameter("db", "string", Argument("The memory to use."), required=False, default=None),
    Parameter("json", "boolean", Argument("Answer in JSON."), required=False, default=False),
    Parameter("help", "boolean", Argument("Show this and do nothing."), required=False, default=False),
)


class Given:
    """What was typed: a value for each parameter that was given."""

    def __init__(self, command: str, program: Program = QUAID) -> None:
        self.values: dict[str, Any] = {}
        self.db: str | None = None
        self.json = False
        self.help = False
        self._command = command
        self._program = program

    @property
    def command(self) -> str:
        """The command, as a refusal names it."""
        return self._program.short(self._command)

    @property
    def see(self) -> str:
        """Where a refusal points."""
        return f"See `{self._program.line(self._command)} --help`."


def parse(command: str, known: Sequence[Parameter], words: Sequence[str], program: Program = QUAID) -> Given:
    """Sort the words of a command line to its parameters."""
    given = Given(command, program)
    by_flag: dict[str, Parameter] = {}
    positional: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            positional.extend(rest)
        elif _is_option(word, known):
            by_flag = by_flag or _flags(known)
            _take_option(given, known, by_flag, (word, rest))
        else:
            positional.append(word)
    if not given.help:
        _take_positional(given, [each for each in known if each.facts.positional], positional)
        _demand(given, known)
    return given


def operation_arguments(operation: Operation[Any, Any], known: Sequence[Parameter], given: Given) -> Any:
    """An operation's arguments from what was typed."""
    values = dict(given.values)
    for parameter in known:
        value = values.get(parameter.name)
        if isinstance(value, str) and _is_json(parameter, value):
            values[parameter.name] = read_json(value)
        if parameter.facts.piped and _is_piped(known, parameter, values):
            text = read_piped()
            values[parameter.name] = text if text.strip() or parameter.facts.piped == "dash" else None
        if parameter.facts.from_file and (value is not None or not _replaced(known, parameter, values)):
            values[parameter.name], values["encoding"] = read_input(value)
            if value not in (None, "-") and any(each.name == "file_name" for each in known):
                values["file_name"] = os.path.abspath(value)
    return decode(operation.arguments, values, tool=False)


def help_text(
    command: str,
    description: str,
    known: Sequence[Parameter],
    examples: Sequence[str],
    program: Program = QUAID,
) -> str:
    """The help page of a command."""
    shown = [each for each in known if not each.facts.hidden]
    paragraphs = [" ".join(part.split()) for part in description.split("\n\n")]
    parts = [
        _wrapped("usage: ", usage(command, shown, program)),
        *(_wrapped("", each) for each in paragraphs),
    ]
    arguments = [(placeholder(each), meaning(each)) for each in shown if each.facts.positional]
    if arguments:
        parts.append("arguments:\n" + _columns(arguments))
    options = [each for each in (*shown, *COMMON) if not each.facts.positional]
    parts.append("options:\n" + _columns([(option_text(each), meaning(each)) for each in options]))
    if examples:
        parts.append("examples:\n" + "\n".join(f"  {program.line(example)}" for example in examples))
    return "\n\n".join(parts)


def _columns(rows: Sequence[tuple[str, str]]) -> str:
    width = max(len(name) for name, _ in rows) + 2
    return "\n".join(_wrapped(f"  {name:{width}}", text) for name, text in rows)


def _wrapped(start: str, text: str) -> str:
    from textwrap import fill  # help is rare

    return fill(text, HELP_WIDTH, initial_indent=start, subsequent_indent=" " * len(start))


def usage(command: str, known: Sequence[Parameter], program: Program = QUAID) -> str:
    """The command and its arguments on one line; those in brackets may be left out."""
    words = [program.line(command)]
    for parameter in sorted(known, key=lambda each: not each.facts.positional):
        word = placeholder(parameter) if parameter.facts.positional else option_text(parameter)
        word += " …" if parameter.facts.rest else ""
        words.append((word if parameter.required else f"[{word}]") + (" …" if parameter.facts.many else ""))
    return " ".join(words)


def option_text(parameter: Parameter) -> str:
    """An option as it is typed."""
    return parameter.flag if parameter.kind == "boolean" else f"{parameter.flag} {placeholder(parameter)}"


def placeholder(parameter: Parameter) -> str:
    """What stands for a value."""
    if parameter.facts.placeholder:
        return parameter.facts.placeholder
    if parameter.facts.many:
        return parameter.flag.removeprefix("--").upper()
    if parameter.facts.from_file:
        return "FILE"
    if parameter.kind == "array" and parameter.facts.rest:
        return parameter.name.removesuffix("s").upper()
    if parameter.kind in ("object", "array", "any"):
        return "JSON"
    if parameter.name == "db":
        return "PATH"
    if parameter.is_day:
        return DAY
    return "N" if parameter.kind in ("integer", "number") else parameter.name.rsplit("_", 1)[-1].upper()


def meaning(parameter: Parameter) -> str:
    """What a parameter is for, what it may be, and what it is if not given."""
    if parameter.facts.from_file:
        return "A file; otherwise standard input."
    choices = f" One of {', '.join(parameter.choices)}." if parameter.choices else ""
    default = f" [{parameter.default}]" if parameter.default not in (None, "", False) else ""
    return parameter.facts.help + choices + default


def _is_option(word: str, known: Sequence[Parameter]) -> bool:
    """Whether a word is an option; where any words may follow, one dash leaves a word out of a search."""
    if not word.startswith("-") or word == "-" or " " in word.partition("=")[0]:
        return False
    is_search = any(each.facts.rest and each.kind == "string" for each in known)
    return word.startswith("--") or word == "-h" or not is_search


def _is_json(parameter: Parameter, value: str) -> bool:
    """Whether a value is JSON; a list of words may be words with commas between them."""
    if parameter.kind == "array" and parameter.item == "string":
        return value == "-" or value.startswith(("[", "@"))
    return parameter.kind in ("object", "array", "any")


def _parameter_of(flag: str, given: Given, known: Sequence[Parameter]) -> Parameter:
    """The parameter that an option means which is no option of the command: another name of one."""
    shown = {each.flag.removeprefix("--").replace("-", "_"): each for each in known if not each.facts.hidden}
    by_name = {each.name: each for each in known if not each.facts.hidden} | shown
    taken = [name for name, each in by_name.items() if each.name in given.values]
    distinct = [name for name, each in by_name.items() if shown.get(name) is each or name not in shown]
    meant = vocabulary.meant(flag, by_name, taken) if len(flag) > 2 or flag[1:] in ("k", "n", "q") else None
    if meant is not None:
        return by_name[meant]
    near = spelling.alike(flag, [by_name[name].flag for name in distinct], 1)
    hint = f"{spelling.did_you_mean(near)} {given.see}".strip()
    raise InvalidInput(f"`{given.command}` has no option {flag}", hint=hint)


def _flags(known: Sequence[Parameter]) -> dict[str, Parameter]:
    """The options of a command, as they are typed."""
    flags = {each.flag: each for each in (*known, *COMMON) if not each.facts.positional}
    return flags | {"-h": COMMON[2]}


def _take_option(
    given: Given, known: Sequence[Parameter], by_flag: dict[str, Parameter], typed: tuple[str, Iterator[str]]
) -> None:
    word, rest = typed
    flag, has_value, value = word.partition("=")
    parameter = by_flag.get(flag) or _parameter_of(flag, given, known)
    if parameter.kind == "boolean":
        if has_value:
            raise InvalidInput(f"{flag} takes no value", hint=given.see)
        taken: Any = True
    else:
        taken = value if has_value else next(rest, None)
        if taken is None:
            raise InvalidInput(f"{flag} needs a value", hint=given.see)
    if any(parameter is each for each in COMMON):
        setattr(given, parameter.name, taken)
    elif parameter.facts.many:
        given.values.setdefault(parameter.name, []).append(taken)
    else:
        given.values[parameter.name] = taken


def _take_positional(given: Given, known: Sequence[Parameter], words: list[str]) -> None:
    for parameter in (each for each in known if each.name not in given.values):
        if parameter.facts.rest and words:
            given.values[parameter.name] = words if parameter.kind == "array" else " ".join(words)
            words = []
        elif words:
            given.values[parameter.name] = words.pop(0)
    if words:
        raise InvalidInput(f"`{given.command}` has no use for {words[0]!r}", hint=given.see)


def _demand(given: Given, known: Sequence[Parameter]) -> None:
    for parameter in known:
        if parameter.required and parameter.name not in given.values:
            missing = placeholder(parameter) if parameter.facts.positional else parameter.flag
            raise InvalidInput(f"`{given.command}` needs {missing}: {parameter.facts.help}", hint=given.see)


def _is_piped(known: Sequence[Parameter], parameter: Parameter, values: dict[str, Any]) -> bool:
    """Whether standard input is the value: where it is asked for, or where nothing was given."""
    value = values.get(parameter.name)
    if value is None:
        return parameter.facts.piped == "missing" and not _replaced(known, parameter, values)
    return bool(value == "-")


def _replaced(known: Sequence[Parameter], parameter: Parameter, values: dict[str, Any]) -> bool:
    """Whether something else was given in place of a file."""
    return any(
        other.facts.instead_of == parameter.name and values.get(other.name) is not None for other in known
    )
