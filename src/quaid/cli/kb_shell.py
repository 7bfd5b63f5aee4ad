"""What a command of a knowledge base works with: where it is, and how it answers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from quaid.cli.kb_line import Line
from quaid.errors import InvalidInput
from quaid.model.record import record

if TYPE_CHECKING:
    from pathlib import Path

# Characters that command a terminal, but for tab and newline.
_COMMANDING = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160)])


@record
class Shell:
    """One run of the program."""

    program: str
    place: str
    as_json: bool
    environment: Mapping[str, str]

    @property
    def root(self) -> Path:
        """The directory of the knowledge base."""
        from pathlib import Path  # a question is answered without it

        return Path(self.place)

    @property
    def home(self) -> Path:
        """The person's own directory."""
        return type(self.root).home()

    def answer(self, text: str, data: Any) -> None:
        """The answer, as text or as JSON."""
        if self.as_json:
            self.show_json(data)
        elif text:
            self.show(text)

    def show(self, text: str) -> None:
        """Text, with a newline at its end."""
        shown = text.translate(_COMMANDING) if sys.stdout.isatty() else text
        sys.stdout.write(shown if shown.endswith("\n") else shown + "\n")

    def show_json(self, data: Any) -> None:
        """JSON: one line in a pipe, indented on a terminal."""
        import json  # not for text

        self.show(json.dumps(data, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))

    def notify(self, notice: str) -> None:
        """What a person should know besides the answer; JSON answers have it in them."""
        if not self.as_json:
            sys.stderr.write(f"{self.program}: {notice.translate(_COMMANDING)}\n")

    def confirm(self, question: str, line: Line) -> None:
        """Go on only if a person says so: on a terminal, or by --yes."""
        if line.has("yes"):
            return
        if not sys.stdin.isatty():
            raise InvalidInput(
                "this is for a person to decide, and nobody can be asked here",
                hint="Propose it to the person. Who has decided adds --yes.",
            )
        sys.stderr.write(f"{question.translate(_COMMANDING)} [y/N] ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise InvalidInput("not confirmed: nothing was changed")

    def delegate(self, target: str, line: Line) -> int:
        """Run a function of another module, which is loaded only now."""
        module, function = target.split(":")
        chosen: Callable[[Shell, Line], int] = getattr(import_module(f"quaid.cli.{module}"), function)
        return chosen(self, line)


def read_input() -> str:
    """Standard input as text; nothing where somebody sits at it."""
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"the input is not UTF-8 (byte {error.start})", hint="Convert it, say with iconv."
        ) from None
