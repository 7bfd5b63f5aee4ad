"""States of tasks, deals, projects and companies, as fields name them and as texts tell of them."""

from __future__ import annotations

import re
from typing import Literal

from quaid.formats.slugs import fold

State = Literal["open", "done", "won", "dead", "bought"]

_WORDS: dict[State, str] = {
    "open": """open confirmed todo to-do next active ongoing pending negotiation negotiating negotiations
        prospect prospecting qualified proposal lead scheduled planned planning waiting blocked draft
        running live started due diligence discussion talks evaluating review independent alive in
        progress under offer contacted new pipeline doing""",
    "done": """done completed complete finished closed delivered shipped fulfilled resolved paid filed
        submitted""",
    "won": "won signed closed-won",
    "dead": """cancelled canceled lost dropped abandoned rejected declined dead scrapped shelved terminated
        closed-lost withdrawn obsolete passed defunct dissolved bankrupt insolvent shut""",
    "bought": "acquired bought merged",
}
_STATES = {word: state for state, words in _WORDS.items() for word in words.split()}
# What cannot hold with what; a deal that is won is done as well.
_APART: dict[State, tuple[State, ...]] = {
    "open": ("done", "won", "dead"),
    "done": ("open", "dead"),
    "won": ("open", "dead"),
    "dead": ("open", "done", "won"),
    "bought": (),
}
_BE = r"(?:(?:has|have)\s+(?:now\s+)?been|was|were|is(?:\s+now)?|are(?:\s+now)?|got)"
_THING = (
    r"(?:the\s+|this\s+)?(?:contract|deal|agreement|lease|sale|purchase|order|policy|term\s+sheet\s+final)"
)
_ENDS = (
    r"(?=\s*(?:$|[.,;:!)–—-]|\b(?:on|in|at|by|with|after|because|since|and|this|last|yesterday|today|for\s+good"
    r"|due|early|late)|\d))"
)
# What each says, told by its verb; `@` stands where the subject ends.
_TOLD: tuple[tuple[State, str], ...] = (
    (
        "dead",
        rf"{_BE}\s+(?:\w+ly\s+)?(?:cancel+ed|called\s+off|abandoned|scrapped|dropped|shelved"
        r"|terminated|rejected|withdrawn|lost|dissolved|shut\s+down|wound\s+up|discontinued)",
    ),
    (
        "dead",
        r"(?:chose|went\s+with|picked|decided\s+for|signed\s+with)\s+(?:a\s+competitor|another\s+\w+|somebody\s+else|someone\s+else"
        r"|the\s+competition|a\s+rival)",
    ),
    (
        "dead",
        r"(?:will\s+not|won['’]t|does\s+not|doesn['’]t|did\s+not|didn['’]t)\s+take\s+place|is\s+no\s+longer\s+(?:happening|planned|on)",
    ),
    (
        "dead",
        r"(?:turned\s+(?:us|it|the\s+offer)\s+down|declined\s+(?:our|the)\s+(?:offer|proposal)|pulled\s+out|backed\s+out"
        r"|broke\s+off\s+(?:the\s+)?(?:talks|negotiations)|(?:closed|shut)\s+(?:its|their)\s+doors|shut\s+down\s+(?:in|on|for\s+good))",
    ),
    (
        "dead",
        r"(?:fell\s+through|collapsed|went\s+bankrupt|filed\s+for\s+bankruptcy|ceased\s+(?:trading|operations))",
    ),
    (
        "dead",
        rf"(?:we|they|he|she|both\s+sides)\s+(?:passed\s+on|walked\s+away\s+from|cancel+ed|called\s+off|dropped)"
        rf"\s+(?:{_THING}|the\s+\w+|it)",
    ),
    ("won", rf"(?:signed|closed|won|completed)\s+{_THING}\b"),
    (
        "won",
        r"(?:both\s+(?:sides|parties)|they|all\s+parties)\s+(?:have\s+)?signed(?=\s*(?:$|[.,;]|on\b|in\b|at\b|today))",
    ),
    (
        "done",
        r"(?:went|is|has\s+been)\s+live\s+(?:on|since|in)|(?:was|were)\s+(?:launched|published|released|merged|approved)\s+(?:on|in)",
    ),
    ("won", rf"{_THING}\s+(?:{_BE}\s+)?(?:signed|closed|won|countersigned){_ENDS}"),
    (
        "done",
        rf"{_BE}\s+(?:finally\s+|all\s+|already\s+)?(?:completed|finished|done|delivered|shipped|closed|resolved"
        rf"|fulfilled|signed|paid(?:\s+in\s+full)?|filed|submitted|handed\s+in|wrapped\s+up){_ENDS}",
    ),
    (
        "dead",
        r"(?:stopped|cancel+ed|ended|scrapped|called\s+off|terminated|abandoned|shelved|killed|dropped|axed|gave\s+up)"
        r"\s+(?:the|this|our)\s+(?:whole\s+)?(?P<noun>[\w-]+)",
    ),
    (
        "done",
        r"ist\s+(?:seit\s+[\w. ]+?\s+)?(?:fertig|abgeschlossen|erledigt)"
        r"|wurde\s+[\w. ]*?(?:abgeschlossen|fertiggestellt)",
    ),
    ("dead", r"(?:wurde|ist)\s+[\w. ]*?abgesagt"),
    (
        "open",
        r"(?:is|are)\s+(?:still\s+)?not\s+(?:yet\s+)?(?:finished|done|complete|completed|delivered|signed|closed"
        r"|paid|resolved)",
    ),
    (
        "open",
        r"(?:is|are)\s+still\s+(?:open|in\s+progress|running|ongoing|pending|going\s+on|active|under\s+way"
        r"|negotiat\w+|waiting|unfinished|under\s+negotiation|being\s+\w+ed)",
    ),
    ("bought", rf"(?:{_BE}\s+)?(?:acquired|bought|taken\s+over)\s+by\s+(?=(?-i:[A-Z]))"),
)
TOLD = tuple((state, re.compile(pattern, re.IGNORECASE)) for state, pattern in _TOLD)
# A line of the timeline may begin with the state alone.
BEGUN: tuple[tuple[State, re.Pattern[str]], ...] = (
    (
        "dead",
        re.compile(
            rf"(?:Cancel+ed|Dropped|Withdrawn|Terminated|Discontinued|Called\s+off|Abandoned|Scrapped|Shelved|Rejected|Lost(?:\s+to\b)?){_ENDS}|Lost\s+to\s"
        ),
    ),
    (
        "done",
        re.compile(
            rf"(?:Done|Completed|Finished|Delivered|Closed|Resolved|Fulfilled|Paid|Filed|Submitted|Shipped|Launched|Released|Handed\s+in){_ENDS}"
        ),
    ),
    ("won", re.compile(rf"(?:Won|Signed|Closed[- ]won){_ENDS}")),
    ("open", re.compile(r"(?:Re-?opened|Resumed|Restarted|Revived)\b")),
)
# Only a part of the thing, or another thing.
PARTIAL = re.compile(
    r"\b(?:phase|part|partly|half|halfway|step|milestone|section|stage|draft|first|second|third|nda|\d+\s*%|percent"
    r"|office|shop|round|meeting|call|review|application|chapter|module|sprint|quarter|most|some|survey|permit"
    r"|ticket|bug|issue|account|window|door|road|store|school|session|tests?|registration|bidding|books?)\b",
    re.IGNORECASE,
)


