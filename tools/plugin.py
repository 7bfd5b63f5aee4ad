"""Write the plugin for Claude Code and Codex: manifests, server, hooks, and a copy of the skills.

With --check, say what is not up to date instead.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from quaid import __version__
from quaid.agents.setup.clients import BY_NAME
from quaid.agents.setup.entries import HOOK_SECONDS
from quaid.agents.skills.library import EMBEDDED, embedded_names
from quaid.agents.skills.skill import read_skill

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (Path(".claude-plugin"), Path("plugin"))

DESCRIPTION = "A local-first memory for AI agents and for the person who owns it"
AUTHOR = {"name": "The Quaid authors"}


def manifests() -> dict[str, Any]:
    """The JSON files, by their paths."""
    plugin = {
        "name": "quaid",
        "version": __version__,
        "description": DESCRIPTION,
        "author": AUTHOR,
        "license": "MIT",
        "keywords": ["memory", "notes", "mcp"],
    }
    marketplace = {
        "name": "quaid",
        "owner": AUTHOR,
        "metadata": {"description": DESCRIPTION},
        "plugins": [{"name": "quaid", "source": "./plugin", "description": DESCRIPTION}],
    }
    # Both programs run these events; Codex would warn of others.
    hooks = {
        event: [{"hooks": [{"type": "command", "command": f"quaid hook {ours}", "timeout": HOOK_SECONDS}]}]
        for event, ours in BY_NAME["codex"].events
    }
    return {
        ".claude-plugin/marketplace.json": marketplace,
        "plugin/.claude-plugin/plugin.json": plugin,
        "plugin/.mcp.json": {"mcpServers": {"quaid": {"command": "quaid", "args": ["serve"]}}},
        "plugin/hooks/hooks.json": {"hooks": hooks},
    }


def wanted() -> dict[str, bytes]:
    """All files of the plugin, by their paths in the repository."""
    files = {
        path: (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()
        for path, data in manifests().items()
    }
    for name in embedded_names():
        for path, content in read_skill(EMBEDDED / name).files.items():
            files[f"plugin/skills/{name}/{path}"] = content
    return files


def present(root: Path) -> dict[str, bytes]:
    """The files that there are."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for folder in FOLDERS
        for path in sorted((root / folder).rglob("*"))
        if path.is_file()
    }


def main(words: list[str], root: Path = ROOT) -> int:
    """Write the files, or with --check list those that differ; 1 if there are any."""
    new, old = wanted(), present(root)
    different = sorted(path for path in {*new, *old} if new.get(path) != old.get(path))
    if "--check" in words:
        print("\n".join(f"{path} is not up to date" for path in different) or f"{len(new)} files: up to date")
        return 1 if different else 0
    for folder in FOLDERS:
        shutil.rmtree(root / folder, ignore_errors=True)
    for path, data in new.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    print("\n".join(different) or "nothing to do")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
