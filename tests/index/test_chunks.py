"""Where a page is cut: nothing is lost, every place is right, and the same text has the same hash."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaid.formats.content import read_page
from quaid.formats.document import BLANK, HEADING
from quaid.formats.markdown import structure
from quaid.index.chunks import MAX_SIZE, OVERLAP, WIDE, chunks_of
from quaid.model.chunk import Chunk
from quaid.model.page import Content
from tests.support import examples


def cut(text: str, slug: str = "notes/page") -> list[Chunk]:
    return chunks_of(read_page(text, slug))


def texts_of(text: str) -> list[str]:
    return [text[chunk.start : chunk.start + chunk.length] for chunk in cut(text)]


def headings_of(text: str) -> list[str]:
    return [chunk.heading for chunk in cut(text)]


PAGE = """---
title: Alice Example
---
Leads the sensor group.

## Work

Built river sensors.

### Detail

In Rust.

## Life

Lives at the harbour.

---

## Timeline

- **2024-03-12** | meeting — Joined the board.
  She said yes
  at once.
- **2023-01-05** — Wrote a book.
"""


def test_a_page_by_sections_and_entries() -> None:
    chunks = cut(PAGE)
    assert [(chunk.kind, chunk.heading, chunk.date) for chunk in chunks] == [
        ("truth_section", "", None),
        ("truth_section", "Work", None),
        ("truth_section", "Life", None),
        ("timeline_entry", "Timeline", "2024-03-12"),
        ("timeline_entry", "Timeline", "2023-01-05"),
    ]
    assert [(chunk.line_start, chunk.line_end) for chunk in chunks] == [
        (4, 4),
        (6, 12),
        (14, 16),
        (22, 24),
        (25, 25),
    ]
    assert texts_of(PAGE)[1] == "## Work\n\nBuilt river sensors.\n\n### Detail\n\nIn Rust."
    assert texts_of(PAGE)[3].endswith("She said yes\n  at once.")


def test_title_heading_and_date_are_embedded_with_the_text() -> None:
    chunks = cut(PAGE)
    assert chunks[1].embedded.splitlines()[:2] == ["Alice Example", "Work"]
    assert "Built river sensors." in chunks[1].embedded
    assert "In Rust." in chunks[1].embedded
    assert chunks[3].embedded.startswith("Alice Example\n2024-03-12\n")
    assert "at once." in chunks[3].embedded


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# T\n\nplain\n", [""]),
        ("# T\n\n## A\n\na\n\n## B\n\nb\n", ["A", "B"]),
        ("# T\n\n## **A** [link](x)\n\na\n", ["A link"]),
        ("# T\n\na\n\n## B ##\n\nb\n", ["", "B"]),
        ("no heading at all\n", [""]),
        # What looks like a heading, and is none.
        ("# T\n\n## A\n\n```\n## not one\n```\n\nend\n", ["A"]),
        ("# T\n\n## A\n\n~~~ sh\n# comment\n## not one\n~~~\n", ["A"]),
        ("# T\n\n## A\n\ntext\n\n    ## code\n", ["A"]),
        ("# T\n\n## A\n\n#tag and ##tag\n", ["A"]),
        ("# T\n\n## A\n\n<!--\n## hidden\n-->\n\ntext\n", ["A"]),
        # Sections without text of their own.
        ("# T\n\n## Empty\n\n## B\n\nb\n", ["B"]),
        ("# T\n\n## A\n\na\n\n## Last\n", ["A", "Last"]),
        ("# T\n", [""]),
        ("\n\n\n", []),
        ("", []),
        ("---\ntitle: T\n---\n", [""]),
    ],
)
def test_sections(text: str, headings: list[str]) -> None:
    assert headings_of(text) == headings


@pytest.mark.parametrize(
    "text",
    [
        "# Tt\n\nsome\n\n# Foo\n\ntext\n",
        "---\ntitle: Tt\n---\n# Foo\n\ntext\n",
        "# Tt\n\n## Foo\n\n## B\n\ntext\n",
    ],
)
def test_every_heading_above_a_text_is_embedded_with_it(text: str) -> None:
    """A second title, and a heading that only introduces the next, say what the text is about too."""
    last = cut(text)[-1]
    assert "Foo" in last.embedded
    assert cut(text.replace("Foo", "Bar"))[-1].hash != last.hash


def test_an_entry_of_a_log_with_text_stands_by_itself() -> None:
    log = "# Day\n\n## 08:10 — A\n\n## 08:20 — B\n\n## 09:30 — C\n\nTwo stitches.\n\n## 21:05 — D\n"
    assert texts_of(log) == [
        "# Day\n\n## 08:10 — A\n\n## 08:20 — B",
        "## 09:30 — C\n\nTwo stitches.",
        "## 21:05 — D",
    ]
    assert headings_of(log) == ["08:20 — B", "09:30 — C", "21:05 — D"]


def test_windows_lines() -> None:
    text = PAGE.replace("\n", "\r\n")
    chunks = cut(text)
    assert [chunk.heading for chunk in chunks] == [chunk.heading for chunk in cut(PAGE)]
    assert [chunk.date for chunk in chunks] == [chunk.date for chunk in cut(PAGE)]
    assert [chunk.line_start for chunk in chunks] == [chunk.line_start for chunk in cut(PAGE)]
    assert texts_of(text)[1] == "## Work\r\n\r\nBuilt river sensors.\r\n\r\n### Detail\r\n\r\nIn Rust."


def test_prose_in_a_timeline() -> None:
    text = (
        "# T\n\nx\n\n---\n\n## Timeline\n\nKept by Bob.\n\n"
        "- **2024-01-02** — second\n\nSome prose between.\n\n- **2024-01-01** — first\n"
    )
    chunks = cut(text)
    assert [chunk.date for chunk in chunks if "Kept by Bob" in text_at(text, chunk)] == [None]
    assert [chunk.kind for chunk in chunks] == ["truth_section"] + ["timeline_entry"] * 3
    assert sum("prose between" in text_at(text, chunk) for chunk in chunks) == 1
    assert [chunk.date for chunk in chunks if "first" in text_at(text, chunk)] == ["2024-01-01"]


def test_a_timeline_that_begins_with_a_tag() -> None:
    text = "# T\n\nx\n\n---\n\n#todo call Bob\n\n- **2024-01-01** — y\n"
    assert any("call Bob" in part for part in texts_of(text))


def test_a_heading_alone_is_no_part_of_a_timeline() -> None:
    assert [chunk.date for chunk in cut("# T\n\nx\n\n---\n\n## Timeline\n\n- **2024-01-01** — y\n")] == [
        None,
        "2024-01-01",
    ]
    assert len(cut("# T\n\nx\n\n---\n\n## Timeline\n")) == 1


def test_a_long_entry_keeps_its_date_in_every_part() -> None:
    detail = "".join(f"  Sentence number {n} of a long report.\n" for n in range(80))
    chunks = cut(f"# T\n\n---\n\n- **2024-01-02** — long\n{detail}- **2024-01-01** — short\n")
    dates = [chunk.date for chunk in chunks if chunk.kind == "timeline_entry"]
    assert dates.count("2024-01-02") > 2
    assert dates[-1] == "2024-01-01"


# Long sections ------------------------------------------------------------------------------------


def test_cut_between_paragraphs() -> None:
    paragraphs = [f"Paragraph {n}. " + "Words follow words here. " * 12 for n in range(8)]
    parts = texts_of("# T\n\n## S\n\n" + "\n\n".join(paragraphs) + "\n")
    assert len(parts) > 2
    assert all(part.endswith("here.") for part in parts)
    starts = {f"Paragraph {n}." for n in range(8)}
    assert sum(any(start in part for start in starts) for part in parts) == len(parts)


def test_cut_between_sentences() -> None:
    sentences = [f"This is sentence {n} of one long paragraph." for n in range(100)]
    parts = texts_of(" ".join(sentences))
    assert all(part.startswith("This is") and part.endswith("paragraph.") for part in parts)
    for before, after in pairwise(parts):
        assert after[:30] in before, "neighbours overlap"


def test_cut_between_words() -> None:
    words = [f"word{n}" for n in range(600)]
    parts = texts_of(" ".join(words))
    assert set(" ".join(parts).split()) == set(words)
    assert len(" ".join(parts)) < 1.3 * len(" ".join(words)), "the overlap is small"


def test_cut_within_a_word_only_if_there_is_nothing_else() -> None:
    parts = texts_of("x" * 5_500)
    assert "".join(parts) == "x" * 5_500
    assert max(map(len, parts)) <= MAX_SIZE


def test_chinese_sentences() -> None:
    sentences = [f"这是关于机器学习的第{n}个句子。" for n in range(100)]
    parts = texts_of("".join(sentences))
    assert all(part.endswith("。") for part in parts)
    assert max(map(size, parts)) <= MAX_SIZE + WIDE
    for sentence in sentences:
        assert any(sentence in part for part in parts)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "a " * 500_000,
        "学" * 100_000,
        "é" + "a " * 300_000,
        "汉字。" * 30_000,
        "## x\n" * 10_000,
    ],
    ids=["letters", "words", "chinese", "accent", "sentences", "headings"],
)
def test_a_megabyte_in_one_line_takes_no_time(text: str) -> None:
    content = read_page(text, "notes/page")
    start = time.process_time()
    chunks = chunks_of(content)
    assert time.process_time() - start < 2.5
    assert chunks[-1].start + chunks[-1].length == len(text.rstrip())


# Properties ---------------------------------------------------------------------------------------

LINES = st.sampled_from(
    [
        "",
        "",
        "# Title",
        "## Section",
        "### Sub",
        "##",
        "#tag",
        "plain text with words. And a second sentence!",
        "word " * 300,
        "x" * 1500,
        "这是一个很长的句子。" * 60,
        "学" * 400,
        "```",
        "~~~",
        "    indented",
        "> quoted",
        "---",
        "***",
        "- item",
        "- **2024-03-12** | source — happened",
        "- 2024-03-11: also happened",
        "  detail of it",
        "\tdetail",
        "<!-- comment",
        "-->",
        "a\u2028b",
        "\x0c",
        "\u3000",
        "é🦭 \u200b",
        "title: x",
    ]
)
PAGES = st.tuples(st.lists(LINES, max_size=25), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda made: made[1].join(made[0]) + (made[1] if made[2] else "")
)


def searched(content: Content) -> list[tuple[int, int]]:
    """Where the lines stand that are more than blank or a heading, in the page's text."""
    places: list[tuple[int, int]] = []
    for offset, part in (
        (len(content.head), content.truth),
        (len(content.text) - len(content.timeline), content.timeline),
    ):
        places += [
            (offset + line.start, offset + line.end)
            for line in structure.lines(part)
            if line.kind not in (BLANK, HEADING) and part[line.start : line.end].strip()
        ]
    return places


