"""An address that is no operation: something is done with the memory, and the answer is JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from quaid.app import App
from quaid.errors import Forbidden, Internal, InvalidInput, QuaidError
from quaid.mcp.workers import Workers
from quaid.model.actor import Actor, Kind, acting
from quaid.model.grant import Right, Visit
from quaid.model.record import record
from quaid.operations.results import as_data
from quaid.web.responses import answer, failure, json_bytes
from quaid.web.rest import body, object_of

T = TypeVar("T")


@record
class Asked:
    """What a request says: in its address, and in its body."""

    method: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Mapping[str, Any]

    def value(self, name: str, kind: type[T], otherwise: T) -> T:
        """A value of the body."""
        found = self.body.get(name, otherwise)
        if not isinstance(found, kind):
            raise InvalidInput(f"{name} must be {kind.__name__}, not {type(found).__name__}")
        return found


def endpoint(
    workers: Workers, name: str, work: Callable[[App, Asked], Any], right: Right = "own"
) -> Callable[[Request], Awaitable[Response]]:
    """Answers requests of those who have a right, and may see the whole memory."""

    async def respond(request: Request) -> Response:
        try:
            visit: Visit = request.scope[Visit.KEY]
            visit.operation = name
            visit.grant.demand(right, name)
            if visit.grant.collections:
                raise Forbidden(f"`{name}` is about the whole memory, and this token about a part of it")
            sent = await body(request)
            values = object_of(sent) if sent else {}
            asked = Asked(request.method, request.path_params, request.query_params, values)

            def perform(app: App, notices: list[str]) -> Any:
                kind: Kind = "human" if visit.grant.covers("own") else "token"
                with acting(Actor(kind, visit.grant.name, session=name)):
                    return as_data(work(app, asked))

            data = await workers.run(perform, "read" if request.method in ("GET", "HEAD") else "write")
            return answer(json_bytes(data))
        except QuaidError as error:
            return failure(error)
        except ClientDisconnect:
            return Response(status_code=400)
        except Exception as error:  # surface: a defect is an answer too
            return failure(Internal(f"{type(error).__name__}: {error}"))

    return respond
