"""How tools are described to a language model."""

from __future__ import annotations

from typing import Any

from mcp_types import Tool, ToolAnnotations

from quaid.operations.arguments import lean_schema
from quaid.operations.operation import Operation


def described(operation: Operation[Any, Any]) -> Tool:
    """A tool as it is listed."""
    return Tool(
        name=operation.tool,
        description=operation.brief or " ".join(operation.help.split()),
        input_schema=lean_schema(operation.arguments, operation.told),
        annotations=ToolAnnotations(
            read_only_hint=operation.effect == "read",
            destructive_hint=operation.effect == "destructive",
            idempotent_hint=operation.idempotent,
            open_world_hint=False,
        ),
    )
