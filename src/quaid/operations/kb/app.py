"""What an operation of a knowledge base is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from quaid.errors import InvalidInput
from quaid.kb.place import chosen_root
from quaid.model.record import record

if TYPE_CHECKING:
    from pathlib import Path

    from quaid.app import App
    from quaid.kb.repository import Kb
    from quaid.model.actor import Actor


@record
class Person:
    """Who types: how they are asked (not at all where input is no terminal) and shown something."""

    ask: Callable[[str], bool] | None
    show: Callable[[str], None]


@record
class Memories:
    """The memories that may know of a knowledge base; none is opened before it is asked for."""

    stated: str | None  # the one that is named
    here: Callable[[], Path]  # the one that is meant here
    open: Callable[[Path], App]
    # Where one is open: lets it know at once of a write, and by whom each file is.
    follow: Callable[[KbApp, Mapping[str, Actor]], object] | None = None


@record
class Around:
    """From where a knowledge base is used. Where there is no person, a program asks."""

    environment: Mapping[str, str]
    home: str
    memories: Memories
    person: Person | None = None


class KbApp:
    """A knowledge base, by the name of its directory until more of it is needed, and who uses it."""

    def __init__(self, place: str, around: Around) -> None:
        self.place = place
        self.around = around

    def at(self, path: str | None) -> KbApp:
        """The one in another directory, whether there is one yet or not."""
        return KbApp(chosen_root(path, self.environment, self.around.home), self.around)

    @property
    def environment(self) -> Mapping[str, str]:
        return self.around.environment

    @cached_property
    def root(self) -> Path:
        """Its directory."""
        from pathlib import Path  # a question is answered without it

        return Path(self.place)

    @cached_property
    def home(self) -> Path:
        """The person's own directory."""
        return type(self.root)(self.around.home)

    @cached_property
    def kb(self) -> Kb:
        """It, opened for more than reading its files."""
        from quaid.kb.repository import open_kb  # a question is answered without git

        return open_kb(self.root, self.environment, self.home)

    def close(self) -> None:
        """Let go of what was opened."""
        if "kb" in self.__dict__:
            self.kb.close()

    @property
    def person(self) -> Person | None:
        return self.around.person

    def confirm(self, question: str, decided: bool) -> None:
        """Go on only if a person says so: now, or before."""
        if decided:
            return
        if self.person is None or self.person.ask is None:
            raise InvalidInput(
                "this is for a person to decide, and nobody can be asked here",
                hint="Propose it to the person. Who has decided adds --yes.",
            )
        if not self.person.ask(question):
            raise InvalidInput("not confirmed: nothing was changed")

    def path_of(self, name: str) -> str:
        """A file as the knowledge base names it, from a path or a name within."""
        if os.path.exists(os.path.join(self.place, name)) and not os.path.isabs(name):
            return os.path.normpath(name).replace(os.sep, "/")
        stated, root = os.path.expanduser(name), os.path.realpath(self.place)
        for whole in (os.path.abspath(stated), os.path.realpath(stated)):
            path = os.path.relpath(whole, root)
            if not path.startswith(".."):
                return path.replace(os.sep, "/")
        if not os.path.lexists(stated) and not os.path.isabs(stated) and ".." not in name.split("/"):
            return name  # it is gone
        raise InvalidInput(f"{name} is not in {self.place}", hint="Name files of the knowledge base.")
