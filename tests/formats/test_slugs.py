import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaid.formats.slugs import fold, is_slug, slugify

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))


@pytest.mark.parametrize("text", ["a", "people/ada-lovelace", "2026/04_x", "-a", "a" * 255])
def test_valid_slugs(text: str) -> None:
    assert is_slug(text)
    assert slugify(text) == text


@pytest.mark.parametrize("text", ["", "/a", "a/", "a//b", "A", "é", "a b", "a.md", "a\n", "a" * 256, "../a"])
def test_invalid_slugs(text: str) -> None:
    assert not is_slug(text)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("People/Ada Lovelace.md", "people/ada-lovelace"),
        ("Notes.MARKDOWN", "notes"),
        ("a/./../b.org", "a/b"),
        ("Café — Zürich", "cafe-zurich"),
        ("中文", "zhongwen"),
        ("\u1112\u1161\u11ab", "han"),
        ("½ cup", "1-2-cup"),
        ("--x--/ y ", "x/y"),
        ("snake_case", "snake_case"),
        ("v1.2", "v1-2"),
        (".md/x", "md/x"),
    ],
)
def test_slugify(text: str, slug: str) -> None:
    assert slugify(text) == slug


def test_what_has_no_letters_gets_a_digest() -> None:
    assert slugify("///") != slugify("...")
    assert slugify("...").startswith("page-")
    assert len(slugify("...")) == len("page-") + 8


def test_long_names_stay_apart() -> None:
    assert slugify("A" * 300 + "x") != slugify("A" * 300 + "y")


@given(ANY_TEXT)
@example("a" * 245 + "/" + "B" * 20)
@example("\ud800")
def test_every_text_has_a_valid_slug(text: str) -> None:
    slug = slugify(text)
    assert is_slug(slug)
    assert slugify(slug) == slug


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada Lovelace", "ada-lovelace"),
        ("ada_lovelace", "ADA  LOVELACE!"),
        ("Café", "cafe\u0301"),
        ("Straße", "STRASSE"),
        ("People/Ada Lovelace", "people/ada-lovelace"),
        ("ﬁle", "file"),
        ("O\u2019Brien", "O'Brien"),
        ("がく", "か\u3099く"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("C++", "C"), ("が", "か"), ("中文", "中国"), ("a/b", "a b"), ("🎉", "🎈"), ("हिंदी", "हद")],
)
def test_different_names(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(ANY_TEXT)
def test_folding_is_stable(text: str) -> None:
    key = fold(text)
    assert fold(key) == key or not any(char.isalnum() for char in key)
    assert bool(key) or not text.casefold().strip()


def test_ascii_names_load_no_transliteration_tables() -> None:
    code = (
        "import sys; from quaid.formats import slugs; slugs.slugify('A b'); print('anyascii' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n"
