"""Questions on every surface: what is answered within a budget, and what happens without a model."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quaid import operations
from quaid.app import App
from quaid.embed import weights
from quaid.embed.registry import DEFAULT_MODEL
from quaid.embed.tokens import estimate_tokens
from quaid.errors import InvalidInput, NotFound
from quaid.operations.query import QUERY, Query
from tests.support import call, held, quick
from tests.support_embedders import (
    BagOfWords,
    Counting,
    NotAMatrix,
    NotANumber,
    Raising,
    RaisingLater,
    RaisingStream,
    WrongCount,
    WrongShape,
    install,
)

FLOOR = 240  # tokens: the best result is named whatever the budget
LONG = "# Long\n\n> A page about rivers.\n\n" + "".join(
    f"## Part {n}\n\n{f'Sentence about topic{n} and a river. ' * 15}\n\n" for n in range(30)
)
PAGES = {
    "people/alice": "# Alice\n\n> Builds sensors.\n\nAlice builds river sensors in Rust.\n",
    "notes/long": LONG,
    "notes/cars": "# Garage\n\nHow to purchase an automobile.\n",
    "notes/board": "# Board\n\nMinutes.\n\n---\n\n- **2024-03-12** — Chose a chair.\n",
}


def fill(app: App) -> App:
    with app.store.write():
        for slug, text in PAGES.items():
            call(app, "put", slug=slug, content=text)
    return app


@pytest.fixture
def library(app: App) -> App:
    install(app, Counting())
    fill(app)
    call(app, "embed")
    return app


def ask(app: App, question: str, **arguments: Any) -> Any:
    return call(app, "query", question=question, **arguments)


def slugs(answer: Any) -> list[str]:
    return [result["slug"] for result in answer["results"]]


# Answers ------------------------------------------------------------------------------------------


def test_what_an_answer_says(library: App) -> None:
    answer = ask(library, "river sensors in Rust")
    assert answer["question"] == "river sensors in Rust"
    assert answer["notices"] == []
    first = answer["results"][0]
    assert first == first | {
        "slug": "people/alice",
        "collection": "default",
        "type": "person",
        "title": "Alice",
        "summary": "Builds sensors.",
        "depth": "full",
        "lines": "1-5",
        "why": ["words", "meaning"],
    }
    assert answer["total_tokens"] == sum(result["tokens"] for result in answer["results"])
    assert answer["total_tokens"] + answer["budget_remaining"] == 4000


@pytest.mark.parametrize("budget", [1, 3, 10, 50, 150, 400, 1000, 2500, 4000, 20_000])
@pytest.mark.parametrize("depth", ["summary", "section", "full", "auto"])
def test_never_over_budget(library: App, budget: int, depth: str) -> None:
    answer = ask(library, "topic7 of the river", token_budget=budget, depth=depth)
    assert answer["results"][0]["slug"] == "notes/long"
    assert answer["results"][0]["title"] == "Long"
    assert estimate_tokens(json.dumps(answer, ensure_ascii=False)) <= max(budget, FLOOR)
    assert answer["budget_remaining"] == max(0, budget - answer["total_tokens"])


def test_a_long_page_gets_its_best_section(library: App) -> None:
    first = ask(library, "topic7 of the river", token_budget=1000)["results"][0]
    assert (first["slug"], first["depth"], first["heading"]) == ("notes/long", "section", "Part 7")
    assert first["content"].startswith("## Part 7")
    cut = ask(library, "topic7 of the river", token_budget=320)["results"][0]
    assert cut["depth"] == "section"
    assert cut["content"].removesuffix("…").rstrip().endswith("river.")
    assert len(cut["content"]) < len(first["content"])


@pytest.mark.parametrize("depth", ["summary", "section", "full", "auto"])
def test_a_summary_that_is_too_long_is_not_returned_whole(library: App, depth: str) -> None:
    """What an answer carries counts, whatever field it stands in."""
    call(library, "put", slug="wordy", content=f"# T\n\n> {'summary words ' * 30}\n\nA quagga.\n")
    answer = ask(library, "quagga", token_budget=240, depth=depth, limit=1)
    (result,) = answer["results"]
    assert 10 < len(result["summary"].split()) < 60, "as much as fits"
    assert estimate_tokens(json.dumps(answer, ensure_ascii=False)) <= 240


def test_depths(library: App) -> None:
    question = "topic7 of the river"
    assert {result["depth"] for result in ask(library, question, depth="summary")["results"]} == {"summary"}
    assert all("content" not in result for result in ask(library, question, depth="summary")["results"])
    assert {result["depth"] for result in ask(library, question, depth="section")["results"]} == {"section"}
    whole = ask(library, question, depth="full", token_budget=100_000)["results"]
    assert {result["depth"] for result in whole} == {"full"}
    assert whole[0]["content"] == LONG.strip()


def test_a_whole_page_comes_with_the_entry_that_matched(library: App) -> None:
    first = ask(library, "who was chosen as chair on 2024-03-12", depth="full")["results"][0]
    assert first["slug"] == "notes/board"
    assert "Minutes." in first["content"]
    assert "Chose a chair" in first["content"]


def test_tokens_are_what_a_result_costs_as_it_is_delivered(library: App) -> None:
    results = ask(library, "river sensors in Rust")["results"]
    assert results
    for result in results:
        assert abs(result["tokens"] - estimate_tokens(json.dumps(result, ensure_ascii=False))) <= 12


def test_settings(library: App) -> None:
    call(library, "config set", key="query.token_budget", value="500")
    call(library, "config set", key="query.limit", value="2")
    changed = library.reread()
    install(changed, Counting())
    answer = ask(changed, "river")
    assert answer["total_tokens"] + answer["budget_remaining"] == 500
    assert len(answer["results"]) <= 2
    assert len(ask(changed, "river", limit=1)["results"]) == 1
    assert ask(changed, "river", token_budget=50)["budget_remaining"] <= 50


@pytest.mark.parametrize("question", ["", " ", "\n"])
def test_nothing_asked(library: App, question: str) -> None:
    with pytest.raises(InvalidInput):
        ask(library, question)


@pytest.mark.parametrize(
    "arguments", [{"token_budget": 0}, {"limit": 0}, {"depth": "deep"}, {"since": "soon"}]
)
def test_arguments_that_make_no_sense(library: App, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        ask(library, "river", **arguments)


def test_a_collection_that_there_is_not(library: App) -> None:
    with pytest.raises(NotFound):
        ask(library, "river", collection="none")


@pytest.mark.parametrize(
    "question", ["?", "🦭", "\0", "\u2063", '"', "*", "-river", "a" * 50_000, "x " * 20_000, "NEAR(a b) AND"]
)
def test_any_text_is_a_question(library: App, question: str) -> None:
    assert ask(library, question)["total_tokens"] <= 4000


def test_an_empty_memory(app: App) -> None:
    install(app, BagOfWords())
    answer = ask(app, "anything")
    assert (answer["results"], answer["total_tokens"], answer["notices"]) == ([], 0, [])


def test_asking_writes_nothing_when_all_is_embedded(library: App, db: Path) -> None:
    """A question is a read: it neither waits for who writes, nor fails because of them."""
    expected = ask(library, "river sensors")
    with held(db, "BEGIN IMMEDIATE"):
        assert ask(library, "river sensors") == expected


def test_asking_while_another_writes_and_something_is_new(library: App, db: Path) -> None:
    call(library, "put", slug="new", content="# New\n\nA river delta.\n")
    library.store.wait_for_others(0.2)
    with held(db, "BEGIN IMMEDIATE"):
        answer = ask(library, "river delta")
    assert answer["results"][0]["slug"] == "new", "words find it"
    assert answer["notices"]


def test_little_is_shown_of_what_is_no_answer_before_all_is_embedded(library: App) -> None:
    with library.store.write():
        for number in range(200):
            call(library, "put", slug=f"notes/n{number}", content=f"# N{number}\n\nThing {number} is here.\n")
    answer = operations.run(library, QUERY, Query("which thing boils at the heat of tungsten"))
    assert 0 < len(answer.results) <= 3
    assert (answer.known, answer.gap) == (None, None), "what is not embedded yet may be the answer"
    assert "Not known so far: what is shown is nearest." in answer.notices


# Without a model ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [Raising, RaisingLater, RaisingStream, WrongShape, WrongCount, NotANumber, NotAMatrix]
)
def test_an_embedder_that_fails(library: App, kind: type[BagOfWords]) -> None:
    for number in range(3):
        call(library, "put", slug=f"new-{number}", content=f"# New {number}\n\nNew text {number}.\n")
    install(library, kind())
    answer = ask(library, "river sensors in Rust")
    assert answer["results"][0]["slug"] == "people/alice"
    assert all("meaning" not in result["why"] for result in answer["results"])
    assert len(answer["notices"]) == 1
    assert "words only" in answer["notices"][0]
    assert DEFAULT_MODEL in answer["notices"][0]
    install(library, Counting())
    assert ask(library, "buy a car")["results"][0]["slug"] == "notes/cars"


def test_an_embedder_of_other_dimensions(library: App) -> None:
    ask(library, "river")
    install(library, BagOfWords(dimensions=32))
    answer = ask(library, "river sensors in Rust")
    assert answer["results"][0]["slug"] == "people/alice"
    assert "words only" in answer["notices"][0]


def test_a_plugin_that_is_gone(library: App) -> None:
    """The active model came with a package that was uninstalled since."""
    install(library, BagOfWords("elsewhere"))
    call(library, "model use", name="elsewhere")
    del library.models._embedders["elsewhere"]
    answer = ask(library, "river sensors in Rust")
    assert answer["results"][0]["slug"] == "people/alice"
    assert "elsewhere" in answer["notices"][0]


@pytest.fixture
def modelless(app: App, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A memory of a program without the weights, as a slim wheel installs it."""
    slim = tmp_path / "slim"
    for name in weights.MODELS:
        (slim / name).mkdir(parents=True)
    tokenizer = weights.PACKAGED / DEFAULT_MODEL / "tokenizer.json"
    shutil.copy(tokenizer, slim / DEFAULT_MODEL)
    monkeypatch.setattr(weights, "PACKAGED", slim)
    fill(app)
    return app.store.path


