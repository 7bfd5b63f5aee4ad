"""Standing orders that wait for the person's approval: listing, approving and rejecting them.

These are the person's decisions. No tool leads here: neither MCP nor `call`, `pipe` or a hook.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from quaid.app import App
from quaid.errors import Ambiguous, InvalidInput, NotFound
from quaid.formats import fence
from quaid.model.record import fill, record
from quaid.notebook import core_files, orders, places
from quaid.notebook.context import Source
from quaid.notebook.orders import ID, Approvals, Known, Order
from quaid.operations.fields import NOTEBOOK
from quaid.operations.notebook import open_notebook
from quaid.operations.operation import Operation, flag, option
from quaid.operations.text import Style, count_of
from quaid.store.collections import CollectionRow

UNKNOWN = "by hand or by another program"
SHORTEST_ID = 4


@record
class Waiting:
    """An order that does not bind; one that is `gone` was approved, and the file no longer has it."""

    id: str
    key: str
    text: str
    by: str
    under: tuple[str, ...] = ()
    path: str | None = None
    line: int | None = None
    at: str | None = None
    gone: bool = False


@record
class Judged:
    """The files with standing orders as they bind, and what waits."""

    sources: tuple[Source, ...]
    waiting: tuple[Waiting, ...]


_Found = tuple[str, Order]  # an order, and the file in which it stands


def approved_part(app: App, row: CollectionRow, sources: Sequence[Source]) -> Judged:
    """Files of which only what the person approved is left, and what is not approved."""
    known = _approvals(app, row).read()
    binding: list[Source] = []
    waiting: list[Waiting] = []
    for source in sources:
        if source.text is None:
            binding.append(source)
            continue
        found = orders.orders_of(source.path, source.text)
        kept = orders.lines_of(source.text, [each for each in found if known.binds(each)])
        binding.append(Source(source.path, source.kind, kept.text, len(kept.text), kept.numbers))
        waiting += [_waiting((source.path, each), known) for each in found if not known.binds(each)]
    return Judged(tuple(binding), tuple(waiting))


def open_matters(app: App) -> tuple[Waiting, ...]:
    """All that the person has to decide about standing orders, of every notebook."""
    return tuple(each for row in places.notebooks(app.connection) for each in _matters(app, row))


def _matters(app: App, row: CollectionRow) -> list[Waiting]:
    """What waits in a notebook, and what was approved and is gone."""
    if not app.root_of(row).is_dir():
        return []  # a disk that is not there has lost no order
    known = _approvals(app, row).read()
    found = _all_found(app, row)
    waiting = [_waiting(each, known) for each in found if not known.binds(each[1])]
    there = {order.key for _, order in found}
    gone = [
        Waiting(key[:ID], key, each.text, "", at=each.at, gone=True)
        for key, each in known.approved.items()
        if key not in there
    ]
    return [*waiting, *gone]


def _all_found(app: App, row: CollectionRow) -> list[_Found]:
    return [
        (source.path, order)
        for source in core_files.orders(row, app.root_of(row), app.settings.text("prompt.reference_dir"))
        for order in orders.orders_of(source.path, source.text or "")
    ]


def _waiting(found: _Found, known: Known) -> Waiting:
    path, order = found
    author = known.authors.get(order.key)
    return fill(
        Waiting,
        order,
        id=order.key[:ID],
        by=author.name if author else UNKNOWN,
        under=tuple(filter(None, (*order.headings, order.lead))),
        path=path,
        at=author.at if author else None,
    )


def _approvals(app: App, row: CollectionRow) -> Approvals:
    return Approvals(app.home, app.root_of(row))


# Commands ------------------------------------------------------------------------------------------------


@record
class Decide:
    ids: list[str] | None = option(
        "Which, by the ids that the list shows; without any, the list.", positional=True, rest=True
    )
    all: bool = flag("All that are listed, after a question.")
    notebook: str | None = NOTEBOOK


@record
class Decided:
    """What was decided about which orders, and how many wait."""

    notebook: str
    action: Literal["listed", "approved", "rejected"]
    orders: tuple[Waiting, ...]
    waiting: int


def approve(app: App, args: Decide) -> Decided:
    """Approve standing orders, which bind agents from then on. Without ids, list those that wait.

    An order is approved word by word, with the headings above it; a change of either makes it wait again. For
    one that is gone from its file, this agrees to that.
    """
    row, chosen = _orders_meant(app, args, "Approve")
    if chosen is None:
        return _orders_waiting(app, row)
    keys = {each.key for each in chosen}
    found = [order for _, order in _all_found(app, row) if order.key in keys]
    _approvals(app, row).approve(found, [each.key for each in chosen if each.gone], app.now())
    return Decided(row.name, "approved", chosen, len(_matters(app, row)))


def reject(app: App, args: Decide) -> Decided:
    """Take standing orders that wait out of their file. Without ids, list those that wait."""
    row, chosen = _orders_meant(app, args, "Reject")
    if chosen is None:
        return _orders_waiting(app, row)
    wanted = [each for each in chosen if not each.gone]
    keys = {each.key for each in wanted}
    paths = dict.fromkeys(each.path or "" for each in wanted)
    # Standing orders may lie beside the notebook; what is not in it is not ours to write.
    outside = next((path for path in paths if path.startswith("../")), None)
    if outside:
        raise InvalidInput(f"{outside} is not in the notebook", hint="Change it in an editor.")
    if paths:
        open_notebook(app, row.name).write_all({path: partial(_without, path, keys) for path in paths})
    return Decided(row.name, "rejected", tuple(wanted), len(_matters(app, row)))


def _without(path: str, keys: set[str], text: str) -> str:
    return orders.without(path, text, keys)


def _orders_meant(app: App, args: Decide, verb: str) -> tuple[CollectionRow, tuple[Waiting, ...] | None]:
    """The notebook, and the orders that are meant; None if they are only to be listed."""
    row = places.notebook_row(app.connection, app.settings, args.notebook or None)
    matters = _matters(app, row)
    if args.ids:
        return row, tuple(dict.fromkeys(_order_named(each, matters) for each in args.ids))
    if not args.all or not matters:
        return row, None
    lines = [_order_text(each, Style()) for each in matters]
    if not app.ask("\n".join([*lines, f"{verb} {count_of(len(matters), 'order')}?"])):
        raise InvalidInput(
            "nothing was decided",
            hint="--all asks a question at a terminal; elsewhere, name the ids that the list shows.",
        )
    return row, tuple(matters)


def _order_named(given: str, matters: Sequence[Waiting]) -> Waiting:
    """The order that an id, or the beginning of one, means."""
    wanted = given.strip().lower()
    found = [each for each in matters if each.key.startswith(wanted)] if len(wanted) >= SHORTEST_ID else []
    keys = list(dict.fromkeys(each.key for each in found))
    if len(keys) > 1:  # two orders can be made that share the first characters: then all of them count
        raise Ambiguous(
            f"{given!r} fits {len(keys)} orders", hint=f"Name one: {', '.join(keys)}.", candidates=keys
        )
    if not found:
        raise NotFound(f"no order {given!r} waits", hint="`quaid context approve` lists those that do.")
    return found[0]


def _orders_waiting(app: App, row: CollectionRow) -> Decided:
    matters = _matters(app, row)
    return Decided(row.name, "listed", tuple(matters), len(matters))


def _order_text(each: Waiting, style: Style) -> str:
    """An order to the last character: what is approved must have been seen."""
    if each.gone:
        about = f"approved {(each.at or '')[:10]}, gone from the file"
    else:
        written = f"written {each.by}" if each.by == UNKNOWN else f"written by {each.by}"
        when = f", {each.at}" if each.at else ""
        about = f"{each.path}, line {each.line}, {written}{when}"
    lines = [f"{style.bold(each.id)}  {style.dim(fence.attribute(about))}"]
    lines += [style.dim(f"  {line}") for above in each.under for line in fence.harmless(above).split("\n")]
    lines += [f"  {line}" for line in fence.harmless(each.text).split("\n")]
    return "\n".join(lines)


def _text(result: Decided, style: Style) -> str:
    lines = [_order_text(each, style) for each in result.orders]
    if result.action == "listed":
        if not lines:
            return "No standing order waits."
        next_step = (
            f"{count_of(len(lines), 'order')} to decide. `quaid context approve ID` makes one binding, "
            "`quaid context reject ID` takes it out; --all means all of them."
        )
        return "\n".join([*lines, "", next_step])
    left = f"; {result.waiting:,} to decide" if result.waiting else ""
    return "\n".join([*lines, f"{result.action} {count_of(len(lines), 'order')}{left}"])


CONTEXT_APPROVE = Operation(
    "context approve",
    approve,
    render=_text,
    effect="write",
    transaction="own",
    for_people=True,
    examples=("context approve", "context approve 3f9a0c12b7de", "context approve --all"),
)
CONTEXT_REJECT = Operation(
    "context reject",
    reject,
    render=_text,
    effect="destructive",
    transaction="own",
    for_people=True,
    examples=("context reject 3f9a0c12b7de",),
)
