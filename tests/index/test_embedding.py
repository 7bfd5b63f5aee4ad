"""A text is embedded once for each model, wherever it stands and whatever happens to its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from quaid.app import App
from quaid.embed.registry import DEFAULT_MODEL
from quaid.errors import EmbedderFailed, InvalidInput, NotFound
from quaid.store import embeddings
from tests.support import Clock, call, open_memory
from tests.support_embedders import BagOfWords, NotANumber, Raising, RaisingStream, WrongShape, install

PAGE = "# Alice\n\nIntro.\n\n## Work\n\nBuilds sensors.\n\n## Life\n\nLives at the harbour.\n"
TEXTS = ["Alice\nIntro.", "Alice\nWork\nBuilds sensors.", "Alice\nLife\nLives at the harbour."]


@pytest.fixture
def embedder(app: App) -> BagOfWords:
    return install(app, BagOfWords())


def embedded(app: App, **arguments: object) -> int:
    return int(call(app, "embed", **arguments)["embedded"])


def vectors(app: App) -> int:
    return int(app.connection.execute("SELECT count(*) FROM embeddings").fetchone()[0])


def test_embedding_answers_what_it_did(app: App, embedder: BagOfWords) -> None:
    call(app, "put", slug="a", content=PAGE)
    assert call(app, "embed") == {"model": DEFAULT_MODEL, "embedded": 3, "texts": 3}
    assert embedder.forget() == TEXTS
    assert call(app, "embed") == {"model": DEFAULT_MODEL, "embedded": 0, "texts": 3}
    assert embedder.forget() == []


def test_the_same_text_on_two_pages(app: App, embedder: BagOfWords) -> None:
    for slug in ("a", "b", "c"):
        call(app, "put", slug=slug, content=PAGE)
    assert embedded(app) == 3
    call(app, "put", slug="d", content=PAGE)
    assert embedded(app) == 0
    assert sorted(embedder.forget()) == sorted(TEXTS)
    found = call(app, "query", question="who builds sensors", limit=10)["results"]
    assert {result["slug"] for result in found if "meaning" in result["why"]} == {"a", "b", "c", "d"}


def test_a_changed_page_embeds_what_changed(app: App, embedder: BagOfWords) -> None:
    call(app, "put", slug="a", content=PAGE)
    call(app, "embed")
    embedder.forget()
    call(app, "put", slug="a", content=PAGE.replace("sensors", "walls"))
    assert embedded(app) == 1
    call(app, "timeline-add", slug="a", date="2024-03-12", summary="Left.")
    assert embedded(app) == 1
    assert embedder.forget() == [
        "Alice\nWork\nBuilds walls.",
        "Alice\n2024-03-12\n- **2024-03-12** — Left.",
    ]


def test_a_text_that_comes_back(app: App, embedder: BagOfWords) -> None:
    """Removed and restored, changed and changed back, moved: nothing is embedded anew."""
    call(app, "put", slug="a", content=PAGE)
    call(app, "embed")
    embedder.forget()
    call(app, "rm", slug="a")
    assert embedded(app) == 0
    call(app, "restore", slug="a")
    assert embedded(app) == 0
    call(app, "mv", slug="a", to="b")
    assert embedded(app) == 0
    call(app, "put", slug="b", content="# Alice\n\nIntro.\n")
    call(app, "put", slug="b", content=PAGE)
    assert embedded(app) == 0
    assert embedder.forget() == []


def test_chunks_that_are_made_anew(app: App, embedder: BagOfWords) -> None:
    call(app, "put", slug="a", content=PAGE)
    call(app, "embed")
    embedder.forget()
    with app.store.write() as connection:
        connection.execute("DELETE FROM chunks")
        connection.execute("UPDATE pages SET chunked_by = 0")
    assert embedded(app) == 0
    assert embedder.forget() == []


def test_a_new_process_knows_what_is_done(app: App, embedder: BagOfWords, db: Path) -> None:
    call(app, "put", slug="a", content=PAGE)
    call(app, "embed")
    again = open_memory(db, Clock())
    later = install(again, BagOfWords())
    assert embedded(again) == 0
    assert later.forget() == []
    again.store.close()


def test_one_page(app: App, embedder: BagOfWords) -> None:
    call(app, "put", slug="a", content=PAGE)
    call(app, "put", slug="b", content="# Bob\n\nSwims.\n")
    assert embedded(app, slug="b") == 1
    assert embedder.forget() == ["Bob\nSwims."]
    assert embedded(app, slug="b") == 0
    assert embedded(app) == 3
    with pytest.raises(NotFound):
        call(app, "embed", slug="none")


def test_one_page_after_all_were_done(app: App, embedder: BagOfWords) -> None:
    """What was noted as done does not hide the texts of a page whose vectors went."""
    call(app, "put", slug="a", content=PAGE)
    call(app, "put", slug="b", content="# Bob\n\nSwims.\n")
    call(app, "embed")
    assert embedded(app, slug="a", all=True) == 3
    assert embedded(app) == 0
    assert vectors(app) == 4


def test_everything_anew(app: App, embedder: BagOfWords) -> None:
    call(app, "put", slug="a", content=PAGE)
    call(app, "put", slug="b", content="# Bob\n\nSwims.\n")
    call(app, "embed")
    before = call(app, "query", question="who swims")["results"]
    embedder.forget()
    assert embedded(app, all=True) == 4
    assert len(embedder.forget()) == 4
    assert vectors(app) == 4
    assert call(app, "query", question="who swims")["results"] == before


def test_all_and_stale_exclude_each_other(app: App, embedder: BagOfWords) -> None:
    call(app, "put", slug="a", content=PAGE)
    with pytest.raises(InvalidInput):
        call(app, "embed", all=True, stale=True)
    assert embedded(app, stale=True) == 3


def test_an_empty_memory(app: App, embedder: BagOfWords) -> None:
    assert call(app, "embed") == {"model": DEFAULT_MODEL, "embedded": 0, "texts": 0}


def test_more_than_one_batch_says_how_far_it_is(app: App, embedder: BagOfWords) -> None:
    for number in range(70):
        call(app, "put", slug=f"p-{number}", content=f"# Page {number}\n\nText {number}.\n")
    steps: list[tuple[int, int]] = []
    app.progress = lambda done, total: steps.append((done, total))
    assert embedded(app) == 70
    assert steps == [(32, 70), (64, 70), (70, 70)]
    assert len(embedder.forget()) == 70


def test_a_page_that_changes_while_others_are_embedded(app: App) -> None:
    """Its old text is passed over, its new one is embedded in its turn."""
    for number in range(40):
        call(app, "put", slug=f"p-{number:02}", content=f"# Page {number}\n\nText {number}.\n")

    class Writing(BagOfWords):
        def embed(self, texts: list[str]) -> object:
            if not self.texts:
                call(app, "put", slug="p-39", content="# Page 39\n\nOther words.\n")
                call(app, "rm", slug="p-38")
            return super().embed(texts)

    embedder = install(app, Writing())
    call(app, "embed")
    call(app, "embed")
    assert len(embedder.texts) == 39
    assert "Page 39\nOther words." in embedder.texts
    assert not any("Page 38" in text for text in embedder.texts)
    assert not embeddings.missing(app.connection, 1)


@pytest.mark.parametrize("kind", [Raising, WrongShape, NotANumber, RaisingStream])
def test_an_embedder_that_fails_stores_nothing_wrong(app: App, kind: type[BagOfWords]) -> None:
    for number in range(3):
        call(app, "put", slug=f"p-{number}", content=f"# Page {number}\n\nText {number}.\n")
    install(app, kind())
    with pytest.raises(EmbedderFailed):
        call(app, "embed")
    assert vectors(app) == (1 if kind is RaisingStream else 0)
    good = install(app, BagOfWords())
    assert embedded(app) == 3 - (kind is RaisingStream)
    assert len(good.forget()) == 3 - (kind is RaisingStream)


def test_a_model_of_other_dimensions_under_the_same_name(app: App, embedder: BagOfWords) -> None:
    call(app, "put", slug="a", content=PAGE)
    call(app, "embed")
    install(app, BagOfWords(dimensions=32))
    call(app, "put", slug="b", content="# Bob\n\nSwims.\n")
    with pytest.raises(EmbedderFailed):
        call(app, "embed")
    assert vectors(app) == 3


def test_vectors_of_texts_that_are_gone_can_go(app: App, embedder: BagOfWords) -> None:
    call(app, "put", slug="a", content=PAGE)
    call(app, "embed")
    call(app, "put", slug="a", content=PAGE.replace("sensors", "walls"))
    call(app, "embed")
    assert vectors(app) == 4
    with app.store.write() as connection:
        assert embeddings.collect(connection) == 1
    assert embedded(app) == 0


# Catching up --------------------------------------------------------------------------------------


@pytest.fixture
def behind(app: App, embedder: BagOfWords) -> Iterator[App]:
    """A memory with ten new texts, of which a query embeds four."""
    call(app, "config set", key="query.catch_up", value="4")
    opened = app.reread()
    install(opened, embedder)
    for number in range(10):
        call(opened, "put", slug=f"p-{number}", content=f"# Page {number}\n\nText {number}.\n")
    return opened


def test_a_query_leaves_much_alone_and_catches_up_with_little(behind: App, embedder: BagOfWords) -> None:
    notices = call(behind, "query", question="text")["notices"]
    assert notices == ["0 of 10 texts embedded; `quaid embed` makes up for that."]
    assert vectors(behind) == 0
    call(behind, "embed")
    for number in range(4):
        call(behind, "put", slug=f"new-{number}", content=f"# New {number}\n\nMore {number}.\n")
    assert call(behind, "query", question="text")["notices"] == []
    assert vectors(behind) == 14
    embedder.forget()
    assert call(behind, "query", question="text")["notices"] == []
    assert embedder.forget() == ["text"], "nothing but the question"


def test_catching_up_can_be_turned_off(behind: App, embedder: BagOfWords) -> None:
    call(behind, "config set", key="query.catch_up", value="0")
    opened = behind.reread()
    install(opened, embedder)
    answer = call(opened, "query", question="text")
    assert answer["notices"]
    assert len(answer["results"]) == 10, "words find what meaning does not know yet"
    assert vectors(opened) == 0


def test_what_is_not_embedded_yet_is_found_by_words_and_date(behind: App) -> None:
    call(behind, "put", slug="dated", content="# D\n\nx\n\n---\n\n- **2024-03-12** — Joined the board.\n")
    found = call(behind, "query", question="what happened in March 2024")["results"]
    assert found[0]["slug"] == "dated"
    assert "Joined the board" in found[0]["content"]
