"""An import that is killed at any instant has imported everything or nothing."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.foreign.importers.support import imported, write
from tests.support import call, lengths, open_memory

pytestmark = pytest.mark.stress

PAGES = 300

IMPORTER = """
import sys
from pathlib import Path
from quaid import operations
from quaid.app import App
from quaid.app.app import Surroundings
from quaid.operations.imports import IMPORT, Import
from quaid.settings import Settings
from quaid.store.connection import Store

def progress(done, total):
    print(done, flush=True)

app = App(Store.open(Path(sys.argv[1])), Settings(), surroundings=Surroundings(progress=progress))
operations.run(app, IMPORT, Import(sys.argv[2]))
print("done", flush=True)
"""


@lengths("kills", 3, 12)
def test_a_killed_import_leaves_nothing_and_can_be_repeated(tmp_path: Path, kills: int) -> None:
    folder = write(
        tmp_path / "in", {f"d/{n}.md": f"# Page {n}\n\n[[{n + 1}]] {'word ' * 50}\n" for n in range(PAGES)}
    )
    path = tmp_path / "memory.db"
    app = open_memory(path)
    rng = random.Random(7)
    for _ in range(kills):
        killed_at = rng.randrange(PAGES + 2)
        process = subprocess.Popen(
            [sys.executable, "-c", IMPORTER, str(path), str(folder)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout
        for number, line in enumerate(process.stdout):
            if number >= killed_at or line == "done\n":
                break
        acknowledged = line == "done\n"
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        pages = call(app, "stats")["counts"]["pages"]
        assert pages in ((PAGES,) if acknowledged else (0, PAGES))
        assert not call(app, "validate", all=True)["findings"]
        if pages:
            break
    assert imported(app, folder)["pages"] == PAGES
    app.store.close()
