"""A network that reads two short texts: do they say the same, contradict each other, or speak of two things?

The lower layers of the reranker read the pair; six layers of its own, trained on labelled notes, statements
and sentences (`tools/train_notes.py`), stand on them, and several last ones, of which each answers another
question. So it costs 11 MB more, not 34.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from quaid.embed.lower import files_here, lower_session
from quaid.embed.onnx import Once, OnnxFiles, open_session, reads_latin, usable_cores
from quaid.embed.plugin import Context
from quaid.embed.weights import ModelFile, sound_file
from quaid.embed.wordpiece import WordPiece
from quaid.formats.figures import figures

if TYPE_CHECKING:
    from quaid.embed.embedder import Matrix, Vector


class Network(NamedTuple):
    """What one of the last layers says.

    The last label is that two texts have nothing to do with each other. `output` names the layer.
    Where not `both_ways`, the order of two texts counts.
    """

    labels: tuple[str, ...]
    output: str
    both_ways: bool = True


NAME = "notes-minilm"
WEIGHTS = ModelFile(
    "model_int8.onnx", 11_047_968, "72d31485791d29a4e7c120d831365e40084d7c85d025aefa102e33f04f4240fa"
)
PAIRS = Network(("duplicate", "contradiction", "distinct"), "notes")
STATEMENTS = Network(("contradiction", "none"), "statements")
# What a sentence does to a line of a notebook; which words are exchanged, `Judge.marks` says.
CHANGES = Network(("unrelated", "corrected", "removed", "done"), "says", both_ways=False)
# Whether a text answers a question.
ANSWERS = Network(("answers", "nothing"), "answers", both_ways=False)
LAYERS = 6  # of the reranker, that read both texts
LONGEST = 64  # tokens of one text
# Two denials are none, which it sees badly: `never leave without a key` is `only leave with a key`.
_DENIED_TWICE = re.compile(r"\b(?:never|do not|don['’]?t) (\w[^.;:!?\n]*?) without\b", re.IGNORECASE)
CLEAR = 0.9  # nothing to do with each other for sure: the other order of the two texts is not asked for


class Judge:
    """Judges pairs of texts. Safe to share between threads; nothing is loaded before the first pair."""

    def __init__(
        self, reader: OnnxFiles, weights: Path, network: Network = PAIRS, workers: int | None = None
    ) -> None:
        self._reader = reader
        self._network = network
        self._workers = workers or usable_cores()
        self._session = Once(lambda: _upper_session(weights))

    def judge(self, text: str, others: Sequence[str]) -> list[tuple[float, ...] | None]:
        """For a text and each of others: how probable each label is. None for what it cannot read."""
        with ThreadPoolExecutor(self._workers, thread_name_prefix="judge") as pool:
            return list(pool.map(lambda other: self._odds(text, other), others))

    def _odds(self, one: str, other: str) -> tuple[float, ...] | None:
        if not (reads_latin(one) and reads_latin(other)):
            return None
        found = self._probabilities(one, other)
        if self._network.both_ways and found[-1] < CLEAR:
            found = (found + self._probabilities(other, one)) / 2
        return tuple(map(float, found))

    def _probabilities(self, one: str, other: str) -> Any:
        import numpy as np  # 65 ms that only those pay who ask

        logits = self._session().run([self._network.output], {"states": self.states(one, other)[None]})[0][0]
        powers = np.exp(logits - logits.max())
        return powers / powers.sum()

    def states(self, one: str, other: str) -> Matrix:
        """What the lower layers make of two texts: a row for each token."""
        return self._states(*(self._tokenizer.encode(_plain(text), LONGEST) for text in (one, other)))

    def word_states(self, *texts: Sequence[str]) -> tuple[Matrix, list[list[int]]]:
        """The same of two rows of words as they are written, and which rows are those of each word."""
        places: list[list[int]] = []
        ids: list[list[int]] = []
        for words in texts:
            own = [self._tokenizer.start]
            before = sum(map(len, ids)) - bool(ids)  # the second text has no start of its own
            for word in words:
                parts = self._tokenizer.words(word)
                pieces = [piece for part in parts for piece in self._tokenizer.pieces[part]]
                room = pieces[: max(0, LONGEST - 1 - len(own))]
                places.append([before + len(own) + place for place in range(len(room))])
                own += room
            ids.append([*own, self._tokenizer.end])
        return self._states(*ids), places

    def _states(self, first: Sequence[int], second: Sequence[int]) -> Matrix:
        import numpy as np

        ids = np.array([[*first, *second[1:]]], np.int64)
        kinds = np.array([[0] * len(first) + [1] * (len(second) - 1)], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        found: Matrix = lower_session(self._reader.weights, LAYERS).run(None, inputs)[0][0]
        return found

    def marks(self, one: Sequence[str], other: Sequence[str]) -> list[float] | None:
        """How probable it is of each word of two texts that it takes a place in the other, or loses it."""
        import numpy as np

        if not reads_latin(" ".join((*one, *other))):
            return None
        states, places = self.word_states(one, other)
        marked = 1 / (1 + np.exp(-self._session().run(["marks"], {"states": states[None]})[0][0, :, 0]))
        return [float(marked[rows].mean()) if rows else 0.0 for rows in places]

    def summary(self, text: str) -> Vector | None:
        """What the lower layers make of one text, at its start and on average, if they can read it."""
        import numpy as np

        if not reads_latin(text):
            return None
        rows = self.states(text, "")
        return np.concatenate([rows[0], rows[1:].mean(axis=0)])

    @cached_property
    def _tokenizer(self) -> WordPiece:
        return WordPiece.load(self._reader.tokenizer)


def _plain(text: str) -> str:
    """A text as the network has learnt to read it: figures in one spelling, and no denial of a denial."""
    return _DENIED_TWICE.sub(r"only \1 with", figures(text))


def open_judge(context: Context, network: Network = PAIRS) -> Judge | None:
    """The judge with a network, if its files and the reranker's are here."""
    reader, weights = files_here(context), sound_file(NAME, WEIGHTS, context)
    return _judge_at(reader, weights, network) if reader and weights else None


@lru_cache(maxsize=4)
def _judge_at(reader: OnnxFiles, weights: Path, network: Network) -> Judge:
    """One for all threads of a process: it is large."""
    return Judge(reader, weights, network)


@lru_cache(maxsize=2)
def _upper_session(weights: Path) -> Any:
    """The layers of its own, once for all questions."""
    return open_session(weights, NAME, eight_bits=True)
