"""Exports of other programs, as small as they can be and as ugly as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quaid import operations
from quaid.app import App
from quaid.foreign.importers.importer import Draft, Importer, Part, Refusal
from quaid.operations.export import EXPORT
from quaid.operations.imports import IMPORT
from quaid.operations.memory import VALIDATE
from quaid.operations.operation import Operation
from quaid.operations.results import as_data


def run(app: App, chosen: Operation[Any, Any], **values: Any) -> Any:
    """Run an operation as a person does; the answer is data."""
    arguments = operations.decode(
        chosen.arguments,
        {name: str(v) if isinstance(v, Path) else v for name, v in values.items()},
        tool=False,
    )
    return as_data(operations.run(app, chosen, arguments))


def imported(app: App, path: Path, **values: Any) -> Any:
    return run(app, IMPORT, path=path, **values)


def exported(app: App, directory: Path, **values: Any) -> Any:
    return run(app, EXPORT, directory=directory, **values)


def compared(app: App, one: Path, other: Path) -> list[Any]:
    return list(run(app, VALIDATE, original=one, exported=other)["findings"])


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """A folder of files."""
    for path, data in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data.encode() if isinstance(data, str) else data)
    return root


def contents(root: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {
        each.relative_to(root).as_posix(): each.read_bytes() for each in root.rglob("*") if each.is_file()
    }


def drafts(kind: type[Importer], files: dict[str, str | bytes]) -> dict[str, Draft]:
    """The pages that an importer makes of files, by path."""
    coded = {path: data.encode() if isinstance(data, str) else data for path, data in files.items()}
    importer = kind(list(coded))
    found: list[tuple[Part, bytes]] = []
    for path, data in coded.items():
        if importer.ignores(path):
            continue
        if importer.splits(path):
            for piece in importer.pieces(path, data):
                if isinstance(piece, Part):
                    assert piece.data is not None
                    found.append((piece, piece.data))
        else:
            part = importer.part(path)
            if part:
                found.append((part, data))
    return {part.path: importer.draft(part, data) for part, data in found}


def refusals(importer: Importer, file: str, data: str) -> list[Refusal]:
    """What an importer says of the pieces that it does not take."""
    return [piece for piece in importer.pieces(file, data.encode()) if isinstance(piece, Refusal)]


# Claude ------------------------------------------------------------------------------------------


def claude_message(sender: str, text: str, time: str = "2024-01-15T10:20:30.123456Z", **more: Any) -> Any:
    return {
        "uuid": f"{sender}-{abs(hash(text))}",
        "text": text,
        "content": [{"type": "text", "text": text, "citations": []}],
        "sender": sender,
        "created_at": time,
        "attachments": [],
        "files": [],
        **more,
    }


def claude(*messages: Any, uuid: str = "c0ffee00-1111", name: str = "Planning a trip", **more: Any) -> Any:
    return {
        "uuid": uuid,
        "name": name,
        "created_at": "2024-01-15T10:20:30.123456Z",
        "updated_at": "2024-01-16T08:00:00.000000Z",
        "account": {"uuid": "me"},
        "chat_messages": list(messages),
        **more,
    }


# ChatGPT -----------------------------------------------------------------------------------------


def gpt_node(
    name: str,
    parent: str | None,
    role: str | None,
    text: str = "",
    children: tuple[str, ...] = (),
    **more: Any,
) -> dict[str, Any]:
    message = role and {
        "id": name,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1705314030.5,
        "content": {"content_type": "text", "parts": [text]},
        "recipient": "all",
        "metadata": {"model_slug": "gpt-4o"} if role == "assistant" else {},
        **more,
    }
    return {name: {"id": name, "message": message, "parent": parent, "children": list(children)}}


def chatgpt(*nodes: dict[str, Any], current: str | None, title: str | None = "Sorting", **more: Any) -> Any:
    mapping: dict[str, Any] = {}
    for node in nodes:
        mapping |= node
    return {
        "title": title,
        "create_time": 1705314030.5,
        "update_time": 1705314930.5,
        "mapping": mapping,
        "current_node": current,
        "conversation_id": "68a-1",
        **more,
    }


def as_json(*conversations: Any) -> str:
    return json.dumps(list(conversations), ensure_ascii=False)
