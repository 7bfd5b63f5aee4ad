"""Names as numbers: what tables and their indexes compare takes eight bytes, however long a name is."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

from quaid.formats.addresses import Address


def name_key(name: str) -> int:
    """The number under which a folded name, or the name of a file, is kept.

    63 bits of a hash: of a million names, two have the same one with a chance of one in twenty million.
    """
    return int.from_bytes(_hash()(name.encode("utf-8", "surrogatepass")).digest()[:8]) >> 1


def file_key(address: Address) -> int | None:
    """The key of the file's name for which a link looks; None where such a file has the link's name too."""
    return None if address.is_end_of_path else name_key(address.name)


@cache
def _hash() -> Any:
    return sha256()


def sha256() -> Any:
    """SHA-256; without OpenSSL if that is not there yet: it takes longer to load than a page to read."""
    if "hashlib" not in sys.modules:
        for name in ("_sha2", "_sha256"):  # of newer and of older Pythons
            with suppress(ImportError):
                return import_module(name).sha256
    return import_module("hashlib").sha256
