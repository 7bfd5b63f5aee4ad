"""Conversations that are shared with other machines, in a folder of pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from quaid.app import App
from quaid.conversations.exchange import Exchange, Shared, obstacle
from quaid.conversations.keyring import Keyring
from quaid.conversations.shelf import FOLDER, Form, Shelf
from quaid.errors import QuaidError
from quaid.index.matrix import remove_turn_copies
from quaid.model.record import record
from quaid.operations.text import count_of
from quaid.store import erasure
from quaid.sync.git import Git
from quaid.trust import real

Choice = Literal["out", "plain", "encrypted"]


@record
class Standing:
    """How conversations take part in a folder."""

    form: Choice = "out"
    problem: str = ""
    hint: str = ""


def choice_of(app: App, git: Git) -> Choice:
    """Whether this memory's conversations go into a folder, and how; out unless the person chose."""
    stated = git.config(_setting(app))
    return "plain" if stated == "plain" else "encrypted" if stated == "encrypted" else "out"


def choose(app: App, git: Git, choice: Choice) -> None:
    """Note what the person chose, for this memory and this folder."""
    if choice_of(app, git) != choice:
        git.ask("config", _setting(app), choice)


def standing(app: App, git: Git) -> Standing:
    """How they stand, without a look at each."""
    choice = choice_of(app, git)
    return Standing() if choice == "out" else Standing(choice, *obstacle(_shelf(app, git.root, choice)))


def exchange(app: App, git: Git, *, writing: bool) -> Shared | None:
    """Bring conversations and a folder into step; None if they are left out. A failure is a problem."""
    choice = choice_of(app, git)
    if choice == "out":
        return None
    return _outcome_of(app, lambda each: each.run(writing=writing), _shelf(app, git.root, choice))


def conversion(app: App, git: Git) -> Shared | None:
    """Bring what is in a folder into the form that was chosen."""
    choice = choice_of(app, git)
    return None if choice == "out" else _outcome_of(app, Exchange.convert, _shelf(app, git.root, choice))


def notices_of(app: App, git: Git) -> list[str]:
    """What a person should know once they have chosen."""
    choice = choice_of(app, git)
    notices = []
    if choice == "encrypted":
        key = Keyring(app.home).sealing_key()
        notices.append(f"conversations are sealed with the key {key.id}; other machines: quaid sync key")
    if choice == "out" and (git.root / FOLDER).exists():
        notices.append(f"what is in {FOLDER} stays there, for the others")
    if choice != "out" and git.run("check-ignore", "--quiet", f"{FOLDER}/part").status == 0:
        notices.append(f".gitignore leaves {FOLDER} out: no conversation is sent")
    return notices


def outcome_lines(done: Shared) -> list[str]:
    """What came of it, in lines."""
    did = [
        f"{count_of(count, noun)} {verb}"
        for count, noun, verb in (
            (done.given, "conversation", "put there"),
            (done.taken, "turn", "taken in"),
            (done.forgotten, "conversation", "forgotten, as elsewhere"),
            (done.withheld, "turn", "kept back: it would look like a secret"),
        )
        if count
    ]
    return [*([f"conversations: {', '.join(did)}"] if did else []), *done.notices]


def united(one: Shared, other: Shared | None) -> Shared:
    """What two exchanges did together."""
    both = [each for each in (one, other) if each]
    return Shared(
        given=sum(each.given for each in both),
        taken=sum(each.taken for each in both),
        forgotten=sum(each.forgotten for each in both),
        withheld=sum(each.withheld for each in both[:1]),
        problem=both[-1].problem,
        hint=both[-1].hint,
        notices=tuple(dict.fromkeys(notice for each in both for notice in each.notices)),
    )


def _outcome_of(app: App, act: Callable[[Exchange], Shared], shelf: Shelf) -> Shared:
    try:
        done = act(Exchange(app.store, shelf))
    except QuaidError as error:
        return Shared(problem=f"conversations are not exchanged: {error.message}", hint=error.hint)
    except OSError as error:
        said = f"conversations are not exchanged: {error.strerror or error}"
        return Shared(problem=said, hint="What is half-written is put right by the next round.")
    if done.forgotten:
        remove_turn_copies(app.store.path)
        erasure.scrub(app.store)
    return done


def _shelf(app: App, root: Path, form: Form) -> Shelf:
    return Shelf(root, form, Keyring(app.home))


def _setting(app: App) -> str:
    """Git's setting. Another memory that has the same folder has conversations of its own."""
    return f"quaid.{real(app.store.path)}.conversations"
