"""Removing, restoring and moving pages."""

from __future__ import annotations

from quaid.app import App
from quaid.model.page import split_target
from quaid.model.record import fill, record
from quaid.operations.fields import PAGE, PAGE_VERSION
from quaid.operations.operation import Operation, arg
from quaid.operations.text import count_of
from quaid.store import quarantine
from quaid.vault.collection import Written


@record
class Remove:
    slug: str = PAGE
    page_version: int | None = PAGE_VERSION


def remove(app: App, args: Remove) -> Written:
    """Remove a page, so that nothing shows it any more; `restore` brings it back."""
    page = app.page(args.slug)
    return app.collection(page.collection).remove(page.slug, args.page_version)


RM = Operation(
    "rm",
    remove,
    render=lambda written, style: (
        f"{style.name(written.slug)} removed; `quaid restore {written.slug}` brings it back"
    ),
    effect="destructive",
    examples=("rm people/alice",),
)


@record
class Restore:
    slug: str = arg("The slug that it had.", positional=True)


def restore(app: App, args: Restore) -> Written:
    """Bring back the page that was last removed under a slug, with all that belongs to it."""
    name, slug = split_target(args.slug)
    if name is None:
        removed = quarantine.listing(app.connection, slug=slug)
        name = removed[0].collection if removed else None
    return app.collection(name).restore(slug)


RESTORE = Operation(
    "restore",
    restore,
    render=lambda written, style: f"{style.name(written.slug)} restored, version {written.version}",
    effect="write",
    idempotent=False,
    examples=("restore people/alice",),
)


@record
class Move:
    slug: str = PAGE
    to: str = arg("Its new slug.", positional=True)
    page_version: int | None = PAGE_VERSION


@record
class Moved:
    """A page's new place."""

    slug: str
    version: int
    changed: bool
    rewritten: tuple[str, ...]


def move(app: App, args: Move) -> Moved:
    """Give a page another slug. It stays the same page; links to it are rewritten where they are written."""
    page = app.page(args.slug)
    written, rewritten = app.collection(page.collection).move(
        page.slug, split_target(args.to)[1], args.page_version
    )
    return fill(Moved, written, rewritten=rewritten)


MV = Operation(
    "mv",
    move,
    render=lambda moved, style: (
        f"now at {style.name(moved.slug)}, version {moved.version}"
        + (f"; links rewritten in {count_of(len(moved.rewritten), 'page')}" if moved.rewritten else "")
    ),
    effect="write",
    idempotent=False,
    examples=("mv people/alice people/alice-example",),
    looks="pages",
)
