"""The graph in the dashboard: part of the memory, or all of it, drawn by the graphics card."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from quaid.store.connection import Store
from tests.dashboard.serving import Dashboard, running
from tests.dashboard.steps import barriers, press, says
from tests.graph.browser import Tab
from tests.support import quick

MANY = 5_000
# As the store would have them; to write as many pages one by one would take longer than the test.
FILL = f"""
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY})
INSERT INTO pages (id, slug, type, title, created_at, updated_at, truth_changed_at, timeline_changed_at)
SELECT 100 + i, 'many/' || i, iif(i % 5, 'concept', 'person'), 'Page ' || i,
       '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-01' FROM n;
WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY})
INSERT INTO links (from_page_id, to_page_id, target, target_name, source, type)
SELECT 100 + i, 100 + (i + 5) / 6, '', 1, 0, iif(i % 10, NULL, 'knows')
FROM n;
"""


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    """A dashboard over a few pages that tell of people, and thousands that tell of nothing."""
    db = tmp_path_factory.mktemp("graph") / "memory.db"
    quick("init", str(db))
    for slug, text in (
        ("people/alice", "---\ntype: person\n---\n# Alice\n\nKnows [[people/bob]] and anvils.\n"),
        ("people/bob", "---\ntype: person\n---\n# Bob\n\nOf [[companies/acme]].\n"),
        ("companies/acme", "---\ntype: company\n---\n# Acme\n"),
    ):
        quick("put", slug, db=db, input=text)
    words = ("link", "people/alice", "companies/acme", "--relationship", "works_at")
    quick(*words, "--valid-from", "2020-01-01", "--valid-until", "2022-01-01", db=db)
    store = Store.open(db, 5.0)
    with store.write() as connection:
        connection.execute(FILL)
    store.close()
    with running(db) as served:
        yield served


def drawn(tab: Tab) -> None:
    tab.wait_for("document.querySelector('#map')?.dataset.drawn === 'true'")


def click_on(tab: Tab, place: int) -> None:
    """Click on a page of the map, where it is drawn."""
    at = tab.evaluate(
        f"""(() => {{ const map = document.querySelector('#map'), box = map.getBoundingClientRect();
            const {{ x, y }} = map.chart.placeOf({place}); return [box.x + x, box.y + y]; }})()"""
    )
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        button = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        tab.ask("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], **button)


def test_what_is_around_a_page_is_drawn_with_time_and_filters(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/page/people/alice"))
    tab.wait_for("!!document.querySelector('a.button[href^=\"/graph\"]')")
    tab.click("a.button[href^='/graph']")
    drawn(tab)
    says(tab, "main", "Around Alice")
    says(tab, "#count", "3 of 3 pages, 2 links")
    tab.click(".days input[type=checkbox]")
    says(tab, "#count", "3 of 3 pages, 3 links")
    tab.click(".days input[type=checkbox]")
    tab.wait_for("!!document.querySelector('input[type=range]')")
    tab.fill("input[type=range]", "10")
    says(tab, "output", "2020-01-11")
    says(tab, "#count", "3 of 3 pages, 3 links")
    assert "day=2020-01-11" in tab.evaluate("location.search")
    tab.fill("select[aria-label='Only this relation']", "works_at", "change")
    says(tab, "#count", "2 of 3 pages, 1 link")
    tab.fill("select[aria-label='Only this relation']", "", "change")
    tab.fill("select[aria-label='Only this type']", "person", "change")
    says(tab, "#count", "2 of 3 pages, 1 link")


def test_what_is_around_a_search_is_drawn(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/"))
    press(tab, "g")
    press(tab, "g")
    tab.wait_for("location.pathname === '/graph' && !!document.querySelector('#around')")
    tab.fill("#around", "anvils")
    tab.evaluate("document.querySelector('#around').form.requestSubmit()")
    says(tab, "main", "Around what has “anvils”")
    says(tab, "#count", "3 of 3 pages")
    assert barriers(tab) == []
    tab.evaluate(
        "[...document.querySelectorAll('[data-step]')].find((b) => b.textContent === 'Alice').click()"
    )
    says(tab, "#chosen", "→ mentions")
    says(tab, "#chosen", "Bob")
    tab.go(dashboard.address("/graph?q=zebra"))
    says(tab, "main", "Nothing has these words.")


def test_five_thousand_pages_are_drawn_filtered_and_opened(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/graph"))
    says(tab, "main", "The best connected pages")
    tab.click("#whole")
    says(tab, "#count", "5,003 of 5,003 pages, 5,001 links")
    drawn(tab)
    assert tab.evaluate("document.querySelectorAll('#map canvas').length") > 3
    tab.fill("select[aria-label='Only this type']", "person", "change")
    says(tab, "#count", "1,002 of 5,003 pages")
    tab.fill("select[aria-label='Only this type']", "", "change")
    tab.fill("#find", "page 4")
    tab.wait_for("document.querySelectorAll('[data-step]').length === 60")
    tab.fill("#find", "acme")
    tab.wait_for("document.querySelectorAll('[data-step]').length === 1")
    click_on(tab, 1)
    says(tab, "#chosen h2", "Bob")
    tab.click("#chosen a.button")
    tab.wait_for("decodeURIComponent(location.pathname) === '/page/default::people/bob'")
    says(tab, ".doc h1", "Bob")
    tab.evaluate("history.back()")
    tab.wait_for("location.search === '?all=1'")


def test_titles_on_a_map_are_text(tab: Tab, dashboard: Dashboard) -> None:
    title = "<img src=x onerror='window.hacked = 1'>"
    content = f'---\ntitle: "{title}"\n---\nBeside [[people/bob]]. Quartz.\n'
    dashboard.server.post("/api/put", slug="attack/title", content=content, expected_version=0)
    tab.go(dashboard.address("/graph?q=quartz"))
    drawn(tab)
    tab.wait_for("document.body.dataset.live === 'true'")
    dashboard.server.post("/api/put", slug="attack/other", content="Quartz, too.\n", expected_version=0)
    tab.wait_for("!!document.querySelector('#redraw')")
    tab.click("#redraw")
    says(tab, "#count", "3 of 3 pages")
    tab.wait_for("!document.querySelector('#redraw')")
    tab.click("[data-step]")
    tab.wait_for("!!document.querySelector('#chosen')")
    assert any(title in text for text in tab.texts(".card"))
    assert tab.evaluate("window.hacked === undefined")
    usual = ("status of 404", "GPU stall due to ReadPixels")
    assert [each for each in tab.complaints if not any(words in each for words in usual)] == []
