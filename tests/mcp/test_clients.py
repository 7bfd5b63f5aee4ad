"""The official SDK's client against `quaid serve`, in every protocol revision and over both transports."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests.forked import programs
from tests.mcp.sessions import BEARER, ERAS, connected, listening
from tests.mcp.talking import talk
from tests.support import PATIENCE, PROGRAM, environment, eventually, quick

TRANSPORTS = ("stdio", "http")
ALICE = "# Alice\n\nKnows Zoë and 三木 since 2019. 🌱\n"

Conversation = Callable[[ClientSession], Awaitable[None]]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server over HTTP that the tests of this module share."""
    db = tmp_path_factory.mktemp("served") / "memory.db"
    assert quick("init", db).status == 0
    with listening(db) as url:
        yield url


@pytest.fixture(params=[(transport, era) for transport in TRANSPORTS for era in ERAS], ids="-".join)
def speak(request: pytest.FixtureRequest, db: Path) -> Callable[[Conversation], None]:
    """Runs a conversation in one revision over one transport."""
    transport, era = request.param
    place = db if transport == "stdio" else request.getfixturevalue("address")

    async def main(conversation: Conversation) -> None:
        with anyio.fail_after(90):
            async with connected(era, place) as session:
                await conversation(session)

    return lambda conversation: anyio.run(main, conversation)


def data(result: types.CallToolResult) -> dict[str, Any]:
    """The facts of an answer. They are the same as data and as text: a model sees one or the other."""
    [block] = result.content
    assert isinstance(block, types.TextContent)
    assert result.structured_content == json.loads(block.text)
    return result.structured_content


async def written(session: ClientSession, slug: str, content: str) -> int:
    """Write a page whatever its version, and say which version it has now."""
    found = await session.call_tool("memory_get", {"slug": slug})
    now = 0 if found.is_error else data(found)["version"]
    page = {"slug": slug, "content": content, "expected_version": now}
    done = await session.call_tool("memory_put", page)
    assert not done.is_error, data(done)
    return int(data(done)["version"])


def test_a_server_says_what_it_is_for(speak: Callable[[Conversation], None]) -> None:
    async def conversation(session: ClientSession) -> None:
        assert session.instructions
        assert "memory" in session.instructions
        assert session.server_info
        assert session.server_info.name == "quaid"
        capabilities = session.server_capabilities
        assert capabilities
        assert capabilities.tools
        assert capabilities.resources
        assert capabilities.prompts
        assert capabilities.completions is not None

    speak(conversation)


def test_tools_are_listed_with_schema_and_annotations(speak: Callable[[Conversation], None]) -> None:
    async def conversation(session: ClientSession) -> None:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert {"memory_search", "memory_query", "memory_get", "memory_put", "memory_raw"} <= set(tools)
        for tool in tools.values():
            assert tool.description
            assert tool.input_schema["type"] == "object"
            assert tool.annotations, tool.name
            assert tool.annotations.read_only_hint is not None, tool.name
        assert tools["memory_get"].annotations.read_only_hint  # type: ignore[union-attr]
        assert not tools["memory_put"].annotations.read_only_hint  # type: ignore[union-attr]
        assert "expected_version" in tools["memory_put"].input_schema["required"]

    speak(conversation)


def test_a_page_is_written_read_and_found(speak: Callable[[Conversation], None]) -> None:
    async def conversation(session: ClientSession) -> None:
        version = await written(session, "people/alice", ALICE)
        read = await session.call_tool("memory_get", {"slug": "people/alice"})
        assert not read.is_error
        assert data(read)["version"] == version
        assert data(read)["content"] == ALICE
        found = await session.call_tool("memory_search", {"query": "三木"})
        assert [match["slug"] for match in data(found)["results"]] == ["people/alice"]

    speak(conversation)


def test_a_stale_write_is_an_error_that_the_model_sees(speak: Callable[[Conversation], None]) -> None:
    async def conversation(session: ClientSession) -> None:
        version = await written(session, "people/bob", "# Bob\n")
        stale = {"slug": "people/bob", "content": "# Robert\n", "expected_version": version + 1}
        refused = await session.call_tool("memory_put", stale)
        assert refused.is_error
        problem = data(refused)["error"]
        assert problem["code"] == "conflict"
        assert problem["current_version"] == version
        assert problem["message"]
        assert problem["hint"]
        kept = await session.call_tool("memory_get", {"slug": "people/bob"})
        assert data(kept)["content"] == "# Bob\n"

    speak(conversation)


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("memory_get", {"slug": "people/nobody"}, "not_found"),
        ("memory_get", {}, "invalid_input"),
        ("memory_get", {"slug": {"a": 7}}, "invalid_input"),
        ("memory_get", {"slug": "a", "colour": "red"}, "invalid_input"),
    ],
)
def test_a_wrong_call_says_what_to_do(tool: str, arguments: dict[str, Any], code: str, db: Path) -> None:
    async def conversation() -> None:
        async with connected("2025-11-25", db) as session:
            refused = await session.call_tool(tool, arguments)
            assert refused.is_error
            assert data(refused)["error"]["code"] == code
            assert data(refused)["error"]["message"]

    anyio.run(conversation)


def test_resources_are_the_index_and_each_page(speak: Callable[[Conversation], None]) -> None:
    async def conversation(session: ClientSession) -> None:
        await written(session, "people/alice", ALICE)
        listed = (await session.list_resources()).resources
        assert "memory://index" in [str(resource.uri) for resource in listed]
        templates = (await session.list_resource_templates()).resource_templates
        assert [template.uri_template for template in templates] == ["memory://pages/{slug}"]
        [index] = (await session.read_resource("memory://index")).contents
        assert isinstance(index, types.TextResourceContents)
        assert "people/alice" in index.text
        [page] = (await session.read_resource("memory://pages/people/alice")).contents
        assert isinstance(page, types.TextResourceContents)
        assert page.text == ALICE
        assert page.mime_type == "text/markdown"

    speak(conversation)


