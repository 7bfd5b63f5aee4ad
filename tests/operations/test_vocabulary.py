"""Arguments under other names and in other spellings, over the whole operation table."""

from __future__ import annotations

from typing import Any

import pytest

from quaid import operations
from quaid.errors import InvalidInput
from quaid.operations import vocabulary
from quaid.operations.arguments import decode, parameters
from quaid.operations.operation import Operation, Parameter

VALUES: dict[str, Any] = {
    "string": "x",
    "integer": 7,
    "number": 0.5,
    "boolean": True,
    "array": [],
    "object": {},
    "any": 1,
}
ALL = [pytest.param(each, id=each.name) for each in operations.operations()]


def sample(parameter: Parameter) -> Any:
    """A value that a parameter takes."""
    if parameter.choices:
        return [parameter.choices[0]] if parameter.kind == "array" else parameter.choices[0]
    return VALUES[parameter.kind]


def required(operation: Operation[Any, Any]) -> dict[str, Any]:
    """Values for what must be given."""
    known = parameters(operation.arguments)
    return {each.name: sample(each) for each in known if each.required or each.facts.for_tools}


def offered(operation: Operation[Any, Any]) -> list[Parameter]:
    known = parameters(operation.arguments)
    return [each for each in known if not each.facts.hidden and not each.facts.for_people]


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


@pytest.mark.parametrize("operation", ALL)
def test_every_argument_is_accepted_in_camel_case_and_with_dashes(operation: Operation[Any, Any]) -> None:
    for parameter in offered(operation):
        plain = required(operation) | {parameter.name: sample(parameter)}
        for spelled in (camel(parameter.name), parameter.name.replace("_", "-"), parameter.name.upper()):
            values = {name: value for name, value in plain.items() if name != parameter.name}
            values[spelled] = sample(parameter)
            assert decode(operation.arguments, values, tool=True) == decode(
                operation.arguments, plain, tool=True
            )


@pytest.mark.parametrize("operation", ALL)
def test_numbers_and_flags_are_accepted_as_text(operation: Operation[Any, Any]) -> None:
    for parameter in offered(operation):
        if parameter.kind not in ("integer", "number", "boolean"):
            continue
        plain = required(operation) | {parameter.name: sample(parameter)}
        spelled = plain | {parameter.name: str(sample(parameter)).lower()}
        assert decode(operation.arguments, spelled, tool=True) == decode(
            operation.arguments, plain, tool=True
        )


@pytest.mark.parametrize("operation", ALL)
def test_lists_of_words_are_accepted_as_one_text(operation: Operation[Any, Any]) -> None:
    for parameter in offered(operation):
        if parameter.kind != "array" or parameter.item != "string" or parameter.choices:
            continue
        plain = required(operation) | {parameter.name: ["a", "b c"]}
        assert decode(operation.arguments, plain | {parameter.name: "a, b c"}, tool=True) == decode(
            operation.arguments, plain, tool=True
        )
        one = decode(operation.arguments, plain | {parameter.name: "a"}, tool=True)
        assert one == decode(operation.arguments, plain | {parameter.name: ["a"]}, tool=True)


@pytest.mark.parametrize("operation", ALL)
def test_a_name_never_means_an_argument_of_another_family(operation: Operation[Any, Any]) -> None:
    """Whatever a name resolves to is the name itself, its number, or stands with it in some family."""
    names = [each.name for each in offered(operation)]
    for other in {each for family in vocabulary.families() for each in family}:
        found = vocabulary.meant(other, names)
        if found is None or found == other:
            continue
        related = {each for line in vocabulary.families() if other in line for each in line}
        stems = {each.rstrip("s") for each in (*related, other)}
        assert found.rstrip("s") in stems


@pytest.mark.parametrize(
    ("tool", "given", "own"),
    [
        ("memory_query", {"query": "x"}, {"question": "x"}),
        ("memory_query", {"q": "x", "max_results": "3"}, {"question": "x", "limit": 3}),
        ("memory_query", {"question": "x", "topK": 3}, {"question": "x", "limit": 3}),
        ("memory_query", {"question": "x", "k": 3.0}, {"question": "x", "limit": 3}),
        ("memory_query", {"question": "x", "max_tokens": 90}, {"question": "x", "token_budget": 90}),
        ("memory_query", {"question": "x", "tags": ["a"]}, {"question": "x", "tag": "a"}),
        ("memory_query", {"question": ["x"]}, {"question": "x"}),
        ("memory_query", {"question": "x", "depth": "Full"}, {"question": "x", "depth": "full"}),
        ("memory_query", {"question": 2026}, {"question": "2026"}),
        ("memory_search", {"question": "x", "n": "3"}, {"query": "x", "limit": 3}),
        ("recall", {"question": "x", "limit": 3}, {"query": "x", "max_results": 3}),
        ("conversation_search", {"question": "x", "limit": 3}, {"query": "x", "max_results": 3}),
        ("kb_query", {"query": "x", "max_results": 3}, {"question": "x", "limit": 3}),
        (
            "memory_put",
            {"slug": "a", "text": "b", "page_version": "0"},
            {"slug": "a", "content": "b", "expected_version": 0},
        ),
        (
            "memory_tag",
            {"page": "a", "tag": "b", "expected_version": 1},
            {"slug": "a", "tag": "b", "page_version": 1},
        ),
        ("memory_get", {"page": "a"}, {"slug": "a"}),
        ("daily_log", {"content": "x"}, {"entry": "x"}),
        ("remember", {"text": "x", "done": "false"}, {"content": "x", "done": False}),
        (
            "memory_link",
            {"source_slug": "a", "target": "b", "relation": "knows", "pageVersion": 1},
            {"from": "a", "to": "b", "relationship": "knows", "page_version": 1},
        ),
        ("memory_gap", {"question": "x"}, {"query_text": "x"}),
    ],
)
def test_names_that_others_use_are_understood(tool: str, given: dict[str, Any], own: dict[str, Any]) -> None:
    operation = operations.tool(tool)
    assert decode(operation.arguments, given, tool=True) == decode(operation.arguments, own, tool=True)


def test_a_name_that_means_nothing_is_refused_with_the_nearest() -> None:
    operation = operations.tool("memory_query")
    with pytest.raises(InvalidInput) as refused:
        decode(operation.arguments, {"question": "x", "colection": "y"}, tool=True)
    assert "Did you mean collection?" in refused.value.hint
    assert "It takes: question" in refused.value.hint


def test_the_same_argument_under_two_names_is_refused() -> None:
    operation = operations.tool("memory_query")
    with pytest.raises(InvalidInput, match="another name of 'question'"):
        decode(operation.arguments, {"question": "x", "query": "y"}, tool=True)


def test_a_list_of_two_is_no_single_value() -> None:
    operation = operations.tool("memory_query")
    with pytest.raises(InvalidInput, match="tag must be text"):
        decode(operation.arguments, {"question": "x", "tags": ["a", "b"]}, tool=True)


@pytest.mark.parametrize("value", ["maybe", "2", 2, "5x", "", "1e3"])
def test_what_is_no_number_or_flag_is_refused(value: Any) -> None:
    operation = operations.tool("memory_query")
    name = "explain" if value != "5x" and value != "1e3" else "limit"
    with pytest.raises(InvalidInput):
        decode(operation.arguments, {"question": "x", name: value}, tool=True)


def test_schemas_do_not_list_other_names() -> None:
    from quaid.mcp.server import tool_entry

    listed = tool_entry(operations.tool("memory_query")).input_schema["properties"]
    assert "query" not in listed
    assert "max_results" not in listed
