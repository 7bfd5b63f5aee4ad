"""Many files, read ahead by this process or others and stored together, are what each would be alone."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from quaid.errors import Conflict
from quaid.formats.slugs import apart
from quaid.store import digest
from quaid.vault import readers, sync
from tests.support import call, dump, found, open_memory
from tests.sync.machines import git
from tests.vault.support import Vault

FILES: dict[str, str | bytes] = {
    "people/Ann Lee.md": "---\naliases: [Annie]\ntags: [one]\nworks_at: Acme\n---\n# Ann Lee\n[[acme]]\n",
    "people/ann-lee.md": "# Another Ann\n\n- Phone: 555-0134 22\n- [[Annie]]\n",
    f"people/{apart('people/ann-lee', 'people/Ann Lee.md').rpartition('/')[2]}.md": "In the way.\n",
    "acme.md": "# Acme\n\n> Makes things\n\n---\n\n- 2024-01-02 — Founded\n- 2024-01-02 — Founded\n",
    "old.md": "---\nassertions:\n- {predicate: led by, object: Bo, until: 2024-01-01}\n---\n# Old\n",
    "broken.md": "---\ntitle: [unclosed\n---\nStill here.\n",
    "empty.md": "",
    "latin.md": "Ein Müller".encode("latin-1"),
    "机器 学习.md": "# 机器学习\n\n很有意思 [[Ann Lee]]\n",
    "node.org": ":PROPERTIES:\n:ID: 1234-abcd\n:END:\n#+title: Node\n\n* Part\nText [[id:other]].\n",
    f"{'long-' * 48}one.md": "Long.\n",
    f"{'long-' * 48}two.md": "Longer.\n",
    "raw.md": "# Raw\n",
    ".raw/raw.json": '{"api": {"data": 1}}',
    "bad.md": "# Bad\n",
    ".raw/bad.json": "{",
    "table.md": "# Table\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nfoo@example.org\n",
    "large.md": "word " * 60_000,
    **{
        f"more/n-{number}.md": f"# N {number}\n\nSee [[n-{number + 1}]]. {'text ' * 50}\n"
        for number in range(40)
    },
}
MANY = 60
NOW = "2026-01-01T00:00:00Z"
STORED = (
    "pages",
    "page_names",
    "page_places",
    "tags",
    "timeline_entries",
    "links",
    "assertions",
    "chunks",
    "items",
)
Way = Callable[[pytest.MonkeyPatch], None]


def one_by_one(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sync, "FEW", 10_000)


def together(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sync, "AT_ONCE", 16)


def by_processes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(readers, "LEAST", 1)
    patch.setattr(readers, "AT_ONCE", 5)
    patch.setattr(readers, "possible", lambda: 2)


def by_dying_processes(patch: pytest.MonkeyPatch) -> None:
    by_processes(patch)
    patch.setattr(readers, "COMMAND", (sys.executable, "-c", "import os; os.read(0, 1)"))


def by_nobody(patch: pytest.MonkeyPatch) -> None:
    by_processes(patch)
    patch.setattr(readers, "COMMAND", ("/nowhere/python",))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("template")
    for path, data in FILES.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data.encode() if isinstance(data, str) else data)
        os.utime(place, (1_700_000_000, 1_700_000_000))
    return root


class Told:
    """What a person could see of a sync, and all that it stored."""

    def __init__(self, vault: Vault, report: sync.Report) -> None:
        self.report = (
            report.effects,
            sorted(report.slugs),
            report.failed,
            {each.path: each.message for each in report.problems},
        )
        self.digest = digest.of_collection(vault.app.connection, vault.row.id)
        tables = dump(vault.app.store.path)
        texts = dict(vault.app.connection.execute("SELECT id, whole(packed) FROM pages"))
        columns = [name for _, name, *_ in vault.app.connection.execute("PRAGMA table_xinfo(pages)")]
        place = columns.index("packed")  # however texts are packed
        tables["pages"] = [(*row[:place], texts[row[0]], *row[place + 1 :]) for row in tables["pages"]]
        self.rows = {name: sorted(tables[name], key=repr) for name in STORED}
        self.findings = call(vault.app, "validate", all=True)["findings"]


@pytest.fixture
def synced(template: Path, tmp_path: Path) -> Iterator[Callable[[str, Way], tuple[Vault, Told]]]:
    opened: list[Vault] = []

    def make(name: str, way: Way) -> tuple[Vault, Told]:
        root = tmp_path / name
        shutil.copytree(template, root)
        vault = Vault(root, tmp_path / f"{name}.db", lambda: NOW)
        opened.append(vault)
        with pytest.MonkeyPatch.context() as patch:
            way(patch)
            return vault, Told(vault, vault.sync())

    yield make
    for vault in opened:
        vault.app.store.close()


@pytest.mark.parametrize("way", [together, by_processes, by_dying_processes, by_nobody])
def test_many_files_together_are_what_each_is_alone(synced: Any, way: Way) -> None:
    _, alone = synced("alone", one_by_one)
    vault, many = synced("many", way)
    assert many.report == alone.report
    assert many.digest == alone.digest
    assert many.rows == alone.rows
    assert [each for each in many.findings if each not in alone.findings] == []
    assert found(vault.app, "学习") == found(vault.app, "机器")
    assert not vault.sync().changed


def test_a_checkout_that_changes_many_files(synced: Any) -> None:
    told = []
    for name, way in (("alone", one_by_one), ("many", by_processes)):
        vault, _ = synced(name, way)
        for place in vault.root.rglob("*.md"):
            if place.stat().st_size < 10_000:
                place.write_bytes(b"# Changed\n\n" + place.read_bytes() + b"\nwalrus\n")
        (vault.root / "acme.md").rename(vault.root / "more" / "acme.md")
        (vault.root / "empty.md").unlink()
        with pytest.MonkeyPatch.context() as patch:
            way(patch)
            told.append(Told(vault, vault.sync()))
    alone, many = told
    assert many.report == alone.report
    assert many.report[0]["changed"] > 40
    assert many.digest == alone.digest
    assert many.rows == alone.rows


def test_a_git_checkout_of_another_branch_appears_at_once(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    git(root, "init", "-q", "-b", "one")
    for branch, word in (("one", "walrus"), ("two", "penguin")):
        if branch == "two":
            git(root, "switch", "-q", "-c", branch)
        for number in range(MANY):
            text = f"---\ntags: [{word}]\n---\n# N {number}\n\nA {word}. [[n-{number + 1}]]\n"
            (root / f"n-{number}.md").write_text(text)
        git(root, "add", ".")
        git(root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", branch)
    vault = Vault(root, tmp_path / "memory.db", lambda: NOW)
    assert vault.sync().effects == {"added": MANY}
    for branch, word, other in (("one", "walrus", "penguin"), ("two", "penguin", "walrus")):
        git(root, "switch", "-q", branch)
        report = vault.sync()
        assert (report.effects, report.failed) == ({"changed": MANY}, ())
        assert len(call(vault.app, "list", tag=word, limit=2 * MANY)["pages"]) == MANY
        assert len(found(vault.app, word)) > 0
        assert found(vault.app, other) == []
    assert not vault.findings()
    assert vault.sync().effects == {}
    vault.close()


def test_words_are_found_while_it_goes_on_and_the_next_sync_goes_on_from_there(
    synced: Any, template: Path, tmp_path: Path
) -> None:
    _, whole = synced("whole", one_by_one)
    shutil.copytree(template, tmp_path / "stopped")
    vault = Vault(tmp_path / "stopped", tmp_path / "stopped.db", lambda: NOW)
    seen: list[int] = []

    def stop(done: int, total: int) -> None:
        sql = "SELECT count(*) FROM page_fts('text')"  # a command would read the other files first
        seen.append(vault.app.connection.execute(sql).get)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        by_processes(patch)
        patch.setattr(sync, "AT_ONCE", 8)
        with pytest.raises(KeyboardInterrupt):
            vault.sync(progress=stop)
        assert 0 < seen[-1] < 40
        before = len(vault.pages())
        rest = Told(vault, vault.sync())
    assert rest.report[0]["added"] == len(whole.report[1]) - before < len(whole.report[1])
    assert rest.digest == whole.digest
    vault.app.store.close()


def test_collection_add_goes_on_where_it_was_interrupted(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "AT_ONCE", 8)
    app = open_memory(tmp_path / "memory.db")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    app.progress = stop
    with pytest.raises(KeyboardInterrupt):
        call(app, "collection add", name="notes", folder=str(template))
    app.progress = None
    begun = app.connection.execute("SELECT count(*) FROM live_pages").get
    rest = call(app, "collection add", name="notes", folder=str(template))
    assert 0 < begun < rest["pages"] == begun + rest["effects"]["added"]
    with pytest.raises(Conflict):
        call(app, "collection add", name="notes", folder=str(template), read_only=True)
    app.store.close()


def test_a_file_that_changes_before_its_page_is_stored_is_looked_at_again(
    synced: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_all = readers.read_all

    def changing(home: Any, tasks: Any) -> Iterator[Any]:
        for task, result in zip(tasks, read_all(home, tasks), strict=True):
            if task.path == "more/n-3.md":
                Path(home.root, task.path).write_text("# Another text\n\npenguin\n")
            if task.path == "more/n-4.md":
                Path(home.root, task.path).unlink()
            yield result

    monkeypatch.setattr(readers, "read_all", changing)
    vault, _ = synced("many", together)
    assert found(vault.app, "penguin") == ["more/n-3"]
    assert "more/n-4.md" not in vault.pages()
    assert not vault.sync().changed


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells of the end of others' children")
def test_readers_end_with_whoever_started_them(template: Path) -> None:
    script = f"""if True:
        import json, subprocess, sys
        from quaid.vault import readers
        from quaid.vault.readings import Folder, Task
        begun, start = [], subprocess.Popen
        def popen(*words, **options):
            begun.append(start(*words, **options))
            return begun[-1]
        subprocess.Popen = popen
        readers.LEAST, readers.possible = 1, lambda: 2
        results = readers.read_all(Folder({str(template)!r}, 1, ""), [Task("acme.md", True)] * 500)
        next(results)
        print(json.dumps([each.pid for each in begun]), flush=True)
        sys.stdin.read()
    """
    parent = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert parent.stdout
    assert parent.stdin
    ends = [os.pidfd_open(pid) for pid in json.loads(parent.stdout.readline())]
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert len(ends) == 2
    for end in ends:
        assert select.select([end], [], [], 60)[0]
        os.close(end)
    parent.stdout.close()
    parent.stdin.close()
