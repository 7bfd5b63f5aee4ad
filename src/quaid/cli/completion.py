"""Completion of commands, options, slugs, types, tags and other names in the shell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import pairwise

from quaid import operations
from quaid.cli.commands import BY_NAME
from quaid.cli.session import Session
from quaid.errors import QuaidError
from quaid.model.types import PAGE_TYPES
from quaid.operations.arguments import parameters
from quaid.operations.operation import Parameter
from quaid.settings import SETTINGS
from quaid.store import collections, pages, tags

LIMIT = 200


def complete(words: list[str], session: Callable[[str | None], Session]) -> int:
    """Print what the last word may become. Never fails: a shell has no use for an error."""
    try:
        for candidate in candidates(words[1:] if words[:1] == ["--"] else words, session):
            print(candidate)
    except (QuaidError, UnicodeError):
        pass
    return 0


def candidates(words: list[str], session: Callable[[str | None], Session]) -> list[str]:
    """What the last of the words may become."""
    db = next((after for word, after in pairwise(words) if word == "--db"), None)
    db = next((word.partition("=")[2] for word in words if word.startswith("--db=")), db)
    partial = words[-1] if words else ""
    before = [
        word for word, former in zip(words[:-1], ["", *words], strict=False) if not _common(word, former)
    ]
    if words[-2:-1] and words[-2] in ("--db", "--kb"):
        return []  # a path, which the shell knows
    names = [*operations.NAMES, *BY_NAME]
    command = next((name for name in sorted(names, key=len, reverse=True) if _starts(before, name)), None)
    if command is None:
        if before and partial.startswith("-"):
            return _matching(("--kb", "--json", "--help") if before == ["kb"] else (), partial)
        depth = len(before)
        firsts = {
            name.split()[depth]
            for name in names
            if len(name.split()) > depth and name.split()[:depth] == before
        }
        return _matching(firsts, partial)
    rest = before[len(command.split()) :]
    own = BY_NAME.get(command)
    known = own.arguments if own else parameters(operations.operation(command).arguments)
    wanted = _typed_word(known, rest, partial)
    if isinstance(wanted, list):
        return _matching(wanted, partial)
    return _values(wanted, partial, session(db)) if wanted else []


def _typed_word(known: tuple[Parameter, ...], words: list[str], partial: str) -> Parameter | list[str] | None:
    """What is being typed: a flag, or a value of some parameter."""
    by_flag = {parameter.flag: parameter for parameter in known if not parameter.facts.hidden}
    if partial.startswith("-"):
        return [
            "--db",
            "--json",
            "--help",
            *(flag for flag, each in by_flag.items() if not each.facts.positional),
        ]
    last = by_flag.get(words[-1]) if words else None
    if last and last.kind != "boolean":
        return list(last.choices) if last.choices else last
    values = 0
    for place, word in enumerate(words):
        owner = by_flag.get(words[place - 1]) if place else None
        takes_value = owner is not None and owner.kind != "boolean"
        values += not word.startswith("-") and not takes_value
    positional = [parameter for parameter in known if parameter.facts.positional]
    if values >= len(positional) and not (positional and positional[-1].facts.rest):
        return None
    wanted = positional[min(values, len(positional) - 1)]
    return list(wanted.choices) or wanted


def _values(parameter: Parameter, partial: str, session: Session) -> list[str]:
    kind = parameter.facts.completes
    if kind == "type":
        return _matching((known.name for known in PAGE_TYPES), partial)
    if kind == "setting":
        return _matching((setting.key for setting in SETTINGS), partial)
    if kind in ("client", "event", "skill", "tool"):
        # Loaded here, since a page's name is completed more often and should not wait for it.
        known: Iterable[str] = import_module("quaid.cli.known").names(kind, session.home)
        return _matching(known, partial)
    if kind == "slug":
        return pages.slugs_from(session.app.connection, partial, LIMIT)
    if kind == "tag":
        return tags.starting_with(session.app.connection, partial, LIMIT)
    if kind == "collection":
        return _matching(collections.names(session.app.connection), partial)
    return []


def _common(word: str, former: str) -> bool:
    """Whether a word belongs to the options that every command has."""
    return (
        word in ("--db", "--kb", "--json")
        or former in ("--db", "--kb")
        or word.startswith(("--db=", "--kb="))
    )


def _starts(words: list[str], name: str) -> bool:
    parts = name.split()
    return words[: len(parts)] == parts


def _matching(known: Iterable[str], partial: str) -> list[str]:
    return sorted(each for each in known if each.startswith(partial))
