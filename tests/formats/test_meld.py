"""Two changes of one page, merged by what it says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.meld.clash import Melded, Side
from quaid.formats.meld.page import meld
from quaid.model.page import Format
from tests.formats.histories import MARKDOWN, ORG, History
from tests.support import examples

EARLY, LATE, LAST = "2026-01-01T08:00:00+00:00", "2026-01-02T08:00:00+00:00", "2026-01-03T08:00:00+00:00"
SEEDS = st.integers(0, 10**9)
PAGES: list[tuple[str, Format]] = [(MARKDOWN, "markdown"), (ORG, "org")]


def both(base: str, one: str, other: str, format: Format = "markdown") -> Melded:
    """Merged in either order; the second is the newer."""
    sides = Side(one, EARLY), Side(other, LATE)
    melded = meld(base, *sides, format)
    assert meld(base, *reversed(sides), format) == melded
    return melded


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def told(melded: Melded) -> str:
    """All that a person can still find."""
    return melded.text + "".join(f"\n{each.kept}\n{each.other}" for each in melded.clashes)


def check(base: str, one: str, other: str, format: Format) -> Melded:
    """What holds for any three texts."""
    melded = both(base, one, other, format)
    for side in (one, other):
        assert words(side) - words(base) <= words(told(melded))
        assert meld(base, Side(base, LATE), Side(side, EARLY), format) == Melded(side)
    assert "<<<<<<<" not in melded.text
    return melded


@pytest.mark.parametrize(("page", "format"), PAGES)
@examples(25, 2_000)
@given(seed=SEEDS)
def test_any_two_histories_lose_no_word_in_either_order(page: str, format: Format, seed: int) -> None:
    one, other = (History(seed, author, format == "org", False).edited(page) for author in ("anna", "bert"))
    check(page, one, other, format)


@pytest.mark.parametrize(("page", "format"), PAGES)
@examples(25, 2_000)
@given(seed=SEEDS)
def test_what_was_merged_is_merged_for_good(page: str, format: Format, seed: int) -> None:
    one, other = (History(seed, author, format == "org", True).edited(page) for author in ("anna", "bert"))
    melded = check(page, one, other, format)
    for side in (one, other):
        assert meld(page, Side(melded.text, LAST), Side(side, EARLY), format).text == melded.text


@pytest.mark.parametrize(("page", "format"), PAGES)
@examples(15, 1_000)
@given(seed=SEEDS)
def test_three_machines_end_with_the_same_page(page: str, format: Format, seed: int) -> None:
    """Two merge at the same time, each with the third; then they meet."""
    anna, bert, cleo = (
        History(seed, who, format == "org", True).edited(page, 3) for who in ("anna", "bert", "cleo")
    )
    first = meld(page, Side(anna, EARLY), Side(cleo, LATE), format)
    second = meld(page, Side(cleo, LATE), Side(bert, LAST), format)
    last = meld(cleo, Side(first.text, LATE), Side(second.text, LAST), format)
    assert meld(cleo, Side(second.text, LAST), Side(first.text, LATE), format) == last
    found = words(told(first)) | words(told(second)) | words(told(last))
    assert words(anna) | words(bert) | words(cleo) <= found | words(page)


@examples(25, 2_000)
@given(base=st.text(), one=st.text(), other=st.text(), format=st.sampled_from(["markdown", "org"]))
def test_any_three_texts(base: str, one: str, other: str, format: Format) -> None:
    check(base, one, other, format)


def test_fields_are_merged_by_key_and_lists_as_sets() -> None:
    one = MARKDOWN.replace("infra]", "infra, tea]").replace("  phone: 1234\n", "  phone: 1234\n  fax: 99\n")
    one = one.replace("draft", "final").replace("updated: 2026-01-01", "updated: 2026-03-01")
    other = MARKDOWN.replace("[founder, infra]", "[infra, salt]").replace("a@example.org", "b@example.org")
    other = other.replace("draft", "review").replace("updated: 2026-01-01", "updated: 2026-02-01")
    melded = both(MARKDOWN, one, other)
    assert "tags: [infra, salt, tea]\nstatus: review\n# kept by hand\n" in melded.text
    assert "contact:\n  mail: b@example.org\n  phone: 1234\n  fax: 99\nupdated: 2026-03-01\n" in melded.text
    assert "title: Alice Example  # as on her card\n" in melded.text
    (clash,) = melded.clashes
    assert (clash.kind, clash.name, clash.base) == ("field", "status", "status: draft\n")
    assert (clash.kept, clash.kept_at) == ("status: review\n", LATE)
    assert (clash.other, clash.other_at) == ("status: final\n", EARLY)


def test_facts_and_links_are_merged_by_what_they_are_about() -> None:
    fact = "    object: Porto\n"
    one = MARKDOWN.replace(fact, f"{fact}    confidence: 0.5\n").replace(
        "links:\n", "links:\n  - to: people/bob\n    relationship: knows\n"
    )
    other = MARKDOWN.replace(
        fact, f"{fact}    valid_from: 2025\n  - subject: Alice\n    predicate: likes\n    object: tea\n"
    )
    melded = both(MARKDOWN, one, other)
    assert not melded.clashes
    for line in (
        "confidence: 0.5",
        "valid_from: 2025",
        "predicate: likes",
        "- to: people/bob",
        "- to: companies",
    ):
        assert melded.text.count(line) == 1


def test_an_item_is_ticked_here_and_reworded_there() -> None:
    one = MARKDOWN.replace("[ ] buy milk", "[x] buy milk").replace("[ ] find", "[x] find")
    other = MARKDOWN.replace("buy milk", "buy oat milk").replace(
        "- [ ] call Bob\n", "- [ ] call Bob\n- [ ] sleep\n"
    )
    melded = both(MARKDOWN, one, other)
    tasks = (
        "- [x] buy oat milk\n- [ ] call Bob\n- [ ] sleep\n  - [x] find the number\n- [x] write the report\n"
    )
    assert tasks in melded.text
    assert not melded.clashes


def test_rows_of_a_table_are_known_by_their_first_cell() -> None:
    one = MARKDOWN.replace("| tea  | 3     |\n", "| tea  | 4     |\n| rice | 9     |\n")
    other = MARKDOWN.replace("| salt | 1     |\n", "| salt | 2     |\n| oil  | 5     |\n")
    rows = "| tea  | 4     |\n| rice | 9     |\n| salt | 2     |\n| oil  | 5     |\n"
    assert rows in both(MARKDOWN, one, other).text


def test_a_section_that_was_moved_is_changed_where_it_now_stands() -> None:
    start, stop = MARKDOWN.index("## Tasks"), MARKDOWN.index("## State")
    tasks = MARKDOWN[start:stop]
    moved = MARKDOWN.replace(tasks, "").replace("---\n\n## Timeline", f"{tasks}---\n\n## Timeline")
    other = MARKDOWN.replace("buy milk", "buy tea and milk").replace("report\n", "report\n- [ ] rest\n")
    melded = both(MARKDOWN, moved, other)
    changed = tasks.replace("buy milk", "buy tea and milk").replace("report\n", "report\n- [ ] rest\n")
    assert melded.text == MARKDOWN.replace(tasks, "").replace(
        "---\n\n## Timeline", f"{changed}---\n\n## Timeline"
    )
    assert not melded.clashes


def test_entries_of_the_timeline_stand_in_their_order() -> None:
    one = MARKDOWN.replace("- 2026-03-02", "- 2026-03-20 — Wrote\n- 2026-03-02")
    other = MARKDOWN.replace("- 2026-03-02", "- 2026-03-09 — Called\n- 2026-03-02")
    text = both(MARKDOWN, one, other).text
    assert re.findall(r"^- \W*(2026-\d\d-\d\d)", text, re.MULTILINE) == [
        "2026-04-14",
        "2026-03-20",
        "2026-03-09",
        "2026-03-02",
    ]


def test_what_was_deleted_here_and_changed_there_lives_and_is_named() -> None:
    start, stop = MARKDOWN.index("## Tasks"), MARKDOWN.index("## State")
    one = MARKDOWN[:start] + MARKDOWN[stop:]
    melded = both(MARKDOWN, one, MARKDOWN.replace("- [ ] buy milk", "- [x] buy milk"))
    assert "## Tasks\n\n- [x] buy milk\n\n## State\n" in melded.text
    assert [(each.kind, each.name, each.other) for each in melded.clashes] == [
        ("item", "buy milk", ""),
        ("section", "Tasks", ""),
    ]


def test_of_a_paragraph_that_both_rewrote_the_newer_stands_and_the_other_is_told() -> None:
    line = "A paragraph about the state of things.\n"
    melded = both(
        MARKDOWN, MARKDOWN.replace(line, "All is lost.\n"), MARKDOWN.replace(line, "It goes well.\n")
    )
    assert melded.text == MARKDOWN.replace(line, "It goes well.\n")
    (clash,) = melded.clashes
    assert (clash.kind, clash.name, clash.other) == ("text", "State", "All is lost.\n")


def test_different_sentences_of_one_paragraph_are_both_changed() -> None:
    one, other = (
        MARKDOWN.replace("a second sentence", "two sentences"),
        MARKDOWN.replace("It is short", "It is long"),
    )
    assert "which has two sentences. It is long.\n" in both(MARKDOWN, one, other).text


def test_an_org_file_is_merged_by_drawer_keyword_and_headline() -> None:
    one = ORG.replace(":infra:", ":infra:tea:").replace("TODO Tasks :home:", "DONE Tasks :home:garden:")
    one = one.replace(":EFFORT: 2h\n", ":EFFORT: 2h\n:OWNER: Anna\n")
    other = (
        ORG.replace(":founder:infra:", ":infra:salt:").replace(":home:", ":home:late:").replace("2h", "3h")
    )
    melded = both(ORG, one, other, "org")
    assert "#+filetags: :infra:salt:tea:\n" in melded.text
    assert "* DONE Tasks :home:late:garden:\nSCHEDULED: <2026-02-01 Sun>\n" in melded.text
    assert ":PROPERTIES:\n:EFFORT: 3h\n:OWNER: Anna\n:END:\n" in melded.text
    assert not melded.clashes


def test_two_new_heads_of_an_org_file_are_one() -> None:
    one = ":PROPERTIES:\n:ID: a\n:END:\nText.\n"
    melded = both("Text.\n", one, "#+title: T\nText.\n", "org")
    assert melded.text == ":PROPERTIES:\n:ID: a\n:END:\n#+title: T\nText.\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_the_end_of_the_file_stay(end: str) -> None:
    base, one, other = (
        text.replace("\n", end) for text in ("a\n\nb\n\nc", "a\n\nb\n\nc\n\nd", "A\n\nb\n\nc")
    )
    assert both(base, one, other).text == "A\n\nb\n\nc\n\nd".replace("\n", end)
    assert both(base, one, f"{other}{end}").text == "A\n\nb\n\nc\n\nd\n".replace("\n", end)


def test_pages_without_a_common_start_are_united() -> None:
    melded = both("", "---\ntags: [a]\n---\n# T\n\n- x\n", "---\ntags: [b]\n---\n# T\n\n- y\n")
    assert melded == Melded("---\ntags: [b, a]\n---\n# T\n\n- x\n- y\n")


def test_broken_fields_are_merged_by_lines() -> None:
    base = '---\ntitle: "A\ntags: [x\n---\nText.\n'
    melded = both(base, base.replace("[x", "[x, y"), base.replace('"A', '"B') + "More.\n")
    assert melded.text == '---\ntitle: "B\ntags: [x, y\n---\nText.\nMore.\n'


def test_a_long_page_is_merged_part_by_part() -> None:
    base = "".join(f"## Section {n}\n\n- item {n}\n\nA paragraph {n} of words.\n\n" for n in range(1_000))
    one = base.replace("paragraph 7 of", "paragraph 7 made of").replace("- item 700\n", "")
    other = base.replace("- item 900\n", "- item 900\n- more\n") + "The end.\n"
    melded = both(base, one, other)
    assert not melded.clashes
    assert "- item 700\n" not in melded.text
    assert "paragraph 7 made of" in melded.text
    assert "- item 900\n- more\n" in melded.text


def test_a_head_without_fields_gets_those_of_both() -> None:
    melded = both("---\n---\nText.\n", "---\ntags: [a]\n---\nText.\n", "---\nmood: b\n---\nText.\n")
    assert melded.text in ("---\ntags: [a]\nmood: b\n---\nText.\n", "---\nmood: b\ntags: [a]\n---\nText.\n")
