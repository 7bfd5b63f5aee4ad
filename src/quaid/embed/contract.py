"""What every embedder must do, as tests to inherit.

class TestMine(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return Mine()
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from quaid.embed.embedder import Embedder, embed_query, sound_matrix, stream

if TYPE_CHECKING:
    from quaid.embed.embedder import Matrix

SCRIPTS = (
    "Grüße aus Köln, naïve façade",
    "Москва и Київ",
    "Αθήνα, ὁ ἄνθρωπος",
    "السلام عليكم",
    "שלום עולם",
    "नमस्ते दुनिया",
    "สวัสดีชาวโลก",
    "東京の小さな会社",
    "学习知识管理",
    "한국어 문장",
    "🦭👩‍💻 e\u0301\u200b\u0000\ufffd",
    "| a | b |\n|---|---|\n```python\nx = 1\n```",
)
PAIR = ("The cat sleeps on the sofa.", "A cat is sleeping on the sofa.")
FAR = "Interest rates of central banks rose in March."
EQUAL = 0.99  # the least cosine of two vectors of one text; quantised models vary with the batch


class EmbedderContract:
    """Inherit it, and give it a fixture `embedder`."""

    def rows(self, embedder: Embedder, texts: Sequence[str]) -> Matrix:
        """Checked: float32, one row of unit length and finite numbers per text."""
        return sound_matrix(embedder, embedder.embed(texts), len(texts))

    def same(self, one: Matrix, other: Matrix) -> bool:
        """Whether two matrices hold the same vectors, up to the noise of quantised models."""
        return one.shape == other.shape and bool(((one * other).sum(axis=-1) >= EQUAL).all())

    def test_it_says_what_it_is(self, embedder: Embedder) -> None:
        assert embedder.name, "the name is empty"
        assert embedder.name == embedder.name.strip(), "the name has spaces around it"
        assert embedder.dimensions > 0, "dimensions must be positive"
        assert isinstance(embedder.query_prefix, str), "query_prefix must be text"

    def test_one_row_per_text(self, embedder: Embedder) -> None:
        for count in (1, 2, 33, 70):
            self.rows(embedder, [f"note {number}" for number in range(count)])

    def test_no_texts(self, embedder: Embedder) -> None:
        assert self.rows(embedder, []).shape == (0, embedder.dimensions), "no texts must give no rows"

    def test_the_order_is_kept(self, embedder: Embedder) -> None:
        texts = [f"{word} {'and more ' * (7 * number % 11)}" for number, word in enumerate(SCRIPTS)]
        alone = [self.rows(embedder, [text])[0] for text in texts]
        together = self.rows(embedder, texts)
        for number, vector in enumerate(alone):
            assert self.same(vector, together[number]), f"text {number} has another vector in a list"

    def test_the_same_text_has_the_same_vector(self, embedder: Embedder) -> None:
        first, again = (self.rows(embedder, list(PAIR)) for _ in range(2))
        assert self.same(first, again), "a second call gave other vectors"

    def test_empty_texts(self, embedder: Embedder) -> None:
        self.rows(embedder, ["", " ", "\n", "not empty"])

    def test_a_long_text(self, embedder: Embedder) -> None:
        self.rows(embedder, ["memory of a long text " * 1000, "x" * 20_000, "学" * 20_000])

    def test_every_script(self, embedder: Embedder) -> None:
        self.rows(embedder, SCRIPTS)

    def test_many_threads(self, embedder: Embedder) -> None:
        texts = [f"{text} {number}" for number in range(3) for text in SCRIPTS]
        expected = self.rows(embedder, texts)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda text: self.rows(embedder, [text])[0], texts))
        for number, vector in enumerate(found):
            assert self.same(vector, expected[number]), f"text {number} has another vector in a thread"

    def test_a_question_gets_the_prefix(self, embedder: Embedder) -> None:
        expected = self.rows(embedder, [embedder.query_prefix + PAIR[0]])[0]
        assert self.same(embed_query(embedder, PAIR[0]), expected), "embed_query must add the prefix"

    def test_a_stream_has_the_rows_of_the_list(self, embedder: Embedder) -> None:
        texts = [f"{text} {number}" for number in range(4) for text in SCRIPTS]
        expected, start = self.rows(embedder, texts), 0
        for matrix in stream(embedder, iter(texts)):
            assert self.same(matrix, expected[start : start + len(matrix)]), "a stream gives other rows"
            start += len(matrix)
        assert start == len(texts), "a stream has fewer rows than texts"
        assert not list(stream(embedder, [])), "a stream of nothing has rows"

    def test_what_is_alike_is_nearer(self, embedder: Embedder) -> None:
        one, other, far = self.rows(embedder, [*PAIR, FAR])
        assert one @ other > one @ far, "a paraphrase is farther away than another subject"
