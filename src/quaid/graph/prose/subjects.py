"""Whom a phrase is said of: what stands before it in its sentence, read backwards."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import Literal

from quaid.formats.slugs import fold
from quaid.graph.prose.phrasebook import sections, words
from quaid.graph.prose.sentences import LINKED, OPEN, UPPER
from quaid.model.record import record

Kind = Literal["person", "company", "thing", ""]
OWN = ""  # the page's own subject

_TOKEN = re.compile(rf"{LINKED}|[\w&]+(?:[-'][\w]+)*|[,;:()–—]")
_ASIDE = re.compile(r"\([^()]*\)")
_HARD = frozenset(";()–—")
_NUMBER = re.compile(r"\d[\d.,-]*(?:st|nd|rd|th)?")
_CAPITAL = re.compile(rf"[{UPPER}]")
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof", "sir", "dame", "herr", "frau"))


@record
class Voice:
    """By which words a page's text calls its subject, and what kind of thing that is."""

    own: frozenset[str]
    kind: Kind

    def calls(self, word: str) -> bool:
        """Whether a word stands for the subject: of its name, or what one calls a thing of its kind."""
        kinds = (self.kind,) if self.kind else ("company", "thing")
        return fold(word) in self.own or any(word.lower() in words(f"generic {kind}") for kind in kinds)


def kind_of_page(page_type: str) -> Kind:
    """What a page of a type is about."""
    folded = fold(page_type)
    if folded in words("person type"):
        return "person"
    if folded in words("company type"):
        return "company"
    return "thing" if folded in words("thing type") else ""


def own_words(names: Collection[str]) -> frozenset[str]:
    """The words of the names of a page that stand for it."""
    found = (word for name in names for word in re.split(r"[\s/_-]+", fold(name)) if len(word) > 1)
    return frozenset(word for word in found if word not in words("filler") and word not in words("joint"))


def subject_of(head: str, voice: Voice) -> str | None:
    """Whom the words before a phrase are about: the page's subject, a name, or None if that is unclear."""
    tokens = _TOKEN.findall(_ASIDE.sub(" ", head))
    cut = max((place for place, word in enumerate(tokens) if word in _HARD), default=-1)
    segment = tokens[cut + 1 :]
    if ":" in segment:
        place = len(segment) - 1 - segment[::-1].index(":")
        label, segment = segment[:place], segment[place + 1 :]
        if not _bare(segment):
            return (
                OWN
                if len(label) == 1 and label[0].lower() in words("label")
                else _leading(_bare(label), voice)
            )
    chunks = _chunks(segment)
    for place in range(len(chunks) - 1, -1, -1):
        joint, chunk = chunks[place]
        rest = _bare(chunk)
        if not rest:
            continue
        if place == len(chunks) - 1:
            if joint in ("who", "which") and place:
                return _last_name(chunks[place - 1][1], voice)
            return _noun(rest, voice)
        if chunks[place + 1][0] in ("who", "which"):
            return _last_name(chunk, voice)
        return _leading(rest, voice)
    if chunks and chunks[-1][0] in ("who", "which"):
        return None
    return _leading(_bare(tokens[:cut]), voice) if cut > 0 and tokens[cut] in "–—" else OWN


