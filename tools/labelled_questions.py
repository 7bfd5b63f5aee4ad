"""Questions with texts that answer them, or seem to: what the reader of answers learns from.

Those of `bench/labelled/questions*.json` say which texts answer. Public questions about paragraphs (in the
form of SQuAD) say it of their sentences. Of folders of notes it is not known: what the reranker makes of
their headings, words and sentences beside their paragraphs is learnt from it alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from labelled_pairs import Pair

from quaid.embed.embedder import Embedder, embed_query

LABELLED = Path(__file__).parents[1] / "bench" / "labelled"
TEXTS = 6  # of each question, those that answer included
ANSWERS, OTHERS = 2, 3  # of those, how many that answer and that do not are read one by one
WORDS = 32  # of a text, about as many as are read
SHORTEST = 8  # words of a paragraph
_SMALL = "what|when|where|which|whose|who|does|have|has|that|with|from|much|many|did|how|the|and|for"
_TELLING = re.compile(rf"\b(?!(?:{_SMALL})\b)\w[\w'’]{{2,}}", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“(])")
_HEADING = re.compile(r"^(?:#{1,6}|\*+)\s+(.+)$")
_LINK = re.compile(r"!?\[\[(?:[^]|]*\|)?([^]]*)\]\]|\[\[[^]]*\]\[([^]]*)\]\]|!?\[([^]]*)\]\([^)]*\)")
_NO_PROSE = re.compile(r"^(?:[:#%|<]|---|\+\+\+|\w+ = |\s*$|```)")


class Group(NamedTuple):
    """A question, texts, and which of them answer it; None where that is not known."""

    set: str
    question: str
    texts: tuple[str, ...]
    answers: tuple[int, ...] | None


class Set(NamedTuple):
    """Texts, and questions with the places of the texts that answer them: none for a near miss."""

    name: str
    texts: list[str]
    questions: list[tuple[str, list[int]]]


def sets() -> Iterator[Set]:
    """The labelled sets, by authors."""
    for file in sorted(LABELLED.glob("questions*.json")):
        author = file.stem.partition("-")[2] or "first"
        for number, each in enumerate(json.loads(file.read_text(encoding="utf-8"))["sets"]):
            asked = [(one["question"], one["answers"]) for one in each["questions"]]
            near: list[tuple[str, list[int]]] = [(one, []) for one in each["unanswerable"]]
            yield Set(f"{author}-{each['kind']}-{number}", each["texts"], [*asked, *near])


def labelled(embedder: Embedder) -> Iterator[Group]:
    """The questions of the labelled sets, with the texts that are nearest to them."""
    for each in sets():
        texts = [text.replace("\n", ". ") for text in each.texts]
        vectors = embedder.embed(texts)
        is_notebook = "-notebook-" in each.name
        for place, (question, answers) in enumerate(each.questions):
            near = np.argsort(-(vectors @ embed_query(embedder, question))).tolist()
            chosen = [*answers, *(number for number in near if number not in answers)][:TEXTS]
            shown = []
            for number in chosen:
                # As a notebook has it: below a title and a heading, which mostly say little.
                words = texts[(number * 7 + place) % len(texts)].split()
                above = f"Facts. {' '.join(words[:2])}. " if is_notebook and (place + number) % 2 else ""
                shown.append(above + window(question, texts[number]))
            # People ask with mere words too, and answers are no rarer then.
            asked = " ".join(_TELLING.findall(question)) if place % 3 == 2 else question
            yield Group(each.name, asked, tuple(shown), tuple(range(min(len(answers), TEXTS))))


def asked(file: Path, embedder: Embedder) -> Iterator[Group]:
    """Public questions, with the sentences of an article that are nearest, and those that hold the answer.

    Where none answers (in the form of SQuAD 2.0), the paragraph about which it is asked seems to.
    """
    for number, article in enumerate(json.loads(file.read_text(encoding="utf-8"))["data"]):
        title = article.get("title", "").replace("_", " ")
        found = [_SENTENCE_END.split(each["context"]) for each in article["paragraphs"]]
        sentences = [one for each in found for one in each]
        vectors = embedder.embed(sentences)
        first = 0
        for paragraph, own in zip(article["paragraphs"], found, strict=True):
            places = range(first, first + len(own))
            first += len(own)
            for one in paragraph["qas"]:
                held = {answer["text"] for answer in one["answers"]}
                answers = [place for place in places if any(text in sentences[place] for text in held)][:2]
                cosines = vectors @ embed_query(embedder, one["question"])
                # Where the same words stand elsewhere, they may answer too.
                others = [
                    place
                    for place in np.argsort(-cosines).tolist()
                    if place not in answers and not any(text in sentences[place] for text in held)
                ]
                if one.get("is_impossible"):
                    # That nothing answers is known of its own paragraph, and likely of what is far.
                    own_ones = [place for place in others if place in places]
                    others = [*own_ones, *others[len(others) // 2 :]]
                chosen = [*answers, *others][:TEXTS]
                shown = (window(one["question"], sentences[place]) for place in chosen)
                texts = tuple(f"{title}. {text}" if title and number % 2 else text for text in shown)
                yield Group(f"public-{number}", one["question"].strip(), texts, tuple(range(len(answers))))


def as_pairs(groups: Iterable[Group]) -> Iterator[Pair]:
    """Questions with texts that answer them, and with those that are nearest and do not."""
    for each in groups:
        if each.answers is not None:
            others = [place for place in range(len(each.texts)) if place not in each.answers]
            for place in (*each.answers[:ANSWERS], *others[:OTHERS]):
                label = "answers" if place in each.answers else "none"
                yield Pair(each.set, each.question, each.texts[place], label, "answers")


def unlabelled(folder: Path, embedder: Embedder, most: int) -> Iterator[Group]:
    """Headings, words and sentences of notes, with the paragraphs that are nearest to them."""
    drawn = np.random.default_rng(0)
    files = sorted(each for each in folder.rglob("*") if each.suffix in (".md", ".org") and each.is_file())
    found = [one for place in drawn.permutation(len(files)) for one in _paragraphs(files[place])]
    found = list({text: (heading, text) for heading, text in found}.values())[: 2 * most]
    texts = [f"{heading}. {text}" if heading else text for heading, text in found]
    vectors = embedder.embed(texts)
    for place in drawn.permutation(len(found))[:most]:
        heading, text = found[place]
        sentences = _SENTENCE_END.split(text)
        words = list(dict.fromkeys(_TELLING.findall(text)))
        some = [words[each] for each in sorted(drawn.permutation(len(words))[: drawn.integers(2, 6)])]
        last = heading.rpartition(". ")[2]
        question = (
            last,
            f"what is {last.lower()}?",
            " ".join(some),
            " ".join(sentences[drawn.integers(len(sentences))].split()[:24]),
        )[drawn.integers(4)]
        if not _TELLING.search(question):
            continue
        near = np.argsort(-(vectors @ embed_query(embedder, question))).tolist()
        chosen = [*near[: TEXTS - 2], near[int(drawn.integers(TEXTS, 60))], int(place)]
        shown = (f"{found[one][0]}. {window(question, found[one][1])}" for one in dict.fromkeys(chosen))
        yield Group("notes", question, tuple(shown), None)


def window(question: str, text: str) -> str:
    """The words of a text among which most of the question's stand."""
    words = text.split()
    wanted = {word.casefold()[:5] for word in _TELLING.findall(question)}
    hits = [any(part.casefold()[:5] in wanted for part in _TELLING.findall(word)) for word in words]
    sums = np.concatenate([[0], np.cumsum(hits)])
    starts = range(max(1, len(words) - WORDS + 1))
    best = max(starts, key=lambda start: (sums[min(len(words), start + WORDS)] - sums[start], -start))
    return " ".join(words[best : best + WORDS])


