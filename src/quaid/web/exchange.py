"""One request and its answer on the wire."""

from __future__ import annotations

import asyncio

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send


class Exchange:
    """What a client sends, in time, or it counts as gone; and what it is answered."""

    def __init__(self, receive: Receive, send: Send, patience: float) -> None:
        self._receive = receive
        self._send = send
        self._patience = patience
        self._ends: float | None = None
        self._is_whole = False
        self.is_late = False
        self.status = 0  # of the answer, once it has begun

    async def receive(self) -> Message:
        """The next part. After the last, whoever asks waits for the client to go, however long that takes."""
        if self._is_whole:
            return await self._receive()
        now = asyncio.get_running_loop().time()
        self._ends = self._ends or now + self._patience
        try:
            message = await asyncio.wait_for(self._receive(), self._ends - now)
        except TimeoutError:
            self.is_late = True
            return {"type": "http.disconnect"}
        self._is_whole = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """A part of the answer; what is said about a request that was cut off is no answer to it."""
        if self.is_late and not self.status:
            return
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)

    async def answer(self, response: Response, scope: Scope) -> None:
        """Answer from here, whatever was to be said."""
        self.status = response.status_code
        await response(scope, self._receive, self._send)
