"""How a memory fares, looked at from all sides that take a moment: no model is loaded, nothing is fetched."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from quaid import operations
from quaid.app import App
from quaid.conversations.keyring import FILE as KEYS
from quaid.errors import QuaidError
from quaid.model.check import Check, Grade
from quaid.operations import conflicts, models, remote_status
from quaid.operations.collections import CollectionLine, Named, info, list_collections
from quaid.operations.fields import Nothing
from quaid.operations.memory import Validate
from quaid.operations.remote_status import Standing
from quaid.operations.text import count_of
from quaid.store import statistics
from quaid.store.failures import translation
from quaid.trust import CONFIG, DIRECTORY, KEY, LIST, stranger_among

LARGE = 100_000_000  # bytes: to check a larger file takes more than moments
_LITTLE_SPACE, _NO_SPACE = 500_000_000, 50_000_000  # bytes
_MOST = 3  # names in a line


def checks(app: App) -> Iterator[Check]:
    """Everything that belongs to a memory. What cannot be looked at is a problem, and the rest goes on."""
    looks: tuple[tuple[str, Callable[[App], Iterator[Check]]], ...] = (
        ("memory", _contents),
        ("soundness", _soundness),
        ("folders", _folders),
        ("model", _model),
        ("sync", _sync),
        ("conflicts", _conflicts),
    )
    for name, look in looks:
        yield from checks_of(name, lambda look=look: look(app), app.store.path)  # type: ignore[misc]


def checks_of(name: str, look: Callable[[], Iterator[Check]], memory: Path) -> Sequence[Check]:
    """What a look finds; what keeps it from looking is a problem by itself."""
    found: list[Check] = []
    try:
        with translation(memory):
            found.extend(look())
    except QuaidError as error:
        found.append(Check(name, "problem", error.message, error.hint or "quaid validate --all"))
    except Exception as error:  # surface: a damaged memory may answer anything, and the others are to be told
        said = f"it cannot be looked at: {type(error).__name__}: {error}"
        found.append(Check(name, "problem", said, "quaid validate --all"))
    return found


def _contents(app: App) -> Iterator[Check]:
    counts = statistics.counts(app.connection)
    size = app.store.path.stat().st_size
    yield Check(
        "memory", "ok", f"{app.store.path}: {count_of(counts['pages'], 'page')}, {size / 1e6:,.1f} MB"
    )


def _soundness(app: App) -> Iterator[Check]:
    """The checks of `validate` that are always made."""
    if app.store.path.stat().st_size > LARGE:
        yield Check("soundness", "ok", "not looked at, since the file is large: quaid validate --all")
        return
    report = operations.run(app, operations.operation("validate"), Validate())
    if not report.findings:
        yield Check("soundness", "ok", f"sound: {', '.join(report.checks)}")
    repairable = any(each.repairable for each in report.findings)
    for each in report.findings[:_MOST]:
        mending = "quaid validate --all --repair" if each.repairable else each.repair
        yield Check("soundness", "problem", each.message, mending)
    if len(report.findings) > _MOST:
        more = f"{count_of(len(report.findings) - _MOST, 'more finding')}"
        yield Check("soundness", "problem", more, f"quaid validate --all{' --repair' if repairable else ''}")


def _folders(app: App) -> Iterator[Check]:
    app.freshen()  # what is on the disk now counts
    for each in list_collections(app, Nothing()).collections:
        if not each.folder:
            continue
        trouble = list(_folder(app, each))
        yield from trouble or [
            Check("folders", "ok", f"{each.name}: {count_of(each.pages, 'page')} in {each.folder}")
        ]


def _folder(app: App, each: CollectionLine) -> Iterator[Check]:
    if each.state == "untrusted":
        yield Check("folders", "problem", f"{each.name}: {each.folder} is not trusted", each.alarm)
    elif each.alarm:
        again = f"quaid collection sync {each.name}"
        yield Check("folders", "problem", f"{each.name}: {each.state}: {each.alarm}", again)
    elif not os.path.isdir(each.folder):
        message = f"{each.name}: {each.folder} is not there"
        yield Check("folders", "problem", message, f"Mount it, or: quaid collection remove {each.name}")
    unread = info(app, Named(each.name)).problems
    if unread:
        said = f"{each.name}: {count_of(len(unread), 'file')} cannot be read: {_some(list(unread))}"
        yield Check("folders", "warning", said, f"quaid collection info {each.name}")


def _model(app: App) -> Iterator[Check]:
    status = models.model_status(app, Nothing())
    if not status.ready:
        message = f"{status.name} needs {status.problem}: questions are answered by words alone"
        yield Check("model", "warning", message, f"quaid model use {status.name}")
        return
    done = f"{status.name}: {status.embedded:,} of {count_of(status.texts, 'text')} embedded"
    waiting = status.progress
    if waiting is None or waiting.worker:
        yield Check("model", "ok", done)
    else:
        why = f", in the background: {waiting.problem or waiting.background}"
        yield Check("model", "warning" if waiting.problem else "ok", f"{done}{why}", "quaid embed")


def _sync(app: App) -> Iterator[Check]:
    found = remote_status.status(app, remote_status.Which())
    shared = [each for each in found.collections if each.shared]
    for each in found.collections:
        yield from _standing(each)
    if shared:
        how = "a timer exchanges" if found.timer else "`quaid sync` exchanges"
        yield Check(
            "sync", "ok", f"{how} {count_of(len(shared), 'folder')}: {_some([s.collection for s in shared])}"
        )


def _standing(each: Standing) -> Iterator[Check]:
    """What is wrong with how a folder is shared. One that nobody wants to share is not."""
    name = each.collection
    if each.folder and each.problem not in ("", remote_status.NOT_SHARED):
        grade: Grade = "problem" if each.shared else "warning"
        yield Check("sync", grade, f"{name}: {each.problem}", each.hint)
    if each.shared and each.sync_failure:
        yield Check("sync", "problem", f"{name}: {each.sync_failure}", f"quaid sync {name}")
    if each.conversations_problem:
        yield Check("sync", "problem", f"{name}: {each.conversations_problem}", each.conversations_hint)
    if each.shared and each.offline_since:
        yield Check("sync", "ok", f"{name}: offline since {each.offline_since}")


def _conflicts(app: App) -> Iterator[Check]:
    found = conflicts.list_conflicts(app, conflicts.Which())
    if found.conflicts:
        count = count_of(len(found.conflicts), "open conflict")
        said = f"{count}: {_some([each.path for each in found.conflicts])}"
        yield Check("conflicts", "warning", said, "quaid conflicts")
    if found.copies:
        count = count_of(len(found.copies), "copy of another program", "copies of other programs")
        said = f"{count}: {_some([each.path for each in found.copies])}"
        yield Check("conflicts", "warning", said, "quaid conflicts merge-copies")


def permissions(home: Path, memory: Path | None) -> Iterator[Check]:
    """Whether others can read or change what is the person's own."""
    if os.name == "nt":
        return
    own = home / DIRECTORY
    secret = [own / name for name in (KEY, KEYS, LIST)]
    beside = (
        [memory, memory.with_name(CONFIG), memory.with_name(f"{memory.name}.conversations")] if memory else []
    )
    found = [path for path in dict.fromkeys([own, *secret, *beside]) if path.exists()]
    trouble = False
    for path in found:
        mode = stat.S_IMODE(path.stat().st_mode)
        strange = stranger_among([path])
        open_to = "write" if mode & 0o022 else "read" if mode & 0o044 and path != own else ""
        if strange:
            trouble = True
            yield Check("permissions", "problem", f"{path} belongs to another user", f"chown $USER {path}")
        elif open_to:
            trouble = True
            grade: Grade = "problem" if open_to == "write" or path in secret else "warning"
            yield Check("permissions", grade, f"others can {open_to} {path}", f"chmod go-rwx {path}")
    if found and not trouble:
        yield Check("permissions", "ok", "what is yours can be read by you alone")


def space(memory: Path) -> Iterator[Check]:
    """Whether there is room for what a memory may need: a copy of itself."""
    free = shutil.disk_usage(memory.parent).free
    said = f"{free / 1e9:,.1f} GB free in {memory.parent}"
    grade: Grade = "problem" if free < _NO_SPACE else "ok"
    if grade == "ok" and free < max(_LITTLE_SPACE, 2 * memory.stat().st_size):
        grade = "warning"
    yield Check("disk", grade, said, "" if grade == "ok" else "Free some space.")


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {more} more" if more > 0 else "")
