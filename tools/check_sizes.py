"""Check what the style asks of modules: short, imported at the top, named after things, no error swallowed.

Reports modules and functions that are too long, a median module that is, calls with many arguments that only
their place tells apart, imports of quaid inside functions, and broad `except` clauses whose line has no
`# surface` comment (a surface turns any error into an answer; nothing else may). No module is exempt from a
size.

A module is named after what it holds: a name in -ing is one of a few that are things. A function is named by
a participle alone only if it gives back what it was given, changed (`shortened(text)`), or tells whether
something is so (`changed`): any other hides what comes back.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

SOURCE = Path(__file__).resolve().parent.parent / "src" / "quaid"

MAX_MODULE = 400
MAX_FUNCTION = 60
MAX_MEDIAN = 150
MAX_POSITIONAL = 6

# Modules that may import quaid inside functions, and why.
LAZY_IMPORTS = {
    "cli/entry.py": "a command that runs elsewhere loads none of it",
    "cli/main.py": "start-up: a command loads only what it runs",
    "cli/kb.py": "start-up: a knowledge base is named by a path, mostly",
    "app/app.py": "start-up: reading loads neither parsers nor the write path",
    "app/entrance.py": "start-up: only a memory that is lost or old is derived anew",
    "formats/encoding.py": "start-up: the tables of other encodings are for what is not ASCII",
    "formats/format.py": "start-up: a memory without org pages does without their parser",
    "app/models.py": "start-up: a memory that is asked itself needs neither asyncio nor a shared index",
    "app/freshness.py": "start-up: a slug that is right needs no folding",
    "kb/node.py": "start-up: a question reads the top of a node alone",
    "kb/repository.py": "start-up: a question is answered without the write path",
    "operations/__init__.py": "start-up: a knowledge base is asked without a memory",
    "operations/conversations.py": "start-up: a question reads no transcript, and masks no secret",
    "operations/kb/app.py": "start-up: a question is answered without git",
    "operations/kb/remember.py": "start-up: without a memory, words are compared alone",
    "operations/kb/query.py": "start-up: a question by words needs no memory",
    "store/connection.py": "start-up: only writing and searching need segmentation",
    "store/migrations.py": "start-up: a memory that is up to date is not migrated",
    "sync/repository.py": "start-up: what is only read needs no git",
}

# Modules in -ing that are called after a thing, or after a command.
THINGS = {
    "briefing",
    "encoding",
    "keyring",
    "listing",
    "meaning",
    "opening",
    "packing",
    "reading",
    "rewording",
    "spelling",
}
# Functions whose name is given elsewhere: by a command, by a field of a file, or in SQL.
NAMED_ELSEWHERE = {"related", "created", "updated", "sealed", "unpacked", "restocked"}
NO_PARTICIPLES = {"embed", "feed", "need", "seed", "speed"}
IRREGULAR = {
    "chosen", "done", "drawn", "found", "given", "gone", "heard", "held", "hidden", "kept", "known", "led",
    "left", "lost", "made", "meant", "met", "paid", "said", "seen", "sent", "shown", "spent", "taken", "told",
    "understood", "written",
}  # fmt: skip

Function = ast.FunctionDef | ast.AsyncFunctionDef


def long_functions(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Functions with more lines than allowed, decorators not counted."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MAX_FUNCTION:
                yield node.lineno, f"function {node.name} has {length} lines (at most {MAX_FUNCTION})"


def long_calls(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Calls with more arguments by position than a reader keeps apart."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) > MAX_POSITIONAL:
            yield node.lineno, f"call with {len(node.args)} positional arguments (at most {MAX_POSITIONAL})"


def participles(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Functions named by a participle that give back neither what they got nor whether something is so."""
    for node in ast.walk(tree):
        if isinstance(node, Function) and is_participle(node.name.strip("_")):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            given = {ast.unparse(each.annotation) for each in arguments if each.annotation}
            back = ast.unparse(node.returns).removesuffix(" | None") if node.returns else ""
            if back not in {"bool", *given}:
                yield node.lineno, f"{node.name} hides what it gives back ({back}): name it after that"


def is_participle(name: str) -> bool:
    """Whether a name is one participle, and nothing says what of."""
    if "_" in name or name in NO_PARTICIPLES | NAMED_ELSEWHERE:
        return False
    return name in IRREGULAR or (name.endswith("ed") and len(name) > 3)


def inner_imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Imports of quaid's own modules inside functions."""
    inside = {
        node for function in ast.walk(tree) if isinstance(function, Function) for node in ast.walk(function)
    }
    for node in inside:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = ["quaid" if node.level else node.module or ""]
        else:
            continue
        if any(name.split(".")[0] == "quaid" for name in names):
            yield node.lineno, "import of quaid inside a function"


def broad_excepts(tree: ast.Module, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Handlers that catch everything and keep it, without being marked as a surface."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and is_broad(node.type):
            last = node.body[-1]
            passed_on = isinstance(last, ast.Raise) and last.exc is None
            if not passed_on and "# surface" not in lines[node.lineno - 1]:
                yield node.lineno, "broad except without a `# surface` comment"


def is_broad(caught: ast.expr | None) -> bool:
    """Whether an `except` clause catches `Exception`, `BaseException` or everything."""
    if isinstance(caught, ast.Tuple):
        return any(is_broad(element) for element in caught.elts)
    return caught is None or ast.unparse(caught).removeprefix("builtins.") in ("Exception", "BaseException")


def findings(name: str, text: str) -> Iterator[tuple[int, str]]:
    """What is wrong in one module: line and message."""
    tree, lines = ast.parse(text, name), text.splitlines()
    if len(lines) > MAX_MODULE:
        yield 1, f"module has {len(lines)} lines (at most {MAX_MODULE})"
    if (last := name.removesuffix(".py").rsplit("/")[-1].rsplit("_")[-1]).endswith(
        "ing"
    ) and last not in THINGS:
        yield 1, f"a module is named after what it holds, not after what it does ({last})"
    yield from long_functions(tree)
    yield from long_calls(tree)
    yield from participles(tree)
    if name not in LAZY_IMPORTS:
        yield from inner_imports(tree)
    yield from broad_excepts(tree, lines)


def main() -> int:
    """Print one line per finding; 1 if there is any."""
    modules = {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}
    found = [
        f"src/quaid/{name}:{line}: {message}"
        for path, text in modules.items()
        for name in [path.relative_to(SOURCE).as_posix()]
        for line, message in sorted(findings(name, text))
    ]
    # Package markers would flatter the median.
    sizes = [len(text.splitlines()) for path, text in modules.items() if path.name != "__init__.py"]
    middle = median(sizes) if sizes else 0
    if middle > MAX_MEDIAN:
        found.append(f"src/quaid: the median module has {middle:g} lines (at most {MAX_MEDIAN})")
    print("\n".join(found) if found else f"{len(sizes)} modules, median {middle:g} lines: nothing to report")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
