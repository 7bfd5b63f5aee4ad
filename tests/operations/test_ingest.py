"""Sources become pages once; what they say goes to other pages, all of it or nothing."""

from __future__ import annotations

from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from quaid.errors import Conflict, InvalidInput, QuaidError
from quaid.foreign.documents.sources import source_text
from tests.support import Clock, call, dump, quick, tool, version_of

TEXT = """Board meeting of RiverAI on the fourteenth of April.

Alice presented the pipeline: nine customers, two of them in the harbour district.
Bob asked for a plan of the budget until May. The board agreed to hire three engineers.

---

Next meeting in May.
"""


def ingested(app: App, content: str = TEXT, **values: Any) -> Any:
    given = {"content": content, "source_type": "meeting", "source_ref": "meeting/123"} | values
    return tool(app, "memory_ingest", **given)


def raw(app: App) -> list[tuple[Any, ...]]:
    """Page, whether active, and bytes of what was kept."""
    return list(
        app.connection.execute(
            """SELECT p.slug, r.is_active, r.raw_bytes FROM raw_imports r
               LEFT JOIN pages p ON p.id = r.page_id ORDER BY r.id"""
        )
    )


def logged(app: App) -> list[tuple[Any, ...]]:
    return list(
        app.connection.execute(
            """SELECT l.source_type, l.source_ref, p.slug FROM ingest_log l
               LEFT JOIN pages p ON p.id = l.page_id ORDER BY l.id"""
        )
    )


def test_a_source_becomes_a_page_with_its_text(app: App) -> None:
    result = ingested(app)
    assert (result["slug"], result["version"], result["created"]) == ("sources/meeting/123", 1, True)
    page = call(app, "get", slug="sources/meeting/123")
    assert page["type"] == "source"
    assert page["frontmatter"] == {
        "title": "meeting/123",
        "type": "source",
        "source_type": "meeting",
        "source_ref": "meeting/123",
        "ingested": "2026-04-14",
        "sha256": sha256(TEXT.encode()).hexdigest(),
        "rules": "***",
    }
    assert source_text(page["content"]) == TEXT
    assert not call(app, "timeline", slug="sources/meeting/123")["entries"]
    assert raw(app) == [("sources/meeting/123", 1, TEXT.encode())]
    assert logged(app) == [("meeting", "meeting/123", "sources/meeting/123")]


def test_the_same_bytes_are_ingested_once(app: App, db: Path) -> None:
    ingested(app)
    before = dump(db)
    again = ingested(
        app,
        source_ref="elsewhere",
        pages=[{"slug": "people/alice", "expected_version": 0, "content": "# Alice\n"}],
    )
    assert (again["duplicate"], again["slug"]) == (True, "sources/meeting/123")
    assert "pages that came with it were not written" in again["notes"][0]
    assert dump(db) == before


def test_a_file_is_kept_to_the_byte(app: App, db: Path, tmp_path: Path) -> None:
    data = "caf\xe9 \x93quoted\x94\r\n".encode("latin-1") + b"Elbe\r\n" * 3
    (tmp_path / "My Notes.txt").write_bytes(data)
    ran = quick("ingest", str(tmp_path / "My Notes.txt"), "--type", "conversation", "--json", db=db)
    assert (ran.status, ran.json["slug"], ran.json["source_type"]) == (0, "sources/my-notes", "conversation")
    assert raw(app) == [("sources/my-notes", 1, data)]
    page = call(app, "get", slug="sources/my-notes")
    assert page["title"] == "My Notes"
    assert page["frontmatter"]["source_ref"] == "My Notes.txt"
    assert "café “quoted”" in page["content"]
    assert quick("ingest", str(tmp_path / "My Notes.txt"), db=db).out.startswith(
        "known already: sources/my-notes, version 1\n"
    )


def test_what_is_guessed_is_said(app: App, db: Path, tmp_path: Path) -> None:
    (tmp_path / "a.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n")
    ran = quick("ingest", str(tmp_path / "a.vtt"), db=db)
    assert "type meeting" in ran.out


def test_after_a_rebuild_the_field_of_the_page_decides(app: App) -> None:
    ingested(app)
    with app.store.write() as connection:
        connection.execute("DELETE FROM raw_imports")
        connection.execute("DELETE FROM ingest_log")
    assert ingested(app)["duplicate"]


