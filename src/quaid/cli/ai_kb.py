"""The `ai-kb` command: `quaid kb` by a shorter name."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from quaid.cli import main as program
from quaid.cli.program import AI_KB


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the answer is the exit status."""
    if argv is None:
        gc.disable()  # a process of its own is short, and looking for cycles takes a tenth of its time
    return program.main(argv, AI_KB)


if __name__ == "__main__":
    sys.exit(main())
