"""The `quaid` command, for `python -m quaid`."""

import sys

from quaid.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