def test_a_source_whose_page_was_removed_can_be_ingested_again(app: App) -> None:
    ingested(app)
    call(app, "rm", slug="sources/meeting/123")
    again = ingested(app)
    assert (again["duplicate"], again["created"]) == (False, True)


def test_another_source_of_that_name_gets_a_number(app: App) -> None:
    ingested(app)
    second = ingested(app, "Wholly other words about gardens, tulips and rain.\n")
    assert second["slug"] == "sources/meeting/123-2"
    assert source_text(call(app, "get", slug="sources/meeting/123")["content"]) == TEXT


def test_force_makes_a_new_version_of_the_same_source(app: App) -> None:
    ingested(app)
    call(app, "timeline-add", slug="sources/meeting/123", date="2026-04-15", summary="Read by Bob")
    result = ingested(app, force=True, source_type="article")
    assert (result["slug"], result["created"]) == ("sources/meeting/123", False)
    page = call(app, "get", slug="sources/meeting/123")
    assert page["frontmatter"]["source_type"] == "article"
    assert [e["summary"] for e in call(app, "timeline", slug=page["slug"])["entries"]] == ["Read by Bob"]
    assert [active for _, active, _ in raw(app)] == [0, 1]


def test_force_takes_a_file_that_changed(app: App, db: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text(TEXT)
    quick("ingest", str(file), db=db)
    file.write_text(TEXT + "One more line.\n")
    assert "says the same" in quick("ingest", str(file), db=db).out
    assert quick("ingest", str(file), "--force", db=db).out.startswith("sources/notes renewed, version 2\n")
    assert "One more line." in call(app, "get", slug="sources/notes")["content"]


def test_force_keeps_sources_without_a_name_apart(app: App, db: Path) -> None:
    for text in ("Tulips need rain.\n", "Seals need fish.\n"):
        ran = quick("ingest", "--force", "--type", "doc", "--json", input=text, db=db)
        assert ran.json["created"], ran.err
    assert len(call(app, "list", type="source")["pages"]) == 2


def test_a_slug_that_another_page_has_is_refused(app: App, db: Path) -> None:
    call(app, "put", slug="people/alice", content="# Alice\n")
    before = dump(db)
    with pytest.raises(Conflict):
        ingested(app, slug="people/alice", force=True)
    assert dump(db) == before
    assert ingested(app, slug="meetings/board")["slug"] == "meetings/board"


def test_a_dry_run_writes_nothing(app: App, db: Path) -> None:
    before = dump(db)
    page = {"slug": "people/alice", "expected_version": 0, "tags": ["founder"]}
    result = ingested(app, dry_run=True, pages=[page])
    assert (result["slug"], result["dry_run"], result["pages"][0]["created"]) == (
        "sources/meeting/123",
        True,
        True,
    )
    assert dump(db) == before


ALICE = """---
title: Alice
---
Alice leads RiverAI, a company that measures rivers. She lives in Hamburg and likes to sail on the Elbe.

---

- **2024-01-01** — Founded RiverAI
"""


def about_alice(version: int, **more: Any) -> dict[str, Any]:
    return {
        "slug": "people/alice",
        "expected_version": version,
        "timeline_entries": [
            {"date": "2026-04-14", "summary": "Presented the pipeline", "detail": "Nine customers"}
        ],
        "links": [{"to": "companies/river-ai", "relationship": "works_at", "valid_from": "2024-01-01"}],
        "assertions": [{"subject": "Alice", "predicate": "is_ceo_of", "object": "RiverAI"}],
        "tags": ["founder"],
        **more,
    }


def counts(app: App, slug: str = "people/alice") -> tuple[int, int, int, int]:
    """How many entries, typed links, assertions and tags a page has."""
    page = call(app, "get", slug=slug)
    found = page["frontmatter"]
    entries = call(app, "timeline", slug=slug)["entries"]
    return len(entries), len(found.get("links", [])), len(found.get("assertions", [])), len(page["tags"])


def test_what_it_says_about_pages_is_written_with_it(app: App) -> None:
    call(app, "put", slug="people/alice", content=ALICE)
    truth = "Alice leads RiverAI and will hire three engineers until the summer; the board agreed.\n"
    result = ingested(
        app,
        pages=[
            about_alice(1, compiled_truth=truth, frontmatter={"city": "Hamburg"}),
            {"slug": "decisions/hiring", "expected_version": 0, "content": "# Hiring\n\nThree engineers.\n"},
        ],
    )
    assert [(each["slug"], each["version"], each["created"]) for each in result["pages"]] == [
        ("people/alice", 2, False),
        ("decisions/hiring", 1, True),
    ]
    page = call(app, "get", slug="people/alice")
    assert truth in page["content"]
    assert page["frontmatter"]["city"] == "Hamburg"
    assert counts(app) == (2, 1, 1, 1)
    entry = call(app, "timeline", slug="people/alice")["entries"][0]
    assert (entry["source"], entry["detail"]) == ("meeting/123", "Nine customers")
    assert page["frontmatter"]["assertions"][0]["source_ref"] == "meeting/123"


def test_nothing_is_written_twice(app: App) -> None:
    call(app, "put", slug="people/alice", content=ALICE)
    ingested(app, pages=[about_alice(1)])
    before = call(app, "get", slug="people/alice")
    again = ingested(app, force=True, pages=[about_alice(2)])
    assert call(app, "get", slug="people/alice") == before
    assert again["pages"][0]["changed"] is False
    assert counts(app) == (2, 1, 1, 1)


def test_a_truth_that_says_nothing_new_is_not_written_but_evidence_is(app: App) -> None:
    call(app, "put", slug="people/alice", content=ALICE)
    content = ALICE.replace("She lives", "She still lives").replace(
        "Founded RiverAI", "Founded RiverAI\n- **2026-04-13** — Moved her boat"
    )
    result = ingested(app, pages=[about_alice(1, content=content)])
    outcome = result["pages"][0]
    assert (outcome["rewritten"], outcome["version"]) == (False, 2)
    assert "nothing new" in outcome["note"]
    page = call(app, "get", slug="people/alice")
    assert "still" not in page["content"]
    assert "Moved her boat" in page["content"]
    assert counts(app) == (3, 1, 1, 1)
    forced = ingested(app, force=True, pages=[about_alice(2, content=content)])
    assert forced["pages"][0]["rewritten"] is True
    assert "She still lives" in call(app, "get", slug="people/alice")["content"]


def test_new_content_never_loses_the_timeline(app: App) -> None:
    call(app, "put", slug="people/alice", content=ALICE)
    ingested(app, pages=[about_alice(1, content="# Alice\n\nSomething wholly different.\n")])
    page = call(app, "get", slug="people/alice")
    assert "wholly different" in page["content"]
    assert "Founded RiverAI" in page["content"]
    assert page["title"] == "Alice"


def test_a_source_that_repeats_another_leaves_its_evidence(app: App) -> None:
    call(app, "put", slug="people/alice", content=ALICE)
    ingested(app)
    repeated = TEXT.replace("Next meeting in May.", "Another meeting in May.")
    result = ingested(app, repeated, source_ref="meeting/124", pages=[about_alice(1)])
    assert (result["duplicate"], result["slug"], result["created"]) == (True, "sources/meeting/123", False)
    assert 0.85 < result["similarity"] < 1
    assert [page["slug"] for page in call(app, "list")["pages"]].count("sources/meeting/123") == 1
    assert len(call(app, "list", type="source")["pages"]) == 1
    assert raw(app) == [("sources/meeting/123", 1, TEXT.encode()), (None, 1, repeated.encode())]
    assert logged(app)[1] == ("meeting", "meeting/124", "sources/meeting/123")
    assert counts(app) == (2, 1, 1, 1)
    forced = ingested(app, repeated, source_ref="meeting/124", force=True)
    assert (forced["slug"], forced["created"]) == ("sources/meeting/124", True)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"slug": "people/alice", "expected_version": 7}, "conflict"),
    ({"slug": "people/alice", "expected_version": 0, "content": "# A\n"}, "conflict"),
    ({"slug": "people/nobody", "expected_version": 3, "tags": ["x"]}, "conflict"),
    ({"slug": "people/alice"}, "invalid_input"),
    ({"slug": "Not a slug", "expected_version": 0, "content": "x"}, "invalid_input"),
    ({"slug": "people/empty", "expected_version": 0}, "invalid_input"),
    ({"slug": "people/alice", "expected_version": 1, "unknown": 1}, "invalid_input"),
    ({"slug": "people/alice", "expected_version": 1, "tags": ["a b"]}, "invalid_input"),
    ({"slug": "people/alice", "expected_version": 1, "links": [{"relationship": "x"}]}, "invalid_input"),
    ({"slug": "people/alice", "expected_version": 1, "assertions": [{"subject": "x"}]}, "invalid_input"),
    (
        {
            "slug": "people/alice",
            "expected_version": 1,
            "timeline_entries": [{"date": "yesterday", "summary": "x"}],
        },
        "invalid_input",
    ),
    ({"slug": "people/alice", "expected_version": 1, "content": "x", "compiled_truth": "y"}, "invalid_input"),
]


