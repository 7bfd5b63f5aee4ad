"""What every index must satisfy, wherever it keeps words and vectors. A subclass says how it is filled."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from quaid.app import App, Surroundings
from quaid.search.evidence import Meaning
from quaid.search.question import read_question
from quaid.settings import Layer, Settings
from quaid.store import embeddings, units
from quaid.store import scope as scopes
from quaid.store.filters import PageFilter
from quaid.store.scope import PAGES
from quaid.trust import Territory, Trust
from tests.support import Clock, call, memory_at
from tests.support_embedders import BagOfWords, install

WORDS = ("feline", "physician", "harbour", "purchase", "automobile")
PEOPLE = PageFilter(type="person")
ALL = scopes.pages()


class ArmsContract:
    """Inherit this and give `settings` and `settle`."""

    def settings(self, tmp_path: Path) -> dict[str, str]:
        """What says that this index is asked."""
        raise NotImplementedError

    def settle(self, app: App) -> None:
        """Bring the index into step with the memory."""
        raise NotImplementedError

    def opened(self, tmp_path: Path) -> App:
        layer = Layer("flag", "tests", self.settings(tmp_path))
        store = memory_at(tmp_path / "memory.db")
        Territory(Trust(tmp_path), store.path).claim()
        app = App(store, Settings(layer), Clock(), Surroundings(home=tmp_path))
        install(app, BagOfWords())
        return app

    @pytest.fixture
    def app(self, tmp_path: Path) -> Iterator[App]:
        app = self.opened(tmp_path)
        yield app
        app.store.close()

    @pytest.fixture
    def filled(self, made: Path, tmp_path: Path) -> Iterator[App]:
        """A copy of that memory and its index."""
        shutil.copytree(made, tmp_path, dirs_exist_ok=True)
        app = self.opened(tmp_path)
        yield app
        app.store.close()

    @pytest.fixture(scope="class")
    @classmethod
    def made(cls, tmp_path_factory: pytest.TempPathFactory) -> Path:
        """Sixty pages about things, one about a person, one in Japanese."""
        folder = tmp_path_factory.mktemp("made")
        self = cls()
        app = self.opened(folder)
        for n in range(60):
            said = f"A {WORDS[n % 5]} number{n} thing of the {WORDS[n // 5 % 5]}."
            text = f"# Page {n}\n\n{said}\n\n- line{n} here\n"
            call(app, "put", slug=f"things/p-{n:02}", content=text)
        call(app, "put", slug="people/ada", content="# Ada\n\nA physician who lives in the harbour.\n")
        call(app, "put", slug="things/kaze", content="# 風\n\n東京の小さな港湾ソフトウェア会社。\n")
        self.settle(app)
        app.store.close()
        return folder

    def asked(self, app: App, question: str) -> Meaning:
        meaning, notices = app.models.meaning(question)
        assert meaning, notices
        return meaning

    def by_words(self, app: App, question: str, chosen: PageFilter | None = None) -> dict[str, float]:
        """Slugs and shares, best first."""
        arm = self.asked(app, question).words
        words = read_question(question).words
        found = arm.units(app.connection, words, scopes.pages(chosen), 100)
        assert [share for *_, share in found] == sorted((share for *_, share in found), reverse=True)
        return {self.slug(app, page): share for _, page, share in reversed(found)}

    def slug(self, app: App, page: int) -> str:
        return str(app.connection.execute("SELECT slug FROM pages WHERE id = ?", (page,)).fetchone()[0])

    # Words ---------------------------------------------------------------------------------------

    def test_a_text_with_more_of_the_words_has_the_greater_share(self, filled: App) -> None:
        found = self.by_words(filled, "physician harbour")
        both = {"people/ada"} | {f"things/p-{n:02}" for n in range(60) if {n % 5, n // 5 % 5} == {1, 2}}
        assert all(0 < share <= 1 for share in found.values())
        best = sorted(found, key=lambda slug: -found[slug])
        assert set(best[: len(both)]) == both
        assert len(found) > len(both)

    def test_what_is_rare_counts_more(self, filled: App) -> None:
        found = self.by_words(filled, "number17 physician")
        assert max(found, key=lambda slug: found[slug]) == "things/p-17"

    def test_words_in_a_script_without_blanks(self, filled: App) -> None:
        assert set(self.by_words(filled, "ソフトウェア")) == {"things/kaze"}
        assert set(self.by_words(filled, "風")) == {"things/kaze"}

    def test_a_word_that_stands_nowhere_finds_nothing(self, filled: App) -> None:
        assert self.by_words(filled, "zeppelin") == {}

    def test_endings_and_accents_do_not_matter(self, filled: App) -> None:
        assert self.by_words(filled, "Physicians").keys() == self.by_words(filled, "phýsician").keys()

    def test_words_within_a_filter(self, filled: App) -> None:
        assert set(self.by_words(filled, "physician", PEOPLE)) == {"people/ada"}

    def test_a_page_that_was_just_written_is_found_by_words_at_once(self, filled: App) -> None:
        call(filled, "put", slug="things/new", content="# New\n\nA zeppelin.\n")
        assert set(self.by_words(filled, "zeppelin")) == {"things/new"}

    # Meaning -------------------------------------------------------------------------------------

    def test_cosines_are_those_of_the_vectors_and_spread_as_they_are(self, filled: App) -> None:
        meaning = self.asked(filled, "cat in the harbour")
        near = meaning.texts.near(filled.connection, meaning.vector)
        model = filled.models.current()
        expected = {
            digest: float(np.frombuffer(stored, "<f4") @ meaning.vector)
            for _, digest, stored in embeddings.after(filled.connection, model.id, 0)
        }
        assert near.size == len(expected)
        assert near.of_texts(list(expected)) == pytest.approx(expected, abs=1e-5)
        assert near.mean == pytest.approx(np.mean(list(expected.values())), abs=1e-3)
        assert near.deviation == pytest.approx(np.std(list(expected.values())), abs=1e-4)
        best = near.nearest(10)
        assert [cosine for _, cosine in best] == pytest.approx(sorted(expected.values())[-1:-11:-1], abs=1e-5)
        assert all(expected[digest] == pytest.approx(cosine, abs=1e-5) for digest, cosine in best)

    def test_documents_and_units_say_the_same(self, filled: App) -> None:
        meaning = self.asked(filled, "doctor")
        near = meaning.texts.near(filled.connection, meaning.vector)
        documents = near.nearest_documents(ALL, 10)
        placed = near.of_documents(documents)
        assert {page: max(cosine for each, _, cosine in placed if each == page) for page in documents} == (
            pytest.approx(documents, abs=1e-5)
        )
        assert near.of_units([unit for _, unit, _ in placed]) == pytest.approx(
            {unit: cosine for _, unit, cosine in placed}, abs=1e-5
        )
        assert near.nearest_units(ALL, 10).keys() <= {
            unit for _, unit, _ in near.of_documents(near.nearest_documents(ALL, 60))
        }

    def test_lines_have_vectors_of_their_own(self, filled: App) -> None:
        meaning = self.asked(filled, "line17 here")
        assert meaning.lines
        near = meaning.lines.near(filled.connection, meaning.vector)
        found = near.nearest_units(scopes.items(), 1)
        assert near.size == 60
        assert list(found.values()) == [pytest.approx(1.0, abs=1e-2)]

    @pytest.mark.parametrize("count", [1, 8])
    def test_a_filter_that_few_pass_is_looked_up(self, filled: App, count: int) -> None:
        meaning = self.asked(filled, "number3 automobile")
        near = meaning.texts.near(filled.connection, meaning.vector)
        found = near.nearest_documents(scopes.pages(PEOPLE), count)
        assert [self.slug(filled, page) for page in found] == ["people/ada"] * (count // 4 > 0)

    def test_a_removed_page_is_not_found(self, filled: App) -> None:
        call(filled, "rm", slug="people/ada")
        meaning = self.asked(filled, "ada physician harbour")
        near = meaning.texts.near(filled.connection, meaning.vector)
        assert "people/ada" not in [self.slug(filled, page) for page in near.nearest_documents(ALL, 60)]
        assert "people/ada" not in self.by_words(filled, "ada physician harbour")

    def test_while_only_some_texts_are_embedded(self, filled: App) -> None:
        for n in range(60):
            call(filled, "put", slug=f"later/q-{n:02}", content=f"# Later {n}\n\nA letter{n}.\n")
        meaning = self.asked(filled, "letter3")
        near = meaning.texts.near(filled.connection, meaning.vector)
        later = units.texts_of_documents(filled.connection, PAGES, range(1, 500))
        without = [digest for _, _, digest in later if digest not in near.of_texts([digest])]
        assert 0.4 < meaning.coverage < 0.9
        assert near.size < 70 or not without
        assert near.coverage(scopes.pages(PEOPLE)) == 1.0
        assert call(filled, "query", question="letter3 later")["results"][0]["slug"] == "later/q-03"

    def test_an_empty_memory(self, app: App) -> None:
        self.settle(app)
        meaning = self.asked(app, "physician")
        near = meaning.texts.near(app.connection, meaning.vector)
        assert (near.size, near.mean, near.deviation) == (0, 0.0, 0.0)
        assert near.nearest_documents(ALL, 10) == {}
        assert near.of_documents([1]) == []
        assert near.of_texts([b"\0" * 16]) == {}
        assert self.by_words(app, "physician") == {}
        assert call(app, "query", question="physician")["results"] == []

    def test_questions_are_answered(self, filled: App) -> None:
        found = call(filled, "query", question="doctor by the sea", type="person")
        assert [each["slug"] for each in found["results"]] == ["people/ada"]
        assert found["notices"] == []
