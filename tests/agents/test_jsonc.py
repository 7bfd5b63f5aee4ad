"""JSON with comments: what is edited changes, and not one byte more."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quaid.agents.setup import jsonc
from quaid.agents.setup.jsonc import JsoncError

NAMES = st.text('abcxyz"\\é/ ', min_size=1, max_size=6)
SCALARS = st.none() | st.booleans() | st.integers() | st.text('ab"\\{}[],:/*\n é𝄞', max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)
SPACES = st.sampled_from(
    ["", " ", "\n", "\n  ", "\t", "\r\n", " // c {\n", "/* , */", "\n/* a\n b */ ", " //\r\n"]
)


@st.composite
def written(draw: st.DrawFn, values: st.SearchStrategy[Any] = OBJECTS) -> tuple[str, Any]:
    """A value, and a text of it with space and comments anywhere, and commas that trail."""

    def text(value: Any) -> str:
        def gap() -> str:
            return draw(SPACES)

        if isinstance(value, dict):
            inner = [f"{gap()}{json.dumps(k)}{gap()}:{gap()}{text(v)}{gap()}" for k, v in value.items()]
        elif isinstance(value, list):
            inner = [f"{gap()}{text(each)}{gap()}" for each in value]
        else:
            return json.dumps(value, ensure_ascii=draw(st.booleans()))
        trailing = "," + gap() if inner and draw(st.booleans()) else ""
        marks = "{}" if isinstance(value, dict) else "[]"
        return marks[0] + (",".join(inner) or gap()) + trailing + marks[1]

    value = draw(values)
    return draw(st.sampled_from(["", "\ufeff"])) + draw(SPACES) + text(value) + draw(SPACES), value


@st.composite
def indented(draw: st.DrawFn) -> tuple[str, Any]:
    """A value as programs write it, with another unit of indentation and other line breaks."""
    value = draw(OBJECTS)
    unit = draw(st.sampled_from([2, 4, "\t", None]))
    text = json.dumps(value, indent=unit, ensure_ascii=False)
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))), value


def kept(text: str, new: str) -> bool:
    """Whether all that stood in a text still does, in order."""
    rest = iter(new)
    return all(letter in rest for letter in text)


@given(written())
def test_reading_is_what_was_written(case: tuple[str, Any]) -> None:
    text, value = case
    assert jsonc.read(text) == value


@given(written(), NAMES, VALUES)
def test_a_new_member_changes_nothing_else(case: tuple[str, Any], name: str, new: Any) -> None:
    text, value = case
    assume(name not in value)
    after = jsonc.put(text, (name,), new)
    assert jsonc.read(after) == {**value, name: new}
    if value:
        assert kept(text, after)


@given(written(), NAMES, VALUES)
def test_a_member_that_is_put_and_removed_leaves_the_bytes(
    case: tuple[str, Any], name: str, new: Any
) -> None:
    text, value = case
    assume(value and name not in value)
    assert jsonc.remove(jsonc.put(text, (name,), new), (name,)) == text


@given(indented(), NAMES, VALUES)
def test_indented_texts_get_their_bytes_back(case: tuple[str, Any], name: str, new: Any) -> None:
    text, value = case
    assume(name not in value)
    after = jsonc.put(text, (name,), new)
    assert jsonc.remove(after, (name,)) == text
    if "\r\n" in text:
        assert after.count("\n") == after.count("\r\n")


@given(written(), st.data())
def test_a_member_is_replaced_in_its_place(case: tuple[str, Any], data: st.DataObject) -> None:
    text, value = case
    assume(value)
    name = data.draw(st.sampled_from(sorted(value)))
    new = data.draw(VALUES)
    after = jsonc.put(text, (name,), new)
    assert jsonc.read(after) == {**value, name: new}
    node = jsonc.parse(text)
    assert node
    child = node.child(name)
    assert child
    assert after.startswith(text[: child.node.start])
    assert after.endswith(text[child.node.end :])


@given(written(), st.data())
def test_any_member_can_be_removed(case: tuple[str, Any], data: st.DataObject) -> None:
    text, value = case
    assume(value)
    name = data.draw(st.sampled_from(sorted(value)))
    after = jsonc.remove(text, (name,))
    assert jsonc.read(after) == {key: each for key, each in value.items() if key != name}


@given(written(st.lists(VALUES, max_size=4)), VALUES)
def test_items_are_appended_and_removed(case: tuple[str, Any], new: Any) -> None:
    text, value = case
    after = jsonc.put(text, (len(value),), new)
    assert jsonc.read(after) == [*value, new]
    if value:
        assert jsonc.remove(after, (len(value),)) == text


@given(written(), st.lists(NAMES, min_size=1, max_size=3), VALUES)
def test_objects_on_the_way_are_made(case: tuple[str, Any], path: list[str], new: Any) -> None:
    text, value = case
    assume(path[0] not in value)
    assert jsonc.at(jsonc.read(jsonc.put(text, path, new)), path) == new


@given(st.text('{}[]:,"\\/*ab1 \n', max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    line = 1
    try:
        jsonc.read(text)
    except JsoncError as error:
        line = error.line
    assert 1 <= line <= text.count("\n") + 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("// mine\n", '// mine\n{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("{}", '{\n  "a": {\n    "b": 1\n  }\n}'),
        ("{}\r\n", '{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n'),
        ('{"a":{}}', '{"a":{"b": 1}}'),
        ('{"x":1,"y":2}', '{"x":1,"y":2,"a": {"b": 1}}'),
        ('{\n\t"x": 1 // one\n}', '{\n\t"x": 1, // one\n\t"a": {\n\t\t"b": 1\n\t}\n}'),
        ('{\n    "x": 1,\n}\n', '{\n    "x": 1,\n    "a": {\n        "b": 1\n    },\n}\n'),
        ("{\n  // none yet\n}", '{\n  "a": {\n    "b": 1\n  }\n  // none yet\n}'),
        ("{ // none yet\n}", '{ // none yet\n  "a": {\n    "b": 1\n  }\n}'),
        ('{\n  "a": {}\n}', '{\n  "a": {\n    "b": 1\n  }\n}'),
        ('{\n  "a": { "c": 2 }\n}', '{\n  "a": { "c": 2, "b": 1 }\n}'),
    ],
)
def test_the_layout_is_followed(before: str, after: str) -> None:
    assert jsonc.put(before, ("a", "b"), 1) == after


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"a": 1', 1),
        ('{\n  "a": 1\n  "b": 2\n}', 3),
        ("{\n\n  a: 1\n}", 3),
        ('{"a": 01}', 1),
        ('{"a": NaN}', 1),
        ('{"a": "x\n"}', 1),
        ("{}\n{}", 2),
        ("/* no end", 1),
        ("[" * 100_000, 1),
        ('{"a": ' + "9" * 5000 + "}", 1),
    ],
)
def test_what_is_not_json_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(JsoncError) as caught:
        jsonc.read(text)
    assert caught.value.line == line


def test_a_value_that_holds_nothing_is_not_made_an_object() -> None:
    with pytest.raises(JsoncError, match="object"):
        jsonc.put('{"mcpServers": []}', ("mcpServers", "quaid"), {})


def test_a_large_text_is_read_in_time() -> None:
    text = json.dumps({f"key {n}": {"history": [{"display": "x" * 50}]} for n in range(5000)}, indent=2)
    after = jsonc.put(text, ("mcpServers", "quaid"), {})
    assert jsonc.remove(after, ("mcpServers",)) == text
