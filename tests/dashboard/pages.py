"""What tests of views do again and again."""

from __future__ import annotations

import json

from tests.graph.browser import Tab


def says(tab: Tab, selector: str, words: str) -> None:
    """Wait until an element says some words."""
    found = f"document.querySelector({json.dumps(selector)})?.textContent.includes({json.dumps(words)})"
    tab.wait_for(found)


def press(tab: Tab, key: str) -> None:
    """Press a key."""
    tab.ask("Input.dispatchKeyEvent", type="keyDown", key=key, text=key if len(key) == 1 else "")
    tab.ask("Input.dispatchKeyEvent", type="keyUp", key=key)
