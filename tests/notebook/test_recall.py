"""Recalling what a notebook says: groups, places, scores, and what is not found."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaid.app import App
from quaid.embed import weights
from quaid.embed.registry import DEFAULT_MODEL
from quaid.errors import InvalidInput, NotFound
from quaid.search import passages
from quaid.search.scores import Coverage, score
from quaid.store.connection import Store
from quaid.store.filters import PageFilter
from tests.notebook.reading import FILES, attach, write
from tests.support import call, open_memory, quick, tool


@pytest.fixture
def notebook(app: App, tmp_path: Path) -> Path:
    return attach(app, tmp_path / "home")


def recall(app: App, query: str, **more: Any) -> Any:
    return call(app, "recall", query=query, **more)


def test_two_groups_with_places_and_scores(app: App, notebook: Path) -> None:
    found = recall(app, "what did Sarah say about her phone?", min_score=0)
    paths = [each["path"] for each in found["notebook"]]
    assert paths[0] == "reference/contacts.md"
    assert not any(path.startswith("daily/") for path in paths)
    assert found["daily"][0]["path"] == "daily/2026-04-14.md"
    assert all(each["path"].startswith("daily/") for each in found["daily"])
    for group in (found["notebook"], found["daily"]):
        scores = [each["score"] for each in group]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= each <= 1 for each in scores)


def test_a_result_says_where_it_stands(app: App, notebook: Path) -> None:
    (first, *_) = recall(app, "plumber")["notebook"]
    assert first["heading"] == "Plumber"
    assert first["notebook"] == "home"
    assert first["path"] == "reference/contacts.md"
    lines = (notebook / first["path"]).read_text().splitlines()
    shown = lines[first["lines"]["start"] - 1 : first["lines"]["end"]]
    assert shown in (["## Plumber", "- Kowalski, 030 555 0199"], ["- Kowalski, 030 555 0199"])
    assert "Kowalski" in first["snippet"]


def test_a_snippet_is_short_and_around_the_words(app: App, notebook: Path) -> None:
    filler = " ".join(f"word{number}" for number in range(120))
    write(notebook, {"knowledge/long.md": f"## Long\n{filler} the zeppelin landed here {filler}\n"})
    (first, *_) = recall(app, "zeppelin")["notebook"]
    assert "zeppelin" in first["snippet"]
    assert len(first["snippet"]) <= 250


def test_as_a_tool_by_its_own_name(app: App, notebook: Path) -> None:
    found = tool(app, "recall", query="sarah phone", max_results=1)
    assert [each["heading"] for each in found["notebook"]] == ["Sarah Chen"]
    assert found["daily"] == []


def test_what_has_nothing_to_do_with_it_is_left_out(app: App, notebook: Path) -> None:
    for query in ("photosynthesis in mosses", "quarterly revenue of Siemens", "what does the gym cost"):
        found = recall(app, query)
        assert all(each["weak"] for each in (*found["notebook"], *found["daily"])), query
        assert recall(app, query, min_score=0.25)["notebook"] == []
        assert found["notebook"] or found["notices"][-1].startswith("Not known: ")
    assert recall(app, "photosynthesis in mosses", min_score=0)["notebook"]


def test_what_is_near_is_shown_as_weak_rather_than_nothing(app: App, notebook: Path, db: Path) -> None:
    call(app, "config set", key="recall.min_score", value="0.5")
    app = app.reread()
    found = recall(app, "passport number")
    assert 0 < len(found["notebook"]) <= 5
    assert {each["weak"] for each in found["notebook"]} == {True}
    assert quick("recall", "passport", "number", db=db).out.startswith("Not known; nearest:\nNOTEBOOK (")
    strong = recall(app, "sarah phone")["notebook"]
    assert "weak" not in strong[0]


def test_meaning_finds_what_shares_no_word(app: App, notebook: Path) -> None:
    found = recall(app, "breakfast ingredients to purchase", min_score=0.1)
    assert [each["path"] for each in found["notebook"]] == ["lists/shopping.md"]


def test_how_many(app: App, notebook: Path) -> None:
    found = recall(app, "sarah", max_results=1, min_score=0)
    assert len(found["notebook"]) + len(found["daily"]) == 1
    assert len(recall(app, "sarah", max_results=100_000, min_score=0)["daily"]) == 3


def test_settings_give_the_defaults(app: App, notebook: Path) -> None:
    call(app, "config set", key="recall.max_results", value="1")
    call(app, "config set", key="recall.min_score", value="0")
    found = call(app.reread(), "recall", query="mosses")
    assert len(found["notebook"]) + len(found["daily"]) == 1


def test_an_edit_by_hand_is_seen(app: App, notebook: Path) -> None:
    assert recall(app, "accordion")["notebook"] == []
    write(notebook, {"lists/music.md": "## Instruments\n- tune the accordion\n"})
    app.freshness._rested_until.clear()
    assert recall(app, "accordion")["notebook"][0]["path"] == "lists/music.md"


def test_other_collections_are_not_searched(app: App, notebook: Path) -> None:
    call(app, "put", slug="music/accordion", content="# Accordion\n\nTune the accordion.\n")
    found = recall(app, "accordion", min_score=0)
    assert all("accordion" not in each["path"] for each in (*found["notebook"], *found["daily"]))


def test_several_notebooks(app: App, notebook: Path, tmp_path: Path) -> None:
    attach(app, tmp_path / "work", "work", {"reference/contacts.md": "## Sarah Novak\n- Phone: 555-0177\n"})
    found = recall(app, "sarah phone")["notebook"]
    assert {each["notebook"] for each in found[:2]} == {"home", "work"}
    found = recall(app, "sarah phone", notebook="work")["notebook"]
    assert {each["notebook"] for each in found} == {"work"}


def test_a_memory_without_a_notebook(app: App) -> None:
    with pytest.raises(NotFound) as error:
        recall(app, "anything")
    assert "--profile notebook" in error.value.hint


def test_a_notebook_that_is_not_there(app: App, notebook: Path) -> None:
    with pytest.raises(NotFound) as error:
        recall(app, "anything", notebook="default")
    assert "home" in error.value.hint


@pytest.mark.parametrize("query", ["", "  \n\t"])
def test_nothing_is_asked(app: App, notebook: Path, query: str) -> None:
    with pytest.raises(InvalidInput):
        recall(app, query)


@pytest.mark.parametrize("least", [-0.1, 1.5])
def test_a_score_out_of_bounds(app: App, notebook: Path, least: float) -> None:
    with pytest.raises(InvalidInput):
        recall(app, "sarah", min_score=least)


@pytest.mark.parametrize(
    "query",
    ['"', '"sarah', "sarah AND (phone OR", "NEAR(a b)", "sarah*", "-sarah", "{title}: x", "^x", "';--", "*",
     "+++", "a" * 100_000, "sarah " * 5_000, "東京", "🦭", "\x00\x01"],
)  # fmt: skip
def test_any_syntax_is_just_words(app: App, notebook: Path, query: str) -> None:
    recall(app, query)


def test_chinese(app: App, notebook: Path) -> None:
    write(notebook, {"knowledge/cn.md": "## 公司\n東京の小さな港湾ソフトウェア会社。\n"})
    found = recall(app, "港湾ソフトウェア")
    assert found["notebook"][0]["path"] == "knowledge/cn.md"


def test_in_the_shell(app: App, notebook: Path, db: Path) -> None:
    ran = quick("recall", "sarah", "phone", db=db)
    assert ran.status == 0
    assert ran.out.startswith("NOTEBOOK (")
    assert "reference/contacts.md:4" in ran.out
    assert "- Phone: 555-0134" in ran.out
    assert "DAILY (" not in ran.out or ran.out.index("NOTEBOOK") < ran.out.index("DAILY")
    assert (
        quick("recall", "photosynthesis", "mosses", db=db).out
        == "Not known: nothing here is near to this question; a lower score shows what there is.\n"
    )


def test_a_lost_memory_is_made_anew_and_answers(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    write(root, FILES)
    assert quick("init", str(root), "--profile", "notebook").status == 0
    database = root / ".quaid" / "memory.db"
    before = quick("recall", "sarah phone", "--json", db=database).json
    for place in database.parent.glob("memory.db*"):
        place.unlink()
    after = quick("recall", "sarah phone", "--json", db=database).json
    assert after["notebook"][0]["path"] == before["notebook"][0]["path"] == "reference/contacts.md"


@pytest.fixture
def modelless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program without the weights, as a slim wheel installs it."""
    slim = tmp_path / "slim"
    for name in weights.MODELS:
        (slim / name).mkdir(parents=True)
    shutil.copy(weights.PACKAGED / DEFAULT_MODEL / "tokenizer.json", slim / DEFAULT_MODEL)
    monkeypatch.setattr(weights, "PACKAGED", slim)