@pytest.mark.parametrize(("page", "code"), WRONG)
def test_one_wrong_page_and_nothing_is_written(app: App, db: Path, page: dict[str, Any], code: str) -> None:
    call(app, "put", slug="people/alice", content=ALICE)
    before = dump(db)
    good = {"slug": "people/bob", "expected_version": 0, "content": "# Bob\n"}
    with pytest.raises(QuaidError) as caught:
        ingested(app, pages=[good, page])
    assert caught.value.code == code
    assert page["slug"] in caught.value.message
    assert dump(db) == before


def test_a_page_may_be_given_once(app: App) -> None:
    page = {"slug": "people/bob", "expected_version": 0, "content": "# Bob\n"}
    with pytest.raises(InvalidInput, match="twice"):
        ingested(app, pages=[page, page])


def test_links_may_not_overlap(app: App) -> None:
    call(app, "put", slug="people/alice", content=ALICE)
    ingested(app, pages=[about_alice(1)])
    other = {"to": "companies/river-ai", "relationship": "works_at", "valid_from": "2025-01-01"}
    with pytest.raises(Conflict, match="people/alice"):
        ingested(app, "Other words.", pages=[about_alice(2, links=[other])])
    undated = {"to": "companies/river-ai", "relationship": "works_at"}
    ingested(app, "Other words.", pages=[about_alice(2, links=[undated])])
    assert counts(app)[1] == 1


