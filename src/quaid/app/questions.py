"""Questions that found no answer, in their own words, for the person who asked them.

The memory keeps hashes: whoever has a copy of it does not read what was asked. The words stand in the
person's home, where no tool of an agent shows them.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from quaid.files import exclusively, make_private_directory, make_private_file, replace_file

FILE = ".quaid/questions.json"
MOST = 1_000
MOST_BYTES = 4_000_000
LONGEST = 500  # characters


class Questions:
    """The questions of one person, by their hashes; the oldest are forgotten."""

    def __init__(self, home: Path) -> None:
        self._file = home / FILE

    def read(self) -> dict[str, str]:
        """What is known; what cannot be read is nothing."""
        try:
            with self._file.open("rb") as file:
                data = json.loads(file.read(MOST_BYTES))
            return {str(digest): str(question) for digest, question in data.items()}
        except (OSError, ValueError, RecursionError, AttributeError):
            return {}

    def note(self, digest: str, question: str) -> None:
        """Keep a question. Where nothing can be written nothing is kept: no answer fails for that."""
        lock = self._file.with_suffix(".lock")
        with suppress(OSError):
            make_private_directory(self._file.parent)
            make_private_file(lock)
            with lock.open("r+b") as held, exclusively(held):
                known = {each: words for each, words in self.read().items() if each != digest}
                known[digest] = " ".join(question.split())[:LONGEST]
                kept = dict(list(known.items())[-MOST:])
                replace_file(self._file, json.dumps(kept, ensure_ascii=False).encode())
