"""Sentences that say that something is to be done or bought."""

from __future__ import annotations

import re

from quaid.notebook.wording import ways
from quaid.notebook.words import word_set

CHORES = word_set(
    """call ring phone text email mail message book pay renew fix repair send schedule reschedule cancel
    return pick clean wash submit finish complete review prepare water feed mow sweep vacuum hoover iron
    cook bake visit meet follow sign print scan file fill register apply check update upgrade install
    research look find ask plan organise organize arrange confirm reply respond draft read merge deploy
    refactor implement test migrate replace change move sell donate drop collect take walk hang paint
    measure order make set sort wrap pack post ship invite rsvp practise practice study learn revise
    close unsubscribe upload download transfer deposit charge refill defrost bring talk speak chase get
    buy grab empty unload load fold tidy declutter dust shovel trim rake prune plant back contact thank
    congratulate remind tell give lend borrow claim dispute compare choose decide write edit proofread
    publish record rehearse train stretch exercise start begin continue try verify investigate debug
    patch rotate swap tune service inspect photograph frame hem sew mend glue recycle shred notarise
    notarize translate transcribe hand fetch clear finalise finalize discuss prep figure wipe polish weed
    reorder rebook redo rewrite rename assemble descale insure settle reimburse configure remove delete
    create sync dispose soak bleed hoist evaluate propose negotiate bring"""
)
_LEAD = ways(
    r"""
    (to-?\s?dos?|tasks?|action|action item|reminder|chores?)\s*[:–—-]\s*(?=\S)
    (to-?dos?|task) (?=[a-z])
    remind (me|us) (again )?(to|that|about|of) (?=\S)
    (set|create|make) (a |me a )?reminder (for me )?(to|that|about|for) (?=\S)
    ((let's|lets|please|we must|we should|i must|i should) )?{NOT} (let (me|us) )?forget( to| about|:|\
        ,)? (?!that\b)
    remember to (?=\S)
    (make sure|be sure) (that )?{WE} (?=\S)
    {WE}('ve| have)?\s*({VERY} )*{MUST} ({VERY} )*(?!not\b|never\b|always\b|be\b|have\b)
    (still )?(need to|have to|gotta|got to|must|should|ought to) (?!not\b|never\b|always\b|be\b|have\b|\
        {PERSON}\b)
    """
)
_UNDONE = ways(
    r"""
    ^{WE} still (haven't|have not|havent)\b
    ^{WE} (haven't|have not|havent|didn't|did not)\b.*\b(yet|still|need to|must|have to|should)\b
    ^have (the|my|our|a|an) ([\w'-]+ ){1,5}(\w+ed|\w+en|done|cut|put|made|sent)\b
    ^do (the|my|our|some) (dishes|laundry|washing|taxes|shopping|ironing|cleaning|homework|accounts)\b
    [,;] (so |and |but )?({WE} )?(still |really )?(need to|have to|must|gotta) (?!be\b|have\b|not\b)\w+
    """,
    anywhere=True,
)
_OBJECT = ways(
    r"""
    (the|a|an|my|our|your|his|her|its|their|this|that|these|those|some|all|another|more|me|him|them|us)\b
    (whether|if|mum|mom|dad)\b
    ['"#\d]
    """
)
# A word that can be a verb may be the first of a noun: "water pressure is low", "test coverage dropped".
_STATEMENT = ways(
    r"""
    ([\w'./-]+ ){0,7}{FINITE}\b
    ([\w'./-]+ ){1,3}\w{2,}(?<!e)ed\b
    ([\w'./-]+ ){0,3}(often|usually|always|never|sometimes|rarely|seldom|tends?)\b
    (number|address|of)\b
    """
)
_SUBORDINATE = re.compile(
    r",|;|\b(?:that|if|when|because|whether|which|who|why|how|what|where|before|after|until|and)\b",
    re.IGNORECASE,
)
_NEEDED = ways(
    r"""
    {WE}('re| are|'m| am) (almost |nearly |completely |all |fresh )*(out of|low on|short of) (?=\S)
    {WE}('re| are|'m| am) (almost |nearly )?running (low|short|out) (on|of) (?=\S)
    (almost |nearly )?(out of|low on|running (low|short|out) (on|of)) (?=\S)
    {WE}('ve| have)? (just |almost |nearly )?r[au]n (out of|low on) (?=\S)
    {WE} (also |still |really )?need (some |more |new )?(?!to\b)(?=\S)
    {WE} could use (some |more |a |another )?(?=\S)
    need (some |more )?(?!to\b)(?=\S)
    """
)
_NO_WARES = ways(
    r"""
    \b(decisions?|time|meeting|plans?|help|approval|feedback|talk|review|people|budget|answers?|advice)\b
    \b(sleep|rest|break|holiday|access|permission|clarity|someone|somebody|everyone|you|him|them|quiet)\b
    \b(by|from|because|so that|in order|when|if|who|that)\b
    """,
    anywhere=True,
)
_BUY = re.compile(r"^(?:buy|purchase)\s+(?:some\s+)?", re.IGNORECASE)
_GET = re.compile(r"^(?:get|grab|pick\s+up|order|fetch)\s+(?P<some>some\s+)?", re.IGNORECASE)
_SHOP = ways(
    r"""
    \s*,?\s*\b(from|at|in) (the |a |our )?(super ?market|shops?|stores?|grocery|grocery store|market)\b.*$
    \s*,?\s*\b(from|at|in) (the |a |our )?(bakery|butcher'?s?|pharmacy|chemist'?s?|corner shop|\
        drug ?store)\b.*$
    \s*,?\s*\b(from|at|in) (the |a |our )?hardware store\b.*$
    \s*,?\s*\bon (the|your|my) way (home|back)\b.*$
    """,
    anywhere=True,
)
_WARES = ways(
    r"""
    (some|more|another)\b
    an? (bag|bottle|box|can|tin|pack|packet|loaf|jar|bunch|dozen|pint|litre|liter|carton|couple|few|new)\b
    \d+\s*(x|kg|g|l|ml|lb|lbs|oz|bottles?|bags?|packs?|tins?|cans?|boxes|loaves|jars|rolls|cartons?)\b
    """
)
_STATE = re.compile(
    r"\b(?:rid of|ready|back|started|done|up|out|in touch|\w+(?:ed|en|cut|set|paid|sent))"
    r"(?:\s+(?:by|before|at|on)\b.*)?$",
    re.IGNORECASE,
)
_TELLING = ("tell", "ask", "remind", "inform", "warn", "thank")
_NOUNS = ("call", "text", "email", "mail", "phone", "message", "contact", "order")


