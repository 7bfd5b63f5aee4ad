"""What merges could not decide: listed, shown side by side, settled."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from typing import Literal

from quaid.app import App
from quaid.errors import Conflict as Refusal
from quaid.errors import InvalidInput, NotFound
from quaid.files import replace_file
from quaid.formats.encoding import encode
from quaid.formats.slugs import slugify
from quaid.model.page import PageInfo
from quaid.model.record import fill, record
from quaid.operations.copies import copies_in, folders_meant, page_at
from quaid.operations.fields import IN_COLLECTION
from quaid.operations.operation import Operation, arg, option
from quaid.operations.remotes import repository_of
from quaid.operations.text import Style, cells, clipped, columns, count_of, shown
from quaid.store.collections import CollectionRow
from quaid.sync.conflicts import Conflict, conflicts, find_conflict, forget_conflict, settled
from quaid.trust import DIRECTORY
from quaid.vault import folder

_BLOB = re.compile(r"[0-9a-f]{40,64}")
WHOLE = ("page", "name", "file")  # kinds that are not about a part of a page


@record
class Which:
    slug: str | None = option("Only those of this page.", positional=True, completes="slug")
    collection: str | None = IN_COLLECTION


@record
class ConflictLine:
    """A conflict in a list. `kept` is what the page holds, `other` what the other side says."""

    id: str
    collection: str
    path: str
    slug: str  # "" if the page is no longer there
    kind: str
    name: str
    base: str
    kept: str
    other: str
    kept_at: str
    other_at: str


@record
class CopyFound:
    """A file that another program has left as a copy of a page, both by their paths."""

    collection: str
    path: str
    original: str
    slug: str


@record
class ConflictList:
    """Open conflicts, and copies that other programs have left."""

    conflicts: tuple[ConflictLine, ...]
    copies: tuple[CopyFound, ...] = ()


def list_conflicts(app: App, args: Which) -> ConflictList:
    """List what merges could not decide. A page holds the newer; the other is kept until somebody decides.

    Copies that Syncthing, Dropbox, iCloud and the like have left beside a page are listed, too.
    """
    page = app.page(args.slug) if args.slug else None
    found: list[ConflictLine] = []
    copied: list[CopyFound] = []
    for row, root in folders_meant(app, args.collection):
        found += [_line(app, row, each) for each in conflicts(root)]
        for each in copies_in(app, row, root):
            original = page_at(app, row, each.original)
            copied.append(CopyFound(row.name, each.path, each.original, original.slug if original else ""))

    def is_meant(line: ConflictLine | CopyFound) -> bool:
        return page is None or (line.collection, line.slug) == (page.collection, page.slug)

    return ConflictList(tuple(filter(is_meant, found)), tuple(filter(is_meant, copied)))


def _line(app: App, row: CollectionRow, each: Conflict) -> ConflictLine:
    page = page_at(app, row, each.path)
    return fill(
        ConflictLine,
        each.clash,
        id=each.id,
        collection=row.name,
        path=each.path,
        slug=page.slug if page else "",
        name=each.clash.name if each.clash.kind != "file" else "",
    )


def _list_text(result: ConflictList, style: Style) -> str:
    if not result.conflicts and not result.copies:
        return "No open conflicts."
    lines = []
    if result.conflicts:
        rows = [(style.name(shown(each.id)), shown(each.path), _about(each)) for each in result.conflicts]
        lines += [columns(rows), count_of(len(rows), "open conflict")]
    if result.copies:
        copied = [
            (style.name(shown(each.path)), f"a copy of {shown(each.original)}") for each in result.copies
        ]
        said = count_of(len(copied), "copy of another program", "copies of other programs")
        lines += [columns(copied), f"{said}: quaid conflicts merge-copies"]
    return "\n".join(lines)


def _about(each: ConflictLine) -> str:
    told = {
        "page": "removed by one, changed by the other",
        "name": f"moved by both; the other calls it {shown(each.other)}",
        "file": "changed by both",
    }
    return told.get(each.kind) or f"{each.kind} {shown(each.name)}".rstrip()


CONFLICTS = Operation(
    "conflicts", list_conflicts, render=_list_text, examples=("conflicts", "conflicts people/alice")
)


@record
class One:
    id: str = arg("The conflict.", positional=True)


def show(app: App, args: One) -> ConflictLine:
    """Show both sides of a conflict, side by side."""
    row, _, found = _conflict_by_id(app, args.id)
    return _line(app, row, found)


def _conflict_by_id(app: App, id: str) -> tuple[CollectionRow, Path, Conflict]:
    for row, root in folders_meant(app, None):
        if any(each.id == id for each in conflicts(root)):
            return row, root, find_conflict(root, id)
    raise NotFound(f"there is no conflict {id!r}", hint="`quaid conflicts` lists those that are open.")


def _side_by_side(each: ConflictLine, style: Style) -> str:
    width = max(20, (style.width - 3) // 2)
    heads = (f"the page says ({each.kept_at or 'ours'})", f"the other says ({each.other_at or 'theirs'})")
    sides = (text.splitlines() or ["(nothing)"] for text in (each.kept, each.other))
    rows = [heads, ("─" * width, "─" * width)]
    rows += [(shown(one), shown(two)) for one, two in zip_longest(*sides, fillvalue="")]
    halves = [(clipped(one, width), clipped(two, width)) for one, two in rows]
    table = [one + " " * (width - cells(one)) + " │ " + two for one, two in halves]
    first = f"{style.name(shown(each.id))}  {shown(each.path)}: {_about(each)}"
    return "\n".join([first, *(line.rstrip() for line in table)])


CONFLICTS_SHOW = Operation(
    "conflicts show", show, render=_side_by_side, examples=("conflicts show alice~1a2b3c4d",)
)


@record
class Decision:
    id: str = arg("The conflict.", positional=True)
    keep: Literal["ours", "theirs"] | None = option(
        "What stays: what the page says (ours), or what the other side says (theirs)."
    )
    text: str | None = option("Lines that take the place of both.", piped="dash")


@record
class Resolved:
    """A conflict that is settled."""

    id: str
    path: str
    changed: bool
    left: int


def resolve(app: App, args: Decision) -> Resolved:
    """Settle a conflict: keep what the page says, take the other version, or write a third."""
    if (args.keep is None) == (args.text is None):
        raise InvalidInput("say what is to stand there", hint="--keep ours, --keep theirs, or --text TEXT.")
    row, root, found = _conflict_by_id(app, args.id)
    if row.read_only:
        raise Refusal(f"{row.name!r} is read-only", hint="Settle it on a machine that writes.")
    if args.keep == "ours":
        changed = False
    elif found.clash.kind in WHOLE:
        changed = _take_whole(app, row, root, found, args)
    else:
        changed = _write(app, row, found, found.clash.other if args.text is None else args.text)
    forget_conflict(root, found.id)
    return Resolved(found.id, found.path, changed, len(conflicts(root)))


def _write(app: App, row: CollectionRow, found: Conflict, wanted: str) -> bool:
    page = _page(app, row, found)
    done = app.collection(row.name).edit(page.slug, lambda text: settled(text, found.clash, wanted))
    return done.changed


def _page(app: App, row: CollectionRow, found: Conflict) -> PageInfo:
    page = page_at(app, row, found.path)
    if page is None:
        raise NotFound(
            f"there is no page {found.path} any more",
            hint="What the other side says: `quaid conflicts show`. Then settle it: --keep ours.",
        )
    return page


def _take_whole(app: App, row: CollectionRow, root: Path, found: Conflict, args: Decision) -> bool:
    """What the other side did to a whole file: removed it, moved it elsewhere, or wrote something else."""
    collection, kind = app.collection(row.name), found.clash.kind
    if kind == "file":
        if {part.casefold() for part in found.path.split("/")} & {".git", DIRECTORY}:
            raise InvalidInput(
                f"{shown(found.path)} is no file that is shared", hint="--keep ours forgets it."
            )
        data = encode(args.text, "utf-8") if args.text is not None else _blob(app, root, found)
        replace_file(folder.real(root, found.path), data)
        return True
    if args.text is not None:
        raise InvalidInput("this is about a whole page", hint="--keep ours or --keep theirs.")
    page = _page(app, row, found)
    if kind == "page":
        return collection.remove(page.slug).changed
    path = found.clash.other.rstrip("\n")
    return collection.move(page.slug, slugify(path), path=path)[0].changed


def _blob(app: App, root: Path, found: Conflict) -> bytes:
    named = found.clash.name if _BLOB.fullmatch(found.clash.name) else ""  # anybody may have written that
    data = repository_of(app, root).git.bytes_of(named) if named else None
    if data is None:
        raise NotFound("git does not have the other version here", hint="`quaid sync` may bring it.")
    return data


CONFLICTS_RESOLVE = Operation(
    "conflicts resolve",
    resolve,
    render=lambda result, style: (
        f"{style.name(result.id)} is settled: {shown(result.path)} "
        f"{'has changed' if result.changed else 'stays as it is'}; {count_of(result.left, 'conflict')} left"
    ),
    effect="write",
    transaction="none",  # the page is written before the conflict is forgotten
    idempotent=False,
    examples=("conflicts resolve alice~1a2b3c4d --keep theirs",),
)
