"""The `ai-kb` command; `quaid kb` is the same.

It loads the module of one command and nothing else of the program: `ai-kb query` is asked before every task.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quaid import __version__
from quaid.cli.kb_line import help_text, overview, parse, split
from quaid.cli.kb_shell import Shell
from quaid.cli.kb_table import BY_NAME, SECTIONS
from quaid.errors import INTERRUPTED_STATUS, Internal, InvalidInput, QuaidError
from quaid.kb.place import chosen_root

if TYPE_CHECKING:
    from quaid.cli.parser import Given


def main(argv: Sequence[str] | None = None, program: str = "ai-kb") -> int:
    """Run one command; the answer is the exit status."""
    if argv is None:
        gc.disable()  # a process of its own is short, and looking for cycles takes a tenth of its time
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")  # type: ignore[union-attr]
    try:
        status = run(words, program)
        sys.stdout.flush()
        return status
    except QuaidError as error:
        return _say(error, words, program)
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS
    except BrokenPipeError:
        # Whoever read our output has gone; keep Python from complaining when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # surface: the last one
        if os.environ.get("QUAID_DEBUG"):
            raise
        hint = "This is a defect of Quaid. QUAID_DEBUG=1 shows where."
        return _say(Internal(f"{type(error).__name__}: {error}", hint=hint), words, program)


def run(words: Sequence[str], program: str) -> int:
    """Find the command among the words and run it; errors are for the caller."""
    name, rest = split(words)
    if not name:
        if "--version" in rest:
            print(f"{program} {__version__}")
            return 0
        print(overview(SECTIONS, program))
        return 0 if not words or {"--help", "-h"} & set(words) else InvalidInput.exit_status
    entry = BY_NAME.get(name)
    if entry is None:
        raise InvalidInput(f"there is no command {name!r}", hint=f"`{program} --help` lists them.")
    line = parse(entry, rest)
    if line.has("help"):
        print(help_text(entry, program))
        return 0
    root = chosen_root(line.text("kb"), os.environ, os.path.expanduser("~"))
    shell = Shell(program, root, line.has("json"), os.environ)
    return shell.delegate(entry.target, line)


def delegate(session: object, given: Given) -> int:
    """The same, for `quaid kb`."""
    return run(given.values.get("words", []), "quaid kb")


def _say(error: QuaidError, words: Sequence[str], program: str) -> int:
    if "--json" in words:
        import json  # not for text

        sys.stderr.write(json.dumps({"error": error.as_dict()}, ensure_ascii=False) + "\n")
    else:
        sys.stderr.write(f"{program}: {error.message} [{error.code}]\n")
        for finding in _findings(error)[1:]:
            sys.stderr.write(f"  {finding}\n")
        if error.hint:
            sys.stderr.write(f"  {error.hint}\n")
    return error.exit_status


def _findings(error: QuaidError) -> list[str]:
    found = error.data.get("findings")
    listed = found if isinstance(found, list) else []
    return [f"{each['path']}:{each['line']}: {each['message']} [{each['check']}]" for each in listed[:20]]


if __name__ == "__main__":
    sys.exit(main())
