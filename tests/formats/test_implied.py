"""Facts that fields yield without being asked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.content import implied_by, read_page
from quaid.formats.fields import snake_case, supersession
from quaid.formats.implied import RULES, pages_named
from quaid.formats.markdown import edits
from quaid.model.interval import Interval
from quaid.model.page import Content


def page(fields: str, slug: str = "people/alice") -> Content:
    return read_page(f"---\n{fields}\n---\n# Alice\n", slug)


def said(content: Content) -> list[tuple[str, str, str]]:
    return [(each.subject, each.predicate, each.object) for each in content.claims]


def joined(content: Content) -> list[tuple[str, str]]:
    return [(each.relationship, each.target) for each in content.references if each.source == "frontmatter"]


@pytest.mark.parametrize(
    ("fields", "predicate", "object_", "link"),
    [
        ("company: RiverAI", "works_at", "RiverAI", True),
        ("Employer: '[[companies/river-ai|RiverAI]]'", "works_at", "companies/river-ai", True),
        ("company: '[RiverAI](../companies/river-ai.md)'", "works_at", "companies/river-ai", True),
        ("affiliations: [RiverAI]", "works_at", "RiverAI", True),
        ("affiliations: [{company: RiverAI, role: CTO}]", "works_at", "RiverAI", True),
        ("role: CTO", "role", "CTO", False),
        ("manager: '@bob'", "reports_to", "bob", True),
        ("owner: people/bob", "owned_by", "people/bob", True),
        ("owner: bob@example.com", "owned_by", "bob@example.com", False),
        ("assignee: Bob", "assigned_to", "Bob", True),
        ("status: open", "status", "open", False),
        ("due: 2026-05", "due", "2026-05-01", False),
        ("deadline: next spring", "due", "next spring", False),
    ],
)
def test_a_field_yields_a_fact(fields: str, predicate: str, object_: str, link: bool) -> None:
    found = page(fields)
    assert said(found) == [("people/alice", predicate, object_)]
    assert found.claims[0].asserted_by == "import"
    assert found.claims[0].evidence.partition(":")[0] == fields.partition(":")[0]
    assert joined(found) == ([(predicate, object_)] if link else [])
    assert not found.problems


@pytest.mark.parametrize(
    "fields",
    [
        "company: ''",
        "company: []",
        "status: {a: b}",
        "status: true",
        "affiliations: [{role: CTO}]",
        "author: Bob",
        "founders: [Bob]",
        "to: people/bob",
        f"status: {'x' * 300}",
    ],
)
def test_what_is_no_fact_about_this_page(fields: str) -> None:
    assert said(page(fields)) == []
    assert joined(page(fields)) == []


def test_a_company_does_not_work_somewhere() -> None:
    assert said(page("company: Acme\nfounders: Alice, Bob", "companies/river-ai")) == [
        ("companies/river-ai", "founded_by", "Alice"),
        ("companies/river-ai", "founded_by", "Bob"),
    ]


def test_an_item_may_have_days() -> None:
    found = page(
        "affiliations:\n"
        "  - {company: Acme, from: 2019, until: 2021-06}\n"
        "  - {company: RiverAI, since: 2021-07-01, until: present}\n"
        "  - {company: Later, since: some day}\n"
    )
    assert [each.valid for each in found.claims] == [
        Interval("2019-01-01", "2021-06-01"),
        Interval("2021-07-01", None),
        Interval(None, None),
    ]
    assert [each.valid for each in found.references] == [each.valid for each in found.claims]


@pytest.mark.parametrize("item", ["{company: A, until: last year}", "{company: A, from: 2020, until: 2019}"])
def test_an_end_that_cannot_be_read_is_told(item: str) -> None:
    found = page(f"affiliations: [{item}]")
    assert said(found) == []
    assert [problem.code for problem in found.problems] == ["fields"]


def test_what_is_stated_is_not_yielded_too() -> None:
    found = page(
        "company: RiverAI\n"
        "links: [{to: companies/river-ai, relationship: works_at, valid_from: 2024-01-01}]\n"
        "assertions: [{subject: Alice, predicate: works at, object: River AI}]"
    )
    assert said(found) == [("Alice", "works_at", "River AI")]
    assert joined(found) == [("works_at", "companies/river-ai")]


def test_what_has_ended_does_not_hide_what_holds() -> None:
    found = page(
        "company: RiverAI\n"
        "links: [{to: RiverAI, relationship: works_at, valid_until: 2024-01-01}]\n"
        "assertions: [{subject: Alice, predicate: works_at, object: RiverAI, valid_until: 2024-01-01}]"
    )
    assert len(found.claims) == 2
    assert joined(found) == [("works_at", "RiverAI")] * 2


def test_two_fields_that_say_the_same_yield_one_fact() -> None:
    assert len(page("company: RiverAI\nemployer: companies/river-ai").claims) == 1


def test_a_field_is_known_by_its_fact() -> None:
    text = (
        "---\ncompany: RiverAI\nassertions: [{subject: a, predicate: is, object: b}]\n"
        "links: [{to: x}]\n---\n[[y]]\n"
    )
    found = implied_by(text, "people/alice")
    assert sorted(found.values()) == ["company", "company"]
    content = read_page(text, "people/alice")
    assert set(found) == {content.claims[1], content.references[1]}


def test_org_fields_yield_facts() -> None:
    text = (
        ":PROPERTIES:\n:OWNER: [[id:abc][Bob]]\n:END:\n#+title: Alice\n#+type: person\n#+company: RiverAI\n"
        "#+assertion: {subject: Alice, predicate: is, object: here}\n\nText\n"
    )
    content = read_page(text, "alice", "org")
    assert said(content) == [
        ("Alice", "is", "here"),
        ("alice", "owned_by", "abc"),
        ("alice", "works_at", "RiverAI"),
    ]
    assert set(implied_by(text, "alice", "org").values()) == {"owner", "company"}


def test_a_text_without_a_place_yields_nothing() -> None:
    assert page("company: RiverAI", "").claims == ()


def test_the_pages_that_fields_name() -> None:
    values = {
        "Company": "a",
        "affiliations": ["b", {"company": "c"}, {"role": "d"}],
        "status": "e",
        "owner": 1,
    }
    assert pages_named(values) == [
        (("Company",), "a"),
        (("affiliations", 0), "b"),
        (("affiliations", 1, "company"), "c"),
    ]


@pytest.mark.parametrize(
    "written", ["is CEO of", "is-CEO-of", "isCeoOf", "is_ceo_of", " is  ceo of ", "Is_Ceo_Of"]
)
def test_a_predicate_has_one_spelling(written: str) -> None:
    assert snake_case(written) == "is_ceo_of"


@given(st.text(max_size=30))
def test_a_spelling_is_final(text: str) -> None:
    assert snake_case(snake_case(text)) == snake_case(text)


def test_what_an_assertion_replaces() -> None:
    assert supersession({"supersedes": "A"}) == supersession({"supersedes": {"object": "A"}})
    found = supersession({"supersedes": {"page": "[[people/alice]]", "object": "A"}})
    assert found
    assert (found.page, found.object) == ("people/alice", "A")
    assert supersession({"supersedes": {"page": "x"}}) is None
    assert supersession("A") is None


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-9999, 9999), st.floats(0, 1), st.text(max_size=20))
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["company", "from", "until", "role", "name", "x"]), inner, max_size=3
        ),
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted(RULES)), VALUES, max_size=5))
def test_any_fields_can_be_read(values: dict[str, Any]) -> None:
    """Nothing fails, nothing is said twice, and everything yielded has its field."""
    text = edits.set_fields("# Alice\n", values)
    content = read_page(text, "people/alice")
    assert len({(c.predicate, c.object, c.valid) for c in content.claims}) == len(content.claims)
    yielded = implied_by(text, "people/alice")
    assert set(yielded.values()) <= values.keys()
    assert {*content.claims, *content.references} == set(yielded)
