"""Changes as a stream of server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from quaid.errors import InvalidInput, QuaidError
from quaid.mcp.workers import Workers
from quaid.model.grant import Visit
from quaid.model.record import record
from quaid.operations.results import as_data
from quaid.web.feed import END, MOST, Change, Event, Feed, Gap, changes_after
from quaid.web.responses import failure

EVENTS = "/api/events"
BEAT = 15.0  # seconds after which something is sent, so that nobody on the way gives the connection up
LONGEST = 18  # digits of a number that SQLite takes
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no", "x-content-type-options": "nosniff"}


@record
class Wanted:
    """Of which pages somebody wants to hear, and what they have heard already."""

    visit: Visit
    collections: tuple[str, ...] = ()
    slug: str = ""  # how the slug begins
    last: int | None = None

    def includes(self, change: Change) -> bool:
        """Whether they want to hear of a change, and may."""
        allowed = self.visit.grant.collections
        return (
            change.page.startswith(self.slug)
            and (not self.collections or change.collection in self.collections)
            and (not allowed or change.collection in allowed)
        )


class Events:
    """Answers whoever wants to hear of changes."""

    def __init__(self, workers: Workers, feed: Feed) -> None:
        self._workers = workers
        self._feed = feed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response: Response
        request = Request(scope, receive)
        try:
            if request.method != "GET":
                response = failure(InvalidInput("events are asked for with GET"), 405, {"allow": "GET"})
            else:
                stream = self._stream(_wanted_events(request))
                response = StreamingResponse(stream, 200, HEADERS, "text/event-stream")
        except QuaidError as error:
            response = failure(error)
        await response(scope, receive, send)

    async def _stream(self, wanted: Wanted) -> AsyncIterator[bytes]:
        """What was missed, then what happens, until either side has had enough."""
        queue, number = await self._feed.join()
        try:
            async for part in self._missed_events(wanted, number):
                yield part
            yield _message_bytes("ready", {}, number)
            while wanted.visit.is_valid():
                try:
                    event = await asyncio.wait_for(queue.get(), BEAT)
                except TimeoutError:
                    yield b":\n\n"
                    continue
                if event is END or not wanted.visit.is_valid():
                    return
                if not isinstance(event, Change) or (event.number > number and wanted.includes(event)):
                    yield _event_bytes(event)
        finally:
            self._feed.leave(queue)

    async def _missed_events(self, wanted: Wanted, number: int) -> AsyncIterator[bytes]:
        """What was done since the last event that somebody has heard of, or that it was too much."""
        if wanted.last is None or wanted.last == number:
            return
        last = wanted.last
        found = await self._workers.run(lambda app, _: changes_after(app, last)) if last < number else []
        if len(found) == MOST or last > number:  # the memory may be another one
            yield _event_bytes(Gap())
            return
        for change in found:
            if change.number <= number and wanted.includes(change):
                yield _event_bytes(change)


def _wanted_events(request: Request) -> Wanted:
    visit: Visit = request.scope[Visit.KEY]
    visit.operation = "events"
    query = request.query_params
    unknown = [name for name in query if name not in ("collection", "slug")]
    if unknown:
        raise InvalidInput(f"unknown argument {unknown[0]!r}", hint="It takes: collection, slug.")
    last = request.headers.get("last-event-id", "").strip()
    if last and not (last.isdecimal() and len(last) <= LONGEST):
        raise InvalidInput("Last-Event-ID is the id of an event", hint="Leave it out to begin now.")
    return Wanted(
        visit=visit,
        collections=tuple(query.getlist("collection")),
        slug=query.get("slug", ""),
        last=int(last) if last else None,
    )


def _event_bytes(event: Event) -> bytes:
    if isinstance(event, Gap):
        return _message_bytes("gap", {})
    data = as_data(event)
    return _message_bytes("change", data, data.pop("number"))


def _message_bytes(kind: str, data: object, number: int | None = None) -> bytes:
    identity = f"id: {number}\n" if number is not None else ""
    return f"event: {kind}\n{identity}data: {json.dumps(data)}\n\n".encode()
