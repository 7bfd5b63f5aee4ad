"""What agents are given before anybody asks: each text, its cost in tokens, the setting that decides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from quaid.app import App
from quaid.embed.tokens import estimate_tokens
from quaid.model.record import record
from quaid.notebook.flush import MESSAGE
from quaid.operations.arguments import lean_schema
from quaid.operations.fields import Nothing
from quaid.operations.operation import Operation
from quaid.operations.session_opening import session_opening
from quaid.operations.text import Style, columns
from quaid.operations.tool_sets import SETS, instructions, operations_named, tool_choice
from quaid.settings import setting_named

Moment = Literal["start", "prompt", "window"]
CHARACTERS = 4  # of a token, in a schema, and where only the room for a text is known
MOMENTS: dict[Moment, str] = {
    "start": "When a session begins",
    "prompt": "With each prompt",
    "window": "Once, when the window is nearly full",
}


@record
class GivenText:
    """A text that agents are given; `tokens` is its cost while it is on, at most that where `most`."""

    name: str
    moment: Moment
    meaning: str
    tokens: int
    text: str
    on: bool
    most: bool | None = None
    setting: str | None = None  # that decides; None: it comes with the tools
    value: str | None = None
    choices: tuple[str, ...] | None = None


@record
class GivenTool:
    """A tool that agents are offered."""

    name: str
    tokens: int
    brief: str


@record
class GivenToAgents:
    """All of it, and how many tokens a session begins with."""

    texts: tuple[GivenText, ...]
    tools: tuple[GivenTool, ...]
    start_tokens: int


def agents(app: App, args: Nothing) -> GivenToAgents:
    """What agents are given before they ask, in tokens: instructions, tools, context, lines.

    Each has a setting that turns it off. `setup` connects the programs in which agents run.
    """
    wanted = tool_choice(app)
    tools = tuple(_tool(each) for each in operations_named(wanted))
    texts = tuple(_texts(app, wanted, sum(tool.tokens for tool in tools)))
    start = sum(each.tokens for each in texts if each.moment == "start" and each.on)
    return GivenToAgents(texts, tools, start)


def _texts(app: App, wanted: str, tools: int) -> Iterator[GivenText]:
    told = instructions(each.tool for each in operations_named(wanted))
    meaning = "How the memory is to be used; a part for each set of tools."
    yield GivenText("instructions", "start", meaning, estimate_tokens(told), told, on=True)
    yield GivenText(
        "tools",
        "start",
        "The tools of the MCP server: names, what they do, arguments.",
        tools,
        "",
        on=True,
        setting="mcp.tools",
        value=wanted,
        choices=tuple(SETS),
    )
    opening = session_opening(app)
    meaning = "Standing orders, reference and the last days' logs of the notebook, or what the memory holds."
    yield _switched_text(app, "context", "start", meaning, opening, "hooks.context")
    room = app.settings.integer("hooks.recall_chars") // CHARACTERS
    mode = app.settings.text("hooks.recall")
    yield GivenText(
        "lines",
        "prompt",
        "The few lines of the memory that fit the prompt, or nothing.",
        room,
        "",
        on=mode != "off",
        most=True,
        setting="hooks.recall",
        value=mode,
        choices=setting_named("hooks.recall").choices,
    )
    meaning = "The request to write down what should outlast the conversation."
    yield _switched_text(app, "flush", "window", meaning, MESSAGE, "hooks.flush")


def _switched_text(app: App, name: str, moment: Moment, meaning: str, text: str, setting: str) -> GivenText:
    """A text that a setting turns on and off."""
    on = app.settings.flag(setting)
    return GivenText(
        name, moment, meaning, estimate_tokens(text), text, on=on, setting=setting, value=str(on).lower()
    )


def _tool(operation: Operation[Any, Any]) -> GivenTool:
    brief = operation.brief or " ".join(operation.help.split())
    schema = lean_schema(operation.arguments, operation.told)
    told = {"name": operation.tool, "description": brief, "inputSchema": schema}
    size = len(json.dumps(told, separators=(",", ":")))
    return GivenTool(operation.tool, size // CHARACTERS, brief)


def _text(result: GivenToAgents, style: Style) -> str:
    blocks = []
    for moment, title in MOMENTS.items():
        rows = [
            (
                style.name(each.name),
                f"{'up to ' if each.most else ''}{each.tokens:,} tokens" if each.on else style.dim("off"),
                style.dim(f"{each.setting} = {each.value}" if each.setting else ""),
                each.meaning,
            )
            for each in result.texts
            if each.moment == moment
        ]
        blocks.append(f"{style.bold(title)}\n" + "\n".join(f"  {row}" for row in columns(rows).split("\n")))
    return "\n".join([*blocks, f"A session begins with {result.start_tokens:,} tokens."])


AGENTS = Operation(
    "agents",
    agents,
    render=_text,
    looks="pages",
    examples=("agents", "agents --json"),
)
