"""The collections that there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.app import App
from quaid.store import collections
from quaid.vault.collection import Collection
from tests.contract.collection import CollectionContract


class TestNative(CollectionContract):
    """Pages that live in memory.db."""

    @pytest.fixture
    def collection(self, app: App) -> Collection:
        return app.collection()


class TestSecondNative(CollectionContract):
    """A collection beside the default one."""

    @pytest.fixture
    def collection(self, app: App) -> Collection:
        return app.new_collection("work")


class TestFiles(CollectionContract):
    """Pages that live in a folder."""

    @pytest.fixture
    def collection(self, app: App, tmp_path: Path) -> Collection:
        root = tmp_path / "vault"
        root.mkdir()
        app.territory.annex(root)
        collections.insert(app.connection, "vault", str(root), "vault")
        return app.collection("vault")

    @pytest.fixture(autouse=True)
    def files_and_pages_agree(self, app: App, collection: Collection, tmp_path: Path) -> object:
        """Whatever a test did: the files hold the pages, and a sync has nothing to do."""
        yield
        report = app.sync(app.collection_row("vault")).run(accept_empty=True)
        assert not report.changed
        texts = {
            path.relative_to(tmp_path / "vault").as_posix(): path.read_bytes()
            for path in (tmp_path / "vault").rglob("*.md")
        }
        stored = app.connection.execute("SELECT path, text FROM live_pages WHERE path IS NOT NULL")
        assert {path: text.encode() for path, text in stored} == {
            path: data.removeprefix(b"\xef\xbb\xbf") if path == "a.md" else data
            for path, data in texts.items()
        }
