"""A command line for an operation, made from its arguments."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from quaid.cli.console import read_input, read_json
from quaid.errors import InvalidInput
from quaid.operations.arguments import Parameter, decode, parameters
from quaid.operations.operation import Operation


class Parser(argparse.ArgumentParser):
    """argparse with our errors and our global options."""

    def __init__(self, prog: str, description: str, examples: Sequence[str] = ()) -> None:
        shown = "examples:\n" + "\n".join(f"  quaid {example}" for example in examples) if examples else None
        super().__init__(
            prog=prog,
            description=description,
            epilog=shown,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        common = self.add_argument_group("global options")
        common.add_argument("--db", metavar="PATH", help="The memory to use.")
        common.add_argument("--json", action="store_true", help="Answer in JSON.")

    def error(self, message: str) -> NoReturn:
        raise InvalidInput(message, hint=f"See `{self.prog} --help`.")


def operation_parser(operation: Operation[Any, Any]) -> Parser:
    """The parser of an operation's command."""
    parser = Parser(f"quaid {operation.name}", operation.help, operation.examples)
    for parameter in parameters(operation.arguments):
        if not parameter.facts.hidden:
            _add(parser, parameter)
    return parser


def operation_arguments(operation: Operation[Any, Any], given: argparse.Namespace) -> Any:
    """An operation's arguments from what was typed."""
    values: dict[str, Any] = {}
    for parameter in parameters(operation.arguments):
        value = getattr(given, parameter.name, None)
        if isinstance(value, list) and parameter.facts.rest:
            value = " ".join(value)
        if isinstance(value, str) and parameter.kind in ("object", "array", "any"):
            value = read_json(value)
        values[parameter.name] = value
    for parameter in parameters(operation.arguments):
        if parameter.facts.from_file and _wants_input(operation, parameter, values):
            values[parameter.name], values["encoding"] = read_input(values[parameter.name])
    return decode(operation.arguments, values, tool=False)


def _wants_input(operation: Operation[Any, Any], parameter: Parameter, values: dict[str, Any]) -> bool:
    if values[parameter.name] is not None:
        return True
    instead = (
        other.name for other in parameters(operation.arguments) if other.facts.instead_of == parameter.name
    )
    return all(values[name] is None for name in instead)


def _add(parser: Parser, parameter: Parameter) -> None:
    facts = parameter.facts
    help_text = facts.help.replace("%", "%%")
    if facts.from_file:
        parser.add_argument(
            parameter.name, nargs="?", metavar="FILE", help="A file; otherwise standard input."
        )
    elif facts.positional:
        many = "+" if facts.rest else None if parameter.required else "?"
        parser.add_argument(parameter.name, nargs=many, metavar=parameter.name.upper(), help=help_text)
    elif parameter.kind == "boolean":
        parser.add_argument(
            parameter.flag, action="store_true", default=None, dest=parameter.name, help=help_text
        )
    else:
        choices = f" One of {', '.join(parameter.choices)}." if parameter.choices else ""
        default = f" [{parameter.default}]" if parameter.default not in (None, "", False) else ""
        parser.add_argument(
            parameter.flag,
            dest=parameter.name,
            required=parameter.required,
            metavar=_metavar(parameter),
            help=help_text + choices + default,
        )


def _metavar(parameter: Parameter) -> str:
    if parameter.kind in ("object", "array", "any"):
        return "JSON"
    return "N" if parameter.kind in ("integer", "number") else parameter.name.rsplit("_", 1)[-1].upper()
