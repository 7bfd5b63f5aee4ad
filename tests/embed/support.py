"""What the tests of embedders share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from quaid.embed.plugin import Context
from quaid.settings import Layer, Settings

DOCS = Path(__file__).parents[2] / "docs" / "embedders.md"


def a_context(models: Path, environment: dict[str, str] | None = None, **settings: str) -> Context:
    """A context with settings: `embed_url` stands for embed.url."""
    values = {key.replace("_", ".", 1): value for key, value in settings.items()}
    return Context(Settings(Layer("flag", "test", values)), environment or {}, models)


def documented(number: int = 0) -> dict[str, Any]:
    """What a Python block of the documentation defines."""
    blocks = re.findall(r"^```python\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.M | re.S)
    names: dict[str, Any] = {}
    exec(compile(blocks[number], str(DOCS), "exec"), names)
    return names


def toy() -> Any:
    """The embedder that the documentation shows."""
    return documented()["Toy"]()
