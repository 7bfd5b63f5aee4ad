"""Programs: `call`, `pipe` and what they may send."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from quaid import operations
from quaid.app import App
from quaid.operations.arguments import parameters
from tests.support import PATIENCE, PROGRAM, call, dump, environment, examples, quick, tolerating, tool


@pytest.fixture
def memory(app: App, db: Path) -> Path:
    call(app, "put", slug="a", content="# A\n")
    return db


def pipe(db: Path, *lines: str | bytes) -> list[Any]:
    data = b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines)
    ran = quick("pipe", input=data, db=db)
    assert (ran.status, ran.err) == (0, "")
    return [json.loads(line) for line in ran.out.splitlines()]


def request(name: str, args: Any = None, **more: Any) -> str:
    return json.dumps({"tool": name, "args": args or {}, **more})


def test_a_call_is_answered_with_json(memory: Path) -> None:
    assert quick("call", "memory_get", '{"slug": "a"}', db=memory).json["content"] == "# A\n"
    assert quick("call", "get", '{"slug": "a"}', db=memory).json["content"] == "# A\n"
    assert quick("call", "memory_stats", db=memory).json["counts"]["pages"] == 1


def test_arguments_from_a_file_or_the_input(memory: Path, tmp_path: Path) -> None:
    (tmp_path / "args.json").write_text('{"slug": "a"}')
    assert quick("call", "memory_get", f"@{tmp_path / 'args.json'}", db=memory).json["slug"] == "a"
    assert quick("call", "memory_get", "-", input='{"slug": "a"}', db=memory).json["slug"] == "a"


def test_a_finding_sets_the_status_of_a_call(app: App, memory: Path) -> None:
    app.connection.execute("INSERT INTO tags VALUES (1, 'stray')")
    ran = quick("call", "memory_validate", '{"all": true}', db=memory)
    assert (ran.status, len(ran.json["findings"])) == (11, 1)


def test_each_line_is_answered_in_order_with_its_id(memory: Path) -> None:
    ids = [1, "two", None, {"three": 3}, [4], 5.5, "é🦭", True]
    answers = pipe(memory, *(request("memory_get", {"slug": "a"}, id=each) for each in ids))
    assert [answer["id"] for answer in answers] == ids
    assert {answer["result"]["title"] for answer in answers} == {"A"}


BAD = {
    "no json": "nonsense",
    "half": '{"tool": "memory_get", "args": {',
    "a number": "3",
    "a list": "[]",
    "null": "null",
    "no tool": "{}",
    "a tool that is no text": '{"tool": 3}',
    "no such tool": '{"tool": "memory_fly"}',
    "args that are no object": '{"tool": "memory_get", "args": [1]}',
    "args that are null": '{"tool": "memory_get", "args": null}',
    "a missing argument": '{"tool": "memory_get"}',
    "an unknown argument": '{"tool": "memory_get", "args": {"slug": "a", "colour": 1}}',
    "a wrong type": request("memory_list", {"limit": {"a": 1}}),
    "true for a number": '{"tool": "memory_list", "args": {"limit": true}}',
    "not a number": '{"tool": "memory_list", "args": {"limit": NaN}}',
    "infinity": '{"tool": "memory_list", "args": {"limit": 1e999}}',
    "a huge number": '{"tool": "memory_list", "args": {"limit": ' + "9" * 4000 + "}}",
    "a monstrous number": '{"tool": "memory_list", "args": {"limit": ' + "9" * 6000 + "}}",
    "more than an id can be": '{"tool": "memory_link_close", "args": {"link_id": 9223372036854775808, '
    '"valid_until": "2026", "page_version": 1}}',
    "half a character": '{"tool": "memory_get", "args": {"slug": "\\ud83e"}}',
    "half a character in a page": '{"tool": "memory_put", "args": {"slug": "b", "content": "\\udc00", '
    '"expected_version": 0}}',
    "a null character": '{"tool": "memory_put", "args": {"slug": "b\\u0000", "content": "x", '
    '"expected_version": 0}}',
    "deep nesting": "[" * 100_000,
    "deep data": '{"tool": "memory_raw", "args": {"slug": "a", "source": "s", "page_version": 1, "data": '
    + "[" * 900
    + "]" * 900
    + "}}",
}


def test_one_bad_line_does_not_end_the_stream(memory: Path) -> None:
    before = dump(memory)
    answers = pipe(memory, *BAD.values(), "", "   ", request("memory_get", {"slug": "a"}, id="last"))
    codes = {name: answer.get("error", {}).get("code") for name, answer in zip(BAD, answers, strict=False)}
    wrong = {name: code for name, code in codes.items() if code not in ("invalid_input", "not_found")}
    assert wrong == {}
    assert codes["no such tool"] == "not_found"
    assert len(answers) == len(BAD) + 1
    assert answers[-1]["result"]["slug"] == "a"
    assert dump(memory) == before


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\x00",
        b'{"tool": "memory_put", "args": {"slug": "b", "content": "caf\xe9", "expected_version": 0}}',
    ],
)
def test_bytes_that_are_no_text_are_refused_not_changed(memory: Path, line: bytes) -> None:
    answers = pipe(memory, line, request("memory_get", {"slug": "a"}))
    assert answers[0]["error"]["code"] == "invalid_input"
    assert answers[1]["result"]["slug"] == "a"
    assert quick("get", "b", db=memory).status == 3


def test_half_a_character_in_an_id_comes_back(memory: Path) -> None:
    answers = pipe(memory, '{"id": "\\ud83e", "tool": "memory_stats"}')
    assert answers[0]["id"] == "\ud83e"


def test_a_line_of_five_megabytes(memory: Path) -> None:
    content = "word " * 1_000_000
    answers = pipe(memory, request("memory_put", {"slug": "big", "content": content, "expected_version": 0}))
    assert answers[0]["result"]["version"] == 1
    assert len(pipe(memory, request("memory_get", {"slug": "big"}))[0]["result"]["content"]) == len(content)


def test_an_error_leaves_the_next_line_a_clean_memory(memory: Path) -> None:
    answers = pipe(
        memory,
        request("memory_mv", {"slug": "a", "to": "Not A Slug", "page_version": 1}),
        request("memory_tag", {"slug": "a", "tag": "x", "page_version": 1}),
        request("memory_tag", {"slug": "a", "tag": "y", "page_version": 1}),
        request("memory_tag", {"slug": "a", "tag": "y", "page_version": 2}),
    )
    assert [answer.get("error", {}).get("code") for answer in answers] == [
        "invalid_input",
        None,
        "conflict",
        None,
    ]
    assert answers[2]["error"]["current_version"] == 2
    assert answers[3]["result"]["tags"] == ["x", "y"]


def test_an_answer_comes_before_the_next_question(memory: Path) -> None:
    process = subprocess.Popen(
        [PROGRAM, "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(memory), text=True
    )
    assert process.stdin
    assert process.stdout
    for number in range(3):
        process.stdin.write(request("memory_get", {"slug": "a"}, id=number) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == number
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0


def test_large_numbers_in_data_are_kept(memory: Path) -> None:
    data = {"id": 1779905362482532352, "small": 1e-300, "negative": -(2**53)}
    answer = pipe(
        memory, request("memory_raw", {"slug": "a", "source": "s", "data": data, "page_version": 1})
    )[0]
    assert answer.get("error") is None
    assert answer["result"]["sources"][0]["data"] == data


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["a", "2026-01-01", "\ud800", "x" * 300]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@examples(80, 1_000, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_arguments_are_a_defect(
    app: App, data: st.DataObject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a program sends is answered, or refused with one of our errors."""
    (tmp_path / "here").mkdir(exist_ok=True)
    monkeypatch.chdir(tmp_path / "here")  # some operations write to the paths that they are given
    call(app, "put", slug="a", content="# A\n")
    operation = data.draw(st.sampled_from(operations.tools()))
    names = [each.name for each in parameters(operation.arguments)]
    values = data.draw(st.fixed_dictionaries({}, optional=dict.fromkeys(names, JUNK)))
    if "slug" in names and data.draw(st.booleans()):
        values["slug"] = "a"
    if "page_version" in names and data.draw(st.booleans()):
        values["page_version"] = call(app, "get", slug="a")["version"]
    with tolerating("invalid_input", "not_found", "conflict", "ambiguous", "storage"):
        json.dumps(tool(app, operation.tool, **values))
