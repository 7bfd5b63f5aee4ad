"""Write what each client's configuration looks like after a set-up: python tests/agents/golden/record.py.

Each client has a folder for each scope: `before` is a home or a project, `after` the files that change.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from quaid.agents.setup.client_setup import Choice, set_up
from quaid.agents.setup.clients import CLIENTS, Around, Client, Scope
from quaid.agents.setup.entries import Wanted

HERE = Path(__file__).parent
WANTED = Wanted("quaid", ("/opt/quaid/bin/quaid",), Path("/home/ann/my memory.db"), "full")


def files(folder: Path) -> dict[str, bytes]:
    """All files in a folder, by path; those of the set-up itself are left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".quaid" not in path.relative_to(folder).parts
    }


def around(root: Path) -> Around:
    """A machine whose home and project are one folder."""
    return Around(root, root, {}, "linux")


def before(client: Client, scope: Scope, root: Path) -> None:
    """Put a client's files there as they are before a set-up."""
    source = HERE / client.name / scope / "before"
    if source.is_dir():
        shutil.copytree(source, root, dirs_exist_ok=True)


def main() -> None:
    """Set every client up in a new place, and keep what is there afterwards."""
    for client in CLIENTS:
        for scope in client.scopes:
            with tempfile.TemporaryDirectory() as folder:
                root = Path(folder)
                before(client, scope, root)
                set_up(client, WANTED, Choice(scope, skills=False), around(root))
                target = HERE / client.name / scope / "after"
                shutil.rmtree(target, ignore_errors=True)
                for path, data in files(root).items():
                    if not path.endswith(".quaid-backup"):
                        (target / path).parent.mkdir(parents=True, exist_ok=True)
                        (target / path).write_bytes(data)


if __name__ == "__main__":
    main()
