"""An operation: one thing that the memory can do, defined once for every surface."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from quaid.model.record import MISSING, field, fields_of, record
from quaid.operations.text import Style

if TYPE_CHECKING:
    from quaid.model.grant import Right

Kind = Literal["string", "integer", "number", "boolean", "array", "object", "any"]
Effect = Literal["read", "write", "destructive"]
Completion = Literal[
    "slug", "type", "tag", "collection", "setting", "file", "client", "skill", "tool", "event"
]

DAY = "DAY"
_TOOL_NAMES = {
    "gaps approve": "memory_gap_approve",
    "gaps resolve": "memory_gap_resolve",
    "conversations search": "conversation_search",
    "notebook migrate": "memory_notebook_migrate",
}
_OF_FOLDERS = ("kb ", "notebook ", "remember", "recall", "daily-log")  # whose tools are called as they are
_DAYS = ("since", "until", "date", "valid_from", "valid_until")

A = TypeVar("A")
R = TypeVar("R")


@record
class Argument:
    """What a surface must know of one argument besides its type."""

    help: str
    positional: bool = False
    completes: Completion | None = None
    flag: str | None = None  # on a command line: what it is called there, such as --type
    rest: bool = False  # on a command line: all words that remain
    from_file: bool = False  # on a command line: a file's name, or standard input
    instead_of: str | None = None  # given on a command line, standard input is not read for that argument
    for_tools: bool | str = False  # a program must give it (or: with that other argument); a person need not
    for_people: bool = False  # not for programs
    hidden: bool = False  # not offered to people or programs
    least: int | None = None
    many: bool = False  # on a command line: may be given several times, a value each
    placeholder: str = ""  # on a command line: what stands for its value, such as NODE
    piped: Literal["", "dash", "missing"] = ""  # on a command line: when standard input is its value
    for_models: str = ""  # what programs are told of it, where `help` speaks of a command line


@record
class Parameter:
    """One argument, with its type resolved."""

    name: str
    kind: Kind
    facts: Argument
    required: bool
    default: Any
    choices: tuple[str, ...] = ()
    item: Kind = "any"
    field: str = ""  # of the record of arguments; a name that is a word of Python's has a mark there

    @cached_property
    def flag(self) -> str:
        return self.facts.flag or "--" + self.name.replace("_", "-")

    @property
    def is_day(self) -> bool:
        """Whether its value is a day, or may be one."""
        return self.facts.placeholder == DAY or self.name in _DAYS


def arg(help: str, *, default: Any = MISSING, **facts: Any) -> Any:
    """A field of an operation's arguments."""
    return field(default=default, note=Argument(help, **facts))


def option(help: str, **facts: Any) -> Any:
    """An argument that may be left out."""
    return arg(help, default=None, **facts)


def flag(help: str, **facts: Any) -> Any:
    """An argument that is true if it is given."""
    return arg(help, default=False, **facts)


def tool_name(name: str) -> str:
    """An operation's name for programs; of pages, it is made from its own."""
    plain = name.replace("-", "_").replace(" ", "_")
    return _TOOL_NAMES.get(name) or (plain if name.startswith(_OF_FOLDERS) else f"memory_{plain}")


@record
class Operation(Generic[A, R]):
    """Name and function of an operation, and how its result is shown to people.

    `examples` are command lines without the program's name.
    """

    name: str
    run: Callable[[Any, A], R]  # given what it needs, an App or a KbApp, and its arguments
    render: Callable[[R, Style], str]
    effect: Effect = "read"
    idempotent: bool = True
    # By default, what the effect says; with "own" it begins those that it needs, and looks at files itself.
    transaction: Literal["read", "write", "none", "own"] | None = None
    status: Callable[[R], int] = lambda result: 0  # the exit status of a run that went well
    needs: Literal["memory", "kb"] = "memory"  # a knowledge base can be used without a memory
    notices: Callable[[R], Iterable[str]] = lambda result: ()  # what people are told besides the answer
    verbatim: bool = False  # what `render` gives is written out to the byte
    looks: Literal["pages", "nothing"] | None = None  # at which files it looks first, see `looks_at`
    examples: tuple[str, ...] = ()
    brief: str = ""  # what a language model is told instead of `help`
    told: tuple[str, ...] | None = None  # the arguments that it is told of: "name" or "name: what it is"
    for_people: bool = False  # what only the person decides, on a command line: no tool of programs
    for_owner: bool = False  # reaches beyond pages (files, folders, models, settings), or erases for good
    mends: bool = False  # is also run where the memory is damaged
    brings_texts: bool = False  # that are embedded in the background, if they are many
    unneeded: tuple[str, ...] = ()  # fields of the result that only cost it tokens

    @cached_property
    def arguments(self) -> type[A]:
        """The record of its arguments: the one that the function says it takes."""
        run: Any = self.run
        stated: type[A] = run.__globals__[run.__annotations__["args"]]
        return stated

    @property
    def tool(self) -> str:
        """Its name for programs."""
        return tool_name(self.name)

    @property
    def right(self) -> Right:
        """What a token must allow for it."""
        if self.for_people or self.for_owner:
            return "own"
        return "read" if self.effect == "read" else "write"

    @cached_property
    def isolation(self) -> Literal["read", "write", "none"]:
        """The transaction in which it runs."""
        if self.needs == "kb" or self.transaction == "own":
            return "none"
        return self.transaction or ("read" if self.effect == "read" else "write")

    @cached_property
    def _page_arguments(self) -> tuple[str, ...]:
        """The arguments that name pages."""
        known = fields_of(self.arguments)
        return tuple(each.name for each in known if each.note and each.note.completes == "slug")

    def looks_at(self, arguments: A) -> list[str] | None:
        """The pages whose files are looked at first; None means all files.

        By default, those pages that the arguments name; all if they name none.
        """
        if self.looks == "nothing" or self.transaction == "own":
            return []
        if self.looks == "pages":
            return None
        values = [getattr(arguments, name) for name in self._page_arguments]
        return [name for name in values if isinstance(name, str)] or None

    @property
    def help(self) -> str:
        """What it does, in a sentence or more."""
        return (self.run.__doc__ or "").strip()
