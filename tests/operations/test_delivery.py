"""The token budget: what is delivered stays within it, on every surface, and whole lines are cut."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quaid import operations
from quaid.app import App
from quaid.embed.tokens import estimate_tokens
from quaid.mcp import answers
from quaid.operations.results import as_data
from quaid.operations.text import Style
from tests.support import Clock, call, open_memory
from tests.support_embedders import Counting, install

# Below it, the best result's name and place are given all the same.
FLOORS = {"tool": 220, "json": 300, "text": 120}
BUDGETS = (220, 300, 333, 450, 600, 800, 1000, 1500, 2000, 4000)
QUESTIONS = ("which sensor did the harbour choose?", "topic 7", 'who said "never again"?', "zebra")
QUERY = operations.operation("query")
LINES = [f"- Berth {n} belongs to company {n}, since {2000 + n}." for n in range(60)]


def spelled(surface: str, result: Any) -> str:
    if surface == "tool":
        return answers.compact_json(answers.data_of(QUERY, result))
    return (
        QUERY.render(result, Style())
        if surface == "text"
        else json.dumps(as_data(result), ensure_ascii=False)
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory that is made once; each test has a copy."""
    app = open_memory(tmp_path_factory.mktemp("harbour") / "memory.db", Clock())
    install(app, Counting())
    with app.store.write():
        for n in range(25):
            parts = "".join(
                f'## Part {m}\n\nThe harbour chose sensor {n * m}; "never again", said the master.\n\n'
                for m in range(1 + n % 5)
            )
            call(app, "put", slug=f"notes/topic-{n}", content=f"# Topic {n}\n\n> What we know.\n\n{parts}")
        call(app, "put", slug="notes/berths", content="# Berths\n\n## Who\n\n" + "\n".join(LINES))
    call(app, "embed")
    app.store.close()
    return app.store.path


@pytest.fixture
def harbour(made: Path, tmp_path: Path, clock: Clock) -> Iterator[App]:
    app = open_memory(Path(shutil.copy(made, tmp_path)), clock)
    install(app, Counting())
    yield app
    app.store.close()


@pytest.mark.parametrize("surface", FLOORS)
@pytest.mark.parametrize("depth", ["auto", "section", "full", "summary"])
def test_no_more_is_delivered_than_the_budget(harbour: App, surface: str, depth: str) -> None:
    harbour.spelled = lambda operation, result: spelled(surface, result)
    for question in QUESTIONS:
        for budget in (each for each in BUDGETS if each >= FLOORS[surface]):
            arguments = {"question": question, "depth": depth, "token_budget": budget}
            result = operations.call(harbour, "memory_query", arguments)
            assert estimate_tokens(spelled(surface, result)) <= budget
            assert result.results


@pytest.mark.parametrize("surface", FLOORS)
def test_a_budget_is_used(harbour: App, surface: str) -> None:
    harbour.spelled = lambda operation, result: spelled(surface, result)
    arguments = {"question": "berths", "depth": "section", "token_budget": 500, "limit": 10}
    result = operations.call(harbour, "memory_query", arguments)
    assert estimate_tokens(spelled(surface, result)) > 350


@pytest.mark.parametrize("surface", FLOORS)
@pytest.mark.parametrize("budget", [1, 20, 60])
def test_the_best_result_is_named_whatever_the_budget(harbour: App, surface: str, budget: int) -> None:
    harbour.spelled = lambda operation, result: spelled(surface, result)
    result = operations.call(harbour, "memory_query", {"question": "berths", "token_budget": budget})
    assert (result.results[0].slug, result.results[0].title) == ("notes/berths", "Berths")
    assert estimate_tokens(spelled(surface, result)) <= FLOORS[surface]


def test_whole_lines_are_cut_and_the_one_that_was_asked_for_stays(harbour: App) -> None:
    arguments = {
        "question": "who has berth 41, company 41?",
        "token_budget": 400,
        "depth": "section",
        "limit": 1,
    }
    (found,) = operations.call(harbour, "memory_query", arguments).results
    shown = [line for line in found.content.splitlines() if line not in ("", "…", "## Who")]
    assert LINES[41] in shown
    assert set(shown) <= set(LINES)
    assert len(shown) < len(LINES)
