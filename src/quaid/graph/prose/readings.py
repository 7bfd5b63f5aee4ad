"""What a network that reads a claim and a sentence finds against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from quaid.graph.prose.candidates import Candidate, Claim
from quaid.graph.prose.holdings import Source
from quaid.model.record import record, replace

# How probable it is that what one text says cannot hold beside what each of others says.
Reader = Callable[[str, Sequence[str]], Sequence[float | None]]

# Of what it calls a contradiction on pages that nobody had read, half are none: a hint, and no finding.
FACT = 0.6  # from here on, a sentence against a fact is a hint
TEXT = 0.85  # between two sentences, of which each may mean something else


@record
class Reading:
    """A sentence that stands against a claim."""

    claim: Claim
    one: Source


def readings(candidates: Iterable[Candidate], reader: Reader) -> Iterator[Reading]:
    """Of each claim, the sentence that stands against it most clearly, if one does."""
    for candidate in candidates:
        said = reader(candidate.claim.read, [each.read for each in candidate.passages])
        probable = [(each or 0.0, place) for place, each in enumerate(said)]
        most, place = max(probable)
        if most >= (FACT if candidate.claim.held else TEXT):
            yield Reading(candidate.claim, replace(candidate.passages[place].source, perhaps=True))
