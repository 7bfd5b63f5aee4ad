from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quaid.errors import InvalidInput
from quaid.formats.markdown.frontmatter import read
from quaid.formats.markdown.yaml_edits import Path, delete_value, set_value
from tests.support import examples

HEAD = """---
# about the page
title:   'Old'  # keep
tags: [a, b]  # few
links:
  - to: x
    rel: y

  # between
  - to: z
empty:
noted: # why
deep:
  key: v
text: |
  one
  two

last: 1
---
"""


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("title",), "New", "'Old'", "New"),
        (("title",), "a: b", "'Old'", '"a: b"'),
        (("title",), ["p", "q"], "title:   'Old'  # keep\n", "title:  # keep\n  - p\n  - q\n"),
        (("tags", 2), "c d", "[a, b]", "[a, b, c d]"),
        (("tags", 0), "x, y", "[a, b]", '["x, y", b]'),
        (("tags",), ["x"], "[a, b]", "[x]"),
        (("tags",), [{"x": 1}], "tags: [a, b]  # few\n", "tags:  # few\n  - x: 1\n"),
        (("tags",), [], "[a, b]", "[]"),
        (
            ("links", 2),
            {"to": "q", "l": [1, {"a": 2}]},
            "z\n",
            "z\n  - to: q\n    l:\n      - 1\n      - a: 2\n",
        ),
        (("links", 0, "rel"), "2026-01-01", "rel: y", "rel: 2026-01-01"),
        (("links", 0), {"to": "n", "m": 1}, "- to: x\n    rel: y\n", "- to: n\n    m: 1\n"),
        (("links", 0), "n", "- to: x\n    rel: y\n", "- n\n"),
        (("links", 1, "since"), 2026, "z\n", "z\n    since: 2026\n"),
        (("empty",), "v", "empty:", "empty: v"),
        (("empty", 0), {"to": "v"}, "empty:\n", "empty:\n  - to: v\n"),
        (("noted",), True, "noted: #", "noted: true #"),
        (("noted", 0), "v", "# why\n", "# why\n  - v\n"),
        (("deep", "more"), ["p"], "key: v\n", "key: v\n  more:\n    - p\n"),
        (("text",), "short", "text: |\n  one\n  two\n", "text: short\n"),
        (("text",), {"k": None}, "text: |\n  one\n  two\n", "text:\n  k: null\n"),
        (("last",), "1", "last: 1", 'last: "1"'),
        (("new",), "no", "last: 1\n", "last: 1\nnew: no\n"),
        (("new", "a", 0), 1.5, "last: 1\n", "last: 1\nnew:\n  a:\n    - 1.5\n"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_set(path: Path, value: Any, old: str, new: str, newline: str) -> None:
    head = HEAD.replace("\n", newline)
    expected = HEAD.replace(old, new, 1).replace("\n", newline)
    assert set_value(head, path, value) == expected


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (("title",), "title:   'Old'  # keep\n", ""),
        (("tags", 0), "[a, b]", "[b]"),
        (("tags", 1), "[a, b]", "[a]"),
        (("links", 0), "  - to: x\n    rel: y\n", ""),
        (("links", 1), "  - to: z\n", ""),
        (("links", 1, "to"), "  - to: z\n", ""),
        (("links", 0, "to"), "to: x\n    rel", "rel"),
        (("links", 0, "rel"), "    rel: y\n", ""),
        (("deep", "key"), "deep:\n  key: v\n", ""),
        (("text",), "text: |\n  one\n  two\n", ""),
        (("missing",), "", ""),
        (("tags", 7), "", ""),
    ],
)
def test_delete(path: Path, old: str, new: str) -> None:
    assert delete_value(HEAD, path) == HEAD.replace(old, new, 1)


