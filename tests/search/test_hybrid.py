"""Finding pages by name, words and meaning at once, whatever the merge; filters let nothing through."""

from __future__ import annotations

from typing import Any

import pytest

from quaid.app import App
from quaid.search import evidence
from quaid.store import scope as scopes
from tests.support import Clock, call
from tests.support_embedders import BagOfWords, install

MERGES = ("balanced", "set-union", "rrf")

PAGES = {
    "people/alice-example": "---\naliases: [Ally, The Boss]\n---\n# Alice Example\n\nBuilds river sensors.\n",
    "people/zoe": "# Zoë Müller-Lüdenscheidt\n\nA physician at the harbour.\n",
    "companies/river-ai": "# RiverAI\n\nMakes sensors. [[people/alice-example]] founded it.\n",
    "concepts/sensor": "# Sensor\n\nAlice, Alice Example, Example Alice: sensor sensor sensor river.\n",
    "notes/garage": "# Garage\n\nHow to purchase an automobile.\n",
    "notes/board": "# Minutes\n\nx\n\n---\n\n- **2024-03-12** — Chose a chair.\n- **2023-05-01** — Met.\n",
    "notes/diary": "# Diary\n\n---\n\n- **2024-03-30** — Rain.\n- **2022-01-01** — Snow.\n",
    "notes/common": "# Plenty\n\nWhat happened, what was chosen, who met whom.\n",
}


@pytest.fixture
def library(app: App) -> App:
    install(app, BagOfWords())
    with app.store.write():
        for slug, text in PAGES.items():
            call(app, "put", slug=slug, content=text)
    call(app, "embed")
    return app


def merging(app: App, merge: str) -> App:
    call(app, "config set", key="query.merge", value=merge)
    chosen = app.reread()
    install(chosen, BagOfWords())
    return chosen


def results(app: App, question: str, **arguments: Any) -> list[dict[str, Any]]:
    return list(call(app, "query", question=question, **arguments)["results"])


def slugs(app: App, question: str, **arguments: Any) -> list[str]:
    return [result["slug"] for result in results(app, question, **arguments)]


# Names --------------------------------------------------------------------------------------------


NAMED = [
    ("Alice Example", "people/alice-example"),
    ("alice example?", "people/alice-example"),
    ("ALICE-EXAMPLE", "people/alice-example"),
    ("people/alice-example", "people/alice-example"),
    ("alice-example", "people/alice-example"),
    ("the boss", "people/alice-example"),
    ("Ally!", "people/alice-example"),
    ("Zoe Muller Ludenscheidt", "people/zoe"),
    ("ZOË MÜLLER LÜDENSCHEIDT", "people/zoe"),
    ("zoe", "people/zoe"),
    ("riverai", "companies/river-ai"),
    ("River-AI", "companies/river-ai"),
    ("sensor", "concepts/sensor"),
]


@pytest.mark.parametrize("merge", MERGES)
def test_a_whole_name_comes_first(library: App, merge: str) -> None:
    chosen = merging(library, merge)
    firsts = [(question, results(chosen, question)[0]) for question, _ in NAMED]
    assert [(question, first["slug"]) for question, first in firsts] == NAMED
    assert all(first["why"][0] == "exact" for _, first in firsts)


@pytest.mark.parametrize("merge", MERGES)
def test_however_many_have_that_name(library: App, merge: str) -> None:
    with library.store.write():
        for n in range(15):
            call(library, "put", slug=f"n{n:02}/summary", content=f"# Page {n}\n\nOther things {n}.\n")
            call(library, "put", slug=f"z{n:02}", content="# Reading\n\nsummary summary summary\n")
    found = slugs(merging(library, merge), "summary", limit=30)
    assert sorted(found[:15]) == [f"n{n:02}/summary" for n in range(15)]


@pytest.mark.parametrize("merge", MERGES)
def test_a_whole_name_is_not_crowded_out_by_parts_of_it(library: App, merge: str) -> None:
    with library.store.write():
        for n in range(25):
            call(library, "put", slug=f"n{n:02}/beta", content=f"# Alpha {n}\n\nalpha alpha beta beta {n}\n")
        call(library, "put", slug="target", content="# Alpha Beta\n\nElsewhere.\n")
    first = results(merging(library, merge), "Alpha Beta")[0]
    assert (first["slug"], first["why"][0]) == ("target", "exact")


def test_a_name_within_a_question(library: App) -> None:
    for question in (
        "what does Alice Example build?",
        "and what of alice example",
        "who is The Boss of them",
    ):
        found = {result["slug"]: result["why"] for result in results(library, question)}
        assert "exact" in found["people/alice-example"], question
    assert slugs(library, "what do we know about Zoe Müller-Ludenscheidt today?")[0] == "people/zoe"


def test_pages_that_are_linked_with_a_named_one(library: App) -> None:
    found = {
        result["slug"]: result["why"] for result in results(library, "which sensors does Alice Example make")
    }
    assert "graph" in found["companies/river-ai"]


# Words and meaning --------------------------------------------------------------------------------


