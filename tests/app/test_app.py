"""Which page a person means."""

from __future__ import annotations

import pytest

from quaid.app import App
from quaid.errors import Ambiguous, InvalidInput, NotFound, ReadOnly
from tests.support import call


@pytest.fixture
def people(app: App) -> App:
    call(app, "put", slug="people/alice", content="---\ntitle: Alice Example\naliases: [Al, Ällie]\n---\n")
    call(app, "put", slug="people/bob", content="# Bob\n")
    call(app, "put", slug="dogs/bob", content="# Bob\n")
    return app


@pytest.mark.parametrize(
    "name",
    [
        "people/alice",
        " people/alice ",
        "alice",
        "Alice Example",
        "alice example",
        "AL",
        "allie",
        "People/Alice",
        "default::people/alice",
        "default::al",
    ],
)
def test_names_of_a_page(people: App, name: str) -> None:
    assert call(people, "get", slug=name)["slug"] == "people/alice"


def test_a_name_of_two_pages_is_ambiguous_and_lists_them(people: App) -> None:
    with pytest.raises(Ambiguous) as caught:
        call(people, "get", slug="Bob")
    assert caught.value.data["candidates"] == ["default::dogs/bob", "default::people/bob"]
    for candidate in caught.value.data["candidates"]:
        assert call(people, "get", slug=candidate)["title"] == "Bob"


def test_a_slug_of_two_collections_is_ambiguous(people: App) -> None:
    people.connection.execute("INSERT INTO collections (name) VALUES ('work')")
    call(people, "put", slug="work::people/alice", content="# Other\n")
    with pytest.raises(Ambiguous):
        call(people, "get", slug="people/alice")
    assert call(people, "get", slug="work::people/alice")["title"] == "Other"
    assert len(call(people, "list", collection="work")["pages"]) == 1


def test_a_missing_page_is_explained(people: App) -> None:
    with pytest.raises(NotFound) as caught:
        call(people, "get", slug="persons/alice")
    assert "people/alice" in caught.value.hint
    with pytest.raises(NotFound) as caught:
        call(people, "get", slug="nothing/like/it")
    assert "search" in caught.value.hint
    with pytest.raises(NotFound):
        call(people, "get", slug="nowhere::people/alice")


@pytest.mark.parametrize("name", ["", "  ", "default::"])
def test_no_name_at_all(people: App, name: str) -> None:
    with pytest.raises(InvalidInput):
        call(people, "get", slug=name)


def test_a_read_only_collection_takes_no_writes(people: App) -> None:
    people.connection.execute("INSERT INTO collections (name, read_only) VALUES ('fixed', 1)")
    with pytest.raises(ReadOnly):
        call(people, "put", slug="fixed::a", content="x")
