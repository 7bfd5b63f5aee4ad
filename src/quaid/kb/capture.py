"""Keep what a node rests on: a stub under raw/ with address, day and excerpt; the whole file on request.

Nothing is downloaded: whoever has read the source gives the excerpt.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from quaid.errors import Conflict, InvalidInput
from quaid.kb.edits import one_line
from quaid.kb.gate import Proposal, Written, message
from quaid.kb.nodes import Nodes
from quaid.kb.protocol import write
from quaid.kb.remember import refuse_odd
from quaid.kb.render import file_name
from quaid.kb.repository import Kb
from quaid.model.record import record

EXCERPT_BYTES = 16 * 1024
EXCERPT_WORDS = 2_000
FULL_BYTES = 20 * 1024 * 1024  # git keeps every version for ever
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://\S+\Z", re.IGNORECASE)
# Lines that org would read as a headline or as the end of the quotation.
_ACTIVE = re.compile(r"(?m)^(,*)(?=\*|#\+)")


@record
class Captured:
    """The stub, and the file if it was kept whole. The path is what a node's SOURCE names."""

    path: str
    file: str
    written: Written


def capture(
    kb: Kb, source: str, excerpt: str, *, title: str | None = None, full: bool = False, offline: bool = False
) -> Captured:
    """Keep a source. Too long an excerpt is refused: the whole belongs under raw/files, if anywhere."""
    address = is_address(source)
    place = Path(source).expanduser()
    if not address and not place.is_file():
        raise InvalidInput(
            f"{source} is neither an address nor a file", hint="Such as https://… or notes.pdf."
        )
    if full and address:
        raise InvalidInput(
            "--full keeps a file, and nothing is downloaded", hint="Save the page, then capture that file."
        )
    refuse_odd(source, excerpt, title)
    _check_excerpt(excerpt, full)
    name = title or (source if address else place.name)
    readable = re.sub(r"[a-z][a-z0-9+.-]*://(?:[^/@\s]*@)?", "", name, flags=re.IGNORECASE)
    stub = "raw/" + file_name(readable or "source", kb.moment)
    files: dict[str, str | bytes | None] = {}
    kept = ""
    if full:
        data = _whole(place)
        safe = re.sub(r"[^\w.-]+", "-", place.name, flags=re.ASCII).strip(".-")[-80:] or "file"
        kept = f"raw/files/{sha256(data).hexdigest()[:8]}-{safe}"
        files[kept] = data
    files[stub] = _stub(one_line(name), source, kept, excerpt, kb.today)

    def plan(nodes: Nodes) -> Proposal:
        if kb.file(stub).exists():
            raise Conflict(f"{stub} exists already", hint="Try again in a second, or give another --title.")
        return Proposal(files, message("Capture", one_line(name)))

    return Captured(stub, kept, write(kb, plan, offline=offline))


def is_address(source: str) -> bool:
    """Whether a source is an address such as https://…, and not a file."""
    return bool(_ADDRESS.match(source))


def _check_excerpt(excerpt: str, full: bool) -> None:
    if not excerpt.strip() and not full:
        raise InvalidInput(
            "there is no excerpt", hint="Give --excerpt TEXT or standard input; --full keeps a whole file."
        )
    size, count = len(excerpt.encode()), len(excerpt.split())
    if size > EXCERPT_BYTES or count > EXCERPT_WORDS:
        raise InvalidInput(
            f"the excerpt has {count:,} words and {size:,} bytes, "
            f"more than {EXCERPT_WORDS:,} or {EXCERPT_BYTES:,}",
            hint="Keep the part that matters; --full keeps a whole file under raw/files.",
        )


def _whole(place: Path) -> bytes:
    try:
        if place.stat().st_size > FULL_BYTES:
            raise InvalidInput(
                f"{place} has more than {FULL_BYTES // 2**20} MB",
                hint="Keep it elsewhere and name it in the stub.",
            )
        return place.read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"{place} cannot be read: {error.strerror}", hint="Name a readable file."
        ) from None


def _stub(title: str, source: str, kept: str, excerpt: str, today: str) -> str:
    lines = [f"#+title: {title}", f"#+source: {one_line(source)}", f"#+retrieved: {today}"]
    if kept:
        lines.append(f"#+file: {kept}")
    quoted = _ACTIVE.sub(r",\1", excerpt.replace("\r\n", "\n").replace("\0", "").strip("\n"))
    body = f"\n#+begin_quote\n{quoted}\n#+end_quote\n" if quoted else ""
    return "\n".join(lines) + "\n" + body
