"""A real browser for tests, spoken to through a pipe."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PROGRAM = next((found for name in NAMES if (found := shutil.which(name))), None)
PATIENCE = 300  # seconds; only for what would otherwise never end


class Tab:
    """A page that is open in the browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session
        self.complaints: list[str] = []

    def ask(self, method: str, **values: Any) -> Any:
        """The answer to a command."""
        return self._browser.ask(method, values, self._session, self.complaints)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression of JavaScript."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.05)

    def go(self, address: str) -> None:
        """Go to an address and wait until it is ready."""
        self.ask("Page.navigate", url=address)
        self.wait_for("document.body?.dataset.ready === 'true'")

    def text(self, selector: str) -> str:
        """What an element says."""
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent"))

    def texts(self, selector: str) -> list[str]:
        """What all elements of a kind say."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})].map((each) => each.textContent)"
        return list(self.evaluate(found))

    def fill(self, selector: str, value: str, event: str = "input") -> None:
        """Set a field as a person does, who chooses from a list what is there already."""
        field, choice = f"document.querySelector({json.dumps(selector)})", json.dumps(value)
        self.wait_for(f"!{field}.options || [...{field}.options].some((each) => each.value === {choice})")
        self.evaluate(
            f"""(() => {{ const field = {field};
                field.value = {choice};
                field.dispatchEvent(new Event({json.dumps(event)}, {{bubbles: true}})); }})()"""
        )

    def click(self, selector: str) -> None:
        """Click an element."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")


class Browser:
    """The browser's end of two pipes: messages of JSON, each ended by a zero byte."""

    def __init__(self, to: int, answers: int) -> None:
        self._to = to
        self._answers = answers
        self._number = 0
        self._rest = b""

    @contextmanager
    def room(self) -> Iterator[Room]:
        """A profile of its own, with cookies and settings that no other has; its tabs are closed with it."""
        made = self.ask("Target.createBrowserContext", {})["browserContextId"]
        try:
            yield Room(self, made)
        finally:
            self.ask("Target.disposeBrowserContext", {"browserContextId": made})

    def open(self, path: Path | str, fragment: str, room: str) -> Tab:
        """Open a file, or an address, and wait until it is ready."""
        target = self.ask("Target.createTarget", {"url": "about:blank", "browserContextId": room})["targetId"]
        session = self.ask("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        tab = Tab(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            tab.ask(f"{domain}.enable")
        tab.go(path.as_uri() + fragment if isinstance(path, Path) else path)
        return tab

    def ask(
        self, method: str, values: dict[str, Any], session: str = "", complaints: list[str] | None = None
    ) -> Any:
        """Send a command and wait for its answer; what the page complains about on the way is noted."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": values}
        os.write(self._to, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            if answer.get("sessionId") != session:
                continue  # of another tab
            if complaints is not None and answer.get("method") in (
                "Runtime.exceptionThrown",
                "Log.entryAdded",
            ):
                complaints.append(json.dumps(answer["params"]))
            if complaints is not None and answer.get("method") == "Network.requestWillBeSent":
                url = answer["params"]["request"]["url"]
                if not url.startswith(("file:", "data:", "http://127.0.0.1:")):
                    complaints.append(url)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            waiting = select.poll()
            waiting.register(self._answers, select.POLLIN)
            assert waiting.poll(PATIENCE * 1000), "the browser says nothing"
            data = os.read(self._answers, 1 << 16)
            assert data, "the browser has gone"
            self._rest += data
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))


class Room:
    """A part of a browser that shares nothing with the others."""

    def __init__(self, browser: Browser, name: str) -> None:
        self._browser = browser
        self._name = name

    def open(self, path: Path | str, fragment: str = "") -> Tab:
        """Open a file, or an address, and wait until it is ready."""
        return self._browser.open(path, fragment, self._name)


@contextmanager
def running(directory: Path) -> Iterator[Browser]:
    """A browser without a window, with a profile of its own."""
    assert PROGRAM
    read_commands, write_commands = os.pipe()
    read_answers, write_answers = os.pipe()
    script = f'exec "$0" "$@" 3<&{read_commands} 4>&{write_answers}'
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-unsafe-swiftshader",
        "--no-first-run",
        "--remote-debugging-pipe",
    ]
    process = subprocess.Popen(
        ["bash", "-c", script, PROGRAM, *options, f"--user-data-dir={directory}", "--window-size=1280,800"],
        pass_fds=(read_commands, write_answers),
        env={**os.environ, "HOME": str(directory)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(read_commands)
    os.close(write_answers)
    try:
        yield Browser(write_commands, read_answers)
    finally:
        os.close(write_commands)  # the browser ends with its pipe
        try:
            process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(read_answers)
