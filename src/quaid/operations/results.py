"""Results as data for programs."""

from __future__ import annotations

import dataclasses
from typing import Any


def as_data(result: Any) -> Any:
    """A result as JSON types; dataclasses become objects, fields that are None are left out."""
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        fields = ((field.name, getattr(result, field.name)) for field in dataclasses.fields(result))
        return {name.rstrip("_"): as_data(value) for name, value in fields if value is not None}
    if isinstance(result, (list, tuple)):
        return [as_data(item) for item in result]
    if isinstance(result, dict):
        return {key: as_data(value) for key, value in result.items()}
    return result
