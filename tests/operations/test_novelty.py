"""Whether a text is new, and what `put --check-novelty` makes of it."""

from __future__ import annotations

from typing import Any

import pytest

from quaid import operations
from quaid.app import App
from quaid.errors import Conflict, InvalidInput
from quaid.operations.put import PUT
from quaid.operations.text import Style
from tests.support import call, version_of

TRUTH = "# Tides\n\nThe tide follows the moon, twice a day, and the harbour fills with boats before noon.\n"
REWORDED = TRUTH.replace("before noon", "until noon")
OTHER = "# Tides\n\nNobody has measured the current below the bridge since the old gauge broke.\n"


@pytest.fixture
def tides(app: App) -> App:
    call(
        app, "put", slug="tides", content=f"---\ntags: [sea]\n---\n{TRUTH}\n---\n\n- 2026-01-01 — Measured\n"
    )
    call(app, "put", slug="bread", content="# Bread\n\nFlour, water, salt, and a night in the cold.\n")
    return app


def test_a_text_against_all_pages(tides: App) -> None:
    assert call(tides, "novelty", content=OTHER)["verdict"] == "new"
    found = call(tides, "novelty", content=REWORDED)
    assert (found["verdict"], found["page"]) == ("duplicate", "tides")
    assert 0.85 < found["jaccard"] < 1
    assert "cosine" not in found


def test_a_text_against_a_page(tides: App) -> None:
    assert call(tides, "novelty", slug="bread", content=TRUTH)["verdict"] == "new"
    assert call(tides, "novelty", slug="tides", content=TRUTH) == {
        "verdict": "duplicate",
        "jaccard": 1.0,
        "page": "tides",
    }


def test_a_page_against_all_others(tides: App) -> None:
    assert call(tides, "novelty", slug="tides")["verdict"] == "new"
    call(tides, "put", slug="copy", content=TRUTH)
    assert call(tides, "novelty", slug="tides")["page"] == "copy"
    with pytest.raises(InvalidInput):
        call(tides, "novelty")


def test_meaning_counts_where_there_are_vectors(tides: App) -> None:
    call(tides, "embed")
    found = call(
        tides, "novelty", slug="tides", content=TRUTH.replace("boats", "ships").replace("fills", "is full")
    )
    assert found["verdict"] in ("duplicate", "near_duplicate")
    assert call(tides, "novelty", slug="tides", content=OTHER)["cosine"] < 0.95


def written(app: App, **values: Any) -> Any:
    return call(app, "put", slug="tides", check_novelty=True, **values)


def test_a_new_truth_is_written(tides: App) -> None:
    done = written(tides, content=OTHER)
    assert (done["novelty"]["verdict"], done["version"]) == ("new", 2)
    assert call(tides, "get", slug="tides")["content"] == OTHER


def test_an_old_truth_is_not_rewritten_and_its_evidence_is_kept(tides: App) -> None:
    new = (
        "---\ntags: [moon]\nlinks: [{to: moon, relationship: follows}]\n"
        "assertions: [{subject: tide, predicate: follows, object: moon}]\n---\n"
        f"{REWORDED}\n---\n\n- 2026-02-02 — Measured again\n"
    )
    done = written(tides, content=new)
    assert (done["novelty"]["verdict"], done["changed"]) == ("duplicate", True)
    text = call(tides, "get", slug="tides")["content"]
    assert "before noon" in text
    assert "until noon" not in text
    for evidence in ("moon]", "relationship: follows", "subject: tide", "Measured again", "— Measured\n"):
        assert evidence in text
    assert written(tides, content=new)["changed"] is False


def test_parts_are_written_without_the_truth(tides: App) -> None:
    done = written(
        tides,
        compiled_truth=REWORDED,
        frontmatter={"mood": "calm"},
        timeline_append="- 2026-03-03 — Seen\n",
        assertions=[{"subject": "a", "predicate": "is", "object": "b"}],
    )
    assert done["novelty"]["page"] == "tides"
    text = call(tides, "get", slug="tides")["content"]
    assert "until noon" not in text
    assert all(part in text for part in ("mood: calm", "— Seen", "subject: a"))


def test_a_page_that_is_not_there_is_written_in_any_case(tides: App) -> None:
    done = call(tides, "put", slug="copy", content=TRUTH, check_novelty=True)
    assert (done["created"], done["novelty"]["verdict"], done["novelty"]["page"]) == (
        True,
        "duplicate",
        "tides",
    )


def test_the_version_is_checked_whatever_the_verdict(tides: App) -> None:
    for content in (TRUTH, OTHER):
        with pytest.raises(Conflict):
            written(tides, content=content, expected_version=7)
    assert version_of(tides, "tides") == 1


def test_it_is_told(tides: App) -> None:
    arguments = PUT.arguments(slug="tides", content=REWORDED, check_novelty=True)
    assert PUT.render(operations.run(tides, PUT, arguments), Style()) == (
        "tides unchanged, version 1\n"
        "nothing new in its words: tides has 88% of the words; the compiled truth stays as it was"
    )
    assert "novelty" not in call(tides, "put", slug="tides", content=REWORDED)
