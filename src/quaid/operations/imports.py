"""Copying pages in: folders, and what other programs export."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any, Literal

from quaid.app import App
from quaid.errors import FINDINGS_STATUS, InvalidInput
from quaid.foreign.importers.importer import Importer
from quaid.foreign.importers.registry import IMPORTERS, recognised
from quaid.formats.slugs import slugify
from quaid.model.record import record
from quaid.operations.operation import Operation, arg
from quaid.operations.paths import given_path
from quaid.operations.text import Style, columns, counted, shown
from quaid.store import collections, imports
from quaid.store.imports import Batch
from quaid.transfer.imports import Import as Importing
from quaid.transfer.imports import Imported, Note, Target
from quaid.transfer.sources import Source, open_source

SHOWN = 10
Format = Literal["auto", "markdown", "obsidian", "notion", "logseq", "claude", "chatgpt", "jsonl"]


@record
class Import:
    """Arguments of `import`."""

    path: str = arg("A folder, a .zip archive or a file.", positional=True, completes="file")
    format: Format = arg("What it is.", default="auto")
    collection: str | None = arg(
        "The collection that takes the pages; made if it is not there.", default=None, completes="collection"
    )
    dry_run: bool = arg("Only say what would be done.", default=False)
    force: bool = arg("Overwrite pages that were changed here, too.", default=False)


def import_(app: App, args: Import) -> Imported:
    """Copy pages from a folder or from another program's export. All of them are there afterwards, or none.

    Imported again, files that have not changed change nothing, and others update their pages. A page that was
    also changed here is left as it is and named as a conflict; the exit status is then 11.
    """
    with closing(open_source(given_path(args.path))) as source:
        chosen = IMPORTERS.get(args.format) or _recognised(source)
        return _imported(app, args, source, chosen)


def _imported(app: App, args: Import, source: Source, chosen: type[Importer]) -> Imported:
    with _transaction(app, args.dry_run) as connection:
        target = _target(app, args, source)
        run = Importing(connection, target, chosen(source.files), source, app.now())
        return run.run(app.progress)


def _transaction(app: App, dry_run: bool) -> AbstractContextManager[Any]:
    return app.store.read() if dry_run else app.store.write()


def _recognised(source: Source) -> type[Importer]:
    try:
        return recognised(source.files, source.folders, source.read)
    except OSError as error:
        raise InvalidInput(f"{source.name} cannot be read: {error.strerror}") from None


def _target(app: App, args: Import, source: Source) -> Target:
    """The native collection that is named, or the default one, or a new one named after the source."""
    default = collections.default(app.connection)
    after_source = slugify(Path(source.name).stem).replace("/", "-")
    name = args.collection or (default.name if default.kind == "native" else after_source)
    row = collections.by_name(app.connection, name)
    if row and row.kind != "native":
        raise InvalidInput(
            f"the pages of the collection {name!r} are files of their own",
            hint="Copy the files into its folder, or name another collection with --collection.",
        )
    if row is None and args.dry_run:
        return Target(None, 0, name, args.force, args.dry_run)
    collection = app.collection(name) if row else app.new_collection(name)
    row = row or collections.by_name(app.connection, name)
    return Target(collection, row.id if row else 0, name, args.force, args.dry_run)


def _imported_text(result: Imported, style: Style) -> str:
    verb = "Would import" if result.dry_run else "Imported"
    parts = [f"{getattr(result, name):,} {name}" for name in ("created", "updated", "unchanged")]
    told = ", ".join(part for part in parts if not part.startswith("0 ")) or "nothing"
    what = f"{counted(result.pages, 'page')} ({result.importer})"
    lines = [f"{verb} {what} into {style.name(result.collection)}: {told}"]
    if result.types:
        lines.append("  " + ", ".join(f"{count:,} {shown(name)}" for name, count in result.types.items()))
    if result.other_files:
        kept = "would be kept" if result.dry_run else "kept"
        lines.append(f"  {counted(result.other_files, 'other file')} {kept} as {_are(result.other_files)}")
    lines += _notes("conflict", result.conflicts, style)
    if result.conflicts:
        lines.append(
            "  Nothing was changed there. `--force` overwrites them; `quaid history` keeps the old text."
        )
    lines += _notes("skipped", result.skipped, style) + _notes("problem", result.problems, style)
    if result.import_id:
        lines.append(f"Import {style.name(result.import_id)}")
    return "\n".join(lines)


def _are(count: int) -> str:
    return "it is" if count == 1 else "they are"


def _notes(label: str, notes: tuple[Note, ...], style: Style) -> list[str]:
    lines = [f"  {style.warning(label)}: {shown(each.path)}: {shown(each.reason)}" for each in notes[:SHOWN]]
    if len(notes) > SHOWN:
        lines.append(f"  … and {len(notes) - SHOWN:,} more; `--json` shows all")
    return lines


IMPORT = Operation(
    "import",
    Import,
    import_,
    render=_imported_text,
    effect="write",
    transaction="none",
    status=lambda result: FINDINGS_STATUS if result.conflicts else 0,
    examples=("import ~/notes --dry-run", "import chatgpt-export.zip", "import ~/graph --format logseq"),
)


@record
class Imports:
    """Arguments of `imports`: none."""


@record
class Batches:
    """The imports that there were."""

    imports: tuple[Batch, ...]


def list_imports(app: App, args: Imports) -> Batches:
    """List the imports that there were, the last one first."""
    return Batches(tuple(imports.batches(app.connection)))


def _batches_text(result: Batches, style: Style) -> str:
    rows = [
        (
            style.name(each.import_id),
            each.importer,
            counted(each.pages, "page"),
            f"into {shown(each.collection)}",
            shown(each.source),
        )
        for each in result.imports
    ]
    return columns(rows) or "Nothing was imported."


IMPORTS = Operation("imports", Imports, list_imports, render=_batches_text)
