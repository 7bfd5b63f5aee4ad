"""Taking over the files of an agent's older folder: what goes where, and what stays where it is.

The older layout kept rules in `runtime/`, core memories in `brain/memory/core/`, and later a `notebook/`.
Planning reads; acting copies what is not there yet. Nothing is deleted, and nothing of the person's is
replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Literal

from quaid.errors import InvalidInput, NotFound, QuaidError, StorageFailed
from quaid.formats.content import read_page
from quaid.formats.encoding import decode
from quaid.model.record import record
from quaid.notebook.edits import MAX_FILE, Notebook
from quaid.notebook.places import FILES, FOLDERS
from quaid.settings import Settings, Value, converted, flat_values, setting_named
from quaid.vault import folder

What = Literal["copy", "set", "there", "conflict", "stays"]
CONFIG = "config.yaml"
_DAY = re.compile(r"\d{4}-\d\d-\d\d\.md")
_IDENTITY = ("identity.md", "claude.md", "agents.md")


@record
class Step:
    """One file: where it is, where it belongs, what is done with it, and why."""

    source: str
    target: str
    what: What
    reason: str = ""


def plan(root: Path, notebook: Notebook) -> tuple[Step, ...]:
    """What is to be done with the files of an older folder."""
    if not root.is_dir():
        raise NotFound(f"there is no folder {root}", hint="Name the older folder of the agent.")
    inside = root in notebook.root.parents and (root / "notebook").resolve() == notebook.root
    is_there = inside or root == notebook.root  # what is in the notebook stays
    taken: dict[str, str] = {}
    steps: list[Step] = []
    for source in _files(root):
        if is_there and source.startswith("notebook/"):
            continue
        steps.append(_step(root, notebook, source, taken))
        if steps[-1].what in ("copy", "there"):
            taken[steps[-1].target] = source
    if not steps:
        raise InvalidInput(
            f"{root} has nothing of the older layout",
            hint="Such a folder has `runtime/`, `brain/memory/` or `notebook/` in it.",
        )
    return tuple(steps)


def apply(root: Path, notebook: Notebook, steps: tuple[Step, ...]) -> None:
    """Copy what is to be copied, all or nothing."""
    texts = {step.target: _read(root, step.source) for step in steps if step.what == "copy"}
    if texts:
        notebook.write_all({target: partial(_taken_over, target, text) for target, text in texts.items()})


def settings_plan(root: Path, settings: Settings) -> tuple[tuple[Step, ...], dict[str, Value]]:
    """What the older configuration says: a step for each of its settings, and the values to take over.

    What was set here already stays.
    """
    if not (root / CONFIG).is_file():
        return (), {}
    content = read_page(f"---\n{_read(root, CONFIG)}\n---\n", "")
    steps = [Step(CONFIG, "", "conflict", problem.message) for problem in content.problems]
    if not content.problems and "memory" not in content.frontmatter:
        steps.append(Step(CONFIG, "", "stays", "settings are read below `memory:`, and there is none"))
    wanted: dict[str, Value] = {}
    for key, value in flat_values(content.frontmatter.get("memory") or {}):
        steps.append(_setting_step(key, value, settings))
        if steps[-1].what == "set":
            setting = setting_named(key)
            wanted[setting.key] = setting.parse(converted(key, value))
    return tuple(steps), wanted


def _setting_step(key: str, value: Value, settings: Settings) -> Step:
    source = f"{CONFIG}: {key}"
    try:
        setting = setting_named(key)
        parsed = setting.parse(converted(key, value))
    except QuaidError as error:
        return Step(source, "", "stays", error.message)
    target = f"{setting.key} = {parsed}"
    if setting.personal:
        return Step(source, target, "stays", "it is yours: set it in ~/.quaid/config.toml")
    now, origin = settings.find(setting.key)
    if now == parsed:
        return Step(source, target, "there", "it is so already")
    if origin != "default":
        return Step(source, target, "conflict", f"here it is {now} ({origin})")
    return Step(source, target, "set")


def _taken_over(target: str, text: str, before: str) -> str:
    """What a file becomes: another text only if nobody has written there."""
    return text if not before.strip() or before == FILES.get(target) else before


def _files(root: Path) -> Iterator[str]:
    """Markdown files below the folders that the older layout had."""
    for path in sorted(folder.glance(root, ("runtime", "brain", "notebook")).files):
        if path.lower().endswith(".md") and not any(part.startswith(".") for part in path.split("/")):
            yield path


def _target(source: str) -> str:
    """Where a file belongs; nothing for one that says who the agent is."""
    parts = source.split("/")
    name = parts[-1]
    if name.lower() in _IDENTITY:
        return ""
    if parts[0] == "notebook" and len(parts) > 1:
        return "/".join(parts[1:])
    if parts[0] == "runtime":
        return f"reference/{name}"
    if parts[:2] != ["brain", "memory"]:
        return ""
    if _DAY.fullmatch(name):
        return f"daily/{name}"
    below = parts[2:]
    if below[0] == "core":
        return f"reference/{'/'.join(below[1:])}"
    return "/".join(below) if below[0] in FOLDERS and len(below) > 1 else f"knowledge/{'/'.join(below)}"


def _step(root: Path, notebook: Notebook, source: str, taken: dict[str, str]) -> Step:
    """What is to be done with a file; `taken` says which files go where already."""
    target = _target(source)
    if not target:
        return Step(source, "", "stays", "it says who the agent is, not what it knows")
    try:
        text = _read(root, source)
    except QuaidError as error:
        return Step(source, target, "conflict", error.message)
    if not text.strip():
        return Step(source, target, "stays", "it is empty")
    if target in taken:
        same = _read(root, taken[target]) == text
        reason = f"{taken[target]} goes there too" + (", and says the same" if same else "")
        return Step(source, target, "there" if same else "conflict", reason)
    try:
        before = notebook.read(target).text
    except NotFound:
        return Step(source, target, "copy")
    except InvalidInput as error:
        return Step(source, target, "conflict", error.message)
    if before.strip() == text.strip():
        return Step(source, target, "there", "the same text is there")
    if not before.strip() or before == FILES.get(target):
        return Step(source, target, "copy", "nothing was written there yet")
    return Step(source, target, "conflict", "another text is there: merge them by hand")


def _read(root: Path, path: str) -> str:
    try:
        data = folder.read(root, path)
    except OSError as error:
        raise StorageFailed(f"it cannot be read: {error.strerror}", hint="Check its permissions.") from None
    if len(data) > MAX_FILE:
        raise InvalidInput("it is too large for a notebook", hint="Split it.")
    return decode(data)[0]
