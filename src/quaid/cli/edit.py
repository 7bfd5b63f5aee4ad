"""The commands that hand a page to another program: to an editor, or to what the system opens files with."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from quaid import operations
from quaid.app import App
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import Conflict, InvalidInput, NotFound, QuaidError, ReadOnly
from quaid.formats.encoding import decode
from quaid.model.page import PageInfo
from quaid.operations.put import PUT, Put, written_text
from quaid.store import deeds, pages
from quaid.vault.collection import Written
from quaid.vault.folder import real

EDITORS = ("sensible-editor", "nano", "vi")  # where no variable names one
SUFFIXES = {"markdown": ".md", "org": ".org"}


def edit(session: Session, given: Given) -> int:
    """Open a page in the editor, and take in what was saved."""
    app = session.app
    app.freshen([given.values["page"]])
    page = app.page(given.values["page"])
    row = app.collection_row(page.collection)
    if app.collection(page.collection).is_read_only:
        raise ReadOnly(f"{page.collection} is read-only", hint="`quaid open` shows the page's file.")
    editor = editor_of(session.environment)
    # A page behind a gate is written through it: the file itself would stay uncommitted.
    if page.path is None or row.profile == "kb":
        written = _edited_copy(app, page, editor)
    else:
        written = _edited_file(session, app, page, editor)
    data = {"slug": written.slug, "version": written.version, "changed": written.changed}
    return session.console.answer(data, written_text(written, session.console.style()))


def editor_of(environment: Mapping[str, str]) -> list[str]:
    """The words that start the person's editor."""
    chosen = environment.get("VISUAL") or environment.get("EDITOR") or ""
    try:
        words = shlex.split(chosen)
    except ValueError:
        raise InvalidInput(f"{chosen!r} is no command", hint="Correct VISUAL or EDITOR.") from None
    words = words or [name for name in EDITORS if shutil.which(name)][:1]
    if not words or not shutil.which(words[0]):
        raise NotFound(
            f"there is no editor {words[0]!r}" if words else "no editor is known",
            hint="Name one: export EDITOR=nano.",
        )
    return words


def _edited_file(session: Session, app: App, page: PageInfo, editor: list[str]) -> Written:
    """The page after its own file was edited; who else wrote to it meanwhile is said."""
    path = file_of(app, page)
    _run(editor, path)
    app.freshen([f"{page.collection}::{page.slug}"])
    after = pages.load(app.connection, page.id)
    done = deeds.of_page(app.connection, page.id)
    for each in (each for each in done if each.version > page.version and each.by.kind != "edit"):
        session.console.notify(
            f"While you edited, {each.by.label} wrote version {each.version} of {page.slug}. "
            f"`quaid diff {page.slug} --from {each.version}` shows what your file has instead."
        )
    changed = after.info.version != page.version
    return Written(after.info.slug, after.info.version, changed=changed, problems=after.problems)


def _edited_copy(app: App, page: PageInfo, editor: list[str]) -> Written:
    """The page after a copy of it was edited and written back; on any failure the copy is kept."""
    known = pages.load(app.connection, page.id)
    place = Path(tempfile.mkdtemp(prefix="quaid-edit-"))
    copy = place / (page.slug.rpartition("/")[2] + SUFFIXES[page.format])
    copy.write_bytes(known.text.encode())
    try:
        _run(editor, copy)
        text, _ = decode(copy.read_bytes())
        if text == known.text:
            written = Written(page.slug, page.version, changed=False)
        else:
            wanted = Put(f"{page.collection}::{page.slug}", content=text, expected_version=page.version)
            written = operations.run(app, PUT, wanted)
    except (QuaidError, OSError) as error:
        if not copy.exists() or decode(copy.read_bytes())[0] == known.text:
            shutil.rmtree(place)
            raise
        raise _failure_with_copy(error, page, copy) from None
    shutil.rmtree(place)
    return written


def _failure_with_copy(error: QuaidError | OSError, page: PageInfo, copy: Path) -> QuaidError:
    """A failure, told with where the person's text is."""
    where = f"Your text is kept in {copy}."
    if isinstance(error, Conflict):
        now = error.data.get("current_version")
        return Conflict(
            f"{page.slug} was changed while you edited it: it is at version {now}, you began with "
            f"{page.version}",
            hint=f"{where} Merge the two, then: quaid put {page.slug} {copy} --expected-version {now}.",
            **error.data,
        )
    if isinstance(error, QuaidError):
        return type(error)(error.message, hint=f"{error.hint} {where}".strip(), **error.data)
    return InvalidInput(f"{copy} cannot be read: {error.strerror}", hint=where)


def _run(editor: list[str], path: Path) -> None:
    """Let the person edit; an editor that fails has not done what was asked."""
    status = subprocess.run([*editor, str(path)], check=False).returncode
    if status:
        raise InvalidInput(f"{editor[0]} ended with status {status}", hint="EDITOR names another editor.")


def open_page(session: Session, given: Given) -> int:
    """Open a page's file with what the system uses for it; print where it is."""
    app = session.app
    app.freshen([given.values["page"]])
    page = app.page(given.values["page"])
    if page.path is None:
        raise NotFound(
            f"{page.slug} is no file: it lives in the memory",
            hint=f"`quaid edit {page.slug}` opens a copy; `quaid dashboard` shows it in a browser.",
        )
    path = file_of(app, page)
    opener = _opener(session.environment)
    opened = bool(opener) and sys.stdout.isatty() and not session.console.as_json
    if opened:
        with open(os.devnull, "r+b") as nothing:
            subprocess.Popen(
                [opener, str(path)], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
            )
    return session.console.answer({"slug": page.slug, "path": str(path)}, str(path))


def file_of(app: App, page: PageInfo) -> Path:
    """Where a page's file is."""
    return real(app.root_of(app.collection_row(page.collection)), page.path or "")


def _opener(environment: Mapping[str, str]) -> str:
    """The program that opens a file with what is meant for it; empty where nobody would see it."""
    if sys.platform == "darwin":
        return shutil.which("open") or ""
    seen = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    return (shutil.which("xdg-open") or "") if seen else ""
