import codecs

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaid.errors import InvalidInput
from quaid.formats.encoding import decode, encode, newline_of, odd_bytes

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
        (b"caf\xe9 \x81", ("caf\U0010f7e9 \U0010f781", "unknown")),
        ("学习 ".encode() + b"\xe5\xad", ("学习 \U0010f7e5\U0010f7ad", "utf-8")),
        (
            "今天和小王开会，讨论了项目的进度。".encode("gbk"),
            ("今天和小王开会，讨论了项目的进度。", "gb18030"),
        ),
        ("Мы обсудили план проекта".encode("cp1251"), ("Мы обсудили план проекта", "cp1251")),
        ("会議でプロジェクトの話をした".encode("shift_jis"), ("会議でプロジェクトの話をした", "cp932")),
        ("会議でプロジェクトの話をした".encode("euc_jp"), ("会議でプロジェクトの話をした", "euc_jp")),
        ("오늘 회의에서 논의했습니다".encode("euc_kr"), ("오늘 회의에서 논의했습니다", "cp949")),
        (
            "我們決定在台北建立新的辦公室，會討論計畫".encode("big5"),
            ("我們決定在台北建立新的辦公室，會討論計畫", "big5"),
        ),
        ("Hello wide world".encode("utf-16-le"), ("Hello wide world", "utf-16-le")),
        (codecs.BOM_UTF16_LE + b"a\0\x41", ("a\U0010f741", "utf-16-le-bom")),
        ("\U0010f7e4".encode(), ("\U0010f7f4\U0010f78f\U0010f79f\U0010f7a4", "unknown")),
        (b"a\0b\0\n", ("a\0b\0\n", "utf-8")),
    ],
)
def test_encodings(data: bytes, expected: tuple[str, str]) -> None:
    assert decode(data) == expected


@pytest.mark.parametrize("encoding", ["koi8-r", "cp866", "cp1253", "cp1255", "iso8859-5"])
def test_what_proves_no_encoding_is_not_guessed(encoding: str) -> None:
    texts = {"cp1253": "Σήμερα συζητήσαμε το σχέδιο", "cp1255": "שלום עולם זה טקסט בעברית"}
    data = texts.get(encoding, "Мы обсудили план проекта и сроки").encode(encoding)
    assert decode(data)[1] == "unknown"


@given(st.text(), st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le-bom", "utf-16-be-bom"]))
def test_a_text_is_read_back_as_it_is(text: str, encoding: str) -> None:
    if not odd_bytes(text) and not text.startswith("\ufeff") and "\0" not in text:
        assert decode(encode(text, encoding))[0] == text


def test_a_text_that_outgrew_its_encoding_is_refused() -> None:
    with pytest.raises(InvalidInput, match="cp1252") as refused:
        encode("中 é", "cp1252")
    assert "quaid recode" in refused.value.hint


def test_half_a_character_is_refused() -> None:
    with pytest.raises(InvalidInput, match="U\\+D800"):
        encode("a\ud800", "utf-8")


@pytest.mark.parametrize(
    ("text", "newline"), [("", "\n"), ("a\r\nb\r\nc\n", "\r\n"), ("a\nb\r\n", "\n"), ("a\rb", "\n")]
)
def test_newline(text: str, newline: str) -> None:
    assert newline_of(text) == newline
