"""The data sets of the quality benchmark in one shape: documents, questions, and what is relevant."""

from __future__ import annotations

import gzip
import json
import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

LABELLED = Path(__file__).parent / "labelled"
NAMES = ("locomo-turn", "locomo-session", "scifact", "cranfield", "med")
POOLED = ("locomo-turn-pooled", "locomo-session-pooled", "nameless-pooled", "abstracts-pooled")
MORE = ("locomo-fact", *POOLED)
ABSTRACTS = ("scifact", "cranfield", "med")
STRETCH = 5  # turns of a document of `nameless`
_ID = re.compile(r"D\d+:\d+")
_LOOSE_ID = re.compile(r"D:?(\d+):(\d+)")  # D8:6; D9:17, D30:05 and D:11:26 occur
_SESSION = re.compile(r"session_(\d+)")


class MissingData(Exception):
    """A file that the benchmark needs is not there."""


@dataclass(frozen=True)
class Document:
    """What is to be found. Documents of one group are in one memory."""

    id: str
    title: str
    text: str
    group: str = ""
    file: str = ""  # the name of the file that the text is, word for word


@dataclass(frozen=True)
class Asked:
    """A question, and how relevant each document is to it."""

    text: str
    relevant: dict[str, float]
    group: str = ""


@dataclass
class DataSet:
    """Documents and questions. `split` says which questions, and how the documents are kept."""

    name: str
    split: str
    documents: list[Document]
    questions: list[Asked]
    notes: Counter[str] = field(default_factory=Counter)


def load(name: str, data: Path) -> DataSet:
    """A set by its name."""
    base = name.removesuffix("-pooled")
    if base == "abstracts":
        return _together(name, [load(each, data) for each in ABSTRACTS])
    if base == "nameless":
        return _nameless(name, json.loads(_read(data / "locomo" / "locomo10.json")))
    if base in ("hub", "hub-blind"):
        return _hub(base, data / "vaults" / "obsidian-hub.tar.gz")
    if base.startswith("locomo-"):
        return _Locomo(data, base.removeprefix("locomo-"), pooled=base != name).data_set(name)
    folder = data / name if name == "scifact" else data / "classic-ir" / name
    return _beir(name, folder)


def _beir(name: str, folder: Path) -> DataSet:
    documents = [
        Document(line["_id"], line.get("title") or "", line["text"])
        for line in _json_lines(folder / "corpus.jsonl")
    ]
    relevant: dict[str, dict[str, float]] = {}
    for line in _read(folder / "qrels" / "test.tsv").splitlines()[1:]:
        question, document, grade = line.split("\t")
        if float(grade) > 0:
            relevant.setdefault(question, {})[document] = float(grade)
    questions = [
        Asked(line["text"], relevant[line["_id"]])
        for line in _json_lines(folder / "queries.jsonl")
        if line["_id"] in relevant
    ]
    return DataSet(name, "test split", documents, questions)


def _hub(name: str, archive: Path) -> DataSet:
    """A public vault, and questions of somebody who looks for a note in it."""
    if not archive.exists():
        raise MissingData(f"{archive} is not there")
    with tarfile.open(archive) as packed:
        files = {
            str(PurePosixPath(*PurePosixPath(each.name).parts[1:])): packed.extractfile(each).read().decode()
            for each in sorted(packed.getmembers(), key=lambda each: each.name)
            if each.isfile() and each.name.endswith(".md")
        }
    numbers = {path: f"{number:04}" for number, path in enumerate(files)}
    documents = [
        Document(numbers[path], "", text, file=PurePosixPath(path).stem) for path, text in files.items()
    ]
    asked = json.loads(_read(LABELLED / f"{name}.json"))["questions"]
    questions = [Asked(each["question"], {numbers[each["page"]]: 1.0}) for each in asked]
    return DataSet(name, f"bench/labelled/{name}.json", documents, questions)


def _together(name: str, parts: list[DataSet]) -> DataSet:
    """Several sets in one memory."""
    documents = [
        Document(f"{part.name}/{each.id}", each.title, each.text) for part in parts for each in part.documents
    ]
    questions = [
        Asked(each.text, {f"{part.name}/{key}": grade for key, grade in each.relevant.items()})
        for part in parts
        for each in part.questions
    ]
    return DataSet(name, "test splits, one memory for all", documents, questions)


def _nameless(name: str, conversations: list[dict[str, Any]]) -> DataSet:
    """Conversations in pieces of five turns, all in one memory, without the names of the speakers.

    So a question does not say whose conversation it is about, as one's own questions do not.
    """
    documents: list[Document] = []
    questions: list[Asked] = []
    for number, item in enumerate(conversations):
        talk = item["conversation"]
        speakers = (talk["speaker_a"], talk["speaker_b"])
        places: dict[str, str] = {}
        for key in talk:
            match = _SESSION.fullmatch(key)
            turns = talk[key] if match else []
            for start in range(0, len(turns), STRETCH):
                part = turns[start : start + STRETCH]
                identity = f"c{number}/{key}/{start}"
                text = "\n".join(_unnamed(turn, speakers) for turn in part)
                documents.append(Document(identity, talk[f"{key}_date_time"].split(" on ")[-1], text))
                places |= {turn["dia_id"]: identity for turn in part}
        for asked in item["qa"]:
            turns_of = [
                f"D{int(a)}:{int(b)}" for a, b in _LOOSE_ID.findall(" ".join(asked.get("evidence") or []))
            ]
            relevant = {places[each]: 1.0 for each in turns_of if each in places}
            if relevant and asked["category"] != 5:
                questions.append(Asked(_in_first_person(asked["question"], speakers), relevant))
    return DataSet(name, "categories 1-4 without names, one memory for all", documents, questions)


