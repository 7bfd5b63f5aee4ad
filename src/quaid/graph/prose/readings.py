"""What a network that reads a claim and a sentence makes of the two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from quaid.graph.prose.amounts import agree, agree_converted, clash
from quaid.graph.prose.candidates import Candidate, Claim, Passage
from quaid.graph.prose.leeway import leaves_room
from quaid.model.record import record

# How probable it is that what one text says cannot hold beside what each of others says.
Reader = Callable[[str, Sequence[str]], Sequence[float | None]]

# Chosen by pages of authors from whom the network had not learnt (half are baits): three of four are right.
FACT = 0.9  # from here on, a sentence against a fact is a finding
TEXT = 0.93  # between two sentences of one page
AMOUNT = 0.3  # against a field whose amount is another one of the same thing
APART = 0.92  # between sentences of two pages, of which each may mean something else
HINT = 0.6  # from here on it is listed as “perhaps”
ROOM = 0.8  # no more than this where words of a sentence leave room for both
DOUBT = 0.3  # what a phrase finds and the network holds for less probable is a “perhaps”


@record
class Reading:
    """A claim and a sentence, and how probable it is that they cannot both hold."""

    claim: Claim
    passage: Passage
    odds: float

    @property
    def is_clear(self) -> bool:
        """Whether it is a finding."""
        if self.claim.held or not self.claim.passage:
            return self.odds >= FACT
        return self.odds >= (TEXT if self.claim.passage.page.id == self.passage.page.id else APART)


def readings(candidates: Iterable[Candidate], reader: Reader) -> Iterator[Reading]:
    """What the network makes of all candidates that it can read."""
    for candidate in candidates:
        said = reader(candidate.claim.read, [each.read for each in candidate.passages])
        for passage, odds in zip(candidate.passages, said, strict=True):
            if odds is not None:
                yield Reading(candidate.claim, passage, _considered(candidate.claim, passage, odds))


def _considered(claim: Claim, passage: Passage, odds: float) -> float:
    """How probable it is, given what a network hardly sees: which amounts both name, and what leaves room."""
    if odds < AMOUNT:
        return odds
    if claim.value:
        if agree(claim.key, claim.value, passage.text):
            return 0.0
        if odds < FACT and clash(claim.key, claim.value, passage.text):
            odds = FACT
    said = claim.passage.text if claim.passage else claim.value
    if agree_converted(said, passage.text):
        return 0.0
    if odds > ROOM and leaves_room(claim.key, claim.value, said, passage.text, told=bool(passage.day)):
        return ROOM
    return odds


def clearest(read: Iterable[Reading]) -> list[Reading]:
    """Of each claim, the sentence that stands against it most clearly, if one does; the surest first."""
    found: dict[int, Reading] = {}
    for each in read:
        known = found.get(id(each.claim))
        if each.odds >= HINT and (known is None or each.odds > known.odds):
            found[id(each.claim)] = each
    return sorted(found.values(), key=lambda each: -each.odds)
