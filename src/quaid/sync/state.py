"""What is remembered of the remote between commands: the last push, the last failure, a divergence.

It stands in a file of the person's state directory, not in the repository: it is about this machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from quaid.files import exclusively, make_private_directory, replace_file
from quaid.model.record import record
from quaid.sync.repository import Repository

SILENCE = 300.0  # seconds for which a remote that did not answer is not asked again by `remember`


@record
class Remembered:
    """What the state file says. Times are UTC; "" stands for never."""

    pushed_at: str = ""
    push_failed_at: str = ""
    push_failure: str = ""
    diverged_at: str = ""
    fetched_at: str = ""
    fetch_failed_at: str = ""
    fetch_failure: str = ""
    curation_due: str = ""  # since when
    timer: str = ""
    synced_at: str = ""  # the last round of `quaid sync` that went well
    sync_failed_at: str = ""  # the last that did not, if none has gone well since
    sync_failure: str = ""
    offline_since: str = ""
    remote_head: str = ""  # the commit of the remote that a round has last seen and has here


def state_path(repository: Repository) -> Path:
    """The state file of a repository."""
    place = repository.state_place
    return place.with_name(f"{place.name}.json")


def recall(repository: Repository) -> Remembered:
    """What is remembered; a file that is missing or damaged remembers nothing."""
    try:
        stored = json.loads(state_path(repository).read_bytes())
    except (OSError, ValueError):
        return Remembered()
    return _sound(stored) if isinstance(stored, dict) else Remembered()


def _sound(stored: Mapping[str, Any]) -> Remembered:
    kinds = {key: type(value) for key, value in Remembered().__dict__.items()}
    return Remembered(**{key: stored[key] for key in kinds if isinstance(stored.get(key), kinds[key])})


def note(repository: Repository, **facts: str) -> Remembered:
    """Remember some facts besides the others. Where nothing can be written, nothing is lost but the note."""
    path = state_path(repository)
    with suppress(OSError):
        make_private_directory(path.parent)
        with path.with_suffix(".lock").open("ab") as file, exclusively(file):
            known = Remembered(**{**recall(repository).__dict__, **facts})
            replace_file(path, json.dumps(known.__dict__, indent=1).encode() + b"\n")
            return known
    return Remembered(**{**recall(repository).__dict__, **facts})


def now() -> str:
    """This moment, as it is stored."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds_since(moment: str) -> float:
    """How long ago a stored moment was; endless if there was none."""
    try:
        then = datetime.strptime(moment, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return float("inf")
    return (datetime.now(UTC) - then).total_seconds()
