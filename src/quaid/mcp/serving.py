"""Running the server: over standard input and output, or over HTTP."""

from __future__ import annotations

import gc
import os
import sys
import threading
from typing import Any

import anyio

from quaid.mcp import http, stdio
from quaid.mcp.server import Memory, make_server
from quaid.mcp.tools import chosen
from quaid.mcp.upkeep import Upkeep, warn
from quaid.mcp.workers import Opening, Workers
from quaid.model.record import record

GRACE = 5.0  # seconds that work in progress has when the client is gone


@record
class Options:
    """How the server is run."""

    tools: str
    watching: bool = True
    address: http.Address | None = None  # None: standard input and output


def run(opening: Opening, options: Options) -> int:
    """Serve until the client is gone, or the process is told to end."""
    workers = Workers(opening)
    memory = Memory(workers, chosen(options.tools))
    server = make_server(memory)
    upkeep = Upkeep(workers, memory.greeted, watching=options.watching)
    gc.freeze()  # what is loaded by now stays; the collector need not look at it again and again
    gc.enable()
    upkeep.start()
    try:
        _serve(server, options)
    except KeyboardInterrupt:
        pass
    finally:
        upkeep.stop()
        _end(workers)
    return 0


def _serve(server: Any, options: Options) -> None:
    if options.address is None:
        anyio.run(stdio.serve, server)
        return
    listening = http.listen(options.address.host, options.address.port)
    port = listening.getsockname()[1]
    address = http.Address(options.address.host, port, options.address.token, options.address.names)
    shown = f"[{address.host}]" if ":" in address.host else address.host
    warn(f"MCP server at http://{shown}:{port}{http.PATH}")
    anyio.run(http.serve, server, address, listening)


def _end(workers: Workers) -> None:
    """Let what is being written be finished. No thread may keep the process."""
    workers.close()
    timer = threading.Timer(GRACE, lambda: os._exit(0))
    timer.daemon = True
    timer.start()
    sys.stdout.flush()
