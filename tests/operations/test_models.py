"""Models beside one another: switched at once, never mixed, and back without embedding anything again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from quaid.embed.registry import DEFAULT_MODEL
from quaid.errors import EmbedderFailed, InvalidInput, NotFound
from quaid.formats.content import read_page
from quaid.index.chunks import chunks_of
from tests.support import call, quick
from tests.support_embedders import BagOfWords, Raising, install

WORDS = ("feline", "physician", "harbour", "purchase", "automobile", "sensor", "river")
QUESTIONS = [f"{WORDS[n % 7]} and {WORDS[n // 3 % 7]} number{n}" for n in range(17)] + [
    "cat",
    "doctor",
    "buy a car",
]


@pytest.fixture
def first(app: App) -> BagOfWords:
    return install(app, BagOfWords())


@pytest.fixture
def second(app: App) -> BagOfWords:
    return install(app, BagOfWords("other", dimensions=32, seed=7))


@pytest.fixture
def library(app: App, first: BagOfWords, second: BagOfWords) -> App:
    with app.store.write():
        for n in range(30):
            text = f"# Page {n}\n\n{WORDS[n % 7]} number{n}.\n\n## More\n\nOf {WORDS[n // 7]} too.\n"
            call(app, "put", slug=f"p-{n:02}", content=text)
    call(app, "embed")
    first.forget()
    return app


def asked(app: App) -> list[Any]:
    return [call(app, "query", question=question, explain=True) for question in QUESTIONS]


def line(app: App, name: str) -> dict[str, Any]:
    return next(dict(each) for each in call(app, "model list")["models"] if each["name"] == name)


def vectors(app: App) -> dict[str, int]:
    sql = """SELECT m.name, count(e.id) FROM embedding_models m
             LEFT JOIN embeddings e ON e.model_id = m.id GROUP BY 1"""
    return dict(app.connection.execute(sql))


def test_there_and_back(library: App, first: BagOfWords, second: BagOfWords) -> None:
    before = asked(library)
    first.forget()
    used = call(library, "model use", name="other")
    assert used == {"name": "other", "before": DEFAULT_MODEL, "embedded": 60}
    assert len(second.forget()) == 60
    between = asked(library)
    assert between != before
    assert first.forget() == [], "the other model is not asked"
    back = call(library, "model use", name=DEFAULT_MODEL)
    assert back == {"name": DEFAULT_MODEL, "before": "other", "embedded": 0}
    assert first.forget() == [], "the way back embeds nothing"
    assert asked(library) == before
    call(library, "model use", name="other")
    assert asked(library) == between


def test_never_mixed(library: App, second: BagOfWords) -> None:
    """Cosines are those of the active model's vectors alone, also where the other one has more texts."""
    call(library, "model use", name="other")
    call(library, "put", slug="new", content="# New\n\nA feline.\n")
    for name, embedder in ((DEFAULT_MODEL, BagOfWords()), ("other", BagOfWords("other", 32, 7))):
        call(library, "model use", name=name)
        for question in QUESTIONS:
            texts = {
                result["slug"]: result["arms"]["meaning"]["score"]
                for result in call(library, "query", question=question, explain=True, limit=50)["results"]
                if "meaning" in result["arms"]
            }
            assert texts
            asked_vector = embedder.embed([question])[0]
            for slug, score in texts.items():
                assert score == pytest.approx(best_cosine(library, embedder, slug, asked_vector), rel=1e-3)


def best_cosine(app: App, embedder: BagOfWords, slug: str, question: Any) -> float:
    content = read_page(call(app, "get", slug=slug)["content"], slug)
    matrix = embedder.embed([chunk.embedded for chunk in chunks_of(content)])
    return float((matrix @ question).max())


def test_what_was_written_meanwhile_is_embedded_on_the_way_back(library: App, first: BagOfWords) -> None:
    call(library, "model use", name="other")
    call(library, "put", slug="new", content="# New\n\nSomething else.\n")
    call(library, "query", question="anything")
    assert call(library, "model use", name=DEFAULT_MODEL)["embedded"] == 1
    assert first.forget() == ["New\nSomething else."]


def test_a_switch_that_fails_changes_nothing(library: App) -> None:
    before = asked(library)
    install(library, Raising("broken"))
    with pytest.raises(EmbedderFailed):
        call(library, "model use", name="broken")
    assert call(library, "model status")["name"] == DEFAULT_MODEL
    assert asked(library) == before
    with pytest.raises(NotFound):
        call(library, "model use", name="nobody-offers-this")
    assert call(library, "model status")["name"] == DEFAULT_MODEL


def test_a_switch_that_is_interrupted_goes_on(library: App, second: BagOfWords) -> None:
    class Stopping(BagOfWords):
        def embed(self, texts: Any) -> Any:
            if self.texts:
                raise KeyboardInterrupt
            return super().embed(texts)

    install(library, Stopping("other", 32, 7))
    with pytest.raises(KeyboardInterrupt):
        call(library, "model use", name="other")
    assert call(library, "model status")["name"] == DEFAULT_MODEL
    assert vectors(library)["other"] == 32
    install(library, second)
    assert call(library, "model use", name="other")["embedded"] == 28
    assert len(second.forget()) == 28


