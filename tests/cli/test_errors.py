"""What goes wrong comes out as a code, a status, a sentence and a hint."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from quaid.app import App
from quaid.errors import ERRORS
from tests.support import PATIENCE, PROGRAM, call, environment, eventually, quaid, quick, waits


@pytest.fixture
def memory(app: App, db: Path) -> Path:
    for slug in ("people/bob", "dogs/bob", "a"):
        call(app, "put", slug=slug, content="# Bob\n" if slug != "a" else "# A\n")
    return db


CASES = [
    (("get", "nobody"), 3, "not_found"),
    (("get", "Bob"), 5, "ambiguous"),
    (("get",), 2, "invalid_input"),
    (("get", "a", "b"), 2, "invalid_input"),
    (("get", "a", "--no-such-option"), 2, "invalid_input"),
    (("list", "--limit", "x"), 2, "invalid_input"),
    (("list", "--limit", "0"), 2, "invalid_input"),
    (("list", "--limit", "1" * 5000), 2, "invalid_input"),
    (("list", "--sort", "colour"), 2, "invalid_input"),
    (("list", "--since", "yesterday"), 2, "invalid_input"),
    (("put", "Not A Slug"), 2, "invalid_input"),
    (("put", "a", "/no/such/file.md"), 2, "invalid_input"),
    (("put", "a", "--frontmatter", "{"), 2, "invalid_input"),
    (("put", "a", "--frontmatter", "[]"), 2, "invalid_input"),
    (("put", "a", "--expected-version", "7", "--frontmatter", '{"x": 1}'), 4, "conflict"),
    (("put", "a"), 2, "invalid_input"),
    (("mv", "a", "people/bob"), 4, "conflict"),
    (("mv", "a", "A B"), 2, "invalid_input"),
    (("new", "unicorn", "x"), 2, "invalid_input"),
    (("new", "person", "a"), 4, "conflict"),
    (("restore", "a"), 3, "not_found"),
    (("link-close", "99", "--valid-until", "2026"), 3, "not_found"),
    (("link-close", "one", "--valid-until", "2026"), 2, "invalid_input"),
    (("raw", "a", "s", "--data", "{"), 2, "invalid_input"),
    (("raw", "a", "s", "--data", "NaN"), 2, "invalid_input"),
    (("config", "get", "x"), 3, "not_found"),
    (("service",), 2, "invalid_input"),
    (("config", "frobnicate"), 3, "not_found"),
    (("frobnicate",), 3, "not_found"),
    (("call", "no_such_tool"), 3, "not_found"),
    (("call", "memory_get", "{"), 2, "invalid_input"),
    (("call", "memory_get", "[]"), 2, "invalid_input"),
    (("call", "memory_get", '{"slug": {}}'), 2, "invalid_input"),
    (("call", "memory_get", '{"slug": "a", "x": 1}'), 2, "invalid_input"),
    (("call", "memory_get", "@/no/such/file"), 2, "invalid_input"),
    (("call", "memory_get", '{"slug": "\\ud800"}'), 2, "invalid_input"),
    (("completion", "tcsh"), 2, "invalid_input"),
    (("search", "  "), 2, "invalid_input"),
]


@pytest.mark.parametrize(("words", "status", "code"), CASES, ids=lambda value: str(value)[:60])
def test_status_and_code(memory: Path, words: tuple[str, ...], status: int, code: str) -> None:
    ran = quick(*words, db=memory)
    assert (ran.status, ran.out) == (status, ""), ran
    assert (f"[{code}]" in ran.err) is (words[0] != "call")  # whose errors are JSON, as its answers are
    assert "Traceback" not in ran.err
    as_json = quick("--json", *words, db=memory)
    assert (as_json.status, as_json.out) == (status, "")
    assert as_json.error["code"] == code
    assert as_json.error["message"]


def test_codes_and_statuses_are_distinct() -> None:
    assert len({error.code for error in ERRORS}) == len(ERRORS)
    assert len({error.exit_status for error in ERRORS}) == len(ERRORS)
    assert all(error.meaning.endswith(".") for error in ERRORS)


def test_ambiguity_lists_what_fits(memory: Path) -> None:
    error = quick("get", "bob", "--json", db=memory).error
    assert error["candidates"] == ["default::dogs/bob", "default::people/bob"]


def test_a_conflict_carries_the_current_version(memory: Path) -> None:
    assert quick("tag", "a", "x", "--page-version", "9", "--json", db=memory).error["current_version"] == 1


def test_a_typo_is_answered_with_what_was_meant(memory: Path) -> None:
    assert "timeline-add" in quick("timeline-ad", db=memory).err
    assert (
        "people/bob" in quick("get", "persons/bob", db=memory).err + quick("get", "people/bo", db=memory).err
    )


@pytest.mark.parametrize("word", [b"\xff", b"caf\xe9", b"a\xff/b"])
def test_arguments_that_are_not_unicode(memory: Path, word: bytes) -> None:
    for words in (
        (b"get", word),
        (b"put", word),
        (b"search", word),
        (b"tag", b"a", word),
        (b"list", b"--tag", word),
    ):
        ran = quaid(*words, input="x", db=memory)
        assert ran.status in (0, 2, 3), ran
        assert "internal" not in ran.err


def test_an_error_message_commands_no_terminal(memory: Path) -> None:
    ran = quick("get", "\x1b[31mred\x07", db=memory)
    assert ran.status == 3
    assert "\x1b" not in ran.err
    assert "\x07" not in ran.err


def test_a_directory_is_no_file_and_no_memory(memory: Path, tmp_path: Path) -> None:
    assert quick("put", "a", tmp_path, db=memory).status == 2
    assert quick("list", db=tmp_path).status == 3


def test_a_memory_below_a_file_cannot_be_made(memory: Path) -> None:
    ran = quick("init", memory / "sub" / "m.db", "--json")
    assert ran.status in (2, 9, 10)
    assert ran.error["message"]


@pytest.mark.parametrize(
    "words", [("--help",), ("get", "--help"), ("config", "set", "--help"), ("init", "-h")]
)
def test_help_is_no_error(words: tuple[str, ...]) -> None:
    ran = quick(*words)
    assert (ran.status, ran.err) == (0, "")
    assert "usage: quaid" in ran.out


def test_an_interrupt_has_its_own_status(memory: Path) -> None:
    process = subprocess.Popen(
        [PROGRAM, "pipe"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(memory),
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(b'{"id": 1, "tool": "memory_stats"}\n')
    process.stdin.flush()
    assert process.stdout.readline()
    eventually(lambda: waits(process))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in err