@examples(120, 2_500)
@given(text=PAGES)
@example("# T\n\nx\n\n---\n\n#tag\n")
def test_nothing_is_lost_and_every_place_is_right(text: str) -> None:
    content = read_page(text, "notes/page")
    assert content.text == text
    covered = [False] * len(text)
    chunks = chunks_of(content)
    for chunk in chunks:
        part = text_at(text, chunk)
        assert part
        assert part == part.strip()
        assert chunk.line_start == text.count("\n", 0, chunk.start) + 1
        assert chunk.line_end == text.count("\n", 0, chunk.start + chunk.length - 1) + 1
        assert size(part) <= MAX_SIZE + WIDE
        covered[chunk.start : chunk.start + chunk.length] = [True] * chunk.length
    for start, end in searched(content):
        lost = [place for place in range(start, end) if not covered[place] and text[place].strip()]
        assert not lost, text[lost[0] : lost[0] + 40]


@examples(60, 1_000)
@given(text=PAGES)
def test_parts_follow_one_another_with_little_overlap(text: str) -> None:
    chunks = chunks_of(read_page(text, "notes/page"))
    for before, after in pairwise(chunks):
        assert after.start > before.start
        assert after.start + after.length >= before.start + before.length
        assert before.start + before.length - after.start <= OVERLAP


