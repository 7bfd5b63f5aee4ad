import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import InvalidInput
from quaid.formats.markdown.edits import add_entry
from quaid.formats.markdown.timeline import entries, insert
from quaid.model.page import TimelineEntry


@pytest.mark.parametrize(
    ("line", "source", "summary"),
    [
        ("- **2026-04-14** | meeting — Text", "meeting", "Text"),
        ("- 2026-04-14 — Text", "", "Text"),
        ("* **2026-04-14** – Text", "", "Text"),
        ("- 2026-04-14 - Text - more", "", "Text - more"),
        ("- 2026-04-14: Text", "", "Text"),
        ("- **2026-04-14:** Text", "", "Text"),
        ("- 2026-04-14 | source — Text — more", "source", "Text — more"),
        ("- 2026-04-14 | https://x.y/a-b - Text", "https://x.y/a-b", "Text"),
        ("- 2026-04-14 | call: Text", "call", "Text"),
        ("- 2026-04-14 | Text", "", "Text"),
        ("- **2026-04-14** — a | b", "", "a | b"),
        ("- **2026-04-14** Text", "", "Text"),
    ],
)
def test_forms(line: str, source: str, summary: str) -> None:
    assert entries(f"\n{line}\r\n") == (TimelineEntry("2026-04-14", summary, source, line=2),)


@pytest.mark.parametrize(
    "text",
    [
        "- 2026-02-30 — Text",
        "- 2026-4-1 — Text",
        "- 2026-04-14",
        "- 2026-04-14 —",
        "- 2026-04-14-x",
        "- **2026-04-14 — Text",
        "2026-04-14 — Text",
        "```\n- 2026-04-14 — Text\n```",
        "<!--\n- 2026-04-14 — Text\n-->",
        "- ２０２６-04-14 — Text",
    ],
)
def test_no_entries(text: str) -> None:
    assert entries(text) == ()


def test_detail() -> None:
    text = (
        "- 2026-04-14 — One\n    a\n\n      b\n\n- 2026-04-13 — Two\n  ```\n  - 2026-01-01 — code\n  ```\n"
        "- 2026-04-12 — Three\n\nProse\n\n  - 2026-04-11 — Four\n"
    )
    assert [(entry.summary, entry.detail) for entry in entries(text)] == [
        ("One", "a\n\n  b"),
        ("Two", "```\n- 2026-01-01 — code\n```"),
        ("Three", ""),
        ("Four", ""),
    ]


NEW = TimelineEntry("2026-04-12", "New")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "\n## Timeline\n\n- **2026-04-12** — New\n"),
        ("\n", "\n## Timeline\n\n- **2026-04-12** — New\n"),
        ("## Timeline\n", "## Timeline\n\n- **2026-04-12** — New\n"),
        ("## Timeline\n\n## Other\nx\n", "## Timeline\n\n- **2026-04-12** — New\n\n## Other\nx\n"),
        ("- 2026-04-01 — a", "- 2026-04-12 — New\n- 2026-04-01 — a"),
        ("- 2026-05-01 — a", "- 2026-05-01 — a\n- 2026-04-12 — New\n"),
        (
            "* **2026-04-01** — a\n* **2026-05-01** — b\n",
            "* **2026-04-01** — a\n* **2026-04-12** — New\n* **2026-05-01** — b\n",
        ),
        (
            "- 2026-05-01 — b\n  more\n\n- 2026-04-01 — a\n",
            "- 2026-05-01 — b\n  more\n\n- 2026-04-12 — New\n\n- 2026-04-01 — a\n",
        ),
        ("- 2026-05-01 — b\nlazy\n\nProse\n", "- 2026-05-01 — b\nlazy\n- 2026-04-12 — New\n\nProse\n"),
        ("- 2026-04-12 — b\n- 2026-04-12 — a\n", "- 2026-04-12 — New\n- 2026-04-12 — b\n- 2026-04-12 — a\n"),
        ("```\nunclosed\n", "\n- **2026-04-12** — New\n\n```\nunclosed\n"),
    ],
)
def test_insert(before: str, after: str) -> None:
    assert insert(before, NEW) == after


def test_insert_with_everything() -> None:
    entry = TimelineEntry("2026-04-12", "New", "mail: a", "one\n\n- two")
    text = "- **2026-04-12** | mail: a — New\r\n  one\r\n\r\n  - two\r\n"
    assert insert("x\r\n", entry, "\r\n") == f"x\r\n\r\n{text}"


@pytest.mark.parametrize(
    "entry",
    [
        TimelineEntry("2026-04-12", ""),
        TimelineEntry("2026-04-12", " "),
        TimelineEntry("2026-04-12", "a\nb"),
        TimelineEntry("2026-02-30", "New"),
        TimelineEntry("today", "New"),
        TimelineEntry("2026-04-12", "New", "a\nb"),
        TimelineEntry("2026-04-12", "New", "a — b"),
        TimelineEntry("2026-04-12", "New", "a - b"),
        TimelineEntry("2026-04-12", "New", "a -"),
        TimelineEntry("2026-04-12", "New", "a|b"),
    ],
)
def test_refused(entry: TimelineEntry) -> None:
    with pytest.raises(InvalidInput):
        insert("", entry)


PIECES = st.sampled_from(
    [
        "- 2026-04-14 — x\n",
        "- **2026-05-01** | s — y\n",
        "* 2025-01-01: z\n",
        "  detail\n",
        "\n",
        "```\n",
        "  ```\n",
        "<!--\n",
        "-->\n",
        "prose\n",
        "# h\n",
        "## Timeline\n",
        "> q\n",
        "    code\n",
        "\r\n",
        "- item\n",
        "tail",
        " ",
    ]
)
WORDS = st.text(alphabet="ab —-|:*`#<>中\t", min_size=1, max_size=12).map(str.strip).filter(bool)
ENTRIES = st.builds(
    TimelineEntry,
    date=st.dates().map(str),
    summary=WORDS,
    source=st.just("") | WORDS,
    detail=st.just("")
    | st.lists(st.sampled_from(["a", "  b", "```", "", "- c", "---", "# d"])).map("\n".join),
)


@given(st.lists(PIECES, max_size=12).map("".join), ENTRIES, st.sampled_from(["\n", "\r\n"]))
def test_an_inserted_entry_is_read_back_and_all_else_is_kept(
    text: str, entry: TimelineEntry, newline: str
) -> None:
    try:
        changed = insert(text, entry, newline)
    except InvalidInput:
        return
    keys = [(found.date, found.summary, found.source) for found in entries(changed)]
    assert (entry.date, entry.summary, entry.source) in keys
    assert len(keys) == len(entries(text)) + 1
    rest = iter(changed)
    assert all(char in rest for char in text)


def test_an_ordinary_entry_is_never_refused() -> None:
    for text in (
        "",
        "- 2026-01-01 — a\n",
        "# H\n\nprose",
        "- x\n- y\n",
        "> q",
        "| t |\n",
        "    code\n",
        "```\n",
    ):
        assert NEW.summary in [entry.summary for entry in entries(insert(text, NEW))]


def test_a_head_that_is_not_ended_stays_one() -> None:
    text = add_entry("---\ntitle: A\n---", TimelineEntry("2026-04-14", "Met"))
    assert text == "---\ntitle: A\n---\n---\n\n## Timeline\n\n- **2026-04-14** — Met\n"
