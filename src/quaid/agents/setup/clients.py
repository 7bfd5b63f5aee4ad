"""The programs that agents run in: where each keeps its configuration, and what it is given there."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from quaid.model.record import record

Scope: TypeAlias = Literal["user", "project"]
SCOPES: tuple[Scope, ...] = ("user", "project")
HookForm: TypeAlias = Literal["grouped", "plain", "versioned"]
Shape: TypeAlias = Literal["stdio", "typed", "loaded", "zed", "local", "toml"]


@record
class Around:
    """The machine as a client sees it."""

    home: Path
    here: Path
    environment: Mapping[str, str]
    platform: str = sys.platform

    def folder(self, variable: str, otherwise: Path) -> Path:
        """A folder that the environment can name."""
        named = self.environment.get(variable)
        return Path(named).expanduser() if named else otherwise

    def config(self) -> Path:
        """Where programs of the terminal keep their configuration."""
        return self.folder("XDG_CONFIG_HOME", self.home / ".config")

    def applications(self) -> Path:
        """Where programs with windows keep their data."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        if self.platform == "win32":
            return self.folder("APPDATA", self.home / "AppData" / "Roaming")
        return self.config()


@record
class Places:
    """The files and folders of one client in one scope; what it does not have is None."""

    servers: Path
    hooks: Path | None = None
    skills: Path | None = None
    plugin: Path | None = None  # a folder


@record
class Client:
    """A program, the form of its configuration, and what a person does after it has changed.

    `events` are its own names of the moments at which it runs hooks, each with ours; `second` is how many of
    its units of time a second has. `hook_form` is how a hook is written: in a group, by itself, or by itself
    in a file that has a version.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    shape: Shape
    next: str
    programs: tuple[str, ...] = ()
    scopes: tuple[Scope, ...] = SCOPES
    events: tuple[tuple[str, str], ...] = ()
    second: int = 1
    hook_form: HookForm = "grouped"


_EVENTS = (
    ("SessionStart", "session-start"),
    ("UserPromptSubmit", "prompt"),
    ("PostToolUse", "tool"),
    ("PreCompact", "pre-compact"),
    ("Stop", "stop"),
)
CLIENTS: tuple[Client, ...] = (
    Client(
        "claude-code",
        "Claude Code",
        ("mcpServers",),
        "loaded",
        "Start a new session; /mcp shows the server.",
        programs=("claude",),
        events=(*_EVENTS, ("SessionEnd", "session-end")),
    ),
    Client(
        "claude-desktop",
        "Claude Desktop",
        ("mcpServers",),
        "stdio",
        "Quit Claude Desktop and start it again.",
        scopes=("user",),
    ),
    Client(
        "codex",
        "Codex",
        ("mcp_servers",),
        "toml",
        "Start Codex anew. It runs hooks only after you have trusted them: /hooks.",
        programs=("codex",),
        events=_EVENTS,
    ),
    Client(
        "cursor",
        "Cursor",
        ("mcpServers",),
        "stdio",
        "Turn the server on: Settings, Tools & MCP.",
        programs=("cursor", "cursor-agent"),
        events=(
            ("sessionStart", "session-start"),
            ("beforeSubmitPrompt", "prompt"),
            ("postToolUse", "tool"),
            ("preCompact", "pre-compact"),
            ("stop", "stop"),
            ("sessionEnd", "session-end"),
        ),
        hook_form="versioned",
    ),
    Client(
        "vscode",
        "VS Code",
        ("servers",),
        "typed",
        "Start the server: MCP: List Servers in the command palette.",
        programs=("code",),
        # A hook of a prompt adds nothing there, says its documentation.
        events=tuple(each for each in _EVENTS if each[1] != "prompt"),
        hook_form="plain",
    ),
    Client(
        "gemini",
        "Gemini CLI",
        ("mcpServers",),
        "stdio",
        "Start Gemini anew, in a folder that it trusts; /mcp shows the server.",
        programs=("gemini",),
        events=(
            ("SessionStart", "session-start"),
            ("BeforeAgent", "prompt"),
            ("AfterTool", "tool"),
            ("PreCompress", "pre-compact"),
            ("AfterAgent", "stop"),
            ("SessionEnd", "session-end"),
        ),
        second=1000,
    ),
    Client(
        "opencode",
        "OpenCode",
        ("mcp",),
        "local",
        "Start OpenCode anew; `opencode mcp list` shows the server.",
        programs=("opencode",),
    ),
    Client(
        "zed",
        "Zed",
        ("context_servers",),
        "zed",
        "The agent panel's settings show the server; Zed reads its settings by itself.",
        programs=("zed", "zeditor"),
    ),
)

NAMES = tuple(client.name for client in CLIENTS)
BY_NAME = {client.name: client for client in CLIENTS}


def places(client: Client, scope: Scope, around: Around) -> Places:
    """Where a client's configuration is."""
    if scope == "project":
        return _PROJECT[client.name](around.here)
    return _USER[client.name](around)


