"""Sessions of the official SDK's client, in any protocol revision, with a server started for them."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import httpx2
import mcp_types as types
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.forked import programs
from tests.support import PATIENCE, environment, eventually, listens

ERAS = ("2025-06-18", "2025-11-25", "2026-07-28")
TOKEN = "a-token-for-tests-that-is-long-enough"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@contextmanager
def listening(db: Path) -> Iterator[str]:
    """A server over HTTP on a free port, and its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [programs() / "quaid", "serve", "--http", "--port", str(port), "--tools", "full"],
        env=environment(db, {"QUAID_TOKEN": TOKEN}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        eventually(lambda: listens(process, port))
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


@asynccontextmanager
async def connected(era: str, place: Path | str) -> AsyncIterator[ClientSession]:
    """A session of one protocol revision: with a process of its own on a memory, or with an address."""
    async with AsyncExitStack() as stack:
        if isinstance(place, Path):
            parameters = StdioServerParameters(
                command=str(programs() / "quaid"), args=["serve", "--tools", "full"], env=environment(place)
            )
            log = stack.enter_context(place.with_name("serve.log").open("a"))
            streams = await stack.enter_async_context(stdio_client(parameters, errlog=log))
        else:
            web = await stack.enter_async_context(httpx2.AsyncClient(headers=BEARER, timeout=PATIENCE))
            streams = await stack.enter_async_context(streamable_http_client(place, http_client=web))
        session = await stack.enter_async_context(ClientSession(*streams, read_timeout_seconds=PATIENCE))
        await shake_hands(session, era)
        assert session.protocol_version == era
        yield session


async def shake_hands(session: ClientSession, era: str) -> None:
    """Agree on one protocol revision; the SDK itself would propose only the newest of each era."""
    if era == "2026-07-28":
        await session.discover()
        return
    answer = await session.send_request(
        types.InitializeRequest(
            params=types.InitializeRequestParams(
                protocol_version=era,
                capabilities=types.ClientCapabilities(),
                client_info=types.Implementation(name="tests", version="1"),
            )
        ),
        types.InitializeResult,
    )
    session.adopt(answer)
    await session.send_notification(types.InitializedNotification())
