"""What an operation of a knowledge base answers, and what such operations have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from quaid.errors import QuaidError
from quaid.kb.protocol import Written
from quaid.model.actor import present_actor
from quaid.model.record import record
from quaid.operations.kb.app import KbApp
from quaid.operations.operation import Effect, Operation, arg

A = TypeVar("A")


@record
class Answer:
    """Facts for programs, a text for people, what people are told besides, and the exit status."""

    data: dict[str, Any]
    text: str = ""
    notices: tuple[str, ...] = ()
    status: int = 0

    def as_data(self) -> dict[str, Any]:
        return self.data


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


_TOLD = 5  # findings besides the answer: an agent pays for each


def notices_of(written: Written) -> tuple[str, ...]:
    """What a person should know besides the answer."""
    findings = [f"{each.path}:{each.line}: {each.message}" for each in written.findings[:_TOLD]]
    more = len(written.findings) - _TOLD
    findings += [f"{more} more findings; `ai-kb lint` lists them"] if more > 0 else []
    return (*written.notices, *findings)


def known_to_memory(app: KbApp, data: dict[str, Any]) -> dict[str, Any]:
    """Bring an open memory into step with what was committed. That it fails does not undo the commit."""
    follow = app.around.memories.follow
    if follow is None:
        return data
    try:
        follow(app, dict.fromkeys(data["paths"], present_actor()))
    except QuaidError as error:
        notice = f"the memory does not know of it yet: {error.message}"
        return data | {"notices": [*data.get("notices", ()), notice]}
    return data


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
