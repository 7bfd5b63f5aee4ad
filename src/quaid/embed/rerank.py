"""A cross-encoder: it reads a question and a passage together, and says how well one answers the other.

It costs nearly as much as embedding the same tokens, so it is asked about a few short passages. What it
says is evidence like any other; whoever asks decides how much it weighs.

The lower eight layers of a public reranker read both texts; three layers of its own look at what these make
of them. They have learnt from the public one's upper layers how much a passage has to do with a question,
and from labelled questions whether it holds the answer, or only seems to (`tools/train_reader.py`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from threading import Semaphore
from typing import Any

from quaid.embed.judge import ANSWERS, Judge, open_judge
from quaid.embed.lower import NAME, TOKENIZER, WEIGHTS, files_here, lower_session
from quaid.embed.onnx import Once, OnnxFiles, open_session, reads_latin, usable_cores
from quaid.embed.plugin import Context
from quaid.embed.weights import ModelFile, locate_file, sound_file
from quaid.embed.wordpiece import UnsupportedTokenizer, WordPiece
from quaid.errors import EmbedderFailed
from quaid.model.reading import Reading

READER = "note-answers-minilm"
UPPER = ModelFile(
    "model_int8.onnx", 5_543_277, "758cf429ff2e67471bd4bffc6b95aab7524f591ca4d2d73a520683a1f88f81b9"
)
LAYERS = 8  # of the public reranker, that read both texts
LONGEST_QUESTION = 48  # tokens
LONGEST_PASSAGE = 80
MARKS = 3  # [CLS] and twice [SEP]
SEEMS = -1.5  # log odds: what is less probable does not seem to answer
OPINIONS = 2  # passages that seem to answer, of which the judge is asked whether they do
LEAST = 1e-6  # probability that is told from none
HEEDED = 0.5  # what the judge's word counts, beside the reader's own
RARER = 1.3  # log odds: of the texts from which the judge has learnt, more had an answer than of the reader's
BATCH = 4  # passages of similar length, at most: more of them fall out of the processor's caches


class Reranker:
    """Judges passages for a question. Safe to share between threads.

    Nothing is loaded before the first question.
    """

    name = READER

    def __init__(
        self, files: OnnxFiles, upper: Path, judge: Judge | None = None, workers: int | None = None
    ) -> None:
        self._files = files
        self._judge = judge
        self._workers = workers or usable_cores()
        self._cores = Semaphore(self._workers)  # more at a time would keep others waiting, and be no quicker
        self._session = Once(lambda: open_session(upper, READER, eight_bits=True))

    def reads(self, question: str) -> bool:
        """Whether it understands the script of a question."""
        return reads_latin(question)

    def readings(self, question: str, passages: Sequence[str], budget: int) -> list[Reading]:
        """What it makes of each passage, of as many as the budget of tokens allows."""
        asked = self._ids(question, LONGEST_QUESTION)
        read: list[list[int]] = []
        for passage in passages if asked else ():  # marks alone ask for nothing
            ids = self._ids(passage, LONGEST_PASSAGE)
            budget -= len(ids) + len(asked) + MARKS
            if budget < 0:
                break
            read.append(ids)
        return self._readings(asked, read)

    def with_opinions(
        self, question: str, passages: Sequence[str], readings: Sequence[Reading]
    ) -> list[Reading]:
        """The same with what the judge says of the best that seem to answer: it reads more closely."""
        found = list(readings)
        best = sorted(range(len(found)), key=lambda place: -found[place].logit - found[place].answers)
        best = [place for place in best[:OPINIONS] if found[place].answers > SEEMS]
        if not (self._judge and best):
            return found
        said = self._judge.judge(question, [passages[place] for place in best])
        for place, odds in zip(best, said, strict=True):
            if odds:
                own = found[place]
                opinion = math.log(max(odds[0], LEAST) / max(odds[1], LEAST)) - RARER
                found[place] = own._replace(answers=(1 - HEEDED) * own.answers + HEEDED * opinion)
        return found

    def _readings(self, asked: list[int], passages: list[list[int]]) -> list[Reading]:
        from concurrent.futures import ThreadPoolExecutor  # only those pay for it who ask

        batches = _batches([len(passage) for passage in passages])
        sessions = lower_session(self._files.weights, LAYERS), self._session()
        found: dict[int, Reading] = {}
        with ThreadPoolExecutor(self._workers, thread_name_prefix="rerank") as pool:
            runs = pool.map(
                lambda batch: self._run(sessions, asked, [passages[place] for place in batch]), batches
            )
            for batch, values in zip(batches, runs, strict=True):
                found.update(zip(batch, values, strict=True))
        return [found[place] for place in range(len(passages))]

    def _run(self, sessions: tuple[Any, Any], asked: list[int], passages: list[list[int]]) -> list[Reading]:
        import numpy as np  # 65 ms that only those pay who ask

        width = len(asked) + MARKS + max(map(len, passages))
        ids, seen, kinds = (np.zeros((len(passages), width), np.int64) for _ in range(3))
        start, end = self._tokenizer.start, self._tokenizer.end
        for place, passage in enumerate(passages):
            pair = [start, *asked, end, *passage, end]
            ids[place, : len(pair)] = pair
            seen[place, : len(pair)] = 1
            kinds[place, len(asked) + 2 : len(pair)] = 1
        inputs = {"input_ids": ids, "attention_mask": seen, "token_type_ids": kinds}
        lower, upper = sessions
        with self._cores:
            states = lower.run(None, inputs)[0]
            said = upper.run(None, {"states": states, "seen": seen.astype(np.float32)})[0]
        return [Reading(float(logit), float(answers)) for logit, answers in said]

    def _ids(self, text: str, most: int) -> list[int]:
        return self._tokenizer.encode(text, most + 2)[1:-1]

    @cached_property
    def _tokenizer(self) -> WordPiece:
        try:
            return WordPiece.load(self._files.tokenizer)
        except (OSError, json.JSONDecodeError, KeyError, TypeError, UnsupportedTokenizer) as error:
            raise EmbedderFailed(
                f"{self._files.tokenizer} cannot be used: {error}",
                hint=f"Remove it and put {NAME} there anew.",
            ) from error


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """Places of texts that are read together: of similar length, the longest first.

    There is an even number of batches, and each has about as many texts: so two cores are done at the same
    time. It does not depend on how many cores there are, because a reading depends a little on its batch.
    """
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    count = 2 * -(-len(order) // (2 * BATCH))
    edges = [len(order) * number // count for number in range(count + 1)] if count else [0]
    return [order[start:end] for start, end in pairwise(edges) if start < end]


def missing_files(context: Context) -> tuple[str, ...]:
    """The names of the files that neither the models' directory nor the package has."""
    return tuple(
        f"{name}/{file.name}"
        for name, file in ((NAME, WEIGHTS), (NAME, TOKENIZER), (READER, UPPER))
        if locate_file(name, file, context) is None
    )


def open_reranker(context: Context) -> Reranker | None:
    """The reranker, if its files are here."""
    files, upper = files_here(context), sound_file(READER, UPPER, context)
    return _reranker_at(files, upper, open_judge(context, ANSWERS)) if files and upper else None


@lru_cache(maxsize=1)
def _reranker_at(files: OnnxFiles, upper: Path, judge: Judge | None) -> Reranker:
    """One for all threads of a process: it is large."""
    return Reranker(files, upper, judge)
