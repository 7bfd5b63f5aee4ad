"""The library over this server: the same object as over a file."""

from __future__ import annotations

import pytest

import quaid
from tests.web.serving import Running


def test_a_memory_of_a_server(server: Running) -> None:
    with quaid.open(
        f"http://127.0.0.1:{server.port}", token=server.token, actor="sorter", session="s1"
    ) as memory:
        assert memory.put("tea", "# Tea\n\nGreen, from the harbour.\n").version == 1
        assert memory.tag("tea", "x").tags == ("x",)
        assert memory.query("harbour", limit=2).results[0].slug == "tea"
        assert memory.history("tea").versions[0].by == "token server"
        assert memory.history("tea").versions[0].session == "s1"
        memory.list(type="teapot")
        assert "teapot" in memory.notices[-1]
        with pytest.raises(quaid.NotFound):
            memory.get("nobody")
        with pytest.raises(quaid.Conflict) as stale:
            memory.tag("tea", "y", page_version=1)
        assert stale.value.data["current_version"] == 2
        with pytest.raises(quaid.QuaidError) as refused:
            memory.export("out")
        assert refused.value.code == "forbidden"
    with (
        pytest.raises(quaid.QuaidError) as stranger,
        quaid.open(f"http://127.0.0.1:{server.port}", token="wrong") as memory,
    ):
        memory.get("tea")
    assert stranger.value.code == "unauthorized"
