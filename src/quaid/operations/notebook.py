"""The files of a notebook: reading, writing and listing them, and taking older ones over."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import InvalidInput
from quaid.formats.markdown import sections
from quaid.model.record import fill, record
from quaid.notebook import migration, places
from quaid.notebook.core_files import is_orders
from quaid.notebook.edits import Kept, Notebook
from quaid.notebook.migration import Step
from quaid.operations.fields import NOTEBOOK
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.paths import given_path
from quaid.operations.text import Style, columns, count_of, shown
from quaid.store import config, file_state, pages
from quaid.store.filters import PageFilter

MAX_CONTENT = 1024 * 1024  # characters of one write
MAX_READ = 256 * 1024  # characters of one answer
MOST_LISTED = 10_000


def open_notebook(app: App, name: str | None) -> Notebook:
    """A notebook, for reading and writing; the default one if none is named."""
    row = places.notebook_row(app.connection, app.settings, name or None)
    return Notebook(app.store, app.file_collection(row))


@record
class NotebookRead:
    path: str = arg("The file, such as reference/contacts.md.", positional=True)
    start_line: int = arg("The first line to read.", default=1, least=1)
    lines: int | None = option("How many lines to read; otherwise all.", least=1)
    notebook: str | None = NOTEBOOK


@record
class NoteText:
    """A file of a notebook, or some of its lines."""

    path: str
    content: str
    etag: str
    start_line: int
    lines: int
    total_lines: int
    notebook: str


def read(app: App, args: NotebookRead) -> NoteText:
    """Read a file of the notebook, or some of its lines, as they are on disk.

    The etag tells this version from later ones; a write that replaces something needs it.
    """
    notebook = open_notebook(app, args.notebook)
    note = notebook.read(args.path)
    whole = note.text.splitlines(keepends=True)
    first = args.start_line - 1
    if first and first >= len(whole):
        raise InvalidInput(f"{note.path} has {count_of(len(whole), 'line')}", hint="Read from a line above.")
    taken = whole[first : first + args.lines if args.lines else None]
    content = "".join(taken)
    if len(content) > MAX_READ:
        raise InvalidInput(
            f"{len(content):,} characters are too much for one answer",
            hint="Read it in parts, with start_line and lines.",
        )
    return fill(
        NoteText,
        note,
        content=content,
        start_line=args.start_line,
        lines=len(taken),
        total_lines=len(whole),
        notebook=notebook.name,
    )


NOTEBOOK_READ = Operation(
    "notebook read",
    read,
    render=lambda result, style: result.content,
    verbatim=True,
    looks="nothing",
    examples=(
        "notebook read reference/contacts.md",
        "notebook read lists/todos.md --start-line 5 --lines 10",
    ),
    brief="Read a notebook file.",
    told=("path: such as reference/contacts.md", "start_line", "lines"),
    unneeded=("notebook",),
)


@record
class NotebookWrite:
    path: str = arg("The file, such as lists/shopping.md; made if it is not there.", positional=True)
    content: str = arg("The Markdown to write.", positional=True)
    section: str | None = option("The H2 section that is meant, such as Groceries; made if missing.")
    replace: bool = flag("Replace the section, or the whole file without one, instead of adding.")
    etag: str | None = option(
        "With replace: the etag that was read; empty for a file that is not there yet.", for_tools="replace"
    )
    notebook: str | None = NOTEBOOK


@record
class NoteWritten:
    """What a write did."""

    success: bool
    message: str
    path: str
    etag: str
    created: bool
    changed: bool
    notebook: str
    section: str | None = None
    line: int | None = None


def write(app: App, args: NotebookWrite) -> NoteWritten:
    """Add to a file of the notebook, or replace one of its sections or all of it.

    An addition is made to what the file holds at that moment. What replaces something is refused if the
    file has changed since its etag was read. Only the section that is named changes.
    """
    if len(args.content) > MAX_CONTENT:
        raise InvalidInput(f"more than {MAX_CONTENT:,} characters at once", hint="Write it in parts.")
    if not args.content.strip() and not (args.replace and args.section):
        raise InvalidInput("there is nothing to write", hint="Give the text; `quaid rm` removes a page.")
    notebook = open_notebook(app, args.notebook)
    written = notebook.write(args.path, lambda text: _changed(text, args), args.etag)
    section = sections.find(written.text, args.section) if args.section else None
    title = section.title if section else None
    return fill(
        NoteWritten,
        written,
        success=True,
        message=_message(args, written, title),
        notebook=notebook.name,
        section=title,
        line=section.line if section else None,
    )


def _changed(text: str, args: NotebookWrite) -> str:
    """The file's new text."""
    if args.section is None:
        if not args.replace:
            return sections.appended_to_end(text, args.content)
        return args.content if args.content.endswith("\n") else args.content + "\n"
    section = sections.find(text, args.section)
    if section is None:
        return sections.added(text, args.section, args.content)
    edit = sections.replaced if args.replace else sections.appended
    return edit(text, section, args.content)


def _message(args: NotebookWrite, written: Kept, section: str | None) -> str:
    where = f"{written.path}, section {section}" if section else written.path
    if written.created:
        return f"made {where}"
    if not written.changed:
        return f"{where} says that already"
    waits = "; new orders bind nobody until the person approves them" if is_orders(written.path) else ""
    return f"{'replaced' if args.replace else 'added to'} {where}{waits}"


NOTEBOOK_WRITE = Operation(
    "notebook write",
    write,
    render=lambda result, style: f"{shown(result.message)}  {style.dim(f'[etag {result.etag}]')}",
    effect="write",
    idempotent=False,
    transaction="own",
    examples=(
        'notebook write lists/shopping.md "- Oat milk"',
        'notebook write lists/shopping.md "- Bread" --section Groceries --replace',
    ),
    brief="Add to a notebook file or H2 section, or replace it. Prefer remember.",
    told=("path", "content", "section: H2", "replace", "etag: from notebook_read; with replace"),
    unneeded=("notebook",),
)


