"""What forbids that a sentence changes a line, whoever thinks that it does: rules or a network.

A line that is changed by mistake costs more than one that is added. So nothing goes without a word of removal
or completion, a line with other names is not meant, what has a day and a time of its own is a new appointment
unless it is said to be moved, and without a word of change only another value of the same thing corrects.
"""

from __future__ import annotations

import re
from datetime import date

from quaid.routing import conservation, days, occasions, wordings
from quaid.routing.amendments import Action
from quaid.routing.clauses import clauses
from quaid.routing.lists import IDEAS
from quaid.routing.patterns import grammar, ways
from quaid.routing.phrase_files import phrase_set, sections
from quaid.routing.stems import base_of, fillers, stem, stems
from quaid.routing.values import DAY, TIME, WEEKDAY, values_of, without_values

ABOUT, WELL = 0.3, 0.6  # shares of words
SEVERAL, SHORT = 3, 4  # things of a line that is a list, and words of each
_CHANGE = ways("safeguards", "change", anywhere=True)
_STATEMENT = ways("safeguards", "statement", anywhere=True)
_MOVE = ways("safeguards", "move", anywhere=True)
_END = ways("safeguards", "end", anywhere=True)
_CALLED_OFF = ways("safeguards", "called off", anywhere=True)
_FURTHER = ways("safeguards", "further", anywhere=True)
_ADDITION = ways("safeguards", "addition")
_TAKEN_BACK = ways("safeguards", "taken back")
_ONCE = ways("safeguards", "once", anywhere=True)
_RECURRING = ways("safeguards", "recurring", anywhere=True)
_RULE = ways("safeguards", "rule")
_LIKING = ways("safeguards", "liking")
_MEASURED = ways("safeguards", "measured", anywhere=True)
_MEASURED_ON = ways("safeguards", "measured on", anywhere=True)
_POINTING = ways("safeguards", "pointing", anywhere=True)
_PERMISSION = ways("safeguards", "permission")
_SAME_APPOINTMENT = ways("safeguards", "same appointment", anywhere=True)
_POINTING_BACK = grammar("safeguards", r"(?:{POINTING BACK}[\s,;]*)*")
_NAME = re.compile(r"(?<![\w.])[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ'’]+(?:-[A-Z][a-z]+)*")
_WHOLE_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w-]+(?: [A-ZÀ-ÖØ-Þ][\w-]+)+")
_WHICH = re.compile(r"\b(?P<kind>[A-Za-z]{3,})\s+#?(?P<which>[A-Z]|\d{1,3})\b(?!\s*(?:am|pm|%|[:.]\d))")
_NUMBERED = re.compile(r"\b(?P<kind>[A-Za-z]+)-?(?P<which>\d{1,3})\b")
_WORD = re.compile(r"[a-z'’]+", re.IGNORECASE)
_FOR = re.compile(r"\b(?:for|of)\s+(?:the\s|my\s|our\s|an?\s)?(?P<what>[^\W\d]{3,})", re.IGNORECASE)
_KIND = re.compile(
    r"^\W*(?:no|not)\s+(?P<what>[^,;.]+?)\s(?:with|in|from|without|containing)\s\S", re.IGNORECASE
)


def allows(said: str, action: Action, text: str, today: date | None) -> bool:
    """Whether a sentence may change a line in that way."""
    if not shares_names(said, text) and not _CHANGE.search(said):
        return False
    if is_once(said, text) or means_counterpart(said, text, today):
        return False
    if action != "corrected":
        return ends(said) and not means_one_of_several(said, text)
    return is_correction(said, text, today)


def is_correction(said: str, text: str, today: date | None) -> bool:
    """Whether a sentence may correct a line: by words of change, or with another value and no more."""
    if is_cued(said):
        return True
    return not is_appointment(said, today) and _has_only_other_value(said, text, today)


def is_cued(said: str) -> bool:
    """Whether words say that something was otherwise before."""
    return _CHANGE.search(said) is not None and not _FURTHER.search(said)


def is_cued_strongly(said: str) -> bool:
    """Whether words say that it was wrong before, or is otherwise now."""
    return _MOVE.search(said) is not None


