"""News of projects: what is one, and what is said of it later."""

from __future__ import annotations

import pytest

from quaid.routing import projects
from quaid.routing.router import route
from quaid.routing.shelf import Hints, Route, Shelf

HEADINGS = ("Heron", "Walled garden", "Glamping pods")
SHELF = Shelf((projects.FILE,), {projects.FILE: HEADINGS})


def placed(said: str, shelf: Shelf = SHELF) -> Route:
    """The place of a sentence by the rules."""
    [found] = route(said, Hints(), shelf)
    return found


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("project Kestrel: the move is planned for December", "Kestrel"),
        ("Project Kestrel runs on four machines", "Kestrel"),
        ("our roof garden project - the beds are dug", "Roof garden"),
        ("the school project is due on Friday", None),
        ("projects take longer than one thinks", None),
    ],
)
def test_a_project_is_called_one(said: str, name: str | None) -> None:
    assert projects.called(said) == name


def test_a_new_project_has_a_section_of_its_own() -> None:
    found = placed("project Kestrel: the move is planned for December", Shelf())
    assert (found.path, found.section) == ("knowledge/projects.md", "Kestrel")


@pytest.mark.parametrize(
    ("said", "section"),
    [
        ("heron: the dry run took 41 minutes", "Heron"),
        ("an old well came to light in the walled garden", "Walled garden"),
        ("the council wants a bat survey for the glamping", "Glamping pods"),
    ],
)
def test_news_stand_beside_what_was_said_of_it(said: str, section: str) -> None:
    found = placed(said)
    assert (found.path, found.section) == ("knowledge/projects.md", section)


def test_another_project_of_the_kind_has_a_section_of_its_own() -> None:
    shelf = Shelf((projects.FILE,), {projects.FILE: ("Wedding cake for Lindqvist",)})
    assert projects.heading_of("wedding cake for Moreau: two tiers", shelf.headings[projects.FILE]) is None
    assert projects.heading_of("Lindqvist cake: four tiers", shelf.headings[projects.FILE])


def test_what_names_no_project_is_a_fact() -> None:
    assert placed("the garage door sticks in winter").path == "knowledge/facts.md"
