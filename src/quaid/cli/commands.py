"""The commands that are not operations: they make a memory, describe the program, or carry calls."""

from __future__ import annotations

from typing import get_args

from quaid.cli.command import Command, flag, option, word
from quaid.operations.collections import Profile

COMMANDS: tuple[Command, ...] = (
    Command(
        "init",
        "Make a memory. Without a path, it is yours for every directory: ~/.quaid/memory.db. "
        "Of a folder, the files are the pages; they stay as they are.",
        "cli.making:init",
        (
            word("path", "A file that ends in .db, or a folder.", required=False),
            option("profile", "What kind of folder it is.", default="vault", choices=get_args(Profile)),
        ),
        ("init", "init work.db", "init ~/notes"),
    ),
    Command(
        "watch",
        "Keep the memory in step with folders until interrupted. "
        "What changes is read after a moment of quiet.",
        "cli.watching:watch",
        (
            word("name", "The collection; otherwise all.", required=False),
            flag("embed", "Also embed what has changed."),
        ),
        ("watch", "watch notes --embed"),
    ),
    Command(
        "serve",
        "Serve the memory to MCP clients. A client starts it and talks to it through standard input and "
        "output. With --http it listens at http://127.0.0.1:8766/mcp and wants a token: QUAID_TOKEN, "
        "--token-file, or one that it makes and prints.",
        "cli.serving:serve",
        (
            option("tools", "What clients are offered: core, full, or tools by name.", default="core"),
            flag("http", "Listen for HTTP instead."),
            option("host", "The address to listen at; needs a token if others can reach it. [127.0.0.1]"),
            option("port", "The port; 0 takes a free one. [8766]"),
            option("token_file", "A file with the token."),
            option("allow_host", "Names under which a proxy passes requests on, with commas."),
            flag("no_watch", "Do not watch folders."),
        ),
        ("serve", "serve --tools full", "serve --tools core,memory_facts", "serve --http --port 9000"),
    ),
    Command("version", "Say which version of what runs.", "cli.about:version"),
    Command(
        "call",
        "Call a tool as a program does; the answer is JSON.",
        "cli.calling:call",
        (
            word("tool", "The tool, such as memory_get."),
            word("arguments", "Its arguments: JSON, @FILE or -.", required=False),
        ),
        ("""call memory_search '{"query": "river"}'""",),
    ),
    Command(
        "pipe",
        "Answer calls until the input ends. "
        'A line in: {"id": 1, "tool": "memory_get", "args": {"slug": "x"}}; '
        'a line out: {"id": 1, "result": …} or {"id": 1, "error": …}.',
        "cli.calling:pipe",
    ),
    Command(
        "completion",
        "Print a script that completes commands, slugs, types and tags in your shell.",
        "cli.about:print_completion",
        (word("shell", "bash, zsh or fish.", choices=("bash", "zsh", "fish")),),
        ("completion bash > ~/.local/share/bash-completion/completions/quaid",),
    ),
)

BY_NAME = {command.name: command for command in COMMANDS}
