"""The command line is read the same in whatever order and form options are typed."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid import operations
from quaid.cli.main import split_command
from quaid.cli.parser import help_text, operation_arguments, parse
from quaid.errors import InvalidInput
from quaid.operations.arguments import parameters

REMEMBER = operations.operation("kb remember")
OPTIONS = parameters(REMEMBER.arguments)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@st.composite
def typed(draw: st.DrawFn) -> tuple[list[list[str]], dict[str, Any]]:
    """Words for some options, and what they mean."""
    chunks: list[list[str]] = []
    values: dict[str, Any] = {}
    for each in draw(st.lists(st.sampled_from(OPTIONS), unique_by=lambda each: each.name)):
        if each.kind == "boolean":
            chunks.append([each.flag])
            values[each.name] = True
            continue
        size = draw(st.integers(1, 3)) if each.facts.many else 1
        value = st.sampled_from(each.choices) if each.choices else TEXT
        given = draw(st.lists(value, min_size=size, max_size=size))
        for one in given:
            joined = draw(st.booleans())
            chunks.append([f"{each.flag}={one}"] if joined else [each.flag, one])
        values[each.name] = given if each.facts.many else given[0]
    return chunks, values


@given(typed(), st.randoms(use_true_random=False))
def test_options_mean_the_same_in_any_order(
    line: tuple[list[list[str]], dict[str, Any]], random: Any
) -> None:
    chunks, values = line
    shuffled = sorted(chunks, key=lambda chunk: (random.random(), chunk))
    read = parse("kb remember", OPTIONS, [word for chunk in shuffled for word in chunk]).values
    assert {name: sorted(each) if isinstance(each, list) else each for name, each in read.items()} == {
        name: sorted(each) if isinstance(each, list) else each for name, each in values.items()
    }
    in_order = parse("kb remember", OPTIONS, [word for chunk in chunks for word in chunk]).values
    assert in_order == values


@given(
    st.lists(
        st.sampled_from([["--json"], ["--kb", "query"], ["--kb=show"], ["--db", "x"], ["-h"]]), max_size=3
    ),
    st.lists(st.sampled_from([["--json"], ["--kb", "x"], ["--offline"], ["--db", "status"]]), max_size=3),
    st.sampled_from([name for name in operations.NAMES if name.startswith("kb ")]),
    st.lists(TEXT, max_size=2),
)
def test_a_command_is_found_among_options(
    before: list[list[str]], between: list[list[str]], name: str, rest: list[str]
) -> None:
    first, second = name.split()
    ahead, amid = list(chain(*before)), list(chain(*between))
    assert split_command([*ahead, first, *amid, second, *rest]) == (name, [*ahead, *amid, *rest])


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["gaps", "--json", "resolve"], "gaps"),
        (["gaps", "resolve", "1"], "gaps resolve"),
        (["config", "--json", "get", "x"], "config get"),
        (["kb", "--kb"], "kb"),
        (["--db"], ""),
    ],
)
def test_a_word_behind_an_option_is_no_command_where_there_is_one(words: list[str], name: str) -> None:
    assert split_command(words)[0] == name


def test_a_list_that_is_typed_one_by_one_is_checked_one_by_one() -> None:
    operation = operations.operation("kb init")
    known = parameters(operation.arguments)
    words = ["--adapter", "claude", "--adapter", "codex"]
    assert operation_arguments(operation, known, parse("kb init", known, words)).adapter == [
        "claude",
        "codex",
    ]
    with pytest.raises(InvalidInput, match='one of claude, codex, not "vim"'):
        operation_arguments(operation, known, parse("kb init", known, ["--adapter", "vim"]))
    text = " ".join(help_text("kb init", "Help.", known, ()).split())
    assert "[--adapter ADAPTER] …" in text
    assert "One of claude, codex." in text
