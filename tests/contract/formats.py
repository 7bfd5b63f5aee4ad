"""What every format of pages must satisfy."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import QuaidError
from quaid.formats.format import PageFormat
from quaid.model.interval import Interval
from quaid.model.page import Claim, Content, Reference, TimelineEntry
from tests.support import examples

ENTRY = TimelineEntry("2026-04-14", "Met at the stand", "demo day", "She asked for a mail.")
LINK = Reference("companies/river", "works_at", "", "frontmatter", Interval("2024-01-15", None))
PIECES = [
    "",
    "# T",
    "* H",
    "---",
    "[[",
    "]]",
    "[[a]]",
    "- [2024-01-01 Mon] x",
    "- **2024-01-01** — x",
    "\x00",
]
PIECES += ["#+title: T", "title: T", "```", "#+begin_src", "#+end_src", "* Timeline", "links:"]
PIECES += ["\x00", ":PROPERTIES:", ":ID: x", ":END:"]
FACT = {"subject": "River", "predicate": "flows_to", "object": "sea"}


class FormatContract:
    """Inherit, and give a format and a page of it that has a title, a tag, a field, a section and a link."""

    format: ClassVar[PageFormat]
    page: ClassVar[str]

    def read(self, text: str) -> Content:
        return self.format.read(text, "notes/x", f"notes/x.{self.format.extension}")

    def added_lines(self, text: str) -> list[str]:
        """What stands in a text and not in the page; every line of the page must be there still."""
        lines = text.splitlines()
        for line in self.page.splitlines():
            assert line in lines
            lines.remove(line)
        return lines

    def test_a_page(self) -> None:
        content = self.read(self.page)
        assert content.text == self.page
        assert content.format == self.format.name
        assert (content.title, content.tags) == ("River", ("water",))
        assert [link.target for link in content.references] == ["The sea"]
        assert not content.problems

    def test_a_field_is_set_and_taken_away(self) -> None:
        edits = self.format.editor
        text = edits.set_field(self.page, ("favourite",), "oolong")
        assert self.read(text).frontmatter["favourite"] == "oolong"
        assert len(self.added_lines(text)) == 1
        assert edits.delete_field(text, ("favourite",)) == self.page

    def test_a_tag_is_added_and_removed(self) -> None:
        edits = self.format.editor
        text = edits.add_tag(self.page, "field_work")
        assert self.read(text).tags == ("water", "field_work")
        assert edits.add_tag(text, "Field_Work") == text
        assert self.read(edits.remove_tag(text, "water")).tags == ("field_work",)

    def test_an_entry_is_added_once_and_removed(self) -> None:
        edits = self.format.editor
        text = edits.add_entry(self.page, ENTRY)
        found = self.read(text).entries
        assert [(e.date, e.summary, e.source, e.detail) for e in found] == [
            (ENTRY.date, ENTRY.summary, ENTRY.source, ENTRY.detail)
        ]
        assert edits.add_entry(text, ENTRY) == text
        self.added_lines(text)
        assert self.read(edits.remove_entry(text, found[0])).entries == ()

    def test_a_relation_is_added_closed_and_removed(self) -> None:
        edits = self.format.editor
        text = edits.add_link(self.page, LINK)
        assert LINK in self.read(text).references
        self.added_lines(text)
        closed = edits.close_link(text, LINK, "2025-01-01")
        known = next(link for link in self.read(closed).references if link.target == LINK.target)
        assert known.valid == Interval("2024-01-15", "2025-01-01")
        assert LINK.target not in [
            link.target for link in self.read(edits.remove_links(closed, [known])).references
        ]

    def test_a_fact_is_added_changed_and_removed(self) -> None:
        edits = self.format.editor
        text = edits.append_item(
            self.page, "assertions", {"subject": "River", "predicate": "flows_to", "object": "sea"}
        )
        claim = self.read(text).claims[0]
        assert claim == Claim("River", "flows_to", "sea")
        assert self.format.stated_facts(text).claims == (claim,)
        assert [item["object"] for item in self.format.assertions(self.read(text).frontmatter)] == ["sea"]
        ended = edits.change_claim(text, claim, {"valid_until": "2025-01-01"})
        assert self.read(ended).claims[0].valid == Interval(None, "2025-01-01")
        assert self.read(edits.remove_claims(text, [claim])).claims == ()
        with pytest.raises(QuaidError):
            edits.change_claim(self.page, claim, {"valid_until": "2025-01-01"})

    def test_the_truth_is_replaced_and_the_rest_stays(self) -> None:
        edits = self.format.editor
        text = edits.add_entry(self.page, ENTRY)
        changed = edits.replace_truth(text, "Dry.\n")
        before, after = self.read(text), self.read(changed)
        assert after.truth.strip() == "Dry."
        assert (after.head, after.timeline) == (before.head, before.timeline)

    def test_links_are_found_again_after_they_lead_elsewhere(self) -> None:
        head, body = self.format.split(self.page)
        found = self.format.links(body)
        assert [link.target for link in found] == ["The sea"]
        changed = self.format.retarget(body, {found[0]: "places/ocean"})
        assert [link.target for link in self.format.links(changed)] == ["places/ocean"]
        assert changed.replace("places/ocean", "The sea") == body
        assert head + body == self.page

    def test_a_link_in_a_text_is_the_one_that_is_read(self) -> None:
        body = self.format.split(self.page)[1]
        known = [self.format.reference(link, "notes/x") for link in self.format.links(body)]
        assert [(link.target, link.written) for link in known] == [
            (link.target, link.written) for link in self.read(self.page).references
        ]
        assert not any(self.format.follows(body, link) for link in self.format.links(body))

    def test_a_relative_path_stays_one(self) -> None:
        assert self.format.relative("../people/alice.md") == "../people/alice.md"
        assert self.format.relative("./alice.md") == "./alice.md"
        assert self.format.relative("alice.md").removeprefix("./") == "alice.md"

    def test_typed_links_follow_a_page(self) -> None:
        text = self.format.editor.add_link(self.page, LINK)
        moved = self.format.editor.repoint_links(text, {LINK.target: "companies/stream"})
        assert "companies/stream" in [link.target for link in self.read(moved).references]
        assert LINK.target not in moved

    def test_a_new_page_says_what_it_is(self) -> None:
        text = self.format.template("person", "people/alice", "Alice Example", "2026-04-14")
        content = self.format.read(text, "people/alice", None)
        assert (content.title, content.type, content.problems) == ("Alice Example", "person", ())
        assert [entry.date for entry in content.entries] == ["2026-04-14"]
        assert "State" in [heading.text for heading in self.format.syntax.headings(content.truth)]

    def test_reading_never_fails_and_keeps_the_text(self) -> None:
        @examples(50, 1_000)
        @given(st.lists(st.sampled_from(PIECES), max_size=15).map("\n".join) | st.text(max_size=150))
        def check(text: str) -> None:
            assert self.read(text).text == text
            head, body = self.format.split(text)
            assert head + body == text
            for link in self.format.links(body):
                assert body[link.target_start : link.target_end] == link.target
            lines = self.format.syntax.lines(text)
            assert "".join(text[line.start : line.end] for line in lines) == text

        check()

    def test_an_edit_is_read_back_or_refused(self) -> None:
        @examples(30, 600)
        @given(st.lists(st.sampled_from(PIECES), max_size=12).map("\n".join))
        def check(text: str) -> None:
            try:
                tagged = self.format.editor.add_tag(text, "river")
                dated = self.format.editor.add_entry(tagged, ENTRY)
            except QuaidError:
                return
            content = self.read(dated)
            assert "river" in [tag.casefold() for tag in content.tags]
            assert (ENTRY.date, ENTRY.summary) in [(entry.date, entry.summary) for entry in content.entries]

        check()
