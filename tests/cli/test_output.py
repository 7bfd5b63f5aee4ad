"""What comes out: to the byte in a pipe, readable on a terminal, in any locale."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from quaid.app import App
from quaid.cli.console import Pace
from tests.support import PATIENCE, PROGRAM, call, environment, open_memory, quaid, quick

TEXT = "# Zoë 学习 🦭\n\nNaïve — “quoted”.\n"


@pytest.fixture
def memory(app: App, db: Path) -> Path:
    call(app, "put", slug="a", content=TEXT)
    return db


@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "LANG": "", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii:strict", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_any_locale(memory: Path, variables: dict[str, str], tmp_path: Path) -> None:
    assert quaid("get", "a", db=memory, env=variables).raw == TEXT.encode()
    assert "Zoë 学习 🦭" in quaid("list", db=memory, env=variables).out
    assert "“**quoted**”" in quaid("search", "quoted", db=memory, env=variables).out
    if "PYTHONUTF8" not in variables:  # without it, Python cannot read such an argument in that locale
        assert "**学习**" in quaid("search", "学习", db=memory, env=variables).out
    assert quaid("list", "--json", db=memory, env=variables).json["pages"][0]["title"] == "Zoë 学习 🦭"
    assert quaid("put", "b", input=TEXT, db=memory, env=variables).status == 0
    assert quaid("get", "b", db=memory, env=variables).raw == TEXT.encode()
    pipe = quaid(
        "pipe", input='{"id":"é","tool":"memory_get","args":{"slug":"a"}}\n', db=memory, env=variables
    )
    assert pipe.json["id"] == "é"
    assert quaid("get", "Ünknown", db=memory, env=variables).status in (2, 3)


FILES = {
    "lf": (b"x\ny\n", "x\ny\n"),
    "crlf": (b"---\r\ntitle: T\r\n---\r\nx\r\n", "---\r\ntitle: T\r\n---\r\nx\r\n"),
    "mixed": (b"a\r\nb\nc\rd", "a\r\nb\nc\rd"),
    "no newline": (b"x", "x"),
    "nul": (b"a\0b\0\n", "a\0b\0\n"),
    "bom": (b"\xef\xbb\xbf---\ntitle: T\n---\nx\n", "---\ntitle: T\n---\nx\n"),
    "latin-1": ("Zoë, naïve\n".encode("latin-1"), "Zoë, naïve\n"),
    "cp1252": ("“Zoë” – €\n".encode("cp1252"), "“Zoë” – €\n"),
    "utf-16-le": (b"\xff\xfe" + "学 é\r\n".encode("utf-16-le"), "学 é\r\n"),
    "utf-16-be": (b"\xfe\xff" + "学 é\n".encode("utf-16-be"), "学 é\n"),
    "controls": (b"\x1b[31mred\x07\x7f\n", "\x1b[31mred\x07\x7f\n"),
    "separators": ("a\u2028b\u0085c\u2063d\n".encode(), "a\u2028b\u0085c\u2063d\n"),
}


@pytest.mark.parametrize("name", FILES)
def test_files_of_every_kind(memory: Path, tmp_path: Path, name: str) -> None:
    data, text = FILES[name]
    file = tmp_path / "page.md"
    file.write_bytes(data)
    assert quick("put", "page", file, db=memory).status == 0
    assert quick("get", "page", db=memory).raw == text.encode()
    assert quick("get", "page", "--json", db=memory).json["content"] == text
    again = quick("put", "page", "--json", input=data, db=memory).json
    assert (again["changed"], again["version"]) == (False, 1)
    assert quick("validate", "--all", db=memory).status == 0


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory whose answers are larger than a pipe."""
    app = open_memory(tmp_path_factory.mktemp("large") / "memory.db")
    with app.store.write():
        call(app, "put", slug="big", content="walrus " * 300_000)
        for number in range(300):
            call(app, "put", slug=f"p-{number}", content=f"---\ntags: [t{number}]\n---\nword {'x' * 200}\n")
    app.store.close()
    return app.store.path


