"""The collections that there are."""

from __future__ import annotations

import pytest

from quaid.app import App
from quaid.vault.native import NativeCollection
from tests.contract.collection import CollectionContract


class TestNative(CollectionContract):
    """Pages that live in memory.db."""

    @pytest.fixture
    def collection(self, app: App) -> NativeCollection:
        return app.collection()


class TestSecondNative(CollectionContract):
    """A collection beside the default one."""

    @pytest.fixture
    def collection(self, app: App) -> NativeCollection:
        app.connection.execute("INSERT INTO collections (name) VALUES ('work')")
        return app.collection("work")
