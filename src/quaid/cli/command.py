"""A command of the shell that is not an operation."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import InvalidInput
from quaid.model.record import record
from quaid.operations.operation import Argument, Completion, Parameter


@record
class Command:
    """What it is called, what it takes, and where its function is: "module:function".

    The module is loaded when the command runs: no other command pays for it.
    """

    name: str
    help: str
    target: str
    arguments: tuple[Parameter, ...] = ()
    examples: tuple[str, ...] = ()

    def run(self, session: Session, given: Given) -> int:
        """Run it; the answer is the exit status."""
        for parameter in self.arguments:
            check_choice(parameter, given.values.get(parameter.name))
        module, function = self.target.split(":")
        chosen: Callable[[Session, Given], int] = getattr(import_module(f"quaid.{module}"), function)
        return chosen(session, given)


def check_choice(parameter: Parameter, value: object) -> None:
    """Refuse what is none of the choices."""
    for each in value if isinstance(value, list) else [value]:
        if parameter.choices and each is not None and each not in parameter.choices:
            raise InvalidInput(
                f"{parameter.name} must be one of {', '.join(parameter.choices)}, not {each!r}"
            )


def word(
    name: str,
    help_text: str,
    *,
    required: bool = True,
    choices: tuple[str, ...] = (),
    rest: bool = False,
    completes: Completion | None = None,
) -> Parameter:
    """A word of the command line, or all that remain."""
    facts = Argument(help_text, positional=True, completes=completes, rest=rest)
    return Parameter(name, "array" if rest else "string", facts, required, None, choices)


def option(
    name: str, help_text: str, *, default: str | None = None, choices: tuple[str, ...] = ()
) -> Parameter:
    """An option that takes a word."""
    return Parameter(name, "string", Argument(help_text), False, default, choices)


def flag(name: str, help_text: str) -> Parameter:
    """An option that is given or not."""
    return Parameter(name, "boolean", Argument(help_text), False, False)