@pytest.mark.parametrize(
    "words", [("list",), ("list", "--json"), ("get", "big"), ("search", "word"), ("tags",)]
)
def test_a_reader_that_goes_away_is_no_error(large: Path, words: tuple[str, ...]) -> None:
    command = (
        f"{PROGRAM} {' '.join(words)} --limit 400"
        if words[0] in ("list", "search")
        else f"{PROGRAM} {' '.join(words)}"
    )
    script = f"set -o pipefail; {command} | head -c 1 > /dev/null"
    ran = subprocess.run(
        ["bash", "-c", script], env=environment(large), capture_output=True, check=False, timeout=PATIENCE
    )
    assert ran.stderr == b""
    assert ran.returncode == 0


def terminal(*words: str, db: Path, **variables: str) -> str:
    """What a person sees on a terminal."""
    master, slave = pty.openpty()
    names = environment(db, {"TERM": "xterm", **variables})
    process = subprocess.Popen(
        [PROGRAM, *words], stdin=slave, stdout=slave, stderr=slave, env=names, close_fds=True
    )
    os.close(slave)
    seen = b""
    try:
        while data := os.read(master, 65536):
            seen += data
    except OSError:  # Linux reports the end of a terminal as an error
        pass
    os.close(master)
    process.wait(timeout=PATIENCE)
    return seen.decode()


def test_colours_only_on_a_terminal_and_only_if_wanted(memory: Path) -> None:
    assert "\x1b" not in quaid("list", db=memory).out
    assert "\x1b[36m" in terminal("list", db=memory)
    assert "\x1b" not in terminal("list", db=memory, NO_COLOR="1")
    assert "\x1b" not in terminal("list", db=memory, TERM="dumb")
    assert "\x1b" not in terminal("list", db=memory, QUAID_OUTPUT_COLOR="never")
    assert "\x1b[36m" in quaid("list", db=memory, env={"QUAID_OUTPUT_COLOR": "always"}).out
    assert "\x1b" not in quaid("list", "--json", db=memory, env={"QUAID_OUTPUT_COLOR": "always"}).out


def test_a_page_commands_no_terminal(app: App, memory: Path) -> None:
    call(
        app,
        "put",
        slug="evil",
        content='---\ntitle: "A\\e]0;owned\\a"\ntags: ["x\\e[2J"]\n---\n\x1b]0;owned\x07text\x9b2J\n',
    )
    for words in (("get", "evil"), ("list",), ("search", "text"), ("tags",), ("tags", "evil")):
        seen = terminal(*words, db=memory, NO_COLOR="1")
        assert "\x1b" not in seen, words
        assert "\x07" not in seen
        assert "\x9b" not in seen
    assert quick("get", "evil", db=memory).out.startswith("---\ntitle")
    assert "\x1b]0;owned\x07text" in quick("get", "evil", db=memory).out


def test_json_is_one_line_in_a_pipe_and_indented_on_a_terminal(memory: Path) -> None:
    assert quick("get", "a", "--json", db=memory).out.count("\n") == 1
    seen = terminal("get", "a", "--json", db=memory)
    assert seen.count("\n") > 5
    assert json.loads(seen)["slug"] == "a"


def test_the_flag_may_stand_anywhere(memory: Path) -> None:
    answers = {
        quick(*words, db=memory).out
        for words in (("--json", "get", "a"), ("get", "--json", "a"), ("get", "a", "--json"))
    }
    assert len(answers) == 1


def test_long_lists_say_that_there_is_more(app: App, memory: Path) -> None:
    with app.store.write():
        for number in range(5):
            call(app, "put", slug=f"p-{number}", content="x")
    out = quick("list", "--limit", "2", db=memory).out
    assert "2 pages; --limit and --offset show more" in out
    assert "more" not in quick("list", "--limit", "6", db=memory).out
    pages = [
        quick("list", "--limit", "4", "--offset", str(n), "--sort", "slug", "--json", db=memory).json
        for n in (0, 4, 8)
    ]
    assert [page["slug"] for part in pages for page in part["pages"]] == ["a", *(f"p-{n}" for n in range(5))]
    assert [part["more"] for part in pages] == [True, False, False]


def test_a_bar_says_how_fast_it_goes_and_how_long_it_takes() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    assert pace.of(0, 1000) == ""
    now[0] = 10.0
    assert pace.of(200, 1000) == ", 20 a second, 0:40 left"
    now[0] = 11.0
    assert pace.of(10, 5000) == "", "something else has begun"
    now[0] = 21.0
    assert pace.of(60, 5000) == ", 5 a second, 16:28 left"
    assert pace.of(5000, 5000) == ""
