"""A client that runs in a browser, in a page of another site: let in through OAuth, and not without."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from quaid.app.tokens import Tokens
from tests.graph.browser import Room, Tab
from tests.support import open_memory
from tests.web.serving import TOKEN, Running, running

HOST = {"Content-Type": "application/json"}


class Quiet(SimpleHTTPRequestHandler):
    """A site elsewhere that writes no log."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Another site: to a browser, `localhost` has nothing to do with 127.0.0.1."""
    serving = ThreadingHTTPServer(("localhost", 0), partial(Quiet, directory=str(Path(__file__).parent)))
    thread = threading.Thread(target=serving.serve_forever)
    thread.start()
    yield f"http://localhost:{serving.server_port}/client.html"
    serving.shutdown()
    thread.join()
    serving.server_close()


@pytest.fixture(scope="module")
def tab(site: str, browser: Room) -> Tab:
    return browser.open(site)


@pytest.fixture
def terminal() -> list[str]:
    """What the server tells the person."""
    return []


@pytest.fixture
def server(tmp_path: Path, terminal: list[str]) -> Iterator[Running]:
    db = tmp_path / "memory.db"
    open_memory(db).store.close()
    with running(db, oauth=terminal.append, names=()) as served:
        yield served


def address(server: Running, path: str) -> str:
    return f"http://127.0.0.1:{server.port}{path}"


def tried(tab: Tab, server: Running, path: str, **options: object) -> object:
    """What a page elsewhere is told when it asks: a status, or nothing."""
    return tab.evaluate(f"tried({json.dumps(address(server, path))}, {json.dumps(options)})")


def test_from_the_address_of_a_server_to_a_tool(
    tab: Tab, site: str, server: Running, terminal: list[str]
) -> None:
    tab.go(site)
    tab.evaluate(f"connect({json.dumps(address(server, '/mcp'))})")
    tab.wait_for("document.querySelector('input[name=code]') !== null")
    assert "Browser client" in tab.text("body")
    tab.fill("input[name=code]", terminal[-1].rpartition(" ")[2])
    tab.click("button[value=allow]")
    tab.wait_for("document.body?.dataset.ready === 'true' && location.search.includes('code=')")
    done = tab.evaluate("finish()")
    assert done["written"]["version"] == 1
    assert done["ended"] == 200
    assert server.get("/api/get?slug=tea").status == 200
    assert [each.name for each in Tokens(server.db.parent, server.db).everything()] == ["browser-client"]
    headers = {"Authorization": f"Bearer {done['token']}"}
    assert tried(tab, server, "/api/stats", headers=headers) == "nothing", "a client of MCP needs MCP alone"


def test_a_page_elsewhere_gets_nothing_without_a_token(tab: Tab, site: str, server: Running) -> None:
    tab.go(site)
    asked = {"method": "POST", "headers": HOST, "body": "{}"}
    assert tried(tab, server, "/mcp", **asked) == 401
    assert tried(tab, server, "/mcp", **asked, credentials="include") == "nothing"
    assert tried(tab, server, "/mcp", method="PUT") == "nothing"
    for path in ("/api/stats", "/api/openapi.json", "/api/events", "/healthz", "/consent", "/authorize"):
        assert tried(tab, server, path) == "nothing", path
    assert tried(tab, server, "/consent", method="POST", body="answer=allow") == "nothing"


def test_where_nobody_asked_for_oauth_pages_elsewhere_get_nothing_at_all(
    tab: Tab, site: str, tmp_path: Path
) -> None:
    tab.go(site)
    db = tmp_path / "memory.db"
    open_memory(db).store.close()
    with running(db, names=()) as served:
        headers = {"Authorization": f"Bearer {TOKEN}", **HOST}
        assert tried(tab, served, "/mcp", method="POST", headers=headers, body="{}") == "nothing"
        assert tried(tab, served, "/.well-known/oauth-authorization-server") == "nothing"
