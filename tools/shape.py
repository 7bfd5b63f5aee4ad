"""How the code is arranged: sizes, calls, comments, and what five everyday walks through it touch.

    python tools/shape.py [TREE] [--json]

TREE is a checkout, this one by default; run it with the Python of that checkout's environment. A walk is a
command that is run three times in one process, the last time under a profiler: imports and first-time work
do not count. The second time is the first that finds what was written before.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import subprocess
import sys
import tempfile
import tokenize
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

LONG_CALL = 7
LONG_AGO = 1_700_000_000  # seconds
WARM = 2  # times that a command is run before it is looked at
# Functions that make a page or a node out of a text, under the names that they have or had.
PARSERS = {"read_page", "read_org", "read_markdown", "parse", "read"}
PARSER_MODULES = ("formats.content", "formats.format", "formats.markdown", "formats.org", "kb.node")
PAGE_FILES = (".md", ".org")

Numbers = dict[str, Any]


def main() -> int:
    """Print the figures of a tree, or run one walk (for itself)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", nargs="?", type=Path, default=Path(__file__).parent.parent)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--walk", choices=tuple(WALKS), help=argparse.SUPPRESS)
    given = parser.parse_args()
    tree = given.tree.resolve()
    if given.walk:
        print(json.dumps(_walk(tree, given.walk)))
        return 0
    figures = {"packages": _packages(tree), "text": _text(tree), "walks": _walks(tree)}
    print(json.dumps(figures, indent=2) if given.json else _shown(figures))
    return 0


# Sizes and style ---------------------------------------------------------------------------------


def _modules(tree: Path) -> list[Path]:
    return sorted((tree / "src" / "quaid").rglob("*.py"))


def _packages(tree: Path) -> dict[str, Numbers]:
    root = tree / "src" / "quaid"
    found: dict[str, Numbers] = {}
    for path in _modules(tree):
        inside = path.relative_to(root).parts
        package = found.setdefault(inside[0] if len(inside) > 1 else "(top)", {"modules": 0, "lines": 0})
        package["modules"] += 1
        package["lines"] += len(path.read_text(encoding="utf-8").splitlines())
    return found


def _text(tree: Path) -> Numbers:
    long_calls: list[str] = []
    code_lines = comments = characters = 0
    for path in _modules(tree):
        source = path.read_text(encoding="utf-8")
        name = path.relative_to(tree).as_posix()
        calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
        long_calls += [f"{name}:{call.lineno}" for call in calls if len(call.args) >= LONG_CALL]
        code, commented = _lines(source)
        code_lines += len(code)
        characters += sum(len(line.strip()) for line in code)
        comments += commented
    ending = [path.relative_to(tree).as_posix() for path in _modules(tree) if path.stem.endswith("ing")]
    return {
        "long_calls": long_calls,
        "comments_per_100_lines": round(100 * comments / code_lines, 1),
        "characters_per_code_line": round(characters / code_lines, 1),
        "modules_in_ing": ending,
    }