def _unnamed(turn: dict[str, Any], speakers: tuple[str, str]) -> str:
    names = "|".join(re.escape(part) for who in speakers for part in (who, who[:3]))
    said = re.sub(rf",? ?\b({names})\b", "", turn["text"])
    return f"{'user' if turn['speaker'] == speakers[0] else 'friend'}: {said}"


def _in_first_person(question: str, speakers: tuple[str, str]) -> str:
    for who in speakers:
        question = re.sub(rf"\b{re.escape(who)}'s\b", "my", question)
        question = re.sub(rf"\b{re.escape(who)}\b", "I", question)
    return question


class _Locomo:
    """Conversations by turn, by session, or by the facts that were noted from them.

    The adversarial questions of category 5 are left out by turn and by fact, and kept by session, as in the
    figures that others give. Each conversation is a memory of its own, unless they are pooled.
    """

    def __init__(self, data: Path, unit: str, *, pooled: bool) -> None:
        self._conversations = json.loads(_read(data / "locomo" / "locomo10.json"))
        self._unit = unit
        self._pooled = pooled
        self._adversarial = unit == "session"
        self._notes: Counter[str] = Counter()

    def data_set(self, name: str) -> DataSet:
        documents: list[Document] = []
        questions: list[Asked] = []
        for number, conversation in enumerate(self._conversations):
            own = list(self._documents(f"c{number}", conversation))
            documents += own
            questions += self._questions(f"c{number}", conversation, [each.id for each in own])
        split = "categories 1-5" if self._adversarial else "categories 1-4"
        split += ", one memory for all" if self._pooled else ", a memory per conversation"
        return DataSet(name, split, documents, questions, self._notes)

    def _documents(self, name: str, item: dict[str, Any]) -> Iterator[Document]:
        talk, group = item["conversation"], "" if self._pooled else name
        speakers = f"{talk['speaker_a']} and {talk['speaker_b']}"
        for key in talk:
            match = _SESSION.fullmatch(key)
            if not match or not talk[key]:
                continue
            title = f"{speakers}, {talk[key + '_date_time'].split(' on ')[-1]}"
            turns = {turn["dia_id"]: f"{turn['speaker']}: {turn['text']}" for turn in talk[key]}
            if self._unit == "turn":
                for identity, text in turns.items():
                    yield Document(f"{name}/{identity}", title, text, group)
            elif self._unit == "session":
                yield Document(f"{name}/D{match[1]}", title, "\n".join(turns.values()), group)
            else:
                for who, facts in item["observation"].get(f"{key}_observation", {}).items():
                    for place, (fact, evidence) in enumerate(facts):
                        marks = " ".join(evidence) if isinstance(evidence, list) else evidence
                        yield Document(f"{name}/{key}/{who}/{place} {marks}", title, fact, group)

    def _questions(self, name: str, item: dict[str, Any], known: list[str]) -> Iterator[Asked]:
        turns = {
            turn["dia_id"]
            for key, value in item["conversation"].items()
            if _SESSION.fullmatch(key)
            for turn in value
        }
        for asked in item["qa"]:
            self._notes["questions"] += 1
            if asked["category"] == 5 and not self._adversarial:
                self._notes["of category 5, left out"] += 1
                continue
            evidence = asked.get("evidence") or []
            if not evidence:
                self._notes["without evidence, left out"] += 1
                continue
            if any(not _ID.fullmatch(each) or each not in turns for each in evidence):
                self._notes["with malformed evidence, repaired"] += 1
            found = [f"D{int(a)}:{int(b)}" for each in evidence for a, b in _LOOSE_ID.findall(each)]
            self._notes["ids that no turn has"] += sum(each not in turns for each in found)
            relevant = self._relevant(name, [each for each in found if each in turns], known)
            if relevant:
                yield Asked(asked["question"], dict.fromkeys(relevant, 1.0), "" if self._pooled else name)
            else:
                self._notes["with nothing to find, left out"] += 1

    def _relevant(self, name: str, turns: list[str], known: list[str]) -> list[str]:
        if self._unit == "turn":
            return [f"{name}/{turn}" for turn in turns]
        if self._unit == "session":
            return [f"{name}/{turn.partition(':')[0]}" for turn in turns]
        return [each for each in known if set(_ID.findall(each)) & set(turns)]


def _json_lines(path: Path) -> list[dict[str, Any]]:
    """Of a file that may be compressed."""
    packed = path.with_name(f"{path.name}.gz")
    text = _read(packed if packed.is_file() else path)
    return [json.loads(line) for line in text.split("\n") if line]


def _read(path: Path) -> str:
    if not path.is_file():
        raise MissingData(f"there is no {path}: give the directory that holds locomo/, scifact/, classic-ir/")
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
