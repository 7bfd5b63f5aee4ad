"""The named tokens of a memory's server: who may ask, for what, and until when.

They are kept in the person's home, apart for each memory: one that comes from elsewhere brings no tokens
along. Of a token only the hash is kept; it is random enough that nobody finds it from that. A server reads
the list again when it has changed, so that a token that is revoked opens nothing from then on.
"""

from __future__ import annotations

import itertools
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
MOST_CLIENTS = 100
SHARED = "server"  # the name of the token that a server is started with
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_MINUTE = len("2026-11-16T12:00")  # how exactly the last use is noted


@record
class Token:
    """A token, without its secret. Times are as they are stored; one that never expires has no `expires`.

    One that a client got by OAuth is renewed again and again: `renewal` is the hash of what it is renewed
    with, `spent` that of what it was renewed with last.
    """

    name: str
    digest: str
    can: Right
    collections: tuple[str, ...] = ()
    created: str = ""
    expires: str = ""
    used: str = ""
    client: str = ""
    renewal: str = ""
    renewable: str = ""  # until then
    spent: str = ""

    def grant(self) -> Grant:
        """What it allows."""
        return Grant(self.name, self.can, self.collections)

    def is_valid(self, now: str) -> bool:
        """Whether it has not expired."""
        return not self.expires or now < self.expires

    @property
    def ends(self) -> str:
        """When it opens nothing any more, unless its client does something; "" if never."""
        return self.renewable or self.expires


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
        self._clients: dict[str, dict[str, Any]] = {}

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
        secret = _secret()
        with self._writing() as known:
            if token.name in known:
                raise Conflict(
                    f"there is a token {token.name!r} already",
                    hint=f"`quaid token revoke {token.name}` takes it back, or choose another name.",
                )
            known[token.name] = replace(token, digest=_digest(secret))
        return secret

    def add_for_client(self, token: Token) -> tuple[Token, str, str]:
        """Keep a new token under a free name like its own; also its secret, and the one that renews it."""
        secret, renewal = _secret(), _secret()
        with self._writing() as known:
            names = (f"{token.name}-{count}" if count > 1 else token.name for count in itertools.count(1))
            free = next(name for name in names if name not in known and name != SHARED)
            made = replace(token, name=free, digest=_digest(secret), renewal=_digest(renewal))
            known[free] = made
        return made, secret, renewal

    def token_renewed_by(self, renewal: str, client: str, now: str) -> Token | None:
        """The token that a client can renew with a secret.

        One that was spent before is in two hands, and nobody knows which is the thief's: the token goes.
        """
        digest = _digest(renewal)
        for each in self._read().values():
            if each.client != client:
                continue
            if each.spent == digest:
                self.revoke(each.name)
                return None
            if each.renewal == digest and now < each.renewable:
                return each
        return None

    def renew(self, token: Token, expires: str, renewable: str) -> tuple[str, str]:
        """Give a token another secret, and another one that renews it; those before open nothing any more."""
        secret, renewal = _secret(), _secret()
        with self._writing() as known:
            if known.get(token.name, token).renewal != token.renewal or token.name not in known:
                raise Conflict(f"{token.name!r} was renewed by somebody else")
            known[token.name] = replace(
                known[token.name],
                digest=_digest(secret),
                expires=expires,
                renewal=_digest(renewal),
                renewable=renewable,
                spent=token.renewal,
            )
        return secret, renewal

    def client(self, identity: str) -> dict[str, Any] | None:
        """What a client said of itself that the person let in."""
        self._read()
        return self._clients.get(identity)

    def keep_client(self, identity: str, facts: dict[str, Any]) -> None:
        """Remember a client that the person let in; of very many, the last."""
        with self._writing():
            others = {key: value for key, value in self._clients.items() if key != identity}
            self._clients = dict(list(others.items())[1 - MOST_CLIENTS :]) | {identity: facts}

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
            self._state, self._known, self._clients = None, {}, {}
            return self._known
        state = (facts.st_ino, facts.st_mtime_ns, facts.st_size)
        if state != self._state:
            demand_own(self._folder.parent, self._folder, self._file)
            self._known, self._clients = _tokens_in(self._file)
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
                kept = {"memory": self._memory, "tokens": listed, "clients": self._clients}
                replace_file(self._file, (json.dumps(kept, indent=2) + "\n").encode())
        except OSError as error:
            raise ReadOnly(
                f"{self._folder} cannot be used: {error.strerror or error}",
                hint="Tokens are kept there. Set HOME to a directory that you can write to.",
            ) from None


def _secret() -> str:
    return PREFIX + secrets.token_urlsafe(SECRET_BYTES)


def _digest(secret: str) -> str:
    return sha256(secret.encode(errors="surrogateescape")).hexdigest()


def _data(token: Token) -> dict[str, Any]:
    values = {each.name: getattr(token, each.name) for each in fields_of(Token) if each.name != "name"}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items() if value
    }


def _tokens_in(path: Path) -> tuple[dict[str, Token], dict[str, dict[str, Any]]]:
    """The tokens and clients of a file; of one that cannot be read, none is believed."""
    try:
        listed = json.loads(read_own(path, MOST_BYTES))
        tokens = {name: _token(name, dict(facts)) for name, facts in listed["tokens"].items()}
        return tokens, {key: dict(facts) for key, facts in listed.get("clients", {}).items()}
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


_TEXTS = ("digest", "created", "expires", "used", "client", "renewal", "renewable", "spent")