def test_what_is_said_in_other_words(library: App) -> None:
    first = results(library, "buy a car")[0]
    assert first["slug"] == "notes/garage"
    assert first["why"] == ["meaning"]
    assert slugs(library, "doctor")[0] == "people/zoe"


def test_common_words_alone_do_not_outrank_a_rare_one(library: App) -> None:
    with library.store.write():
        for n in range(30):
            call(
                library,
                "put",
                slug=f"talk/t-{n:02}",
                content=f"# Talk {n}\n\nThe project report says we met again.\n",
            )
        call(
            library,
            "put",
            slug="talk/rare",
            content="# Odd\n\nOf a quagga nobody has heard more since then.\n",
        )
    assert slugs(library, "did the project report say we met a quagga again")[0] == "talk/rare"


def test_why_and_arms(library: App) -> None:
    for result in results(library, "river sensors", explain=True):
        assert result["why"]
        assert ("words" in result["why"]) == bool({"words", "sections"} & set(result["arms"]))
        assert ("meaning" in result["why"]) == ("meaning" in result["arms"])
        assert all(arm["rank"] >= 1 for arm in result["arms"].values())
    assert all("arms" not in result for result in results(library, "river sensors"))
    ranked = [
        r["arms"]["words"]["rank"]
        for r in results(library, "river sensors", explain=True)
        if "words" in r["arms"]
    ]
    assert sorted(ranked) == list(range(1, len(ranked) + 1))


@pytest.mark.parametrize("merge", MERGES)
def test_scores_fall(library: App, merge: str) -> None:
    chosen = merging(library, merge)
    for question in ("river sensors of Alice", "board in March 2024", "buy a car", "sensor"):
        scores = [result["score"] for result in results(chosen, question)]
        assert scores == sorted(scores, reverse=True)
        assert len(slugs(chosen, question)) == len(set(slugs(chosen, question)))


def test_set_union_follows_meaning(library: App) -> None:
    found = results(merging(library, "set-union"), "who sells river sensors", explain=True)
    near = [result["arms"]["meaning"]["rank"] for result in found if "meaning" in result["arms"]]
    assert near == sorted(near)
    assert [r["slug"] for r in found if "meaning" not in r["arms"]] == [r["slug"] for r in found][len(near) :]


def test_one_page_alone_is_found_by_meaning(app: App) -> None:
    install(app, BagOfWords())
    call(app, "put", slug="one", content="# One\n\nfeline\n")
    assert slugs(app, "cat") == ["one"]


def test_the_best_section_is_shown(library: App) -> None:
    text = "# Long\n\n" + "".join(f"## Part {n}\n\nAbout topic{n} and nothing else.\n\n" for n in range(12))
    call(library, "put", slug="long", content=text)
    found = results(library, "tell me about topic7", depth="section")[0]
    assert found["slug"] == "long"
    assert found["heading"] == "Part 7"
    assert "topic7" in found["content"]
    first, last = map(int, found["lines"].split("-"))
    assert "\n".join(text.split("\n")[first - 1 : last]) == found["content"]


# Days ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "what happened in March 2024",
        "what happened on 2024-03-12?",
        "what happened on 12 March 2024?",
        "what happened on March 12, 2024?",
    ],
)
def test_a_day_in_a_question_lifts_its_entries(library: App, question: str) -> None:
    found = results(library, question, depth="section")
    board = next(result for result in found if result["slug"] == "notes/board")
    assert "date" in board["why"]
    assert "Chose a chair" in board["content"]
    assert board["heading"] == "Timeline"
    merely_near = [place for place, result in enumerate(found) if result["why"] == ["meaning"]]
    assert found.index(board) < min(merely_near, default=len(found))


def test_a_year_in_a_question(library: App) -> None:
    found = {result["slug"]: result["why"] for result in results(library, "what happened in 2022")}
    assert "date" in found["notes/diary"]
    assert "date" not in found.get("notes/board", [])


def test_a_day_without_entries(library: App) -> None:
    found = results(library, "what happened in May 1999")
    assert found
    assert all("date" not in result["why"] for result in found)


# Filters ------------------------------------------------------------------------------------------


