"""How many links of real vaults lead where Obsidian leads them, before and after random moves.

    python bench/links.py VAULT... [--moves N]

A vault is a folder of Markdown files; a copy of it is worked on. What is right is judged from the files by
the model in tests/vault/obsidian.py, which shares nothing with the program.
"""

from __future__ import annotations

import argparse
import posixpath
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from quaid.errors import QuaidError
from quaid.formats.slugs import slugify
from tests.support import call
from tests.vault import obsidian
from tests.vault.support import NAME, Vault


def main() -> None:
    """Print a row for each vault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", nargs="+", type=Path)
    parser.add_argument("--moves", type=int, default=60)
    options = parser.parse_args()
    print(
        "| vault | links | as in Obsidian | moves | turned by moves | as in Obsidian after | ms for a move |"
    )
    print("|---|---|---|---|---|---|---|")
    for source in options.vaults:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory) / "vault"
            shutil.copytree(source, root)
            vault = Vault(root, Path(directory) / "memory.db")
            vault.sync()
            print(f"| {source.name} | {measured(vault, options.moves)} |", flush=True)
            vault.app.store.close()


def measured(vault: Vault, moves: int) -> str:
    """The figures of one vault."""
    right, total = equal(vault)
    led, source, done, spent = model(vault).leads(), random.Random(1), 0, 0.0
    for _ in range(moves):
        slugs, ids = vault.slugs(), vault.ids()
        path, other = source.sample(sorted(slugs), 2)
        folder = source.choice((posixpath.dirname(path), posixpath.dirname(other)))
        name = source.choice((posixpath.basename(path), posixpath.basename(other)))
        start = time.process_time()
        try:
            call(vault.app, "mv", slug=f"{NAME}::{slugs[path]}", to=slugify(posixpath.join(folder, name)))
        except QuaidError:
            continue
        spent, done = spent + time.process_time() - start, done + 1
        new = next(each for each, page_id in vault.ids().items() if page_id == ids[path])
        led = {
            new if origin == path else origin: [new if goal == path else goal for goal in goals]
            for origin, goals in led.items()
        }
    now = model(vault).leads()
    turned = sum(
        bool(goal) and goal != then
        for origin, goals in led.items()
        for goal, then in zip(goals, now[origin], strict=True)
    )
    after, _ = equal(vault)
    each = 1000 * spent / max(done, 1)
    return f"{total:,} | {right:,} | {done} | {turned} | {after:,} | {each:.0f}"


def model(vault: Vault) -> obsidian.Vault:
    """The files as they are now."""
    files = {path: (vault.root / path).read_bytes() for path in vault.slugs() if path.endswith(".md")}
    return obsidian.Vault(
        {path: data.decode(errors="replace").replace("\r\n", "\n") for path, data in files.items()}
    )


def equal(vault: Vault) -> tuple[int, int]:
    """How many links to files lead where the model says, and how many there are, each once for a page."""
    known = model(vault)
    found = vault.app.connection.execute(
        """SELECT f.path, l.target, l.written, l.source_kind, t.path FROM links l
           JOIN live_pages f ON f.id = l.from_page_id LEFT JOIN live_pages t ON t.id = l.to_page_id
           WHERE l.source_kind <> 'frontmatter' AND NOT instr(l.target, '::')"""
    )
    right = total = 0
    for origin, target, written, kind, goal in found:
        file = known.file(origin, written or target, kind == "markdown_link")
        total += 1
        right += file is None or file == goal
    return right, total


if __name__ == "__main__":
    main()
