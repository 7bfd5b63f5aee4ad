"""The transcript notation itself."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from transcript import TranscriptError, commands, fresh_shell, line_matches, merge, replay

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "total 3", "..", "[..] b"]), max_size=8)


def scripts(text: str) -> list[str]:
    return [command.script for command in commands(text.split("\n"))]


def console(*lines: str, info: str = "", before: str = "") -> str:
    return "\n".join(["Text before.", before, f"```console{info}", *lines, "```", "", "Text after."])


class Output:
    """Stands in for a shell: every script prints the same."""

    def __init__(self, *lines: str, status: int = 0) -> None:
        self.lines, self.status = lines, status

    def __call__(self, script: str) -> tuple[list[str], int]:
        return [*self.lines, ""], self.status


@pytest.mark.parametrize(
    ("expected", "actual", "matches"),
    [
        ("same", "same", True),
        ("same", "other", False),
        ("same  ", "same", True),
        ("v[..]", "v12", True),
        ("v[..]", "v", True),
        ("v[..]", "w12", False),
        ("[..] of [..]", "3 of 4", True),
        ("a.c", "abc", False),
        ("[x]", "x", False),
    ],
)
def test_wildcard_within_a_line(expected: str, actual: str, matches: bool) -> None:
    assert line_matches(expected, actual) is matches


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ([], []),
        (["..."], []),
        (["..."], ["a", "b"]),
        (["a", "...", "z"], ["a", "z"]),
        (["a", "...", "z"], ["a", "z", "b", "z"]),
        (["...", "m", "..."], ["a", "m", "z"]),
        (["a[..]", "...", "[..]z"], ["a1", "b", "c", "2z"]),
    ],
)
def test_matching_output_leaves_the_document_alone(expected: list[str], actual: list[str]) -> None:
    assert merge(expected, actual) == expected


@pytest.mark.parametrize(
    ("expected", "actual", "merged"),
    [
        (["a"], ["b"], ["b"]),
        (["a"], [], []),
        ([], ["a"], ["a"]),
        (["a", "...", "z"], ["b", "1", "2", "z"], ["b", "...", "z"]),
        (["at [..]", "old"], ["at 3", "new"], ["at [..]", "new"]),
        (["one [..]", "gone", "three"], ["one 1", "three"], ["one [..]", "three"]),
        (["one", "three"], ["one", "two", "three"], ["one", "two", "three"]),
    ],
)
def test_recording_keeps_the_lines_that_still_fit(
    expected: list[str], actual: list[str], merged: list[str]
) -> None:
    assert merge(expected, actual) == merged


@given(st.lists(st.sampled_from(["a", "b", "...", "[..] b", "total [..]"]), max_size=8), LINES)
def test_what_was_recorded_matches(expected: list[str], actual: list[str]) -> None:
    recorded = merge(expected, actual)
    assert merge(recorded, actual) == recorded


@given(LINES)
def test_output_without_expectation_is_recorded_as_it_is(actual: list[str]) -> None:
    assert merge([], actual) == actual


def test_commands_of_a_block() -> None:
    assert scripts(console("$ one", "output", "$ two")) == ["one", "two"]


def test_continued_command() -> None:
    assert scripts(console("$ echo a \\", "> b", "> quoted output")) == ["echo a \\\nb"]
    assert scripts(console("$ echo 'a", "> b'", "a", "b")) == ["echo 'a\nb'"]


def test_output_may_start_with_an_angle_bracket() -> None:
    assert scripts(console("$ cat page", "> A summary")) == ["cat page"]


def test_here_document_plain_and_prefixed() -> None:
    assert scripts(console("$ cat <<'EOF'", "> quote", "$ not a command", "EOF", "output")) == [
        "cat <<'EOF'\n> quote\n$ not a command\nEOF"
    ]
    assert scripts(console("$ cat <<'EOF'", "> one", ">", "> two", "> EOF", "one")) == [
        "cat <<'EOF'\none\n\ntwo\nEOF"
    ]


def test_here_string_is_no_here_document() -> None:
    assert scripts(console("$ cat <<<word", "word")) == ["cat <<<word"]


def test_only_console_blocks_run() -> None:
    shown = "\n".join(["````markdown", *console("$ shown").split("\n"), "````"])
    assert scripts(f"{shown}\n```sh\n$ rm\n```\n") == []


def test_a_block_may_be_skipped_with_a_reason() -> None:
    assert scripts(console("$ git push", before="<!-- norun: needs a network -->")) == []
    for before in ("<!-- norun -->", "<!-- norun: -->"):
        with pytest.raises(TranscriptError, match="reason"):
            scripts(console("$ git push", before=before))
    with pytest.raises(TranscriptError, match="nothing stands behind"):
        scripts(console("$ git push", info=" other"))


def test_a_block_starts_with_a_command() -> None:
    with pytest.raises(TranscriptError, match="line 4"):
        scripts(console("output"))


def test_a_failure_must_be_stated() -> None:
    silent, stated = console("$ quaid get x", "..."), console("$ quaid get x", "...", "[exit 3]")
    assert replay(silent, Output("no such page", status=3)) == stated
    assert replay(stated, Output("no such page", status=3)) == stated
    assert replay(stated, Output("here it is")) == silent


def test_blank_lines_between_commands_are_layout() -> None:
    text = console("$ one", "out", "", "$ two", "", "out")
    assert replay(text, Output("out")) == console("$ one", "out", "", "$ two", "out")


def test_indented_block() -> None:
    text = "1. First:\n\n   ```console\n   $ one\n   out\n   ```\n"
    assert replay(text, Output("new")) == text.replace("out", "new")


@pytest.mark.parametrize("line", ["$ prompt", "```", "[exit 4]", "~~~"])
def test_output_that_looks_like_notation_can_be_recorded(line: str) -> None:
    recorded = replay(console("$ one"), Output("first", line))
    assert replay(recorded, Output("first", line)) == recorded
    assert scripts(recorded) == ["one"]


def test_shell_keeps_files_and_nothing_of_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUAID_TODAY", "2026-01-01")
    shell = fresh_shell(tmp_path)
    assert shell("echo kept >file; echo ${QUAID_TODAY-unset}; ls -A ~") == (["unset", ""], 0)
    assert shell("cat file; echo no >&2; exit 7") == (["kept", "no", ""], 7)