def ends(said: str) -> bool:
    """Whether words say that something is done, or not wanted any more."""
    if _END.search(said):
        return True
    return any(base_of(word.lower()) for word in _WORD.findall(said))


def is_taken_back(said: str) -> bool:
    """Whether a clause of a sentence bids to forget what is written there."""
    return any(_TAKEN_BACK.match(each) for each in (clauses(said) or [[said]])[0])


def is_called_off(said: str, text: str, today: date | None) -> bool:
    """Whether a clause says of a line that it will not be, and no other day or time is named for it."""
    if {each.kind for each in values_of(said, today)} & {DAY, TIME, WEEKDAY}:
        return False
    own = stems(text) - fillers()
    return any(_CALLED_OFF.search(each) and stems(each) & own for each in (clauses(said) or [[said]])[0])


def is_addition(said: str) -> bool:
    """Whether a sentence begins as one that adds something."""
    return _ADDITION.match(said) is not None


def is_statement(said: str) -> bool:
    """Whether it says something, and is not but the name of a thing, as lists have it: `washers M6`."""
    return _STATEMENT.search(said) is not None


def goes_on(said: str) -> bool:
    """Whether a sentence speaks of what the one before it names: `Wednesday, same hour`."""
    words = without_values(said)
    return _POINTING_BACK.fullmatch(words.strip(" .,;!")) is not None


def own_file(said: str) -> str:
    """The file whose lines alone a sentence may change, since it says what sort of thing it is; or ""."""
    if occasions.idea(said):
        return IDEAS
    if _RULE.match(said):
        return "standing-orders"
    return "preferences" if _LIKING.match(said) else ""


def is_about(said: str, text: str, others: frozenset[str]) -> bool:
    """Whether a good part of what is said speaks of a line, or all of a line is spoken of.

    `others` are words to which the line answers besides its own.
    """
    asked, own = (stems(without_values(each)) - fillers() for each in (said, text))
    shared = asked & (own | others)
    return len(shared) >= ABOUT * len(asked) or (len(shared) > 1 and len(asked & own) >= WELL * len(own))


def is_permission(said: str) -> bool:
    """Whether a sentence begins by allowing what was asked to be done or left: `you can stop …`."""
    return _PERMISSION.match(said) is not None


def points_at_one(said: str) -> bool:
    """Whether a sentence points at one of some things that are known: `the Kawangware one`."""
    return _POINTING.search(said) is not None


def is_another_time(said: str, text: str, today: date | None) -> bool:
    """Whether a sentence has a day and a time of its own, of which a dated line has another day.

    That is a further appointment, unless words say that it is the one that was known.
    """
    if not is_appointment(said, today) or _SAME_APPOINTMENT.search(said):
        return False
    mine, theirs = ({each.key for each in values_of(one, today) if each.kind == DAY} for one in (said, text))
    return bool(theirs) and not mine & theirs


def is_other_address(said: str, text: str, today: date | None) -> bool:
    """Whether a sentence has but another number or mail address for somebody whose whole name a line has."""
    named = {each[0] for each in _WHOLE_NAME.finditer(said)}
    return any(each in text for each in named) and _has_only_other_value(said, text, today)


def is_somebody_else(said: str, text: str) -> bool:
    """Whether a sentence begins with the whole name of somebody, and a line has that of another person."""
    mine = _WHOLE_NAME.match(said)
    theirs = [set(each[0].lower().split()) for each in _WHOLE_NAME.finditer(text)]
    if not mine or not theirs:
        return False
    return not any(set(mine[0].lower().split()) & each for each in theirs)


def is_measured_again(said: str, text: str, today: date | None) -> bool:
    """Whether a sentence says what was measured on a day, as a line does: both are kept.

    `Mum's blood pressure 141 over 82` does not say that 148 over 86 was wrong before.
    """
    if is_cued_strongly(said) or not (_MEASURED.search(said) and _MEASURED.search(text)):
        return False
    return _MEASURED_ON.search(said) is not None or wordings.exchanged(text, said, today) is not None


def is_further(said: str) -> bool:
    """Whether a sentence says that it adds to what is there."""
    return _FURTHER.search(said) is not None


