"""A server of processes that end where they are told to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.stress.mortal import Killer, killing


@pytest.fixture(scope="session")
def killer() -> Iterator[Killer]:
    with killing() as found:
        yield found