def _chunks(tokens: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The parts between commas and conjunctions, each with the word that joins it."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for word in tokens:
        folded = word.lower()
        if word == "," or folded in words("joint"):
            if not found[-1][1] and folded != ",":
                found[-1] = (folded, [])
            else:
                found.append((folded, []))
        else:
            found[-1][1].append(word)
    return found


@cache
def is_filler(word: str) -> bool:
    """Whether a word names nobody: of time, manner, or grammar."""
    if _NUMBER.fullmatch(word):
        return True
    return word.lower() in words("filler") or (word.lower().endswith("ly") and word[:1].islower())


def _bare(tokens: Sequence[str]) -> list[str]:
    """Tokens without the fillers at both ends."""
    found = list(tokens)
    while found and is_filler(found[-1]):
        found.pop()
    while found and is_filler(found[0]) and not _begins_noun(found):
        found.pop(0)
    return found


def _begins_noun(tokens: Sequence[str]) -> bool:
    """Whether an article begins what the tokens name; `the end of May` is no name."""
    return tokens[0].lower() in ("the", "this", "that") and any(not is_filler(each) for each in tokens[1:3])


def _is_name(word: str) -> bool:
    return word.startswith(OPEN) or bool(_CAPITAL.match(word))


def _leading(tokens: Sequence[str], voice: Voice) -> str | None:
    """The subject with which a clause begins."""
    if not tokens:
        return OWN
    first = tokens[0].lower()
    if first in words("self") or _has_verb(first) or _is_everyone(first, voice):
        return OWN
    if first in words("possessive") or tokens[0].endswith("'s"):
        return None
    if _is_name(tokens[0]):
        run = _run(tokens)
        return OWN if _is_own(run, voice) else " ".join(run)
    noun = [word for word in tokens[:4] if word.lower() not in words("determiner")]
    return OWN if noun and voice.calls(noun[0]) else None


def _is_everyone(word: str, voice: Voice) -> bool:
    return word in ("everyone", "everybody") and voice.kind != "person"


def _has_verb(word: str) -> bool:
    return word in words("past") or (word.endswith("ed") and len(word) > 4)


def _run(tokens: Sequence[str]) -> list[str]:
    if tokens[0].startswith(OPEN):
        return [tokens[0]]
    found: list[str] = []
    for word in tokens:
        if not _CAPITAL.match(word):
            break
        found.append(word)
    return found


def _is_own(run: Sequence[str], voice: Voice) -> bool:
    spoken = [fold(word) for word in run if fold(word) not in _TITLES]
    if run and run[0].startswith(OPEN):
        return False  # who links does not mean the page itself; the name says whom
    return bool(spoken) and all(part in voice.own for each in spoken for part in each.split())


def _last_name(tokens: Sequence[str], voice: Voice) -> str | None:
    """The name at the end of a clause, to which `who` refers."""
    run: list[str] = []
    for word in reversed(tokens):
        if not _is_name(word):
            break
        run.insert(0, word)
        if word.startswith(OPEN):
            break
    if not run or _is_part_of(tokens[: len(tokens) - len(run)]):
        return None
    return OWN if _is_own(run, voice) else " ".join(run)


def _is_part_of(before: Sequence[str]) -> bool:
    """Whether what stands before a name makes a part of it: `the Leeds site of Acme, which ...`."""
    spoken = [word.lower() for word in before if word.lower() not in words("determiner")]
    return spoken[-1:] == ["of"] and bool(words("part of a thing").intersection(spoken[-2:-1]))


def _noun(tokens: Sequence[str], voice: Voice) -> str | None:
    """What the last noun before a phrase means."""
    last = tokens[-1].lower()
    if last in words("self") or _is_everyone(last, voice):
        object_ = last in words("object") and len(tokens) > 1 and tokens[-2].lower() in words("preposition")
        return None if object_ else OWN
    start = len(tokens)
    while start and not _opens(tokens[start - 1]):
        start -= 1
    noun, opener = list(tokens[start:]), tokens[start - 1] if start else ""
    if not noun:
        return _leading(tokens[: start - 1], voice) if start > 1 else OWN
    if opener.lower() in words("preposition"):
        return _noun(tokens[: start - 1], voice) if start > 1 else None
    if _is_name(noun[-1]) and not (start == 0 and len(noun) == 1 and voice.calls(noun[0])):
        return _name_before(noun, tokens[:start], voice)
    if opener.endswith("'s") or opener.lower() in ("his", "her", "my", "your", "another", "other"):
        return None
    if any(each.lower() in words("other thing") | words("partial") for each in noun[:-1]):
        return None
    if voice.calls(noun[-1]) or any(fold(each) in voice.own for each in noun if not _is_name(each)):
        return None if any(map(_is_name, noun[1:])) else OWN
    # A thing that has a name of its own, perhaps: `the font licence`.
    return " ".join(each.lower() for each in noun) if opener.lower() in ("the", "our", "this") else None


def _opens(word: str) -> bool:
    """Whether a noun begins after a word."""
    folded = word.lower()
    return folded in words("determiner") or folded in words("preposition") or word.endswith("'s")


@cache
def _roles() -> frozenset[str]:
    return frozenset(fold(role) for role in dict(sections("common"))["role noun"])


def _name_before(noun: Sequence[str], before: Sequence[str], voice: Voice) -> str | None:
    """The name with which the words before a phrase end."""
    run: list[str] = []
    for word in reversed(noun):
        if not _is_name(word) or is_filler(word):
            break
        run.insert(0, word)
        if word.startswith(OPEN):
            break
    if not run:
        return None
    if len(run) == len(noun) and before and before[-1].endswith("'s"):
        return None
    if voice.kind != "company" and fold(run[-1]) in _roles():
        return OWN  # `CEO of X until 2024`
    if len(noun) == len(run) and len(run) == 1 and not before and _has_verb(run[0].lower()):
        return OWN  # `Sold` begins a sentence whose subject is left out
    return OWN if _is_own(run, voice) else " ".join(run)
