"""Copying pages out: as files, as JSON Lines, or the files of an import as they were."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import FINDINGS_STATUS, InvalidInput, NotFound
from quaid.model.record import record
from quaid.operations.operation import Operation, arg, flag, option
from quaid.operations.paths import given_path
from quaid.operations.text import Style, count_of, file_notes
from quaid.store import collections
from quaid.transfer import export as exporting
from quaid.transfer.export import Exported


@record
class Export:
    directory: str = arg(
        "A new or empty directory.", default="export", positional=True, for_tools=True, completes="file"
    )
    collection: str | None = option(
        "Only these collections, with commas between them.", completes="collection"
    )
    raw: bool = flag("The files of an import as they were, not the pages as they are.")
    import_id: str | None = option("The import that `--raw` is about; `quaid imports` lists them.")
    jsonl: bool = flag("One file of JSON Lines for each collection.")
    force: bool = flag("Write into a directory that is not empty.")


def export(app: App, args: Export) -> Exported:
    """Write all pages to files from which they can be imported again without loss.

    Each page is written to the byte as it is stored, with its raw data in `.raw/` beside it. Several
    collections have a folder each. With `--raw`, the files of one import are written as they were then.
    """
    if args.raw and not args.import_id:
        raise InvalidInput(
            "--raw needs --import-id",
            hint="`quaid imports` lists the imports. Without --raw, the pages are written as they are now.",
        )
    if args.import_id and not args.raw:
        raise InvalidInput("--import-id is for --raw", hint="Add --raw, or leave it out.")
    with app.store.read() as connection:
        chosen = _collections(app, args.collection)
        into = exporting.open_folder(given_path(args.directory), args.force)
        if args.import_id:
            return exporting.export_batch(connection, into, args.import_id, app.progress)
        if args.jsonl:
            return exporting.export_lines(connection, into, chosen, app.progress)
        return exporting.export_pages(connection, into, chosen, app.progress)


def _collections(app: App, named: str | None) -> list[str]:
    known = collections.names(app.connection)
    if not named:
        return known
    chosen = list(dict.fromkeys(name.strip() for name in named.split(",") if name.strip()))
    for name in chosen:
        if name not in known:
            raise NotFound(f"no collection {name!r}", hint=f"There are: {', '.join(known)}.")
    return chosen


def _exported_text(result: Exported, style: Style) -> str:
    size = f"{count_of(result.files, 'file')}, {result.bytes / 1e6:,.1f} MB"
    lines = [f"Exported {count_of(result.pages, 'page')} to {result.directory}: {size}"]
    for label in ("renamed", "alike", "skipped"):
        lines += file_notes(label, getattr(result, label), style)
    return "\n".join(lines)


EXPORT = Operation(
    "export",
    export,
    render=_exported_text,
    effect="write",
    for_owner=True,
    transaction="none",
    status=lambda result: FINDINGS_STATUS if result.skipped else 0,
    examples=("export", "export backup", "export lines --jsonl", "export before --raw --import-id ID"),
)
