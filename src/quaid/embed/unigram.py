"""Unigram, as XLM-RoBERTa and its kin read text: from `tokenizer.json` to token ids, in plain Python.

    text -> characters as the vocabulary spells them -> words, each with ▁ in front -> the likeliest pieces

The contents of a text are data: a literal `</s>` in a page is characters, never a special token.
"""

from __future__ import annotations

import math
import struct
from binascii import a2b_base64
from collections.abc import Mapping
from typing import Any

from quaid.embed.wordpiece import Tokenizer, UnsupportedTokenizer

SPACE = "▁"
SPLIT_LETTERS = 2_000  # of a run without spaces; longer ones are cut, so that work grows as the text does
UNKNOWN_PENALTY = 10.0  # below the least likely piece, as SentencePiece has it


class CharacterMap:
    """What characters become: SentencePiece's compiled table, a double-array trie and the texts it leads to.

    The longest sequence of the table is replaced; what it does not have stays.
    """

    def __init__(self, compiled: bytes) -> None:
        size = int.from_bytes(compiled[:4], "little")
        if size < 4 or size % 4 or size + 4 > len(compiled):
            raise UnsupportedTokenizer("the table of characters is cut off")
        self._units = struct.unpack_from(f"<{size // 4}I", compiled, 4)
        self._texts = compiled[4 + size :]
        self._alone: dict[str, str | None] = {}

    def spelled(self, text: str) -> str:
        """A text, as the vocabulary spells it."""
        if text.isascii() and text.isprintable():
            return text
        alone = self._alone
        parts: list[str] = []
        place = 0
        while place < len(text):
            char = text[place]
            if char not in alone:
                alone[char] = self._of_one(char)
            replacement = alone[char]
            if replacement is None:
                length, replacement = self._longest(text[place : place + 8])
                place += length - 1
            parts.append(replacement)
            place += 1
        return "".join(parts)

    def _of_one(self, char: str) -> str | None:
        """What one character becomes; None where it depends on the next ones."""
        node, found = self._descend(char)
        if node is not None and any(self._child(node, byte) is not None for byte in range(1, 256)):
            return None
        return char if found is None else self._text_at(found)

    def _longest(self, text: str) -> tuple[int, str]:
        """How many characters of the beginning are replaced, and by what."""
        best = (1, text[0])
        for length in range(1, len(text) + 1):
            node, found = self._descend(text[:length])
            if found is not None:
                best = (length, self._text_at(found))
            if node is None:
                break
        return best

    def _descend(self, text: str) -> tuple[int | None, int | None]:
        """The node to which a text leads, and the place of its replacement, as far as there are such."""
        node: int | None = self._offset(0, self._units[0])
        leaf: int | None = None
        for byte in text.encode("utf-8", "surrogatepass"):
            unit = self._child(node, byte) if node is not None else None
            if unit is None or node is None:
                return None, None
            node = self._offset(node ^ byte, unit)
            leaf = self._units[node] & 0x7FFFFFFF if unit >> 8 & 1 else None
        return node, leaf

    def _child(self, node: int, byte: int) -> int | None:
        place = node ^ byte
        unit = self._units[place] if place < len(self._units) else 0
        return unit if byte and unit & 0x800000FF == byte else None

    @staticmethod
    def _offset(place: int, unit: int) -> int:
        return place ^ (unit >> 10) << ((unit & 1 << 9) >> 6)

    def _text_at(self, place: int) -> str:
        return self._texts[place : self._texts.index(b"\0", place)].decode("utf-8")


class Unigram(Tokenizer):
    """The ids of a SentencePiece vocabulary."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        model = description["model"]
        if not is_unigram(description) or model.get("byte_fallback"):
            raise UnsupportedTokenizer(f"not a Unigram tokenizer: {model.get('type')}")
        splitters = _parts(description["pre_tokenizer"], "pretokenizers")
        if {part["type"] for part in splitters} not in ({"Metaspace"}, {"Metaspace", "WhitespaceSplit"}):
            raise UnsupportedTokenizer("words are not set apart by spaces")
        if any(part.get("replacement") not in (None, SPACE) for part in splitters):
            raise UnsupportedTokenizer(f"the mark of a word is not {SPACE}")
        self._characters = _character_map(description["normalizer"])
        vocabulary: list[tuple[str, float]] = model["vocab"]
        self._scores = {piece: (number, score) for number, (piece, score) in enumerate(vocabulary)}
        self._longest = max(map(len, self._scores))
        self.unknown: int = model["unk_id"]
        self._unknown_score = min(score for _, score in vocabulary) - UNKNOWN_PENALTY
        super().__init__(self._scores["<s>"][0], self._scores["</s>"][0])
        # What is written in a text is never one of the model's own marks.
        for token in description["added_tokens"]:
            if token["special"]:
                self._scores.pop(token["content"], None)

    def words(self, text: str) -> list[str]:
        """Words, each with the mark of its beginning; a very long one is cut into parts."""
        whole = (SPACE + word for word in self._characters.spelled(text).split())
        return [
            word[start : start + SPLIT_LETTERS]
            for word in whole
            for start in range(0, len(word), SPLIT_LETTERS)
        ]

    def split(self, word: str) -> tuple[int, ...]:
        """The pieces whose scores add up to the most; unknown characters that follow each other are one."""
        best = [0.0] + [-math.inf] * len(word)
        ways: list[tuple[int, int]] = [(0, 0)] * (len(word) + 1)  # where the last piece begins, and its id
        for start in range(len(word)):
            for end in range(start + 1, min(start + self._longest, len(word)) + 1):
                number, score = self._scores.get(word[start:end], (self.unknown, -math.inf))
                if end == start + 1 and score == -math.inf:
                    score = self._unknown_score
                if best[start] + score > best[end]:
                    best[end] = best[start] + score
                    ways[end] = (start, number)
        ids: list[int] = []
        end = len(word)
        while end:
            end, number = ways[end]
            if not (ids and number == self.unknown == ids[-1]):
                ids.append(number)
        return tuple(reversed(ids))


def is_unigram(description: Mapping[str, Any]) -> bool:
    """Whether a `tokenizer.json` describes pieces with scores; older files do not name the kind."""
    model = description["model"]
    return model.get("type", "Unigram") == "Unigram" and isinstance(model["vocab"], list)


def _parts(description: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The steps of a sequence, or the one step that there is."""
    return list(description[name]) if description["type"] == "Sequence" else [description]


def _character_map(description: Mapping[str, Any]) -> CharacterMap:
    """The table of a normaliser; what else it does is about spaces, which splitting does away with."""
    tables = []
    for part in _parts(description, "normalizers"):
        if part["type"] == "Precompiled":
            tables.append(CharacterMap(a2b_base64(part["precompiled_charsmap"])))
        elif part["type"] not in ("Replace", "Strip"):
            raise UnsupportedTokenizer(f"texts are changed by {part['type']}")
    if len(tables) != 1:
        raise UnsupportedTokenizer("there is not one table of characters")
    return tables[0]
