#!/usr/bin/env python3
"""Install Quaid from the files beside this script. Nothing is looked for anywhere else.

usage: python3 install.py [DIRECTORY] [--no-links]

It makes an environment in DIRECTORY (~/.local/share/quaid), and links to `quaid` and `ai-kb` in ~/.local/bin.
To upgrade, run the script of the newer archive; to remove Quaid, delete the directory and the links.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = ("quaid", "ai-kb")


def check_python(wanted: str) -> None:
    """The packages fit one version of Python."""
    found = f"cp{sys.version_info.major}{sys.version_info.minor}"
    if found != wanted:
        needed = f"{wanted[2]}.{wanted[3:]}"
        sys.exit(
            f"This archive is for Python {needed}, and {sys.executable} is {sys.version.split()[0]}.\n"
            f"Run it with that one (python{needed} install.py), or take the archive for yours."
        )


def check_files() -> None:
    """Every file is what it was when the archive was made."""
    for line in (HERE / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        stated, name = line.split("  ", 1)
        path = HERE / name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != stated:
            sys.exit(f"{name} is missing or damaged: unpack the archive anew, and compare its own SHA-256.")


def install(into: Path) -> None:
    """Make the environment, and install into it with the pip that is here."""
    if into.exists() and any(into.iterdir()) and not (into / "pyvenv.cfg").is_file():
        sys.exit(f"{into} is there already, and holds something else. Name another directory.")
    if not (into / "pyvenv.cfg").is_file():
        venv.create(into, symlinks=True)
    wheels = sorted((HERE / "wheels").glob("*.whl"))
    pip = next(path for path in wheels if path.name.startswith("pip-"))
    packages = [str(path) for path in wheels if path != pip]  # all that belong together are here
    options = ["--no-index", "--no-cache-dir", "--disable-pip-version-check", "--quiet", "--upgrade"]
    command = [str(into / "bin" / "python"), str(pip / "pip"), "install", *options, *packages]
    if subprocess.run(command, check=False).returncode:
        sys.exit("It could not be installed; what pip says stands above.")


def link(into: Path) -> None:
    """Put the programs where a shell finds them; what is there and is not ours stays."""
    place = Path.home() / ".local" / "bin"
    place.mkdir(parents=True, exist_ok=True)
    for name in PROGRAMS:
        target, at = into / "bin" / name, place / name
        if at.is_symlink() and not at.exists():
            at.unlink()
        if not at.exists():
            at.symlink_to(target)
        elif at.resolve() != target.resolve():
            print(f"{at} is something else and was left alone; the program is {target}.")


def main() -> int:
    """Install, and say whether it works."""
    parser = argparse.ArgumentParser(description="Install Quaid from the files beside this script.")
    parser.add_argument("directory", nargs="?", type=Path, default=Path.home() / ".local" / "share" / "quaid")
    parser.add_argument("--no-links", action="store_true", help="make no links in ~/.local/bin")
    given = parser.parse_args()
    version, python = (HERE / "RELEASE").read_text(encoding="utf-8").split()
    check_python(python)
    check_files()
    into = given.directory.expanduser().absolute()
    install(into)
    if not given.no_links:
        link(into)
    print(f"Quaid {version} is in {into}.", flush=True)
    return subprocess.run([str(into / "bin" / "quaid"), "self-check"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