def test_without_a_model_words_count_and_it_says_so(modelless: None, app: App, notebook: Path) -> None:
    found = recall(app, "sarah phone")
    assert "words only" in found["notices"][0]
    assert found["notebook"][0]["heading"] == "Sarah Chen"
    assert found["notebook"][0]["score"] > 0.7, "it has all words"
    assert recall(app, "quarterly revenue of Siemens")["notebook"] == []
    partly = recall(app, "sarah phone zebra quagga okapi", min_score=0)["notebook"][0]
    assert partly["score"] < found["notebook"][0]["score"], "words that stand nowhere speak against it"


# What a score is made of --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    app = open_memory(tmp_path_factory.mktemp("recall") / "memory.db")
    call(
        app,
        "put",
        slug="a",
        content="# Alpha\n\nA harbour with eleven berths. 東京の港.\n\n## Beta\n\nTea.\n",
    )
    yield app.store
    app.store.close()


@given(st.text(max_size=80))
@example("A*")
def test_any_text_can_be_asked(small: Store, text: str) -> None:
    for each in passages.find(small.connection, text, [PageFilter()], 5):
        assert 0 <= each.score <= 1
        assert each.text in each.page.text


@given(st.text(max_size=200), st.lists(st.sampled_from(['"harbour"', '"ber"*', '"東京"', '"tea"', '"zzz"'])))
def test_coverage_is_a_share(small: Store, text: str, words: list[str]) -> None:
    coverage = Coverage(small.connection, words)
    assert 0 <= coverage.of(text) <= 1
    known = [word for word in words if word != '"zzz"']
    assert Coverage(small.connection, known).of("Harbour berths, tea: 東京") == (1 if known else 0)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(-1, 1), st.floats(-1, 1))
def test_more_evidence_never_lowers_a_score(words: float, more: float, cosine: float, nearer: float) -> None:
    least, most = sorted((cosine, nearer))
    assert 0 <= score(min(words, more), least) <= score(max(words, more), most) <= 1
    assert 0 <= score(min(words, more), None) <= score(max(words, more), None) <= 1
