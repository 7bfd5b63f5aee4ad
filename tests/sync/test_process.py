"""A program that is run to its end: what it hears and says, and that its end is noticed."""

from __future__ import annotations

import os
import sys

import pytest

from quaid.sync import process
from quaid.sync.process import Program, TooLong


def program(code: str, input: bytes | None = None, timeout: float = 60.0) -> Program:
    """A Python program."""
    return Program((sys.executable, "-c", code), os.environ, timeout, input)


@pytest.mark.parametrize("given", [b"", b"one\0two", b"x" * 1_000_000])
def test_it_hears_all_and_says_all(given: bytes) -> None:
    echo = "import sys; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data); sys.exit(3)"
    assert process.run(program(echo, given)) == (3, given, b"")


def test_nothing_to_hear_is_an_end_at_once() -> None:
    assert process.run(program("import sys; print(len(sys.stdin.read()))")) == (0, b"0\n", b"")


def test_one_that_does_not_end_is_ended() -> None:
    with pytest.raises(TooLong):
        process.run(program("import time; time.sleep(600)", timeout=0.2))


def test_without_word_from_the_system_its_end_is_noticed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in containers that forbid it, and on other systems."""

    def refuse(pid: int) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)
    assert process.run(program("print('done')")) == (0, b"done\n", b"")
    with pytest.raises(TooLong):
        process.run(program("import time; time.sleep(600)", timeout=0.2))
