"""Sentences that say that something is to be done or bought."""

from __future__ import annotations

import re

from quaid.routing.patterns import ways
from quaid.routing.words import word_set

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
LONGEST = 600  # characters of a sentence in which several chores are looked for
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
    ^(make sure|be sure|ensure|see to it)\b.*\b{ONCE}\b
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
_GONE = ways(
    r"""
    (?!(my|your|his|her|their)\b)([\w-]+ ){1,5}(is|are) (almost|nearly|about|all) (gone|used up)[.!]*$
    (?!(my|your|his|her|their)\b)([\w-]+ ){1,5}(is|are) (almost |nearly )?running (low|out)[.!]*$
    (there's|there is|there are|we have|we've got|i have) no (more )?([\w-]+ ){1,4}left\b
    no (more )?([\w-]+ ){1,4}left\b
    """
)
_GONE_WORDS = ways(
    r"""
    ^(the |our )
    ^(there's|there is|there are|we have|we've got|i have) (?=no\b)
    """,
    anywhere=True,
)
_GONE_SAID = ways(
    r"""
    ^no (more )?
    \s+left\b.*$
    \s+(is|are) (almost |nearly |about |all )?(gone|used up|running (low|out))[.!]*$
    """,
    anywhere=True,
)
_NO_WARES = ways(
    r"""
    \b(decisions?|time|meeting|plans?|help|approval|feedback|talk|review|people|budget|answers?|advice)\b
    \b(sleep|rest|break|holiday|access|permission|clarity|someone|somebody|everyone|you|him|them|quiet)\b
    \b(by|from|because|so that|in order|when|if|who|that)\b
    """,
    anywhere=True,
)
# What one gets without buying it.
_NOT_BOUGHT = ways(
    r"""
    ['"\d]|(the|a|an|my|our|your|his|her|their|this|that|these|those|it|them|him|to|into|on|off|over|\
        through|together)\b
    .*\b(hair ?cuts?|tickets?|quotes?|estimates?|appointments?|vaccine|vaccination|jab|shot|visa|passport|\
        insurance|mortgage|loan|refund|signatures?|consent|lunch|dinner|breakfast|brunch|drinks|petrol|gas|\
        directions|results|info|information|details|numbers?|address|confirmation|dressed|married|well|\
        better|fit|going|home|involved|organi[sz]ed)\b
    .*\b(with|about|off|for|before|after|by|at|fixed|done|going|from|on)\b
    ([\w-]+ ){0,2}[\w-]+'s?\b.*
    [\w-]+ an?\b
    """
)
_BUY = re.compile(r"^(?:buy|purchase)\s+(?:some\s+)?", re.IGNORECASE)
_GET = re.compile(r"^(?P<verb>get|grab|pick\s+up|order|fetch)\s+(?P<some>some\s+)?", re.IGNORECASE)
_MOST_GOODS = 3  # words for each thing, where nothing but the verb says that it is bought
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
_THEN = re.compile(r"\s*(?:,|;|,?\s+(?:and|&|then))\s+(?:(?:and|then|also)\s+){0,2}", re.IGNORECASE)
_LABEL = ways(r"(to-?\s?dos?|tasks?|action|action item|reminder|chores?)\b")
# What goes on with the deed before it: "call the bank and ask about the fee".
_SAME_DEED = word_set("ask tell check confirm find get give make thank remind discuss decide talk say")
_BACK = re.compile(r"\b(?:it|its|them|their|him|his|her|there|one|this|that)\b", re.IGNORECASE)
_TELLING = ("tell", "ask", "remind", "inform", "warn", "thank")
_NOUNS = ("call", "text", "email", "mail", "phone", "message", "contact", "order")


def is_led(sentence: str) -> bool:
    """Whether words such as `remind me to` say that it is to be done."""
    return bool(_LEAD.match(sentence))


def deeds(sentence: str) -> list[str]:
    """The chores of a sentence, each for itself where each could be said alone."""
    if len(sentence) > LONGEST:
        return [sentence]
    lead = _LEAD.match(sentence)
    said = [each.strip() for each in _THEN.split(sentence[lead.end() :] if lead else sentence)]
    if len(said) < 2 or _LABEL.match(sentence):
        return [sentence]
    for place, each in enumerate(said):
        verb = each.partition(" ")[0].lower()
        if not _is_bare(each) or (place and (verb in _SAME_DEED or _BACK.search(each))):
            return [sentence]
    return said


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
    if re.match(r"#?\d", rest) and _STATEMENT.match(rest):
        return False  # "order 4471 was shipped"
    if _OBJECT.match(rest) or (verb in _TELLING and rest[:1].isupper()):
        return True
    return not _STATEMENT.match(_SUBORDINATE.split(rest, maxsplit=1)[0])


def wares(sentence: str) -> str | None:
    """What is to be bought, where somebody says that it is needed."""
    if _GONE.match(sentence):
        goods = _GONE_SAID.without(_GONE_SAID.without(_GONE_WORDS.without(sentence)))
        return None if _NO_WARES.search(goods) else goods.strip() or None
    lead = _NEEDED.match(sentence)
    if not lead:
        return purchase(sentence)
    goods = sentence[lead.end() :]
    return None if _NO_WARES.search(goods) else _SHOP.without(goods).strip() or None


def _are_plain(goods: str) -> bool:
    """Whether they are nothing but names of things, as in `get milk and brown bread`."""
    things = re.split(r",|\band\b|&", goods.strip(" .!"))
    return (
        not _NOT_BOUGHT.match(goods)
        and not _NO_WARES.search(goods)
        and all(each.strip() and len(each.split()) <= _MOST_GOODS for each in things)
    )


def purchase(said: str) -> str | None:
    """What is bought, where a chore is to buy something."""
    buy = _BUY.match(said)
    if buy:
        return _SHOP.without(said[buy.end() :]).strip() or None
    get = _GET.match(said)
    if not get:
        return None
    goods = said[get.end() :]
    is_ware = bool(get["some"] or _WARES.match(goods) or _SHOP.search(goods)) or (
        get["verb"].lower() in ("get", "grab") and _are_plain(goods)
    )
    return _SHOP.without(goods).strip() or None if is_ware and not _STATE.search(goods) else None
