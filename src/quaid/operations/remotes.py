"""Folders that several machines share through git, exchanged."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from quaid.app import App
from quaid.conversations.exchange import Shared
from quaid.conversations.indexer import Indexer
from quaid.conversations.transcripts import of_paths
from quaid.errors import FINDINGS_STATUS, GitFailed, InvalidInput, QuaidError
from quaid.kb import push as kb_push
from quaid.kb.repository import open_kb
from quaid.model.actor import EDIT, Actor
from quaid.model.record import fill, record, replace
from quaid.operations import remote_conversations
from quaid.operations.copies import folders_meant
from quaid.operations.fields import EVERY_COLLECTION
from quaid.operations.operation import Operation, flag, option
from quaid.operations.remote_conversations import outcome_lines, united
from quaid.operations.text import Style, count_of, shown
from quaid.store import collections
from quaid.store.collections import CollectionRow
from quaid.sync.conflicts import conflicts
from quaid.sync.git import without_password
from quaid.sync.repository import Repository
from quaid.sync.rounds import ENABLED, Round, Terms, exchange, is_offline, takes_part
from quaid.trust import trust_command
from quaid.vault.folder import IGNORED, SCRATCH

Outcome = Literal["in step", "synced", "offline", "withheld", "failed", "not shared"]
LOOK = 1  # second without a look whether it is time
WATCHED_MINUTES = 5  # after which `--watch` asks the remote although nothing has changed here


@record
class Sync:
    collection: str | None = EVERY_COLLECTION
    watch: bool = flag("Go on: exchange whenever files change, and every few minutes.", for_people=True)
    quiet: bool = flag("For timers: say only what went wrong, with status 0.")
    transcript: str | None = option(
        "Read this transcript first, so that it goes along where conversations are shared.",
        for_people=True,
        completes="file",
    )
    accept_rewritten: bool = flag(
        "Merge with a remote whose history was rewritten, or has nothing in common with this one."
    )


@record
class Exchanged:
    """What came of exchanging one collection."""

    collection: str
    outcome: Outcome
    committed: int = 0
    received: int = 0
    sent: int = 0
    conflicts: int = 0  # that are open
    message: str = ""
    hint: str = ""
    notices: tuple[str, ...] = ()
    conversations: Shared | None = None  # None: they are left out


@record
class Exchanges:
    """What came of a `sync`."""

    collections: tuple[Exchanged, ...]
    quiet: bool = False


def sync(app: App, args: Sync) -> Exchanges:
    """Exchange folders with other machines: commit what changed, fetch, merge, push.

    Every collection that `sync init` has set up takes part, and every knowledge base with a remote. Without a
    network, what changed is committed here and sent another time. One that fails does not stop the others. A
    repository with a remote that nobody has set up here is named, and nothing is sent from it.
    """
    rows = taking_part(app, args.collection)
    if args.transcript:
        with suppress(QuaidError):  # it keeps no page from being exchanged
            Indexer(app.store).run(of_paths([args.transcript]))
    if args.watch:
        return _watch(app, rows, args)
    done = [_exchange(app, row, root, args) for row, root in rows]
    return Exchanges((*done, *(() if args.collection else _not_asked(app))), args.quiet)


def taking_part(app: App, name: str | None = None) -> list[tuple[CollectionRow, Path]]:
    """The collections that are exchanged, with their folders; the one that is named must be one of them."""
    chosen = [(row, root) for row, root in folders_meant(app, name) if _takes_part(app, row, root)]
    if name and not chosen:
        hint = set_up_hint(app.collection_row(name))
        raise InvalidInput(f"{name!r} is not shared with other machines", hint=hint)
    return chosen


def set_up_hint(row: CollectionRow) -> str:
    """How a collection comes to take part."""
    if row.kind == "native":
        return f"Its pages live in the memory: quaid collection move {row.name} FOLDER."
    return f"quaid sync init URL --collection {row.name}"


def _not_asked(app: App) -> Iterator[Exchanged]:
    """The repositories with a remote of which the person has not said whether they are to be exchanged."""
    for row, root in app.folders(collections.of_files(app.connection)):
        if (root / ".git").exists() and row.profile != "kb":
            problem, hint = decision_wanted(row, repository_of(app, root))
            if problem:
                yield Exchanged(row.name, "not shared", message=problem, hint=hint)


def decision_wanted(row: CollectionRow, repository: Repository) -> tuple[str, str]:
    """What is said of a repository that takes no part although it could; "" of one that is to be left out."""
    root = repository.root
    if not repository.is_trusted:
        return "its repository is not trusted, nothing was exchanged", trust_command(root)
    git = repository.git
    if git.config(ENABLED) or not git.remote():
        return "", ""
    address = without_password(git.remote_address())
    return (
        f"a repository with the remote {address} that is not set up here, nothing was exchanged",
        f"quaid sync init --collection {row.name} lets it take part, "
        f"git -C {root} config {ENABLED} false leaves it out",
    )


def repository_of(app: App, root: Path) -> Repository:
    """The repository of a folder."""
    return Repository(root, app.environment, app.home)


def _takes_part(app: App, row: CollectionRow, root: Path) -> bool:
    repository = repository_of(app, root)
    if not (root / ".git").exists() or not repository.is_trusted:
        return False
    return bool(repository.git.remote()) if row.profile == "kb" else takes_part(repository.git)


def _exchange(app: App, row: CollectionRow, root: Path, args: Sync) -> Exchanged:
    try:
        if row.profile == "kb":
            return _kb(app, row, root)
        look(app, row, {})  # a folder that has suddenly no pages is an alarm, and nothing to publish
        repository = repository_of(app, root)
        given = remote_conversations.exchange(app, repository.git, writing=not row.read_only)
        done = exchange(repository, Terms(app.store.write, row.read_only, args.accept_rewritten))
        look(app, row, done.authors)
        taken = remote_conversations.exchange(app, repository.git, writing=False) if given else None
    except QuaidError as error:
        return Exchanged(row.name, "failed", message=error.message, hint=error.hint)
    outcome = outcome_of(row.name, root, done)
    return replace(outcome, conversations=united(given, taken)) if given else outcome


def look(app: App, row: CollectionRow, authors: Mapping[str, Actor]) -> None:
    """Let the memory see what came, and who wrote it."""
    app.sync(row, writer=lambda path: authors.get(path, EDIT)).run(progress=app.progress)


def outcome_of(name: str, root: Path, done: Round) -> Exchanged:
    """A round as people are told of it."""
    told = fill(Exchanged, done, collection=name, outcome="synced", conflicts=len(conflicts(root)))
    if done.leaks:
        said = (
            f"nothing was sent: {count_of(len(done.leaks), 'place')} would publish what looks like a secret"
        )
        return replace(told, outcome="withheld", message=said, hint="; ".join(map(str, done.leaks[:5])))
    if done.offline:
        return replace(told, outcome="offline", message=done.offline)
    return told if done.committed or done.received or done.sent else replace(told, outcome="in step")


def _kb(app: App, row: CollectionRow, root: Path) -> Exchanged:
    """A knowledge base has a protocol of its own."""
    done = kb_push.sync(open_kb(root, app.environment, app.home))
    look(app, row, done.authors)
    told = Exchanged(row.name, "in step", received=done.followed, sent=done.pushed)
    if not done.reached and is_offline(done.message):
        return replace(told, outcome="offline", message=done.message)
    if not done.reached or done.failed or done.leaks or done.behind:
        trouble: Outcome = "withheld" if done.leaks else "failed"
        return replace(told, outcome=trouble, message=done.message, hint="See `ai-kb doctor`.")
    return replace(told, outcome="synced") if done.followed or done.pushed else told


def _watch(app: App, rows: Sequence[tuple[CollectionRow, Path]], args: Sync) -> Exchanges:
    """Exchange until interrupted."""
    if not rows:
        raise InvalidInput("no folder is shared with other machines", hint="Share one: quaid sync init URL.")
    from watchfiles import watch  # only for watching

    roots = [str(root) for _, root in rows]

    def is_work(_: object, path: str) -> bool:
        root = next((each for each in roots if path.startswith(each)), "")
        parts = Path(path[len(root) :]).parts
        return not any(part in IGNORED for part in parts) and not path.rpartition("/")[2].startswith(SCRATCH)

    batches = watch(
        *roots,
        watch_filter=is_work,
        step=int(app.settings.number("sync.debounce") * 1000) or 1,
        rust_timeout=LOOK * 1000,
        yield_on_timeout=True,
        ignore_permission_denied=True,
    )
    told: dict[str, str] = {}
    due = 0.0
    for batch in batches:  # what changes while folders are exchanged is in the next one
        if not batch and time.monotonic() < due:
            continue
        for row, root in rows:
            done = _exchange(app, row, root, args)
            if done.outcome == "synced" or told.get(row.name) != done.outcome:
                app.notify(exchanged_text(done, Style()))
            told[row.name] = done.outcome
        due = time.monotonic() + WATCHED_MINUTES * 60
    return Exchanges(())


def exchanged_text(done: Exchanged, style: Style) -> str:
    """What came of exchanging a collection, in a line or two."""
    did = [
        f"{count_of(count, noun)} {verb}"
        for count, noun, verb in (
            (done.committed, "file", "committed"),
            (done.received, "commit", "received"),
            (done.sent, "commit", "sent"),
        )
        if count
    ]
    said = ", ".join(did) or ("in step" if done.outcome == "in step" else "")
    if done.outcome == "offline":
        said = f"{said}; not sent: offline" if said else "offline"
    elif done.outcome in ("failed", "withheld", "not shared"):
        said = "; ".join(filter(None, (said, style.warning(shown(done.message)))))
    lines = [f"{style.name(done.collection)}: {said}"]
    lines += [f"  {shown(done.hint)}"] if done.hint else []
    told, shared = [*done.notices], done.conversations
    if shared:
        told += outcome_lines(shared)
        told += [style.warning(shared.problem), f"  {shared.hint}"] if shared.problem else []
    lines += [f"  {shown(notice)}" for notice in told]
    if done.conflicts:
        lines.append(f"  {style.warning(count_of(done.conflicts, 'open conflict'))}: quaid conflicts")
    return "\n".join(lines)


def _exchanges_text(result: Exchanges, style: Style) -> str:
    shown_ones = [each for each in result.collections if not result.quiet or _is_trouble(each)]
    if not result.collections and not result.quiet:
        return "No folder is shared with other machines yet: quaid sync init URL."
    return "\n".join(exchanged_text(each, style) for each in shown_ones)


def _is_trouble(each: Exchanged) -> bool:
    return each.outcome in ("failed", "withheld") or bool(each.conversations and each.conversations.problem)


def _status(result: Exchanges) -> int:
    if result.quiet or not any(map(_is_trouble, result.collections)):
        return 0
    has_failed = any(each.outcome == "failed" for each in result.collections)
    return GitFailed.exit_status if has_failed else FINDINGS_STATUS


SYNC = Operation(
    "sync",
    sync,
    render=_exchanges_text,
    effect="write",
    for_owner=True,
    transaction="own",
    status=_status,
    brings_texts=True,
    examples=("sync", "sync notes", "sync --watch"),
)
