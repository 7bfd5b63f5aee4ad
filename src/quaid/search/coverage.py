"""What the arm of meaning may say while it knows only some of the texts.

A page that is not embedded yet is not a page that has nothing to do with the question. What it would say is
taken from pages that are known: how far they stand out, as far as their words let expect it. And what is
known is believed as far as the arm has come, so that few texts, among which something always stands out, do
not push aside what words find. Figures are in docs/benchmarks-search.md; bench/coverage.py makes them.
"""

from __future__ import annotations

from collections.abc import Mapping

from quaid.model.record import record

DOUBT = 1.0  # standard deviations above what is expected, for a page of which nothing is known
FEWEST = 3  # pages, from which something can be expected of others
SMALL = 1e-3  # added to how the words vary, which may not at all


@record
class Expectation:
    """How far pages stand out by meaning, as far as their words tell: a line through those that are known."""

    base: float
    slope: float
    spread: float

    def of(self, words: float) -> float:
        """For a page with that score by words."""
        return self.base + self.slope * words + DOUBT * self.spread


def expectation(standing: Mapping[int, float], words: Mapping[int, float]) -> Expectation:
    """The least squares over the pages of which both are known; it never falls."""
    known = [(words[page], standing[page]) for page in words if page in standing]
    if len(known) < FEWEST:
        return Expectation(0.0, 0.0, 1.0)
    count = len(known)
    middle = sum(score for score, _ in known) / count
    height = sum(value for _, value in known) / count
    variance = sum((score - middle) ** 2 for score, _ in known) / count
    together = sum((score - middle) * (value - height) for score, value in known) / count
    slope = max(0.0, together / (variance + SMALL))
    base = height - slope * middle
    rest = sum((value - base - slope * score) ** 2 for score, value in known) / count
    return Expectation(base, slope, rest**0.5)


def expected_standing(
    standing: Mapping[int, float],
    words: Mapping[int, float],
    shares: Mapping[int, float],
    coverage: float,
) -> dict[int, float]:
    """How far each page is taken to stand out: what is expected of it, moved towards what is known of it.

    `shares` says how much of each page is embedded, `coverage` how much of everything.
    """
    expected = expectation(standing, words)
    found: dict[int, float] = {}
    for page in {*words, *standing}:
        guess = expected.of(words.get(page, 0.0))
        known = standing.get(page, guess)
        found[page] = guess + coverage * shares.get(page, 0.0) * (known - guess)
    return found
