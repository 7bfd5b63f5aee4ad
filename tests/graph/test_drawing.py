"""Drawings of the graph: whatever titles contain, they are text and nothing else."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from quaid.graph.picture import GraphEdge, GraphNode, dot, mermaid, page
from tests.graph.browser import Room, Tab

HOSTILE = '</script><img src=x onerror="document.title=1">'
NODES = (
    GraphNode("people/alice", "Alice", "person", 0),
    GraphNode("companies/acme", "Acmé", "company", 1),
    GraphNode("people/bob", HOSTILE, "person", 2),
)
EDGES = (
    GraphEdge(
        "people/alice", "companies/acme", "works_at", 1, valid_from="2024-01-15", valid_until="2025-06-01"
    ),
    GraphEdge("people/bob", "companies/acme", "works_at", 2, valid_from="2023-01-01"),
    GraphEdge("people/bob", "people/alice", "mentions", 3),
)
titles = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.sampled_from(
    [HOSTILE, '"', "\\", 'a\\"b', "]]", "`x`", "%%{init: {}}%%", "#quot;", "&quot;", "a;b|c", "\u2028", "-->"]
)


def visible(text: str) -> str:
    """A text on one line, without characters that cannot be seen."""
    return " ".join(
        "".join(" " if ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029" else c for c in text).split()
    )


def small(title: str, relationship: str = "knows") -> tuple[list[GraphNode], list[GraphEdge]]:
    nodes = [GraphNode("a", title, "person", 0), GraphNode("b", "B", "person", 1)]
    return nodes, [GraphEdge("a", "b", relationship, 1, valid_from="2024-01-01")]


@given(titles, titles.filter(visible))
def test_a_drawing_for_graphviz_says_what_the_titles_say(title: str, relationship: str) -> None:
    lines = dot(*small(title, relationship)).split("\n")
    assert len(lines) == 10
    assert lines[0].startswith("// quaid graph")
    label, tooltip = re.findall(r'= "((?:[^"\\]|\\.)*)"', lines[5].replace(', style = "rounded,bold"', ""))
    assert graphviz_text(label) == (visible(title) if title else "a")
    assert tooltip == "a"
    label = re.fullmatch(r'  n0 -> n1 \[label = "((?:[^"\\]|\\.)*)"\]', lines[7])
    assert label
    assert graphviz_text(label[1]) == f"{visible(relationship)}\nsince 2024-01-01"


def graphviz_text(label: str) -> str:
    """A label as Graphviz reads it."""
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], label).replace("&amp;", "&")


@given(titles, titles.filter(visible))
def test_a_drawing_for_mermaid_says_what_the_titles_say(title: str, relationship: str) -> None:
    lines = mermaid(*small(title, relationship)).split("\n")
    assert len(lines) == 6
    assert lines[:2] == ["%% quaid graph", "flowchart LR"]
    label = re.fullmatch(r'  n0\(\["([^"`<>%{}|\[\]\\&]*)"\]\)', lines[2])
    assert label
    assert mermaid_text(label[1]) == (visible(title) if title else "a")
    link = re.fullmatch(r'  n0 -->\|"([^"`<>%{}|\[\]\\&]*)"\| n1', lines[4])
    assert link
    assert mermaid_text(link[1]) == f"{visible(relationship)} since 2024-01-01"


def mermaid_text(label: str) -> str:
    return re.sub(r"#(\d+);", lambda found: chr(int(found[1])), label).strip()


@given(titles, titles)
def test_a_page_holds_what_the_titles_say_as_data(title: str, relationship: str) -> None:
    nodes, edges = small(title, relationship)
    drawn = page(title, "2026-04-14", nodes, edges)
    assert drawn.count("</script>") == 2
    assert drawn.count("<script") == 2
    kept = json.loads(drawn.partition('type="application/json">')[2].partition("</script>")[0])
    assert [node["title"] for node in kept["nodes"]] == [title, "B"]
    assert kept["edges"][0]["relationship"] == relationship
    assert html.unescape(drawn.partition("<title>")[2].partition("</title>")[0]) == title


def test_a_page_may_run_its_own_script_and_load_nothing() -> None:
    drawn = page("Alice", "2026-04-14", NODES, EDGES)
    assert "quaid graph" in drawn[:400]
    policy = drawn.partition('Content-Security-Policy" content="')[2].partition('"')[0]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for tag in ("style", "script"):
        content = drawn.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{digest}'"
    assert not re.search(r"https?:|innerHTML|\bsrc=\"|href=", drawn)


def opened(browser: Room, path: Path, fragment: str = "", nodes: Any = NODES, edges: Any = EDGES) -> Tab:
    file = path / "graph.html"
    file.write_text(page("Alice", "2026-04-14", nodes, edges), encoding="utf-8")
    return browser.open(file, fragment)


def counts(tab: Tab) -> str:
    return tab.text("#counts")


def test_a_browser_draws_it(browser: Room, tmp_path: Path) -> None:
    tab = opened(browser, tmp_path)
    assert tab.text("h1") == "Alice"
    assert tab.texts("#pages button") == ["Alice", "Acmé", HOSTILE]
    painted = tab.evaluate(
        """(() => { const c = document.querySelector("canvas"), data =
           c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
           let n = 0; for (let i = 3; i < data.length; i += 4) n += data[i] > 0; return n; })()"""
    )
    assert painted > 500
    assert tab.complaints == []


def test_a_title_does_nothing_in_a_browser(browser: Room, tmp_path: Path) -> None:
    """Neither where it is listed nor where its page is shown, with its links."""
    nodes = [GraphNode(node.slug, HOSTILE, HOSTILE, node.distance) for node in NODES]
    edges = [GraphEdge(edge.from_, edge.to, HOSTILE, edge.id) for edge in EDGES]
    tab = opened(browser, tmp_path, nodes=nodes, edges=edges)
    tab.click("#pages li:nth-child(2) button")
    assert tab.text("#details h3") == HOSTILE
    assert tab.evaluate("document.title") == "Alice"
    assert tab.evaluate("document.querySelectorAll('img').length") == 0
    assert tab.evaluate("document.querySelectorAll('script').length") == 2
    assert tab.complaints == []


def test_the_slider_shows_the_links_of_a_day(browser: Room, tmp_path: Path) -> None:
    tab = opened(browser, tmp_path)
    assert counts(tab) == "3 of 3 pages, 2 of 3 links on 2026-04-14"
    for day, links in (
        ("2022-12-31", 1),
        ("2024-01-14", 2),
        ("2024-01-15", 3),
        ("2025-05-31", 3),
        ("2025-06-01", 2),
    ):
        tab.fill("#slider", str(tab.evaluate(f"Date.parse('{day}') / 86400000")))
        assert counts(tab) == f"3 of 3 pages, {links} of 3 links on {day}"
        assert tab.text("#day") == day
    tab.click("#always")
    assert counts(tab) == "3 of 3 pages, 3 of 3 links"
    tab.click("#now")
    assert counts(tab) == "3 of 3 pages, 2 of 3 links on 2026-04-14"
    tab.click("#play")
    assert tab.text("#play") == "Pause"
    tab.wait_for("document.querySelector('#play').textContent === 'Play'")
    assert tab.text("#day") > "2026-04-14"
    assert tab.complaints == []


def test_without_days_there_is_no_slider(browser: Room, tmp_path: Path) -> None:
    tab = opened(browser, tmp_path, edges=EDGES[2:])
    assert tab.evaluate("document.querySelector('#time').hidden") is True
    assert counts(tab) == "3 of 3 pages, 1 of 1 links"


def test_it_says_that_there_is_more(browser: Room, tmp_path: Path) -> None:
    file = tmp_path / "graph.html"
    file.write_text(page("Alice", "2026-04-14", NODES, EDGES, more=True), encoding="utf-8")
    assert counts(browser.open(file)).endswith("; there are more")


def test_search_and_filters(browser: Room, tmp_path: Path) -> None:
    tab = opened(browser, tmp_path)
    tab.fill("#search", "acme")
    assert tab.texts("#pages button") == ["Acmé"]
    tab.fill("#search", "PEOPLE ali")
    assert tab.texts("#pages button") == ["Alice"]
    tab.evaluate(
        "document.querySelector('#search').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))"
    )
    assert tab.text("#details h3") == "Alice"
    tab.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))")
    assert tab.evaluate("document.querySelector('#details').hidden") is True
    tab.click("#relationships input[value=works_at]")
    assert counts(tab) == "3 of 3 pages, 1 of 3 links on 2026-04-14"
    tab.click("#types input[value=company]")
    assert tab.texts("#pages button") == ["Alice", HOSTILE]
    assert tab.complaints == []


def test_a_page_shows_its_links_and_they_lead_on(browser: Room, tmp_path: Path) -> None:
    tab = opened(browser, tmp_path, "#page=people/alice&day=2024-02-01")
    assert tab.text("#details p") == "people/alice · person"
    assert tab.texts("#details li") == [
        "→ works_at Acmé from 2024-01-15 until 2025-06-01",
        f"← mentions {HOSTILE}",
    ]
    tab.click("#details li button")
    assert tab.text("#details h3") == "Acmé"
    assert "page=companies" in tab.evaluate("location.hash")


def test_the_map_answers_to_mouse_and_keys(browser: Room, tmp_path: Path) -> None:
    tab = opened(browser, tmp_path, nodes=NODES[:1], edges=())
    place = tab.evaluate(
        """(() => { const box = document.querySelector("canvas").getBoundingClientRect();
           return [box.left + box.width / 2, box.top + box.height / 2]; })()"""
    )
    for kind in ("mousePressed", "mouseReleased"):
        tab.ask("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)
    tab.wait_for("!document.querySelector('#details').hidden")
    assert tab.text("#details h3") == "Alice"
    tab.evaluate("document.querySelector('canvas').focus()")
    for key in ("+", "-", "ArrowLeft", "0"):
        tab.ask("Input.dispatchKeyEvent", type="keyDown", key=key)
    tab.ask("Input.dispatchKeyEvent", type="keyDown", key="/")
    assert tab.evaluate("document.activeElement.id") == "search"
    assert tab.complaints == []


def test_five_hundred_pages_are_drawn_anew_at_each_step(browser: Room, tmp_path: Path) -> None:
    """Small and without motion: what moves by itself is drawn anew whatever the buttons do."""
    tab = opened(browser, tmp_path, nodes=NODES[:1], edges=())
    tab.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    tab.ask("Emulation.setDeviceMetricsOverride", width=500, height=400, deviceScaleFactor=1, mobile=False)
    nodes = [GraphNode(f"p/{n}", f"Page {n}", f"type {n % 5}", min(n, 2)) for n in range(500)]
    edges = [GraphEdge(f"p/{n}", f"p/{0 if n % 7 else n // 2}", "knows", n) for n in range(1, 500)]
    file = tmp_path / "graph.html"
    file.write_text(page("Alice", "2026-04-14", nodes, edges), encoding="utf-8")
    tab.go(file.as_uri())
    assert counts(tab) == "500 of 500 pages, 499 of 499 links"
    tab.evaluate(
        """window.drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
               () => done(document.querySelector("canvas").toDataURL()))))"""
    )
    tab.wait_for("(async () => await drawn() === await drawn())()")
    pictures = tab.evaluate(
        """(async () => { const pictures = [await drawn()];
           for (let step = 0; step < 3; step++) {
               document.querySelector("#closer").click(); pictures.push(await drawn()); }
           return pictures; })()"""
    )
    assert len(set(pictures)) == 4
    assert tab.complaints == []
