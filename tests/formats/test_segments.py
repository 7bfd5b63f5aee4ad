import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.encoding import without_odd_bytes
from quaid.formats.segments import SEP, match_query, segment, unsegment
from tests.support import examples

CJK_TEXT = st.text(alphabet=st.sampled_from("中文字日本語テスト한국어々〇ｶﾞ𠀀 ab,.\n<>")) | st.text()


class Shelf:
    """A full-text table with one column, as the store has it."""

    def __init__(self) -> None:
        self.db = apsw.Connection(":memory:")
        self.db.execute(
            "create virtual table t using fts5(title, b, tokenize='porter unicode61 remove_diacritics 2')"
        )

    def put(self, *texts: str) -> None:
        self.db.execute("delete from t")
        self.db.executemany("insert into t values ('', ?)", [(segment(text),) for text in texts])

    def found(self, typed: str, *, every: bool = True) -> list[str]:
        query = match_query(typed, every=every)
        rows = self.db.execute(
            "select highlight(t, 1, '[', ']') from t where t match ? order by rowid", (query,)
        )
        return [unsegment(str(row[0]), "[", "]") for row in rows]

    def snippets(self, typed: str, size: int) -> list[str]:
        query = match_query(typed, every=False)
        rows = self.db.execute("select snippet(t, 1, '[', ']', '~', ?) from t where t match ?", (size, query))
        return [unsegment(str(row[0]), "[", "]") for row in rows]


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    return Shelf()


def test_bigrams() -> None:
    assert segment("a中文字b") == f"a{SEP}中文{SEP}文字{SEP}字{SEP}b"
    assert segment("字") == f"{SEP}字{SEP}"
    assert segment("plain, café") == "plain, café"


@given(CJK_TEXT)
def test_segmenting_can_be_undone(text: str) -> None:
    if SEP not in text and without_odd_bytes(text) == text:  # these part words, and are gone
        assert unsegment(segment(text), "\x01", "\x02") == text
        assert unsegment(segment(text), "<b>", "</b>") == text
        assert unsegment(segment(text), "", "") == text


def test_every_segmented_character_is_a_letter_for_the_tokenizer() -> None:
    tokenizer = apsw.Connection(":memory:").fts5_tokenizer("unicode61", ["remove_diacritics", "2"])
    for code in range(0x1100, 0x32400):
        char = chr(code)
        if not 0xD800 <= code < 0xE000 and segment(char) != char:
            tokens = tokenizer(char.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)
            assert tokens, hex(code)


@pytest.mark.parametrize(
    ("text", "typed", "shown"),
    [
        ("我喜欢中文字和英文", "中文", "我喜欢[中文]字和英文"),
        ("我喜欢中文字和英文", "中文字", "我喜欢[中文字]和英文"),
        ("中文字", "字", "中文[字]"),
        ("字", "字", "[字]"),
        ("abc中文字def", "abc中文字", "[abc中文字]def"),
        ("abc中文字def", '"abc 中文字 def"', "[abc中文字def]"),
        ("x 日本語 y 한국어", "日本語 한국어", "x [日本語] y [한국어]"),
        ("中文 english 文字", "中文 文字", "[中文] english [文字]"),
        ("O'Brien wrote C++", "O'Brien c++", "[O]'[Brien] wrote [C]++"),
        ("running worlds", '"run world"', "[running worlds]"),
        ("memories", "memor*", "[memories]"),
        ("नमस्ते जग", "नमस्ते", "[नमस्त]े जग"),
        ("Zürich", "zurich", "[Zürich]"),
    ],
)
def test_matches_are_marked(shelf: Shelf, text: str, typed: str, shown: str) -> None:
    shelf.put(text)
    assert shelf.found(typed) == [shown]


@pytest.mark.parametrize("size", range(1, 12))
def test_snippets_show_real_text(shelf: Shelf, size: int) -> None:
    text = "前言abc中文字和英文def 他喜欢中国字典ghi"
    shelf.put(text)
    snippets = shelf.snippets("中国 英文", size)
    assert len(snippets) == 1
    for shown in snippets:
        bare = shown.replace("[", "").replace("]", "").strip("~")
        assert bare in text
        assert "[中国]" in shown or "[英文]" in shown or shown.count("[") == 0


def test_all_words_or_any(shelf: Shelf) -> None:
    shelf.put("the cat sleeps", "the dog sleeps", "a bird")
    assert shelf.found("cat sleeps") == ["the [cat] [sleeps]"]
    assert shelf.found("the cat or the bird", every=False) == ["the [cat] sleeps", "a [bird]"]
    assert shelf.found("sleeps -dog") == ["the cat [sleeps]"]
    assert shelf.found('sleeps -"the dog"') == ["the cat [sleeps]"]
    assert shelf.found("-dog") == ["the [dog] sleeps"]


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("cats AND dogs", '"cats" "AND" "dogs"'),
        ("title:foo", '"title" "foo"'),
        ("--flag", '"flag"'),
        ('say "', '"say"'),
        ('"a b"*', '"a b"*'),
        ("a -b -c", '("a") NOT ("b" OR "c")'),
        ("a a", '"a"'),
    ],
)
def test_every_word(typed: str, query: str) -> None:
    assert match_query(typed, every=True) == query


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("where is the cat", '"cat"'),
        ("the of", '"the" OR "of"'),
        ("中文字", '"中文" OR "文字"'),
        ('cat "the dog"', '"cat" OR "the dog"'),
    ],
)
def test_any_word(typed: str, query: str) -> None:
    assert match_query(typed, every=False) == query


@pytest.mark.parametrize("typed", ["", " ", "🎉", "!!! ???", '"', '""', "-", "*", "❤️", "\0", "\ud800"])
def test_nothing_to_search(typed: str) -> None:
    assert match_query(typed, every=True) == match_query(typed, every=False) == ""


TYPED = st.lists(
    st.sampled_from(
        [
            "AND",
            "OR",
            "NOT",
            "NEAR(",
            ")",
            "(",
            '"',
            "'",
            "^",
            "*",
            ":",
            "-",
            "+",
            "{",
            "}",
            "title",
            "b",
            "\x00",
            "🎉",
            "C++",
            "O'Brien",
            "中文",
            "字",
            " ",
            "\n",
            "�",
            "NEAR/3",
            "\ue000",
            "́",
            "󠄀",
            "٣",
        ]
    )
    | st.text(max_size=3),
    max_size=12,
).map("".join)


@examples(300, 6_000)
@given(TYPED, st.booleans())
def test_nothing_typed_is_a_syntax_error(typed: str, every: bool) -> None:
    query = match_query(typed, every=every)
    if query:
        list(QUERIED.db.execute("select rowid from t where t match ?", (query,)))


QUERIED = Shelf()
QUERIED.put("one two", "中文字")


def test_a_pasted_book_is_a_query_too() -> None:
    for typed in (
        "中" * 100_000,
        "word " * 100_000,
        " ".join(map(str, range(50_000))),
        '"' + "x y " * 50_000 + '"',
    ):
        for every in (True, False):
            list(
                QUERIED.db.execute("select rowid from t where t match ?", (match_query(typed, every=every),))
            )
