"""Puts the weights of the default model into the wheel, unless QUAID_SLIM=1 asks for a wheel without.

pyproject.toml keeps them out of the wheel's selection; what is forced in here is the exception.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEIGHTS = "src/quaid/embed/models/*/*.onnx"


class WeightsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before each build of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Choose the files. An editable install uses them where they are."""
        if version == "editable" or os.environ.get("QUAID_SLIM", "") not in ("", "0"):
            return
        root = Path(self.root)
        found = sorted(root.glob(WEIGHTS))
        if not found:
            raise FileNotFoundError(f"there is no {WEIGHTS}; QUAID_SLIM=1 builds a wheel without weights")
        for path in found:
            build_data["force_include"][str(path)] = path.relative_to(root / "src").as_posix()
