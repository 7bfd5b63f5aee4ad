"""Operations over HTTP: the address is `/api/` and an operation's name, with slashes for its spaces."""

from __future__ import annotations

import json
import secrets
from typing import Any
from urllib.parse import unquote, urlencode

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from quaid import operations
from quaid.app import App
from quaid.errors import Conflict, Internal, InvalidInput, NotFound, QuaidError
from quaid.mcp.workers import Workers, as_json, kind_of
from quaid.model import spelling
from quaid.model.actor import Actor, Kind, acting
from quaid.model.grant import Visit
from quaid.model.record import record
from quaid.operations.arguments import decode, parameters
from quaid.operations.confinement import run
from quaid.operations.operation import Operation
from quaid.operations.results import as_data
from quaid.web.responses import answer, failure, json_bytes

ROOT = "/api/"
LARGEST = 64 * 1024 * 1024  # bytes of a request: a page may be large
MOST_NOTICES = 4_000  # characters of a header
_RUN = secrets.token_hex(4)  # the session of whoever names none
VERSIONS = ("page_version", "expected_version")  # of an argument that is the version that was read


@record
class Call:
    """A request, before its arguments are read: that may take a while, and is no work for the loop."""

    operation: Operation[Any, Any]
    visit: Visit
    body: bytes
    query: tuple[tuple[str, str], ...]
    expected: str | None  # If-Match
    known: str | None  # If-None-Match
    session: str  # what the client calls its session


class Rest:
    """Answers requests for operations."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        try:
            response = await self._response(request)
        except QuaidError as error:
            response = failure(error)
        except ClientDisconnect:
            return
        except Exception as error:  # surface: a defect is an answer too
            response = failure(Internal(f"{type(error).__name__}: {error}"))
        await response(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        operation = operation_at(request.scope["path"].removeprefix(ROOT))
        allowed = methods(operation)
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"allow": ", ".join(allowed)})
        if request.method not in allowed:
            error = InvalidInput(
                f"{request.method} is not for `{operation.name}`", hint="It changes something: POST it."
            )
            return failure(error, 405, {"allow": ", ".join(allowed)})
        visit: Visit = request.scope[Visit.KEY]
        visit.operation = operation.name
        visit.grant.demand(operation.right, operation.name)
        call = Call(
            operation=operation,
            visit=visit,
            body=await body(request) if request.method == "POST" else b"",
            query=tuple(request.query_params.multi_items()),
            expected=request.headers.get("if-match"),
            known=request.headers.get("if-none-match"),
            session=unquote(request.headers.get("quaid-session", "")),
        )
        return await self._workers.run(
            lambda app, notices: respond(app, call, notices), kind=kind_of(operation)
        )


def operation_at(path: str) -> Operation[Any, Any]:
    """The operation at an address."""
    name = path.replace("/", " ")
    if name not in operations.NAMES:
        known = [each.replace(" ", "/") for each in operations.NAMES]
        otherwise = f"{ROOT}openapi.json lists them."
        raise NotFound(f"no operation at {ROOT}{path}", hint=spelling.hint(path, known, otherwise))
    return operations.operation(name)


def methods(operation: Operation[Any, Any]) -> tuple[str, ...]:
    """The methods by which an operation is called."""
    return (*(("GET", "HEAD") if operation.effect == "read" else ()), "POST", "OPTIONS")


async def body(request: Request) -> bytes:
    """What was sent, unless that is too much."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST:
            raise TooLarge(f"a request has at most {LARGEST:,} bytes", hint="Split it.")
        parts.append(part)
    return b"".join(parts)


class TooLarge(InvalidInput):
    """More than a request may have."""

    http_status = 413


def respond(app: App, call: Call, notices: list[str]) -> Response:
    """Run the operation."""
    operation = call.operation
    given = _values(call)
    values = _with_version(operation, given, call.expected)
    arguments = decode(operation.arguments, values, tool=True, demanding=False)
    try:
        with as_json(), acting(_actor(call)):
            data = as_data(run(app, operation, arguments, call.visit.grant.collections))
    except Conflict as error:
        if call.expected is None or "current_version" not in error.data:
            raise
        return failure(error, 412)
    headers = _remarks(notices) | _next(call, given, data)
    version = data.get("version") if isinstance(data, dict) else None
    if isinstance(version, int):
        headers["etag"] = f'"{version}"'
        if operation.effect == "read" and call.known and f'"{version}"' in call.known:
            return Response(status_code=304, headers=headers)
    return answer(json_bytes(data), headers)


def _actor(call: Call) -> Actor:
    """Who asks: whoever has the token, or the owner."""
    grant = call.visit.grant
    kind: Kind = "human" if grant.covers("own") else "token"
    return Actor(kind, grant.name, session=call.session or _RUN)


def _values(call: Call) -> dict[str, Any]:
    """The arguments that were sent: as JSON, or in the address."""
    if call.body:
        values = object_of(call.body)
        if call.query:
            raise InvalidInput("arguments are in the address and in the body", hint="Send them in one place.")
        return values
    found: dict[str, Any] = {}
    for name, value in call.query:
        found.setdefault(name, []).append(value)
    return {name: value if len(value) > 1 else value[0] for name, value in found.items()}


def object_of(body: bytes) -> dict[str, Any]:
    """The JSON object that was sent."""
    try:
        values = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"that is not JSON: {error}") from None
    if not isinstance(values, dict):
        raise InvalidInput("the arguments must be a JSON object")
    return values


def _with_version(
    operation: Operation[Any, Any], values: dict[str, Any], expected: str | None
) -> dict[str, Any]:
    """The arguments, with the version that If-Match names."""
    if expected is None or operation.effect == "read":
        return values
    name = next((each.name for each in parameters(operation.arguments) if each.name in VERSIONS), None)
    if name is None:
        raise InvalidInput(f"`{operation.name}` expects no version", hint="Leave out If-Match.")
    version = expected.strip().removeprefix("W/").strip('"')
    if not version.isdecimal():
        raise InvalidInput(
            "If-Match names one version", hint='Such as If-Match: "3", the ETag that was read.'
        )
    if str(values.get(name, version)) != version:
        raise InvalidInput(f"{name} and If-Match name different versions", hint="Give one of them.")
    return values | {name: int(version)}


def _remarks(notices: list[str]) -> dict[str, str]:
    """What a person would be told besides the answer."""
    told = notices[:]
    while told and len(json.dumps(told)) > MOST_NOTICES:
        told.pop()
    return {"quaid-notices": json.dumps(told)} if told else {}


def _next(call: Call, given: dict[str, Any], data: Any) -> dict[str, str]:
    """Where a list goes on."""
    known = {each.name for each in parameters(call.operation.arguments)}
    if call.body or not {"offset", "limit"} <= known or not (isinstance(data, dict) and data.get("more")):
        return {}
    count = sum(len(value) for value in data.values() if isinstance(value, list))
    query = [pair for pair in call.query if pair[0] != "offset"]
    query.append(("offset", str(int(given.get("offset", 0)) + count)))
    path = call.operation.name.replace(" ", "/")
    return {"link": f'<{ROOT}{path}?{urlencode(query)}>; rel="next"'}
