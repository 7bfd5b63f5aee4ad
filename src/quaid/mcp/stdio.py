"""The server on standard input and output: UTF-8 whatever the locale, and nothing but protocol."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from quaid.errors import InvalidInput

CUT = 200  # characters of a reason
WAITING = "quaid: waits for an MCP client on standard input; Ctrl-D ends it, `quaid setup` connects a client."
AT_ONCE = 1_000  # requests without an answer; further ones wait in the pipe
GRACE = 5.0  # seconds that requests have after the input has ended


async def serve(server: Server[Any], gone: Callable[[], Any]) -> None:
    """Answer until the input ends, and whatever was asked by then.

    `gone` is called when nobody reads the answers: what waits for the input would not notice.
    """
    if sys.stdin is None or sys.stdout is None:
        raise InvalidInput(
            "standard input or output is closed", hint="An MCP client starts this; see `quaid setup`."
        )
    if sys.stdin.isatty():
        print(WAITING, file=sys.stderr, flush=True)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # nothing stays behind for the wire
    async with stdio_server() as (incoming, outgoing):
        try:
            await Exchange(incoming, outgoing, gone).run(server)
        except anyio.get_cancelled_exc_class():
            gone()
            raise


class Exchange:
    """The messages of one client, with what the SDK leaves out.

    A line that is no message is answered; a request that came before the end of the input is, too.
    """

    def __init__(self, incoming: Any, outgoing: Any, gone: Callable[[], Any]) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._gone = gone
        self._open: set[str | int] = set()
        self._closed = anyio.Event()

    async def run(self, server: Server[Any]) -> None:
        """Let the server talk to the client."""
        forward, requests = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        produced, answers = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._send, answers)
            tasks.start_soon(self._receive, forward, produced.clone())
            await server.run(requests, produced, server.create_initialization_options())

    async def _receive(self, forward: Any, answers: Any) -> None:
        async with forward, answers:
            async with self._incoming:
                async for item in self._incoming:
                    if isinstance(item, Exception):
                        if not is_blank(item):
                            await answers.send(SessionMessage(refusal(item)))
                        continue
                    self._note(item.message)
                    await forward.send(item)
                    await self._until_open(AT_ONCE)
            with anyio.move_on_after(GRACE):
                await self._until_open(0)

    async def _until_open(self, most: int) -> None:
        """Wait until no more requests than that are without an answer."""
        while len(self._open) > most:
            self._closed = anyio.Event()
            await self._closed.wait()

    async def _send(self, answers: Any) -> None:
        async with answers, self._outgoing:
            async for item in answers:
                try:
                    await self._outgoing.send(item)
                except anyio.BrokenResourceError:
                    self._gone()
                    raise
                if isinstance(item.message, (types.JSONRPCResponse, types.JSONRPCError)):
                    self._close(item.message.id)

    def _note(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._open.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._close((message.params or {}).get("requestId"))  # nobody answers it

    def _close(self, identity: Any) -> None:
        if isinstance(identity, (str, int)):
            self._open.discard(identity)
        self._closed.set()


def is_blank(error: Exception) -> bool:
    """Whether a line that is no message has nothing in it."""
    details = error.errors() if isinstance(error, ValidationError) else []
    return all(isinstance(each["input"], str) and not each["input"].strip() for each in details)


def refusal(error: Exception) -> types.JSONRPCError:
    """The answer to a line that is no message: no JSON, or no JSON-RPC."""
    details = error.errors() if isinstance(error, ValidationError) else []
    is_json = bool(details) and all(each["type"] != "json_invalid" for each in details)
    given = next((each["input"] for each in details if isinstance(each["input"], dict)), {})
    identity = given.get("id")
    if isinstance(identity, bool) or not isinstance(identity, (str, int)):
        identity = None
    code, name = (types.INVALID_REQUEST, "Invalid request") if is_json else (types.PARSE_ERROR, "Parse error")
    reason = "; ".join(dict.fromkeys(each["msg"] for each in details))[:CUT]
    message = f"{name}: {reason}" if reason else name
    return types.JSONRPCError(jsonrpc="2.0", id=identity, error=types.ErrorData(code=code, message=message))
