"""Inputs by the thousand (`make test-long`: over 100,000) for page parsers, slugs and search expressions."""

import random
import re
from collections.abc import Callable

import apsw
import pytest

from quaid.formats.document import MAX_SUMMARY
from quaid.formats.encoding import decode, encode
from quaid.formats.markdown import frontmatter, links, structure, timeline
from quaid.formats.segments import SEP, match_query, segment, unsegment
from quaid.formats.slugs import fold, is_slug, slugify
from tests.support import lengths

pytestmark = pytest.mark.stress

PAGE_FRAGMENTS = [
    "---\n", "---", "...\n", "----\n", "\n", "\r\n", "\r", "\t", "    ", " ", "\0", "\ufeff", "\u2028",
    "\x85", "title: x\n", "tags: [a, b]\n", "tags:\n- a\n", "a: &a [*a]\n", "b: *a\n",
    "c: !!python/name:os.system\n", "d: |\n  text\n", "e: >-\n", '"', "'", "{", "}", "[", "]", "{{x}}",
    "? ", ": ", "- ", "# ", "&x ", "*x ", "%TAG", "@", "`", "``", "```\n", "~~~\n", "<!--", "-->", "> ",
    "> [!note] ", "## Timeline\n", "# Title\n", "===\n", "|", "|---|\n", "- 2026-04-14 — Text\n",
    "- **2026-04-14** | a — b\n", "* 2026-13-01: x\n", "  detail\n", "[[a]]", "[[a|b]]", "![[c#^d]]",
    "[x](y.md)", "[x](<a b.md>)", "[[", "]]", "](", ")", "\\", "\\[", "<div>\n", "1. x\n", "中文", "😀", "é",
    "e\u0301", "\u202e", "word ", "Sentence. ", "***", "_", "http://x.y ", "'12'", "0x1", "1e999",
]  # fmt: skip
NAME_FRAGMENTS = [
    "/", "//", ".", "..", "../", "-", "_", " ", "a", "B", "Ö", "ß", "中", "ガ", "한", "😀", "½", "ﬁ", ".md",
    ".org", "\0", "\n", "\ud800", "\u0301", "\u200d", "\ufe0f", "İ", "x" * 130, "'", "%20", "\\", "C++",
    "ä/ö",
]  # fmt: skip
QUERY_FRAGMENTS = [
    "AND", "OR", "NOT", "NEAR", "NEAR(", "(", ")", '"', "'", "^", "*", ":", "-", "+", "{", "}", ",", " ",
    "\n", "\0", "title", "body", "C++", "O'Brien", "中文字", "字", "한국", "😀", "\ud800", "\ue000", "\u0301",
    "é", "the", "1.5", "NEAR/2", "--", "a*", '"a b"', "-x", "\u2063", "\\", "%", "_", ";", "ि", "\U0001f9ff",
    "\u0378",
]  # fmt: skip


def mutated(random_: random.Random, fragments: list[str], most: int) -> str:
    """Fragments in a row, sometimes with a part cut out, doubled or replaced by any character."""
    text = "".join(random_.choices(fragments, k=random_.randint(1, most)))
    for _ in range(random_.randint(0, 2)):
        place, end = sorted(random_.choices(range(len(text) + 1), k=2))
        middle = random_.choice(["", text[place:end] * 2, chr(random_.randrange(0xD800)), text[end:]])
        text = text[:place] + middle + text[end:]
    return text


def run(seed: int, count: int, fragments: list[str], most: int, check: Callable[[str], None]) -> None:
    random_ = random.Random(seed)
    for number in range(count):
        text = mutated(random_, fragments, most)
        try:
            check(text)
        except Exception as error:
            pytest.fail(f"input {number} of seed {seed}: {text!r}\n{type(error).__name__}: {error}")


def check_page(text: str) -> None:
    data = text.encode("utf-8") if len(text) % 4 else text.encode("cp1252", "replace")
    text, encoding = decode(data)
    assert encode(text, encoding) == data
    document = structure.parse(text)
    assert document.text == text
    frontmatter.read(document.head)
    frontmatter.read(f"---\n{document.truth}\n---\n")
    for entry in timeline.entries(document.timeline or document.truth):
        assert entry.summary
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", entry.date)
    for part in (document.truth, document.timeline):
        for link in links.find(part):
            assert part[link.target_start : link.target_end] == link.target != ""
            assert len(link.context) <= links.MAX_CONTEXT
            links.resolve_relative(link.target, "a/b")
    assert len(structure.summary_of(document.truth)) <= MAX_SUMMARY
    structure.title_of(document.truth)


def check_name(name: str) -> None:
    slug = slugify(name)
    assert is_slug(slug)
    assert slugify(slug) == slug
    assert fold(name) or not name.strip()
    assert fold(slug)


@lengths("count", 3_000, 40_000)
def test_pages(count: int) -> None:
    run(1, count, PAGE_FRAGMENTS, 24, check_page)


@lengths("count", 10_000, 50_000)
def test_names(count: int) -> None:
    run(2, count, NAME_FRAGMENTS, 10, check_name)


@lengths("count", 3_000, 40_000)
def test_queries(count: int) -> None:
    db = apsw.Connection(":memory:")
    db.execute(
        "create virtual table t using fts5(title, body, tokenize='porter unicode61 remove_diacritics 2')"
    )
    for text in ("one 中文字 two", "O'Brien wrote C++ in 1.5 hours", "한국 the body"):
        db.execute("insert into t values (?, ?)", (text, segment(text)))

    def check_query(typed: str) -> None:
        if SEP not in typed:
            assert unsegment(segment(typed), "\x01", "\x02") == typed
        for every in (True, False):
            query = match_query(typed, every=every)
            if query:
                found = db.execute("select snippet(t, 1, '[', ']', '', 4) from t where t match ?", (query,))
                for row in found:
                    assert SEP not in unsegment(str(row[0]), "[", "]")

    run(3, count, QUERY_FRAGMENTS, 10, check_query)
