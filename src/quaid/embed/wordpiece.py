"""WordPiece, as BERT models read text: from `tokenizer.json` to token ids, in plain Python.

    text -> cleaned, accents stripped, lower case, punctuation and CJK set apart -> words -> pieces

The contents of a text are data: a literal `[SEP]` in a page is four words, never a special token.
"""

from __future__ import annotations

import json
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

CONTINUED = "##"
CACHED_WORDS = 100_000
CACHED_LETTERS = 40  # of a word; a sentence without spaces does not come again

# Ideographs that stand alone, as BERT's reference tokenizer lists them.
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
ASCII_WORD = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")
ASCII_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])


class UnsupportedTokenizer(ValueError):
    """The file describes another kind of tokenizer than WordPiece as BERT uses it."""


class CharacterMap(dict[int, str]):
    """What each character becomes; worked out when it is first met."""

    def __init__(self, *, lowercase: bool, strip_accents: bool, space_ideographs: bool) -> None:
        super().__init__()
        self.lowercase = lowercase
        self.strip_accents = strip_accents
        self.space_ideographs = space_ideographs

    def __missing__(self, code: int) -> str:
        replacement = self.replacement(chr(code))
        self[code] = replacement
        return replacement

    def replacement(self, char: str) -> str:
        """The character as the vocabulary spells it, with spaces around it where it is a word of its own."""
        if char in "\t\n\r" or (char.isspace() and unicodedata.category(char) != "Cc"):
            return " "
        if char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs"):
            return ""
        text = char
        if self.strip_accents:
            decomposed = unicodedata.normalize("NFD", char)
            text = "".join(c for c in decomposed if unicodedata.category(c) != "Mn")
        if self.lowercase:
            # One character at a time: a Greek sigma at the end of a word stays an ordinary one.
            text = "".join(c.lower() for c in text)
        if self.space_ideographs and is_ideograph(ord(char)):
            return f" {text} "
        return "".join(f" {c} " if is_punctuation(c) else c for c in text)


class Pieces(dict[str, tuple[int, ...]]):
    """The ids of the pieces of each word; worked out when it is first met."""

    def __init__(self, split: Callable[[str], tuple[int, ...]]) -> None:
        super().__init__()
        self._split = split

    def __missing__(self, word: str) -> tuple[int, ...]:
        ids = self._split(word)
        if len(word) <= CACHED_LETTERS:
            if len(self) >= CACHED_WORDS:
                self.clear()
            self[word] = ids
        return ids


class Tokenizer(ABC):
    """Turns text into the ids of a vocabulary. Safe to share between threads."""

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.pieces = Pieces(self.split)

    def encode(self, text: str, limit: int = 512) -> list[int]:
        """Ids between the marks of a text's start and end; it is cut so that all of it fits the limit."""
        ids = [self.start]
        for word in self.words(text):
            ids += self.pieces[word]
            if len(ids) >= limit:
                del ids[limit - 1 :]
                break
        ids.append(self.end)
        return ids

    def count(self, text: str) -> int:
        """How many tokens the text itself has, uncut and without the marks."""
        return sum(len(self.pieces[word]) for word in self.words(text))

    @abstractmethod
    def words(self, text: str) -> list[str]:
        """The words of a text, in the vocabulary's spelling."""

    @abstractmethod
    def split(self, word: str) -> tuple[int, ...]:
        """The ids of one word."""


class WordPiece(Tokenizer):
    """The ids of a BERT vocabulary."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        model, normalizer = description["model"], description["normalizer"]
        kinds = (model.get("type"), normalizer["type"], description["pre_tokenizer"]["type"])
        if kinds != ("WordPiece", "BertNormalizer", "BertPreTokenizer"):
            raise UnsupportedTokenizer(f"not a BERT WordPiece tokenizer: {kinds}")
        if model["continuing_subword_prefix"] != CONTINUED or not normalizer["clean_text"]:
            raise UnsupportedTokenizer("the tokenizer has settings that BERT's does not have")
        self.vocabulary: dict[str, int] = model["vocab"]
        self.longest_word: int = model["max_input_chars_per_word"]
        self.unknown = self.vocabulary[model["unk_token"]]
        super().__init__(self.vocabulary["[CLS]"], self.vocabulary["[SEP]"])
        lowercase: bool = normalizer["lowercase"]
        accents: bool | None = normalizer["strip_accents"]
        self._characters = CharacterMap(
            lowercase=lowercase,
            strip_accents=lowercase if accents is None else accents,
            space_ideographs=normalizer["handle_chinese_chars"],
        )
        self._lowercase = lowercase

    @classmethod
    def load(cls, path: Path) -> WordPiece:
        """The tokenizer that a `tokenizer.json` describes."""
        return cls(json.loads(path.read_bytes()))

    def words(self, text: str) -> list[str]:
        """Words and single marks, in the vocabulary's spelling."""
        if self._lowercase and text.isascii():
            plain = text if text.isprintable() else text.translate(ASCII_CONTROLS)
            return ASCII_WORD.findall(plain.lower())
        return text.translate(self._characters).split()

    def split(self, word: str) -> tuple[int, ...]:
        """The longest piece of the vocabulary, then the longest of the rest, and so on."""
        if len(word) > self.longest_word:
            return (self.unknown,)
        ids: list[int] = []
        start = 0
        while start < len(word):
            prefix = CONTINUED if start else ""
            for end in range(len(word), start, -1):
                piece = self.vocabulary.get(prefix + word[start:end])
                if piece is not None:
                    ids.append(piece)
                    start = end
                    break
            else:
                return (self.unknown,)
        return tuple(ids)


def is_ideograph(code: int) -> bool:
    """Whether BERT takes the character for a word of its own."""
    return any(first <= code <= last for first, last in IDEOGRAPHS)


def is_punctuation(char: str) -> bool:
    """Whether BERT takes the character for a mark: every ASCII sign, and what Unicode calls punctuation."""
    if char.isascii():
        return char.isprintable() and not char.isalnum() and char != " "
    return unicodedata.category(char).startswith("P")
