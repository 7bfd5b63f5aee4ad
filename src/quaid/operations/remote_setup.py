"""A folder that is to be shared through git, set up."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from quaid.app import App, user_memory
from quaid.conversations.exchange import Shared
from quaid.errors import Conflict, InvalidInput
from quaid.formats.slugs import slugify
from quaid.model.record import fill, record, replace
from quaid.notebook.places import FILES
from quaid.operations import remote_conversations
from quaid.operations.collections import attach, check_name
from quaid.operations.operation import Operation, flag, option
from quaid.operations.paths import given_path
from quaid.operations.remote_conversations import Choice
from quaid.operations.remotes import Exchanged, exchanged_text, look, outcome_of, repository_of, set_up_hint
from quaid.operations.text import Style, shown
from quaid.store import collections
from quaid.store.collections import CollectionRow
from quaid.supervisor import Job, install_job, program
from quaid.sync.rounds import Terms, exchange
from quaid.sync.setup import SetUp, both_rounds, set_up
from quaid.trust import real
from quaid.vault.attachments import Attachment


@record
class Init:
    url: str | None = option(
        "The remote: an address of git's, or the path of a bare repository.",
        positional=True,
        placeholder="URL",
    )
    collection: str | None = option(
        "The collection; otherwise the one in whose folder you stand, or the default one.",
        completes="collection",
    )
    folder: str | None = option("A new folder: what the remote has comes there, and it becomes a collection.")
    conversations: Choice | None = option(
        "Whether conversations of this memory are shared through the folder, and how; out unless you say so."
    )
    timer: bool = flag("Exchange every quarter of an hour in the background, too.")


@record
class Initiated:
    """A folder that takes part."""

    exchanged: Exchanged
    folder: str
    origin: str  # made, joined, known
    branch: str
    remote: str
    files: tuple[str, ...]
    timer: tuple[str, ...] = ()  # its files


def init(app: App, args: Init) -> Initiated:
    """Set a folder up to be shared through git.

    It gets a repository, rules for what stays here, the merge driver and the remote. A second run changes
    nothing. On a new machine, the folder gets what the remote has; what is in it already is merged. A
    repository that has a remote takes part as it is: its history stays. The memory itself (`.quaid`) is never
    shared; of conversations, a copy is if you choose it.
    """
    address = _address(args.url)
    if args.folder:
        row, root, done = _new(app, args, address)
    else:
        row = _collection_meant(app, args.collection)
        root = app.root_of(row)
        done = _set_up(app, row, root, address)
        look(app, row, done.round.authors)
    shared: Shared | None = None
    notices: list[str] = []
    if args.conversations:
        done, shared, notices = _conversations(app, row, root, args.conversations, done)
    return fill(
        Initiated,
        done,
        exchanged=replace(
            outcome_of(row.name, root, done.round),
            notices=(*done.notices, *done.round.notices, *notices),
            conversations=shared,
        ),
        folder=str(root),
        timer=_timer(app, args.timer),
    )


def _conversations(
    app: App, row: CollectionRow, root: Path, choice: Choice, done: SetUp
) -> tuple[SetUp, Shared | None, list[str]]:
    """Let conversations take part as the person has chosen, after all that the remote has is here."""
    repository = repository_of(app, root)
    remote_conversations.choose(app, repository.git, choice)
    if row.read_only:
        return done, remote_conversations.exchange(app, repository.git, writing=False), []
    shared = remote_conversations.conversion(app, repository.git)
    notices = [] if shared and shared.problem else remote_conversations.notices_of(app, repository.git)
    later = exchange(repository, Terms(app.store.write))
    return replace(done, round=both_rounds(done.round, later)), shared, notices


def job_of(app: App) -> Job:
    """What exchanges the folders of a memory in the background."""
    memory = real(app.store.path)
    mark = sha256(str(memory).encode(errors="surrogateescape")).hexdigest()[:8]
    words = [*program("quaid", "quaid"), "--db", str(memory), "sync", "--quiet"]
    name = "quaid-sync" if memory == real(user_memory(app.home)) else f"quaid-sync-{mark}"
    return Job(name, f"Exchange the folders of {memory}", words, app.environment, app.home)


def _timer(app: App, wanted: bool) -> tuple[str, ...]:
    if not wanted:
        return ()
    made = install_job(job_of(app))
    if made.hint:
        app.notify(made.hint)
    return made.files


def _set_up(app: App, row: CollectionRow, root: Path, address: str) -> SetUp:
    if row.profile == "kb":
        raise InvalidInput(f"{row.name!r} is a knowledge base", hint="`ai-kb init --remote URL` sets it up.")

    def is_spare(path: str) -> bool:
        with suppress(OSError):
            return row.profile == "notebook" and (root / path).read_bytes() == FILES.get(path, "").encode()
        return False

    return set_up(repository_of(app, root), address, Terms(app.store.write, row.read_only), is_spare)


def _new(app: App, args: Init, address: str) -> tuple[CollectionRow, Path, SetUp]:
    """A folder that is new on this machine, attached once it has its files."""
    root = given_path(args.folder or "")
    name = args.collection or slugify(root.name).replace("/", "-")
    if not address:
        raise InvalidInput("a new folder needs an address", hint="quaid sync init URL --folder FOLDER")
    if root.is_dir() and any(root.iterdir()):
        raise Conflict(f"{root} is not empty", hint="Attach it, then run `quaid sync init URL`.")
    check_name(app, name)
    done = set_up(repository_of(app, root), address, Terms(app.store.write), lambda path: False)
    attach(app, Attachment(name, str(root)))
    return app.collection_row(name), root, done


def _collection_meant(app: App, name: str | None) -> CollectionRow:
    rows = [app.collection_row(name)] if name else collections.of_files(app.connection)
    if not name and app.here:
        around = (app.here.resolve(), *app.here.resolve().parents)
        rows = [row for row in rows if app.stated_root(row) in around] or rows
    if not name and len(rows) > 1:
        first = collections.default(app.connection)
        rows = [row for row in rows if row.id == first.id]
    if len(rows) != 1 or rows[0].kind == "native":
        row = rows[0] if rows else collections.default(app.connection)
        hint = set_up_hint(row) if row.kind == "native" else "Name one with --collection."
        raise InvalidInput("it is not clear which folder is to be shared", hint=hint)
    return rows[0]


def _address(url: str | None) -> str:
    """A remote as it is named from anywhere."""
    if not url:
        return ""
    is_place = "://" not in url and (Path(url).expanduser().exists() or url.startswith((".", "~", "/")))
    return str(given_path(url)) if is_place else url


def _initiated_text(result: Initiated, style: Style) -> str:
    how = {
        "made": "is a repository now",
        "joined": "has what the remote has",
        "known": "is set up",
    }[result.origin]
    where = f", shared through {shown(result.remote)}" if result.remote else ""
    lines = [f"{shown(result.folder)} {how}{where} (branch {result.branch})"]
    lines += [exchanged_text(result.exchanged, style)]
    return "\n".join([*lines, *(f"wrote {shown(file)}" for file in result.timer)])


SYNC_INIT = Operation(
    "sync init",
    init,
    render=_initiated_text,
    effect="write",
    for_owner=True,
    transaction="own",
    brings_texts=True,
    examples=(
        "sync init git@example.org:me/notes.git",
        "sync init git@example.org:me/notes.git --folder ~/notes",
        "sync init --conversations encrypted",
        "sync init --timer",
    ),
)
