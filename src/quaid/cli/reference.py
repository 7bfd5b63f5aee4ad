"""The reference of commands and tools for the documentation, made from what the program knows."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from typing import Any

from quaid import operations
from quaid.cli import commands, overview
from quaid.cli.parser import meaning, option_text, placeholder, usage
from quaid.operations.arguments import parameters, schema
from quaid.operations.operation import Operation, Parameter

_EFFECTS = {"read": "reads", "write": "writes", "destructive": "removes"}


def commands_markdown() -> str:
    """Every command: what it does, its arguments, examples."""
    lines: list[str] = []
    for title, names in overview.SECTIONS.items():
        lines += [f"## {title}", ""]
        for name in names:
            lines += _command(name)
    return "\n".join(lines).rstrip() + "\n"


def tools_markdown() -> str:
    """A table of all tools with their arguments; those in brackets may be left out."""
    rows = ["| tool | arguments | effect |", "|---|---|---|"]
    rows += [
        f"| `{each.tool}` | {_tool_arguments(each) or 'none'} | {_EFFECTS[each.effect]} |"
        for each in operations.tools()
    ]
    return "\n".join(rows) + "\n"


def _command(name: str) -> list[str]:
    if name in operations.NAMES:
        operation = operations.operation(name)
        return _section(name, operation.help, parameters(operation.arguments), operation.examples)
    command = commands.BY_NAME[name]
    return _section(name, command.help, command.arguments, command.examples)


def _section(name: str, description: str, known: Sequence[Parameter], examples: Sequence[str]) -> list[str]:
    shown = [each for each in known if not each.facts.hidden]
    lines = [f"### {name}", "", cleandoc(description), "", "```text", usage(name, shown), "```", ""]
    for each in shown:
        typed = placeholder(each) if each.facts.positional else option_text(each)
        lines.append(f"- `{typed}`: {meaning(each)}")
    if shown:
        lines.append("")
    if examples:
        lines += ["```sh", *(f"quaid {example}" for example in examples), "```", ""]
    return lines


def _tool_arguments(operation: Operation[Any, Any]) -> str:
    described = schema(operation.arguments)  # what a program is told, and nothing that is for people
    required = described.get("required", [])
    optional = [name for name in described["properties"] if name not in required]
    return " ".join([*(f"`{name}`" for name in required), *(f"[`{name}`]" for name in optional)])
