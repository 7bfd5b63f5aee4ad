"""What an operation of a knowledge base answers, and what such operations have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from quaid.model.record import record
from quaid.operations.kb.app import KbApp
from quaid.operations.operation import Effect, Operation, arg
from quaid.operations.results import as_data

if TYPE_CHECKING:
    from quaid.kb.gate import Written

A = TypeVar("A")


_TOLD = 5  # findings besides the answer: an agent pays for each


@record
class Answer:
    """Facts for programs, a text for people, what people are told besides, and the exit status."""

    data: dict[str, Any]
    text: str = ""
    notices: tuple[str, ...] = ()
    status: int = 0

    def __post_init__(self) -> None:
        self.__dict__["data"] = as_data(self.data)  # whoever is given it need know no record

    def as_data(self) -> dict[str, Any]:
        return self.data


def notices_of(written: Written) -> tuple[str, ...]:
    """What a person should know of a write besides the answer."""
    findings = [f"{each.path}:{each.line}: {each.message}" for each in written.findings[:_TOLD]]
    more = len(written.findings) - _TOLD
    findings += [f"{more} more findings; `ai-kb lint` lists them"] if more > 0 else []
    return (*written.notices, *findings)


def kb_operation(name: str, run: Callable[[KbApp, A], Answer], **facts: Any) -> Operation[A, Answer]:
    """An operation on a knowledge base."""
    return Operation(
        name,
        run,
        render=lambda answer, style: answer.text,
        status=lambda answer: answer.status,
        notices=lambda answer: answer.notices,
        needs="kb",
        **facts,
    )


def kb_command(
    name: str, run: Callable[[KbApp, A], Answer], *examples: str, effect: Effect = "write"
) -> Operation[A, Answer]:
    """The same for people alone: a command, and no tool."""
    return kb_operation(name, run, effect=effect, for_people=True, examples=examples)


Type = Literal["principle", "preference", "procedure", "observation", "reference"]
Status = Literal["current", "contested", "superseded"]
Confidence = Literal["user-stated", "observed", "inferred", "external"]
Visibility = Literal["personal", "work-private"]

NODE = "ID, the start of one, title, file or pointer of a node."
KB = arg(
    "The knowledge base: a directory, or its collection; otherwise AI_KB or $XDG_DATA_HOME/ai-kb.",
    default=None,
    placeholder="PATH",
    for_models="The collection, if several knowledge bases are attached.",
)
OFFLINE = arg("Do not ask the remote.", default=False)
YES = arg("The person has decided: do not ask.", default=False)
POINTERS = arg(
    "Also repoint `ai-kb: Title (ID)` in this file; may be repeated.",
    default=None,
    flag="--pointers",
    many=True,
    placeholder="FILE",
)
