"""The dashboard on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.dashboard.serving import Dashboard
from tests.dashboard.steps import barriers, says
from tests.graph.browser import Tab

VIEWS = ("/", "/search?q=anvils", "/browse", "/graph", "/facts", "/agents", "/settings", "/page/people/alice")


@pytest.fixture(autouse=True)
def phone(tab: Tab) -> Iterator[None]:
    tab.ask("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
    yield
    tab.ask("Emulation.clearDeviceMetricsOverride")


def test_a_page_opens_over_the_list_and_back_closes_it(tab: Tab, dashboard: Dashboard) -> None:
    tab.go(dashboard.address("/browse?sort=slug"))
    tab.wait_for("document.querySelectorAll('tbody a').length > 3")
    tab.evaluate("[...document.querySelectorAll('tbody a')].find((a) => a.textContent === 'Alice').click()")
    says(tab, ".sheet .doc", "A founder of Acme")
    assert tab.evaluate("document.querySelector('main').inert")
    assert tab.evaluate("document.querySelectorAll('main tbody tr').length") > 3
    assert "people/alice" in tab.evaluate("decodeURIComponent(location.pathname)")
    assert barriers(tab) == []
    tab.click(".sheet .doc a.wikilink")
    says(tab, ".sheet .doc", "Makes anvils")
    tab.evaluate("history.back()")
    says(tab, ".sheet .doc", "A founder of Acme")
    tab.evaluate("history.back()")
    tab.wait_for("!document.querySelector('.sheet') && location.pathname === '/browse'")
    assert not tab.evaluate("document.querySelector('main').inert")
    tab.evaluate("[...document.querySelectorAll('tbody a')].find((a) => a.textContent === 'Alice').click()")
    says(tab, ".sheet .doc", "A founder of Acme")
    tab.click("#close-sheet")
    tab.wait_for("!document.querySelector('.sheet') && location.search === '?sort=slug'")


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_wider_than_the_screen(tab: Tab, dashboard: Dashboard, view: str) -> None:
    tab.go(dashboard.address(view))
    tab.wait_for("!!document.querySelector('main .card')")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
