"""Agents that people use, told to ask the scripted model and nobody else, and to tell nobody about it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.mcp.agents.model import NAME, Model
from tests.mcp.agents.packages import CLAUDE_CODE, CODEX, OPENCODE, path_with
from tests.support import PATIENCE, Ran

PROMPT = "Remember what I told you about Alice."


@dataclass(frozen=True)
class Agent:
    """An agent: its name for `quaid setup`, its package, how it is run, and what it must know beforehand.

    `remote` adds a server over HTTP to its configuration; `reminds` is whether its hooks run unasked.
    """

    name: str
    package: str
    command: tuple[str, ...]
    prepare: Callable[[Path, Model], None]
    remote: Callable[[Path, str, dict[str, str]], None]
    environment: Callable[[Model], dict[str, str]]
    reminds: bool = True

    def run(self, home: Path, model: Model) -> Ran:
        """One turn without a person, in an empty directory."""
        work = home / "work"
        work.mkdir()
        done = subprocess.run(
            self.command,
            env={
                "HOME": str(home),
                "PATH": path_with(self.package),
                "TERM": "dumb",
                **self.environment(model),
            },
            cwd=work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr.decode())


def _nothing(home: Path, model: Model) -> None:
    """It is told by its environment."""


def _codex_configuration(home: Path, model: Model) -> None:
    place = home / ".codex" / "config.toml"
    place.parent.mkdir()
    place.write_text(
        f"""# mine
model = "{NAME}"
model_provider = "scripted"

[model_providers.scripted]
name = "Scripted"
base_url = "{model.url}/v1"
wire_api = "responses"

[analytics]
enabled = false
"""
    )


def _opencode_configuration(home: Path, model: Model) -> None:
    place = home / ".config" / "opencode" / "opencode.jsonc"
    place.parent.mkdir(parents=True)
    known = {NAME: {"name": "Scripted", "tool_call": True, "limit": {"context": 200_000, "output": 8_000}}}
    said = {
        "model": f"anthropic/{NAME}",
        "small_model": f"anthropic/{NAME}",
        "autoupdate": False,
        "share": "disabled",
        "permission": {"*": "allow"},
        "provider": {
            "anthropic": {"options": {"baseURL": f"{model.url}/v1", "apiKey": "none"}, "models": known}
        },
    }
    place.write_text("// mine\n" + json.dumps(said, indent=2) + "\n")


def _claude_remote(home: Path, url: str, headers: dict[str, str]) -> None:
    entry = {"type": "http", "url": url, "headers": headers, "alwaysLoad": True}
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"quaid": entry}}))


def _codex_remote(home: Path, url: str, headers: dict[str, str]) -> None:
    given = ", ".join(f'{name} = "{value}"' for name, value in headers.items())
    with (home / ".codex" / "config.toml").open("a") as file:
        file.write(f'\n[mcp_servers.quaid]\nurl = "{url}"\nhttp_headers = {{ {given} }}\n')


def _opencode_remote(home: Path, url: str, headers: dict[str, str]) -> None:
    place = home / ".config" / "opencode" / "opencode.jsonc"
    mine, _, said = place.read_text().partition("\n")
    entry = {"type": "remote", "url": url, "headers": headers}
    place.write_text(mine + "\n" + json.dumps({**json.loads(said), "mcp": {"quaid": entry}}))


CLAUDE = Agent(
    "claude-code",
    CLAUDE_CODE,
    ("claude", "-p", PROMPT, "--allowedTools", "mcp__quaid", "--output-format", "json"),
    _nothing,
    _claude_remote,
    lambda model: {
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    },
)

CODEX_CLI = Agent(
    "codex",
    CODEX,
    (
        "codex",
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "-c",
        "mcp_servers.quaid.required=true",  # or its first turn begins before the server has answered
        "--json",
        PROMPT,
    ),
    _codex_configuration,
    _codex_remote,
    lambda model: {},
    reminds=False,  # a person must have trusted them
)

OPENCODE_CLI = Agent(
    "opencode",
    OPENCODE,
    ("opencode", "run", PROMPT, "--format", "json"),
    _opencode_configuration,
    _opencode_remote,
    lambda model: {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"},
)

AGENTS = (CLAUDE, CODEX_CLI, OPENCODE_CLI)