@pytest.mark.parametrize(
    ("head", "path", "value", "expected"),
    [
        ("", ("title",), "T", "---\ntitle: T\n---\n"),
        ("", ("links", 0), {"to": "a/b", "r": "c"}, "---\nlinks:\n  - to: a/b\n    r: c\n---\n"),
        ("---\n---\n", ("a",), 1, "---\na: 1\n---\n"),
        ("---\n# c\n---\n", ("a",), 1, "---\n# c\na: 1\n---\n"),
        ("---\n{a: 1}\n---\n", ("b",), [1], "---\n{a: 1, b: [1]}\n---\n"),
        ("---\na: []\n---\n", ("a", 0), "x", "---\na: [x]\n---\n"),
        ("---\na: [\n  p,\n  q,\n]\n---\n", ("a", 2), "x", "---\na: [\n  p,\n  q,\n  x,\n]\n---\n"),
        ("---\na:\n- p\nz: 1\n---\n", ("a", 1), "x", "---\na:\n- p\n- x\nz: 1\n---\n"),
        ("---\na:\n- p\n---\n", ("b", 0), "x", "---\na:\n- p\nb:\n- x\n---\n"),
        ("---\na: |+\n  x\n\n---\n", ("b",), 1, "---\na: |+\n  x\n\nb: 1\n---\n"),
        ("---\na: &x 1\nb: *x\n---\n", ("c",), 2, "---\na: &x 1\nb: *x\nc: 2\n---\n"),
        ("\ufeff---\na: é\n...\n", ("a",), "ü", "\ufeff---\na: ü\n...\n"),
        ("---\n😀: 😀\na: 1\n---", ("a",), 2, "---\n😀: 😀\na: 2\n---"),
    ],
)
def test_shapes(head: str, path: Path, value: Any, expected: str) -> None:
    assert set_value(head, path, value) == expected


@pytest.mark.parametrize("inner", ["a: [x]", "a:\n- x", "a:\n  - x  # c", "a:\n  b: {c: x}", "{a: x}"])
def test_the_last_item_takes_its_key_along(inner: str) -> None:
    path: Path = ("a",) if inner[0] == "{" else ("a", 0) if "b" not in inner else ("a", "b", "c")
    assert read(delete_value(f"---\n{inner}\n---\n", path)) == ({}, ())


