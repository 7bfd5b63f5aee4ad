"""The `ai-kb` command: `quaid kb` by a shorter name."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from quaid.cli import main as program
from quaid.cli.program import AI_KB


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the answer is the exit status."""
    return program.main(argv, AI_KB)


if __name__ == "__main__":
    sys.exit(main())
