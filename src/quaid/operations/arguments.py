"""Arguments of operations: what they are, what they accept, and a JSON Schema of them."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from quaid.errors import InvalidInput
from quaid.model.record import MISSING, Field, fields_of
from quaid.model.spelling import alike, did_you_mean
from quaid.operations import vocabulary
from quaid.operations.operation import Kind, Parameter
from quaid.operations.values import value_of

A = TypeVar("A")

_KINDS: dict[Any, Kind] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    list: "array",
    dict: "object",
}
_PARAMETERS: dict[type[Any], tuple[Parameter, ...]] = {}  # of the argument classes that were asked for


def parameters(arguments: type[Any]) -> tuple[Parameter, ...]:
    """The parameters of an operation's argument class, in its order."""
    if arguments not in _PARAMETERS:
        hints = get_type_hints(arguments)
        _PARAMETERS[arguments] = tuple(_parameter(field, hints[field.name]) for field in fields_of(arguments))
    return _PARAMETERS[arguments]


def _parameter(field: Field, hint: Any) -> Parameter:
    kind, choices, item = _kind(hint)
    required = field.default is MISSING
    return Parameter(
        name=field.name.rstrip("_"),
        kind=kind,
        facts=field.note,
        required=required,
        default=None if required else field.default,
        choices=choices,
        item=item,
        field=field.name,
    )


def decode(
    arguments: type[A],
    values: Mapping[str, Any],
    *,
    tool: bool,
    demanding: bool = True,
    typed: bool | None = None,
) -> A:
    """An operation's arguments from a mapping. Other names and other spellings of values are understood.

    `tool` says that a program asks, which must name versions if it is a `demanding` tool; `typed` that values
    come from a command line: as a rule, those of everybody else.
    """
    typed = not tool if typed is None else typed
    known = {
        parameter.name: parameter
        for parameter in parameters(arguments)
        if not (tool and parameter.facts.for_people)
    }
    values = _under_own_names(known, values)
    given: dict[str, Any] = {}
    for name, parameter in known.items():
        value = values.get(name)
        if value is None:
            needed = parameter.facts.for_tools if tool and demanding else False
            if parameter.required or needed is True or (needed and values.get(needed) not in (None, False)):
                raise InvalidInput(f"the argument {name!r} is missing", hint=parameter.facts.help)
            continue
        given[parameter.field] = value_of(parameter, value, typed=typed)
    return arguments(**given)


def _under_own_names(known: Mapping[str, Parameter], values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values under the names that the operation has for them."""
    if all(name in known for name in values):
        return values
    named = {name: value for name, value in values.items() if name in known}
    offered = [name for name, parameter in known.items() if not parameter.facts.hidden]
    for other in (name for name in values if name not in known):
        name = vocabulary.meant(other, offered, named)
        if name is None:
            takes = f"It takes: {', '.join(offered) or 'no arguments'}."
            like = did_you_mean(alike(other, offered, 1))
            raise InvalidInput(f"unknown argument {other!r}", hint=f"{like} {takes}".strip())
        if named.get(name) not in (None, values[other]):
            raise InvalidInput(f"{other!r} is another name of {name!r}", hint="Give it once.")
        named[name] = values[other]
    return named


def schema(arguments: type[Any], *, demanding: bool = True) -> dict[str, Any]:
    """A JSON Schema of an operation's arguments, without what only costs tokens."""
    told = [each for each in parameters(arguments) if not (each.facts.hidden or each.facts.for_people)]
    properties = {each.name: _property(each) for each in told}
    described: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return described | _demands(told, demanding=demanding)


def lean_schema(arguments: type[Any], told: tuple[str, ...] | None) -> dict[str, Any]:
    """A JSON Schema for a language model, which reads it before every answer: no word too many.

    Arguments that are left out of it are accepted all the same.
    """
    chosen = None if told is None else dict((each + ": ").split(": ", 1) for each in told)
    listed = [
        each
        for each in parameters(arguments)
        if not (each.facts.hidden or each.facts.for_people) and (chosen is None or each.name in chosen)
    ]
    properties: dict[str, Any] = {}
    for each in listed:
        own = each.facts.for_models or each.facts.help
        words = own if chosen is None else chosen[each.name].removesuffix(": ")
        properties[each.name] = _value_schema(each) | ({"description": words} if words else {})
    return {"type": "object", "properties": properties} | _demands(listed)


def _demands(told: list[Parameter], *, demanding: bool = True) -> dict[str, Any]:
    names = [each.name for each in told if each.required or (demanding and each.facts.for_tools is True)]
    return {"required": names} if names else {}


def _property(parameter: Parameter) -> dict[str, Any]:
    described = _value_schema(parameter)
    if parameter.facts.least is not None:
        described["minimum"] = parameter.facts.least
    if parameter.default not in (None, False, ""):
        described["default"] = parameter.default
    return described | {"description": parameter.facts.for_models or parameter.facts.help}


def _value_schema(parameter: Parameter) -> dict[str, Any]:
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
