"""Values of arguments: what callers write for them, and what the memory accepts.

A number may come as text, a flag as a word, a list as one value or as words with commas: programs and models
write them so, and nothing else can be meant.
"""

from __future__ import annotations

from typing import Any

from quaid.errors import InvalidInput
from quaid.operations.operation import Kind, Parameter

MAX_NUMBER = 2**53  # of versions, ids and limits: what every JSON reader keeps exact
MAX_FLOAT = 1.7e308
MAX_DEPTH = 100

_NAMES: dict[Kind, str] = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "any": "any JSON value",
}
_TYPES: dict[Kind, Any] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}
_FLAGS = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


def value_of(parameter: Parameter, written: Any, *, typed: bool) -> Any:
    """The value that was written for a parameter, if it takes it; what is typed, and is no word, is JSON."""
    if parameter.kind == "array":
        items = _items(parameter, written)
        value: Any = [_read(parameter.item, parameter, each, typed=typed, as_json=False) for each in items]
    else:
        if isinstance(written, list) and len(written) == 1 and parameter.kind not in ("any", "object"):
            written = written[0]
        value = _read(parameter.kind, parameter, written, typed=typed, as_json=typed)
    _check(parameter, value)
    return value


def _items(parameter: Parameter, value: Any) -> list[Any]:
    """A list, from a list, from JSON, from words with commas between them, or from one value."""
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("[") or (parameter.item in ("object", "any") and text.startswith("{")):
            value = _from_json(text, value)
        elif parameter.item in ("string", "integer", "number"):
            value = [each.strip() for each in text.split(",") if each.strip()]
        else:
            raise InvalidInput(f"{parameter.name} must be a list as JSON, not {brief(value)}")
    return value if isinstance(value, list) else [value]


def _read(kind: Kind, parameter: Parameter, value: Any, *, typed: bool, as_json: bool) -> Any:
    if kind == "string":
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            value = brief(value)
        return _choice(parameter.choices, value) if parameter.choices else value
    if kind == "boolean" and isinstance(value, (str, int)) and not isinstance(value, bool):
        return _FLAGS.get(str(value).strip().lower(), value)
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str):
        return value
    if kind in ("integer", "number"):
        try:
            return int(value) if kind == "integer" or value.strip().lstrip("+-").isdecimal() else float(value)
        except ValueError:
            raise InvalidInput(_unfit(kind, parameter, value, typed=typed)) from None
    if as_json or (kind == "object" and value.lstrip().startswith("{")):
        found = _from_json(value, None)
        if found is None and value.strip() != "null":
            raise InvalidInput(_unfit(kind, parameter, value, typed=typed, form=" as JSON"))
        return found
    return value


def _unfit(kind: Kind, parameter: Parameter, value: Any, *, typed: bool, form: str = "") -> str:
    label = parameter.flag if typed else parameter.name
    return f"{label} must be {_NAMES[kind]}{form}, not {brief(value)}"


def _choice(choices: tuple[str, ...], value: Any) -> Any:
    """The choice that is meant: capitals and the signs between words do not count."""
    if value in choices or not isinstance(value, str):
        return value
    folded = {_folded(each): each for each in choices}
    return folded.get(_folded(value), value)


def _folded(text: str) -> str:
    return text.strip().casefold().replace("-", "_").replace(" ", "_")


def _from_json(text: str, otherwise: Any) -> Any:
    import json  # words and numbers do without

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return otherwise


def _check(parameter: Parameter, value: Any) -> None:
    """Refuse a value that the parameter does not take."""
    _check_sound(parameter.name, value)
    if not _fits(parameter.kind, value):
        raise InvalidInput(f"{parameter.name} must be {_NAMES[parameter.kind]}, not {brief(value)}")
    for each in value if parameter.kind == "array" else [value]:
        if parameter.choices and each not in parameter.choices:
            choices = ", ".join(parameter.choices)
            raise InvalidInput(f"{parameter.name} must be one of {choices}, not {brief(each)}")
    if parameter.kind == "integer" and abs(value) > MAX_NUMBER:
        raise InvalidInput(f"{parameter.name} is too large")
    least = parameter.facts.least
    if least is not None and value < least:
        raise InvalidInput(f"{parameter.name} must be at least {least}, not {brief(value)}")
    for item in value if parameter.kind == "array" else ():
        if not _fits(parameter.item, item):
            fit = _NAMES[parameter.item]
            raise InvalidInput(f"{parameter.name}: each item must be {fit}, not {brief(item)}")


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
    return isinstance(value, _TYPES[kind])


def brief(value: Any) -> str:
    """A value as a message shows it."""
    import json  # what is right is not shown

    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:59] + "…"