@record
class NotebookList:
    folder: str | None = option("Only this folder, such as lists.", positional=True)
    limit: int = arg("How many files of each folder to show, the newest logs first.", default=50, least=1)
    notebook: str | None = NOTEBOOK


@record
class NoteLine:
    """A file in a list."""

    path: str
    title: str
    bytes: int
    updated_at: str


@record
class FolderOfNotes:
    """A folder of a notebook."""

    folder: str
    files: int
    notes: tuple[NoteLine, ...]


@record
class NotebookFiles:
    """The files of a notebook."""

    notebook: str
    root: str
    folders: tuple[FolderOfNotes, ...]


def list_files(app: App, args: NotebookList) -> NotebookFiles:
    """List the files of the notebook by folder."""
    row = places.notebook_row(app.connection, app.settings, args.notebook or None)
    sizes = file_state.known_files(app.connection, row.id)
    by_folder: dict[str, list[NoteLine]] = {}
    for page in pages.listing(app.connection, PageFilter(collection=row.name), "slug", MOST_LISTED, 0):
        path = page.path or ""
        size = sizes[path].size if path in sizes else 0
        folder = path.rpartition("/")[0]
        by_folder.setdefault(folder, []).append(NoteLine(path, page.title, size, page.updated_at))
    wanted = args.folder.strip().strip("/") if args.folder else None
    named = [*places.FOLDERS, *sorted(by_folder.keys() - set(places.FOLDERS))]
    folders = [
        FolderOfNotes(name, len(notes), tuple(_first(name, notes, args.limit)))
        for name in named
        if (notes := by_folder.get(name))
        and (wanted is None or name == wanted or name.startswith(f"{wanted}/"))
    ]
    if wanted and not folders:
        known = ", ".join(name or "(top)" for name in named if by_folder.get(name))
        raise InvalidInput(f"{args.folder!r} has no files", hint=f"There are: {known or 'none'}.")
    return NotebookFiles(row.name, str(app.root_of(row)), tuple(folders))


def _first(name: str, notes: list[NoteLine], limit: int) -> list[NoteLine]:
    return sorted(notes, key=lambda note: note.path, reverse=name == "daily")[:limit]


def _list_text(result: NotebookFiles, style: Style) -> str:
    lines = [f"{style.bold(result.notebook)}  {style.dim(shown(result.root))}"]
    for each in result.folders:
        left = each.files - len(each.notes)
        lines.append(f"{style.bold((each.folder or '.') + '/')}  {count_of(each.files, 'file')}")
        rows = [(f"  {style.name(shown(note.path))}", shown(note.title)) for note in each.notes]
        lines.append(columns(rows))
        lines += [style.dim(f"  and {left:,} more")] if left else []
    return "\n".join(lines if result.folders else [*lines, "no files yet"])


NOTEBOOK_LIST = Operation(
    "notebook list",
    list_files,
    render=_list_text,
    examples=("notebook list", "notebook list daily --limit 7"),
    brief="List notebook files.",
    told=(),
    unneeded=("notebook",),
)


@record
class Migrate:
    directory: str = arg("The older folder of an agent.", positional=True)
    apply: bool = flag("Copy the files; otherwise only say what would be done.")
    notebook: str | None = NOTEBOOK


@record
class Migration:
    """What goes where."""

    directory: str
    notebook: str
    applied: bool
    copied: int
    conflicts: int
    steps: tuple[Step, ...]


def migrate(app: App, args: Migrate) -> Migration:
    """Copy the notes of an agent's older folder into the notebook, and take over its settings.

    Without `apply`, nothing is written. Nothing is ever deleted or replaced; what is there already with
    another text is a conflict, and is left to you.
    """
    root = given_path(args.directory).resolve()
    notebook = open_notebook(app, args.notebook)
    steps = migration.plan(root, notebook)
    settings, values = migration.settings_plan(root, app.settings)
    if args.apply:
        migration.apply(root, notebook, steps)
        with app.store.write() as connection:
            for key, value in values.items():
                config.put(connection, key, str(value).lower() if isinstance(value, bool) else str(value))
    steps += settings
    copied = sum(step.what == "copy" for step in steps)
    conflicts = sum(step.what == "conflict" for step in steps)
    return Migration(str(root), notebook.name, args.apply, copied, conflicts, steps)


def _migration_text(result: Migration, style: Style) -> str:
    rows = []
    for step in result.steps:
        what = "copied" if result.applied and step.what == "copy" else step.what
        arrow = f"→ {step.target}" if step.target else ""
        reason = style.dim(f"({shown(step.reason)})") if step.reason else ""
        rows.append((style.warning(what) if what == "conflict" else what, shown(step.source), arrow, reason))
    done = f"{count_of(result.copied, 'file')} {'copied' if result.applied else 'to copy'}"
    settings = sum(step.what == "set" for step in result.steps)
    more = f", {count_of(settings, 'setting')} {'set' if result.applied else 'to set'}" if settings else ""
    more += f", {count_of(result.conflicts, 'conflict')}" if result.conflicts else ""
    hint = "" if result.applied or not (result.copied or settings) else "; --apply does it"
    return f"{columns(rows)}\n{done}{more}{hint}"


NOTEBOOK_MIGRATE = Operation(
    "notebook migrate",
    migrate,
    render=_migration_text,
    effect="write",
    for_owner=True,
    transaction="own",
    examples=("notebook migrate ~/.my_agent", "notebook migrate ~/.my_agent --apply"),
)