@pytest.mark.parametrize(
    ("inner", "path"),
    [
        ("a: b: c", ("a",)),
        ("- a", ("a",)),
        ("a: &x 1\nb: *x", ("a",)),
        ("a: &x 1\nb: *x", ("b",)),
        ("a: &x [1]\nb: *x", ("b", 1)),
        ("a: !t x", ("a",)),
        ("a: text", ("a", "b")),
        ("a: {b: 1}", ("a", 0)),
        ("a: [1]", ("a", 3)),
        ("a: 1\na: 2", ("a",)),
    ],
)
def test_what_cannot_be_edited_is_refused(inner: str, path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        set_value(f"---\n{inner}\n---\n", path, "new")
    assert caught.value.hint


@pytest.mark.parametrize("value", [object(), float("nan"), {"a": {1, 2}}, "\ud800"])
def test_values_that_no_file_can_hold(value: Any) -> None:
    with pytest.raises(InvalidInput):
        set_value("", ("a",), value)


TEXTS = st.text(max_size=12) | st.sampled_from(
    [
        "no",
        "true",
        "~",
        "1",
        "1.0",
        "- a",
        "# c",
        "a #b",
        "a: b",
        "a:",
        "'q'",
        "---",
        "...",
        "[x",
        "{",
        "@x",
        "%",
        "`",
        "two\nlines",
        "tab\there",
        " lead",
        "trail ",
        "é中😀",
        "\x85",
        "\u2028",
        "\ufeff",
        "|",
        ">",
        "&a",
        "*a",
        "!t",
        "",
    ]
)
SCALARS = (
    TEXTS | st.integers(-(10**17), 10**17) | st.booleans() | st.none() | st.floats(allow_nan=False, width=32)
)
VALUES = st.recursive(
    SCALARS.filter(lambda value: value not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4))
def test_every_value_reads_back(values: dict[str, Any]) -> None:
    head = ""
    for key, value in values.items():
        head = set_value(head, (key,), value)
    assert read(head) == (values, ())


FIELDS = st.sampled_from(
    [
        "{k}: plain",
        "{k}: 'single'  # c",
        '{k}: "dou\\nble"',
        "{k}: [a, 'b', {{x: 1}}]",
        "{k}: {{x: 1, y: [2]}} # c",
        "{k}:",
        "{k}: ",
        "{k}: # c",
        "{k}: ~",
        "{k}:\n- a\n-   b # c\n- ",
        "{k}:\n    - x: 1\n      y: 2\n    # c\n    - z",
        "{k}:\n  x: 1\n\n  y:\n    z: [1,\n      2]",
        "{k}: |\n  one\n\n  two",
        "{k}: >-\n   folded\n   text\n",
        "{k}: []",
        "{k}: |+\n  kept\n\n",
        "{k}:\n  - - a\n    - b\n  - - c",
        "{k}: two\n  lines",
        "'{k}': x",
        "{k} : x",
        "{k}: {{}}",
        "{k}:\n\n  - a\n\n  - b",
        "{k}: 中文 😀 # é",
    ]
)
GAPS = st.sampled_from(["", "# comment\n", "\n", "\n # indented comment\n\n"])


@st.composite
def heads(draw: st.DrawFn) -> tuple[str, list[tuple[str, str]]]:
    """A head, and its pieces by key; comments and blank lines have no key."""
    pieces: list[tuple[str, str]] = []
    for key in draw(st.lists(st.sampled_from("abcdef"), unique=True, min_size=1, max_size=5)):
        pieces += [("", draw(GAPS)), (key, draw(FIELDS).format(k=key) + "\n")]
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    pieces = [(key, text.replace("\n", newline)) for key, text in [("", "---\n"), *pieces, ("", "---\n")]]
    return "".join(text for _, text in pieces), pieces


def paths(value: Any, path: Path = ()) -> list[Path]:
    """Every place in the values, and one new place in each list and mapping."""
    found = [path] if path else []
    if isinstance(value, dict):
        found += [place for key, item in value.items() for place in paths(item, (*path, key))]
        found.append((*path, "new"))
    elif isinstance(value, list):
        found += [place for index, item in enumerate(value) for place in paths(item, (*path, index))]
        found.append((*path, len(value)))
    return found


def changed(values: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    if isinstance(path[0], int):
        items = [*values, None] if path[0] == len(values) else list(values)
        items[path[0]] = changed(items[path[0]], path[1:], value)
        return items
    return {**values, path[0]: changed(values.get(path[0]), path[1:], value)}


def others_kept(pieces: list[tuple[str, str]], edited: str, key: str | int) -> bool:
    """Whether the pieces before and after the edited field stand where they stood."""
    index = next((i for i, piece in enumerate(pieces) if piece[0] == key), len(pieces) - 1)
    before = "".join(text for _, text in pieces[:index])
    after = "".join(text for _, text in pieces[index + 1 :])
    if key == "new":
        # A new field follows the last one; blank lines and comments below that may stay below.
        rest = iter(edited)
        return all(char in rest for _, text in pieces for char in text)
    return edited.startswith(before) and edited.endswith(after)


@examples(80, 1_200)
@given(heads(), st.data(), VALUES)
def test_an_edit_changes_its_field_and_nothing_else(
    head_and_pieces: tuple[str, list[tuple[str, str]]], data: st.DataObject, value: Any
) -> None:
    head, pieces = head_and_pieces
    values, problems = read(head)
    assume(not problems)
    path = data.draw(st.sampled_from(paths(values)))
    edited = set_value(head, path, value)
    assert read(edited) == (changed(values, path, value), ())
    assert others_kept(pieces, edited, path[0])
    if "\r\n" in head:
        assert "\n" not in edited.replace("\r\n", "")


@examples(60, 800)
@given(heads(), st.data())
def test_a_deletion_removes_its_field_and_nothing_else(
    head_and_pieces: tuple[str, list[tuple[str, str]]], data: st.DataObject
) -> None:
    head, pieces = head_and_pieces
    values, problems = read(head)
    # Behind `|+`, the blank lines of a removed neighbour would become text: such an edit is refused.
    assume(not problems and "|+" not in head)
    path = data.draw(st.sampled_from([path for path in paths(values) if path[-1] != "new"]))
    edited = delete_value(head, path)
    assert others_kept(pieces, edited, path[0])
    if len(path) == 1:
        assert read(edited)[0] == {key: value for key, value in values.items() if key != path[0]}