def test_a_source_that_means_the_same_is_held_back(app: App, clock: Clock) -> None:
    """With a model: other words, the same meaning by its measure."""
    call(app, "put", slug="people/alice", content=ALICE)
    ingested(app)
    call(app, "embed")
    other = TEXT.replace("Alice presented", "Then, as usual, a certain tired Alice presented").replace(
        "Bob asked for", "In turn an otherwise quiet Bob then asked once more for"
    )
    result = ingested(
        app, other, source_ref="meeting/123", pages=[about_alice(version_of(app, "people/alice"))]
    )
    assert result["near_duplicate_of"] == "sources/meeting/123"
    assert result["similarity"] > 0.95
    assert counts(app) == (2, 1, 1, 1)
    assert len(call(app, "list", type="source")["pages"]) == 1
    assert ingested(app, other, force=True)["version"] == 2
    assert "tired Alice" in call(app, "get", slug="sources/meeting/123")["content"]


def test_a_model_that_is_not_ready_leaves_it_to_the_words(app: App) -> None:
    ingested(app)
    call(app, "embed")
    with app.store.write() as connection:
        connection.execute("UPDATE embedding_models SET name = 'gone'")
    other = ingested(app, "Wholly other words about gardens, tulips and rain.\n")
    assert other["created"]
    assert ingested(app, TEXT + "One more line.\n")["duplicate"]


def test_evidence_goes_to_a_page_in_org(app: App) -> None:
    text = "#+title: Alice\n\nAlice leads RiverAI.\n"
    app.collection().put("people/alice", text, path="people/alice.org")
    ingested(app, pages=[about_alice(1)])
    page = call(app, "get", slug="people/alice")
    assert "#+title: Alice" in page["content"]
    assert [e["summary"] for e in call(app, "timeline", slug="people/alice")["entries"]] == [
        "Presented the pipeline"
    ]
    assert page["tags"] == ["founder"]
    ingested(app, force=True, pages=[about_alice(2)])
    assert call(app, "get", slug="people/alice") == page