def test_no_model_answers_by_words_and_says_how_to_get_one(modelless: Path) -> None:
    ran = quick("query", "river", "sensors", "in", "Rust", "--json", db=modelless)
    assert ran.status == 0
    assert ran.json["results"][0]["slug"] == "people/alice"
    assert ran.json["results"][0]["why"] == ["words"]
    (notice,) = ran.json["notices"]
    assert f"quaid model use {DEFAULT_MODEL}" in notice
    ran = quick("query", "river sensors in Rust", db=modelless)
    assert ran.status == 0
    assert "people/alice" in ran.out
    assert "quaid model use" in ran.out + ran.err


def test_no_model_and_nothing_found(modelless: Path) -> None:
    ran = quick("query", "zebra", "--json", db=modelless)
    assert (ran.status, ran.json["results"], len(ran.json["notices"])) == (0, [], 1)


def test_names_and_days_need_no_model(modelless: Path) -> None:
    assert quick("query", "Alice", "--json", db=modelless).json["results"][0]["why"][0] == "exact"
    ran = quick("query", "what happened in March 2024", "--json", db=modelless)
    first = ran.json["results"][0]
    assert first["slug"] == "notes/board"
    assert "date" in first["why"]
    assert "Chose a chair" in first["content"]


def test_embedding_without_a_model_is_an_error(modelless: Path) -> None:
    ran = quick("embed", "--json", db=modelless)
    assert ran.status != 0
    assert "quaid model use" in ran.error["hint"] + ran.error["message"]


# The real model -----------------------------------------------------------------------------------


def test_the_bundled_model_finds_what_is_said_in_other_words(app: App, db: Path) -> None:
    """REAL MODEL: as a person runs it after the installation, without a network."""
    fill(app)
    call(app, "rm", slug="notes/long")
    app.store.close()
    ran = quick("query", "where", "can", "I", "get", "a", "vehicle", "--json", db=db)
    assert ran.status == 0, ran.err
    assert ran.json["notices"] == []
    first = ran.json["results"][0]
    assert (first["slug"], first["why"]) == ("notes/cars", ["meaning"])
    ran = quick("query", "where can I get a vehicle", "--explain", db=db)
    assert ran.status == 0
    assert "meaning: rank 1" in ran.out
    status = quick("model", "status", "--json", db=db).json
    assert status["embedded"] == status["texts"] == 4
