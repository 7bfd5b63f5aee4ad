"""What a person does in the dashboard, step by step."""

from __future__ import annotations

import json

from tests.graph.browser import Tab


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
