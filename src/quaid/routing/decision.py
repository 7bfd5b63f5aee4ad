"""Which line a sentence changes, by what a network says of each: a few, read together with the sentence.

What the rules find counts too (`evidence.py`). Where both together are not sure, a sentence is something new:
that costs less than a line that is changed by mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from quaid.model.record import record
from quaid.routing import conservation, days, evidence, manners, projects, safeguards, wordings
from quaid.routing.amendments import CONTACTS, ORDERS, Action
from quaid.routing.evidence import Odds
from quaid.routing.finder import Fit, Line
from quaid.routing.likely_lines import Likely
from quaid.routing.lists import APPOINTMENTS, key_of
from quaid.routing.places import PREFERENCES
from quaid.routing.shelf import DAILY
from quaid.routing.stems import fillers, stems
from quaid.routing.values import CODES, kinds, values_of, without_values

SURE = 0.5  # how probable it must be that a line is meant
LIKELY = 0.4  # the same where the rules have found that line and no other
RECENT = 0.15  # the same where it was written just now, and words say that something changes: `make that …`
ASKED = 0.4  # the same of the best of some that are meant about as well: that one is, if not which
CERTAIN = 0.72  # how probable it must be that a thing on a list becomes another without a word of change
BEYOND_DOUBT = 0.85  # the same of one with another value in the place of its own, whatever else is said
PLAIN = 0.8  # the same if it says hardly a word besides; or but the name of the line, and a number
GONE = 0.7  # how sure the network must be that something is done or goes of which no word says so
AGREED = 0.5  # the same of some lines among which the rules cannot choose
RIVAL = 0.1  # of the best of them: how probable another must be to be one of those that may be meant
VAGUE = 0.4  # below it, the network does not say what becomes of a line
# Beside the line that is meant best: one that is meant so much as well, and at least.
EQUAL, NEARLY = 0.6, 0.3
# The same of one from which no word tells it.
UNTOLD, POSSIBLE = 0.3, 0.2
MOST_EQUALS = 3  # lines between which a person would choose
PERHAPS = 0.3  # how probable it must be that a line is meant for the answer to name it
FEW = 3  # words and values that a sentence has and a line has not
MANY = 5  # so many of them that the sentence tells of something else
UNSURE = 0.9  # below it, a line of which hardly a word is said does not go
LASTING = 0.93  # below it, a taste or an order does not go without a clear word

Reader = Callable[[str, Sequence[str]], Sequence[Odds | None]]


@record
class Decision:
    """What is done to a line; of several, it is not clear which is meant."""

    action: Action
    lines: tuple[Line, ...]
    sure: bool = False  # that it is this action
    doubtful: bool = False  # whether it is done at all: nothing is, and the answer names the line


@record
class _Meant:
    likely: Likely
    odds: Odds
    share: float
    probability: float


def credible_fit(fit: Fit | None) -> Fit | None:
    """What the rules make of a sentence. What fits many lines alike says nothing about any of them."""
    return None if fit and len(fit.lines) > MOST_EQUALS and not fit.amendment.certain else fit


def decision_on(
    said: str, found: Sequence[Likely], reader: Reader, fit: Fit | None, today: date | None
) -> Decision | None:
    """What a sentence does to which of the likely lines; `fit` is what the rules make of it."""
    known = key_of(said)
    if (safeguards.is_addition(said) and not fit) or any(key_of(each.line.text) == known for each in found):
        return None
    own = "" if fit else safeguards.own_file(said)
    found = [each for each in found if not own or each.line.stem == own]
    told = zip(found, reader(said, [each.network_text for each in found]), strict=True)
    read = [(each, odds) for each, odds in told if odds]
    shares = evidence.shares([odds for _, odds in read])
    fitting = {
        each.line: share
        for (each, _), share in zip(read, shares, strict=True)
        if fit and each.line in fit.lines
    }
    if fit and len(fitting) > 1 and sum(fitting.values()) >= AGREED:
        # That one of them is meant is clear, though not always which.
        least = RIVAL * max(fitting.values())
        rivals = tuple(each for each in fit.lines if fitting.get(each, 0.0) >= least)
        goes = any(_goes(said, odds) for each, odds in read if each.line in rivals)
        return Decision(fit.amendment.action, _spoken_of(said, rivals, today), goes)
    meant = sorted(
        (
            _Meant(
                each, odds, share, evidence.probability(evidence.signs(said, each, odds, share, fit, today))
            )
            for (each, odds), share in zip(read, shares, strict=True)
        ),
        key=lambda each: each.probability,
        reverse=True,
    )
    same = fit.lines[0] if fit and len(fit.lines) == 1 else None
    if same and same.stem == CONTACTS and safeguards.is_other_address(said, same.text, today):
        return Decision("corrected", (same,))
    equals = _equals(said, meant, fit, today)
    if not equals or equals[0].probability < _least(equals, fit):
        return _perhaps(equals)
    named = _spoken_of(said, tuple(each.likely.line for each in equals), today)
    equals = [each for each in equals if each.likely.line in named]
    action = _action(said, equals[0], fit, today)
    if action == "corrected" and not _may_correct(said, equals[0], fit):
        return None
    line = equals[0].likely.line
    is_told = fit is not None and fit.amendment.cued
    if line.path.startswith(f"{DAILY}/") and not is_told and not safeguards.is_cued_strongly(said):
        return None  # what happened is not undone by what happens next
    if line.stem == CONTACTS and action == "corrected" and safeguards.is_somebody_else(said, line.text):
        return None
    if action == "corrected" and not is_told and safeguards.is_measured_again(said, line.text, today):
        return None
    if safeguards.is_once(said, line.text) or safeguards.means_counterpart(said, line.text, today):
        return _perhaps(equals)
    if action == "corrected" and safeguards.is_another_time(said, line.text, today):
        return _perhaps(equals)
    is_news = action != "corrected" and projects.is_news(said, line.path)
    if is_news or (not (fit and line in fit.lines) and _is_doubtful(said, action, equals[0], today)):
        return _perhaps(equals)
    return Decision(action, tuple(each.likely.line for each in equals), _goes(said, equals[0].odds))


def _perhaps(equals: Sequence[_Meant]) -> Decision | None:
    """No change, but one of which the answer is to speak."""
    if len(equals) != 1 or equals[0].probability < PERHAPS:
        return None
    return Decision("corrected", (equals[0].likely.line,), doubtful=True)


def _is_doubtful(said: str, action: Action, meant: _Meant, today: date | None) -> bool:
    """Whether a sentence, of which the network alone says that it changes a line, may tell of something else.

    What is wrongly changed costs more than what is wrongly added. Without a word of change, a line is
    corrected by a value in the place of its own, of the same thing; with one, by what says little else.
    """
    line = meant.likely.line.text
    asked, own = (stems(without_values(each)) - fillers() for each in (said, line))
    fresh = conservation.news(said, line, today)
    news = sum(each.startswith("word:") for each in fresh)
    if action != "corrected":
        told = safeguards.is_cued_strongly(said) or safeguards.is_permission(said)
        lasts = meant.likely.line.stem in (ORDERS, PREFERENCES) and not told
        least = LASTING if lasts else UNSURE if len(fresh) >= FEW and len(asked & own) < 2 else 0.0
        return meant.probability < least or safeguards.means_a_kind(said, line)
    exchange = wordings.exchanged(line, said, today)
    named = stems(" ".join((*safeguards.names(said), *safeguards.names(line))))
    is_akin = bool(asked & own - named) or news <= 1 or safeguards.points_at_one(said)
    if exchange is not None and is_akin and meant.probability >= BEYOND_DOUBT and news < MANY:
        return safeguards.is_for_another(said, line)
    if not asked & own and not safeguards.shares_names(said, line):
        return True
    if safeguards.is_cued(said):
        return news >= MANY and not safeguards.is_cued_strongly(said)
    if safeguards.is_for_another(said, line):
        return True
    if exchange is None and (news > 1 or meant.probability < PLAIN):
        return True
    return not asked & own - named and (meant.probability < PLAIN or not _has_code(fresh))


def _has_code(fresh: frozenset[str]) -> bool:
    """Whether there is a number or a code among the values of a sentence that are new."""
    return any(each.partition(":")[0] in CODES for each in fresh)


def _spoken_of(said: str, lines: tuple[Line, ...], today: date | None) -> tuple[Line, ...]:
    """Of lines that are meant about as well, those for which a sentence has a value, and more words.

    `Mrs Lockhart would rather have me on the 20th` means the one of her lines that has a day.
    """
    if len(lines) < 2:
        return lines
    spoken = kinds(said, today)
    lines = tuple(each for each in lines if spoken & kinds(each.text, today)) or lines
    asked = _spoken(said, today)
    shared = [asked & _spoken(each.text, today) for each in lines]
    return tuple(
        line for line, own in zip(lines, shared, strict=True) if not any(own < other for other in shared)
    )


def _spoken(text: str, today: date | None) -> frozenset[str]:
    """The words of a text, and its values, each as a whole."""
    words = {each for each in stems(text) - fillers() if not each.isdigit()}
    return frozenset(words | {each.key for each in values_of(text, today)})


def _least(equals: Sequence[_Meant], fit: Fit | None) -> float:
    """How probable it must be that the best of some lines is meant."""
    if len(equals) > 1:
        return ASKED
    line = equals[0].likely.line
    if not fit or fit.lines != (line,):
        return SURE
    if fit.amendment.was and key_of(fit.amendment.was) == key_of(line.text):
        return 0.0  # it says the whole line, and what that becomes
    return RECENT if fit.amendment.recent and fit.amendment.cued else LIKELY


def _may_correct(said: str, meant: _Meant, fit: Fit | None) -> bool:
    """Whether a sentence may take a line's place.

    What somebody likes is no item of a list, and what is said of a thing there without a word of change is
    another thing beside it, unless there is hardly a doubt; the mere name of a thing always is.
    """
    line = meant.likely.line
    if not line.path.startswith("lists/") or (fit and line in fit.lines):
        return True
    if line.stem == APPOINTMENTS:
        return True
    if manners.is_taste(said):
        return False
    if safeguards.is_cued(said):
        return True
    return safeguards.is_statement(said) and meant.probability >= CERTAIN


def _action(said: str, meant: _Meant, fit: Fit | None, today: date | None) -> Action:
    """What is done to the line. Nothing goes without a word of that, unless the network is sure.

    What somebody bids to forget goes, unless there is a value to take its place.
    """
    line, odds = meant.likely.line, meant.odds
    own = fit.amendment.action if fit and line in fit.lines else None
    ending = odds[2] + odds[3]
    if own and ((own != "corrected") == (ending > odds[1]) or max(odds[1], ending) < VAGUE):
        return own  # whether it is ticked or goes, words tell best
    if own == "corrected" and fit and values_of(fit.amendment.now, today):
        return own  # there is a value to take the place of another
    if safeguards.is_called_off(said, line.text, today):
        return "removed"
    if safeguards.is_taken_back(said) and wordings.exchanged(line.text, said, today) is None:
        return "removed"
    if safeguards.means_one_of_several(said, line.text) or not _goes(said, odds):
        return "corrected"
    return "done" if line.path.startswith("lists/") and odds[3] > odds[2] else "removed"


def _goes(said: str, odds: Odds) -> bool:
    """Whether the network says that a line goes: for sure, or where words say so too."""
    ending = odds[2] + odds[3]
    return ending >= GONE or (ending > odds[1] and safeguards.ends(said))


def _is_indistinct(said: str, best: _Meant, other: _Meant, today: date | None) -> bool:
    """Whether a sentence says nothing by which the likeliest line is told from another that may be meant."""
    if other.probability < max(UNTOLD * best.probability, POSSIBLE):
        return False
    line, rival = best.likely.line, other.likely.line
    asked = _spoken(said, today)
    return line.path == rival.path and asked & _spoken(line.text, today) <= asked & _spoken(rival.text, today)


def _equals(said: str, meant: Sequence[_Meant], fit: Fit | None, today: date | None) -> Sequence[_Meant]:
    """The line that is meant best, with those that are meant about as well."""
    best = meant[:1]
    if not best or (not best[0].likely.shared and best[0].likely.just_said):
        return best  # it names nothing, and speaks of what was just said
    if fit and fit.lines == (best[0].likely.line,):
        return best
    least = max(EQUAL * best[0].probability, NEARLY)
    top = [
        each
        for each in meant
        if each.probability >= least or (each is not best[0] and _is_indistinct(said, best[0], each, today))
    ]
    same = {key_of(days.undated(each.likely.line.text)) for each in top}
    return top if len(same) > 1 else best
