"""Running the server: over standard input and output, or as something above says."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

import anyio
from mcp.server.lowlevel import Server

from quaid.app.shared import Opening
from quaid.errors import QuaidError
from quaid.mcp import stdio
from quaid.mcp.background import Upkeep
from quaid.mcp.server import Memory, make_server
from quaid.mcp.workers import Workers
from quaid.model.record import record
from quaid.operations.tool_sets import operations_named, tool_choice, usual
from quaid.sync.process import end_running

GRACE = 5.0  # seconds that work in progress has when the client is gone
SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]


@record
class Options:
    """How the server is run."""

    tools: str | None = None  # None: those that fit the memory
    watching: bool = True


@record
class Served:
    """What is served: a memory by its operations, and the protocol's server over it."""

    workers: Workers
    server: Server[Any]


Serving = Callable[[Served, Callable[[], Any]], None]  # `gone` is called when nobody reads the answers


def over_pipes(served: Served, gone: Callable[[], Any]) -> None:
    """Serve the client that started this process."""
    anyio.run(_answer, served.server, gone)


async def _answer(server: Server[Any], gone: Callable[[], Any]) -> None:
    loop = asyncio.get_running_loop()
    for told in SIGNALS:
        # A plain handler runs when the loop wakes up: a signal that comes just before it goes to sleep, or to
        # another thread, would be noticed with the next message of the client only.
        with suppress(NotImplementedError):  # on Windows
            loop.add_signal_handler(told, gone)
    await stdio.serve(server, gone)


def run(opening: Opening, options: Options, serving: Serving = over_pipes) -> NoReturn:
    """Serve until the client is gone, or the process is told to end."""
    workers = Workers(opening)
    memory = Memory(workers, operations_named(options.tools or _fitting(workers)))
    server = make_server(memory)
    upkeep = Upkeep(workers, memory.greeted, watching=options.watching)
    gc.freeze()  # what is loaded by now stays; the collector need not look at it again and again
    gc.enable()
    for told in SIGNALS:
        signal.signal(told, lambda *_: _end(workers, upkeep))
    upkeep.start()
    try:
        serving(Served(workers, server), lambda: _end(workers, upkeep))
    except QuaidError:  # it did not even start
        upkeep.stop()
        raise
    _end(workers, upkeep)


def _fitting(workers: Workers) -> str:
    """The sets of tools that the settings name or that fit the memory; one that cannot be opened has none."""
    with suppress(QuaidError):
        return workers.do(lambda app, _: tool_choice(app))
    return usual(())


def _end(workers: Workers, upkeep: Upkeep) -> NoReturn:
    """Let what is being written be finished, and end.

    At once, because a thread that reads the input or loads a model would keep the interpreter from ending, or
    crash in it.
    """
    for told in SIGNALS:
        signal.signal(told, signal.SIG_DFL)  # who asks twice does not want to wait
    upkeep.stop()
    workers.close(GRACE)
    end_running()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError, ValueError):  # its reader may be gone
            stream.flush()
    os._exit(0)
