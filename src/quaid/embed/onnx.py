"""A sentence embedder of BERT's kind that runs an ONNX file on the CPU.

One text is one run of the network. With dynamic int8 weights a text's vector depends on what shares
its batch; alone it is reproducible to the bit, so a cached vector equals a fresh one. Nor is it slow:
a batch pads and falls out of the processor's caches, and loses to single runs from ~60 tokens on.
Bulk speed comes from one worker thread per core, each running the shared single-threaded session.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from quaid.embed import product
from quaid.embed.unigram import Unigram, is_unigram
from quaid.embed.wordpiece import WordPiece
from quaid.errors import EmbedderFailed
from quaid.model.record import record

if TYPE_CHECKING:
    from concurrent.futures import Future

    from quaid.embed.embedder import Matrix, Vector

Pooling: TypeAlias = Literal["first", "mean"]
ROWS_PER_BATCH = 256
BATCH_SECONDS = 1.0  # what is kept more rarely is lost when the machine stops
AHEAD_PER_WORKER = 32
SLOW_FUSION = "SkipLayerNormFusion"  # takes three times as long as the two steps that it joins
MOST_WEIGHT = 127  # of int8
PROBE = 128  # rows and columns of the product by which a processor is tried


@record
class OnnxFiles:
    """What a model consists of."""

    weights: Path
    tokenizer: Path


_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")


class Once:
    """Something large that is made when it is first needed, once for all threads."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._making = Lock()
        self.made: Any = None

    def __call__(self) -> Any:
        with self._making:
            if self.made is None:
                self.made = self._make()
            return self.made


