"""Lines of a page that are found on their own."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.content import read_page
from quaid.index.chunks import chunks_of
from quaid.index.items import LARGEST, MOST, MOST_VECTORS, items_of
from quaid.model.chunk import Item
from quaid.model.page import Format
from tests.support import examples

PAGE = """---
phone: +49 30 5550 1187
contact:
  email: ada@example.org
assertions:
  - {subject: Ada, predicate: headcount, object: 84, valid_until: 2026-01-01}
---
# Ada

Some words of prose that stand here.

## Lists

- first item with words
  and a second line
  - nested words below it
- [ ] a task that is open

### Deeper
1. a numbered one

| name | size |
|---|---|
| Oak | 12 metres |

Dentist: Hafenweg 4, second floor
"""


def cut(text: str, format: Format = "markdown") -> list[Item]:
    page = read_page(text, "people/ada", format, f"people/ada.{'org' if format == 'org' else 'md'}")
    return items_of(page, chunks_of(page))


def slices(text: str, found: list[Item]) -> list[tuple[str, str, str]]:
    return [(each.kind, each.heading, text[each.start : each.start + each.length]) for each in found]


def test_items_rows_fields_and_facts_are_slices_of_the_page() -> None:
    assert slices(PAGE, cut(PAGE)) == [
        ("fact", "", "- {subject: Ada, predicate: headcount, object: 84, valid_until: 2026-01-01}"),
        ("field", "", "phone: +49 30 5550 1187"),
        ("field", "", "contact:"),
        ("item", "Lists", "- first item with words\n  and a second line\n  - nested words below it"),
        ("item", "Lists", "- [ ] a task that is open"),
        ("item", "Lists > Deeper", "1. a numbered one"),
        ("row", "Lists > Deeper", "| Oak | 12 metres |"),
        ("item", "Lists > Deeper", "Dentist: Hafenweg 4, second floor"),
    ]


def test_a_row_is_embedded_with_the_names_of_its_columns() -> None:
    row = next(each for each in cut(PAGE) if each.kind == "row")
    assert row.embedded == "name: Oak; size: 12 metres"
    assert row.line_start == row.line_end == PAGE[: row.start].count("\n") + 1


def test_a_long_item_is_cut_into_those_nested_in_it() -> None:
    nested = "".join(f"  - nested item number {number} with its own words\n" for number in range(20))
    text = f"# T\n\n- parent says something\n{nested}- last one here\n"
    found = [text[each.start : each.start + each.length] for each in cut(text)]
    assert found[0] == "- parent says something"
    assert found[1] == "- nested item number 0 with its own words"
    assert found[-1] == "- last one here"
    assert next(each for each in cut(text) if "number 7" in each.embedded).embedded == (
        "parent says something\nnested item number 7 with its own words"
    )


def test_a_line_is_embedded_as_it_stands() -> None:
    """A heading that does not fit must not lead away from the line, and the same line is embedded once."""
    (alone,) = cut("# T\n\n## Of other things\n\n- the only item of its section\n")
    here, other = cut("# U\n\n## Two\n\n- the only item of its section\n- and another one beside it\n")
    assert alone.hash == here.hash != other.hash
    assert other.embedded == "and another one beside it"
    (whole,) = cut("# T\n\n- nearly all that the page says\n")
    assert whole.hash is None, "its section is embedded with the same words"


def test_links_alone_say_nothing_of_their_own() -> None:
    text = "# T\n\n- [[a page]]\n- [another](other.md)\n- Founder: [[Ada]]\n- the tide is high at noon\n"
    assert [bool(each.hash) for each in cut(text)] == [False, False, False, True]


def test_a_huge_list_has_a_bound() -> None:
    text = "# T\n\n" + "".join(f"- entry number {n} of a list that never ends\n" for n in range(3 * MOST))
    found = cut(text)
    assert len(found) == MOST
    assert sum(each.hash is not None for each in found) == MOST_VECTORS


def test_a_line_that_is_prose_has_no_vector() -> None:
    text = f"# T\n\n- {'many words ' * 200}\n- a short one beside it\n"
    long, short = cut(text)
    assert long.length > LARGEST
    assert (long.hash, bool(short.hash)) == (None, True)


LOG = """# 2026-11-16

## 08:10 — The hut in the Harz has no bed linen

## 09:30 — Frida fell off her bike

Two stitches, at the practice in Mill Road.

## 21:05 — The wasps' nest was removed by the fire brigade
"""


def test_an_entry_of_a_log_is_a_line_unless_more_stands_below_it() -> None:
    found = cut(LOG)
    assert slices(LOG, found) == [
        ("item", "", "## 08:10 — The hut in the Harz has no bed linen"),
        ("item", "", "## 21:05 — The wasps' nest was removed by the fire brigade"),
    ]
    assert found[0].embedded == "The hut in the Harz has no bed linen"
    assert found[0].hash


def test_org_lists_tasks_tables_and_properties() -> None:
    text = (
        "#+title: Ada\n#+phone: 555-0134\n#+assertion: {subject: Ada, predicate: size, object: 9}\n\n"
        "* Work\n** TODO Call the plumber\nSCHEDULED: <2026-04-14 Tue>\n"
        "- first :: with words\n  more of it\n- second one\n\n| a | b |\n|---+---|\n| 1 | 2 |\n"
    )
    assert slices(text, cut(text, "org")) == [
        ("fact", "", "#+assertion: {subject: Ada, predicate: size, object: 9}"),
        ("field", "", "#+phone: 555-0134"),
        ("item", "Work", "** TODO Call the plumber"),
        ("item", "Work > Call the plumber", "- first :: with words\n  more of it"),
        ("item", "Work > Call the plumber", "- second one"),
        ("row", "Work > Call the plumber", "| 1 | 2 |"),
    ]


LINES = st.sampled_from(
    (
        *("- a b", "  - c d", "\t- e", "* x", "1. y", "text", "  text", "", "# H", "## G", "** TODO z"),
        *("| a | b |", "|---|---|", "|", "```", "Name: value", "> q", "---", "- [ ] t", "#+k: v", ":P: v"),
        *("- ", "ünï 日本語: x"),
    )
)


@pytest.mark.parametrize("format", get_args(Format))
@examples(60, 1_500)
@given(text=st.lists(LINES, max_size=30).map("\n".join) | st.text(max_size=200))
def test_any_text_is_cut_into_slices_of_itself(format: Format, text: str) -> None:
    page = read_page(text, "x", format)
    lines = page.text.split("\n")
    for each in items_of(page, chunks_of(page)):
        part = page.text[each.start : each.start + each.length]
        assert part == part.strip()
        assert part or each.kind in ("field", "fact")
        assert each.line_start == page.text.count("\n", 0, each.start) + 1
        assert "\n".join(lines[each.line_start - 1 : each.line_end]).find(part) >= 0
