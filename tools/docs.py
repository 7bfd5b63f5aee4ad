"""Write the generated parts of the documentation, or check that they are current.

A block of a Markdown file from the line `<!-- generated: NAME -->` to the line `<!-- end -->` holds what
the generator NAME returns. Examples inside code fences are left alone.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path

from quaid.errors import ERRORS
from quaid.settings import SETTINGS

ROOT = Path(__file__).resolve().parent.parent

START = re.compile(r"<!-- generated: (\S+) -->")
END = "<!-- end -->"
FENCE = re.compile(r" *(`{3,}|~{3,})")


class DocsError(Exception):
    """A block that cannot be generated."""


def errors_table() -> str:
    """Every error code with its statuses, what it means, and what to do."""
    rows = [
        f"| `{error.code}` | {error.exit_status} | {error.http_status} | {error.meaning} | {error.remedy} |"
        for error in ERRORS
    ]
    return "\n".join(["| code | exit status | HTTP | meaning | what to do |", "|---|---|---|---|---|", *rows])


def settings_table() -> str:
    """Every setting with its default, its variable and what it means."""
    rows = ["| key | default | environment | meaning |", "| --- | --- | --- | --- |"]
    for setting in SETTINGS:
        meaning = setting.meaning + (f" One of {', '.join(setting.choices)}." if setting.choices else "")
        stated = str(setting.default).lower() if isinstance(setting.default, bool) else setting.default
        default = f"`{stated}`" if stated != "" else ""
        rows.append(f"| `{setting.key}` | {default} | `{setting.variable}` | {meaning} |")
    return "\n".join(rows)


def function_of(module: str, name: str) -> Callable[[], str]:
    """A generator that lives in the program itself; it is looked up when a block needs it."""

    def generate() -> str:
        try:
            function: Callable[[], str] = getattr(importlib.import_module(module), name)
        except (ModuleNotFoundError, AttributeError) as missing:
            raise DocsError(f"there is no {module}.{name}(): {missing}") from missing
        return function()

    return generate


GENERATORS: dict[str, Callable[[], str]] = {
    "errors": errors_table,
    "commands": function_of("quaid.cli.reference", "commands_markdown"),
    "settings": settings_table,
    "tools": function_of("quaid.cli.reference", "tools_markdown"),
}


def generate(name: str) -> str:
    """The text of the generator called `name`."""
    if name not in GENERATORS:
        raise DocsError(f"there is no generator {name!r}; there are: {', '.join(GENERATORS)}")
    return GENERATORS[name]().strip("\n")


def rewrite(text: str) -> str:
    """The document with every generated block made anew."""
    lines = text.split("\n")
    written: list[str] = []
    fence = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        written.append(line)
        if mark := FENCE.match(line):
            if not fence:
                fence = mark[1]
            elif line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif not fence and (start := START.fullmatch(line.rstrip())):
            if END not in lines[at:]:
                raise DocsError(f"the block {start[1]!r} has no line {END!r}")
            at = lines.index(END, at)
            written += ["", *generate(start[1]).split("\n"), ""]
    return "\n".join(written)


def main() -> int:
    """Rewrite or check all documents; 1 if one is stale or cannot be made."""
    parser = argparse.ArgumentParser(description="Write the generated parts of the documentation.")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a file is stale")
    check = parser.parse_args().check

    failed = False
    for path in [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]:
        name = path.relative_to(ROOT)
        old = path.read_text(encoding="utf-8")
        try:
            new = rewrite(old)
        except DocsError as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed = True
            continue
        if new == old:
            continue
        if check:
            print(f"{name}: stale; run `make docs`", file=sys.stderr)
            failed = True
        else:
            path.write_text(new, encoding="utf-8")
            print(f"{name}: written")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
