"""Two changes of one text: what both did is in the result, or they clash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.merge import merged

LINES = st.lists(
    st.sampled_from(["a\n", "b\n", "- x\n", "\n", "## H\n", "---\n", "key:\n", "  - y\n"]), max_size=12
)
TEXTS = st.one_of(LINES.map("".join), st.text())


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "both"),
    [
        ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"),
        ("- milk\n", "- milk\n- eggs\n", "", "- eggs\n"),
        ("# A\n\n- x\n- y\n", "# A\n\n- x\n- mine\n- y\n", "# A\n", "# A\n- mine\n"),
        ("tags: [a, b]\n", "tags: [a, b, c]\n", "tags: [a]\n", "tags: [a, c]\n"),
        ("A server at 9090.\n", "A new server at 9090.\n", "A server at 80.\n", "A new server at 80.\n"),
        ("a\n\n## G\n\n- x\n", "a\n\n## G\n\n- x\n- y\n", "a\n", "a\n\n## G\n\n- y\n"),
        ("a\n\n## G\n\n- x\n", "a\n\n## G\n\n- x\n\n## H\n", "a\n", "a\n\n## H\n"),
        ("- x\n- y\n- z\n", "- x\n- z\n", "", ""),
        ("a\n", "b\n", "c\n", None),
        ("She leads sales.\n", "She leads marketing.\n", "", None),
        ("a\nc\n", "a\nx\nc\n", "a\ny\nc\n", None),
    ],
)
def test_both_are_kept_or_they_clash(base: str, ours: str, theirs: str, both: str | None) -> None:
    assert merged(base, ours, theirs) == both


def test_a_list_in_frontmatter_keeps_its_name_while_it_has_items() -> None:
    base = "---\nassertions:\n- a: 1\n  b: 2\nlinks:\n- to: x\n---\nText.\n"
    ours = "---\nassertions:\n- a: 1\n  b: 2\n- a: 3\n  b: 2\nlinks:\n- to: x\n---\nText.\n"
    assert merged(base, ours, "Text.\n") == "---\nassertions:\n- a: 3\n  b: 2\n---\nText.\n"


@given(base=TEXTS, other=TEXTS)
def test_what_only_one_side_changed_is_taken_to_the_character(base: str, other: str) -> None:
    assert merged(base, other, base) == other
    assert merged(base, base, other) == other
    assert merged(base, other, other) == other


@given(base=LINES, own=st.integers(0, 12), foreign=st.integers(0, 12))
def test_lines_that_both_added_elsewhere_are_all_there(base: list[str], own: int, foreign: int) -> None:
    own, foreign = min(own, len(base)), min(foreign, len(base))
    ours = [*base[:own], "mine\n", *base[own:]]
    theirs = [*base[:foreign], "theirs\n", *base[foreign:]]
    both = merged("".join(base), "".join(ours), "".join(theirs))
    if own == foreign:
        assert both is None
    else:
        assert both is not None
        kept = both.splitlines(keepends=True)
        assert sorted(kept) == sorted([*base, "mine\n", "theirs\n"])
