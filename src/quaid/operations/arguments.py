"""Arguments of operations: what they are, what they accept, and a JSON Schema of them."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from quaid.errors import InvalidInput
from quaid.model.record import MISSING, fields_of, record
from quaid.operations.operation import Argument

Kind = Literal["string", "integer", "number", "boolean", "array", "object", "any"]
A = TypeVar("A")
MAX_NUMBER = 2**53  # of versions, ids and limits: what every JSON reader keeps exact
MAX_FLOAT = 1.7e308
MAX_DEPTH = 100

_KINDS: dict[Any, Kind] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    list: "array",
    dict: "object",
}
_NAMES: dict[Kind, str] = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "any": "any JSON value",
}


@record
class Parameter:
    """One argument, with its type resolved."""

    name: str
    kind: Kind
    facts: Argument
    required: bool
    default: Any
    choices: tuple[str, ...] = ()
    item: Kind = "any"

    @property
    def flag(self) -> str:
        return self.facts.flag or "--" + self.name.replace("_", "-")


def parameters(arguments: type[Any]) -> tuple[Parameter, ...]:
    """The parameters of an operation's argument class, in its order."""
    hints = get_type_hints(arguments)
    found: list[Parameter] = []
    for field in fields_of(arguments):
        kind, choices, item = _kind(hints[field.name])
        required = field.default is MISSING
        default = None if required else field.default
        found.append(
            Parameter(
                name=field.name.rstrip("_"),
                kind=kind,
                facts=field.note,
                required=required,
                default=default,
                choices=choices,
                item=item,
            )
        )
    return tuple(found)


def decode(arguments: type[A], values: Mapping[str, Any], *, tool: bool) -> A:
    """An operation's arguments from a mapping; text is converted when it comes from a command line."""
    known = {
        parameter.name: parameter
        for parameter in parameters(arguments)
        if not (tool and parameter.facts.for_people)
    }
    unknown = [name for name in values if name not in known]
    if unknown:
        raise InvalidInput(
            f"unknown argument {unknown[0]!r}", hint=f"It takes: {', '.join(known) or 'no arguments'}."
        )
    given: dict[str, Any] = {}
    for name, parameter in known.items():
        value = values.get(name)
        if value is None:
            needed = parameter.facts.for_tools
            if parameter.required or (
                tool and (needed is True or (needed and values.get(needed) not in (None, False)))
            ):
                raise InvalidInput(f"the argument {name!r} is missing", hint=parameter.facts.help)
            continue
        given[name] = _checked(parameter, value if tool else _converted(parameter, value))
    fields = {field.name.rstrip("_"): field.name for field in fields_of(arguments)}
    return arguments(**{fields[name]: value for name, value in given.items()})


