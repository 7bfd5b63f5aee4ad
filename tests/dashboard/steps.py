"""What a person does in the dashboard, step by step."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.graph.browser import Tab

AXE = Path(__file__).with_name("vendor") / "axe.min.js.gz"
COLOURS = ("light", "dark")


def barriers(tab: Tab) -> list[str]:
    """What keeps somebody from using the page, as axe finds it, in light and dark."""
    found: list[str] = []
    tab.evaluate(gzip.decompress(AXE.read_bytes()).decode())
    for colours in COLOURS:
        tab.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours}])
        found += tab.evaluate(
            """axe.run().then((found) => found.violations.filter((each) => ["serious", "critical"].includes(
               each.impact)).map((each) => each.id + ": " + each.nodes[0].html))"""
        )
    return found


def says(tab: Tab, selector: str, words: str) -> None:
    """Wait until an element says some words."""
    found = f"document.querySelector({json.dumps(selector)})?.textContent.includes({json.dumps(words)})"
    tab.wait_for(found)


def press(tab: Tab, key: str) -> None:
    tab.ask("Input.dispatchKeyEvent", type="keyDown", key=key, text=key if len(key) == 1 else "")
    tab.ask("Input.dispatchKeyEvent", type="keyUp", key=key)


def answering(tab: Tab, *texts: str) -> None:
    """What is said to the next questions of the browser."""
    tab.evaluate(f"(() => {{ const texts = {json.dumps(texts)}; window.prompt = () => texts.shift(); }})()")


def push(tab: Tab, within: str, words: str) -> None:
    """Push the button with some words, once it is there and can be pushed."""
    fits = f"(each) => each.textContent.includes({json.dumps(words)}) && !each.disabled"
    found = f"[...document.querySelectorAll({json.dumps(within + ' button')})].find({fits})"
    tab.wait_for(f"!!{found}")
    tab.evaluate(f"{found}.click()")
