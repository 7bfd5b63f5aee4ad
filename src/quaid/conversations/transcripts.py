"""Where transcripts are: the places of known clients, and files that somebody names."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import apsw

from quaid.errors import InvalidInput, NotFound
from quaid.foreign.transcripts.detect import Client, client_of
from quaid.foreign.transcripts.opencode import Message
from quaid.model.record import record, replace

BEGINNING = 65_536  # bytes from which a client is told
_ROLLOUT = re.compile(r"rollout-.*?([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl(?:\.zst)?\Z")
_DECOMPRESSION_TIME = 600  # seconds


@record
class Source:
    """A transcript: the client that wrote it, its session, and its file.

    One of OpenCode has no file of its own: `session_id` names it in the folder or the database at `path`.
    One that somebody `named` is meant to be a transcript; others were found in a folder.
    """

    client: Client
    session: str
    path: Path
    parent: str = ""
    session_id: str = ""
    named: bool = False


def known_places(home: Path, environment: Mapping[str, str]) -> dict[Client, Path]:
    """Where each client keeps its transcripts."""
    data = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    return {
        "claude": Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects",
        "codex": Path(environment.get("CODEX_HOME") or home / ".codex"),
        "opencode": data / "opencode",
    }


def of_clients(places: Mapping[Client, Path], client: str | None = None) -> Iterator[Source]:
    """All transcripts at the places of clients, or at that of one."""
    for name, place in places.items():
        if client not in (None, name):
            continue
        if name == "claude":
            yield from (_claude(path) for path in sorted(place.glob("*/*.jsonl")))
            yield from (_claude(path) for path in sorted(place.glob("*/*/subagents/*.jsonl")))
        elif name == "codex":
            for folder in ("sessions", "archived_sessions"):
                yield from (_codex(path) for path in sorted((place / folder).rglob("rollout-*.jsonl*")))
        else:
            yield from _opencode(place)


def of_paths(paths: Sequence[str], client: str | None = None) -> Iterator[Source]:
    """The transcripts that somebody names: files, or all that are in folders."""
    for each in paths:
        path = Path(each).expanduser()
        if path.is_dir():
            if (path / "opencode.db").is_file() or (path / "storage" / "session").is_dir():
                yield from _opencode(path)
                continue
            for name in sorted(_files(path)):
                source = _source(name, client)
                if source:
                    yield source
        elif path.is_file():
            source = _source(path, client)
            if source is None:
                raise InvalidInput(
                    f"{path} is no transcript that Quaid reads",
                    hint="JSON lines (.jsonl, .jsonl.zst) and Markdown (.md) are read.",
                )
            yield replace(source, named=True)
        else:
            raise NotFound(f"there is nothing at {path}", hint="Name a transcript, or a folder of them.")


def _files(root: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(root):
        for name in names:
            if name.lower().endswith((".jsonl", ".ndjson", ".jsonl.zst", ".md", ".markdown")):
                yield Path(folder) / name


def _source(path: Path, client: str | None) -> Source | None:
    try:
        with open_bytes(path) as file:
            found = client_of(path.name, file.read(BEGINNING))
    except OSError:
        found = client_of(path.name, b"")  # reading it will tell what is wrong
    if found is None or client not in (None, found):
        return None
    if found == "claude":
        return _claude(path)
    if found == "codex":
        return _codex(path)
    return Source(
        found, str(path.resolve()).encode("utf-8", "surrogateescape").decode("utf-8", "replace"), path
    )


def _claude(path: Path) -> Source:
    parent = path.parent.parent.name if path.parent.name == "subagents" else ""
    return Source("claude", path.stem, path, parent)


def _codex(path: Path) -> Source:
    name = _ROLLOUT.match(path.name)
    return Source("codex", name.group(1) if name else path.name.partition(".jsonl")[0], path)


def open_bytes(path: Path) -> IO[bytes]:
    """A transcript's bytes; those of a compressed one are decompressed."""
    if path.exists() and not path.is_file():
        raise OSError("not a file")  # a pipe would be waited for, for ever
    if path.suffix != ".zst":
        return path.open("rb")
    return io.BytesIO(_plain_bytes(path))