class OnnxEmbedder:
    """Embeds texts as vectors of unit length. Safe to share between threads.

    A text's vector is the state of its first token, or the mean of all. `scripts` says what the model reads:
    Latin letters alone, or any.
    Nothing is loaded before the first text: NumPy and onnxruntime cost a command ~0.3 s.
    """

    def __init__(
        self,
        name: str,
        files: OnnxFiles,
        *,
        dimensions: int,
        query_prefix: str = "",
        text_prefix: str = "",
        token_limit: int = 512,
        pooling: Pooling = "first",
        scripts: Literal["latin", "any"] = "latin",
        workers: int | None = None,
    ) -> None:
        self.name = name
        self.dimensions = dimensions
        self.query_prefix = query_prefix
        self.text_prefix = text_prefix
        self.token_limit = token_limit
        self._pooling = pooling
        self._scripts = scripts
        self._files = files
        self.workers = workers or usable_cores()
        self._session = Once(lambda: open_session(files.weights, name))

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One row per text, in order."""
        import numpy as np  # 65 ms that only those pay who embed

        matrix = np.empty((len(texts), self.dimensions), np.float32)
        if len(texts) == 1:
            matrix[0] = self._vector(texts[0])
            return matrix
        start = 0
        for batch in self.stream(texts):
            matrix[start : start + len(batch)] = batch
            start += len(batch)
        return matrix

    def stream(self, texts: Iterable[str], rows: int = ROWS_PER_BATCH) -> Iterator[Matrix]:
        """The rows of many texts, in order, a batch at a time: about one a second.

        Reads only as far ahead as the workers need: memory does not grow with the number of texts.
        Interrupted, it still yields the rows that it has.
        """
        import numpy as np  # 65 ms that only those pay who embed

        batch: list[Vector] = []
        due = time.monotonic() + BATCH_SECONDS
        try:
            for vector in self._vectors(texts):
                batch.append(vector)
                if len(batch) >= rows or time.monotonic() >= due:
                    full, batch = batch, []
                    yield np.stack(full)
                    due = time.monotonic() + BATCH_SECONDS
        except KeyboardInterrupt:
            if batch:
                yield np.stack(batch)
            raise
        if batch:
            yield np.stack(batch)

    def count_tokens(self, text: str) -> int:
        """How many tokens the whole text has, also when it is longer than the model reads."""
        return self.tokenizer.count(text)

    @cached_property
    def tokenizer(self) -> WordPiece | Unigram:
        """Loaded on first use; counting tokens needs neither NumPy nor the weights."""
        try:
            description = json.loads(self._files.tokenizer.read_bytes())
            return Unigram(description) if is_unigram(description) else WordPiece(description)
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise EmbedderFailed(
                f"{self._files.tokenizer} cannot be used: {error}", hint=f"Fetch {self.name} anew."
            ) from error

    def _vectors(self, texts: Iterable[str]) -> Iterator[Vector]:
        from concurrent.futures import ThreadPoolExecutor  # a single question needs no threads

        pool = ThreadPoolExecutor(self.workers, thread_name_prefix="embed")
        pending: deque[Future[Vector]] = deque()
        try:
            for text in texts:
                pending.append(pool.submit(self._vector, text))
                if len(pending) >= self.workers * AHEAD_PER_WORKER:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)

    @property
    def is_loaded(self) -> bool:
        """Whether it can embed at once."""
        return self._session.made is not None

    def reads(self, text: str) -> bool:
        """Whether the model understands the script of a text."""
        return self._scripts == "any" or reads_latin(text)

    def _vector(self, text: str) -> Vector:
        import numpy as np  # 65 ms that only those pay who embed

        if not self.reads(text):
            # What the model cannot read would come out near everything; this is far from all that it reads.
            nowhere = np.zeros(self.dimensions, np.float32)
            nowhere[0] = 1.0
            return nowhere
        ids = np.array([self.tokenizer.encode(text, self.token_limit)], np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        states: Matrix = self._session().run(None, inputs)[0]
        pooled = states[0, 0] if self._pooling == "first" else states[0].mean(axis=0)
        vector: Vector = pooled / np.linalg.norm(pooled)
        return vector


def open_session(weights: Path | bytes, name: str, *, eight_bits: bool = False) -> Any:
    """The network of an ONNX file, or of the bytes of one, which runs on one core at a time.

    Processors that add products in 16 bits cut off what does not fit. Weights of seven bits, as the embedders
    have, always fit; with `eight_bits` these processors add with more room, which takes half as long again.
    """
    try:
        silence_runtime()
        import onnxruntime  # 150 ms that only those pay who use a model
    except ImportError as error:
        raise EmbedderFailed(
            f"onnxruntime cannot be loaded: {error}", hint="Reinstall it: pip install onnxruntime"
        ) from error

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Texts differ in length, so that a plan of memory for one shape is of no use.
    options.enable_mem_pattern = False
    if eight_bits and _cuts_sums():
        options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        return onnxruntime.InferenceSession(
            weights if isinstance(weights, bytes) else str(weights),
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=[SLOW_FUSION],
        )
    except Exception as error:  # surface: onnxruntime's errors share no base class
        where = name if isinstance(weights, bytes) else weights
        raise EmbedderFailed(f"{where} cannot be used: {error}", hint=f"Fetch {name} anew.") from error


@cache
def _cuts_sums() -> bool:
    """Whether this processor cuts off sums of products. It is tried: a list of processors grows old."""
    import numpy as np  # only those ask who have loaded it

    network = product.network(bytes([MOST_WEIGHT]) * PROBE**2, PROBE)
    (sums,) = open_session(network, "product").run(None, {"rows": np.full((2, PROBE), 255, np.uint8)})
    return bool((sums != 255 * MOST_WEIGHT * PROBE).any())


def silence_runtime() -> None:
    """Keep onnxruntime from reporting its use to its maker. It asks the environment when it is loaded."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def reads_latin(text: str) -> bool:
    """Whether an English model makes anything of a text: not if most of its letters are of other scripts."""
    letters = sum(1 for _ in _LETTER.finditer(text))
    return 2 * sum(1 for _ in _LATIN.finditer(text)) >= letters


def usable_cores() -> int:
    """Cores that this process may use, which a container or taskset can narrow."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
