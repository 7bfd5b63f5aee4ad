"""Quaid's server over HTTP for the conformance suite: with the fixtures that it asks for, or with a memory.

    python -m tests.mcp.conformance_server PORT [MEMORY]

Everything but the handlers is what `quaid serve --http` runs. The suite cannot give a token, so that one is
added to each request on its way in.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from quaid.app import Surroundings
from quaid.app.shared import Opening
from quaid.mcp.server import Memory, make_server
from quaid.mcp.transport import Served
from quaid.mcp.workers import Workers
from quaid.operations.tool_sets import operations_named
from quaid.settings import Settings
from quaid.web.application import make_app
from quaid.web.gate import Address, Policy
from quaid.web.keys import Keys
from tests.mcp.conformance_fixtures import Fixtures

TOKEN = "a-token-that-the-suite-does-not-know"


class Admitted:
    """Gives each request the token."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            bearer = (b"authorization", f"Bearer {TOKEN}".encode())
            scope = {**scope, "headers": [*scope["headers"], bearer]}
        await self._app(scope, receive, send)


async def serve(port: int, memory: Path | None) -> None:
    """Answer until the process is told to end."""
    workers = Workers(Opening(lambda: memory or Path(), Settings(), Surroundings()))
    handlers: Any = Memory(workers, operations_named("full")) if memory else Fixtures()
    policy = Policy(Address("127.0.0.1", port), Keys(Path(), Path, TOKEN))
    app = Admitted(make_app(Served(workers, make_server(handlers)), policy).asgi)
    config = uvicorn.Config(app, port=port, log_level="warning", access_log=False)
    await uvicorn.Server(config).serve()


if __name__ == "__main__":
    anyio.run(serve, int(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else None)
