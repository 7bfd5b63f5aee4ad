"""Lists of pages, and what is done to several at once; what a search finds, and where it leads."""

from __future__ import annotations

import pytest

from tests.dashboard.serving import Dashboard
from tests.dashboard.steps import answering, push, says
from tests.graph.browser import Tab

ROWS = "document.querySelectorAll('tbody tr').length"


@pytest.fixture(scope="module")
def many(dashboard: Dashboard) -> None:
    """More pages than one part of the list has."""
    folder = dashboard.server.db.parent.parent / "items"
    folder.mkdir()
    for number in range(53):
        text = f"# Item {number:02}\n\nThe walrus of item {number}.\n\n" + "Some other line.\n\n" * 40
        text += f"At last, a zebra{'x' * (number == 7)}.\n"
        (folder / f"i{number:02}.md").write_text(text)
    assert len(dashboard.server.get("/api/list?under=items&limit=100").json["pages"]) == 53


@pytest.mark.usefixtures("many")
def test_pages_of_several_parts_are_moved_at_once_and_come_back(tab: Tab, dashboard: Dashboard) -> None:
    server = dashboard.server
    tab.go(dashboard.address("/browse?under=items&sort=slug"))
    tab.wait_for(f"{ROWS} === 50")
    tab.click("thead input")
    says(tab, "#bulk", "50 selected")
    push(tab, "#bulk", "select none")
    tab.click("tbody tr:nth-child(1) input")
    tab.click("tbody tr:nth-child(2) input")
    push(tab, "main", "More")
    tab.wait_for(f"{ROWS} === 3")
    tab.click("tbody tr:nth-child(1) input")
    says(tab, "#bulk", "3 selected")
    answering(tab, "archive")
    push(tab, "#bulk", "Move")
    says(tab, ".toast", "Moved 3 pages")
    tab.go(dashboard.address("/browse?under=archive"))
    tab.wait_for(f"{ROWS} === 3")
    assert server.get("/api/get?slug=archive/i00").status == 200
    # What was done as one is taken back as one, also later.
    tab.go(dashboard.address("/"))
    session = "[...document.querySelectorAll('section[aria-label=\"Recent changes\"] li')]"
    session += ".find((each) => each.textContent.includes('archive/i00'))?.querySelector('button')"
    tab.wait_for(f"!!{session}")
    tab.evaluate(f"{session}.click()")
    says(tab, "#take-back", "items/i00")
    tab.click("#take-back .danger")
    says(tab, ".toast", "Taken back")
    assert server.get("/api/get?slug=items/i00").status == 200
    assert server.get("/api/folders").json["folders"][0]["folder"] != "archive"


def test_several_pages_are_tagged_and_removed_and_each_can_be_undone(tab: Tab, dashboard: Dashboard) -> None:
    server = dashboard.server
    tab.go(dashboard.address("/browse?under=notes&sort=slug"))
    tab.wait_for(f"{ROWS} === 2")
    tab.click("thead input")
    answering(tab, "urgent")
    push(tab, "#bulk", "Tag")
    says(tab, ".toast", "Tagged 2 pages")
    assert server.get("/api/get?slug=notes/one").json["tags"] == ["urgent"]
    push(tab, ".toast", "Undo")
    says(tab, ".toast", "Taken back")
    assert server.get("/api/get?slug=notes/one").json["tags"] == []
    tab.wait_for("document.querySelectorAll('tr[data-version=\"3\"]').length === 2")
    tab.click("thead input")
    push(tab, "#bulk", "Remove")
    says(tab, ".toast", "Removed 2 pages")
    tab.wait_for(f"{ROWS} === 0")
    push(tab, ".toast", "Undo")
    tab.wait_for(f"{ROWS} === 2")
    assert server.get("/api/get?slug=notes/one").json["content"] == "# One\n\nA note.\n"


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("sort", ["updated", "title", "slug"])
def test_many_pages_are_skipped_in_the_same_order(
    dashboard: Dashboard, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    whole = dashboard.server.get(f"/api/list?under=items&limit=100&sort={sort}").json["pages"]
    monkeypatch.setattr("quaid.store.pages.MANY", 10)
    part = dashboard.server.get(f"/api/list?under=items&limit=20&offset=20&sort={sort}").json
    assert part["pages"] == whole[20:40]
    assert part["more"]


def test_pages_are_listed_by_who_wrote_them(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/browse?by=human"))
    tab.wait_for(f"{ROWS} > 0")
    shown = tab.texts("tbody tr td:nth-child(2)")
    assert "Two" in shown
    assert "Acme" not in shown


@pytest.mark.usefixtures("many")
def test_results_are_grouped_as_recall_groups_and_open_where_the_words_are(
    tab: Tab, dashboard: Dashboard
) -> None:
    server = dashboard.server
    server.post("/api/daily-log", content="Saw a zebrax on the way.")
    asked = server.get("/api/gaps").json["open"]
    tab.go(dashboard.address("/search"))
    tab.fill("#search", "zebrax")
    says(tab, "#how", "by words and meaning")
    assert [each.partition(" ")[0] for each in tab.texts("main section h2")] == ["Notebook", "Daily"]
    tab.fill("#search", "no such creature anywh")
    tab.wait_for("location.search.includes('anywh')")
    says(tab, "#how", "by words and meaning")
    assert server.get("/api/gaps").json["open"] == asked  # what is being typed is no question yet
    tab.go(dashboard.address("/page/items/i07?words=zebra"))
    tab.wait_for("!!document.querySelector('.doc .lit')")
    assert tab.texts(".doc .lit") == ["At last, a zebrax."]
    assert tab.evaluate("scrollY > 200")
    tab.go(dashboard.address("/search?q=walrus&since=2999-01-01"))
    says(tab, "#how", "0 results")
    tab.fill("input[type=date]", "2020-01-01", "change")
    says(tab, "#how", "results, by words")
