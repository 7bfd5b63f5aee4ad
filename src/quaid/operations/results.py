"""Results as data for programs, and values as JSON has them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Set
from typing import Any

from quaid.model.record import fields_of


def as_data(result: Any) -> Any:
    """A result as JSON types; records become objects, fields that are None are left out.

    One that has an `as_data` of its own says itself what it is for programs.
    """
    own = getattr(result, "as_data", None)
    if own is not None:
        return as_data(own())
    if known := fields_of(result):
        fields = ((field.name, getattr(result, field.name)) for field in known)
        return {name.rstrip("_"): as_data(value) for name, value in fields if value is not None}
    if isinstance(result, (list, tuple)):
        return [as_data(item) for item in result]
    if isinstance(result, dict):
        return {key: as_data(value) for key, value in result.items()}
    return result


def plain(value: Any) -> Any:
    """A value as JSON has it: days and paths as text, whatever holds several as a list."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, Set)):
        return [plain(each) for each in value]
    return value