def schema(arguments: type[Any]) -> dict[str, Any]:
    """A JSON Schema of an operation's arguments, without what only costs tokens."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in parameters(arguments):
        if parameter.facts.hidden or parameter.facts.for_people:
            continue
        properties[parameter.name] = _property(parameter)
        if parameter.required or parameter.facts.for_tools is True:
            required.append(parameter.name)
    described: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return described | ({"required": required} if required else {})


def lean_schema(arguments: type[Any], told: tuple[str, ...] | None) -> dict[str, Any]:
    """A JSON Schema for a language model, which reads it before every answer: no word too many.

    Arguments that are left out of it are accepted all the same.
    """
    chosen = None if told is None else dict((each + ": ").split(": ", 1) for each in told)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in parameters(arguments):
        if parameter.facts.hidden or parameter.facts.for_people:
            continue
        if chosen is not None and parameter.name not in chosen:
            continue
        own = parameter.facts.for_models or parameter.facts.help
        words = own if chosen is None else chosen[parameter.name].removesuffix(": ")
        properties[parameter.name] = _typed(parameter) | ({"description": words} if words else {})
        if parameter.required or parameter.facts.for_tools is True:
            required.append(parameter.name)
    described: dict[str, Any] = {"type": "object", "properties": properties}
    return described | ({"required": required} if required else {})


def _property(parameter: Parameter) -> dict[str, Any]:
    described = _typed(parameter)
    if parameter.facts.least is not None:
        described["minimum"] = parameter.facts.least
    if parameter.default not in (None, False, ""):
        described["default"] = parameter.default
    return described | {"description": parameter.facts.for_models or parameter.facts.help}


def _typed(parameter: Parameter) -> dict[str, Any]:
    """What values a parameter takes."""
    described: dict[str, Any] = {} if parameter.kind == "any" else {"type": parameter.kind}
    choices = {"enum": list(parameter.choices)} if parameter.choices else {}
    if parameter.kind == "array":
        return described | ({"items": {"type": parameter.item} | choices} if parameter.item != "any" else {})
    return described | choices


def _kind(hint: Any) -> tuple[Kind, tuple[str, ...], Kind]:
    """Kind, choices and kind of items of an annotation."""
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(option for option in get_args(hint) if option is not type(None))
    if get_origin(hint) is Literal:
        return "string", get_args(hint), "any"
    if get_origin(hint) is list:
        kind, choices, _ = _kind(get_args(hint)[0])
        return "array", choices, kind
    return _KINDS.get(get_origin(hint) or hint, "any"), (), "any"


def _checked(parameter: Parameter, value: Any) -> Any:
    _check_sound(parameter.name, value)
    if not _fits(parameter.kind, value):
        raise InvalidInput(f"{parameter.name} must be {_NAMES[parameter.kind]}, not {_shown(value)}")
    for each in value if parameter.kind == "array" else [value]:
        if parameter.choices and each not in parameter.choices:
            raise InvalidInput(
                f"{parameter.name} must be one of {', '.join(parameter.choices)}, not {_shown(each)}"
            )
    if parameter.kind == "integer" and abs(value) > MAX_NUMBER:
        raise InvalidInput(f"{parameter.name} is too large")
    least = parameter.facts.least
    if least is not None and value < least:
        raise InvalidInput(f"{parameter.name} must be at least {least}, not {_shown(value)}")
    if parameter.kind == "array":
        for item in value:
            if not _fits(parameter.item, item):
                raise InvalidInput(
                    f"{parameter.name}: each item must be {_NAMES[parameter.item]}, not {_shown(item)}"
                )
    return value


def _check_sound(name: str, value: Any, depth: int = 0) -> None:
    """Refuse what the memory cannot hold: text that is no Unicode, numbers without bound, endless nesting."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InvalidInput(f"{name} is not valid Unicode", hint="Give it in UTF-8.") from None
    elif isinstance(value, float) and not abs(value) <= MAX_FLOAT:
        raise InvalidInput(f"{name} contains a number without bound")
    elif isinstance(value, (list, dict)):
        if depth > MAX_DEPTH:
            raise InvalidInput(f"{name} is nested too deeply")
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            _check_sound(name, part, depth + 1)


def _fits(kind: Kind, value: Any) -> bool:
    if kind == "any":
        return True
    if isinstance(value, bool):
        return kind == "boolean"
    types_of: dict[Kind, Any] = {
        "string": str,
        "integer": int,
        "number": (int, float),
        "array": list,
        "object": dict,
    }
    return isinstance(value, types_of.get(kind, bool))


def _converted(parameter: Parameter, value: Any) -> Any:
    """A value from the command line's text."""
    if not isinstance(value, str) or parameter.kind in ("string", "boolean"):
        return value
    try:
        if parameter.kind in ("integer", "number"):
            return int(value) if parameter.kind == "integer" else float(value)
        import json  # words and numbers do without

        return json.loads(value)
    except ValueError:
        wanted = _NAMES[parameter.kind] + (" as JSON" if parameter.kind in ("array", "object", "any") else "")
        raise InvalidInput(f"{parameter.flag} must be {wanted}, not {_shown(value)}") from None


def _shown(value: Any) -> str:
    import json  # what is right is not shown

    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:59] + "…"
