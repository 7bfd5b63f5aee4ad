"""Contradictions, as a person finds and resolves them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quaid import operations
from quaid.app import App
from quaid.errors import Conflict, InvalidInput, NotFound
from tests.support import Clock, call, dump, quick, tool, version_of

DAY = 24 * 3600


def put(app: App, slug: str, *claims: str, body: str = "", links: str = "") -> None:
    """A page with assertions, each `subject | predicate | object | from | until | source | evidence`."""
    keys = ("subject", "predicate", "object", "valid_from", "valid_until", "source_ref", "evidence_text")
    lines = ["---", "assertions:"] if claims else ["---"]
    for claim in claims:
        fields = zip(keys, (part.strip() for part in claim.split("|")), strict=False)
        lines.append("  - {" + ", ".join(f"{key}: '{value}'" for key, value in fields if value) + "}")
    if links:
        lines += ["links:", *(f"  - {{{link.strip()}}}" for link in links.split(";"))]
    title = slug.rsplit("/", 1)[-1].replace("-", " ").title()
    call(app, "put", slug=slug, content="\n".join([*lines, "---", f"# {title}", "", body, ""]))


def found(app: App, **options: Any) -> list[dict[str, Any]]:
    options = options or {"all": True}
    return list(call(app, "check", **options)["findings"])


def said(finding: dict[str, Any]) -> list[tuple[str, str]]:
    return [(side["slug"], side["statement"]) for side in finding["sides"]]


def test_two_objects_for_one_subject_are_one_contradiction_with_both_quoted(app: App) -> None:
    put(app, "people/alice", "Alice | role | CEO | 2024-01-15 | | meeting/1 | I run this place")
    put(app, "notes/monday", "Alice | role | CTO | | | mail/7")
    (finding,) = found(app)
    assert finding["type"] == "cross_page"
    assert finding["sides"] == [
        {
            "kind": "assertion",
            "id": 1,
            "slug": "people/alice",
            "collection": "default",
            "statement": "Alice role CEO",
            "valid_from": "2024-01-15",
            "source": "meeting/1",
            "evidence": "I run this place",
            "recorded": "2026-04-14",
        },
        {
            "kind": "assertion",
            "id": 2,
            "slug": "notes/monday",
            "collection": "default",
            "statement": "Alice role CTO",
            "source": "mail/7",
            "recorded": "2026-04-14",
        },
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice | role | CEO", "alice | Role | ceo"),
        ("Alice | works_at | RiverAI", "Alice | works_at | Acme"),
        ("Alice | role | CEO | 2020-01-01 | 2024-01-01", "Alice | role | CTO | 2024-01-01"),
        ("Alice | role | CEO | 2027-01-01", "Alice | role | CTO"),
        ("Alice | role | CEO", "Bob | role | CTO"),
        ("Alice | lives_in | Zürich", "Alice | lives_in | Zurich"),
        ("people/alice | lives_in | Lisbon", "Alice | lives_in | lisbon"),
        ("Alice | employer | companies/river-ai", "Alice | employer | River AI"),
    ],
)
def test_what_can_stand_together_is_no_contradiction(app: App, one: str, other: str) -> None:
    put(app, "companies/river-ai")
    put(app, "people/alice", one)
    put(app, "notes/monday", other)
    assert found(app) == []


@pytest.mark.parametrize("subject", ["people/alice", "ALICE", "alice", "Al", "Álice"])
def test_a_subject_is_known_by_all_its_names(app: App, subject: str) -> None:
    call(app, "put", slug="people/alice", content="---\ntitle: Alice\naliases: [Al]\n---\nx\n")
    put(app, "notes/a", "people/alice | lives_in | Lisbon")
    put(app, "notes/b", f"{subject} | lives_in | Porto")
    assert len(found(app)) == 1


def test_pages_of_one_name_in_two_collections_are_two(app: App) -> None:
    for name, city in (("default", "Lisbon"), ("work", "Porto")):
        app.new_collection(name)
        put(app, f"{name}::people/alice", f"people/alice | lives_in | {city}")
    assert found(app) == []


def test_only_one_can_lead_a_company(app: App) -> None:
    put(app, "people/alice", "Alice | is_ceo_of | RiverAI")
    put(app, "people/bob", "Bob | is_ceo_of | river ai")
    put(app, "companies/river-ai")
    call(app, "put", slug="companies/river-ai", content="---\ntitle: RiverAI\naliases: [River AI]\n---\n")
    (finding,) = found(app)
    assert said(finding) == [
        ("people/alice", "Alice is_ceo_of RiverAI"),
        ("people/bob", "Bob is_ceo_of river ai"),
    ]


def test_which_predicates_allow_several_is_a_setting(app: App) -> None:
    put(app, "a", "Alice | plays | chess", "Alice | plays | go")
    assert len(found(app)) == 1
    call(app, "config set", key="facts.many_objects", value="sings, Plays")
    assert found(app.reread()) == []
    call(app, "config set", key="facts.one_subject", value="plays")
    put(app, "b", "Bob | plays | go", "Bob | works_at | Acme", "Bob | works_at | RiverAI")
    assert [said(each)[0][1] for each in found(app.reread())] == ["Alice plays go"]
    call(app, "config set", key="facts.one_subject", value="")
    call(app, "config set", key="facts.many_objects", value="plays, -works_at")
    assert [said(each)[0][1] for each in found(app.reread())] == ["Bob works_at Acme"]


def test_three_objects_are_two_contradictions_and_not_three(app: App) -> None:
    put(app, "a", *(f"Alice | role | {role}" for role in ("CEO", "CTO", "CFO")))
    assert [said(each)[1][1] for each in found(app)] == ["Alice role CTO", "Alice role CFO"]


def test_a_contradiction_is_found_once(app: App) -> None:
    put(app, "a", "Alice | role | CEO")
    put(app, "b", "Alice | role | CTO")
    first = found(app)
    before = dump(app.store.path)
    assert found(app) == first
    assert found(app, slug="a") == first
    assert found(app, slug="b") == first
    assert call(app, "check")["findings"] == first
    assert dump(app.store.path) == before


def test_what_is_corrected_is_gone_and_returns_under_its_number(app: App, clock: Clock) -> None:
    put(app, "a", "Alice | role | CEO")
    put(app, "b", "Alice | role | CTO")
    (finding,) = found(app)
    put(app, "b", "Alice | role | CEO")
    clock.tick()
    assert found(app) == []
    (resolved,) = found(app, resolved=True)
    assert (resolved["id"], resolved["resolution"]) == (finding["id"], "gone")
    put(app, "b", "Alice | role | CTO")
    (again,) = found(app)
    assert again["id"] == finding["id"]
    assert "resolution" not in again


def test_a_removed_page_contradicts_nothing(app: App) -> None:
    put(app, "a", "Alice | role | CEO")
    put(app, "b", "Alice | role | CTO")
    assert len(found(app)) == 1
    call(app, "rm", slug="a")
    assert found(app) == []
    call(app, "restore", slug="a")
    assert len(found(app)) == 1


def test_a_check_of_one_page_leaves_the_others_alone(app: App) -> None:
    put(app, "a", "Alice | role | CEO")
    put(app, "b", "Alice | role | CTO")
    put(app, "c", "Bob | role | CEO", "Bob | role | CTO")
    assert len(found(app)) == 2
    put(app, "b", "Alice | role | CEO")
    put(app, "c", "Bob | role | CTO")
    assert found(app, slug="c") == []
    assert len(call(app, "check")["findings"]) == 1


def test_keeping_one_side_ends_the_other_in_its_text(app: App) -> None:
    put(app, "people/alice", "Alice | role | CEO | 2024-01-15 | | meeting/1 | I run this")
    put(app, "b", "Alice | role | CTO")
    put(app, "c", "alice | role | cto")
    (finding,) = found(app)
    version = version_of(app, "b")
    done = call(app, "check", resolve=finding["id"], keep=finding["sides"][0]["id"], note="she said so")
    assert done["ended"] == ["b", "c"]
    assert done["findings"][0]["resolution"] == "kept"
    assert version_of(app, "b") == version + 1
    # The one that is wrong now was not wrong before the other one began.
    assert "valid_until: 2024-01-15" in call(app, "get", slug="b")["content"]
    held = call(app, "facts", predicate="role", at="2023-06-01")["facts"]
    assert [each["object"] for each in held] == ["CTO", "cto"]
    held = call(app, "facts", predicate="role", at="2025-01-01")["facts"]
    assert [each["object"] for each in held] == ["CEO"]
    assert found(app) == []
    assert [each["resolution"] for each in found(app, resolved=True)] == ["kept"]
    assert not call(app, "validate", all=True)["findings"]


def test_a_tool_must_know_the_version_of_the_page_that_changes(app: App) -> None:
    put(app, "a", "Alice | role | CEO")
    put(app, "b", "Alice | role | CTO")
    (finding,) = found(app)
    one, other = (side["id"] for side in finding["sides"])
    with pytest.raises(InvalidInput):
        tool(app, "memory_check", resolve=finding["id"], keep=one)
    with pytest.raises(Conflict):
        tool(app, "memory_check", resolve=finding["id"], keep=one, page_version=9)
    assert len(found(app)) == 1
    tool(app, "memory_check", resolve=finding["id"], keep=other, page_version=version_of(app, "a"))
    assert found(app) == []


def test_a_dismissed_contradiction_stays_so_while_both_sides_stand(app: App, clock: Clock) -> None:
    put(app, "a", "Alice | role | CEO")
    put(app, "b", "Alice | role | CTO")
    (finding,) = found(app)
    call(app, "check", resolve=finding["id"], dismiss=True, note="she is both")
    assert found(app) == []
    put(app, "c", "Alice | role | CFO")
    assert [said(each)[1][1] for each in found(app)] == ["Alice role CFO"]
    put(app, "c")
    put(app, "b")
    assert found(app) == []
    put(app, "b", "Alice | role | CTO")
    assert [each["id"] for each in found(app)] == [finding["id"]]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"resolve": 99, "dismiss": True}, NotFound),
        ({"resolve": 1}, InvalidInput),
        ({"resolve": 1, "keep": 1, "dismiss": True}, InvalidInput),
        ({"resolve": 1, "keep": 77}, InvalidInput),
        ({"resolve": 1, "dismiss": True, "all": True}, InvalidInput),
        ({"keep": 1}, InvalidInput),
        ({"dismiss": True}, InvalidInput),
        ({"slug": "a", "all": True}, InvalidInput),
        ({"slug": "nowhere"}, NotFound),
    ],
)
def test_what_makes_no_sense_is_refused(app: App, options: dict[str, Any], error: type[Exception]) -> None:
    put(app, "a", "Alice | role | CEO", "Alice | role | CTO")
    assert len(found(app)) == 1
    with pytest.raises(error):
        call(app, "check", **options)
    assert len(found(app)) == 1


def test_a_resolved_contradiction_is_not_resolved_twice(app: App) -> None:
    put(app, "a", "Alice | role | CEO", "Alice | role | CTO")
    (finding,) = found(app)
    call(app, "check", resolve=finding["id"], dismiss=True)
    with pytest.raises(Conflict):
        call(app, "check", resolve=finding["id"], dismiss=True)


def test_a_fact_of_a_field_is_not_ended_behind_its_back(app: App) -> None:
    call(app, "put", slug="tasks/a", content="---\ntype: action_item\nstatus: open\n---\n# A\n")
    put(app, "b", "tasks/a | status | done")
    findings = found(app)
    if not findings:
        pytest.fail("a field that says its status is a fact")
    field = next(side for side in findings[0]["sides"] if side["slug"] == "tasks/a")
    other = next(side for side in findings[0]["sides"] if side["slug"] == "b")
    with pytest.raises(InvalidInput, match="status"):
        call(app, "check", resolve=findings[0]["id"], keep=other["id"])
    call(app, "check", resolve=findings[0]["id"], keep=field["id"])
    assert found(app) == []


def test_an_assertion_against_a_link_that_has_ended(app: App) -> None:
    put(app, "companies/brex")
    put(
        app,
        "people/pedro",
        "Pedro | is_ceo | Brex",
        links="to: companies/brex, relationship: works_at, valid_until: 2025-06-01",
    )
    (finding,) = found(app)
    assert finding["type"] == "link"
    assert said(finding) == [("people/pedro", "Pedro is_ceo Brex"), ("people/pedro", "Pedro works_at Brex")]
    assert finding["sides"][1]["valid_until"] == "2025-06-01"


def test_a_link_that_holds_against_an_assertion_that_has_ended(app: App) -> None:
    put(app, "companies/brex")
    put(
        app,
        "people/pedro",
        "Pedro | works_at | Brex | 2020-01-01 | 2025-06-01",
        links="to: companies/brex, relationship: works_at, valid_from: 2020-01-01",
    )
    (finding,) = found(app)
    assert finding["type"] == "link"
    assert any("link-close" in fix for fix in finding["fix"])
    call(app, "link-close", link_id=finding["sides"][1]["id"], valid_until="2025-06-01")
    assert found(app) == []


@pytest.mark.parametrize(
    ("claim", "links"),
    [
        ("Pedro | works_at | Brex | 2026-01-01", "valid_until: 2025-06-01"),
        ("Pedro | works_at | Brex", "valid_until: 2027-06-01"),
        ("Pedro | works_at | Brex | | 2025-06-01", "valid_from: 2025-06-01"),
        ("Pedro | knows | Brex", "valid_until: 2025-06-01"),
        ("Pedro | is_ceo_of | Brex | 2020-01-01 | 2025-06-01", "valid_from: 2020-01-01"),
        ("Pedro | works_at | Ramp", "valid_until: 2025-06-01"),
        ("Pedro | works_at | Brex | | 2025-06-01", "valid_until: 2025-06-01"),
    ],
)
def test_links_and_assertions_that_agree(app: App, claim: str, links: str) -> None:
    put(app, "companies/brex")
    put(app, "people/pedro", claim, links=f"to: companies/brex, relationship: works_at, {links}")
    assert found(app) == []


def test_who_came_back_contradicts_nothing(app: App) -> None:
    put(app, "companies/brex")
    both = (
        "to: companies/brex, relationship: works_at, valid_from: 2020-01-01, valid_until: 2022-01-01;"
        "to: companies/brex, relationship: works_at, valid_from: 2023-01-01"
    )
    put(app, "people/pedro", "Pedro | works_at | Brex", links=both)
    assert found(app) == []


def test_a_truth_that_says_that_it_ended_while_the_link_holds(app: App) -> None:
    put(app, "companies/river-ai")
    put(
        app,
        "people/alice",
        body="Alice left [[companies/river-ai|RiverAI]] in March 2025. She paints.",
        links="to: companies/river-ai, relationship: works_at, valid_from: 2024-01-15",
    )
    (finding,) = found(app, slug="people/alice", type="temporal")
    assert said(finding) == [
        ("people/alice", "Alice left RiverAI in March 2025."),
        ("people/alice", "Alice works_at River Ai"),
    ]
    call(app, "link-close", link_id=finding["sides"][1]["id"], valid_until="2025-03")
    assert found(app) == []


def test_a_truth_against_an_assertion_of_the_page(app: App) -> None:
    put(app, "people/alice", "Alice | works_at | RiverAI", body="She is no longer at RiverAI.")
    put(app, "people/bob", "Alice | works_at | RiverAI", body="He left RiverAI in 2024.")
    (finding,) = found(app)
    assert (finding["type"], finding["sides"][0]["slug"]) == ("temporal", "people/alice")


def test_a_timeline_that_went_on_makes_a_truth_stale(app: App, clock: Clock) -> None:
    call(app, "put", slug="people/alice", content="# Alice\n\nShe runs RiverAI.\n")
    clock.tick(40 * DAY)
    call(
        app,
        "timeline-add",
        slug="people/alice",
        date="2026-05-13",
        summary="Moved to Lisbon",
        source="mail/3",
    )
    assert found(app) == []
    call(
        app,
        "timeline-add",
        slug="people/alice",
        date="2026-05-14",
        summary="Sold the company",
        source="mail/4",
    )
    (finding,) = found(app)
    assert finding["type"] == "stale"
    assert said(finding) == [("people/alice", "She runs RiverAI."), ("people/alice", "Sold the company")]
    assert finding["sides"][0]["recorded"] == "2026-04-14"
    assert (finding["sides"][1]["valid_from"], finding["sides"][1]["source"]) == ("2026-05-14", "mail/4")
    call(app, "put", slug="people/alice", compiled_truth="# Alice\n\nShe lives in Lisbon.\n")
    assert found(app) == []


def test_how_much_newer_is_a_setting(app: App, clock: Clock) -> None:
    call(app, "put", slug="a", content="# A\n\nx\n")
    clock.tick(8 * DAY)
    call(app, "timeline-add", slug="a", date="2026-04-21", summary="y")
    assert found(app) == []
    call(app, "config set", key="check.stale_days", value="7")
    assert len(found(app.reread())) == 1


@pytest.mark.parametrize(
    "content",
    [
        "# A\n\nTruth.\n\n---\n\n- 2026-06-30 — a day to come when this was written\n",
        "# A\n\n---\n\n- 2026-06-30 — only headings above\n",
    ],
)
def test_what_was_written_at_once_is_not_stale(app: App, clock: Clock, content: str) -> None:
    call(app, "put", slug="a", content=content)
    clock.tick(90 * DAY)
    assert found(app) == []


def test_the_exit_status_and_the_text_say_what_is_open(app: App) -> None:
    put(app, "people/alice", "Alice | role | CEO | 2024-01-15 | | meeting/1", "Alice | role | CTO")
    chosen = operations.operation("check")
    result = operations.run(app, chosen, operations.decode(chosen.arguments, {"all": True}, tool=False))
    assert chosen.status(result) == 11
    text = chosen.render(result, operations.operation("check").render.__globals__["Style"]())
    assert "assertion 1, people/alice: Alice role CEO  since 2024-01-15; source meeting/1" in text
    assert "quaid check --resolve 1 --keep 2" in text


def test_forgetting_a_page_forgets_what_was_quoted_of_it(app: App) -> None:
    put(app, "a", "Alice | role | CEO")
    put(app, "b", "Alice | role | secret agent")
    assert len(found(app)) == 1
    with app.store.write() as connection:
        connection.execute("DELETE FROM pages WHERE slug = 'b'")
    assert app.connection.execute("SELECT count(*) FROM contradictions").fetchall() == [(0,)]


def test_a_link_that_a_field_yields_is_put_right_in_the_field(app: App) -> None:
    call(app, "put", slug="companies/acme", content="# Acme\n")
    content = "---\ntype: person\ncompany: companies/acme\n---\n# Alice\n\nLeft [[companies/acme]] in 2025.\n"
    call(app, "put", slug="people/alice", content=content)
    (finding,) = found(app)
    assert finding["fix"][0] == "edit the field company of people/alice"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Acme | revenue | €1.9M", "Acme | revenue | 1.9M EUR"),
        ("Acme | based_in | Hamburg", "Acme | hq | Hamburg, Germany"),
        ("Acme | based_in | Germany", "Acme | hq | Hamburg"),
        ("Acme | headcount | 1,200", "Acme | employees | 1.2k"),
        ("Alice | born_on | 1980-04-02", "Alice | date_of_birth | 2 April 1980"),
        ("Alice | role | CEO", "Alice | role | Chief Executive Officer"),
        ("Alice | role | CEO | 2020-01-01", "Alice | role | chair | 2024-01-01"),
        ("Acme | valuation | 10 EUR", "Acme | valuation | 11 USD"),
    ],
)
def test_values_that_are_one_or_follow_each_other_do_not_clash(app: App, one: str, other: str) -> None:
    put(app, "notes/a", one)
    put(app, "notes/b", other)
    assert found(app) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Acme | revenue | €1.9M", "Acme | revenue | 2.4M EUR"),
        ("Acme | based_in | Vienna", "Acme | hq | Graz, Austria"),
        ("Acme | based_in | Germany", "Acme | hq | Graz, Austria"),
        ("Acme | headcount | 120", "Acme | employees | 85"),
        ("Alice | born_on | 1980-04-02 | 1980-04-02", "Alice | birthday | 2 April 1981 | 2020-01-01"),
    ],
)
def test_values_that_cannot_be_one_clash_by_whatever_predicate(app: App, one: str, other: str) -> None:
    put(app, "notes/a", one)
    put(app, "notes/b", other)
    assert [each["type"] for each in found(app)] == ["cross_page"]


def test_which_predicates_say_the_same_is_a_setting(app: App) -> None:
    put(app, "notes/a", "Acme | seat_of_power | Vienna")
    put(app, "notes/b", "Acme | hq | Graz")
    assert found(app) == []
    call(app, "config set", key="facts.synonyms", value="Seat of power = based_in")
    assert len(found(app.reread())) == 1
    call(app, "config set", key="facts.synonyms", value="hq=")
    assert found(app.reread()) == []


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ("status: negotiation", "Offer sent.\n\n## Timeline\n- 2026-03-02: Closed on 2026-03-02 at noon"),
        ("due: 2026-05-20", "The lease has to be signed by 30 May."),
        ("value: €1.2M", "The contract is worth 2.1 million euros."),
        ("status: open", "The lease was cancelled in March 2026."),
    ],
)
def test_a_field_against_the_text_of_its_page(app: App, fields: str, body: str) -> None:
    call(app, "put", slug="deals/lease", content=f"---\n{fields}\n---\n# Lease\n\n{body}\n")
    (finding,) = found(app)
    assert {side["kind"] for side in finding["sides"]} == {"text", "assertion"}
    assert any(f"edit the field {fields.split(':')[0]}" in fix for fix in finding["fix"])
    call(app, "put", slug="deals/lease", content=f"---\n{fields}\n---\n# Lease\n\nNothing new.\n")
    assert found(app) == []


def test_hearsay_is_perhaps_and_not_open(app: App, db: Path) -> None:
    put(app, "companies/river-ai")
    link = "to: companies/river-ai, relationship: works_at"
    put(app, "people/alice", body="Rumour has it that Alice left [[companies/river-ai]].", links=link)
    answer = call(app, "check", all=True)
    assert answer["open"] == 0
    (finding,) = answer["findings"]
    assert finding["sides"][0]["perhaps"]
    assert call(app, "briefing")["contradictions"] == []
    ran = quick("check", "--all", db=db)
    assert ran.status == 0
    assert "perhaps: “Rumour has it" in ran.out


def test_another_page_may_say_that_somebody_left(app: App) -> None:
    put(app, "companies/river-ai")
    put(app, "people/alice", links="to: companies/river-ai, relationship: works_at")
    put(app, "notes/monday", body="Alice left [[companies/river-ai]] in March 2026.")
    (finding,) = found(app)
    assert finding["sides"][0]["slug"] == "notes/monday"
    assert finding["sides"][0]["valid_from"] == "2026-03-01"
    assert "--valid-until 2026-03-01" in finding["fix"][0]
    assert [each["id"] for each in found(app, slug="people/alice")] == [finding["id"]]
    assert [each["id"] for each in found(app, slug="notes/monday")] == [finding["id"]]


def test_two_texts_against_each_other(app: App) -> None:
    put(app, "companies/gull", body="Gull is based in Ghent.")
    put(app, "notes/belgium", body="Gull is headquartered in Antwerp.")
    (finding,) = found(app)
    assert {side["kind"] for side in finding["sides"]} == {"text"}


def test_a_list_in_one_field_is_no_contradiction(app: App) -> None:
    call(app, "put", slug="people/alice", content="---\nroles: [CTO, teacher]\n---\n# Alice\n")
    assert found(app) == []
    assert len(call(app, "facts", predicate="role")["facts"]) == 2


def test_what_a_text_contradicts_ends_on_the_day_that_the_text_names(app: App) -> None:
    body = "She paints.\n\nAlice left [[companies/river-ai|RiverAI]] in March 2025."
    put(app, "companies/river-ai")
    put(app, "people/alice", "Alice | works_at | companies/river-ai | 2024-01-15", body=body)
    (finding,) = found(app, slug="people/alice", type="temporal")
    number = finding["id"]
    assert finding["fix"] == [
        f"quaid check --resolve {number} --end 2025-03-01",
        "correct line 9 of people/alice",
        f"quaid check --resolve {number} --dismiss",
    ]
    assert call(app, "check", resolve=number, end="2025-03")["ended"] == ["people/alice"]
    assert found(app) == []
    (fact,) = call(app, "facts", subject="people/alice", at="2024-06-01")["facts"]
    assert fact["valid_until"] == "2025-03-01"
    assert call(app, "facts", subject="people/alice", at="2026-01-01")["facts"] == []


def test_only_what_a_text_contradicts_can_be_ended(app: App) -> None:
    put(app, "people/alice", "Alice | role | CEO")
    put(app, "notes/monday", "Alice | role | CTO")
    (finding,) = found(app)
    with pytest.raises(InvalidInput, match="not between a text and an assertion"):
        call(app, "check", resolve=finding["id"], end="2025-03")


def test_without_the_model_it_says_that_it_knows_phrases_only(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quaid.operations.check.open_judge", lambda *_: None)
    assert call(app, "check", all=True)["by_phrases"] is True


def test_what_no_phrase_has_is_read(app: App) -> None:
    head = "---\ntype: thing\nowner: Emil\n---\n# Boat\n\n"
    call(app, "put", slug="things/boat", content=head + "Emil painted the boat in spring.\n")
    assert found(app) == []
    call(app, "put", slug="things/boat", content=head + "The boat is mine, Emil never owned it.\n")
    (finding,) = found(app)
    assert said(finding)[0] == ("things/boat", "The boat is mine, Emil never owned it.")
    assert "correct line 7 of things/boat" in finding["fix"]


def page(app: App, type_: str, fields: str, body: str, title: str = "Ottilie Brandt") -> None:
    call(app, "put", slug="pages/one", content=f"---\ntype: {type_}\n{fields}\n---\n# {title}\n\n{body}\n")


def open_ones(app: App) -> list[set[str]]:
    """What both sides of each open finding say."""
    findings = call(app, "check", all=True)["findings"]
    sides = [each["sides"] for each in findings if not any(side.get("perhaps") for side in each["sides"])]
    return [{side["statement"] for side in each} for each in sides]


def test_two_sentences_of_one_page_that_no_phrase_has(app: App) -> None:
    page(
        app,
        "person",
        "",
        "Ottilie has never been married. She keeps bees.\n\nHer husband Carl mended our gate.",
    )
    assert open_ones(app) == [{"Ottilie has never been married.", "Her husband Carl mended our gate."}]
    page(
        app,
        "person",
        "",
        "Ottilie has never been married. She keeps bees.\n\nHer brother Carl mended our gate.",
    )
    assert open_ones(app) == []


@pytest.mark.parametrize(
    ("type_", "is_read"), [("place", True), ("flat", True), ("note", False), ("", False)]
)
def test_a_page_is_read_if_its_type_says_that_it_is_about_something(
    app: App, type_: str, is_read: bool
) -> None:
    page(app, type_, "pets: not allowed", "Two rooms. Tenants are welcome to keep a dog or a cat.", "Flat 7")
    assert bool(call(app, "check", all=True)["findings"]) is is_read


def test_what_a_line_told_long_ago_is_perhaps(app: App) -> None:
    line = "Ottilie ate the steak, as she always does"
    page(app, "person", "diet: vegetarian", f"My cousin.\n\n## Timeline\n- 2026-02-25: {line}")
    assert open_ones(app) == [{line, "diet: vegetarian"}]
    page(app, "person", "diet: vegetarian", f"My cousin.\n\n## Timeline\n- 2024-02-25: {line}")
    assert open_ones(app) == []
    assert len(call(app, "check", all=True)["findings"]) == 1


def test_what_phrases_find_and_the_network_doubts_is_perhaps(app: App) -> None:
    page(
        app,
        "event",
        "date: 2026-05-31",
        "The neighbours' was on the 25th of May and it poured.",
        "Spring Fair",
    )
    assert open_ones(app) == []
    (finding,) = call(app, "check", all=True)["findings"]
    assert any(side.get("perhaps") for side in finding["sides"])


@pytest.mark.parametrize("mark", ["mail — ", "mail - ", "", "call with Ana - "])
def test_a_dated_line_says_who_says_it_and_what_is_said(app: App, mark: str) -> None:
    page(app, "deal", "stage: negotiation", f"## Timeline\n\n- **2026-03-02** | {mark}Closed on 2026-03-02.")
    sides = [side for each in call(app, "check", all=True)["findings"] for side in each["sides"]]
    assert "Closed on 2026-03-02." in {side.get("evidence") or side["statement"] for side in sides}
    assert open_ones(app)


@pytest.mark.parametrize("sentence", ["Closed on Wednesdays, so call on any other day.", "Closed Mondays."])
def test_when_a_door_is_open_is_no_stage(app: App, sentence: str) -> None:
    page(app, "deal", "stage: negotiation", sentence)
    assert open_ones(app) == []
