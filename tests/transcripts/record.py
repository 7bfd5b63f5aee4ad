"""Rewrite the expected output in documents: python tests/transcripts/record.py README.md docs/*.md."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from transcript import fresh_shell, replay


def main(names: list[str]) -> None:
    """Record each document anew; lines that still match through wildcards stay."""
    for name in names:
        path = Path(name)
        old = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as directory:
            new = replay(old, fresh_shell(Path(directory)))
        if new != old:
            path.write_text(new, encoding="utf-8")
        print(f"{name}: {'unchanged' if new == old else 'recorded'}")


if __name__ == "__main__":
    main(sys.argv[1:])