def home_of(client: Client, around: Around) -> Path:
    """The folder whose presence tells that the client has been used here."""
    found = places(client, "user", around)
    if client.name == "claude-code":
        return around.folder("CLAUDE_CONFIG_DIR", around.home / ".claude")
    return found.servers.parent


def _claude_code(around: Around) -> Places:
    own = around.folder("CLAUDE_CONFIG_DIR", around.home)
    more = around.folder("CLAUDE_CONFIG_DIR", around.home / ".claude")
    return Places(own / ".claude.json", more / "settings.json", more / "skills")


def _codex(around: Around) -> Places:
    own = around.folder("CODEX_HOME", around.home / ".codex")
    return Places(own / "config.toml", own / "hooks.json", around.home / ".agents" / "skills")


def _cursor(folder: Path) -> Places:
    return Places(folder / "mcp.json", folder / "hooks.json", folder / "skills")


def _gemini(folder: Path) -> Places:
    return Places(folder / "settings.json", folder / "settings.json", folder / "skills")


def _opencode(folder: Path, more: Path) -> Places:
    """OpenCode reads either file; the one that is there is taken."""
    names = ("opencode.jsonc", "opencode.json")
    file = next((folder / name for name in names if (folder / name).exists()), folder / names[0])
    return Places(file, skills=more / "skills", plugin=more / "plugins")


def _zed(around: Around) -> Places:
    if around.platform == "win32":
        return Places(around.applications() / "Zed" / "settings.json")
    if around.platform == "darwin":
        return Places(around.home / ".config" / "zed" / "settings.json")
    return Places(around.config() / "zed" / "settings.json")


_USER = {
    "claude-code": _claude_code,
    "claude-desktop": lambda around: Places(around.applications() / "Claude" / "claude_desktop_config.json"),
    "codex": _codex,
    "cursor": lambda around: _cursor(around.home / ".cursor"),
    "vscode": lambda around: Places(
        around.applications() / "Code" / "User" / "mcp.json",
        around.home / ".copilot" / "hooks" / "quaid.json",
    ),
    "gemini": lambda around: _gemini(around.folder("GEMINI_CLI_HOME", around.home) / ".gemini"),
    "opencode": lambda around: _opencode(*[around.config() / "opencode"] * 2),
    "zed": _zed,
}

_PROJECT = {
    "claude-code": lambda here: Places(
        here / ".mcp.json", here / ".claude" / "settings.json", here / ".claude" / "skills"
    ),
    "codex": lambda here: Places(
        here / ".codex" / "config.toml", here / ".codex" / "hooks.json", here / ".agents" / "skills"
    ),
    "cursor": lambda here: _cursor(here / ".cursor"),
    "vscode": lambda here: Places(here / ".vscode" / "mcp.json", here / ".github" / "hooks" / "quaid.json"),
    "gemini": lambda here: _gemini(here / ".gemini"),
    "opencode": lambda here: _opencode(here, here / ".opencode"),
    "zed": lambda here: Places(here / ".zed" / "settings.json"),
}
