"""How many secrets are masked, and how much else: python bench/masks.py [FOLDER ...] [--show].

Two labelled sets of planted secrets and of harmless lines: one that the rules were written with, one by
somebody who had not read them. Then every text below the folders (vaults, checkouts of known projects), where
each line with a finding counts as a false alarm, whatever it is: keys and passwords of tests are among them.
`--show` names what was missed in the own set, and the places of alarms; never the unseen set.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from _measures import table

from quaid.formats.secrets import find, masked

LABELLED = Path(__file__).parent / "labelled"
OWN, UNSEEN = "secrets-own.json", "secrets.json"
SNIFFED = 8_000


def counts(rows: dict[str, Any]) -> tuple[int, list[str], int, list[str]]:
    """Of a set: the secrets, which kinds are missed, the harmless lines, and which of them are touched."""
    missed = [row["kind"] for row in rows["secrets"] if row["secret"] in masked(row["line"])]
    touched = [row["line"] for row in rows["harmless"] if masked(row["line"]) != row["line"]]
    return len(rows["secrets"]), missed, len(rows["harmless"]), touched


def labelled(name: str, *, show: bool) -> tuple[object, ...]:
    """A row: how much of a set is masked, and how many harmless lines are touched."""
    planted, missed, harmless, touched = counts(json.loads((LABELLED / name).read_text(encoding="utf-8")))
    if show:
        print("\n".join([*(f"missed: {kind}" for kind in missed), *(f"touched: {line}" for line in touched)]))
    share = 100 * (planted - len(missed)) / planted
    return name, planted, planted - len(missed), f"{share:.1f} %", harmless, len(touched)


def scanned(folder: Path, *, show: bool) -> tuple[object, ...]:
    """A row: the lines with a finding below a folder, and how fast that was."""
    lines = alarms = size = 0
    spent = 0.0
    for path in sorted(folder.rglob("*")):
        if ".git" in path.parts or path.is_symlink() or not path.is_file():
            continue
        data = path.read_bytes()
        if b"\0" in data[:SNIFFED]:
            continue
        text = data.decode(errors="replace")
        started = time.process_time()
        found = find(text)
        spent += time.process_time() - started
        size += len(data)
        lines += text.count("\n") + 1
        places = {text.count("\n", 0, secret.start) + 1: secret.rule for secret in found}
        alarms += len(places)
        if show:
            print("\n".join(f"{path.relative_to(folder)}:{line} {rule}" for line, rule in places.items()))
    speed = size / 1e6 / spent if spent else 0.0
    return folder.name, f"{lines:,}", alarms, f"{1000 * alarms / max(1, lines):.3f}", speed


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    rows = [labelled(OWN, show=given.show), labelled(UNSEEN, show=False)]
    print(table(("set", "planted", "masked", "share", "harmless", "touched"), rows))
    if given.folders:
        rows = [scanned(each, show=given.show) for each in given.folders]
        print(table(("folder", "lines", "lines with a finding", "in 1,000", "MB/s"), rows))


if __name__ == "__main__":
    main()
