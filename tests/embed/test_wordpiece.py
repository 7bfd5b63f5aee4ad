"""WordPiece reads text as the models' own tokenizer does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.embed.tokens import estimate_tokens
from quaid.embed.weights import ARCTIC, PACKAGED
from quaid.embed.wordpiece import UnsupportedTokenizer, WordPiece

WORDPIECE = WordPiece.load(PACKAGED / ARCTIC.name / ARCTIC.tokenizer.name)
SPELLING = {number: piece for piece, number in WORDPIECE.vocabulary.items()}


def pieces(text: str) -> list[str]:
    return [SPELLING[number] for number in WORDPIECE.encode(text)][1:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", "hello , world !"),
        ("embeddings", "em ##bed ##ding ##s"),
        ("Naïve CAFÉ", "naive cafe"),
        ("学习", "学 [UNK]"),
        ("[SEP]", "[ sep ]"),
        ("a\u0000b\u200bc\td", "abc d"),
        ("x" * 101, "[UNK]"),
        ("", ""),
    ],
)
def test_pieces(text: str, expected: str) -> None:
    assert " ".join(pieces(text)) == expected


@given(st.text())
def test_any_text_fits_the_limit_and_is_counted(text: str) -> None:
    ids = WORDPIECE.encode(text, limit=16)
    assert ids[0] == WORDPIECE.start
    assert ids[-1] == WORDPIECE.end
    assert len(ids) == min(16, WORDPIECE.count(text) + 2)


@given(st.text(st.characters(max_codepoint=127)))
def test_the_fast_way_of_ascii_is_the_same_way(text: str) -> None:
    assert WORDPIECE.words(text) == text.translate(WORDPIECE._characters).split()


def test_another_kind_of_tokenizer_is_refused() -> None:
    with pytest.raises(UnsupportedTokenizer):
        WordPiece({"model": {"type": "BPE"}, "normalizer": {"type": "NFC"}, "pre_tokenizer": {"type": "x"}})


PROSE = "Quaid keeps pages of knowledge as plain files and finds them by name, by words and by meaning. " * 5


@pytest.mark.parametrize(
    "text", [PROSE, "# Plan\n\n- [ ] see [[people/alice|Alice]] (2024-03-01)\n" * 5, "学习知识管理" * 20]
)
def test_the_estimate_is_high_but_near(text: str) -> None:
    assert 1 <= estimate_tokens(text) / WORDPIECE.count(text) <= 1.35


def test_the_estimate_of_nothing() -> None:
    assert estimate_tokens(" \n") == estimate_tokens("") == 0