def is_led(sentence: str) -> bool:
    """Whether words such as `remind me to` say that it is to be done."""
    return bool(_LEAD.match(sentence))


def chore(sentence: str) -> str | None:
    """What is to be done, where somebody says that it is."""
    lead = _LEAD.match(sentence)
    if lead:
        return sentence[lead.end() :].strip() or None
    return sentence if _is_bare(sentence) or _UNDONE.search(sentence) else None


def _is_bare(sentence: str) -> bool:
    """An imperative without a subject, as one writes it on a list of things to do."""
    first, _, rest = sentence.partition(" ")
    verb = first.lower().strip(".,:;!\"'")
    rest = rest.strip()
    if verb not in CHORES or not rest or len(sentence) > 240:
        return False
    if verb in _NOUNS and re.match(r"(?:for|of|address|number|is)\b", rest, re.IGNORECASE):
        return False
    if verb in ("tell", "give", "remind") and re.match(r"(?:me|us)\b", rest, re.IGNORECASE):
        return False
    if _OBJECT.match(rest) or (verb in _TELLING and rest[:1].isupper()):
        return True
    return not _STATEMENT.match(_SUBORDINATE.split(rest, maxsplit=1)[0])


def wares(sentence: str) -> str | None:
    """What is to be bought, where somebody says that it is needed."""
    lead = _NEEDED.match(sentence)
    if not lead:
        return bought(sentence)
    goods = sentence[lead.end() :]
    return None if _NO_WARES.search(goods) else _SHOP.without(goods).strip() or None


def bought(said: str) -> str | None:
    """What is bought, where a chore is to buy something."""
    buy = _BUY.match(said)
    if buy:
        return _SHOP.without(said[buy.end() :]).strip() or None
    get = _GET.match(said)
    if not get:
        return None
    goods = said[get.end() :]
    is_ware = bool(get["some"] or _WARES.match(goods) or _SHOP.search(goods))
    return _SHOP.without(goods).strip() or None if is_ware and not _STATE.search(goods) else None
