"""The plugin file that stands for hooks in OpenCode."""

from __future__ import annotations

import json
from pathlib import Path

from quaid.errors import InvalidInput

MARK = "// Written by `quaid setup opencode`"


def source(program: tuple[str, ...], memory: Path) -> str:
    """The text of the plugin.

    It joins what the memory says to the first part of the system prompt: many models accept only one.
    """
    command = json.dumps([*program, "--db", str(memory), "hook"], ensure_ascii=False)
    plugin = Path(__file__).with_name("opencode.js").read_text(encoding="utf-8")
    return plugin.replace("const COMMAND = []", f"const COMMAND = {command}", 1)


def replaced(path: Path, text: str, source: str) -> str:
    """The source, in place of a text that is ours; another plugin of that name is not touched."""
    if text and not text.startswith(MARK):
        raise InvalidInput(
            f"{path} is another plugin", hint="Choose another name: --name quaid-memory, or use --no-hooks."
        )
    return source