def _plain_bytes(path: Path) -> bytes:
    """Python can do this from 3.14 on, others with the package `zstandard` or the program `zstd`."""
    for name in ("compression.zstd", "zstandard"):
        try:
            module = import_module(name)
        except ImportError:
            continue
        try:
            with module.open(path, "rb") as file:
                data: bytes = file.read()
        except module.ZstdError as error:
            raise OSError(f"zstd cannot read it: {error}") from None
        return data
    try:
        done = subprocess.run(
            ["zstd", "-dcq", "--", path], capture_output=True, timeout=_DECOMPRESSION_TIME, check=False
        )
    except (FileNotFoundError, subprocess.TimeoutExpired):
        raise OSError(
            "compressed with zstd, which is not here; install zstd, or Quaid with its extra `conversations`"
        ) from None
    if done.returncode:
        raise OSError(f"zstd cannot read it: {done.stderr.decode(errors='replace').strip()[:200]}")
    return done.stdout


def _opencode(place: Path) -> Iterator[Source]:
    """The sessions of OpenCode, from its database, and from the files of its earlier versions."""
    database = place / "opencode.db"
    known: dict[str, str] = {}
    if database.is_file():
        try:
            connection = _read_only(database)
            sql = "SELECT id, coalesce(parent_id, '') FROM session ORDER BY time_created, id"
            known = {str(identity): str(parent) for identity, parent in connection.execute(sql)}
            connection.close()
        except apsw.Error:
            known = {"": ""}  # reading it will tell what is wrong
    for identity, parent in known.items():
        yield Source("opencode", identity, database, parent, identity)
    for path in sorted(place.glob("storage/session/*/*.json")):
        if path.stem not in known:
            yield Source("opencode", path.stem, path, str(_json(path).get("parentID") or ""), path.stem)


@record
class Session:
    """A session of OpenCode with its messages, and a stamp that changes when it does."""

    info: dict[str, Any]
    messages: list[Message]
    stamp: str


def opencode_stamp(source: Source) -> str:
    """What changes when a session does."""
    if source.path.suffix == ".db":
        connection = _read_only(source.path)
        try:
            sql = "SELECT count(*), max(time_updated) FROM part WHERE session_id = ?"
            return json.dumps(connection.execute(sql, (source.session_id,)).fetchall())
        finally:
            connection.close()
    storage = source.path.parent.parent.parent
    folder = storage / "message" / source.session_id
    parts = [storage / "part" / each.stem for each in folder.glob("*.json")]
    times = [each.stat().st_mtime_ns for each in (source.path, folder, *parts) if each.exists()]
    return json.dumps([len(parts), max(times, default=0)])


def opencode_session(source: Source) -> Session:
    """A session of OpenCode, read."""
    stamp = opencode_stamp(source)
    if source.path.suffix == ".db":
        info, messages = _from_database(source)
    else:
        info, messages = _from_files(source)
    return Session(info, messages, stamp)


def _from_database(source: Source) -> tuple[dict[str, Any], list[Message]]:
    connection = _read_only(source.path)
    try:
        info: dict[str, Any] = {}
        sql = "SELECT id, directory, title, parent_id FROM session WHERE id = ?"
        for identity, directory, title, parent in connection.execute(sql, (source.session_id,)):
            info = {"id": identity, "directory": directory, "title": title, "parentID": parent}
        parts: dict[str, list[dict[str, Any]]] = {}
        sql = "SELECT message_id, data FROM part WHERE session_id = ? ORDER BY time_created, id"
        for message, data in connection.execute(sql, (source.session_id,)):
            parts.setdefault(str(message), []).append(_object(data))
        sql = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id"
        found = connection.execute(sql, (source.session_id,)).fetchall()
        return info, [({"id": each, **_object(data)}, parts.get(str(each), [])) for each, data in found]
    finally:
        connection.close()


def _from_files(source: Source) -> tuple[dict[str, Any], list[Message]]:
    storage = source.path.parent.parent.parent
    messages: list[Message] = []
    for path in sorted((storage / "message" / source.session_id).glob("*.json")):
        parts = sorted((storage / "part" / path.stem).glob("*.json"))
        messages.append(({"id": path.stem, **_json(path)}, [_json(part) for part in parts]))
    return {"id": source.session_id, **_json(source.path)}, messages


def _read_only(database: Path) -> apsw.Connection:
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(2000)
    return connection


def _json(path: Path) -> dict[str, Any]:
    try:
        return _object(path.read_bytes())
    except OSError:
        return {}


def _object(data: Any) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
