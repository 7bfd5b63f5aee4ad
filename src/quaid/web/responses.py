"""Answers over HTTP: JSON as the command line prints it, and errors with their status."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response

from quaid.errors import Busy, QuaidError

SOON = "1"  # seconds after which a memory that is busy may be asked again
ALWAYS = {"cache-control": "private, no-cache", "x-content-type-options": "nosniff"}


def json_bytes(data: Any) -> bytes:
    """Data as JSON; half of a character pair that stands alone is escaped, as on the command line."""
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "backslashreplace")


def answer(body: bytes, headers: dict[str, str] | None = None) -> Response:
    """JSON that is spelled already."""
    return Response(body, 200, ALWAYS | (headers or {}), "application/json")


def failure(error: QuaidError, status: int | None = None, headers: dict[str, str] | None = None) -> Response:
    """An error, with the status of its class unless the protocol has one of its own for the case."""
    extra = {"retry-after": SOON} if isinstance(error, Busy) else {}
    return Response(
        json_bytes({"error": error.as_dict()}),
        status or error.http_status,
        ALWAYS | extra | (headers or {}),
        "application/json",
    )
