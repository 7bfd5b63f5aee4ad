"""The memory as a whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from quaid.app import App
from quaid.app.progress import Progress
from quaid.conversations.indexer import Indexer
from quaid.errors import FINDINGS_STATUS, Corrupt, InvalidInput
from quaid.model.record import record
from quaid.operations.fields import Nothing
from quaid.operations.operation import Operation, flag, option
from quaid.operations.paths import given_path
from quaid.operations.text import Style, columns, count_of, numbers, shown
from quaid.store import collections, compaction, embeddings, statistics
from quaid.store.compaction import Compacted
from quaid.store.integrity import Finding
from quaid.store.scope import PAGES
from quaid.transfer import comparison
from quaid.vault import soundness
from quaid.vault.mirror import Mirror


@record
class Stats:
    """What the memory holds."""

    path: str
    bytes: int
    schema_version: int
    counts: dict[str, int]
    types: dict[str, int]
    collections: dict[str, int]
    embedding: Progress | None = None  # how far the texts are embedded, while they are not


def stats(app: App, args: Nothing) -> Stats:
    """Count what the memory holds."""
    return Stats(
        path=str(app.store.path),
        bytes=app.store.path.stat().st_size,
        schema_version=app.connection.pragma("user_version"),
        counts=statistics.counts(app.connection),
        types=statistics.pages_by_type(app.connection),
        collections=statistics.pages_by_collection(app.connection),
        embedding=embedding_progress(app),
    )


def embedding_progress(app: App) -> Progress | None:
    """How far the texts are embedded, if some are not."""
    active = embeddings.active(app.connection)
    if active and not embeddings.behind(app.connection, active.id, [PAGES]):
        return None
    progress = app.background.progress()
    return progress if progress.embedded < progress.texts else None


def _stats_text(result: Stats, style: Style) -> str:
    rows = [(name.replace("_", " ").capitalize(), f"{count:,}") for name, count in result.counts.items()]
    embedded = [("Embedding", result.embedding.text)] if result.embedding else []
    whole = [
        *rows[:1],
        *numbers(result.types, "  "),
        *rows[1:],
        *embedded,
        ("Size", f"{result.bytes / 1e6:,.1f} MB"),
        ("Memory", result.path),
    ]
    return columns(whole)


STATS = Operation(
    "stats",
    stats,
    render=_stats_text,
    examples=("stats --json",),
    brief="Counts, open contradictions and gaps.",
    told=(),
    unneeded=("path", "bytes", "schema_version"),
)


@record
class Validate:
    links: bool = flag("Also links: their spans and ends.")
    assertions: bool = flag("Also assertions: repetitions and chains.")
    embeddings: bool = flag("Also embeddings: models and chunks.")
    all: bool = flag("Everything, also every page's rows against its text.")
    repair: bool = flag("Do what is safe about what is found.")
    original: str | None = option(
        "Instead, compare a folder with another.", completes="file", for_tools="exported"
    )
    exported: str | None = option(
        "The other: pages, frontmatter, truth, timeline and raw data are to be the same.", completes="file"
    )


@record
class Report:
    """What a validation found."""

    checks: tuple[str, ...]
    findings: tuple[Finding, ...]
    repaired: int


def validate(app: App, args: Validate) -> Report:
    """Check that the memory is sound. Every finding says how to repair it.

    The file, the word index and the texts are always checked. A check that cannot run is a finding. The exit
    status is 11 when something remains to be done.
    With two folders, it is not the memory that is checked, but whether both say the same.
    """
    if args.original or args.exported:
        return _comparison(args)
    wanted = {"database", "words", "texts"} | {
        name for name in ("links", "assertions", "embeddings") if getattr(args, name)
    }
    chosen = frozenset(soundness.CHECKS if args.all else wanted)
    findings = _findings(app, chosen)
    repairable = sum(finding.repairable for finding in findings)
    if not args.repair or not repairable:
        return Report(tuple(sorted(chosen)), tuple(findings), 0)
    refused = []
    try:
        soundness.repair(app.store, findings, app.now(), lambda: _read_anew(app))
    except Corrupt as error:
        refused = [Finding("database", f"it was not repaired: {error.message}", error.hint)]
    findings = [*refused, *_findings(app, chosen)]
    repaired = max(0, repairable - sum(finding.repairable for finding in findings))
    return Report(tuple(sorted(chosen)), tuple(findings), repaired)


def _findings(app: App, chosen: frozenset[str]) -> list[Finding]:
    # SQLite checks a word index by an INSERT, which a reading transaction would refuse.
    with app.store.examination() as connection:

        def folders() -> list[Callable[[], Mirror]]:
            return [partial(app.mirror, row) for row in collections.of_files(connection)]

        return list(soundness.check(connection, chosen, folders))


def _read_anew(app: App) -> None:
    for row, _ in app.folders(collections.of_files(app.connection)):
        app.sync(row).run(thorough=True)
    Indexer(app.store).restore(thorough=True)


def _comparison(args: Validate) -> Report:
    if not args.original or not args.exported:
        raise InvalidInput("two folders are compared", hint="Give --original and --exported.")
    places = [given_path(place) for place in (args.original, args.exported)]
    return Report(comparison.CHECKS, tuple(comparison.compare(*places)), 0)


def _report_text(report: Report, style: Style) -> str:
    lines = [
        f"{style.warning(each.check)}: {shown(each.message)}\n    {each.repair}" for each in report.findings
    ]
    if any(each.repairable for each in report.findings):
        lines.append("`quaid validate --repair` does what is safe.")
    if report.repaired:
        lines.append(f"{count_of(report.repaired, 'finding')} repaired.")
    word = "The same" if report.checks == comparison.CHECKS else "Sound"
    return "\n".join(lines or [f"{word}: {', '.join(report.checks)}."])


VALIDATE = Operation(
    "validate",
    validate,
    render=_report_text,
    effect="write",
    for_owner=True,
    transaction="own",
    mends=True,
    status=lambda report: FINDINGS_STATUS if report.findings else 0,
    examples=("validate --all", "validate --links --repair", "validate --original notes --exported backup"),
)


def compact(app: App, args: Nothing) -> Compacted:
    """Make the memory one true file, ready to be copied. Safe while others read."""
    with app.store.write() as connection:
        embeddings.collect(connection)
    return compaction.compact(app.store)


def _compacted_text(result: Compacted, style: Style) -> str:
    size = f"{result.bytes_before / 1e6:,.1f} MB → {result.bytes_after / 1e6:,.1f} MB"
    if result.complete:
        return f"{result.path} is one file: {size}"
    return f"{result.path}: {size}; somebody reads it, so {result.path}-wal still belongs to it"


COMPACT = Operation(
    "compact",
    compact,
    render=_compacted_text,
    effect="write",
    for_owner=True,
    transaction="own",
)