def _paragraphs(file: Path) -> Iterator[tuple[str, str]]:
    """The paragraphs and list items of a note, below their title and heading."""
    title, heading, held = file.stem.replace("_", " "), "", ""
    for line, after in pairwise([*file.read_text(encoding="utf-8", errors="replace").splitlines(), "", ""]):
        above = _HEADING.match(line)
        if above:
            heading = _plain(above[1])
        elif not _NO_PROSE.match(line):
            held = f"{held} {_plain(line)}"
        if held and (above or not after.strip() or after.lstrip().startswith(("-", "*", "+", "#"))):
            if len(held.split()) >= SHORTEST and held.isascii():
                yield ". ".join(part for part in (title, heading) if part), held.strip()
            held = ""


def _plain(text: str) -> str:
    shown = _LINK.sub(lambda found: next((each for each in found.groups() if each), ""), text)
    return re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?|[*_`=~]{1,3}|\{#[^}]*\}", "", shown).strip()


def read_groups(public: Sequence[Path], notes: Sequence[Path], embedder: Embedder, most: int) -> list[Group]:
    """All that is learnt from."""
    found: list[Group] = list(labelled(embedder))
    for file in public:
        found += asked(file, embedder)
    for folder in notes:
        found += unlabelled(folder, embedder, most)
    return found