def _lines(source: str) -> tuple[list[str], int]:
    """The lines of code, and how many lines carry a comment. Docstrings are neither."""
    lines = source.splitlines()
    hidden: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_text and isinstance(node.value.value, str):  # type: ignore[attr-defined]
            hidden.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))  # type: ignore[attr-defined]
    commented = {
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    code = [
        line
        for number, line in enumerate(lines, 1)
        if line.strip() and number not in hidden and not line.strip().startswith("#")
    ]
    return code, len(commented)


# Walks -------------------------------------------------------------------------------------------


class Room:
    """An empty home with a memory, in which the commands of a walk are run."""

    def __init__(self, tree: Path, home: Path) -> None:
        scripts = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
        self._programs = {name: _program(target) for name, target in scripts.items()}
        self.home = home

    def run(self, *words: str, text: str = "") -> None:
        """Run a command as a shell would, in this process."""
        before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
        sys.argv = [*words]
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        try:
            with redirect_stdout(out), redirect_stderr(err):
                status = self._programs[words[0]]()
        finally:
            sys.stdin = before
        if status:
            err.seek(0)
            raise SystemExit(f"{' '.join(words)}: status {status}\n{err.read()}")


def _program(target: str) -> Callable[[], int]:
    module, function = target.split(":")
    found: Callable[[], int] = getattr(import_module(module), function)
    return found


Step = Callable[[Room, int], None]


def _put_ready(room: Room) -> None:
    room.run("quaid", "init")


def _put(room: Room, turn: int) -> None:
    room.run("quaid", "put", f"people/p{turn}", text=f"# Person {turn}\n\nKnows [[people/p0]].\n")


def _query_ready(room: Room) -> None:
    _put_ready(room)
    for turn in range(3):
        _put(room, turn)
    room.run("quaid", "embed")


def _query(room: Room, turn: int) -> None:
    room.run("quaid", "query", "who knows person 1?")


def _remember_ready(room: Room) -> None:
    _put_ready(room)
    (room.home / "diary").mkdir()
    room.run("quaid", "collection", "add", "diary", str(room.home / "diary"), "--profile", "notebook")


def _remember(room: Room, turn: int) -> None:
    room.run("quaid", "remember", f"add oat milk number {turn} to shopping")


def _kb_ready(room: Room) -> None:
    room.run("ai-kb", "init", "--offline")


def _kb_remember(room: Room, turn: int) -> None:
    topic = ("Commit style", "Harbour dredging", "Espresso ratio")[turn]
    body = ("Fifty characters at most.", "Ask the pilot before May.", "Two parts of water to one.")[turn]
    words = ("--title", topic, "--summary", f"{topic}: what holds.", "--created-by", "human")
    room.run("ai-kb", "remember", *words, "--type", "preference", "--body", body)


def _edit_ready(room: Room) -> None:
    _put_ready(room)
    notes = room.home / "notes"
    notes.mkdir()
    _saved(notes / "a.md", "# A\n\nFirst.\n", 0)
    _saved(notes / "b.md", "# B\n\nOther.\n", 0)
    room.run("quaid", "collection", "add", "notes", str(notes))


def _saved(path: Path, text: str, minute: int) -> None:
    """Save a file as if some time ago: one that is written while it is read is looked at again."""
    path.write_text(text)
    os.utime(path, (LONG_AGO + 60 * minute,) * 2)


def _edit(room: Room, turn: int) -> None:
    _saved(room.home / "notes" / "a.md", f"# A\n\nwordnumber{turn} stands here.\n", 1 + turn)
    room.run("quaid", "search", f"wordnumber{turn}")


WALKS: dict[str, tuple[Callable[[Room], None], Step]] = {
    "put": (_put_ready, _put),
    "query": (_query_ready, _query),
    "remember": (_remember_ready, _remember),
    "ai-kb remember": (_kb_ready, _kb_remember),
    "an edited file until found": (_edit_ready, _edit),
}


class Trace:
    """What a walk touches."""

    def __init__(self, source: Path, home: Path) -> None:
        self._source = str(source) + os.sep
        self._home = str(home) + os.sep
        self._on = False
        self._names: dict[str, str] = {}
        self.calls = self.changes = self.parses = self.walks = 0
        self.functions: set[tuple[str, str]] = set()
        self.modules: set[str] = set()
        self.reads: Counter[str] = Counter()
        sys.addaudithook(self._audit)

    def __enter__(self) -> Trace:
        self._on = True
        sys.setprofile(self._profile)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
        self._on = False

    def _module(self, frame: FrameType) -> str:
        path = frame.f_code.co_filename
        if path not in self._names:
            inside = path.removeprefix(self._source) if path.startswith(self._source) else ""
            self._names[path] = inside.removesuffix(".py").replace(os.sep, ".")
        return self._names[path]

    def _profile(self, frame: FrameType, event: str, argument: object) -> None:
        if event != "call":
            return
        module, function = self._module(frame), frame.f_code.co_qualname
        if not module or "<" in function.rsplit(".", 1)[-1]:
            return
        self.calls += 1
        self.functions.add((module, function))
        self.modules.add(module)
        caller = frame.f_back
        while caller and not self._module(caller):
            caller = caller.f_back
        if caller and self._module(caller).split(".")[0] != module.split(".")[0]:
            self.changes += 1
        if function.split(".")[-1] in PARSERS and module.startswith(PARSER_MODULES):
            nested = caller is not None and self._module(caller).startswith(PARSER_MODULES)
            self.parses += not nested

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._on or event not in ("open", "os.scandir"):
            return
        path = os.fsdecode(arguments[0]) if isinstance(arguments[0], (str, bytes, os.PathLike)) else ""
        if event == "os.scandir":
            self.walks += path.startswith(self._home)
        elif path.startswith(self._home) and path.endswith(PAGE_FILES) and not _writes(arguments):
            self.reads[path.removeprefix(self._home)] += 1


def _writes(arguments: tuple[Any, ...]) -> bool:
    mode, flags = arguments[1], arguments[2]
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_DIRECTORY))


