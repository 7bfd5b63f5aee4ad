"""Names that stand in texts without a link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.graph.attention import is_one_apart, open_threads, similar_names, tag_families
from quaid.graph.mentions import Mention, Names, Text, missing
from quaid.model.page import Format

ALICE, RIVER, COMPOUND, BOT = 1, 2, 3, 4
NAMED = [
    (ALICE, "Alice Example"),
    (ALICE, "Ally"),
    (RIVER, "River AI"),
    (COMPOUND, "Compound interest"),
    (BOT, "交换机"),
]
HERE = 99


def found(text: str, format: Format = "markdown", linked: tuple[int, ...] = ()) -> list[Mention]:
    return missing(Names(NAMED), [Text(HERE, text, format, frozenset(linked))])


def targets(text: str, format: Format = "markdown") -> set[int]:
    return {each.target for each in found(text, format)}


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("I met Alice Example today.", ALICE),
        ("I met Alice\nExample today.", ALICE),
        ("> Alice Example's idea", ALICE),
        ("**Alice Example**", ALICE),
        ("ALICE EXAMPLE", ALICE),
        ("Alíce Example", ALICE),
        ("Ally called.", ALICE),
        ("River-AI and others", RIVER),
        ("with compound interest it grows", COMPOUND),
        ("这个交换机坏了", BOT),
    ],
)
def test_a_name_is_found_however_it_is_written(text: str, target: int) -> None:
    assert targets(text) == {target}


@pytest.mark.parametrize(
    "text",
    [
        "# Alice Example",
        "`Alice Example`",
        "```\nAlice Example\n```",
        "~~~python\nAlice Example",
        "[[Alice Example]] and [[people/x|Alice Example]] and ![[Alice Example]]",
        "[Alice Example](https://example.org/Alice_Example) [Alice Example][1]",
        "https://example.org/Alice-Example",
        "<!-- Alice Example -->",
        '<a title="Alice Example">',
        "#alice-example",
        "Alice. Example follows.",
        "Alice\n\nExample",
        "Alice | Example",
        "Alicea Example",
        "by the river ai",
        "she is an ally",
        "交换",
        "",
    ],
)
def test_code_links_headings_and_common_words_are_no_names(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "* Alice Example",
        "#+begin_src\nAlice Example\n#+end_src",
        "=Alice Example=",
        "[[id:1][Alice Example]]",
        ":X: Alice Example",
    ],
)
def test_org_has_its_own_code_links_and_headings(text: str) -> None:
    assert found(text, "org") == []
    assert targets("- Alice Example\n", "org") == {ALICE}


def test_what_is_linked_or_is_the_page_itself_is_not_missing() -> None:
    assert found("Alice Example", linked=(ALICE,)) == []
    assert missing(Names(NAMED), [Text(ALICE, "Alice Example", "markdown", frozenset())]) == []


def test_it_says_how_often_and_where_first() -> None:
    assert found("One.\n\n`Alice Example`\nAlice Example, Alice Example, Ally\n") == [
        Mention(HERE, ALICE, "Alice Example", 2, 4)
    ]


def test_a_longer_name_hides_a_shorter_one() -> None:
    names = Names([(1, "Alice Example"), (2, "Alice Example Prize"), (3, "Prize")])
    text = Text(HERE, "She won the Alice Example Prize.", "markdown", frozenset())
    assert [each.target for each in missing(names, [text])] == [2]


def test_a_name_of_several_pages_is_left_out() -> None:
    names = Names([(1, "Alice Example"), (2, "alice-example")])
    assert missing(names, [Text(HERE, "Alice Example", "markdown", frozenset())]) == []


@pytest.mark.parametrize(
    "title", ["tea", "Tea", "notes", "Notes", "wanting", "2026", "2026-04-14", "A B", "..."]
)
def test_titles_that_are_common_words_short_or_numbers_are_not_looked_for(title: str) -> None:
    text = Text(HERE, f"{title} {title.lower()} {title.upper()}", "markdown", frozenset())
    assert missing(Names([(1, title)]), [text]) == []


def test_a_word_that_texts_write_small_as_well_is_a_common_word() -> None:
    names = Names([(1, "Spring"), (2, "Bertha")])
    texts = ["In spring.", "Spring is here. Bertha too.", "Next spring."]
    found = missing(names, [Text(HERE + n, text, "markdown", frozenset()) for n, text in enumerate(texts)])
    assert [each.target for each in found] == [2]


def test_a_name_that_stands_everywhere_is_left_out() -> None:
    texts = [
        Text(HERE + n, "Alice Example and River AI", "markdown", frozenset((RIVER,))) for n in range(200)
    ]
    assert missing(Names(NAMED), texts) == []
    assert len(missing(Names(NAMED), texts[:20])) == 20


@given(
    st.lists(st.text(max_size=12), max_size=8), st.text(max_size=200), st.sampled_from(["markdown", "org"])
)
def test_any_text_can_be_read(titles: list[str], text: str, format: Format) -> None:
    names = Names(enumerate([*titles, text[:20]]))
    for each in missing(names, [Text(HERE, text, format, frozenset())]):
        assert each.times > 0
        assert 1 <= each.line <= text.count("\n") + 1


@given(st.from_regex(r"[A-Z][a-z]{3,8} [A-Z][a-z]{3,8}", fullmatch=True), st.text("abc .\n", max_size=40))
def test_a_name_of_two_words_is_found_on_a_line_of_its_own(name: str, around: str) -> None:
    texts = [Text(HERE, f"{around}\n\n{name}\n\n{around}", "markdown", frozenset())]
    assert [each.name for each in missing(Names([(1, name)]), texts)] == [name]


# Tags, names and threads -------------------------------------------------------------------------


def families(*tags: tuple[str, int]) -> list[tuple[str, list[str]]]:
    return [(each.keep, [tag for tag, _ in each.others]) for each in tag_families(tags)]


def test_tags_that_are_nearly_the_same() -> None:
    assert families(("AI", 3), ("ai", 9), ("tea", 1)) == [("ai", ["AI"])]
    assert families(("book", 1), ("books", 5)) == [("books", ["book"])]
    assert families(("to-do", 4), ("to_do", 2), ("todo", 1)) == [("to-do", ["to_do", "todo"])]
    assert families(("company", 4), ("companies", 2)) == [("company", ["companies"])]
    assert families(("productivity", 4), ("prodctivity", 1)) == [("productivity", ["prodctivity"])]
    assert (
        families(("work", 1), ("word", 1), ("v1-2-1", 1), ("v1-2-2", 1), ("class", 1), ("packing", 1)) == []
    )
    assert families(("学", 2), ("家", 2), ("a/b", 1), ("ab", 1)) == []


@given(st.text("abcd", min_size=1, max_size=8), st.integers(0, 9), st.sampled_from("abcd"))
def test_one_letter_apart_is_the_same_both_ways(word: str, place: int, letter: str) -> None:
    changed = word[:1] + word[1:place] + letter + word[max(place, 1) :]
    assert is_one_apart(word, changed) == is_one_apart(changed, word)
    assert is_one_apart(word, changed)
    assert not is_one_apart(word, word)
    assert not is_one_apart(word, word + "zz")


def test_names_like_one_that_leads_nowhere() -> None:
    names = [
        ("people/alice", "people/alice"),
        ("alice example", "people/alice"),
        ("riverai", "companies/river-ai"),
        ("bob", "people/bob"),
    ]
    found = similar_names(["alcie example", "river ai", "example", "nobody"], names)
    assert {target: (each.pages, each.sure) for target, each in found.items()} == {
        "alcie example": (("people/alice",), True),
        "river ai": (("companies/river-ai",), True),
        "example": (("people/alice",), False),
    }


def test_open_threads_are_unchecked_items_outside_code() -> None:
    text = """# A
- [ ] Call Bob by 2026-03-01
- [x] Done
* [ ] [[people/bob]]
  1. [ ] nested
- [ ] [A question or a next step]
```
- [ ] code
```
** TODO Org too
"""
    assert [(each.text, each.line, each.day) for each in open_threads(text)] == [
        ("Call Bob by 2026-03-01", 2, "2026-03-01"),
        ("[[people/bob]]", 4, None),
        ("nested", 5, None),
        ("Org too", 10, None),
    ]
