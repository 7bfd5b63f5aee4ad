"""A model that follows a script, behind the two interfaces that agents speak: Messages and Responses.

It asks for the scripted tools one after the other, by whatever name the agent gave them, and then says that
it is done. Everything that an agent sends is kept, so that a test can tell what a model would have seen.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DONE = "The script is finished."
NAME = "scripted-model"


@dataclass(frozen=True)
class Call:
    """A tool that the model asks for: its name without the agent's prefix, and its arguments."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Offer:
    """A tool as the agent offered it to the model."""

    name: str
    namespace: str
    description: str
    schema: dict[str, Any]

    @property
    def bare(self) -> str:
        """The name that the server gave it."""
        return bare(self.name)


@dataclass
class Model:
    """What was asked of the model, and what it is going to ask for."""

    script: Sequence[Call]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    @property
    def talks(self) -> list[dict[str, Any]]:
        """The requests of the conversation itself: agents also ask for titles and the like."""
        return [request for request in self.requests if offers(request)]

    @property
    def offered(self) -> list[Offer]:
        """The memory's tools, as the last request of the conversation offered them."""
        return [offer for offer in offers(self.talks[-1]) if offer.bare.startswith("memory_")]

    @property
    def results(self) -> list[str]:
        """What came back from the memory's tools, as text that the model reads."""
        return results(self.talks[-1])

    @property
    def told(self) -> str:
        """All of the last request of the conversation, to look for what must be somewhere in it."""
        return json.dumps(self.talks[-1], ensure_ascii=False)

    def next_call(self, request: dict[str, Any]) -> tuple[Offer, dict[str, Any]] | None:
        """The tool to ask for now; None after the end of the script and beside the conversation."""
        known = offers(request)
        done = len(results(request))
        if not known or done >= len(self.script):
            return None
        wanted = self.script[done]
        for offer in known:
            if offer.bare == wanted.tool:
                return offer, wanted.arguments
        return self.search(request, wanted.tool)

    def search(self, request: dict[str, Any], tool: str) -> tuple[Offer, dict[str, Any]] | None:
        """Ask for a tool's schema, where an agent gives names only and a tool to look up the rest."""
        finder = next((offer for offer in offers(request) if offer.name == "ToolSearch"), None)
        sent = json.dumps(request)
        name = re.search(rf"mcp__\w+__{tool}\b", sent)
        if finder is None or name is None or f"select:{name.group()}" in sent:
            return None
        return finder, {"query": f"select:{name.group()}", "max_results": 5}


def bare(name: str) -> str:
    """A tool's name without what an agent puts before it."""
    return name[name.index("memory_") :] if "memory_" in name else name


def offers(request: dict[str, Any]) -> list[Offer]:
    """The tools of a request: flat in one interface, perhaps in namespaces in the other."""
    found = []
    for tool in request.get("tools") or []:
        if tool.get("type") == "namespace":
            found += [offer(inner, tool["name"]) for inner in tool.get("tools", [])]
        elif "name" in tool:
            found.append(offer(tool, ""))
    return found


def offer(tool: dict[str, Any], namespace: str) -> Offer:
    """A tool of a request."""
    schema = tool.get("input_schema") or tool.get("parameters") or {}
    return Offer(tool["name"], namespace, tool.get("description", ""), schema)


def results(request: dict[str, Any]) -> list[str]:
    """What a request says that the memory's tools have answered, in order."""
    calls, found = {}, []
    for message in request.get("messages") or []:
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block.get("type") == "tool_use":
                calls[block["id"]] = block["name"]
            elif block.get("type") == "tool_result":
                found.append((block["tool_use_id"], block.get("content")))
    for item in request.get("input") or []:
        if item.get("type") == "function_call":
            calls[item["call_id"]] = item["name"]
        elif item.get("type") == "function_call_output":
            found.append((item["call_id"], item.get("output")))
    return [plain(content) for call, content in found if bare(calls.get(call, "")).startswith("memory_")]


def plain(content: Any) -> str:
    """Text blocks or a string, as text."""
    if isinstance(content, list):
        return "\n".join(block.get("text", "") for block in content)
    return str(content)


def messages_events(model: Model, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An answer of the Messages interface, as a stream."""
    usage = {"input_tokens": 10, "output_tokens": 10}
    number = len(model.requests)
    head = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": NAME, "content": []}
    yield {
        "type": "message_start",
        "message": {**head, "stop_reason": None, "stop_sequence": None, "usage": usage},
    }
    chosen = model.next_call(request)
    if chosen:
        called, arguments = chosen
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": called.name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
    else:
        block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": DONE}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    reason = "tool_use" if chosen else "end_turn"
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": reason, "stop_sequence": None},
        "usage": {"output_tokens": 10},
    }
    yield {"type": "message_stop"}


def responses_events(model: Model, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An answer of the Responses interface, as a stream."""
    number = len(model.requests)
    response = {"id": f"resp_{number}", "object": "response", "model": NAME, "status": "in_progress"}
    yield {"type": "response.created", "response": {**response, "output": []}}
    chosen = model.next_call(request)
    item: dict[str, Any]
    if chosen:
        called, arguments = chosen
        item = {
            "type": "function_call",
            "id": f"fc_{number}",
            "call_id": f"call_{number}",
            "name": called.name,
            "arguments": json.dumps(arguments),
            "status": "completed",
        }
        if called.namespace:
            item["namespace"] = called.namespace
    else:
        text = {"type": "output_text", "text": DONE, "annotations": []}
        item = {
            "type": "message",
            "id": f"m_{number}",
            "role": "assistant",
            "status": "completed",
            "content": [text],
        }
    yield {"type": "response.output_item.added", "output_index": 0, "item": item}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    usage = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}
    done = {**response, "status": "completed", "output": [item], "usage": usage}
    yield {"type": "response.completed", "response": done}


class Handler(BaseHTTPRequestHandler):
    """Answers for the model."""

    protocol_version = "HTTP/1.1"
    model: Model

    def do_GET(self) -> None:
        self.model.paths.append(f"GET {self.path}")
        self.answer({"object": "list", "data": [{"id": NAME, "object": "model"}], "models": []})

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        self.model.paths.append(f"POST {self.path}")
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self.answer({"input_tokens": len(body) // 4})
        elif path.endswith("/messages"):
            self.stream(messages_events, json.loads(body))
        elif path.endswith("/responses"):
            self.stream(responses_events, json.loads(body))
        else:
            self.answer({})

    def stream(self, events: Any, request: dict[str, Any]) -> None:
        self.model.requests.append(request)
        lines = [
            f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events(self.model, request)
        ]
        self.send("".join(lines).encode(), "text/event-stream")

    def answer(self, data: dict[str, Any]) -> None:
        self.send(json.dumps(data).encode(), "application/json")

    def send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what was asked is kept by the model."""


@contextmanager
def serving(script: Sequence[Call]) -> Iterator[Model]:
    """A model that listens on this machine while the block runs."""
    model = Model(script)
    handler = type("ScriptedHandler", (Handler,), {"model": model})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    model.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
