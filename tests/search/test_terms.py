"""Common words add to a rank, and bring nothing by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.app import App
from quaid.formats.segments import alternatives
from quaid.store import candidates, terms, units
from quaid.store.filters import PageFilter
from tests.support import call, found, quick

PLAIN = """SELECT rowid, -rank FROM page_fts
           WHERE page_fts MATCH ? AND rank MATCH 'bm25(1.0, 1.0, 1.0, 10.0, 6.0, 4.0, 0.0)'"""


@pytest.fixture
def library(app: App, monkeypatch: pytest.MonkeyPatch) -> App:
    """Forty pages about a river, three of them about a walrus; a word on more than ten pages is common."""
    monkeypatch.setattr(terms, "COMMON_ROWS", 10)
    monkeypatch.setattr(terms, "COMMON_SHARE", 0.0)
    with app.store.write():
        for n in range(40):
            more = " walrus" * (n % 3 + 1) if n in (7, 20, 33) else ""
            call(app, "put", slug=f"p-{n:02}", content=f"# Page {n}\n\nThe river{more} flows {'on ' * n}.\n")
        call(app, "put", slug="other", content="# Other\n\nNothing of that kind.\n")
    return app


def ranked(app: App, question: str) -> dict[int, float]:
    query = terms.any_of(app.connection, "page", alternatives(question))
    assert query
    return dict(candidates.pages_by_words(app.connection, query, PageFilter(), 100))


def test_common_words_bring_no_rows(library: App) -> None:
    assert len(ranked(library, "walrus river")) == 3
    assert len(ranked(library, "walrus river flows page")) == 3


def test_a_common_word_alone_is_searched(library: App) -> None:
    assert len(ranked(library, "river")) == 40


def test_of_common_words_the_rarest_brings_rows(library: App) -> None:
    call(library, "put", slug="dry", content="# Dry\n\nA river without water.\n")
    assert len(ranked(library, "river flows")) == 40
    assert len(ranked(library, "river")) == 41


@pytest.mark.parametrize(
    "question", ["walrus river", "walrus river flows page on", "walrus", "river", '"river walrus" flows']
)
def test_scores_are_those_of_a_plain_query(library: App, question: str) -> None:
    plain = dict(library.connection.execute(PLAIN, (" OR ".join(alternatives(question)),)))
    found_ = ranked(library, question)
    assert found_ == {page: pytest.approx(plain[page], rel=1e-5) for page in found_}
    assert found_


def test_scores_stay_below_the_ceiling(library: App) -> None:
    for question in ("walrus river", "walrus", "other kind", "nothing walrus kind"):
        query = terms.any_of(library.connection, "page", alternatives(question))
        assert query
        rows = candidates.pages_by_words(library.connection, query, PageFilter(), 100)
        assert all(0 < score / query.ceiling <= 1 for _, score in rows)


def test_words_that_no_page_has(library: App) -> None:
    assert terms.any_of(library.connection, "page", alternatives("zebra quagga")) is None
    assert terms.any_of(library.connection, "page", []) is None
    query = terms.any_of(library.connection, "page", alternatives("zebra walrus"))
    assert query
    assert "zebra" not in query.match


def test_sections_are_counted_on_their_own(library: App) -> None:
    call(
        library,
        "put",
        slug="long",
        content="# Long\n\n" + "".join(f"## S{n}\n\nwalrus\n\n" for n in range(9)),
    )
    counts = [
        terms.word_counts(library.connection, index, ['"walrus"'])[1]['"walrus"']
        for index in ("page", "chunk")
    ]
    assert counts == [4, 12]


def test_prefixes_and_phrases_are_counted(library: App) -> None:
    counted = terms.word_counts(
        library.connection, "page", ['"walr"*', '"river walrus"', '"zebra"', '"学"*']
    )[1]
    assert counted == {'"walr"*': 3, '"river walrus"': 3, '"zebra"': 0, '"学"*': 0}


def test_the_rarest_words_bring_rows_however_old_they_are(
    library: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terms, "COMMON_ROWS", 100)
    monkeypatch.setattr(terms, "MOST_ROWS", 12)
    query = terms.any_of(library.connection, "page", alternatives("river walrus"))
    assert query
    assert (query.match, query.rows) == ('"walrus"', 3)
    assert len(ranked(library, "river walrus")) == 3


def test_the_best_are_the_best_of_all_however_few_are_asked_for(library: App) -> None:
    query = terms.any_of(library.connection, "page", alternatives("walrus river flows page on"))
    assert query
    everything = candidates.pages_by_words(library.connection, query, PageFilter(), 100)
    for count in (1, 2, 3):
        some = candidates.pages_by_words(library.connection, query, PageFilter(), count)
        assert some == everything[:count]


def test_the_size_of_an_index_is_the_number_of_its_rows(library: App) -> None:
    for index in ("page", "chunk", "turn"):
        (count,) = library.connection.execute(f"SELECT count(*) FROM {index}_fts_docsize").fetchone()
        assert terms.word_counts(library.connection, index)[0] == count
    call(library, "rm", slug="other")
    assert terms.word_counts(library.connection, "page")[0] == 40


def test_a_word_is_counted_anew_after_every_change(library: App, db: Path) -> None:
    def walruses() -> int:
        return terms.word_counts(library.connection, "page", ['"walrus"'])[1]['"walrus"']

    assert walruses() == 3
    call(library, "put", slug="other", content="# Other\n\nNothing of that walrus.\n")
    assert walruses() == 4
    quick("put", "other", input="# Other\n\nNothing of that kind.\n", db=db)
    assert walruses() == 3
    with library.store.write():
        call(library, "put", slug="more", content="# More\n\nA walrus.\n")
        assert walruses() == 4


def test_words_that_stand_everywhere_rank_the_newest_and_the_titles(
    library: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "MOST_ROWS", 12)
    monkeypatch.setattr(units, "MOST_ROWS", 12)
    call(library, "put", slug="named", content="# The River\n\nx\n")
    call(library, "mv", slug="named", to="river-page")
    with library.store.write():
        for n in range(40, 60):
            call(library, "put", slug=f"p-{n:02}", content=f"# Page {n}\n\nThe river flows {'on ' * n}.\n")
    slugs = dict(library.connection.execute("SELECT id, slug FROM pages").fetchall())
    answer = [slugs[page] for page in ranked(library, "river")]
    assert answer[0] == "river-page"
    assert len(answer) < 30
    assert all(slug > "p-40" for slug in answer[1:])
    assert found(library, "river")[0] == "river-page"
    assert "p-07" in found(library, "walrus river"), "a rare word is found however old its page is"


def test_filters_hold_for_words_that_stand_everywhere(library: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MOST_ROWS", 12)
    monkeypatch.setattr(units, "MOST_ROWS", 12)
    call(library, "tag", slug="p-38", tag="chosen")
    call(library, "tag", slug="p-02", tag="chosen")
    assert set(found(library, "river", tag="chosen")) <= {"p-38", "p-02"}
    assert "p-38" in found(library, "river", tag="chosen")
