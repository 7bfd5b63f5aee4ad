"""What is due, by day and state."""

from __future__ import annotations

from typing import Any

import pytest

from quaid import operations
from quaid.app import App
from quaid.operations.due import DUE
from quaid.operations.text import Style
from tests.support import call, quick

TODAY = "2026-04-14"


def page(app: App, slug: str, **fields: Any) -> None:
    head = "".join(f"{name}: {value}\n" for name, value in fields.items())
    call(app, "put", slug=slug, content=f"---\n{head}---\n# {slug.rpartition('/')[2].title()}\n")


def due(app: App, **values: Any) -> list[tuple[str, str | None]]:
    return [(each["slug"], each.get("due")) for each in call(app, "due", **values)["items"]]


def test_it_is_sorted_by_day_and_says_what_is_late(app: App) -> None:
    page(app, "actions/later", due="2026-06-01")
    page(app, "actions/soon", due="2026-04-20", status="open")
    page(app, "commitments/late", due="2026-04-01", status="in_progress", owner="Bob")
    page(app, "actions/now", due=TODAY)
    page(app, "actions/undated", status="open", due='""')
    result = call(app, "due")
    assert [(each["slug"], each["days"], each["overdue"], each["state"]) for each in result["items"]] == [
        ("commitments/late", -13, True, "in_progress"),
        ("actions/now", 0, False, "open"),
        ("actions/soon", 6, False, "open"),
    ]
    assert result["counts"] == {"overdue": 1, "today": 1, "soon": 1}
    assert due(app, overdue=True) == [("commitments/late", "2026-04-01")]
    assert due(app, within=0) == [("commitments/late", "2026-04-01"), ("actions/now", TODAY)]
    assert len(due(app, within=100)) == 4
    assert [slug for slug, _ in due(app, all=True)][-2:] == ["actions/later", "actions/undated"]


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("done", "done"),
        ("Completed", "done"),
        ("cancelled", "cancelled"),
        ("canceled", "cancelled"),
        ("dropped", "cancelled"),
        ("reversed", "cancelled"),
        ("in-progress", "in_progress"),
        ("WIP", "in_progress"),
        ("blocked", "waiting"),
        ("on hold", "waiting"),
        ("todo", "open"),
        ("some words of my own", "open"),
        ("[done]", "done"),
        ("true", "done"),
    ],
)
def test_states_have_many_names(app: App, status: str, state: str) -> None:
    page(app, "actions/a", due=TODAY, status=status)
    items = call(app, "due", all=True)["items"]
    assert [each["state"] for each in items] == [state]
    assert len(due(app)) == (0 if state in ("done", "cancelled") else 1)


@pytest.mark.parametrize(
    ("field", "written", "day"),
    [
        ("due", "2026-04-15", "2026-04-15"),
        ("due", "2026-04-15T09:00:00Z", "2026-04-15"),
        ("due", "2026-04", "2026-04-01"),
        ("due", "2026", "2026-01-01"),
        ("due", '"[[2026-04-15]]"', "2026-04-15"),
        ("deadline", '"<2026-04-15 Wed>"', "2026-04-15"),
        ("due_date", "2026-04-15", "2026-04-15"),
        ("due-date", "2026-04-15", "2026-04-15"),
        ("due", "next Friday, perhaps", None),
        ("due", "2026-13-45", None),
    ],
)
def test_days_are_read_or_shown_as_written(app: App, field: str, written: str, day: str | None) -> None:
    page(app, "notes/any-type", **{field: written})
    (item,) = call(app, "due")["items"]
    assert item.get("due") == day
    assert (item.get("unreadable") is None) == (day is not None)
    if day is None:
        assert written in DUE.render(operations.run(app, DUE, DUE.arguments()), Style())


def test_pages_without_a_day_are_not_due(app: App) -> None:
    call(app, "put", slug="notes/a", content="---\nresidue: 1\n---\nIt is due: 2026-04-14\n")
    call(app, "put", slug="notes/b", content="due: 2026-04-14\n")
    assert due(app, all=True) == []
    assert quick("due", db=app.store.path).out == "Nothing is due.\n"


def test_a_decision_is_due_when_it_is_to_be_looked_at_again(app: App) -> None:
    page(app, "decisions/sqlite", status="active", revisit_at="2026-04-10")
    page(app, "decisions/old", status="superseded", revisit_at="2026-04-10")
    page(app, "commitments/report", due="2026-04-16", revisit_at="2026-04-10")
    page(app, "notes/other", revisit_at="2026-04-10")
    items = call(app, "due")["items"]
    assert [(each["slug"], each["due"], each.get("revisit")) for each in items] == [
        ("decisions/sqlite", "2026-04-10", True),
        ("commitments/report", "2026-04-16", None),
    ]


def test_an_owner_is_known_by_any_name(app: App) -> None:
    call(app, "put", slug="people/alice", content="---\ntitle: Alice Example\naliases: [Ally]\n---\n")
    page(app, "actions/a", due=TODAY, owner="people/alice")
    page(app, "actions/b", due=TODAY, owner='"[[people/alice|A.]]"')
    page(app, "actions/c", due=TODAY, assignee="[Bob, alice EXAMPLE]")
    page(app, "actions/d", due=TODAY, owner="Bob")
    for name in ("people/alice", "Ally", "Alice Example", "alice"):
        assert [slug for slug, _ in due(app, owner=name)] == ["actions/a", "actions/b", "actions/c"]
    assert [slug for slug, _ in due(app, owner="bob")] == ["actions/c", "actions/d"]
    assert due(app, owner="nobody") == []


def test_removed_pages_are_not_due(app: App) -> None:
    page(app, "actions/a", due=TODAY)
    call(app, "rm", slug="actions/a")
    assert due(app, all=True) == []


def test_people_see_groups(app: App) -> None:
    page(app, "actions/late", due="2026-04-13", owner="Bob", priority="urgent")
    page(app, "actions/soon", due="2026-04-15", status="blocked")
    page(app, "actions/done", due="2026-04-15", status="done")
    shown = DUE.render(operations.run(app, DUE, DUE.arguments(all=True)), Style())
    assert shown.split("\n") == [
        "Overdue (1)",
        "  2026-04-13  1 day late  actions/late  Late  [Bob; urgent]",
        "Ahead (1)",
        "  2026-04-15  in 1 day    actions/soon  Soon  [blocked]",
        "Done or cancelled (1)",
        "  2026-04-15  done        actions/done  Done",
    ]


def test_a_long_list_ends(app: App) -> None:
    for number in range(5):
        page(app, f"actions/a{number}", due=TODAY)
    result = call(app, "due", limit=2)
    assert (len(result["items"]), result["more"], result["counts"]) == (2, 3, {"today": 5})