def test_the_model_in_use_cannot_be_removed(library: App) -> None:
    with pytest.raises(InvalidInput, match="in use"):
        call(library, "model remove", name=DEFAULT_MODEL)
    assert vectors(library)[DEFAULT_MODEL] == 60


def test_removed_with_vectors_and_file(library: App, db: Path, second: BagOfWords) -> None:
    before = asked(library)
    call(library, "model use", name="other")
    asked(library)
    files = {file.name for file in db.parent.glob("*.vectors-*")}
    assert len(files) == 2
    call(library, "model use", name=DEFAULT_MODEL)
    assert call(library, "model remove", name="other")["name"] == "other"
    assert vectors(library) == {DEFAULT_MODEL: 60}
    assert len({file.name for file in db.parent.glob("*.vectors-*")}) == 1
    assert asked(library) == before
    with pytest.raises(NotFound):
        call(library, "model remove", name="other")
    second.forget()
    assert call(library, "model use", name="other")["embedded"] == 60
    assert len(second.forget()) == 60


def test_a_model_in_the_place_of_a_removed_one(library: App) -> None:
    """It gets neither the vectors nor the file of the one before, also in the same process."""
    call(library, "model use", name="other")
    asked(library)
    call(library, "model use", name=DEFAULT_MODEL)
    call(library, "model remove", name="other")
    third = install(library, BagOfWords("third", dimensions=16, seed=3))
    call(library, "model use", name="third")
    here = asked(library)
    again = library.reread()
    install(again, third)
    assert asked(again) == here


def test_the_same_name_with_other_dimensions_after_removal(library: App) -> None:
    call(library, "model use", name="other")
    asked(library)
    call(library, "model use", name=DEFAULT_MODEL)
    call(library, "model remove", name="other")
    install(library, BagOfWords("other", dimensions=48))
    call(library, "model use", name="other")
    assert all(not answer["notices"] for answer in asked(library))


def test_another_process_removes_a_model(library: App, second: BagOfWords) -> None:
    """One that has the file open goes on with what is there."""
    other = library.reread()
    for app in (library, other):
        install(app, second)
        install(app, BagOfWords())
    call(library, "model use", name="other")
    asked(library)
    asked(other)
    call(other, "model use", name=DEFAULT_MODEL)
    call(other, "model remove", name="other")
    install(other, BagOfWords("third", dimensions=16))
    install(library, BagOfWords("third", dimensions=16))
    call(other, "model use", name="third")
    assert asked(library) == asked(other)


def test_list_and_status(library: App) -> None:
    assert call(library, "model status") == {
        "name": DEFAULT_MODEL,
        "dimensions": 64,
        "texts": 60,
        "embedded": 60,
        "ready": True,
        "reranker": "ready",
    }
    call(library, "model use", name="other")
    call(library, "put", slug="new", content="# New\n\nx\n")
    assert call(library, "model list")["texts"] == 61
    mine = line(library, "other")
    assert (mine["active"], mine["embedded"], mine["dimensions"]) == (True, 60, 32)
    assert (line(library, DEFAULT_MODEL)["active"], line(library, DEFAULT_MODEL)["embedded"]) == (False, 60)
    assert line(library, "bge-small-en-v1.5")["missing"]
    embedders = [each for each in call(library, "model list")["models"] if each["kind"] == "embedder"]
    assert sum(each["active"] for each in embedders) == 1
    assert call(library, "model status")["embedded"] == 60


def test_the_active_model_that_no_plugin_offers_is_not_ready(library: App) -> None:
    """The bag of words is put in by this test alone; to the registry it is a package that is gone."""
    call(library, "model use", name="other")
    status = call(library, "model status")
    assert (status["name"], status["ready"]) == ("other", False)
    assert status["problem"]


def test_a_new_memory_knows_the_default(app: App, db: Path) -> None:
    assert call(app, "model status")["name"] == DEFAULT_MODEL
    assert next(each["name"] for each in call(app, "model list")["models"]) == DEFAULT_MODEL
    ran = quick("model", "list", db=db)
    assert (ran.status, ran.out.count(DEFAULT_MODEL)) == (0, 1)
    ran = quick("model", "status", db=db)
    assert ran.status == 0
    assert "0 of 0 texts" in ran.out


def test_a_fresh_memory_takes_the_model_that_is_chosen(app: App, second: BagOfWords) -> None:
    call(app, "put", slug="a", content="# A\n\nfeline\n")
    assert call(app, "model use", name="other") == {"name": "other", "embedded": 1}
    assert call(app, "query", question="cat")["results"][0]["slug"] == "a"


def test_a_model_whose_files_are_missing(library: App, db: Path) -> None:
    """Nobody is asked here, so nothing is downloaded, and the model in use stays."""
    call(library, "config set", key="query.limit", value="5")
    ran = quick("model", "use", "bge-small-en-v1.5", "--json", db=db)
    assert ran.status != 0
    assert call(library, "model status")["name"] == DEFAULT_MODEL


def test_validate_finds_nothing_after_switches(library: App) -> None:
    call(library, "model use", name="other")
    asked(library)
    call(library, "model use", name=DEFAULT_MODEL)
    call(library, "model remove", name="other")
    assert not call(library, "validate", all=True)["findings"]