@pytest.mark.parametrize(
    "change",
    [
        ("two rounds", "three rounds"),
        ("€65M", "€80M"),
        ("2026-05-04", "2026-06-04"),
        ("Fund One", "Fund Two"),
        ("has agreed", "has not agreed"),
    ],
)
def test_a_correction_is_never_dropped(app: App, change: tuple[str, str]) -> None:
    """However much of it is known: another number, day or name, or a denial, is what is new."""
    old = (
        "The board of RiverAI has agreed to sell the harbour site to Fund One for €65M on 2026-05-04, after "
        "two rounds of talks in the old customs house, with every member present and the mayor as a guest, "
        "and the press was told of it on the same evening by the speaker of the town in a few plain words.\n"
    )
    old = old.replace("two rounds", "2 rounds")
    new = old.replace(*("2 rounds", "3 rounds") if change[0] == "two rounds" else change)
    assert new != old
    first = ingested(app, old, source_ref="mail/1")
    second = ingested(app, new, source_ref="mail/2")
    assert (second["created"], second["duplicate"]) == (True, False)
    assert second["slug"] != first["slug"]
    call(app, "put", slug="deals/harbour", content=f"# Harbour\n\n{old}")
    call(app, "put", slug="deals/harbour", content=f"# Harbour\n\n{new}", check_novelty=True)
    assert change[1].replace("three", "3") in call(app, "get", slug="deals/harbour")["content"]


def test_a_mail_keeps_its_day_and_people(app: App, db: Path, tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"] = '"Example, Alice" <alice@example.org>', "Bob <bob@example.org>, c@example.org"
    mail["Subject"], mail["Date"] = "The Elbe", "Tue, 14 Apr 2026 23:30:00 +0200"
    mail.set_content("It is long.\n")
    (tmp_path / "elbe.eml").write_bytes(mail.as_bytes())
    assert quick("ingest", str(tmp_path / "elbe.eml"), db=db).status == 0
    page = call(app, "get", slug="sources/elbe")
    assert page["frontmatter"]["date"] == "2026-04-14"
    assert page["frontmatter"]["sender"] == "Alice Example"
    assert page["frontmatter"]["recipients"] == ["Bob", "c@example.org"]
    (entry,) = call(app, "timeline", slug="sources/elbe")["entries"]
    assert (entry["date"], entry["summary"]) == ("2026-04-14", "Mail from Alice Example: The Elbe")
    said = {(each["predicate"], each["object"]) for each in call(app, "facts", page="sources/elbe")["facts"]}
    assert {("sent_by", "Alice Example"), ("sent_to", "Bob")} <= said
    again = quick("ingest", str(tmp_path / "elbe.eml"), "--force", db=db)
    assert again.status == 0
    assert len(call(app, "timeline", slug="sources/elbe")["entries"]) == 1


def test_a_transcript_keeps_its_day_and_who_spoke(app: App, db: Path, tmp_path: Path) -> None:
    said = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Alice>Hello.\n\n00:03.000 --> 00:04.000\n<v Bob>Hi.\n"
    (tmp_path / "board-2026-04-13.vtt").write_text(said)
    assert quick("ingest", str(tmp_path / "board-2026-04-13.vtt"), db=db).status == 0
    page = call(app, "get", slug="sources/board-2026-04-13")
    assert (page["frontmatter"]["date"], page["frontmatter"]["attendees"]) == ("2026-04-13", ["Alice", "Bob"])
    assert [each["date"] for each in call(app, "timeline", slug=page["slug"])["entries"]] == ["2026-04-13"]


def test_a_web_page_keeps_its_day_and_author(app: App, db: Path, tmp_path: Path) -> None:
    head = '<meta name="author" content="Alice">'
    head += '<meta property="article:published_time" content="2026-04-12T08:00Z">'
    body = "<body><p>Long text.</p></body>"
    (tmp_path / "a.html").write_text(f"<html><head><title>T</title>{head}</head>{body}</html>")
    assert quick("ingest", str(tmp_path / "a.html"), db=db).status == 0
    fields = call(app, "get", slug="sources/a")["frontmatter"]
    assert (fields["date"], fields["author"]) == ("2026-04-12", "Alice")
