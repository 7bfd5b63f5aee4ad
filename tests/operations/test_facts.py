"""Facts: asserted, asked for, taken back, and replaced by others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from quaid.errors import Ambiguous, Conflict, InvalidInput, NotFound
from tests.support import Clock, call, open_memory, tool, version_of


@pytest.fixture
def people(app: App) -> App:
    call(app, "put", slug="people/alice", content="---\naliases: [Ally]\n---\n# Alice Example\n")
    call(app, "put", slug="companies/river-ai", content="# RiverAI\n")
    return app


def told(app: App, subject: str | None = None, **more: Any) -> list[str]:
    """Facts in short."""
    found = call(app, "facts", **({"subject": subject} if subject else {}), **more)["facts"]
    return [f"{each['subject']} {each['predicate']} {each['object']}" for each in found]


def say(app: App, subject: str, predicate: str, object_: str, **more: Any) -> dict[str, Any]:
    done: dict[str, Any] = call(app, "assert", subject=subject, predicate=predicate, object=object_, **more)
    return done


def digest(app: App) -> str:
    return str(call(app, "digest")["digest"])


def test_a_fact_is_written_into_the_page_that_its_subject_names(people: App) -> None:
    done = say(people, "Ally", "is CEO of", "RiverAI", valid_from="2024-01", confidence=0.7, source="m/1")
    assert done == {"id": 1, "slug": "people/alice", "version": 2, "changed": True}
    assert call(people, "get", slug="people/alice")["frontmatter"]["assertions"] == [
        {
            "subject": "Ally",
            "predicate": "is_ceo_of",
            "object": "RiverAI",
            "valid_from": "2024-01-01",
            "confidence": 0.7,
            "source": "m/1",
        }
    ]
    assert call(people, "facts")["facts"] == [
        {
            "id": 1,
            "subject": "Ally",
            "predicate": "is_ceo_of",
            "object": "RiverAI",
            "page": "people/alice",
            "collection": "default",
            "confidence": 0.7,
            "asserted_by": "manual",
            "learned_at": "2026-04-14T12:00:00Z",
            "valid_from": "2024-01-01",
            "source": "m/1",
        }
    ]


def test_without_a_page_the_subject_must_be_one(people: App) -> None:
    with pytest.raises(NotFound, match="no page is called 'Carol'") as raised:
        say(people, "Carol", "knows", "Alice")
    assert "--page" in raised.value.hint
    assert say(people, "Carol", "knows", "Alice", page="people/alice")["slug"] == "people/alice"


@pytest.mark.parametrize(
    ("subject", "predicate", "object_", "more"),
    [
        ("Ally", " ", "x", {}),
        ("Ally", "is", " ", {}),
        ("Ally", "is", "x", {"confidence": 2.0}),
        ("Ally", "is", "x", {"valid_from": "soon"}),
        ("Ally", "is", "x", {"valid_from": "2026", "valid_until": "2025"}),
    ],
)
def test_what_is_refused_changes_nothing(
    people: App, subject: str, predicate: str, object_: str, more: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput):
        say(people, subject, predicate, object_, **more)
    assert version_of(people, "people/alice") == 1


def test_a_fact_is_not_written_twice(people: App) -> None:
    first = say(people, "Alice Example", "works_at", "RiverAI", valid_from="2024-01-15", source="m/1")
    for subject, object_, more in [
        ("Alice Example", "RiverAI", {"valid_from": "2024-01-15"}),
        ("people/alice", "riverai", {}),
        ("ALLY", "RiverAI", {"valid_from": "2025-01-01"}),
    ]:
        again = say(people, subject, "worksAt", object_, source="m/1", **more)
        assert again == {**first, "changed": False}
    assert say(people, "Ally", "works_at", "RiverAI", source="m/2")["id"] == 2


def test_a_fact_gets_the_days_that_it_lacked(people: App) -> None:
    say(people, "Ally", "works_at", "RiverAI")
    assert say(people, "Ally", "works_at", "RiverAI", valid_from="2024")["id"] == 1
    assert say(people, "Ally", "works_at", "RiverAI", valid_until="2025")["id"] == 1
    again = say(people, "Ally", "works_at", "RiverAI", valid_from="2026")
    assert again["id"] == 2
    spans = [
        (each["valid_from"], each.get("valid_until"))
        for each in call(people, "facts", temporal="all")["facts"]
    ]
    assert spans == [("2024-01-01", "2025-01-01"), ("2026-01-01", None)]


def test_a_subject_is_known_by_every_name(people: App) -> None:
    say(people, "Alice Example", "likes", "tea", page="companies/river-ai")
    say(people, "people/alice", "likes", "rain")
    say(people, "ally", "likes", "salt", page="companies/river-ai")
    say(people, "Alison", "likes", "mud", page="people/alice")
    for name in ("people/alice", "Alice Example", "ALLY", "alice", "default::people/alice"):
        assert sorted(each.split()[-1] for each in told(people, name)) == ["rain", "salt", "tea"]
    assert told(people, "alison") == ["Alison likes mud"]
    assert told(people, "nobody") == []
    say(people, "Ally", "works_at", "River AI")
    say(people, "Ally", "founded", "companies/river-ai")
    assert told(people, object="RiverAI") == ["Ally founded companies/river-ai", "Ally works_at River AI"]
    assert told(people, predicate="is it") == []
    assert told(people, page="people/alice", predicate="Likes") == [
        "Alison likes mud",
        "people/alice likes rain",
    ]


def test_the_same_name_means_the_page_that_says_it(app: App) -> None:
    for slug in ("people/alice", "pets/alice"):
        call(app, "put", slug=slug, content=f"# The {slug}\n")
        say(app, "alice", "lives_at", slug, page=slug)
    assert told(app, "people/alice") == ["alice lives_at people/alice"]
    assert told(app, "pets/alice") == ["alice lives_at pets/alice"]
    assert len(told(app, "alice")) == 2


def test_facts_of_a_day(people: App) -> None:
    say(people, "Ally", "works_at", "Acme", valid_from="2020", valid_until="2022")
    say(people, "Ally", "works_at", "RiverAI", valid_from="2022")
    say(people, "Ally", "works_at", "Moon", valid_from="2030")
    assert told(people) == ["Ally works_at RiverAI"]
    assert told(people, at="2021-12-31") == ["Ally works_at Acme"]
    assert told(people, at="2022-01-01") == ["Ally works_at RiverAI"]
    assert told(people, at="2019") == []
    assert told(people, temporal="historical") == ["Ally works_at Acme"]
    assert told(people, at="2021", temporal="historical") == []
    assert len(told(people, temporal="all")) == 3


def test_what_changed(people: App, clock: Clock) -> None:
    say(people, "Ally", "works_at", "Acme", valid_from="2020", valid_until="2026-04-10")
    say(people, "Ally", "works_at", "RiverAI", valid_from="2026-04-10")
    say(people, "Ally", "likes", "tea")
    clock.tick(3 * 24 * 3600)
    say(people, "Ally", "likes", "rain")

    def changes(since: str) -> list[tuple[str, str]]:
        found = call(people, "facts", changed_since=since)["facts"]
        return sorted((each["object"], each["change"]) for each in found)

    # The page changed today, and with it the time at which it may have learned what it says.
    assert changes("24h") == [("rain", "learned")]
    assert changes("1d") == changes("24h")
    assert changes("2026-04-11") == [
        ("Acme", "learned"),
        ("RiverAI", "learned"),
        ("rain", "learned"),
        ("tea", "learned"),
    ]
    assert changes("1w")[:2] == [("Acme", "ended"), ("RiverAI", "began")]
    for wrong in ("soon", "999999w"):
        with pytest.raises(InvalidInput):
            changes(wrong)


def test_a_rebuilt_memory_has_learned_nothing(people: App, clock: Clock) -> None:
    say(people, "Ally", "likes", "tea")
    clock.tick(30 * 24 * 3600)
    people.connection.execute("UPDATE assertions SET created_at = ?", (clock(),))
    assert told(people, changed_since="7d") == []
    assert told(people, changed_since="60d") == ["Ally likes tea"]


def test_a_list_says_that_there_is_more(people: App) -> None:
    for word in "abc":
        say(people, "Ally", "likes", word)
    assert call(people, "facts", limit=2)["more"] is True
    assert call(people, "facts", limit=3)["more"] is False


def test_a_fact_is_taken_back(people: App) -> None:
    say(people, "Ally", "likes", "tea")
    say(people, "Ally", "likes", "rain")
    done = call(people, "retract", fact="1")
    assert (done["id"], done["version"]) == (1, 4)
    assert told(people) == ["Ally likes rain"]
    call(people, "retract", fact="people/alice", predicate="likes", object="Rain")
    assert told(people) == []
    assert call(people, "get", slug="people/alice")["frontmatter"] == {"aliases": ["Ally"]}
    with pytest.raises(NotFound):
        call(people, "retract", id=1)
    with pytest.raises(InvalidInput, match="no fact is named"):
        call(people, "retract", fact="Ally", predicate="likes")


def test_of_several_one_must_be_named(people: App) -> None:
    for source in ("m/1", "m/2"):
        say(people, "Ally", "likes", "tea", source=source)
    with pytest.raises(Ambiguous) as raised:
        call(people, "retract", fact="Ally", predicate="likes", object="tea")
    assert raised.value.data["candidates"] == [1, 2]
    call(people, "retract", fact="2")
    call(people, "retract", fact="Ally", predicate="likes", object="tea")


def test_a_fact_takes_the_place_of_another(people: App) -> None:
    say(people, "Ally", "role", "engineer", valid_from="2024-01-01")
    done = call(people, "supersede", id=1, object="CTO", **{"from": "2025-06-01"}, source="m/2")
    assert (done["id"], done["supersedes"], done["version"]) == (2, 1, 3)
    assert call(people, "supersede", id=2, object="CEO")["day"] == "2026-04-14"
    assert call(people, "get", slug="people/alice")["frontmatter"]["assertions"][1:] == [
        {
            "subject": "Ally",
            "predicate": "role",
            "object": "CTO",
            "valid_from": "2025-06-01",
            "source": "m/2",
            "supersedes": "engineer",
            "valid_until": "2026-04-14",
        },
        {
            "subject": "Ally",
            "predicate": "role",
            "object": "CEO",
            "valid_from": "2026-04-14",
            "supersedes": "CTO",
        },
    ]
    (current,) = call(people, "facts", subject="Ally")["facts"]
    assert [(each["object"], each["valid_until"]) for each in current["was"]] == [
        ("CTO", "2026-04-14"),
        ("engineer", "2025-06-01"),
    ]
    (past,) = call(people, "facts", subject="Ally", at="2024-06-01")["facts"]
    assert (past["object"], past["superseded_by"]) == ("engineer", 2)
    assert call(people, "validate", all=True)["findings"] == []


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"id": 9, "object": "x"}, NotFound),
        ({"id": 1, "object": "x", "from": "2023"}, InvalidInput),
        ({"id": 1, "object": "Engineer"}, InvalidInput),
        ({"id": 1, "object": " "}, InvalidInput),
        ({"id": 2, "object": "x"}, Conflict),
    ],
)
def test_what_cannot_take_its_place(people: App, values: dict[str, Any], error: type[Exception]) -> None:
    say(people, "Ally", "role", "engineer", valid_from="2024")
    say(people, "Ally", "role", "intern", valid_until="2023")
    with pytest.raises(error):
        call(people, "supersede", **values)
    assert version_of(people, "people/alice") == 3


def test_only_the_last_of_a_chain_is_replaced(people: App) -> None:
    say(people, "Ally", "role", "engineer")
    call(people, "supersede", id=1, object="CTO")
    with pytest.raises(Conflict, match="fact 2 took its place"):
        call(people, "supersede", id=1, object="CEO")


def test_another_page_may_say_what_took_its_place(people: App) -> None:
    say(people, "Ally", "role", "engineer", valid_from="2024")
    done = call(people, "supersede", id=1, object="CTO", page="RiverAI")
    assert (done["slug"], done["version"], done["old_slug"], done["old_version"]) == (
        "companies/river-ai",
        2,
        "people/alice",
        3,
    )
    text = call(people, "get", slug="companies/river-ai")["frontmatter"]["assertions"]
    assert text[0]["supersedes"] == {"page": "people/alice", "object": "engineer"}
    (current,) = call(people, "facts", subject="Ally")["facts"]
    assert [each["id"] for each in current["was"]] == [1]


def test_a_chain_survives_a_rebuild(people: App, tmp_path: Path) -> None:
    say(people, "Ally", "role", "engineer", valid_from="2024")
    call(people, "supersede", id=1, object="CTO", **{"from": "2025"})
    call(people, "supersede", id=2, object="CEO", page="RiverAI", **{"from": "2026"})
    call(people, "mv", slug="people/alice", to="people/alice-example")
    texts = {
        slug: call(people, "get", slug=slug)["content"]
        for slug in ("people/alice-example", "companies/river-ai")
    }
    for order in (list(texts), list(reversed(texts))):
        anew = open_memory(tmp_path / f"{order[0].replace('/', '-')}.db", people.now)
        for slug in order:
            call(anew, "put", slug=slug, content=texts[slug])
        (current,) = call(anew, "facts", subject="Ally")["facts"]
        assert [each["object"] for each in current["was"]] == ["CTO", "engineer"]
        assert digest(anew) == digest(people)
        anew.store.close()


def test_ids_survive_edits_and_rebuilds(people: App) -> None:
    for word in ("tea", "rain", "salt"):
        say(people, "Ally", "likes", word)
    call(people, "retract", fact="1")
    call(people, "tag", slug="people/alice", tag="x")
    call(people, "put", slug="people/alice", compiled_truth="# Alice Example\n\nNew.\n")
    call(people, "rebuild")
    found = call(people, "facts")["facts"]
    assert [(each["id"], each["object"]) for each in found] == [(2, "rain"), (3, "salt")]


def test_a_field_yields_facts_that_change_with_it_alone(people: App) -> None:
    call(people, "put", slug="people/alice", frontmatter={"company": "RiverAI", "role": "CTO"})
    assert told(people, "Ally") == ["people/alice role CTO", "people/alice works_at RiverAI"]
    links = call(people, "links", slug="people/alice")["links"]
    assert [(each["relationship"], each["to"]) for each in links] == [("works_at", "companies/river-ai")]
    ids = {each["predicate"]: each["id"] for each in call(people, "facts")["facts"]}
    for name, values in (("retract", {}), ("supersede", {"object": "x"})):
        with pytest.raises(InvalidInput, match="the field 'company'") as raised:
            call(people, name, id=ids["works_at"], **values)
        assert raised.value.hint == "Edit the field company."
    call(people, "mv", slug="people/alice", to="people/al")
    assert {each["id"] for each in call(people, "facts")["facts"]} == set(ids.values())
    call(people, "put", slug="people/al", frontmatter={"company": None})
    assert told(people, "Ally") == ["people/al role CTO"]
    assert call(people, "links", slug="people/al")["links"] == []
    assert call(people, "validate", all=True)["findings"] == []


def test_what_a_field_yields_survives_a_rebuild(people: App) -> None:
    text = "---\nowner: Ally\ndue: 2026-05\nstatus: open\n---\n# Launch\n"
    call(people, "put", slug="actions/launch", content=text)
    before, told_before = digest(people), told(people)
    call(people, "rebuild")
    assert (digest(people), told(people)) == (before, told_before)
    assert "actions/launch due 2026-05-01" in told_before


def test_programs_must_name_the_version(people: App) -> None:
    with pytest.raises(InvalidInput, match="page_version"):
        tool(people, "memory_assert", subject="Ally", predicate="likes", object="tea")
    with pytest.raises(Conflict):
        tool(people, "memory_assert", subject="Ally", predicate="likes", object="tea", page_version=7)
    tool(people, "memory_assert", subject="Ally", predicate="likes", object="tea", page_version=1)
    with pytest.raises(Conflict):
        tool(people, "memory_assert", subject="Ally", predicate="likes", object="tea", page_version=1)
    for name, values in (("memory_retract", {"id": 1}), ("memory_supersede", {"id": 1, "object": "x"})):
        with pytest.raises(Conflict):
            tool(people, name, page_version=1, **values)
    values = {"id": 1, "object": "rain", "page": "companies/river-ai", "page_version": 2}
    with pytest.raises(InvalidInput, match="other_version"):
        tool(people, "memory_supersede", **values)
    with pytest.raises(Conflict):
        tool(people, "memory_supersede", **values, other_version=5)
    assert told(people) == ["Ally likes tea"]
    tool(people, "memory_supersede", **values, other_version=1)


ORG = """#+title: River
#+assertion: {subject: River,predicate: flows to, object: Sea}
#+assertion: {subject: River, predicate: length, object: 10 km}

Text
"""


def test_org_pages(app: App, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    file = tmp_path / "notes" / "river.org"
    file.write_text(ORG)
    call(app, "collection add", name="notes", folder=str(tmp_path / "notes"))
    ids = {each["object"]: each["id"] for each in call(app, "facts")["facts"]}
    say(app, "River", "is", "cold", source="m/1")
    done = call(app, "supersede", id=ids["10 km"], object="12 km", **{"from": "2026-01-01"})
    assert file.read_text() == ORG.replace(
        "object: 10 km}\n",
        "object: 10 km, valid_until: 2026-01-01}\n"
        "#+assertion: {subject: River, predicate: is, object: cold, source: m/1}\n"
        "#+assertion: {subject: River, predicate: length, object: 12 km, valid_from: 2026-01-01, "
        "supersedes: 10 km}\n",
    )
    (long,) = call(app, "facts", predicate="length")["facts"]
    assert (long["id"], long["was"][0]["id"]) == (done["id"], ids["10 km"])
    call(app, "retract", fact="River", predicate="flows_to", object="sea")
    assert "flows" not in file.read_text()
    assert call(app, "validate", all=True)["findings"] == []
