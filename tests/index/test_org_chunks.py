"""Where an org page is cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.content import read_page
from quaid.index.chunks import chunks_of
from quaid.model.chunk import Chunk
from tests.support import examples

ID = "3e969e14-b902-47b8-984a-823e9e6884e1"
PAGE = f""":PROPERTIES:
:ID: {ID}
:END:
#+title: The river

Leads the group.

* Work
:PROPERTIES:
:ID: x
:END:
Built river sensors, see [[id:{ID}][the sea]].
*** Detail
In Rust.
#+begin_src org
,* no headline
#+end_src
** Tools
Hammer.
* Empty
** Life
Lives at the harbour.
* Timeline
- [2024-03-12 Tue] meeting — Joined the board.
  She said yes.
- [2023-01-05 Thu] Wrote a book.
* Captured
Later text.
"""


def cut(text: str) -> list[Chunk]:
    return chunks_of(read_page(text, "notes/river", "org", "notes/river.org"))


def test_a_page_by_headlines_and_entries() -> None:
    chunks = cut(PAGE)
    assert [(chunk.kind, chunk.heading, chunk.date) for chunk in chunks] == [
        ("truth_section", "", None),
        ("truth_section", "Work", None),
        ("truth_section", "Work > Tools", None),
        ("truth_section", "Empty > Life", None),
        ("timeline_entry", "Timeline", "2024-03-12"),
        ("timeline_entry", "Timeline", "2023-01-05"),
        ("timeline_entry", "Timeline", None),
    ]
    for chunk in chunks:
        part = PAGE[chunk.start : chunk.start + chunk.length]
        assert part == part.strip()
        assert chunk.line_start == PAGE.count("\n", 0, chunk.start) + 1
    assert PAGE[chunks[4].start :].startswith("- [2024-03-12 Tue]")
    assert "Later text." not in chunks[5].embedded


def test_what_is_embedded_is_what_a_reader_sees() -> None:
    embedded = cut(PAGE)[1].embedded
    assert embedded.startswith("The river\nWork\n")
    assert "see the sea." in embedded
    assert ID not in embedded
    assert ":PROPERTIES:" not in embedded


LINES = st.sampled_from(
    ["", "* A", "** B", "*** C", "text " * 100, ":PROPERTIES:", ":ID: x", ":END:", "#+title: T", "* Timeline",
     "- [2024-01-15 Mon] x", "  detail", "#+begin_src x", "#+end_src", "# comment", "学" * 300]
)  # fmt: skip


@examples(100, 2_000)
@given(st.lists(LINES, max_size=20).map("\n".join))
def test_nothing_is_lost(text: str) -> None:
    content = read_page(text, "x", "org")
    covered = [False] * len(text)
    for chunk in chunks_of(content):
        assert text[chunk.start : chunk.start + chunk.length].strip()
        covered[chunk.start : chunk.start + chunk.length] = [True] * chunk.length
    body = range(len(content.head), len(content.head) + len(content.truth))
    assert all(covered[place] or not text[place].strip() for place in body)
