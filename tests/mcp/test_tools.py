from __future__ import annotations

import re

import pytest

from quaid import operations
from quaid.errors import InvalidInput, NotFound
from quaid.mcp.answers import compact_json
from quaid.mcp.server import tool_entry
from quaid.operations.arguments import parameters
from quaid.operations.tool_sets import SETS, instructions, operations_named

# What agents that know such a memory call its tools by.
PARAMETERS = {
    "memory_search": "query type wing limit",
    "memory_query": "question depth token_budget wing limit",
    "memory_get": "slug",
    "memory_put": "slug content expected_version assertions compiled_truth timeline_append frontmatter",
    "memory_ingest": "content source_type source_ref force pages",
    "memory_link": "from to relationship context valid_from page_version",
    "memory_links": "slug temporal",
    "memory_link_close": "link_id valid_until page_version",
    "memory_unlink": "from to relationship page_version",
    "memory_timeline": "slug limit",
    "memory_timeline_add": "slug date summary source detail page_version",
    "memory_tags": "slug",
    "memory_tag": "slug tag remove page_version",
    "memory_list": "type tag wing limit sort",
    "memory_backlinks": "slug temporal",
    "memory_graph": "slug depth temporal limit",
    "memory_check": "slug type resolve",
    "memory_gap": "query_text context confidence_score",
    "memory_gap_approve": "gap_id sensitivity approver redacted_query",
    "memory_gaps": "limit include_resolved",
    "memory_stats": "",
    "memory_raw": "slug source data page_version",
}


def before_the_model(names: str) -> int:
    """Characters that a client puts before its model for a set of tools."""
    seen = []
    for operation in operations_named(names):
        tool = tool_entry(operation)
        seen.append({"name": tool.name, "description": tool.description, "input_schema": tool.input_schema})
    return len(compact_json(seen))


@pytest.mark.parametrize(
    ("names", "tokens"), [("core", 1_000), ("full", 2_500), ("notebook", 700), ("kb", 1_000)]
)
def test_a_set_costs_little_context(names: str, tokens: int) -> None:
    # Four characters a token is more than tokenizers count on these schemas (4.3 to 4.5).
    assert before_the_model(names) / 4 < tokens


def test_the_full_set_has_every_tool_with_its_parameters() -> None:
    tools = {tool.name: tool for tool in map(tool_entry, operations_named("full"))}
    for name, expected in PARAMETERS.items():
        assert set(expected.split()) <= tools[name].input_schema["properties"].keys(), name


def test_what_a_model_is_told_of_exists() -> None:
    for operation in operations.tools():
        known = {parameter.name for parameter in parameters(operation.arguments)}
        told = {each.split(":")[0] for each in operation.told or ()}
        assert told <= known, operation.name
        needed = {
            each.name
            for each in parameters(operation.arguments)
            if (each.required or each.facts.for_tools is True) and not each.facts.hidden
        }
        assert operation.told is None or needed <= told, operation.name


def test_every_tool_says_what_it_does_to_the_memory() -> None:
    for operation in operations.tools():
        tool = tool_entry(operation)
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (operation.effect == "read")
        assert tool.annotations.destructive_hint is (operation.effect == "destructive")
        assert tool.annotations.open_world_hint is False
        assert tool.description
        assert len("mcp__plugin_quaid_quaid__" + tool.name) <= 64


def test_what_a_person_decides_about_nodes_is_no_tool() -> None:
    tools = {operation.tool for operation in operations.tools() if operation.name.startswith("kb ")}
    words = ("query", "show", "backlinks", "list", "map", "remember", "capture", "lint", "status")
    assert tools == {f"kb_{word}" for word in words}
    for name in ("kb_delete", "kb delete", "kb_merge", "kb_init", "kb_push", "kb_resolve_divergence"):
        with pytest.raises(NotFound):
            operations.tool(name)
        with pytest.raises(InvalidInput):
            operations_named(name)


def test_what_a_person_decides_is_no_tool() -> None:
    decided = [each.name for each in operations.operations() if each.for_people]
    others = [name for name in decided if not name.startswith("kb ")]
    assert others == ["undo", "context approve", "context reject", "sync key", "sync key import"]
    assert not [each for each in operations.tools() if each.for_people]


def test_instructions_speak_of_the_tools_that_are_offered() -> None:
    said = {
        names: instructions(each.tool for each in operations_named(names))
        for names in ("core", "full", "notebook", "kb", "core,kb")
    }
    for names, text in said.items():
        offered = {each.tool for each in operations_named(names)}
        assert set(re.findall(r"\b(?:memory|kb)_[a-z_]*[a-z]", text)) <= offered, names
    assert "kb_remember" not in said["core"]
    assert {"kb_remember", "memory_put"} <= set(re.findall(r"\w+", said["core,kb"]))
    assert len(said["kb"]) / 4 < 300


def test_sets_and_tools_can_be_mixed() -> None:
    names = [operation.tool for operation in operations_named("core, memory_facts,graph")]
    assert names[-2:] == ["memory_facts", "memory_graph"]
    assert len(names) == len(SETS["core"]) + 2


@pytest.mark.parametrize("wanted", ["", ",", "cor", "memory_qery"])
def test_a_set_that_there_is_not(wanted: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        operations_named(wanted)
    assert "core" in refused.value.hint


def test_tools_that_reach_beyond_the_memory_are_in_no_set() -> None:
    offered = {name for names in SETS.values() for name in names}
    assert offered.isdisjoint({"import", "export", "collection add", "config set", "forget", "rebuild"})
