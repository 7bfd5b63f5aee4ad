"""What is remembered of the remote between commands: the last push, the last failure, a divergence.

It stands in a file of the person's state directory, not in the repository: it is about this machine.
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from quaid.files import exclusively, make_private_directory, replace_file
from quaid.model.record import fields_of, record
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
    synced_at: str = ""  # the last round of `quaid sync` that went well
    sync_failed_at: str = ""  # the last that did not, if none has gone well since
    sync_failure: str = ""
    offline_since: str = ""
    remote_head: str = ""  # the commit of the remote that a round has last seen and has here


def _place(repository: Repository) -> Path:
    place = repository.state_place
    return place.with_name(f"{place.name}.json")


def recall(repository: Repository) -> Remembered:
    """What is remembered; a file that is missing or damaged remembers nothing."""
    try:
        stored = json.loads(_place(repository).read_bytes())
        named = (known.name for known in fields_of(Remembered))
        return Remembered(**{name: stored[name] for name in named if isinstance(stored.get(name), str)})
    except (OSError, ValueError, AttributeError):
        return Remembered()


def note(repository: Repository, **facts: str) -> None:
    """Remember some facts besides the others. Where nothing can be written, nothing is lost but the note."""
    path = _place(repository)
    with suppress(OSError):
        make_private_directory(path.parent)
        with path.with_suffix(".lock").open("ab") as file, exclusively(file):
            known = {**recall(repository).__dict__, **facts}
            replace_file(path, json.dumps(known, indent=1).encode() + b"\n")


def note_divergence(repository: Repository) -> None:
    """Remember that the branch has diverged, and since when."""
    note(repository, diverged_at=recall(repository).diverged_at or now())


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
