"""A server for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support import open_memory
from tests.web.serving import Running, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server over an empty memory."""
    db = tmp_path_factory.mktemp("web") / "memory.db"
    open_memory(db).store.close()
    with running(db) as served:
        yield served
