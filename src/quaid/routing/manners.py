"""Sentences that say how to behave, what somebody likes, and what happens again and again."""

from __future__ import annotations

import re

from quaid.routing.patterns import ways

_ORDER = ways(
    r"""
    from (now|today|tomorrow|next \w+|this \w+|here) on(wards?)?\b
    starting (now|today|tomorrow|next \w+)\b
    (going forward|in future|in the future|as of now|as of today|new rule|rule|standing order|instruction)\b
    (never|always), ever\b
    you('re| are)( not)? (allowed|free|welcome)\b
    (never|always|under no circumstances|at all times|only ever) (?!been\b|had\b|has\b|have been\b)(?=\S)
    (do not|don't|dont|stop|quit|cease|avoid|refrain from) (?=\S)
    no [\w' -]{2,60}\b(after|before|on|during|between|until|at|in|past|over|without|unless)\b
    (only|just) (use|send|reply|write|call|ping|notify|ask|suggest|book|schedule|run|touch|change|edit|show)\b
    (only|just) (answer|speak|commit|deploy|push|merge|delete|read|contact|accept|buy|order)\b
    (make sure|be sure|ensure|see to it)\b
    (use|reply|answer|respond|keep|address me|speak|format|refer to|notify|alert|ping|wake|assume|treat)\b
    (default to|mute|silence|prioriti[sz]e|limit|include|exclude|double-check|cite|prefix|sign off|stick to)\b
    be (more |less |very )?(brief|concise|polite|formal|informal|honest|direct|careful|terse|patient|blunt)\b
    (tell|let|give|show|send|warn|inform|update|brief) (me|us)\b
    (ask|check with|consult|confirm with|run it by)( me| us)?\b.*\b(before|first|prior to)\b
    (write|explain|draft|summari[sz]e|translate)\b.*\b(for|to) me\b
    (write|explain|draft|summari[sz]e|translate)\b.*\bin (english|german|french|spanish|plain|british|\
        american)\b
    (write|explain|draft|summari[sz]e|translate)\b.*\bin (short|bullet|simple|the active|markdown)\b
    (write|explain|draft|summari[sz]e|translate)\b.*(?<![-\w])(you|your|everything)\b
    (call|address) me\b(?! (back|on|at|in|when|tomorrow|later)\b)
    you (may|can|can't|cannot|should|shouldn't|must|mustn't|must not|are allowed|are not allowed)\b
    you (don't need|don't have|needn't|are free|have permission|have my permission|ought)\b
    i('d| would)? (want|like|need|prefer|expect) (it if )?you\b(?! to (know|remember))
    i (don't|do not|never) want you\b
    i (want|expect|need|asked|ask|like) (me|you|us|the assistant|the agent) (not )?to\b
    {WE} should (never|always|not)\b
    [a-z]+ ([\w']+ ){0,3}your (?!mum|mom|dad|sister|brother|wife|husband)\w
    .*(,|please)\s*(please,?\s*)?always[.!]?$
    """
)
_NO_ORDER = ways(
    r"""
    you (can|may|could) (reach|find|contact|call|email|mail|text|get)\b
    (i|we|my|our|the|your|he|she|they|it|this|that|there)\b.*\byour\b
    (never|always) \w+(ed|[^su]s)\s
    (make sure|be sure|ensure|see to it)\b(?!.*\b(always|never|every)\b).*\b{ONCE}\b
    """
)
_CONDITION = re.compile(
    r"^(?:if|when|whenever|once|before|after|unless|each time|every time|any ?time|"
    r"as soon as)\b[^,]{2,160},\s*"
    r"(?:then |always |never |please |just |also )*(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_OFTEN = re.compile(
    r"^(?:every|each|on|once a)\s+(?:other )?(?:single )?(?:[a-z]+days?|day|morning|evening|night|week|"
    r"month|year|hour|"
    r"quarter|weekend|afternoon)s?(?:\s+(?:morning|evening|night|"
    r"afternoon)s?)?(?: at [\d:apm. ]+)?,?\s+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_DEED = ways(
    r"""
    (always |never |please |don't |do not |just )*(send|tell|give|show|remind|summari[sz]e|open|create|run|\
        ask)\b
    (always |never |please |don't |do not |just )*(check|notify|ping|alert|forward|reply|answer|use|add|\
        write)\b
    (always |never |please |don't |do not |just )*(log|post|start|stop|wait|draft|prepare|flag|cc|email|\
        call)\b
    (always |never |please |don't |do not |just )*(text|let me|make|put|keep|read|review|say|treat|assume|\
        turn)\b
    (always |never |please |don't |do not |just )*(block|decline|accept|archive|delete|push|deploy|merge|\
        back up)\b
    (always |never |please |don't |do not |just )*(save|update|warn|escalate|skip|ignore|include|translate|\
        book)\b
    (always |never |please |don't |do not |just )*(mark|close|report|suggest|offer|propose|explain|do|\
        i mean)\b
    """
)
_TASTE = ways(
    r"""
    {WE}('d| would)? ?({VERY} |don't |dont |do not |do |no longer )*(prefer|enjoy|hate|dislike|adore|\
        favou?r)\b(?! you)
    {WE} ({VERY} |don't |dont |do not |do |no longer )*(like|love)\b(?! (you to|if you))
    {WE} ({VERY} )*(detest|loathe|despise|fancy|appreciate|can't stand|cannot stand|cant stand|can't bear)\b
    {WE} (don't mind|dont mind|would rather|avoid|can't eat|cannot eat)\b
    i'd rather\b
    {WE} (don't|do not|never) want (?!you\b|to\b)\S
    .*[,;] {WE} (really )?(prefer|love|like|hate|dislike|enjoy)\b
    .*\b(over|than) .*\bany day$
    {WE} {NOT} (eat|drink|wear|smoke|care for|care about|care much)\b
    {WE} only (eat|drink|wear|use|buy|fly)\b
    {WE} (take|like|drink|want) (my|our)\b
    (i'm|im|i am|we're|we are) (really |strictly |mostly |not |a big |not a |a )*(fan|fond|keen|into|\
        partial)\b
    (i'm|im|i am|we're|we are) (really |strictly |mostly |not |a )*(allergic|intolerant|lactose|gluten|\
        coeliac)\b
    (i'm|im|i am|we're|we are) (really |strictly |mostly |not |a )*(vegetarian|vegan|pescatarian|teetotal|\
        picky)\b
    (i'm|im|i am) (more of )?(a|an) [\w -]{0,30}(drinker|eater|person|lover|sleeper|owl|bird|fan)\b
    (i'm|im|i am) (more of (a|an)|sensitive to)\b
    (my|our) (all-time |absolute |current |least )?(favou?rite|preferred|go-to|usual|preference|ideal|\
        comfort)\b
    (favou?rite|preferred|preference)s?\b[\w ]*\s*[:–—=-]
    .*\bis my (all-time |absolute )?(favou?rite|preferred|go-to)\b
    (give me|for me,?) .*\b(over|rather than|any day)\b
    no ([\w-]+ ){1,3}for (me|us)\b
    (i sleep better|nothing beats)\b
    (my|our) ([\w-]+ ){0,2}size\b
    """
)
_HABIT = ways(
    r"""
    \b(usually|typically|generally|normally|ordinarily|tends? to|tended to|often|rarely|seldom|mostly)\b
    \b(hardly ever|regularly|frequently|habitually|as a rule|more often than not|in general|\
        most of the time)\b
    \b(almost always|nearly always|occasionally|sometimes|every time|every single time|whenever)\b
    \b(is|are|was|were|'s|'re|am|'m|has|have|gets?) (always|never)\b
    \b(always|never) \w+(s|es)\b
    ^({WE}|they|you|she|he|it|[\w'-]+) (almost |nearly )?(always|never) \w+
    ^([\w'-]+ ){1,4}(always|never) \w+s\b
    \b(most|every|each) (single )?({PART}|{DAY}|{MONTH}|christmas|easter)s?\b
    \b(on|at) ({DAY}s|weekends)\b
    \bevery other (day|week|month|year)\b
    \b(once|twice) (a|per) (day|week|month|year)\b
    """,
    anywhere=True,
)


def is_order(sentence: str) -> bool:
    """Whether it tells the assistant how to behave from now on."""
    if _NO_ORDER.match(sentence):
        return False
    if _ORDER.match(sentence):
        return True
    condition = _CONDITION.match(sentence) or _OFTEN.match(sentence)
    return bool(condition and _DEED.match(condition["rest"]))


def is_taste(sentence: str) -> bool:
    """Whether the person says what they like."""
    return bool(_TASTE.match(sentence))


def is_habit(sentence: str) -> bool:
    """Whether it says what happens again and again."""
    return bool(_HABIT.search(sentence))
