"""An operation as a method: what it is called in Python, what it takes, and how it is run."""

from __future__ import annotations

from keyword import iskeyword
from types import MethodType
from typing import TYPE_CHECKING, Any

from quaid import operations
from quaid.operations.arguments import parameters
from quaid.operations.operation import Operation

if TYPE_CHECKING:
    from inspect import Signature


def python_name(name: str) -> str:
    """The name of an operation or of an argument, as Python can have it."""
    plain = name.replace("-", "_").replace(" ", "_")
    return f"{plain}_" if iskeyword(plain) else plain


def signature(operation: Operation[Any, Any]) -> Signature:
    """What its method takes: by position what a command line takes so, by name everything else."""
    from inspect import Parameter, Signature  # for people who ask

    known = [each for each in parameters(operation.arguments) if not each.facts.hidden]
    return Signature(
        [
            Parameter("self", Parameter.POSITIONAL_ONLY),
            *(
                Parameter(
                    python_name(each.name),
                    Parameter.POSITIONAL_OR_KEYWORD if each.facts.positional else Parameter.KEYWORD_ONLY,
                    default=Parameter.empty if each.required else each.default,
                )
                for each in sorted(known, key=lambda each: not each.facts.positional)
            ),
        ]
    )


class Method:
    """A method of every memory. Its operation is loaded when it is called, or looked at."""

    def __init__(self, operation: str) -> None:
        self._operation = operation
        self.__name__ = python_name(operation)
        self.__qualname__ = f"Memory.{self.__name__}"

    def __get__(self, memory: Any, owner: Any = None) -> Any:
        return self if memory is None else MethodType(self, memory)

    def __call__(self, memory: Any, /, *values: Any, **named: Any) -> Any:
        return memory._run(self._operation, values, named)

    @property
    def __signature__(self) -> Signature:
        return signature(operations.operation(self._operation))

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        return operations.operation(self._operation).help
