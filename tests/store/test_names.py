"""Names of pages, kept by their keys, and what was done to pages under their names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.formats.addresses import meaning_of, place_of
from quaid.formats.content import folded_names
from quaid.formats.slugs import fold
from quaid.store import names
from quaid.store.keys import name_key
from tests.support import call, examples

PARTS = st.text("aBcÄß.-_ !", min_size=1, max_size=4)
PATHS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)


def test_the_names_of_a_page_are_known_as_texts(app: App) -> None:
    content = "---\ntitle: Alice Example\naliases: [Al, Ally McX]\n---\n"
    call(app, "put", slug="people/alice", content=content)
    found = names.of_page(app.connection, app.page("people/alice").id)
    assert found == {
        "people/alice": 0,
        "alice": 1,
        "alice example": 2,
        "al": 3,
        "ally mcx": 3,
    }
    stored = {name for (name,) in app.connection.execute("SELECT name FROM page_names")}
    assert stored == {name_key(name) for name in found}


@examples(200, 5_000)
@given(PATHS, PATHS, st.booleans())
def test_a_file_that_a_link_fits_has_its_name_unless_the_link_says_so(
    path: str, target: str, end: bool
) -> None:
    """Only then is a link looked at again when a file of that name comes."""
    wanted = path.split("/", 1)[-1] if end else target
    (_, address), place = meaning_of(wanted, ""), place_of("", f"{path}.md")
    if address.is_end_of_path and address.fits(place):
        assert fold(address.spelling) in folded_names("", f"{path}.md", "", ())


def test_what_was_done_keeps_the_slug_that_a_page_had(app: App) -> None:
    call(app, "put", slug="a", content="# A\n")
    call(app, "mv", slug="a", to="b")
    call(app, "put", slug="b", content="# A\n\nMore.\n", version=call(app, "get", slug="b")["version"])
    page = app.page("b").id
    slugs = app.connection.execute("SELECT slug FROM deeds WHERE page_id = ? ORDER BY id", (page,)).fetchall()
    assert slugs == [("a",), (None,), (None,)]
