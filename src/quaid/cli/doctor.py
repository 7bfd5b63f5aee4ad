"""The command that looks at everything, and says what to do."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw

from quaid import __version__, operations, standby
from quaid.agents.setup.clients import Around
from quaid.agents.setup.overview import Found, found_clients
from quaid.app.service import Service, manager_of
from quaid.cli.kb import kb_app
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import FINDINGS_STATUS, NotFound, QuaidError
from quaid.model.check import Check, Grade
from quaid.operations import diagnosis
from quaid.operations.kb.health import Doctor
from quaid.operations.text import Style, count_of, shown
from quaid.trust import real

_GRADES: tuple[Grade, ...] = ("problem", "warning", "ok")


def doctor(session: Session, given: Given) -> int:
    """Look at everything, whatever is wrong with some of it."""
    checks = list(_checks(session))
    worst = next((grade for grade in _GRADES if any(each.grade == grade for each in checks)), "ok")
    data = {"state": worst, "checks": [dict(each.__dict__) for each in checks]}
    session.console.answer(data, _text(checks, session.console.style()))
    return FINDINGS_STATUS if worst == "problem" else 0


def _checks(session: Session) -> Iterator[Check]:
    versions = f"Python {platform.python_version()}, SQLite {apsw.sqlite_lib_version()}"
    yield Check("version", "ok", f"Quaid {__version__}, {versions}")
    memory = None
    try:
        memory = real(session.here / session.memory)
        app = session.open_memory(memory, mending=True)
    except NotFound as error:
        start = "quaid init makes one of your own, quaid init FOLDER one of the notes in a folder"
        yield Check("memory", "problem", error.message, start)
    except QuaidError as error:
        yield Check("memory", "problem", error.message, error.hint)
    else:
        yield from diagnosis.checks(app)
        app.store.close()
    for name, look in (
        ("permissions", lambda: diagnosis.permissions(session.home, memory)),
        ("disk", lambda: diagnosis.space(memory or session.home)),
        ("clients", lambda: _clients(session)),
        ("server", lambda: _server(session, memory)),
        ("standby", lambda: _standby(session)),
        ("kb", lambda: _kb(session)),
    ):
        yield from diagnosis.checks_of(name, look, memory or session.home)


def _clients(session: Session) -> Iterator[Check]:
    """The programs in which agents run: which are set up, and whether what they start is there."""
    around = Around(session.home, session.here, session.environment)
    here = [each for each in found_clients(around, "quaid") if each.found or each.set_up]
    set_up = [each for each in here if each.set_up]
    for each in here:
        if each.problem:
            yield Check("clients", "problem", f"{each.client.title}: {each.problem}", f"Correct {each.path}.")
    for each in set_up:
        yield from _client(each)
    for each in here:
        if not each.set_up and not each.problem:
            said = f"{each.client.title} is not set up: quaid setup {each.client.name}"
            yield Check("clients", "ok", said)


def _client(each: Found) -> Iterator[Check]:
    name, again = each.client.title, f"quaid setup {each.client.name}"
    program = each.words[0] if each.words else ""
    if not shutil.which(program):
        yield Check("clients", "problem", f"{name} starts {program}, which is not there", again)
        return
    memory = next((each.words[n + 1] for n, word in enumerate(each.words[:-1]) if word == "--db"), "")
    if memory and not os.path.exists(memory):
        yield Check("clients", "problem", f"{name} uses {memory}, which is not there", again)
        return
    hooks = ", with hooks" if each.hooks else ", without hooks" if each.client.events else ""
    yield Check("clients", "ok", f"{name} is set up{hooks}")


def _server(session: Session, memory: Path | None) -> Iterator[Check]:
    """A service that was installed for this memory."""
    if memory is None:
        return
    service = Service(manager_of(sys.platform, session.environment, session.home), memory, session.home)
    state = service.state()
    if state is None:
        return
    if state.running:
        yield Check("server", "ok", f"{service.name} runs: {state.detail}")
    else:
        said = f"{service.name} does not run: {state.error or state.detail}"
        yield Check("server", "problem", said, "quaid service status")


def _standby(session: Session) -> Iterator[Check]:
    """The process that answers questions sooner. It comes and goes by itself."""
    if standby.place() is None:
        return
    if session.environment.get(standby.SETTING) == "0":
        yield Check("standby", "ok", f"off: {standby.SETTING} is 0")
    else:
        stands = "a process stands by" if standby.is_there() else "none at the moment; a question starts it"
        yield Check("standby", "ok", stands)


def _kb(session: Session) -> Iterator[Check]:
    """What `ai-kb doctor` says, in a line."""
    app = kb_app(None, session.db, session.console, lambda: session)
    if not Path(app.place).is_dir():
        return
    answer = operations.operation("kb doctor").run(app, Doctor(offline=True))
    found = [Check(**each) for each in answer.data["checks"]]
    troubles = [each for grade in _GRADES[:2] for each in found if each.grade == grade]
    if not troubles:
        yield Check("kb", "ok", f"{app.place}: all is well")
        return
    first = troubles[0]
    more = f", and {len(troubles) - 1} more" if len(troubles) > 1 else ""
    yield Check("kb", first.grade, f"{first.name}: {first.message}{more}", "ai-kb doctor")


def _text(checks: Sequence[Check], style: Style) -> str:
    width = max(len(each.name) for each in checks) + 2
    lines = []
    for each in checks:
        grade = each.grade if each.grade == "ok" else style.warning(each.grade)
        hint = f" → {shown(each.hint)}" if each.hint and each.grade != "ok" else ""
        lines.append(f"{grade}{' ' * (9 - len(each.grade))}{each.name:{width}}{shown(each.message)}{hint}")
    counts = [
        count_of(sum(each.grade == grade for each in checks), grade)
        for grade in _GRADES[:2]
        if any(each.grade == grade for each in checks)
    ]
    return "\n".join([*lines, f"{', '.join(counts)}." if counts else "All is well."])