def state_of(text: str) -> State | None:
    """The state that a field names."""
    plain = fold(text).replace("_", " ").strip()
    if plain in _STATES:
        return _STATES[plain]
    words = plain.replace("-", " ").split()
    known = {_STATES[word] for word in words if word in _STATES}
    return known.pop() if len(known) == 1 and len(words) <= 3 else None


def are_apart(field: str, told: State) -> bool:
    """Whether a field's state and one that is told cannot both be."""
    state = state_of(field)
    if told == "bought":
        return fold(field) in ("independent", "private", "bootstrapped")
    return state is not None and told in _APART[state]


_TRIGGER_WORDS = """
cancel called cancelled canceled abandoned scrapped dropped shelved terminated rejected withdrawn lost
dissolved shut wound discontinued chose went picked decided signed take happening planned on turned declined
pulled backed broke fell collapsed bankrupt bankruptcy ceased passed walked closed won completed
countersigned live launched published released merged approved finished done delivered shipped resolved
fulfilled paid filed submitted handed wrapped stopped ended killed axed gave fertig abgeschlossen erledigt
fertiggestellt abgesagt not still acquired bought taken resumed restarted revived reopened
"""
_TRIGGERS = frozenset(_TRIGGER_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+")


def may_tell(text: str) -> bool:
    """Whether a sentence has a word that tells of a state at all."""
    return not _TRIGGERS.isdisjoint(_WORD.findall(text.lower()))
