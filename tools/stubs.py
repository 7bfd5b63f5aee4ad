"""Write the types of the library, for type checkers and editors, or check that they are current.

`library/methods.pyi` has the methods, from the operation table; `__init__.pyi` what `import quaid` offers.
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
from quaid.errors import ERRORS, QuaidError
from quaid.library.method import python_name, signature
from quaid.model.record import fields_of
from quaid.operations.arguments import parameters
from quaid.operations.operation import Operation, Parameter

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "quaid"
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


def methods() -> str:
    """The methods of every memory."""
    names = Names()
    text = "\n".join(method(operation, names) for operation in operations.operations())
    return HEAD.format(imports=names.imports()) + text


def package() -> str:
    """What `import quaid` offers."""
    errors: list[type[QuaidError]] = [QuaidError, *ERRORS]
    offered = [("errors", each.__name__) for each in errors]
    offered += [("library", "Memory"), ("library", "open")]
    lines = [f"from quaid.{module} import {name} as {name}" for module, name in offered]
    return "\n".join([*lines, "", "__version__: str", ""])


def formatted(text: str, place: Path) -> str:
    """A file as our formatter writes it."""
    for command in (["check", "--fix", "--select", "I", "--quiet"], ["format", "--quiet"]):
        ruff = [str(Path(sys.executable).with_name("ruff")), *command, "--stdin-filename", str(place), "-"]
        done = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True, cwd=ROOT)
        text = done.stdout
    return text


def main() -> int:
    """Write them, or with --check say which are not current."""
    stale = 0
    for place, text in (
        (PACKAGE / "library" / "methods.pyi", methods()),
        (PACKAGE / "__init__.pyi", package()),
    ):
        wanted = formatted(text, place)
        if place.is_file() and place.read_text(encoding="utf-8") == wanted:
            continue
        name = place.relative_to(ROOT)
        if "--check" in sys.argv[1:]:
            print(f"{name}: stale; run `make docs`", file=sys.stderr)
            stale = 1
        else:
            place.write_text(wanted, encoding="utf-8")
            print(f"{name}: written")
    return stale


if __name__ == "__main__":
    sys.exit(main())