def _walk(tree: Path, name: str) -> Numbers:
    sys.path.insert(0, str(tree / "src"))
    home = Path.home()
    os.chdir(home)
    room = Room(tree, home)
    prepare, step = WALKS[name]
    prepare(room)
    for turn in range(WARM):
        step(room, turn)
    with Trace(tree / "src" / "quaid", home) as trace:
        step(room, WARM)
    return {
        "calls": trace.calls,
        "functions": len(trace.functions),
        "modules": len(trace.modules),
        "changes of package": trace.changes,
        "folder listings": trace.walks,
        "file reads": sum(trace.reads.values()),
        "most reads of one file": max(trace.reads.values(), default=0),
        "pages parsed": trace.parses,
        "reads": {Path(path).name: times for path, times in trace.reads.items()},
    }


def _walks(tree: Path) -> dict[str, Numbers]:
    figures = {}
    for name in WALKS:
        with tempfile.TemporaryDirectory() as home:
            environment = {"HOME": home, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC"}
            command = [sys.executable, __file__, str(tree), "--walk", name]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                raise SystemExit(f"{name}: {done.stderr}")
            figures[name] = json.loads(done.stdout)
            del figures[name]["reads"]
    return figures


# Output ------------------------------------------------------------------------------------------


def _shown(figures: Numbers) -> str:
    return "\n".join(
        [
            *_package_lines(figures["packages"]),
            "",
            *_text_lines(figures["text"]),
            "",
            *_walk_lines(figures["walks"]),
        ]
    )


def _package_lines(packages: dict[str, Numbers]) -> Iterator[str]:
    yield f"{'package':20} {'modules':>8} {'lines':>8}"
    for name, each in sorted(packages.items()):
        yield f"{name:20} {each['modules']:8} {each['lines']:8,}"
    modules = sum(each["modules"] for each in packages.values())
    yield f"{'all':20} {modules:8} {sum(each['lines'] for each in packages.values()):8,}"


def _text_lines(text: Numbers) -> Iterator[str]:
    yield f"calls with {LONG_CALL} or more positional arguments: {len(text['long_calls'])}"
    yield f"comments per 100 lines of code: {text['comments_per_100_lines']}"
    yield f"characters per line of code: {text['characters_per_code_line']}"
    yield f"modules that end in -ing: {len(text['modules_in_ing'])}"


def _walk_lines(walks: dict[str, Numbers]) -> Iterator[str]:
    names = list(next(iter(walks.values())))
    yield f"{'walk':28}" + "".join(f"{name:>24}" for name in names)
    for walk, each in walks.items():
        yield f"{walk:28}" + "".join(f"{each[name]:24,}" for name in names)


if __name__ == "__main__":
    sys.exit(main())
