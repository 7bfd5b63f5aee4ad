import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.markdown.frontmatter import read, split


def values(inner: str) -> dict[str, Any]:
    found, problems = read(f"---\n{inner}\n---\n")
    assert problems == ()
    return found


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("---\na: 1\n---\nbody", "---\na: 1\n---\n"),
        ("---\na: 1\n...\nbody", "---\na: 1\n...\n"),
        ("\ufeff---\na: 1\n---\n", "\ufeff---\na: 1\n---\n"),
        ("---  \r\na: 1\r\n--- \r\nbody", "---  \r\na: 1\r\n--- \r\n"),
        ("---\na: 1\n---", "---\na: 1\n---"),
        ("---\n---\nx", "---\n---\n"),
        ("---\na: 1\n----\n", ""),
        ("---\na: 1\n", ""),
        ("\n---\na: 1\n---\n", ""),
        (" ---\na: 1\n---\n", ""),
        ("----\na: 1\n---\n", ""),
        ("---", ""),
        ("", ""),
    ],
)
def test_where_it_ends(text: str, head: str) -> None:
    assert split(text) == (head, text[len(head) :])


@given(st.lists(st.sampled_from(["---", "...", "\n", "\r\n", " ", "a: 1", "\ufeff", "-", "\r"])).map("".join))
def test_the_parts_are_the_text(text: str) -> None:
    assert "".join(split(text)) == text


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("no", "no"),
        ("on", "on"),
        ("12", 12),
        ("-3", -3),
        ("0x1F", 31),
        ("0o17", 15),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("1e999", "1e999"),
        (".nan", ".nan"),
        (".inf", ".inf"),
        ("007", "007"),
        ("1_000", "1_000"),
        ("9" * 5000, "9" * 5000),
        ("2026-04-14", "2026-04-14"),
        ("12:30", "12:30"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("!!python/object/apply:os.system [ls]", ["ls"]),
        ("!!binary aGk=", "aGk="),
        ("!custom 3", 3),
        ("[a, {b: c}]", ["a", {"b": "c"}]),
        ("{1: a, true: b, ~: c}", {"1": "a", "true": "b", "~": "c"}),
        ("{{title}}", {"{title}": None}),
        ("{<<: {a: 1}, b: 2}", {"<<": {"a": 1}, "b": 2}),
        ('"\\u00e9"', "é"),
        ("|\n  one\n  two\n", "one\ntwo\n"),
        (">-\n  one\n  two\n", "one two"),
    ],
)
def test_values(written: str, value: object) -> None:
    found = values(f"key: {written}")["key"]
    assert (type(found), found) == (type(value), value)


def test_anchors_are_followed() -> None:
    assert values("a: &x [1, 2]\nb: *x\n? &k key\n: v\n") == {"a": [1, 2], "b": [1, 2], "key": "v"}


def test_the_last_of_two_equal_keys_counts() -> None:
    found, (problem,) = read("---\na: 1\nb: 2\na: 3\n---\n")
    assert found == {"a": 3, "b": 2}
    assert problem.line == 4


@pytest.mark.parametrize("inner", ["", "# only a comment", "\n\n", "~"])
def test_nothing_in_it(inner: str) -> None:
    assert read(f"---\n{inner}\n---\n") == ({}, ())


@pytest.mark.parametrize(
    "inner",
    ["- a", "just words", "42", "a: 1\n--- b", "%YAML 1.2", "a: *nowhere", "a: &a [*a]"],
)
def test_problems(inner: str) -> None:
    found, problems = read(f"---\n{inner}\n---\n")
    assert found == {}
    assert [problem.code for problem in problems] == ["frontmatter"]


def test_half_a_character_never_gets_through() -> None:
    # libyaml refuses the escape, PyYAML's own parser lets it pass.
    str(read('---\na: "\\ud800"\n---\n')).encode("utf-8")


def test_broken_yaml_still_names_the_page() -> None:
    broken = "title: Foo: bar\ntags:\n- @a\n- 'b'\naliases: [x, \"y\"]\nsummary: |\n  one\n  two\nother: 1"
    head = f"---\n{broken}\n---\n"
    found, (problem,) = read(head)
    assert found == {"title": "Foo: bar", "tags": ["@a", "b"], "aliases": ["x", "y"], "summary": "one two"}
    assert problem.line == 2


def test_aliases_do_not_explode() -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    started = time.process_time()
    assert read("---\n" + "\n".join(rows) + "\n---\n")[1]
    assert time.process_time() - started < 2


DEEP = {
    "brackets": "a: " + "[" * 100_000,
    "braces": "{" * 100_000 + "}" * 100_000,
    "dashes": "- " * 100_000,
    "questions": "? " * 100_000,
    "indentation": "\n".join(" " * i + "a:" for i in range(1400)),
    "sequences": "\n".join(" " * i + "-" for i in range(1400)),
    "many values": "a: [" + "x," * 400_000 + "]",
    "salvage": "tags:\n" * 150_000 + "[",
    "spaces": "title: a" + " " * 900_000 + "x\n[",
    "large": "a: " + "x" * 2_000_000,
}


@pytest.mark.parametrize("name", DEEP)
def test_hostile_input_harms_nothing(name: str) -> None:
    found = "from quaid.formats.markdown.frontmatter import read"
    code = f"import sys; {found}; print(len(read(sys.stdin.read())[1]))"
    head = f"---\n{DEEP[name]}\n---\n"
    done = subprocess.run([sys.executable, "-c", code], input=head, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr[-500:]


@given(
    st.text(alphabet=st.characters(exclude_categories=())) | st.text(alphabet="ab:-?[]{}#&*!|>'\"%@ \n\t,")
)
def test_reading_never_fails(inner: str) -> None:
    found, _ = read(f"---\n{inner}\n---\n")
    repr(found).encode("utf-8")
