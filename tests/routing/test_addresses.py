"""An address that is said stays whole, wherever it goes."""

from __future__ import annotations

import pytest

from quaid.app import App
from tests.support import call

ADDRESS = "https://example.com/a/paper?x=1,2&y=(3)"


@pytest.mark.parametrize(
    "said",
    [
        "read {}",
        "read {} about npm and iPhone",
        "add {} to the reading list",
        "watch {} tonight",
        "check out {}",
        "look at {} tomorrow",
        "idea: rebuild {} in Rust",
        "the docs are at {}",
        "buy the lamp from {}",
        "Ana's site is {}",
        "remember {}",
        "link: {}",
        "book the table on {}",
        "always use {} for icons",
        "add to reading: {}",
        "recipe from Ana: {}",
    ],
)
def test_an_address_stays_whole(app: App, said: str) -> None:
    call(app, "collection add", name="home", folder=str(app.store.path.parent / "home"), profile="notebook")
    answer = call(app, "remember", content=said.format(ADDRESS))
    texts = [text for place in answer["places"] for text in place["texts"]]
    assert any(ADDRESS in text for text in texts), texts
