"""Two years of a small company: what was true on which day, and what does not fit together at the end."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from quaid.app import App
from tests.support import Clock, call, dump


class Company:
    """Heron, as it is written down while it happens."""

    def __init__(self, app: App, clock: Clock) -> None:
        self.app = app
        self._clock = clock

    def on(self, day: str) -> None:
        self._clock.moment = datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC)

    def do(self, name: str, /, **values: Any) -> Any:
        return call(self.app, name, **values)

    def hire(self, slug: str, name: str, role: str, day: str) -> None:
        self.on(day)
        self.do("put", slug=slug, content=f"# {name}\n\n{name} is with [[companies/heron]] as {role}.\n")
        self.do("link", **{"from": slug}, to="companies/heron", relationship="works_at", valid_from=day)
        self.do(
            "assert", subject=name, predicate="role", object=role, valid_from=day, source=f"contract/{name}"
        )
        self.do("timeline-add", slug=slug, date=day, summary=f"Joined as {role}", source="board/minutes")

    def facts(self, day: str) -> set[tuple[str, str, str]]:
        found = self.do("facts", at=day, limit=100)["facts"]
        return {(each["subject"], each["predicate"], each["object"]) for each in found if "id" in each}

    def at_heron(self, day: str) -> set[str]:
        found = self.do("backlinks", slug="companies/heron", temporal="all", relationship="works_at")["links"]
        return {
            each["from"]
            for each in found
            if each.get("valid_from", "") <= day and day < each.get("valid_until", "9999")
        }

    def contradictions(self) -> list[tuple[str, list[tuple[str, str]]]]:
        found = self.do("check", all=True)["findings"]
        return [
            (each["type"], [(side["slug"], side["statement"]) for side in each["sides"]])
            for each in sorted(found, key=lambda each: (each["type"], each["description"]))
        ]


@pytest.fixture
def heron(app: App, clock: Clock) -> Company:
    story = Company(app, clock)
    story.on("2024-01-10")
    story.do("put", slug="companies/heron", content="---\ntitle: Heron\n---\nHeron makes sensors.\n")
    story.hire("people/ana", "Ana", "CEO", "2024-01-10")
    story.do("assert", subject="Ana", predicate="is_ceo_of", object="Heron", valid_from="2024-01-10")
    story.hire("people/ben", "Ben", "engineer", "2024-03-01")
    story.on("2024-06-15")
    story.do("put", slug="decisions/storage", content="# Storage\n\nWe keep readings in Postgres.\n")
    story.do(
        "assert",
        subject="decisions/storage",
        predicate="chosen",
        object="Postgres",
        valid_from="2024-06-15",
        source="meeting/12",
    )
    story.hire("people/cleo", "Cleo", "CFO", "2024-09-01")
    story.on("2024-11-04")
    story.do("put", slug="projects/launch", content="# Launch\n\nThe first product ships in March 2025.\n")
    story.do(
        "assert",
        subject="Launch",
        predicate="ships_on",
        object="2025-03-01",
        valid_from="2024-11-04",
        source="plan/1",
    )
    story.on("2025-02-10")  # the deadline moves
    (planned,) = story.do("facts", subject="Launch", predicate="ships_on")["facts"]
    story.do("supersede", id=planned["id"], object="2025-05-01", source="plan/2")
    story.do(
        "put", slug="projects/launch", compiled_truth="# Launch\n\nThe first product ships in May 2025.\n"
    )
    story.on("2025-04-01")  # the decision is reversed
    (chosen,) = story.do("facts", subject="decisions/storage", predicate="chosen")["facts"]
    story.do("supersede", id=chosen["id"], object="SQLite", source="meeting/31")
    story.do("put", slug="decisions/storage", compiled_truth="# Storage\n\nWe keep readings in SQLite.\n")
    story.on("2025-07-01")  # Ben leaves
    (link,) = [
        each for each in story.do("links", slug="people/ben")["links"] if each["relationship"] == "works_at"
    ]
    story.do("link-close", link_id=link["id"], valid_until="2025-07-01")
    story.do(
        "assert",
        subject="Ben",
        predicate="role",
        object="engineer",
        valid_from="2024-03-01",
        valid_until="2025-07-01",
        source="contract/Ben",
    )
    story.do("put", slug="people/ben", compiled_truth="# Ben\n\nBen left [[companies/heron]] in July 2025.\n")
    story.on("2025-10-01")  # Dora follows Ana
    story.do(
        "assert",
        subject="Ana",
        predicate="is_ceo_of",
        object="Heron",
        valid_from="2024-01-10",
        valid_until="2025-10-01",
    )
    (ceo,) = story.do("facts", subject="Ana", predicate="role")["facts"]
    story.do("supersede", id=ceo["id"], object="chair")
    story.hire("people/dora", "Dora", "CEO", "2025-10-01")
    story.do("assert", subject="Dora", predicate="is_ceo_of", object="Heron", valid_from="2025-10-01")
    story.on("2026-01-15")
    return story


FACTS: dict[str, set[tuple[str, str, str]]] = {
    "2023-12-31": set(),
    "2024-03-01": {("Ana", "role", "CEO"), ("Ana", "is_ceo_of", "Heron"), ("Ben", "role", "engineer")},
    "2024-12-01": {
        ("Ana", "role", "CEO"),
        ("Ana", "is_ceo_of", "Heron"),
        ("Ben", "role", "engineer"),
        ("Cleo", "role", "CFO"),
        ("decisions/storage", "chosen", "Postgres"),
        ("Launch", "ships_on", "2025-03-01"),
    },
    "2025-03-31": {
        ("Ana", "role", "CEO"),
        ("Ana", "is_ceo_of", "Heron"),
        ("Ben", "role", "engineer"),
        ("Cleo", "role", "CFO"),
        ("decisions/storage", "chosen", "Postgres"),
        ("Launch", "ships_on", "2025-05-01"),
    },
    "2025-07-01": {
        ("Ana", "role", "CEO"),
        ("Ana", "is_ceo_of", "Heron"),
        ("Cleo", "role", "CFO"),
        ("decisions/storage", "chosen", "SQLite"),
        ("Launch", "ships_on", "2025-05-01"),
    },
    "2026-01-15": {
        ("Ana", "role", "chair"),
        ("Dora", "role", "CEO"),
        ("Dora", "is_ceo_of", "Heron"),
        ("Cleo", "role", "CFO"),
        ("decisions/storage", "chosen", "SQLite"),
        ("Launch", "ships_on", "2025-05-01"),
    },
}
AT_HERON = {
    "2023-12-31": set[str](),
    "2024-03-01": {"people/ana", "people/ben"},
    "2024-12-01": {"people/ana", "people/ben", "people/cleo"},
    "2025-06-30": {"people/ana", "people/ben", "people/cleo"},
    "2025-07-01": {"people/ana", "people/cleo"},
    "2026-01-15": {"people/ana", "people/cleo", "people/dora"},
}


def test_what_was_true_on_six_days(heron: Company) -> None:
    assert {day: heron.facts(day) for day in FACTS} == FACTS
    assert {day: heron.at_heron(day) for day in AT_HERON} == AT_HERON


def test_a_story_that_was_kept_up_contradicts_nothing(heron: Company) -> None:
    assert heron.contradictions() == []
    assert not heron.do("validate", all=True)["findings"]


def test_what_was_not_kept_up_is_found_and_nothing_else(heron: Company) -> None:
    heron.do(
        "put",
        slug="people/cleo",
        compiled_truth="# Cleo\n\nCleo left [[companies/heron]] in December 2025.\n",
    )
    heron.do("timeline-add", slug="projects/launch", date="2025-05-02", summary="Shipped", source="mail/9")
    heron.do(
        "assert",
        subject="heron",
        predicate="headcount",
        object="3",
        page="companies/heron",
        source="register",
    )
    heron.do(
        "assert", subject="Heron", predicate="headcount", object="4", page="people/dora", source="interview"
    )
    assert heron.contradictions() == [
        ("cross_page", [("companies/heron", "heron headcount 3"), ("people/dora", "Heron headcount 4")]),
        (
            "stale",
            [("projects/launch", "The first product ships in May 2025."), ("projects/launch", "Shipped")],
        ),
        (
            "temporal",
            [
                ("people/cleo", "Cleo left companies/heron in December 2025."),
                ("people/cleo", "Cleo works_at Heron"),
            ],
        ),
    ]


def ingest(heron: Company, text: str, ref: str, claim: dict[str, str]) -> Any:
    version = heron.do("get", slug="companies/heron")["version"]
    return heron.do(
        "ingest",
        content=text,
        source_type="article",
        source_ref=ref,
        pages=[{"slug": "companies/heron", "expected_version": version, "assertions": [claim]}],
    )


def test_two_sources_that_conflict_are_one_contradiction_and_both_are_quoted(heron: Company) -> None:
    for ref, year, words in (
        ("news/1", "2019", "Heron was founded in 2019, says the register."),
        ("news/2", "2021", "The sensors of Heron, a company of 2021, measure rivers."),
    ):
        claim = {"subject": "Heron", "predicate": "founded_in", "object": year, "evidence_text": words}
        ingest(heron, words, ref, claim)
    (finding,) = heron.do("check", all=True)["findings"]
    assert [(side["statement"], side["source"], side["evidence"]) for side in finding["sides"]] == [
        ("Heron founded_in 2019", "news/1", "Heron was founded in 2019, says the register."),
        ("Heron founded_in 2021", "news/2", "The sensors of Heron, a company of 2021, measure rivers."),
    ]


def test_the_same_source_twice_leaves_no_new_row_anywhere(heron: Company) -> None:
    words = "Heron was founded in 2019, says the register."
    claim = {"subject": "Heron", "predicate": "founded_in", "object": "2019"}
    ingest(heron, words, "news/1", claim)
    assert heron.contradictions() == []
    before = dump(heron.app.store.path)
    assert ingest(heron, words, "news/1", claim)["duplicate"]
    assert heron.contradictions() == []
    assert dump(heron.app.store.path) == before
