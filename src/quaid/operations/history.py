"""What pages were: their versions, what changed between them, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher, unified_diff

from quaid.app import App
from quaid.errors import NotFound
from quaid.model.page import PageInfo, Problem, split_target
from quaid.model.record import fill, record, replace
from quaid.operations.edits import with_problems
from quaid.operations.fields import PAGE, PAGE_VERSION
from quaid.operations.operation import Operation, flag, option
from quaid.operations.pages import not_kept
from quaid.operations.text import COMMANDING, Style, columns, count_of, shown
from quaid.store import deeds, history, quarantine
from quaid.store.deeds import Deed
from quaid.store.history import OldVersion

_NO_END = "\\ No newline at end of file"
_COLOURS = {"-": "31", "+": "32", "@": "36"}


@record
class History:
    slug: str = PAGE
    limit: int | None = option("How many versions at most.", least=1)
    removed: bool = flag("The page that was last removed under this slug.")


@record
class VersionLine:
    """A version in a list. Lines are counted against the version before it, where that is kept."""

    version: int
    written_at: str
    replaced_at: str | None
    bytes: int
    added: int | None = None
    removed: int | None = None
    encoding: str | None = None  # where it is not that of the version before
    slug: str | None = None  # where the page had another one
    by: str | None = None  # who wrote it, where that is known
    session: str | None = None


@record
class Versions:
    """The versions of a page, newest first."""

    slug: str
    version: int
    versions: tuple[VersionLine, ...]
    more: bool


def list_versions(app: App, args: History) -> Versions:
    """List the versions of a page that are kept, newest first, and how much each changed."""
    page_id = _removed_page(app, args.slug) if args.removed else app.page(args.slug).id
    now = history.current(app.connection, page_id)
    kept = [now, *history.of_page(app.connection, page_id)]
    limit = args.limit or len(kept)
    done = deeds.of_page(app.connection, page_id)
    lines = (
        replace(_line(version, kept[place : place + 2], now), **_author(done, version.version))
        for place, version in enumerate(kept[:limit], 1)
    )
    return Versions(now.slug, now.version, tuple(lines), len(kept) > limit)


def _removed_page(app: App, reference: str) -> int:
    collection, slug = split_target(reference.strip())
    row = app.collection_row(collection) if collection else None
    found = quarantine.listing(app.connection, row.id if row else None, slug)
    if not found:
        raise NotFound(f"no removed page {slug!r}", hint="`quaid list --removed` shows what there is.")
    return found[0].id


def _author(done: list[Deed], version: int) -> dict[str, str | None]:
    """Who wrote the text of a version."""
    by = deeds.author(done, version)
    return {"by": by.label if by else None, "session": by.session or None if by else None}


def _line(version: OldVersion, older: list[OldVersion], now: OldVersion) -> VersionLine:
    added = removed = encoding = None
    if older:
        added, removed = _changes(older[0].text, version.text)
        encoding = version.encoding if version.encoding != older[0].encoding else None
    return fill(
        VersionLine,
        version,
        replaced_at=version.replaced_at or None,
        bytes=len(version.data),
        added=added,
        removed=removed,
        encoding=encoding,
        slug=version.slug if version.slug != now.slug else None,
    )


def _versions_text(result: Versions, style: Style) -> str:
    rows = [
        (
            style.name(str(each.version)),
            each.written_at,
            style.dim(f"until {each.replaced_at}" if each.replaced_at else "now"),
            shown(each.by or ""),
            count_of(each.bytes, "byte"),
            f"+{each.added} -{each.removed}" if each.added is not None else "",
            ", ".join(filter(None, (each.encoding, each.slug and f"as {each.slug}"))),
        )
        for each in result.versions
    ]
    return columns(rows) + (style.dim("\n--limit shows more") if result.more else "")


HISTORY = Operation(
    "history",
    list_versions,
    render=_versions_text,
    examples=("history people/alice", "history people/alice --limit 3"),
)


@record
class Diff:
    slug: str = PAGE
    from_: int | None = option("The older version; otherwise the one before the newer.", least=1)
    to: int | None = option("The newer version; otherwise the page as it is.", least=1)


@record
class Difference:
    """What changed between two versions of a page, as a unified diff."""

    slug: str
    from_: int
    to: int
    added: int
    removed: int
    diff: str
    notes: tuple[str, ...] = ()
    by: str | None = None  # who wrote the newer one, where that is known
    session: str | None = None


def diff(app: App, args: Diff) -> Difference:
    """Show what changed between two versions of a page: by default, by its last change."""
    page = app.page(args.slug)
    kept = {each.version: each for each in history.of_page(app.connection, page.id)}
    kept[page.version] = history.current(app.connection, page.id)
    new = _kept_version(page.slug, kept, args.to or page.version)
    before = [version for version in kept if version < new.version]
    if args.from_ is None and not before:
        raise _nothing_earlier(page.slug, new.version)
    old = _kept_version(page.slug, kept, args.from_ or max(before))
    added, removed = _changes(old.text, new.text)
    by = _author(deeds.of_page(app.connection, page.id), new.version)
    text, notes = "".join(_difference(page.slug, old, new)), _notes(old, new)
    return Difference(page.slug, old.version, new.version, added, removed, diff=text, notes=notes, **by)


def _kept_version(slug: str, kept: dict[int, OldVersion], version: int) -> OldVersion:
    if version not in kept:
        raise not_kept(slug, version)
    return kept[version]


def _nothing_earlier(slug: str, version: int) -> NotFound:
    return NotFound(
        f"nothing earlier than version {version} of {slug} is kept",
        hint="`history.versions` and `history.days` say how much is.",
    )


def _difference(slug: str, old: OldVersion, new: OldVersion) -> Iterator[str]:
    names = (f"{slug} version {old.version}", f"{slug} version {new.version}")
    for line in unified_diff(_lines(old.text), _lines(new.text), *names, old.written_at, new.written_at):
        yield line if line.endswith("\n") else f"{line}\n{_NO_END}\n"


def _notes(old: OldVersion, new: OldVersion) -> tuple[str, ...]:
    """What the lines of a diff do not show."""
    notes = []
    if old.encoding != new.encoding:
        notes.append(f"The encoding changed from {old.encoding} to {new.encoding}.")
    if old.text != new.text and old.text.replace("\r\n", "\n") == new.text.replace("\r\n", "\n"):
        notes.append("Only line endings changed.")
    return tuple(notes)


def _lines(text: str) -> list[str]:
    """Lines with their ends. Only a line feed ends one, as in every diff."""
    *whole, rest = text.split("\n")
    return [*(line + "\n" for line in whole), *([rest] if rest else [])]


def _changes(old: str, new: str) -> tuple[int, int]:
    """How many lines came and went."""
    before, after = _lines(old), _lines(new)
    same = sum(block.size for block in SequenceMatcher(None, before, after).get_matching_blocks())
    return len(after) - same, len(before) - same


def _diff_text(result: Difference, style: Style) -> str:
    lines = [_coloured(line.translate(COMMANDING), style) for line in result.diff.split("\n")[:-1]]
    if lines and result.by:
        lines[1] = f"{lines[1]}\t{style.dim(shown(result.by))}"
    if not lines:
        lines = [f"Versions {result.from_} and {result.to} of {style.name(result.slug)} have the same text."]
    return "\n".join([*lines, *(style.warning(note) for note in result.notes)])


def _coloured(line: str, style: Style) -> str:
    if line.startswith(("--- ", "+++ ")):
        return style.bold(line)
    code = _COLOURS.get(line[:1])
    return f"\x1b[{code}m{line}\x1b[0m" if style.color and code else line


DIFF = Operation(
    "diff",
    diff,
    render=_diff_text,
    examples=("diff people/alice", "diff people/alice --from 3 --to 5"),
)


@record
class Revert:
    slug: str = PAGE
    to: int | None = option("The version to go back to; otherwise the one before.", least=1)
    page_version: int | None = PAGE_VERSION


@record
class Reverted:
    """A page that has an earlier text again, as a new version."""

    slug: str
    version: int
    to: int
    changed: bool
    problems: tuple[Problem, ...] = ()


def revert(app: App, args: Revert) -> Reverted:
    """Give a page the text that it had in an earlier version, as a new version.

    What it was until now is kept: another revert undoes this one.
    """
    page = app.page(args.slug)
    old = _earlier(app, page, args.to)
    written = app.collection(page.collection).put(page.slug, old.text, old.encoding, args.page_version)
    return fill(Reverted, written, slug=page.slug, to=old.version)


def _earlier(app: App, page: PageInfo, wanted: int | None) -> OldVersion:
    if wanted == page.version:  # to go back to what it is changes nothing, and is no mistake
        return history.current(app.connection, page.id)
    kept = history.of_page(app.connection, page.id)
    if wanted is not None:
        return _kept_version(page.slug, {each.version: each for each in kept}, wanted)
    if not kept:
        raise _nothing_earlier(page.slug, page.version)
    return kept[0]


def _reverted_text(result: Reverted, style: Style) -> str:
    name = style.name(result.slug)
    if not result.changed:
        return f"{name} unchanged, version {result.version}: it has the text of version {result.to}"
    line = f"{name} has the text of version {result.to} again, version {result.version}"
    return with_problems(line, result.problems, style)


REVERT = Operation(
    "revert",
    revert,
    render=_reverted_text,
    effect="write",
    idempotent=False,
    examples=("revert people/alice", "revert people/alice --to 3"),
)
