"""Pages that live in the memory, moved into a folder."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import Conflict, InvalidInput, StorageFailed
from quaid.model.record import record
from quaid.operations.collections import refuse_overlap
from quaid.operations.fields import ONE_COLLECTION
from quaid.operations.operation import Operation, arg
from quaid.operations.paths import given_path
from quaid.operations.text import count_of, shown
from quaid.store import digest
from quaid.vault.attachments import record_all
from quaid.vault.relocation import adopt_files, files_of, refuse_others, write_files


@record
class Move:
    name: str = ONE_COLLECTION
    folder: str = arg(
        "The folder in which its pages are to be files: a new one, or an empty one.", positional=True
    )


@record
class Moved:
    """A collection whose pages are files now."""

    name: str
    folder: str
    pages: int
    digest: str


def move(app: App, args: Move) -> Moved:
    """Turn pages that live in the memory into files of a folder.

    They can be edited and shared then. Tags, links, facts, raw data, versions and history go along; the
    digest stays the same. Killed on the way, the pages still live in the memory: run it again.
    """
    row = app.collection_row(args.name)
    if row.kind == "files":
        raise InvalidInput(
            f"the pages of {row.name!r} are files already, in {app.stated_root(row)}",
            hint=f"Move the folder, `quaid collection remove {row.name}`, and add it again.",
        )
    root = given_path(args.folder)
    if root.exists() and not root.is_dir():
        raise InvalidInput(f"{root} is a file", hint="Name a folder.")
    refuse_overlap(app, root)
    app.territory.annex(root)
    with app.store.write() as connection:  # nobody changes a page while its file is written
        before = digest.of_collection(connection, row.id)
        files = files_of(connection, row)
        refuse_others(root, files)
        try:
            write_files(root, files)
        except OSError as error:
            raise StorageFailed(
                f"{root} cannot be written: {error.strerror}", hint="The pages still live in the memory."
            ) from error
        adopt_files(connection, row, root.resolve(), files, app.now)
        after = digest.of_collection(connection, row.id)
        if before != after:
            raise Conflict(
                f"{row.name!r} would not be the same in {root}",
                hint="`quaid validate` says what is wrong with its pages. They still live in the memory.",
            )
        record_all(connection, app.store.path)
    return Moved(row.name, str(root), len(files), after or "")


COLLECTION_MOVE = Operation(
    "collection move",
    move,
    render=lambda done, style: (
        f"{count_of(done.pages, 'page')} of {style.name(done.name)} moved into {shown(done.folder)}"
    ),
    effect="write",
    for_owner=True,
    idempotent=False,
    transaction="own",
    examples=("collection move default ~/notes",),
)
