import codecs

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaid.errors import InvalidInput
from quaid.formats.encoding import decode, encode, newline_of

BYTES = st.one_of(
    st.binary(),
    st.builds(
        lambda mark, text: mark + text.encode("utf-8"), st.sampled_from([b"", codecs.BOM_UTF8]), st.text()
    ),
    st.text().map(lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le")),
    st.text().map(lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be")),
)


@given(BYTES)
@example(codecs.BOM_UTF16_LE + b"\x00\xd8")
@example(codecs.BOM_UTF16_LE + b"odd")
@example(codecs.BOM_UTF8 + b"\xff")
@example(codecs.BOM_UTF8 * 2)
@example(b"caf\xe9 \x81")
def test_every_file_comes_back_to_the_byte(data: bytes) -> None:
    text, encoding = decode(data)
    text.encode("utf-8")
    assert encode(text, encoding) == data


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"plain", ("plain", "utf-8")),
        ("café".encode(), ("café", "utf-8")),
        (codecs.BOM_UTF8 + b"a", ("a", "utf-8-sig")),
        ("\ufeffé".encode("utf-16-le"), ("é", "utf-16-le-bom")),
        ("\ufeffé".encode("utf-16-be"), ("é", "utf-16-be-bom")),
        (b"caf\xe9 \x93x\x94", ("café \u201cx\u201d", "cp1252")),
        (b"caf\xe9 \x81", ("café \x81", "latin-1")),
    ],
)
def test_encodings(data: bytes, expected: tuple[str, str]) -> None:
    assert decode(data) == expected


@given(st.text(), st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le-bom", "cp1252", "latin-1"]))
def test_an_edited_text_is_read_back_as_it_is(text: str, encoding: str) -> None:
    if not text.startswith("\ufeff"):
        assert decode(encode(text, encoding))[0] == text


def test_a_text_that_outgrew_its_encoding_becomes_utf8() -> None:
    assert encode("中 é", "cp1252") == "中 é".encode()


def test_half_a_character_is_refused() -> None:
    with pytest.raises(InvalidInput, match="U\\+D800"):
        encode("a\ud800", "utf-8")


@pytest.mark.parametrize(
    ("text", "newline"), [("", "\n"), ("a\r\nb\r\nc\n", "\r\n"), ("a\nb\r\n", "\n"), ("a\rb", "\n")]
)
def test_newline(text: str, newline: str) -> None:
    assert newline_of(text) == newline