@pytest.fixture
def mixed(library: App, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> App:
    """Sixty more pages about the same, few of them chosen; small pools, so that filters matter."""
    monkeypatch.setattr(evidence, "POOL", 8)
    with library.store.write():
        for n in range(60):
            tags = "tags: [rare]\n" if n % 20 == 7 else ""
            kind = "type: meeting\nwing: vault\n" if n % 20 == 9 else ""
            head = f"---\n{tags}{kind}---\n" if tags or kind else ""
            text = f"{head}# Entry {n}\n\nriver sensor number{n} of the automobile.\n"
            text += "\n---\n\n- **2024-03-12** — Seen.\n"
            call(library, "put", slug=f"bulk/b-{n:02}", content=text)
    clock.tick(86_400 * 10)
    call(library, "put", slug="late/one", content="# Late\n\nA sensor in another river.\n")
    call(library, "embed")
    return library


FILTERS: list[tuple[dict[str, str], set[str]]] = [
    ({"tag": "rare"}, {"bulk/b-07", "bulk/b-27", "bulk/b-47"}),
    ({"type": "meeting"}, {"bulk/b-09", "bulk/b-29", "bulk/b-49"}),
    ({"wing": "vault"}, {"bulk/b-09", "bulk/b-29", "bulk/b-49"}),
    ({"since": "2026-04-20"}, {"late/one"}),
    ({"wing": "late", "until": "2026-04-20"}, set()),
    ({"tag": "rare", "type": "meeting"}, set()),
    ({"tag": "none"}, set()),
]


@pytest.mark.parametrize("merge", MERGES)
def test_filters_let_nothing_else_through(mixed: App, merge: str) -> None:
    chosen = merging(mixed, merge)
    for filters, expected in FILTERS:
        for question in (
            "river sensor",
            "a car",
            "Entry 3",
            "bulk/b-03",
            "seen in March 2024",
            "Alice Example",
        ):
            found = set(slugs(chosen, question, limit=50, **filters))
            assert found <= expected, (question, filters)
            if question in ("river sensor", "a car"):
                assert found == expected, (question, filters)


def test_until_is_the_end_of_that_day(mixed: App) -> None:
    assert "late/one" in slugs(mixed, "river sensor", since="2026-04-24", until="2026-04-24", limit=99)
    assert "late/one" not in slugs(mixed, "river sensor", until="2026-04-23", limit=99)


def test_the_nearest_of_few_pages_is_found_among_many(mixed: App) -> None:
    """What passes the filter is far from the nearest of all pages, and still it is found by meaning."""
    call(mixed, "put", slug="deep/one", content="---\ntags: [deep]\n---\n# Deep\n\nfeline\n")
    call(mixed, "put", slug="deep/two", content="---\ntags: [deep]\n---\n# Deeper\n\nharbour\n")
    call(mixed, "embed")
    found = results(mixed, "river sensor of the cat automobile", tag="deep")
    assert found[0]["slug"] == "deep/one"
    assert "meaning" in found[0]["why"]


def test_an_empty_filter_is_all_or_nothing(library: App) -> None:
    """An agent may send an empty argument; the arms must not understand it differently."""
    for name in ("type", "tag", "wing"):
        found = results(library, "river sensor", **{name: ""})
        assert not found or {result["slug"] for result in found} == set(slugs(library, "river sensor"))
        assert not found or "meaning" in found[0]["why"]


def test_another_collection(library: App) -> None:
    with library.store.write() as connection:
        connection.execute("INSERT INTO collections (name) VALUES ('other')")
    call(
        library,
        "put",
        slug="other::people/alice-example",
        content="# Alice Example\n\nriver sensors in Rust\n",
    )
    for question in ("Alice Example", "river sensors", "rust"):
        found = results(library, question, collection="other")
        assert {result["collection"] for result in found} == {"other"}
        found = results(library, question, collection="default")
        assert {result["collection"] for result in found} <= {"default"}
    both = [(r["collection"], r["slug"]) for r in results(library, "Alice Example")[:2]]
    assert sorted(both) == [("default", "people/alice-example"), ("other", "people/alice-example")]


@pytest.mark.parametrize("merge", MERGES)
def test_removed_pages_are_never_found(library: App, merge: str) -> None:
    chosen = merging(library, merge)
    for slug in ("people/alice-example", "notes/garage", "notes/board"):
        call(chosen, "rm", slug=slug)
    for question in (
        "Alice Example",
        "the boss",
        "river sensors",
        "buy a car",
        "in March 2024",
        "notes/board",
    ):
        found = set(slugs(chosen, question, limit=99))
        assert not found & {"people/alice-example", "notes/garage", "notes/board"}, question
    call(chosen, "restore", slug="notes/garage")
    assert slugs(chosen, "buy a car")[0] == "notes/garage"


# Lines --------------------------------------------------------------------------------------------


def test_a_line_of_very_many_counts_for_less_but_in_a_notebook(app: App) -> None:
    install(app, BagOfWords())
    many = [f"- number {number} lies in drawer{number}" for number in range(60)]
    few = "- the spare key hangs on a hook\n- the rent is due"
    rows = "\n".join([*many, "- the spare key hangs on a hook"])
    call(app, "put", slug="notes/short", content=f"# Short\n\n{few}\n")
    call(app, "put", slug="notes/long", content=f"# Long\n\n{rows}\n")
    call(app, "embed")

    def standing() -> dict[str, float]:
        meaning, _ = app.models.meaning("spare key on a hook")
        assert meaning is not None
        with app.store.read() as connection:
            found = evidence.by_lines(connection, meaning, scopes.pages())
            names = dict(connection.execute("SELECT id, slug FROM pages"))
            return {names[page]: lines[0].standing for page, lines in found.items()}

    as_pages = standing()
    assert as_pages["notes/short"] > as_pages["notes/long"]
    with app.store.write() as connection:
        connection.execute("UPDATE collections SET profile = 'notebook'")
    as_notebook = standing()
    assert as_notebook["notes/short"] == as_notebook["notes/long"]