@examples(60, 1_000)
@given(text=PAGES, above=st.integers(min_value=0, max_value=3))
def test_the_hash_is_that_of_text_and_title_wherever_it_stands(text: str, above: int) -> None:
    """Neither the slug nor a longer frontmatter makes another text of it."""
    moved = [f"---\ntitle: Same\n{extra}---\n{text}" for extra in ("", "note: x\n" * bool(above))]
    one, other = (cut(page, slug) for page, slug in zip(moved, ("a/b", "c/d"), strict=True))
    assert [chunk.hash for chunk in one] == [chunk.hash for chunk in other]
    assert [chunk.hash for chunk in one] == [chunk.hash for chunk in cut(moved[0], "a/b")]
    if one:
        renamed = cut(moved[0].replace("title: Same", "title: Other", 1), "a/b")
        assert not {chunk.hash for chunk in one} & {chunk.hash for chunk in renamed}


@examples(60, 2_000)
@given(text=st.text(max_size=300))
def test_any_text_can_be_cut(text: str) -> None:
    for chunk in cut(text):
        assert text_at(text, chunk).strip()
        assert len(chunk.hash) == 16


def text_at(text: str, chunk: Chunk) -> str:
    return text[chunk.start : chunk.start + chunk.length]


def size(part: str) -> float:
    wide = sum("\u2e80" <= char <= "\u9fff" for char in part)
    return len(part) + (WIDE - 1) * wide


CARD = "# Inline Scripts\n\nPlugin ID: `inline-scripts`\nDeveloped by: [[ada]]\nPlatform: [Yes](x.md)\n"
SENTENCE = "Type shortcuts that become text which is computed."


@pytest.mark.parametrize(
    ("text", "embedded"),
    [
        (f"{CARD}\n{SENTENCE}\n", f"Inline Scripts\n{SENTENCE}"),
        # Where there is no sentence, the card is what there is.
        (CARD, "Inline Scripts\nPlugin ID: `inline-scripts`\nDeveloped by: ada\nPlatform: Yes"),
        # A value in words is said, and an item of a list is a line of its own.
        (f"# A\n\nRole: keeper of keys\n\n{SENTENCE}\n", f"A\nRole: keeper of keys\n\n{SENTENCE}"),
        (f"# A\n\n- By: [[ada]]\n\n{SENTENCE}\n", f"A\n- By: ada\n\n{SENTENCE}"),
        ("# A\n\n![badge](https://x.example/b.svg)\n%% hidden %%\n", "A"),
    ],
)
def test_a_section_is_embedded_for_what_it_says(text: str, embedded: str) -> None:
    (chunk,) = cut(text)
    assert chunk.embedded == embedded
    assert text.strip().endswith(text[chunk.start : chunk.start + chunk.length])
