"""The commands that carry calls of programs."""

from __future__ import annotations

import json
import sys
from typing import Any

from quaid import operations
from quaid.cli.console import read_json
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import Internal, InvalidInput, QuaidError
from quaid.operations.results import as_data


def call(session: Session, given: Given) -> int:
    """Call a tool as a program does."""
    values = read_json(given.values.get("arguments") or "{}")
    if not isinstance(values, dict):
        raise InvalidInput("the arguments must be a JSON object")
    result = operations.call(session.app, given.values["tool"], values)
    session.console.show_data(as_data(result))
    return operations.tool(given.values["tool"]).status(result)


def pipe(session: Session, given: Given) -> int:
    """Answer calls, one JSON object a line, until the input ends."""
    app = session.app
    for line in filter(bytes.strip, sys.stdin.buffer):
        identity: Any = None
        answer: dict[str, Any]
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise InvalidInput("a line must be an object with `tool` and `args`")
            identity = request.get("id")
            answer = {"result": as_data(operations.call(app, *_request(request)))}
        except QuaidError as error:
            answer = {"error": error.as_dict()}
        except (ValueError, RecursionError) as error:
            answer = {"error": InvalidInput(f"that is not JSON: {error}").as_dict()}
        except Exception as error:  # surface: one bad line must not end the stream
            answer = {"error": Internal(f"{type(error).__name__}: {error}").as_dict()}
        sys.stdout.write(json.dumps({"id": identity} | answer, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    return 0


def _request(request: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    name, values = request.get("tool"), request.get("args", {})
    if not isinstance(name, str) or not isinstance(values, dict):
        raise InvalidInput("a line must have a `tool` and an object of `args`")
    return name, values
