"""What goes in and out of a terminal or a pipe."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from quaid.errors import InvalidInput, QuaidError
from quaid.formats.encoding import decode
from quaid.model.record import record
from quaid.operations.text import COMMANDING, Style

BAR = 30
SETTLED = 2.0  # seconds after which a rate says something


@record
class Console:
    """Where a command reads and writes, and how its output looks."""

    as_json: bool
    environment: Mapping[str, str]
    program: str = "quaid"

    def style(self, color: str = "auto") -> Style:
        """Colours on a terminal, unless NO_COLOR or the settings speak against them."""
        terminal = sys.stdout.isatty() and self.environment.get("TERM") != "dumb"
        wanted = color == "always" or (color == "auto" and terminal and not self.environment.get("NO_COLOR"))
        try:
            width = os.get_terminal_size(sys.stdout.fileno()).columns if terminal else 100
        except OSError:
            width = 100
        return Style(wanted, width)

    def answer(self, data: Any, text: str) -> int:
        """What a command has done: as data where JSON is wanted, else as text. The answer is the status."""
        if self.as_json:
            self.show_data(data)
        else:
            self.show(text)
        return 0

    def show_data(self, data: Any) -> None:
        """JSON: one line in a pipe, indented on a terminal."""
        self.show_plain(_json(data, indent=2 if sys.stdout.isatty() else None))

    def show(self, text: str) -> None:
        """Text, with a newline at its end; of none, nothing."""
        if not text:
            return
        sys.stdout.write(text if text.endswith("\n") else text + "\n")

    def show_plain(self, text: str) -> None:
        """Text without colours, and without commands to the terminal on one."""
        self.show(text.translate(COMMANDING) if sys.stdout.isatty() else text)

    def show_verbatim(self, text: str) -> None:
        """A page's own text: to the byte in a pipe, without commands to the terminal on one."""
        if sys.stdout.isatty():
            self.show_plain(text)
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(text.encode())

    def progress(self) -> Callable[[int, int], None] | None:
        """A bar on a terminal; nothing in a pipe."""
        if not sys.stderr.isatty():
            return None

        pace = Pace()

        def show(done: int, total: int) -> None:
            filled = BAR * done // max(total, 1)
            bar = f"{'█' * filled}{'░' * (BAR - filled)} {done:,} of {total:,}{pace.of(done, total)}"
            sys.stderr.write(f"\r{bar}\x1b[K" + ("\n" if done >= total else ""))
            sys.stderr.flush()

        return show

    def notify(self, notice: str) -> None:
        """What a person should know besides the answer, on standard error."""
        if self.as_json:
            sys.stderr.write(_json({"notice": notice}) + "\n")
            return
        sys.stderr.write(f"{self.program}: {notice.translate(COMMANDING)}\n")

    def ask(self, question: str) -> bool:
        """Whether a person says yes; where nobody can be asked, the answer is no."""
        if not sys.stdin.isatty():
            return False
        sys.stderr.write(f"{question.translate(COMMANDING)} [y/N] ")
        sys.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def show_error(self, error: QuaidError) -> None:
        """An error, on standard error."""
        if self.as_json:
            sys.stderr.write(_json({"error": error.as_dict()}) + "\n")
            return
        lines = [
            f"{self.program}: {error.message} [{error.code}]",
            *(f"  {each}" for each in _findings(error)),
        ]
        lines += [f"  {error.hint}"] if error.hint else []
        sys.stderr.write("\n".join(lines).translate(COMMANDING) + "\n")


class Pace:
    """How fast something goes, and how long it will take, from what was done so far."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start, self._before = clock(), 0
        self._last = 0

    def of(self, done: int, total: int) -> str:
        """The rate and the time left, once they can be told."""
        now = self._clock()
        if done < self._last:  # something else has begun
            self._start, self._before = now, done
        self._last = done
        passed, made = now - self._start, done - self._before
        if passed < SETTLED or made <= 0 or done >= total:
            return ""
        seconds = int((total - done) * passed / made)
        return f", {made / passed:,.0f} a second, {seconds // 60}:{seconds % 60:02} left"


def _json(data: Any, indent: int | None = None) -> str:
    import json  # not for text

    return json.dumps(data, ensure_ascii=False, indent=indent)


def _findings(error: QuaidError) -> list[str]:
    """What else was found besides the first, which the message says."""
    findings = error.data.get("findings")
    listed = findings if isinstance(findings, list) else []
    return [f"{each['path']}:{each['line']}: {each['message']} [{each['check']}]" for each in listed[1:20]]


def read_input(name: str | None) -> tuple[str, str]:
    """Text and encoding of a file, or of standard input."""
    if name in (None, "-"):
        if sys.stdin.isatty():
            sys.stderr.write("Reading from the terminal; end with Ctrl-D.\n")
        return decode(sys.stdin.buffer.read())
    try:
        with open(str(name), "rb") as file:
            return decode(file.read())
    except OSError as error:
        raise InvalidInput(
            f"{name} cannot be read: {error.strerror}", hint="Name a file, or - for input."
        ) from None


def read_piped() -> str:
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


def read_json(text: str) -> Any:
    """JSON from an argument: as it is, from standard input with -, from a file with @NAME."""
    if text == "-" or text.startswith("@"):
        text = read_input(None if text == "-" else text[1:])[0]
    import json  # only for arguments that are JSON

    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"that is not JSON: {error}", hint="""Such as '{"slug": "people/alice"}'."""
        ) from None
