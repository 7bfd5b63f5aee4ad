"""Write the types of the library's methods from the operation table, or check that they are current.

What is written is `src/quaid/library/methods.pyi`, for type checkers and editors.
"""

from __future__ import annotations

import subprocess
import sys
import types
from inspect import Parameter as Taken
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from quaid import operations
from quaid.library.method import python_name, signature
from quaid.model.record import fields_of
from quaid.operations.arguments import parameters
from quaid.operations.operation import Operation, Parameter

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "src" / "quaid" / "library" / "methods.pyi"
# Operations whose answer depends on an argument: which, and what the answer is without it.
DEPENDING = {"get": ("version", "PageView"), "tags": ("slug", "TagCounts")}
WIDTH = 96  # characters of a line of help

HEAD = '''\
"""What every memory can do. Written by tools/stubs.py from the operation table: do not edit it."""

from collections.abc import Mapping, Sequence
from datetime import date
from os import PathLike
from typing import Any, Literal, overload

{imports}

Day = str | date
File = str | PathLike[str]

class Methods:
'''


class Names:
    """The names under which the classes of results are imported; two may have the same."""

    def __init__(self) -> None:
        self._known: dict[str, type[Any]] = {}

    def of(self, found: type[Any]) -> str:
        """The name of a class."""
        name = found.__name__
        if self._known.setdefault(name, found) is not found:
            name = f"{found.__module__.rsplit('.', 1)[-1].capitalize()}{name}"
            if self._known.setdefault(name, found) is not found:
                raise SystemExit(f"there are several {name}")
        return name

    def imports(self) -> str:
        """The lines that import them."""
        return "\n".join(
            f"from {found.__module__} import {found.__name__}"
            + ("" if name == found.__name__ else f" as {name}")
            for name, found in self._known.items()
        )


def result_type(hint: Any, names: Names) -> str:
    """What a method returns."""
    options = get_args(hint) if get_origin(hint) is types.UnionType else (hint,)
    return " | ".join(names.of(option) for option in options)


def argument_type(hint: Any, parameter: Parameter) -> str:
    """What a method takes for an argument: also what can stand for text or for a list."""
    if get_origin(hint) in (Union, types.UnionType):
        inner = [argument_type(each, parameter) for each in get_args(hint) if each is not type(None)]
        return " | ".join([*inner, "None"])
    if get_origin(hint) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(hint)))}]"
    if get_origin(hint) is list:
        return f"Sequence[{argument_type(get_args(hint)[0], parameter)}]"
    if get_origin(hint) is dict:
        return "Mapping[str, Any]"
    if hint is str and parameter.is_day:
        return "Day"
    if hint is str and (parameter.facts.from_file or parameter.facts.completes == "file"):
        return "File"
    return "Any" if hint is Any else str(hint.__name__)


def method(operation: Operation[Any, Any], names: Names) -> str:
    """One method, or the forms of one whose answer depends on an argument."""
    returned = get_type_hints(operation.run)["return"]
    if operation.name not in DEPENDING:
        return _form(operation, result_type(returned, names))
    argument, without = DEPENDING[operation.name]
    (left_out,) = [option for option in get_args(returned) if option.__name__ == without]
    forms = (
        _form(operation, names.of(left_out), leaving_out=argument),
        _form(operation, result_type(returned, names), demanding=argument),
    )
    return "\n".join(f"    @overload\n{form}" for form in forms)


def _form(operation: Operation[Any, Any], returned: str, leaving_out: str = "", demanding: str = "") -> str:
    hints = get_type_hints(operation.arguments)
    by_name = {
        python_name(each.name): (each, hints[field.name])
        for field, each in zip(fields_of(operation.arguments), parameters(operation.arguments), strict=True)
    }
    words = ["self"]
    _, *taken = signature(operation).parameters.values()
    for each in (each for each in taken if each.name != leaving_out):
        if each.kind is Taken.KEYWORD_ONLY and "*" not in words:
            words.append("*")
        parameter, hint = by_name[each.name]
        stated = argument_type(hint, parameter)
        if each.name == demanding:
            words.append(f"{each.name}: {stated.removesuffix(' | None')}")
        else:
            default = "" if each.default is Taken.empty else f" = {each.default!r}"
            words.append(f"{each.name}: {stated}{default}")
    lines = wrap(" ".join(operation.help.split("\n\n")[0].split()), WIDTH)
    doc = "\n        ".join(lines) + ("\n        " if len(lines) > 1 else "")
    return f'    def {python_name(operation.name)}({", ".join(words)}) -> {returned}:\n        """{doc}"""\n'


def stub() -> str:
    """The whole file, as our formatter writes it."""
    names = Names()
    methods = "\n".join(method(operation, names) for operation in operations.operations())
    text = HEAD.format(imports=names.imports()) + methods
    for command in (["check", "--fix", "--select", "I", "--quiet"], ["format", "--quiet"]):
        ruff = [str(Path(sys.executable).with_name("ruff")), *command, "--stdin-filename", str(PLACE), "-"]
        done = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True, cwd=ROOT)
        text = done.stdout
    return text


def main() -> int:
    """Write it, or with --check say whether it is current."""
    wanted = stub()
    if PLACE.is_file() and PLACE.read_text(encoding="utf-8") == wanted:
        return 0
    name = PLACE.relative_to(ROOT)
    if "--check" in sys.argv[1:]:
        print(f"{name}: stale; run `make docs`", file=sys.stderr)
        return 1
    PLACE.write_text(wanted, encoding="utf-8")
    print(f"{name}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
