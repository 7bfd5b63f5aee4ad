"""Transcripts of conversations with agents: reading them in, embedding them, forgetting them."""

from __future__ import annotations

from quaid.app import App
from quaid.conversations import turns as turn_search
from quaid.conversations.indexer import Indexer, Problem
from quaid.conversations.transcripts import known_places, of_clients, of_paths
from quaid.errors import FINDINGS_STATUS
from quaid.index.matrix import remove_turn_copies
from quaid.model.record import fill, record
from quaid.operations.conversations import ClientName, one, restore_archive
from quaid.operations.fields import CONVERSATION, Nothing
from quaid.operations.operation import Operation, flag, option
from quaid.operations.text import Style, count_of, shown
from quaid.store import erasure

TRACES = "\nAnother process reads the memory; `quaid compact` removes the last traces"


@record
class Index:
    paths: list[str] | None = option(
        "Transcripts, or folders of them; otherwise where known clients keep theirs.",
        positional=True,
        rest=True,
        for_people=True,
        completes="file",
    )
    client: ClientName | None = option("Only transcripts of this client.")
    all: bool = flag("Read all of them from the beginning; no turn is kept twice.")
    embed: bool = flag("Embed what is new too, so that it is found by its meaning.")
    quiet: bool = flag("Say nothing unless something went wrong.", for_people=True)


@record
class IndexResult:
    """What was read."""

    transcripts: int
    changed: int
    turns: int
    bytes: int
    malformed: int
    embedded: int | None
    problems: tuple[Problem, ...]
    quiet: bool | None = None


def index(app: App, args: Index) -> IndexResult:
    """Read what is new in transcripts of Claude Code, Codex and OpenCode, or in named files.

    Only what was said is kept, without calls of tools and what clients add to prompts; secrets are masked
    before anything is stored. What was read stays when the client deletes its files.
    """
    indexer = Indexer(app.store)
    indexer.restore(thorough=True)
    places = known_places(app.home, app.environment)
    sources = of_paths(args.paths, args.client) if args.paths else of_clients(places, args.client)
    done = indexer.run(sources, all_anew=args.all, progress=app.progress)
    embedded = _embedded_count(app) if args.embed else None
    return fill(IndexResult, done, embedded=embedded, quiet=args.quiet or None)


def _index_text(result: IndexResult, style: Style) -> str:
    lines = []
    if not result.quiet:
        read = f"{count_of(result.turns, 'new turn')} from {count_of(result.changed, 'transcript')}"
        lines.append(f"{read}; {count_of(result.transcripts, 'transcript')} seen")
        if result.malformed:
            lines.append(style.warning(f"{count_of(result.malformed, 'line')} could not be read"))
        if result.embedded is not None:
            lines.append(f"{count_of(result.embedded, 'turn')} embedded")
    lines += [style.warning(f"skipped: {shown(each.path)}: {shown(each.reason)}") for each in result.problems]
    return "\n".join(lines)


CONVERSATIONS_INDEX = Operation(
    "conversations index",
    index,
    render=_index_text,
    effect="write",
    for_owner=True,
    transaction="own",
    status=lambda result: FINDINGS_STATUS if result.problems else 0,
    examples=("conversations index", "conversations index --client codex", "conversations index chats/"),
)


@record
class Embedded:
    """What an embedding run did."""

    model: str
    embedded: int


def embed(app: App, args: Nothing) -> Embedded:
    """Embed the turns that are new, so that conversations are found by their meaning too."""
    restore_archive(app)
    done = _embedded_count(app)
    return Embedded(app.models.current().name, done)


def _embedded_count(app: App) -> int:
    model = app.models.current()
    return turn_search.embed(app.store, model, app.models.embedder(model.name), app.progress)


CONVERSATIONS_EMBED = Operation(
    "conversations embed",
    embed,
    render=lambda result, style: f"{count_of(result.embedded, 'turn')} embedded with {result.model}",
    effect="write",
    transaction="own",
    examples=("conversations embed",),
)


@record
class Forget:
    id: str = CONVERSATION


@record
class Forgotten:
    """A conversation that is gone. `scrubbed` is false while readers still need the old file."""

    id: str
    turns: int
    scrubbed: bool


def forget(app: App, args: Forget) -> Forgotten:
    """Erase a conversation from the memory and from its archive, for good.

    It is not read again. The client's own file stays.
    """
    restore_archive(app)
    about = one(app, args.id)
    Indexer(app.store).forget(about.key)
    # Copies of vectors beside the memory hold what the turns meant.
    remove_turn_copies(app.store.path)
    return Forgotten(about.key, about.turns, erasure.scrub(app.store))


CONVERSATIONS_FORGET = Operation(
    "conversations forget",
    forget,
    render=lambda result, style: (
        f"{style.name(result.id)} is forgotten: {count_of(result.turns, 'turn')}"
        + ("" if result.scrubbed else TRACES)
    ),
    effect="destructive",
    for_owner=True,
    transaction="own",
    idempotent=False,
    examples=("conversations forget 3fa2b1c09d7e",),
)
