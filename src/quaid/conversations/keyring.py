"""The keys with which conversations are sealed before they leave the machine.

They stand in a file of the person's own, a line for each: the first seals, all of them open. AES-SIV (RFC
5297) is authenticated, and the same text under the same key is the same bytes, so that what has not changed
makes no commit, and no counter has to be kept on every machine.
"""

from __future__ import annotations

import base64
import os
import re
import zlib
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from quaid.errors import InvalidInput, NotFound, Untrusted
from quaid.files import PRIVATE_FILE, exclusively, make_private_directory, open_own, read_own, replace_file
from quaid.model.record import record
from quaid.trust import DIRECTORY, demand_own

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

FILE, _LOCK = "conversations.keys", "conversations.keys.lock"
IMPORT = "On the machine that has it: quaid sync key. Here: quaid sync key import."
_BYTES = 64  # two keys of 256 bits: one for the mark of authenticity, one for the text
_MOST = 100_000  # bytes of the file
_LINE = re.compile(r"quaid-key-1:(?P<id>[0-9a-f]{8}):(?P<key>[\w-]{86}==)")
_SEALED = re.compile(rb"quaid-sealed-1 (?P<id>[0-9a-f]{8})\n\0")


@record
class Key:
    """A key; its id says which one it is, and nothing more."""

    id: str
    secret: bytes

    def __str__(self) -> str:
        return f"quaid-key-1:{self.id}:{base64.urlsafe_b64encode(self.secret).decode()}"

    def sealed(self, data: bytes, about: str) -> bytes:
        """Some data, sealed. `about` is part of it: what was sealed for one thing opens for no other."""
        # The first byte that is no text tells git not to show it as one.
        return b"quaid-sealed-1 %s\n\0" % self.id.encode() + _cipher(self).encrypt(
            zlib.compress(data, 9), [about.encode()]
        )


def _cipher(key: Key) -> AESSIV:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV  # 30 ms that only sealing costs

    return AESSIV(key.secret)


def key_from(secret: bytes) -> Key:
    """The key that some bytes are."""
    return Key(sha256(b"quaid key\0" + secret).hexdigest()[:8], secret)


def sealed_by(data: bytes) -> str:
    """The id of the key with which some data are sealed; "" if they are not."""
    found = _SEALED.match(data)
    return found["id"].decode() if found else ""


class Keyring:
    """The keys of one person."""

    def __init__(self, home: Path) -> None:
        self._directory = home / DIRECTORY
        self.path = self._directory / FILE
        self._read: tuple[Key, ...] | None = None

    @property
    def keys(self) -> tuple[Key, ...]:
        """All keys, the one that seals first; none if there is no file."""
        if self._read is None:
            self._read = self._from_file()
        return self._read

    def _from_file(self) -> tuple[Key, ...]:
        try:
            demand_own(self._directory, self.path)
            text = read_own(self.path, _MOST).decode("ascii", "replace")
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise Untrusted(
                f"{self.path} cannot be read: {error.strerror}", hint="Look what it is."
            ) from None
        return keys_in(text, str(self.path))

    def sealing_key(self) -> Key:
        """The key that seals, made if there is none."""
        return (self.keys or self.add((key_from(os.urandom(_BYTES)),), only_first=True))[0]

    def add(self, new: tuple[Key, ...], *, only_first: bool = False) -> tuple[Key, ...]:
        """Put keys before those that are there; `only_first`: unless there are any. All keys then."""
        make_private_directory(self._directory)
        with open_own(self._directory / _LOCK) as lock, exclusively(lock):
            known = self._from_file()
            if only_first and known:
                return known
            every = (*new, *(each for each in known if each not in new))
            if every != known:
                replace_file(self.path, "".join(f"{each}\n" for each in every).encode())
                self.path.chmod(PRIVATE_FILE)
        self._read = every
        return every

    def opened(self, data: bytes, about: str) -> bytes:
        """What was sealed about something; refused without its key, and where a byte is other than it was."""
        found = _SEALED.match(data)
        key = next((each for each in self.keys if found and each.id == found["id"].decode()), None)
        if found is None or key is None:
            raise NotFound("the key with which it is sealed is not here", hint=IMPORT)
        from cryptography.exceptions import InvalidTag  # with the cipher

        try:
            plain = _cipher(key).decrypt(data[found.end() :], [about.encode()])
        except (InvalidTag, ValueError):
            raise Untrusted(
                "it was changed after it was sealed",
                hint="Somebody else has written it, or the disk is damaged: nothing of it is used.",
            ) from None
        return zlib.decompress(plain)


def keys_in(text: str, place: str) -> tuple[Key, ...]:
    """The keys that stand in a text, a line for each; one that is damaged is refused."""
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        match = _LINE.fullmatch(line)
        key = key_from(base64.urlsafe_b64decode(match["key"])) if match else None
        if key is None or match is None or key.id != match["id"]:
            raise InvalidInput(
                f"{place} has a line that is no key",
                hint="A key is one line, as `quaid sync key` prints it: quaid-key-1:…",
            )
        found.append(key)
    return tuple(dict.fromkeys(found))
