"""The named tokens of a memory's server: who may ask, for what, and until when.

They are kept in the person's home, apart for each memory: one that comes from elsewhere brings no tokens
along. Of a token only the hash is kept; it is random enough that nobody finds it from that. A server reads
the list again when it has changed, so that a token that is revoked opens nothing from then on.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from quaid.errors import Conflict, InvalidInput, NotFound, ReadOnly, Untrusted
from quaid.files import exclusively, make_private_directory, open_own, read_own, replace_file
from quaid.model import spelling
from quaid.model.grant import RIGHTS, Grant, Right
from quaid.model.record import fields_of, record, replace
from quaid.trust import DIRECTORY, demand_own, real

FOLDER = "tokens"
PREFIX = "quaid_"
SECRET_BYTES = 32
MOST_BYTES = 4_000_000  # of a list
SHARED = "server"  # the name of the token that a server is started with
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_MINUTE = len("2026-11-16T12:00")  # how exactly the last use is noted


@record
class Token:
    """A token, without its secret. Times are as they are stored; one that never expires has no `expires`."""

    name: str
    digest: str
    can: Right
    collections: tuple[str, ...] = ()
    created: str = ""
    expires: str = ""
    used: str = ""

    def grant(self) -> Grant:
        """What it allows."""
        return Grant(self.name, self.can, self.collections)

    def is_valid(self, now: str) -> bool:
        """Whether it has not expired."""
        return not self.expires or now < self.expires


class Tokens:
    """The tokens of one memory."""

    def __init__(self, home: Path, database: Path) -> None:
        place = real(database.parent) / database.name
        self._memory = str(place)
        self._folder = home / DIRECTORY / FOLDER
        name = sha256(self._memory.encode(errors="surrogateescape")).hexdigest()[:32]
        self._file = self._folder / f"{name}.json"
        self._state: tuple[int, ...] | None = None
        self._known: dict[str, Token] = {}

    def everything(self) -> tuple[Token, ...]:
        """All tokens, by name."""
        return tuple(each for _, each in sorted(self._read().items()))

    def find(self, secret: str, now: str) -> Token | None:
        """The token that a secret is, unless it has expired."""
        digest = _digest(secret)
        found = next((each for each in self._read().values() if each.digest == digest), None)
        return found if found and found.is_valid(now) else None

    def add(self, token: Token) -> str:
        """Keep a new token; the answer is its secret, which is nowhere else."""
        if not _NAME.fullmatch(token.name) or token.name == SHARED:
            raise InvalidInput(
                f"{token.name!r} is no name of a token",
                hint="Small letters, digits, dots and dashes, such as laptop or ci.build.",
            )
        secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
        with self._writing() as known:
            if token.name in known:
                raise Conflict(
                    f"there is a token {token.name!r} already",
                    hint=f"`quaid token revoke {token.name}` takes it back, or choose another name.",
                )
            known[token.name] = replace(token, digest=_digest(secret))
        return secret

    def revoke(self, name: str) -> None:
        """Forget a token."""
        with self._writing() as known:
            if known.pop(name, None) is None:
                hint = spelling.hint(name, known, "`quaid token list` shows them.")
                raise NotFound(f"no token {name!r}", hint=hint)

    def note_use(self, name: str, now: str) -> None:
        """Note that a token was used, to the minute; where nothing can be written, nothing is noted."""
        minute = now[:_MINUTE]
        if self._known.get(name) is None or self._known[name].used[:_MINUTE] == minute:
            return
        with suppress(ReadOnly), self._writing() as known:
            if name in known:
                known[name] = replace(known[name], used=now)

    def _read(self) -> dict[str, Token]:
        try:
            facts = self._file.stat()
        except OSError:
            self._state, self._known = None, {}
            return self._known
        state = (facts.st_ino, facts.st_mtime_ns, facts.st_size)
        if state != self._state:
            demand_own(self._folder.parent, self._folder, self._file)
            self._known = _tokens(self._file)
            self._state = state
        return self._known

    @contextmanager
    def _writing(self) -> Iterator[dict[str, Token]]:
        try:
            make_private_directory(self._folder)
            with open_own(self._file.with_suffix(".lock")) as lock, exclusively(lock):
                known = dict(self._read())
                yield known
                listed = {name: _data(each) for name, each in sorted(known.items())}
                data = json.dumps({"memory": self._memory, "tokens": listed}, indent=2) + "\n"
                replace_file(self._file, data.encode())
        except OSError as error:
            raise ReadOnly(
                f"{self._folder} cannot be used: {error.strerror or error}",
                hint="Tokens are kept there. Set HOME to a directory that you can write to.",
            ) from None


def _digest(secret: str) -> str:
    return sha256(secret.encode(errors="surrogateescape")).hexdigest()


def _data(token: Token) -> dict[str, Any]:
    values = {each.name: getattr(token, each.name) for each in fields_of(Token) if each.name != "name"}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items() if value
    }


def _tokens(path: Path) -> dict[str, Token]:
    """The tokens of a file; of one that cannot be read, none is believed."""
    try:
        listed = json.loads(read_own(path, MOST_BYTES))["tokens"]
        return {name: _token(name, dict(facts)) for name, facts in listed.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Untrusted(
            f"{path} cannot be read, so no token is valid",
            hint="Correct it, or delete it and make new tokens with `quaid token add`.",
        ) from None


def _token(name: str, facts: dict[str, Any]) -> Token:
    can: Right = facts.pop("can")
    if can not in RIGHTS:
        raise ValueError(can)
    collections = tuple(map(str, facts.pop("collections", ())))
    texts = {key: str(value) for key, value in facts.items() if key in _TEXTS}
    return Token(name=name, can=can, collections=collections, **texts)


_TEXTS = ("digest", "created", "expires", "used")
