"""Titles of what somebody wants to read, watch or listen to."""

from __future__ import annotations

import re

from quaid.routing.lists import READING, WATCHLIST
from quaid.routing.patterns import grammar

_WANT = grammar(
    "lists",
    r"^(?:(?:(?:i|we)(?:'d| would)? )?(?:want|like|love|hope|plan|mean) to (?P<verb>read|watch)|"
    r"(?P<short>to read|to watch)|"
    r"(?:[\w'-]+ ){1,3}{SAYS}(?: that)? (?:i|we) (?:{MUST} |really )*(?P<told>read|watch)|"
    r"(?:[\w'-]+ ){1,3}{URGES}(?: me| us) to (?P<bade>read|watch))\s+"
    r"(?P<what>.+)$",
    re.IGNORECASE | re.DOTALL,
)
# A title has a capital letter or quotation marks; "watch the kids" and "read the meter" are chores.
_TITLED = re.compile(r"^(?i:re)?(?P<verb>(?i:read|watch))\s+(?P<what>[\"“'‘«A-Z0-9].*)$", re.DOTALL)
_TIP = re.compile(
    r"^(?P<kind>book|novel|film|movie|series|tv|show)s?(?: show| series)? "
    r"(?:recommendations?|recs?|tips?|suggestions?)"
    r"(?:\s+(?P<by>(?:from|by|of) [^:–—]{1,60}?))?\s*(?::(?!//)|\s[–—-])\s*(?P<what>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_TO_ENJOY = grammar(
    "lists",
    r"^(?:{WORK TO READ}|(?P<watched>{WORK TO WATCH})) "
    r"to (?:read|watch|see|listen to|hear|try|check out|look up)\s*(?::(?!//)|\s[–—-])\s*(?P<what>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED_TIP = grammar(
    "lists",
    r"^(?:[\w'-]+ ){1,3}{PRAISES}(?: me| us)?\s+(?P<what>[\"“«][^\"”»]{2,120}[\"”»])",
    re.IGNORECASE,
)
# Somebody wishes to read a work that the sentence names.
_WORK = grammar("lists", r"\b{WORK TO READ}\b")
_WISH_TO_READ = re.compile(
    r"\b(?:(?:want(?:s me)?|like|love|hope|need|have|ought|nagging me|recommends?(?: me)? [^,;:]{2,30}"
    r"|told me|tells me) to|wanna|gotta|must|should) read\b",
    re.IGNORECASE,
)
_PRAISED = grammar(
    "lists",
    r"^(?:(?:[\w'-]+ ){1,3}{PRAISES}(?: me| us)?"
    r"|(?:an? |this )?(?:interesting|good|great|must-read|recommended|new))\s+"
    r"(?:the |a |this )?(?:book|novel|paper|article|essay)\b\s*:?\s*(?P<what>[\"“'‘«A-Z0-9].*)$",
    re.DOTALL,
)
_OUGHT = re.compile(
    r"^(?:(?:[Ii]|[Ww]e) (?:should|must|need to|have to|ought to|really should) read"
    r"|[Rr]ecommended by [^:]{1,40}: (?:the )?(?:book|novel|essay|article|paper))\s+"
    r"(?P<what>[\"“'‘«A-Z0-9].*)$",
    re.DOTALL,
)
# "the film Coco for Sunday": a work with its name, of which nothing is said that it is or does.
_CALLED = grammar(
    "lists",
    r"^(?i:(?:the|that|this|an?|another) (?:{WORK TO READ}|(?P<watched>{WORK TO WATCH}))"
    r"|(?P<bare>documentary|podcast|memoir|novel|movie))"
    r"\s+(?=[\"“'‘«A-Z])(?:(?!\b(?i:{FINITE})\b)[^,;])+(?:[,;].*)?$",
    re.DOTALL,
)
# "…, Eirik says watch": somebody says so after the name.
_TOLD_AFTER = grammar(
    "lists",
    r"^.{0,80}?[A-Z].{0,80}?[,;–—-]+\s*(?:[\w'’]+\s){1,3}{SAYS}\s"
    r"(?:to\s|i should\s)?(?P<verb>read|watch|see)(?: it)?[.!]*$",
    re.NOFLAG,
)
# "that Sally Rooney one Mia is on about, Intermezzo".
_TALKED_OF = grammar(
    "lists", r"^[Tt]hat\s.{0,40}?(?:[A-Z][\w'’]+\s)(?:one|book|novel)\b.{0,80}?(?i:{TALKS OF})", re.NOFLAG
)
# "somebody said Salt Fat Acid Heat is a good one".
_CALLED_GOOD = grammar(
    "lists",
    r"^(?:[\w'’]+\s){1,3}(?i:{SAYS})\s(?:that\s)?[\"“'‘«A-Z].{0,80}?\s(?:is|was)\s"
    r"(?:an?\s|really\s|very\s|so\s)*(?:good|great|brilliant|lovely|worth)\s(?:one|read|book|reading)\b",
    re.NOFLAG,
)
_SOME_DAY = grammar("lists", r"[\s,]+{SOME DAY}[.!]*$")


def titles(said: str) -> tuple[str, str] | None:
    """What is to be read or watched: the list for it, and the titles."""
    tip = _TIP.match(said)
    if tip:
        kind = READING if tip["kind"].lower() in ("book", "novel") else WATCHLIST
        return kind, f"{tip['what'].rstrip(' .')} ({tip['by']})" if tip["by"] else tip["what"]
    enjoyed = _TO_ENJOY.match(said)
    if enjoyed:
        return WATCHLIST if enjoyed["watched"] else READING, enjoyed["what"]
    praised = _PRAISED.match(said) or _OUGHT.match(said) or _QUOTED_TIP.match(said)
    if praised:
        return READING, praised["what"]
    called, told = _CALLED.match(said), _TOLD_AFTER.match(said)
    if called:
        watched = called["watched"] or (called["bare"] or "").lower() in ("documentary", "movie")
        return WATCHLIST if watched else READING, said
    if told:
        return READING if told["verb"] == "read" else WATCHLIST, said
    if _TALKED_OF.match(said) or _CALLED_GOOD.match(said):
        return READING, said
    want = _WANT.match(said)
    if not want and _WISH_TO_READ.search(said) and _WORK.search(said):
        return READING, said
    titled = _TITLED.match(_SOME_DAY.without(said))
    if not want and not titled:
        return None
    named = titled["verb"] if titled else ""
    if want:
        named = want["verb"] or want["short"] or want["told"] or want["bade"]
    what = want["what"] if want else titled["what"] if titled else ""
    return READING if "read" in named.lower() else WATCHLIST, _SOME_DAY.without(what)
