"""Names as numbers: what tables and their indexes compare takes eight bytes, however long a name is."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from quaid.system import hash_function

if TYPE_CHECKING:
    from quaid.formats.addresses import Address


@lru_cache(maxsize=4096)
def name_key(name: str) -> int:
    """The number under which a folded name, or the name of a file, is kept.

    63 bits of a hash: of a million names, two have the same one with a chance of one in twenty million.
    Cached, because links repeat names, and a file is mostly called as its page is.
    """
    return int.from_bytes(hash_function("sha256")(name.encode("utf-8", "surrogatepass")).digest()[:8]) >> 1


def file_key(address: Address) -> int | None:
    """The key of the file's name for which a link looks; None where such a file has the link's name too."""
    return None if address.is_end_of_path else name_key(address.name)
