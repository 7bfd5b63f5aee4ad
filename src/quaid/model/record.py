"""Frozen records: what `dataclass(frozen=True)` gives, without its price at start-up.

dataclasses loads `inspect` and compiles six functions for each class, which takes a third of the time that a
whole command may take. Type checkers treat these records as dataclasses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
MISSING: Any = object()
_give = object.__setattr__  # a whole dictionary at once: quicker than to fill the one that is there


class Field:
    """A field's name, its default (or MISSING) and what was said about it with `field`."""

    __slots__ = ("default", "name", "note")

    def __init__(self, name: str, default: Any, note: Any) -> None:
        self.name = name
        self.default = default
        self.note = note


def field(*, default: Any = MISSING, note: Any = None) -> Any:
    """A field with a note for whoever looks at the class."""
    return Field("", default, note)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Make a class of annotated fields a frozen record: __init__, equality, hash and repr by its fields."""
    fields = {known.name: known for known in getattr(cls, "__fields__", ())}
    for name in cls.__annotations__ if "__annotations__" in cls.__dict__ else ():
        stated = cls.__dict__.get(name, MISSING)
        if isinstance(stated, Field):
            fields[name] = Field(name, stated.default, stated.note)
            delattr(cls, name)
        else:
            fields[name] = Field(name, stated, None)
    methods: dict[str, Callable[..., Any]] = {
        "__init__": _init,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__eq__": _equal,
        "__hash__": _hash,
        "__repr__": _repr,
    }
    for name, method in methods.items():
        setattr(cls, name, method)
    cls.__fields__ = tuple(fields.values())  # type: ignore[attr-defined]
    cls.__names__ = tuple(fields)  # type: ignore[attr-defined]
    cls.__name_set__ = frozenset(fields)  # type: ignore[attr-defined]
    cls.__initial__ = {known.name: known.default for known in fields.values()}  # type: ignore[attr-defined]
    needed = [place for place, known in enumerate(fields.values()) if known.default is MISSING]
    cls.__needed__ = needed[-1] + 1 if needed else 0  # type: ignore[attr-defined]
    cls.__checks__ = hasattr(cls, "__post_init__")  # type: ignore[attr-defined]
    return cls


def fields_of(cls: Any) -> tuple[Field, ...]:
    """The fields of a record, in order; none for anything else."""
    found: tuple[Field, ...] = getattr(cls, "__fields__", ())
    return found


def fill(cls: type[T], source: Any, /, **values: Any) -> T:
    """A record with these values, and with what another has under the same names.

    A field that neither has keeps its default; without one, the record is refused as ever.
    """
    same = (known.name for known in fields_of(cls) if known.name not in values)
    return cls(**{name: getattr(source, name) for name in same if hasattr(source, name)}, **values)


def replace(source: T, /, **values: Any) -> T:
    """A record with other values of some fields."""
    return type(source)(**(_values_of(source) | values))


def _init(self: Any, *values: Any, **named: Any) -> None:
    cls = type(self)
    names = cls.__names__
    # Most are made with all their values, in order or by name, and these are the quickest ways.
    if not named and len(values) == len(names):
        _give(self, "__dict__", dict(zip(names, values)))  # noqa: B905 - as many as each other
    elif not values and tuple(named) == names:
        _give(self, "__dict__", named)
    else:
        count = len(values)
        if count > len(names) or (
            named and not (named.keys() <= cls.__name_set__ and named.keys().isdisjoint(names[:count]))
        ):
            raise _no_place(cls, values, named)
        state = cls.__initial__.copy()  # first, so that fields are in their order
        state.update(zip(names, values))  # noqa: B905 - the others have their defaults
        state.update(named)
        for name in names[count : cls.__needed__]:
            if state[name] is MISSING:
                raise TypeError(f"{cls.__name__} needs {name!r}")
        _give(self, "__dict__", state)
    if cls.__checks__:
        self.__post_init__()


def _no_place(cls: Any, values: tuple[Any, ...], named: dict[str, Any]) -> TypeError:
    """Why a record does not take these values."""
    names = cls.__names__
    if len(values) > len(names):
        return TypeError(f"{cls.__name__} has {len(names)} fields, {len(values)} values were given")
    odd = next(name for name in named if name not in names[len(values) :])
    return TypeError(f"{cls.__name__} does not take {odd!r} here")


def _refuse(self: Any, name: str, value: Any = None) -> None:
    raise AttributeError(f"{type(self).__name__} is frozen; {name!r} cannot change")


def _values_of(self: Any) -> dict[str, Any]:
    """The fields alone: a `cached_property` keeps what it has found beside them."""
    names, held = type(self).__names__, self.__dict__
    return held if len(held) == len(names) else {name: held[name] for name in names}


def _equal(self: Any, other: Any) -> bool:
    return type(self) is type(other) and bool(_values_of(self) == _values_of(other))


def _hash(self: Any) -> int:
    return hash((type(self), *_values_of(self).values()))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={value!r}" for name, value in _values_of(self).items())
    return f"{type(self).__name__}({shown})"
