"""Bringing collections into step with their files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from quaid.app import App
from quaid.conversations.indexer import Indexer
from quaid.errors import FINDINGS_STATUS, Corrupt
from quaid.model.record import fill, record
from quaid.notebook.places import PROFILE as NOTEBOOK
from quaid.operations.fields import EVERY_COLLECTION, Nothing
from quaid.operations.operation import Operation, flag, option
from quaid.operations.text import MOST_NOTES, Style, columns, count_of, effects, left_out, numbers, shown
from quaid.store import audit, collections, digest
from quaid.store.collections import CollectionRow
from quaid.store.failures import translation
from quaid.store.remake import is_whole, remake
from quaid.vault import soundness
from quaid.vault.folder import Skipped
from quaid.vault.sync import PageProblem


@record
class Synced:
    """A collection after a sync, and what it did."""

    collection: str
    profile: str = ""
    pages: int = 0
    other_files: int = 0
    effects: dict[str, int] | None = None
    types: dict[str, int] | None = None
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[PageProblem, ...] = ()
    failed: int = 0
    links: int = 0
    dangling: int = 0
    ambiguous: int = 0
    ignore: tuple[str, ...] = ()


def sync_collection(
    app: App, row: CollectionRow, *, accept_empty: bool = False, thorough: bool = False
) -> Synced:
    """Bring one collection into step with its files."""
    first = row.synced_at is None
    report = app.sync(row).run(accept_empty=accept_empty, thorough=thorough, progress=app.progress)
    # Links are counted only where they may be others than before: on large memories, that takes longest.
    whole = report.changed or first
    types = collections.page_counts(app.connection, row.id)
    return fill(
        Synced,
        report,
        collection=row.name,
        profile=row.profile,
        pages=sum(types.values()),
        effects={name: count for name, count in report.effects.items() if count},
        types=types if first else None,
        failed=len(report.failed),
        links=audit.link_count(app.connection, row.id) if whole else 0,
        dangling=len(audit.dangling(app.connection, row.id)) if whole else 0,
        ambiguous=len(audit.ambiguous(app.connection, row.id)) if whole else 0,
        ignore=tuple(row.settings.get("ignore", ())),
    )


def collection_rows(app: App, name: str | None) -> Sequence[CollectionRow]:
    """The collection that is named, or all."""
    return [app.collection_row(name)] if name else collections.everything(app.connection)


def synced_text(result: Synced, style: Style) -> str:
    """What a sync did, in a few lines."""
    if result.effects is None:
        patterns = f"; ignored: {', '.join(result.ignore)}" if result.ignore else ""
        return f"{style.name(result.collection)} is ready{patterns}"
    did = effects(result.effects) or "nothing has changed"
    lines = [f"{style.name(result.collection)}: {did}; {count_of(result.pages, 'page')}"]
    if result.types:
        lines.append(columns(numbers(result.types, "  ")))
    if result.links:
        rest = f"{result.dangling:,} dangling, {result.ambiguous:,} ambiguous"
        lines.append(f"{count_of(result.links, 'link')}: {rest}")
    if result.other_files and result.types:
        lines.append(count_of(result.other_files, "other file is no page", "other files are no pages"))
    lines += _remarks("skipped", [(each.path, each.reason) for each in result.skipped], style)
    noted = [(each, f" (line {each.line})" if each.line else "") for each in result.problems]
    lines += _remarks("note", [(each.path, each.message + line) for each, line in noted], style)
    return "\n".join(lines)


def next_step(result: Synced) -> str:
    """What a person may do with a collection that is new."""
    if result.effects is None:
        return f"Next: `quaid put {result.collection}::some/page` writes its first page."
    if not result.pages:
        return "Next: put Markdown or org files into it; the next command sees them."
    if result.profile == NOTEBOOK:
        return 'Next: `quaid remember "…"` writes into it, `quaid recall "…"` asks it.'
    return 'Next: `quaid query "…"` asks, `quaid setup --list` connects an agent.'


def _remarks(word: str, remarks: list[tuple[str, str]], style: Style) -> list[str]:
    lines = [style.warning(f"{word}: {shown(path)}: {shown(text)}") for path, text in remarks[:MOST_NOTES]]
    more = len(remarks) - MOST_NOTES
    return [*lines, style.dim(left_out(more, "`quaid collection audit` lists them"))] if more > 0 else lines


@record
class Sync:
    name: str | None = EVERY_COLLECTION
    accept_empty: bool = flag("A folder without pages is meant to be so.")
    thorough: bool = flag("Read every file, whatever its size and time say.")


@record
class AllSynced:
    """What the syncs did."""

    collections: tuple[Synced, ...]


def sync(app: App, args: Sync) -> AllSynced:
    """Bring collections into step with their files. One that cannot be read does not stop the others."""
    if args.name:
        rows = [row for row in [app.collection_row(args.name)] if row.kind == "files"]
    else:
        rows = [row for row, _ in app.folders(collections.of_files(app.connection))]
    done = [sync_collection(app, row, accept_empty=args.accept_empty, thorough=args.thorough) for row in rows]
    return AllSynced(tuple(done))


COLLECTION_SYNC = Operation(
    "collection sync",
    sync,
    render=lambda result, style: (
        "\n".join(synced_text(each, style) for each in result.collections) or "No collection has files."
    ),
    effect="write",
    transaction="own",
    status=lambda result: FINDINGS_STATUS if any(each.failed for each in result.collections) else 0,
    brings_texts=True,
    examples=("collection sync", "collection sync notes --accept-empty"),
)


@record
class Rebuilt:
    """What a rebuild did."""

    pages: int
    collections: tuple[Synced, ...]
    digest: str
    damaged: tuple[str, ...] = ()  # pages whose text no file has: they stay as they are


def rebuild(app: App, args: Nothing) -> Rebuilt:
    """Derive everything anew: read every file, and make all rows and indexes from the pages' texts.

    Versions, history and vectors stay. A file in which only what is derived is damaged is made anew. Where
    that would lose something, nothing is changed, and `quaid rescue` saves what can be read.
    """
    if is_whole(app.connection):
        # What is derived may stand in the way of its repair.
        with suppress(Corrupt), translation(app.store.path):
            return _rebuild_all(app)
    kept = remake(app.store)
    app.notify(f"The file was damaged and is made anew; {kept} is what it was.")
    return _rebuild_all(app)


def _rebuild_all(app: App) -> Rebuilt:
    folders = app.folders(collections.of_files(app.connection))
    synced = tuple(sync_collection(app, row, thorough=True) for row, _ in folders)
    pages, damaged = soundness.derive_all(app.store, app.now(), app.progress)
    Indexer(app.store).restore(thorough=True)
    return Rebuilt(pages, synced, state(app, Digest()).digest, damaged)


def _rebuilt_text(result: Rebuilt, style: Style) -> str:
    lines = [synced_text(each, style) for each in result.collections]
    lines += [
        style.warning(f"{shown(slug)} is damaged in the memory; `quaid validate` says more")
        for slug in result.damaged
    ]
    return "\n".join([*lines, f"{count_of(result.pages, 'page')} derived anew", f"digest {result.digest}"])


REBUILD = Operation(
    "rebuild",
    rebuild,
    render=_rebuilt_text,
    effect="write",
    for_owner=True,
    transaction="own",
    mends=True,
    status=lambda result: FINDINGS_STATUS if result.damaged else 0,
    brings_texts=True,
)


@record
class Digest:
    collection: str | None = option("Only this collection.", completes="collection")


@record
class StateDigest:
    """A fingerprint of what the memory holds."""

    digest: str
    collections: dict[str, str]


def state(app: App, args: Digest) -> StateDigest:
    """Print a fingerprint of all pages, tags, links, assertions, timelines and raw data.

    A memory that was rebuilt from its files, or made from an export, has the same one.
    """
    rows = collection_rows(app, args.collection)
    digests = {row.name: digest.of_collection(app.connection, row.id) for row in rows}
    known = {name: value for name, value in digests.items() if value}
    return StateDigest(digest.combination(list(known.values())), known)


def _digest_text(result: Any, style: Style) -> str:
    if len(result.collections) < 2:
        return str(result.digest)
    rows = [(style.name(name), value) for name, value in result.collections.items()]
    return columns([*rows, ("together", result.digest)])


DIGEST = Operation("digest", state, render=_digest_text, examples=("digest", "digest --json"))
