"""Predicates that say the same, and what kind of value each of them has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from quaid.formats.fields import snake_case

Kind = Literal["name", "place", "day", "amount", "count", "role"]

# In each line, all say what the first one says.
_SYNONYMS = """
based_in hq headquarters headquartered_in located_in location hq_in seat head_office
lives_in resides_in residence lives home city lives_at
works_at employed_by works_for employer employee_of company
reports_to manager boss managed_by
headcount employees employee_count staff team_size number_of_employees
founded_in founded_on established established_in founding_year founding_date
born_on date_of_birth birthday birth_date dob born
born_in place_of_birth birthplace
died_on date_of_death died
ceo chief_executive chief_executive_officer
cto chief_technology_officer
cfo chief_financial_officer
is_ceo_of ceo_of
is_cto_of cto_of
is_cfo_of cfo_of
due deadline due_on due_date due_by
value deal_value contract_value deal_size amount
price costs cost fee
joined_on joined started_on start_date member_since hired hired_on hire_date employed_since
date day when takes_place_on held_on event_date fly flight departure departs
role job_title job position occupation
owned_by owner parent_company belongs_to acquired_by
married_to spouse wife husband spouse_of
weight weighs mass
domain website_domain
expected_close closing_date close_date
invested_in investor_in
funded_by investors backed_by
founded_by founder founders
closed_on closed closed_at signed_on completed_on
revenue turnover annual_revenue annual_turnover
round last_round funding_round
email mail e_mail email_address
phone tel telephone mobile phone_number
attended_by attendees participants
members has_member member
lead lead_investor led_by
"""
SYNONYMS: Mapping[str, str] = {
    word: line.split()[0] for line in _SYNONYMS.strip().splitlines() for word in line.split()
}
_KINDS: Mapping[str, Kind] = {
    "based_in": "place",
    "lives_in": "place",
    "born_in": "place",
    "headcount": "count",
    "founded_in": "day",
    "born_on": "day",
    "died_on": "day",
    "due": "day",
    "expected_close": "day",
    "value": "amount",
    "price": "amount",
    "joined_on": "day",
    "closed_on": "day",
    "revenue": "amount",
    "round": "amount",
    "place": "place",
    "date": "day",
    "role": "role",
}

# What never changes: two values are a contradiction, whatever their days.
LASTING = frozenset(("born_on", "born_in", "died_on", "founded_in"))


def synonyms(listed: str) -> dict[str, str]:
    """The usual synonyms with what a setting lists: `hq=based_in, boss=reports_to`; `hq=` takes one away."""
    found = dict(SYNONYMS)
    for each in listed.split(","):
        name, equals, same = each.partition("=")
        if not equals or not name.strip():
            continue
        said = snake_case(name.strip())
        found.pop(said, None)
        if same.strip():
            found[said] = found.get(snake_case(same.strip()), snake_case(same.strip()))
    return found


def kind_of(predicate: str) -> Kind:
    """How values of a predicate, in its first spelling, are compared."""
    return _KINDS.get(predicate, "name")
