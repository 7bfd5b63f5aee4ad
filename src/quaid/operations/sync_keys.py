"""The keys with which conversations are sealed, taken from one machine to another."""

from __future__ import annotations

from quaid.app import App
from quaid.conversations.keyring import Keyring, keys_in
from quaid.errors import InvalidInput, NotFound
from quaid.model.record import record
from quaid.operations.fields import Nothing
from quaid.operations.operation import Operation, arg, option
from quaid.operations.text import count_of


@record
class Keys:
    """Keys as they are written down: whoever has them can read the conversations."""

    keys: tuple[str, ...]


def show(app: App, args: Nothing) -> Keys:
    """Print the keys with which conversations are sealed before they are shared.

    Take them to another machine by a way that you trust, and give them to `sync key import` there. Keep a
    copy: without a key, what was sealed with it cannot be read by anybody.
    """
    found = Keyring(app.home).keys
    if not found:
        raise NotFound(
            "there is no key on this machine",
            hint="quaid sync init --conversations encrypted makes one, quaid sync key import takes one in.",
        )
    return Keys(tuple(map(str, found)))


SYNC_KEY = Operation(
    "sync key",
    show,
    render=lambda result, style: "\n".join(result.keys),
    for_people=True,
    transaction="own",
    examples=("sync key",),
)


@record
class Import:
    content: str | None = option(
        "A file with keys, a line for each; otherwise standard input.", positional=True, from_file=True
    )
    encoding: str = arg("How the input was written.", default="utf-8", hidden=True)


@record
class Imported:
    """The keys that are here now, by their ids; the first one seals."""

    keys: tuple[str, ...]
    new: int


def import_keys(app: App, args: Import) -> Imported:
    """Take in keys that `sync key` has printed on another machine.

    They are read from a file or from standard input, never from the command line, where other programs could
    see them. The first of them seals from now on; those that were here still open what they have sealed.
    """
    new = keys_in(args.content or "", "the input")
    if not new:
        raise InvalidInput("there is no key in it", hint="Give what `quaid sync key` prints.")
    ring = Keyring(app.home)
    known = ring.keys
    return Imported(tuple(key.id for key in ring.add(new)), len({*new} - {*known}))


SYNC_KEY_IMPORT = Operation(
    "sync key import",
    import_keys,
    render=lambda result, style: f"{count_of(result.new, 'new key')}; {result.keys[0]} seals conversations",
    effect="write",
    for_people=True,
    transaction="own",
    examples=("sync key import keys.txt", "sync key import < keys.txt"),
)
