"""The daily log: what happened, with the time."""

from __future__ import annotations

from quaid.app import App
from quaid.formats import secrets
from quaid.model.record import record
from quaid.notebook import daily
from quaid.operations.fields import NOTEBOOK
from quaid.operations.notebook import open_notebook
from quaid.operations.operation import Operation, arg
from quaid.operations.text import shown

MASKED = f"; what looked like a secret is masked (a line with `{secrets.ALLOWED[0]}` is not)"


@record
class DailyLog:
    entry: str = arg("What happened; the first line becomes the heading.", positional=True, rest=True)
    notebook: str | None = NOTEBOOK


@record
class Logged:
    """Where an entry of the log stands."""

    success: bool
    message: str
    path: str
    heading: str
    line: int
    etag: str
    notebook: str


def daily_log(app: App, args: DailyLog) -> Logged:
    """Add an entry to today's log, with the time. Nothing that is there changes."""
    # A log tells what happened and is masked as conversations are; what is remembered is meant to be kept.
    said = daily.checked(secrets.masked(args.entry))
    moment = app.days.local(app.now())
    path = daily.path_of(moment)
    notebook = open_notebook(app, args.notebook)
    written = notebook.write(path, lambda text: daily.with_entry(text, moment, said))
    title = daily.heading_of(moment, said)
    line = written.text.count("\n", 0, written.text.rfind(f"## {title}")) + 1
    return Logged(
        success=True,
        message=f"logged in {path}: {title}" + (MASKED if said != daily.checked(args.entry) else ""),
        path=path,
        heading=title,
        line=line,
        etag=written.etag,
        notebook=notebook.name,
    )


DAILY_LOG = Operation(
    "daily-log",
    daily_log,
    render=lambda result, style: shown(result.message),
    effect="write",
    idempotent=False,
    transaction="own",
    examples=('daily-log "Called Sarah about the project"',),
    brief="Add an entry to today's log.",
    told=("entry",),
    unneeded=("notebook",),
)
