"""Copying pages in: folders, and what other programs export."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Literal

from quaid.app import App
from quaid.errors import FINDINGS_STATUS, InvalidInput
from quaid.foreign.importers.registry import IMPORTERS, importer_for
from quaid.formats.slugs import slugify
from quaid.model.actor import acting, present_actor
from quaid.model.record import record, replace
from quaid.operations.fields import Nothing
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.paths import given_path
from quaid.operations.text import Style, columns, count_of, effects, file_notes, shown
from quaid.store import collections, imports
from quaid.store.imports import Batch
from quaid.transfer.imports import Import as Importing
from quaid.transfer.imports import Imported, Target
from quaid.transfer.sources import Source, open_source

Format = Literal["auto", "markdown", "obsidian", "notion", "logseq", "claude", "chatgpt", "jsonl"]


@record
class Import:
    path: str = arg("A folder, a .zip archive or a file.", positional=True, completes="file")
    format: Format = arg("What it is.", default="auto")
    collection: str | None = option(
        "The collection that takes the pages; made if it is not there.", completes="collection"
    )
    dry_run: bool = flag("Only say what would be done.")
    force: bool = flag("Overwrite pages that were changed here, too.")


def import_(app: App, args: Import) -> Imported:
    """Copy pages from a folder or from another program's export. All of them are there afterwards, or none.

    Imported again, files that have not changed change nothing, and others update their pages. A page that was
    also changed here is left as it is and named as a conflict; the exit status is then 11.
    """
    with closing(open_source(given_path(args.path))) as source:
        try:
            importer = IMPORTERS.get(args.format) or importer_for(source.files, source.folders, source.read)
        except OSError as error:
            raise InvalidInput(f"{source.name} cannot be read: {error.strerror}") from None
        writer = acting(replace(present_actor(), kind="import"))
        with writer, app.store.read() if args.dry_run else app.store.write() as connection:
            target = _target(app, args, source)
            run = Importing(connection, target, importer(source.files), source, app.now())
            return run.run(app.progress)


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
    did = effects({name: getattr(result, name) for name in ("created", "updated", "unchanged")})
    what = f"{count_of(result.pages, 'page')} ({result.importer})"
    lines = [f"{verb} {what} into {style.name(result.collection)}: {did or 'nothing'}"]
    if result.types:
        lines.append(f"  {effects(result.types)}")
    if result.other_files:
        kept = "would be kept" if result.dry_run else "kept"
        are = "it is" if result.other_files == 1 else "they are"
        lines.append(f"  {count_of(result.other_files, 'other file')} {kept} as {are}")
    lines += file_notes("conflict", result.conflicts, style)
    if result.conflicts:
        lines.append(
            "  Nothing was changed there. `--force` overwrites them; `quaid history` keeps the old text."
        )
    lines += file_notes("skipped", result.skipped, style) + file_notes("problem", result.problems, style)
    if result.import_id:
        lines.append(f"Import {style.name(result.import_id)}")
    return "\n".join(lines)


IMPORT = Operation(
    "import",
    import_,
    render=_imported_text,
    effect="write",
    for_owner=True,
    transaction="none",
    status=lambda result: FINDINGS_STATUS if result.conflicts else 0,
    brings_texts=True,
    examples=("import ~/notes --dry-run", "import chatgpt-export.zip", "import ~/graph --format logseq"),
)


@record
class Batches:
    """The imports that there were."""

    imports: tuple[Batch, ...]


def list_imports(app: App, args: Nothing) -> Batches:
    """List the imports that there were, the last one first."""
    return Batches(tuple(imports.batches(app.connection)))


def _batches_text(result: Batches, style: Style) -> str:
    rows = [
        (
            style.name(each.import_id),
            each.importer,
            count_of(each.pages, "page"),
            f"into {shown(each.collection)}",
            shown(each.source),
        )
        for each in result.imports
    ]
    return columns(rows) or "Nothing was imported."


IMPORTS = Operation("imports", list_imports, render=_batches_text)
