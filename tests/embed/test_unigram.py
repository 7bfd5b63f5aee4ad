"""Unigram: the same ids as the package `tokenizers` gives, and no text that breaks it."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.embed.unigram import SPLIT_LETTERS, Unigram
from quaid.embed.wordpiece import UnsupportedTokenizer

RECORDED = json.loads((Path(__file__).parent / "tokenizers" / "unigram.json").read_text("utf-8"))
UNIGRAM = Unigram(RECORDED["tokenizer"])
START, END, UNKNOWN = 0, 2, 3


def described(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(RECORDED["tokenizer"]), **changes}


@pytest.mark.parametrize(("text", "ids"), RECORDED["cases"])
def test_the_ids_of_the_package_tokenizers(text: str, ids: list[int]) -> None:
    assert UNIGRAM.encode(text, 10_000) == ids
    assert UNIGRAM.count(text) == len(ids) - 2


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("ﬁnal", "final"),  # one character becomes two
        ("te\u0301a", "téa"),  # two become one
        ("ｶﾞ", "ガ"),  # the longest sequence wins: ｶ alone is カ
        ("a\u200bb", "ab"),  # some become nothing
        ("a\u3000b", "a b"),
        ("  a \t b\n", "a b"),
    ],
)
def test_characters_are_spelt_as_the_vocabulary_spells_them(text: str, same: str) -> None:
    assert UNIGRAM.words(text) == UNIGRAM.words(same)


def test_what_is_not_known_is_one_token() -> None:
    assert UNIGRAM.encode("🎉🎉🎉")[1:-1].count(UNKNOWN) == 1


def test_marks_of_the_model_are_text_in_a_text() -> None:
    assert not {START, END} & set(UNIGRAM.encode("a </s> b <s>")[1:-1])


def test_a_text_that_is_too_long_is_cut() -> None:
    ids = UNIGRAM.encode("boiler " * 1000, 32)
    assert len(ids) == 32
    assert (ids[0], ids[-1]) == (START, END)


def test_a_long_run_without_spaces() -> None:
    text = "锅炉压力" * SPLIT_LETTERS
    assert UNIGRAM.count(text) >= len(text) // 16
    assert len(UNIGRAM.encode(text, 512)) == 512


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    ids = UNIGRAM.encode(text, 64)
    assert 2 <= len(ids) <= 64
    assert all(0 <= number < len(RECORDED["tokenizer"]["model"]["vocab"]) for number in ids)
    assert min(UNIGRAM.count(text), 62) == len(ids) - 2


def test_an_older_file_does_not_name_the_kind() -> None:
    older = described()
    del older["model"]["type"]
    assert Unigram(older).encode("boiler") == UNIGRAM.encode("boiler")


def test_steps_that_only_concern_spaces() -> None:
    table = RECORDED["tokenizer"]["normalizer"]
    steps = {"type": "Sequence", "normalizers": [table, {"type": "Replace", "pattern": {"Regex": " {2,}"}}]}
    newer = described(normalizer=steps, pre_tokenizer={"type": "Metaspace", "replacement": "▁"})
    assert Unigram(newer).encode("the  boiler") == UNIGRAM.encode("the boiler")


@pytest.mark.parametrize(
    "changes",
    [
        {"model": {"type": "BPE", "vocab": {}}},
        {"pre_tokenizer": {"type": "ByteLevel"}},
        {"pre_tokenizer": {"type": "Metaspace", "replacement": "_"}},
        {"normalizer": {"type": "Lowercase"}},
        {"normalizer": {"type": "Sequence", "normalizers": []}},
        {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "////fw=="}},
    ],
)
def test_another_kind_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedTokenizer):
        Unigram(described(**changes))
