"""Every index passes the same tests: the memory's own, and the shared one of LanceDB in a folder."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from quaid.app import App
from tests.contract.arms import ArmsContract
from tests.support import PATIENCE, call


class TestOwn(ArmsContract):
    def settings(self, tmp_path: Path) -> dict[str, str]:
        return {"query.catch_up": "0"}

    def settle(self, app: App) -> None:
        call(app, "embed")


@pytest.mark.skipif(not find_spec("lancedb"), reason="LanceDB is not installed: pip install 'quaid[lance]'")
class TestLance(ArmsContract):
    def settings(self, tmp_path: Path) -> dict[str, str]:
        place = str(tmp_path / "index")
        return {
            "search.engine": "lance",
            "search.engine_place": place,
            "search.engine_timeout": str(PATIENCE),
        }

    def settle(self, app: App) -> None:
        call(app, "engine sync")
