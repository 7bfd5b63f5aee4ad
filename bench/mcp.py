"""How fast the MCP server answers.

First: from the start of the process to the answer of `initialize` and of `tools/list`, next to a server that
is made of the SDK and one tool, and to an interpreter that does nothing. Runs alternate. Then: what a call of
a tool takes, on a memory of PAGES pages, warm. Usage: mcp.py [RUNS] [PAGES]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from _client import Client

BARE = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, Tool

async def list_tools(ctx, params):
    return ListToolsResult(tools=[Tool(name="echo", input_schema={"type": "object"})])

async def call_tool(ctx, params):
    return CallToolResult(content=[])

async def main():
    server = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())

anyio.run(main)
"""


def start(command: list[str]) -> tuple[float, float]:
    """Milliseconds to the answers of `initialize` and `tools/list`."""
    client = Client(command)
    client.greet()
    greeted = time.perf_counter()
    client.ask("tools/list", {})
    listed = time.perf_counter()
    client.end()
    return (greeted - client.started) * 1000, (listed - client.started) * 1000


def main() -> None:
    """Print the figures."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    pages = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
    quaid = str(Path(sys.executable).with_name("quaid"))
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder, "bare.py")
        bare.write_text(BARE)
        memory = str(Path(folder, "memory.db"))
        subprocess.run([quaid, "init", memory], check=True, capture_output=True)
        lines = "".join(
            json.dumps(
                {
                    "tool": "memory_put",
                    "args": {
                        "slug": f"people/p{number}",
                        "content": f"# Person {number}\n\n> Number {number} likes river {number % 97}.\n",
                        "expected_version": 0,
                    },
                }
            )
            + "\n"
            for number in range(pages)
        )
        subprocess.run([quaid, "--db", memory, "pipe"], input=lines.encode(), check=True, capture_output=True)
        subprocess.run([quaid, "--db", memory, "embed", "--all"], check=True, capture_output=True)
        commands = {
            "SDK and one tool": [sys.executable, str(bare)],
            "quaid serve": [quaid, "--db", memory, "serve"],
            "quaid serve --tools full": [quaid, "--db", memory, "serve", "--tools", "full"],
        }
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        nothing: list[float] = []
        for _ in range(runs):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", "pass"], check=True)
            nothing.append((time.perf_counter() - begin) * 1000)
            for name, command in commands.items():
                times[name].append(start(command))
        print(f"{runs} runs each, median; a bare interpreter takes {median(nothing):.0f} ms")
        base = median(listed for _, listed in times["SDK and one tool"])
        for name, measured in times.items():
            greeted, listed = (median(each) for each in zip(*measured, strict=True))
            print(
                f"{name:26} initialize {greeted:6.0f} ms   tools/list {listed:6.0f} ms   {listed / base:.2f}x"
            )
        calls(Client([quaid, "--db", memory, "serve", "--tools", "full"]), pages)


def calls(client: Client, pages: int) -> None:
    """What calls take, warm."""
    client.greet()
    client.ask("tools/call", {"name": "memory_query", "arguments": {"question": "rivers"}})
    print(f"calls of tools, {pages:,} pages, one client:")
    for name, arguments in {
        "memory_get": lambda n: {"slug": f"people/p{n}"},
        "memory_search": lambda n: {"query": f"river {n % 97}"},
        "memory_query": lambda n: {"question": f"who likes river {n % 97}?"},
        "memory_timeline_add": lambda n: {
            "slug": f"people/p{n}",
            "date": "2026-01-02",
            "summary": "Met",
            "page_version": 1,
        },
    }.items():
        took = []
        for number in range(100):
            begin = time.perf_counter()
            answer = client.ask("tools/call", {"name": name, "arguments": arguments(number)})
            took.append((time.perf_counter() - begin) * 1000)
            assert not answer.get("isError"), answer
        print(f"  {name:22} p50 {median(took):6.1f} ms   p95 {quantiles(took, n=20)[-1]:6.1f} ms")
    client.end()


if __name__ == "__main__":
    main()
