"""The plugin in the repository: what it says, and that it is up to date."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from quaid import __version__
from quaid.agents.hooks.events import EVENTS
from quaid.agents.skills.library import embedded_names

ROOT = Path(__file__).resolve().parent.parent.parent


def read(path: str) -> Any:
    return json.loads((ROOT / path).read_text())


def tool(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "plugin.py"), *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_it_is_up_to_date() -> None:
    done = tool("--check")
    assert done.returncode == 0, done.stdout


def test_the_marketplace_names_the_plugin() -> None:
    (plugin,) = read(".claude-plugin/marketplace.json")["plugins"]
    assert plugin["source"] == "./plugin"
    manifest = read("plugin/.claude-plugin/plugin.json")
    assert manifest["name"] == plugin["name"] == "quaid"
    assert manifest["version"] == __version__


def test_it_runs_the_program_that_is_on_the_path() -> None:
    assert read("plugin/.mcp.json")["mcpServers"]["quaid"]["command"] == "quaid"
    hooks = read("plugin/hooks/hooks.json")["hooks"]
    commands = [hook["command"] for groups in hooks.values() for group in groups for hook in group["hooks"]]
    assert commands
    for command in commands:
        program, verb, event = command.split()
        assert (program, verb) == ("quaid", "hook")
        assert event in EVENTS


def test_it_has_every_skill() -> None:
    assert tuple(sorted(path.name for path in (ROOT / "plugin/skills").iterdir())) == embedded_names()


def test_the_module_runs_as_the_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "quaid", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"quaid {__version__}\n"