def names(text: str) -> set[str]:
    """The names of people, places and things in a text, as far as capitals tell."""
    known = phrase_set("safeguards", "no name")
    found: set[str] = set()
    for match in _NAME.finditer(text):
        name = re.sub(r"['’]s?$", "", match[0]).lower()
        begins = not text[: match.start()].strip() or text[: match.start()].rstrip()[-1:] in '.!?:"“'
        if not begins and name not in known and not values_of(match[0]):
            found.add(name)
    return found


def means_one_of_several(said: str, text: str) -> bool:
    """Whether a line lists several things and a sentence speaks of some of them alone: the others stay."""
    things = [part.strip() for part in text.rpartition(":")[2].split(",")]
    if len(things) < SEVERAL or any(len(thing.split()) > SHORT for thing in things):
        return False
    asked = stems(said) - fillers()
    meant = sum(bool(asked & stems(thing)) for thing in things)
    return 0 < meant < len(things)


def means_a_kind(said: str, text: str) -> bool:
    """Whether a sentence refuses one kind of a thing alone: `no marmalade with whisky in it`."""
    kind = _KIND.match(said)
    return bool(kind and stems(text) and stems(text) <= stems(kind["what"]))


def is_once(said: str, text: str) -> bool:
    """Whether a sentence speaks of one time alone of what recurs: `no swimming this Saturday`."""
    recurs = _RECURRING.search(days.undated(text)) is not None
    return recurs and _ONCE.search(said) is not None and _RECURRING.search(said) is None


def means_counterpart(said: str, text: str, today: date | None) -> bool:
    """Whether a sentence has a value for the counterpart of what a line is about: the back door, or `B3`."""
    made = wordings.exchanged(text, said, today)
    if made is None:
        return False
    asked, own = set(_words(said)), set(_words(days.undated(made)))
    for line in sections("safeguards")["counterparts"]:
        group = set(line.split())
        if asked & group and own & group and not asked & own & group:
            return True
    mine, theirs = (
        {(each["kind"].lower(), each["which"]) for each in _NUMBERED.finditer(one)} for one in (said, text)
    )
    if mine & theirs or not {kind for kind, _ in mine} & {kind for kind, _ in theirs}:
        return False
    # "B3 came to 388" has another value besides: the number is no new one of the same thing.
    return sum(not each.startswith("word:") for each in conservation.news(said, text, today)) > 1


def is_for_another(said: str, text: str) -> bool:
    """Whether both say what a thing is for, and not the same: `the key for the shed`."""
    mine, theirs = ({stem(each["what"].lower()) for each in _FOR.finditer(one)} for one in (said, text))
    return bool(mine and theirs) and not mine & stems(text) and not theirs & stems(said)


def shares_names(said: str, text: str) -> bool:
    """Whether two texts have a name in common, or one of them has none."""
    mine, theirs = names(said), names(text)
    if not mine or not theirs:
        return True
    return bool(mine & set(_words(text)) or theirs & set(_words(said)))


def _words(text: str) -> list[str]:
    return [re.sub(r"['’]s?$", "", word.lower()) for word in re.findall(r"[\w'’-]+", text)]


def is_appointment(said: str, today: date | None) -> bool:
    """Whether a sentence has a day and a time of its own, and moves nothing."""
    kinds = {each.kind for each in values_of(said, today)}
    return {DAY, TIME} <= kinds and not _MOVE.search(said)


def _has_only_other_value(said: str, text: str, today: date | None) -> bool:
    """Whether a sentence has another value for what a line speaks of, and says nothing else of it.

    `The size is 44 in boots` is a second thing to know beside the size.
    """
    if has_rival(said, text) or wordings.exchanged(text, said, today) is None:
        return False
    if not (stems(without_values(said)) & stems(without_values(text))) - fillers():
        return False
    return not any(each.startswith("word:") for each in conservation.news(said, text, today))


def has_rival(said: str, text: str) -> bool:
    """Whether both name a thing of one kind with another letter or number: `buffer C`, and `buffer B`."""
    mine, theirs = (
        {each["kind"].lower(): each["which"] for each in _WHICH.finditer(one)} for one in (said, text)
    )
    return any(mine[each] != theirs[each] for each in mine.keys() & theirs.keys())
