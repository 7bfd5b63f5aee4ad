"""What stands on many pages says nothing about one: it is no summary, and is embedded once."""

from __future__ import annotations

import pytest

from quaid.app import App
from quaid.formats.content import read_page
from quaid.index import indexer
from quaid.store import embeddings
from quaid.store.repetition import MANY, is_repeated
from tests.support import call
from tests.support_embedders import BagOfWords, install

FOOTER = (
    "# This note in GitHub\n\n"
    '<span class="footer">[Edit in GitHub](https://example.org/edit/{n}.md "edit") | '
    '[Copy this note](https://example.org/raw/{n}.md "copy") | [Download all](https://example.org/all.zip)</span>\n'
)


@pytest.fixture
def vault(app: App) -> App:
    """Pages with something of their own, and a footer that a plugin has put under each."""
    with app.store.write():
        for n in range(MANY + 5):
            text = f"# Page {n}\n\nOwn{n} words about harbour{n}.\n\n" + FOOTER.format(n=n)
            call(app, "put", slug=f"p-{n:02}", content=text)
    return app


def test_a_footer_is_embedded_once(vault: App) -> None:
    embedder = install(vault, BagOfWords())
    done = call(vault, "embed")
    assert done["embedded"] == done["texts"] == 2 * (MANY + 5)
    given = embedder.forget()
    assert len(given) == MANY + 5 + 1
    footer = [text for text in given if "Edit in GitHub" in text]
    assert len(footer) == 1
    assert "Page" not in footer[0], "no page's name"


def test_new_pages_share_the_vector_of_their_footer(vault: App) -> None:
    embedder = install(vault, BagOfWords())
    call(vault, "embed")
    call(vault, "put", slug="new", content="# New\n\nSomething else.\n\n" + FOOTER.format(n="new"))
    embedder.forget()
    assert call(vault, "embed")["embedded"] == 2
    assert len(embedder.forget()) == 2
    rows = vault.connection.execute("SELECT vector, count(*) FROM embeddings GROUP BY 1 HAVING count(*) > 1")
    assert [count for _, count in rows] == [MANY + 6]


def test_a_batch_at_a_time(vault: App) -> None:
    """Vectors that come without the embedder are kept too, whenever they are wanted."""

    class Single(BagOfWords):
        def stream(self, texts: object) -> object:
            for text in texts:  # type: ignore[attr-defined]
                yield self.embed([text])

    embedder = install(vault, Single())
    model = vault.models.current()
    waiting = embeddings.most_useful(vault.connection, model.id)
    footers = sorted(waiting, key=lambda item: item[1])
    saved = list(indexer.saves(vault.store, model, embedder, footers))
    assert sum(saved) == len(waiting)
    assert not embeddings.missing(vault.connection, model.id)


def test_what_is_said_once_or_seldom_is_no_repetition(vault: App) -> None:
    assert is_repeated(vault.connection, FOOTER.format(n="anything"))
    assert not is_repeated(vault.connection, "Own3 words about harbour3.")
    assert not is_repeated(vault.connection, FOOTER.format(n=1) + "And something of its own.")
    assert not is_repeated(vault.connection, FOOTER.format(n=1) * 5 + "And something of its own.")
    assert not is_repeated(vault.connection, FOOTER.format(n=1) * 500)
    for odd in ("", "[](", '" OR *', "a b", "AND NOT NEAR(", "見本 " * 50):
        assert not is_repeated(vault.connection, odd)


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        (FOOTER.format(n=1), ""),
        (f"Says something.\n\n{FOOTER.format(n=1)}", "Says something."),
        (f"{FOOTER.format(n=1)}\nSays something.\n", "Says something."),
        ("[[Yesterday]] | [[Tomorrow]]\n\nToday it rained.\n", "Today it rained."),
        ("#placeholder/description #todo\n\nText.\n", "Text."),
        ("[A good article](https://example.org)\n", "A good article"),
        ("See [[Alice]] and [[Bob]].\n", "See Alice and Bob."),
        ("#1 in its class.\n", "#1 in its class."),
    ],
)
def test_a_row_of_links_is_no_summary(text: str, summary: str) -> None:
    assert read_page(text, "a").summary == summary