def test_a_resource_that_is_not_there_is_an_error(speak: Callable[[Conversation], None]) -> None:
    async def conversation(session: ClientSession) -> None:
        for uri in ("memory://pages/people/nobody", "memory://nothing", "file:///etc/passwd"):
            with pytest.raises(MCPError) as refused:
                await session.read_resource(uri)
            assert refused.value.error.code == (-32602 if session.protocol_version == ERAS[-1] else -32002)
            assert refused.value.error.data["uri"] == uri

    speak(conversation)


def test_slugs_are_completed(speak: Callable[[Conversation], None]) -> None:
    async def conversation(session: ClientSession) -> None:
        await written(session, "people/alice", ALICE)
        page = types.ResourceTemplateReference(uri="memory://pages/{slug}")
        found = await session.complete(page, {"name": "slug", "value": "people/al"})
        assert found.completion.values == ["people/alice"]
        none = await session.complete(page, {"name": "slug", "value": "nowhere/"})
        assert none.completion.values == []

    speak(conversation)


def test_prompts_are_ready_to_use(speak: Callable[[Conversation], None]) -> None:
    async def conversation(session: ClientSession) -> None:
        await written(session, "people/alice", ALICE)
        prompts = {prompt.name: prompt for prompt in (await session.list_prompts()).prompts}
        assert {"memory_briefing", "memory_ingest_meeting"} <= set(prompts)
        for name in ("memory_briefing", "memory_ingest_meeting"):
            needed = {each.name: "Zoë" for each in prompts[name].arguments or [] if each.required}
            given = await session.get_prompt(name, needed)
            assert given.messages
            assert all(isinstance(each.content, types.TextContent) for each in given.messages)
            spoken = "\n".join(each.content.text for each in given.messages)
            tools = set(re.findall(r"memory_\w+", spoken))
            known = {tool.name for tool in (await session.list_tools()).tools}
            assert tools
            assert tools <= known | set(prompts)

    speak(conversation)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_client_that_chooses_itself_takes_the_newest_revision(
    transport: str, db: Path, request: pytest.FixtureRequest
) -> None:
    async def conversation() -> None:
        async with AsyncExitStack() as stack:
            if transport == "stdio":
                place: Any = StdioServerParameters(
                    command=str(programs() / "quaid"), args=["serve"], env=environment(db)
                )
            else:
                web = await stack.enter_async_context(httpx2.AsyncClient(headers=BEARER, timeout=PATIENCE))
                place = streamable_http_client(request.getfixturevalue("address"), http_client=web)
            client = await stack.enter_async_context(Client(place))
            assert client.protocol_version == "2026-07-28"
            assert "memory_search" in [tool.name for tool in (await client.list_tools()).tools]
            assert not (await client.call_tool("memory_list", {})).is_error

    anyio.run(conversation)


def test_without_the_token_nothing_is_served(address: str) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        answer = httpx2.post(address, json={"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers=headers)
        assert answer.status_code == 401
        assert "result" not in answer.text


def test_standard_output_has_nothing_but_protocol(db: Path) -> None:
    with talk(db) as server:
        assert server.ask("tools/list")["result"]["tools"]
        assert "error" not in server.call("memory_query", question="anything at all")
        server.send(b"this is not JSON")
        assert server.receive()["error"]["code"] == -32700
        assert server.ask("no/such/method")["error"]["code"] == -32601
        assert server.ask("tools/call", name="memory_nothing", arguments={})["error"]["code"] == -32602
        assert server.ask("ping")["result"] == {}
        rest, _ = server.process.communicate()
        assert rest == b""


def test_nothing_but_a_query_waits_for_the_model(db: Path, tmp_path: Path) -> None:
    """The runtime never finishes loading here; the server answers all the same, and ends when told."""
    assert quick("put", "people/alice", input=ALICE, db=db).status == 0
    assert quick("embed", db=db).status == 0
    runtime = tmp_path / "slow" / "onnxruntime"
    runtime.mkdir(parents=True)
    (runtime / "__init__.py").write_text(
        f"open({str(tmp_path / 'asked')!r}, 'w')\nimport time\ntime.sleep(600)\n"
    )
    path = os.pathsep.join([str(runtime.parent), os.environ.get("PYTHONPATH", "")])
    with talk(db, env={"PYTHONPATH": path}, program=PROGRAM) as server:
        assert server.ask("tools/list")["result"]["tools"]
        eventually(lambda: (tmp_path / "asked").exists())
        assert server.call("memory_search", query="三木")["results"]
        assert server.ask("resources/read", uri="memory://pages/people/alice")["result"]["contents"]
        assert server.end() == 0


def test_two_servers_on_one_memory_see_each_other(db: Path) -> None:
    async def conversation() -> None:
        async with connected("2025-11-25", db) as one, connected("2026-07-28", db) as other:
            version = await written(one, "people/alice", ALICE)
            read = await other.call_tool("memory_get", {"slug": "people/alice"})
            assert data(read)["version"] == version
            assert await written(other, "people/alice", ALICE + "More.\n") > version
            stale = {"slug": "people/alice", "content": "# A\n", "expected_version": version}
            assert data(await one.call_tool("memory_put", stale))["error"]["code"] == "conflict"

    anyio.run(conversation)
