"""The process that embeds a memory in the background: python -m quaid.cli.worker MEMORY."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from quaid.cli.console import Console
from quaid.cli.session import Session
from quaid.errors import QuaidError, ReadOnly
from quaid.home import home_directory

NICENESS = 19  # whatever else the machine has to do comes first


def main(path: str) -> int:
    """Embed what is to be embedded, at low priority, and end."""
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    session = Session(path, Console(False, os.environ), os.environ, Path("/"), Path(home_directory()))
    try:
        session.app.background.work()
    except QuaidError as error:
        return error.exit_status
    except OSError:  # nothing can be written beside the memory any more
        return ReadOnly.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
