"""Verbs that say something of a subject: each with its grammar, and the value that stands after it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from quaid.formats.values import AMOUNT, DAY
from quaid.model.record import record

_NAME = (
    r"(?:[A-ZÄÖÜÉ][\w&'’.-]*(?:\s+(?:(?:of|de|la|am|and|for|&)\s+)?[A-ZÄÖÜÉ0-9][\w&'’.-]*)*"
    r"|[a-z0-9_-]+(?:/[a-z0-9_-]+)+)"
)
_PLACE = rf"{_NAME}(?:,\s+{_NAME})?"
_ROLE = (
    r"(?:(?:senior|junior|lead|principal|chief|deputy|managing|interim|general|regional|global|co-?)[\s-])*"
    r"(?:C[ETFOPM]O|CISO|(?i:chief\s+\w+(?:\s+officer)?|vp(?:\s+of\s+\w+)?|vice\s+president(?:\s+of\s+\w+)?"
    r"|head\s+of\s+[\w&]+(?:\s+[\w&]+)?|director(?:\s+of\s+\w+)?|president|chair(?:man|woman|person)?"
    r"|(?:\w+\s+)?(?:engineer|designer|manager|analyst|developer|scientist|consultant|architect|lead|accountant|lawyer"
    r"|teacher|nurse|editor|secretary|treasurer|assistant|researcher|professor|officer)))"
)
_COUNT = r"(?:(?:about|around|roughly|some|over|more\s+than|nearly|almost|ca\.?|~)\s*)?\d[\d.,' ]*(?:k\b)?"
_PEOPLE = r"(?:full-time\s+)?(?:employees|people|staff|persons|FTEs?|heads|workers|team\s+members)"
_NOW = r"(?:(?:now|currently|today|still|also)\s+)?"


@record
class Pattern:
    """A verb: what it says, whether it tells of a change, and whether it is sure of that."""

    predicate: str
    verb: re.Pattern[str]
    change: bool = False
    sure: bool = True
    free: bool = False  # whoever does it, it is about the page


def _pattern(
    predicate: str, verb: str, *, change: bool = False, sure: bool = True, free: bool = False
) -> Pattern:
    whole = verb if verb[:1] in "^," else rf"(?<![\w-])(?:{verb})"
    return Pattern(predicate, re.compile(whole), change, sure, free)


_SEAT = r"(?:[Hh]eadquarters|HQ|[Hh]ead\s+office|[Mm]ain\s+office|[Ss]eat|[Rr]egistered\s+office)"
_SUM = (
    rf"(?P<value>(?:(?:about|around|roughly|over|just)\s+)?(?i:{AMOUNT}))"
    r"(?!\s*(?i:%|per|a\s+month|each|years?|days?|people|weeks?))"
)
_BE = r"(?:(?:is|are|was|were|has\s+been|have\s+been|got)\s+)?"
_THE = r"(?:(?:the|a|an|our|their|its|new|now)\s+){0,2}"
_MONTHS = r"(?:\w+\.?)"
PATTERNS: Sequence[Pattern] = (
    _pattern(
        "based_in",
        rf"(?:(?:is|are)\s+{_NOW})?(?:[Hh]eadquartered|[Bb]ased|[Ss]eated)\s+in\s+(?P<value>{_PLACE})",
    ),
    _pattern(
        "based_in",
        rf"{_SEAT}\s+(?:is|are|:|sits?|(?:has|have)\s+been)?\s*{_NOW}(?:located\s+)?(?:in|at)\s+(?P<value>{_PLACE})",
    ),
    _pattern(
        "based_in", rf"(?:has|have|runs)\s+(?:its|their|the)\s+(?:\w+\s+)?{_SEAT}\s+in\s+(?P<value>{_PLACE})"
    ),
    _pattern(
        "based_in",
        rf"(?:[Mm]oved|[Rr]elocated|[Tt]ransferred|[Mm]oves)\s+(?:(?:its|the|their|our|company)\s+)?{_SEAT}\s+"
        rf"(?:from\s+{_PLACE}\s+)?to\s+(?P<value>{_PLACE})",
        change=True,
    ),
    _pattern(
        "based_in",
        rf"{_SEAT}\s+{_BE}(?:moved|relocated|transferred)\s+(?:from\s+{_PLACE}\s+)?to\s+(?P<value>{_PLACE})",
        change=True,
    ),
    _pattern("lives_in", rf"(?:lives|resides|living)\s+{_NOW}(?:\w+\s+\w+\s+)?in\s+(?P<value>{_PLACE})"),
    _pattern(
        "lives_in",
        rf"(?:has\s+|have\s+)?(?:[Mm]oved|[Rr]elocated)\s+(?:(?:house|home|away|permanently|with\s+\w+\s+\w+)\s+)?"
        rf"(?:from\s+{_PLACE}\s+)?to\s+(?P<value>{_PLACE})",
        change=True,
    ),
    _pattern(
        "founded_in",
        rf"{_BE}(?:[Ff]ounded|[Ee]stablished|[Ss]et\s+up|[Ss]tarted\s+(?:out|up|life)|[Bb]egan|[Ss]tarted)"
        rf"\s+(?:(?!another|other)[\w'’,]+\s+){{0,6}}?(?:in|on|back\s+in)\s+(?P<value>{DAY})",
    ),
    _pattern(
        "founded_in",
        r"(?:In|Back\s+in)\s+(?P<value>(?:19|20)\d\d),?\s+[\w\s]{3,40}?\s(?:founded|started|set\s+up)\s+(?:it|the\s+(?:company|firm|shop|business))",
    ),
    _pattern("founded_in", rf"(?:goes|dates)\s+back\s+to\s+(?P<value>{DAY})"),
    _pattern(
        "headcount",
        rf"(?P<value>{_COUNT})\s+{_PEOPLE}(?!\s+(?:in\s+[A-Z]|at\s+the|attended|came|joined|left|were|voted|signed|live))",
    ),
    _pattern(
        "headcount",
        rf"(?:[Hh]eadcount|[Tt]eam|[Ss]taff|[Ww]orkforce)\s+(?:(?:has|have)\s+)?(?:is|of|stands\s+at|now|:|(?:grew|grown|rose|risen"
        rf"|fell|fallen|shrank|shrunk|is\s+down|is\s+up|doubled|reached)(?:\s+to)?)\s+{_NOW}(?P<value>{_COUNT})(?![\d-]|\s*(?:%|percent))",
        change=True,
    ),
    _pattern(
        "value",
        rf"(?:worth|valued\s+at|(?:a\s+)?total\s+of|comes\s+to|amounts\s+to|agreed\s+(?:on|at|to\s+pay)|settled\s+(?:on|at)|signed\s+(?:at|for)|closed\s+at|sold\s+(?:it\s+)?(?:to\s+\w+\s+)?for|went\s+for)\s+(?:now\s+)?{_SUM}",
    ),
    _pattern(
        "value",
        rf"(?:[Vv]alue|[Pp]rice|[Tt]otal|[Aa]mount|[Vv]olume|[Ss]um|[Ff]ee)\s*(?:is|was|of|:|now|stands\s+at|at|comes\s+to|(?:rose|fell|went|is)\s+(?:up\s+|down\s+)?to)\s+(?:now\s+)?{_SUM}",
    ),
    _pattern(
        "value",
        rf"(?:[Cc]ontract|[Dd]eal|[Oo]rder|[Oo]ffer|[Aa]greement)\s+(?:is\s+)?(?:for|over|of|about)\s+{_SUM}",
    ),
    _pattern(
        "due",
        rf"(?:(?:is|are)\s+(?:now\s+)?)?(?:[Dd]ue|[Dd]eadline|[Dd]ue\s+date|[Ff]inal\s+date|[Cc]losing\s+date)\s*(?:is|on|by|until|:|for)?\s*"
        rf"(?:now\s+)?(?:on\s+|by\s+)?(?:\w+day,?\s+)?(?:the\s+)?(?P<value>(?i:{DAY}))",
    ),
    _pattern(
        "due",
        rf"{_BE}(?:[Mm]oved|[Pp]ostponed|[Ee]xtended|[Pp]ushed(?:\s+back)?|[Ss]hifted|[Dd]elayed|[Bb]rought\s+forward)"
        rf"\s+(?:to|until)\s+(?:the\s+)?(?P<value>(?i:{DAY}))",
        change=True,
    ),
    _pattern(
        "due",
        r"(?:must|has\s+to|have\s+to|needs?\s+to|is\s+to|are\s+to|should)\s+(?:\w+\s+){1,8}?(?:by|before|until|no\s+later\s+than|at\s+the\s+latest"
        rf"(?:\s+(?:on|by))?)\s+(?:\w+day,?\s+)?(?:the\s+)?(?P<value>(?i:{DAY}))",
    ),
    _pattern(
        "due",
        rf"(?:wants?|needs?|expects?|promised|asked\s+for)\s+(?:it|this|them|the\s+\w+)\s+(?:by|before|until)\s+(?P<value>(?i:{DAY}))",
    ),
    _pattern(
        "due",
        rf"(?:[Ss]ubmit|[Hh]and\s+in|[Ff]ile|[Pp]ay|[Rr]eturn|[Ff]inish|[Dd]eliver|[Ss]end)\s+(?:it|this|them|everything|the\s+\w+)\s+(?:\w+\s+){{0,2}}(?:by|before|until|no\s+later\s+than)\s+(?P<value>(?i:{DAY}))",
    ),
    _pattern("role", rf"is\s+(?:now\s+|currently\s+)?{_THE}(?P<value>{_ROLE})\b"),
    _pattern("role", rf"(?:works|working)\s+(?:now\s+)?as\s+{_THE}(?P<value>{_ROLE})\b"),
    _pattern("role", rf"(?:has|have)\s+been\s+{_THE}(?P<value>{_ROLE})\b(?=.*\bsince\b)"),
    _pattern(
        "role",
        rf"{_BE}(?:[Pp]romoted\s+to|[Bb]ecame|[Aa]ppointed(?:\s+(?:as|to))?|[Tt]ook\s+over\s+(?:as|the\s+(?:post|role)\s+of)|[Nn]ow\s+works\s+as"
        rf"|[Nn]amed|[Mm]ade|[Ee]lected|[Ss]tarted\s+as|[Nn]ow)\s+{_THE}(?P<value>{_ROLE})\b",
        change=True,
    ),
    _pattern(
        "works_at",
        rf"(?:(?:is\s+|has\s+been\s+)?[Nn]ow\s+(?:works?\s+|working\s+|employed\s+|\w+\s+){{0,2}}(?:at|for|with|by)|is\s+(?:now\s+)?(?:employed\s+(?:at|by)))"
        rf"\s+(?P<value>{_NAME})",
        change=True,
    ),
    _pattern(
        "works_at",
        rf"(?:works|working|is)\s+(?:now\s+)?(?:at|for|with)\s+(?P<value>{_NAME})\s+(?:now|these\s+days|since)\b",
        change=True,
    ),
    _pattern(
        "works_at",
        rf"(?:has|have)\s+(?:been|worked)\s+(?:\w+\s+){{0,3}}(?:at|for|with)\s+(?P<value>{_NAME})\s+since\b",
        change=True,
    ),
    _pattern(
        "works_at",
        rf"(?:took|started|accepted|has)\s+(?:a|the|her|his|their)\s+(?:new\s+)?(?:\w+\s+)?(?:job|position|post|role)\s+(?:as\s+\w+\s+)?(?:at|with)\s+(?P<value>{_NAME})",
        change=True,
    ),
    _pattern(
        "works_at",
        rf"(?:has\s+)?(?:[Jj]oined|[Ss]tarted\s+(?:work(?:ing)?\s+|as\s+(?:\w+\s+){{1,3}})?(?:at|with|for)|[Ss]witched\s+to|[Hh]ired\s+by|[Mm]oved\s+over\s+to|[Cc]hanged\s+to)\s+"
        rf"(?P<value>{_NAME})(?=\s+(?:as|in|on|this|last|two|a\s+(?:year|month)|from|where|after|full-time)\b|\s*[.,;:(–—]|\s*$)"
        r"(?!\s+(?:in|on|for)\s+(?:a|the|lunch|dinner)\b)",
        change=True,
    ),
    _pattern("works_at", rf"works\s+(?:at|for)\s+(?P<value>{_NAME})", sure=False),
    _pattern(
        "stage",
        rf"(?:[Rr]aised|[Cc]losed|[Aa]nnounced|[Cc]ompleted|[Ff]inished|[Dd]id|[Ss]igned)\s+(?:(?:a|an|its|their|the|our)\s+)?(?:(?i:{AMOUNT})\s+)?(?:in\s+)?(?:a\s+|its\s+|their\s+)?"
        r"(?P<value>(?i:series[\s-][a-h]|pre-seed|seed|ipo))\b",
        change=True,
    ),
    _pattern(
        "stage",
        rf"(?P<value>(?i:series[\s-][a-h]|pre-seed|seed))\s+(?:round\s+)?{_BE}(?:closed|completed|signed|done|raised)",
        change=True,
    ),
    _pattern("stage", r"is\s+(?:now\s+)?(?:a|at|in)\s+(?P<value>(?i:series[\s-][a-h]))\b", change=True),
    _pattern(
        "owned_by",
        rf"{_BE}(?:(?:[Aa]cquired|[Bb]ought|[Tt]aken\s+over|[Oo]wned)\s+by|[Ss]old\s+(?:itself\s+)?to)\s+(?:the\s+)?(?P<value>{_NAME})",
        change=True,
    ),
    _pattern(
        "died",
        r"(?P<value>[Dd]ied|[Pp]assed\s+away|is\s+dead|is\s+deceased|(?:was|were)\s+buried|[Ss]tarb|ist\s+(?:\w+\s+)*?gestorben)(?!\s+down|\s+out)\b",
        change=True,
    ),
    _pattern(
        "works_at",
        rf"(?:has|have)\s+(?:been|worked)\s+(?:(?:working|employed)\s+)?(?:\w+\s+){{0,2}}?(?:at|for|with|by)\s+(?P<value>{_NAME})",
        change=True,
    ),
    _pattern(
        "works_at",
        rf"^(?:Joins|Starts\s+(?:work\s+)?(?:at|with)|Moves\s+over\s+to)\s+(?P<value>{_NAME})",
        change=True,
    ),
    _pattern("role", rf",\s+(?:now\s+)?{_THE}(?P<value>{_ROLE})\s+(?:of|at)\b"),
    _pattern("role", rf"^(?:Becomes|Promoted\s+to|Made)\s+{_THE}(?P<value>{_ROLE})\b", change=True),
    _pattern(
        "due",
        rf"(?:moved|extended|postponed|pushed|shifted|changed|set)\s+(?:the\s+)?(?:deadline|date|due\s+date|submission)\s+(?:back\s+)?(?:to|until)\s+(?:the\s+)?(?P<value>(?i:{DAY}))",
        free=True,
        change=True,
    ),
    _pattern(
        "owned_by",
        rf"(?:has\s+)?(?:belongs|belonged)\s+to\s+(?:the\s+)?(?P<value>{_NAME})(?:\s+since)?",
        change=True,
    ),
    _pattern(
        "owned_by",
        rf"is\s+(?:now\s+)?(?:part|a\s+(?:\w+\s+)?subsidiary|a\s+unit|a\s+division)\s+of\s+(?:the\s+)?(?P<value>{_NAME})",
        change=True,
    ),
    _pattern("value", rf"(?:granted|awarded|transferred|paid)\s+(?:us|them)\s+{_SUM}"),
    _pattern(
        "stage",
        r"^(?P<value>(?i:series[\s-][a-h]|pre-seed|seed))\b(?:\s+round)?(?=\s*(?:[:,(]|of\b|closed|led|signed|done|with|completed|announced|$))",
        change=True,
    ),
    _pattern(
        "retired",
        r"(?:has\s+)?(?P<value>[Rr]etired|is\s+retired|[Rr]esigned|lost\s+(?:her|his|their)\s+job|(?:was|were|been)\s+(?:fired|laid\s+off|let\s+go"
        r"|made\s+redundant|dismissed)|[Qq]uit\s+(?:her|his|their|the)\s+job|is\s+in\s+retirement|[Ww]ent\s+into\s+retirement|[Gg]ave\s+up\s+(?:her|his|their)\s+job)"
        r"(?=\s*(?:$|[.,;:)]|\b(?:in|on|last|this|at\s+\d|since|after|early|for\s+good|and)\b))",
        change=True,
    ),
    _pattern(
        "ended_role",
        rf"(?:[Ss]tepped\s+(?:down|back|aside)|[Rr]esigned|[Rr]etired|[Hh]anded\s+over|[Gg]ave\s+up\s+(?:the|her|his)\s+(?:post|role)|is\s+no\s+longer|was\s+(?:dismissed|removed|replaced|voted\s+out))\s+(?:as\s+|of\s+)?{_THE}(?P<value>{_ROLE})\b",
        change=True,
    ),
    _pattern(
        "ended_role",
        rf"(?:was|served\s+as)\s+{_THE}(?P<value>{_ROLE})\b[^.;]{{0,40}}?\buntil\s+(?:{_MONTHS}\s+)?(?:19|20)\d\d",
        change=True,
    ),
    _pattern("born_on", rf"(?:(?:was|were)\s+)?[Bb]orn\s+(?:on\s+|in\s+)?(?:the\s+)?(?P<value>(?i:{DAY}))"),
    _pattern("born_on", rf"[Bb]irthday\s+(?:is\s+)?(?:on\s+)?(?:the\s+)?(?P<value>(?i:{DAY}))"),
    _pattern("born_on", rf"turns?\s+(?:[\w-]+\s+){{1,4}}?on\s+(?:the\s+)?(?P<value>(?i:{DAY}))"),
    _pattern(
        "died_on", rf"(?:[Dd]ied|[Pp]assed\s+away)\s+(?:\w+\s+)?(?:on|in)\s+(?:the\s+)?(?P<value>(?i:{DAY}))"
    ),
    *(
        _pattern(post.lower(), rf"(?:[Cc]urrent\s+)?{post}\s*(?:is|:)\s+(?:now\s+)?(?P<value>{_NAME})")
        for post in ("CEO", "CTO", "CFO", "COO", "CMO")
    ),
    _pattern("reports_to", rf"(?:[Rr]eports|[Rr]eporting)\s+(?:now\s+|directly\s+)?to\s+(?P<value>{_NAME})"),
    _pattern("reports_to", rf"(?:[Bb]oss|[Mm]anager)\s+is\s+(?:now\s+)?(?P<value>{_NAME})"),
    _pattern(
        "owner",
        rf"(?:(?:is|are)\s+(?:now\s+)?)?(?:[Ll]ed|[Rr]un|[Mm]anaged|[Hh]eaded|[Hh]andled)\s+(?:now\s+)?by\s+(?P<value>{_NAME})",
    ),
    _pattern(
        "owner",
        rf"(?:[Ll]ead|[Oo]wner|[Pp]roject\s+manager|[Rr]esponsible)\s*(?:is|:)\s+(?:now\s+)?(?P<value>{_NAME})",
    ),
    _pattern(
        "owner",
        rf"(?P<value>{_NAME})\s+(?:(?:has\s+)?(?:took|taken)\s+over|now\s+(?:leads|runs|owns|handles)|is\s+now\s+(?:the\s+|in\s+)?(?:lead|owner|charge|responsible))\b",
        change=True,
    ),
    _pattern(
        "date",
        rf"(?:takes?\s+place|took\s+place|was\s+held|is\s+scheduled|scheduled|happens|starts|begins|is|are)\s+(?:now\s+)?(?:on|for)\s+(?:\w+day,?\s+)?(?:the\s+)?(?P<value>(?i:{DAY}))",
    ),
    _pattern(
        "date",
        rf"{_BE}(?:[Mm]oved|[Pp]ostponed|[Ss]hifted|[Rr]escheduled|[Bb]rought\s+forward)\s+to\s+(?:\w+day,?\s+)?(?:the\s+)?(?P<value>(?i:{DAY}))",
        change=True,
    ),
    _pattern(
        "joined_on",
        rf"(?:has\s+)?[Jj]oined\s+(?:(?!the\s+board)[\w'’&]+\s+){{0,5}}?(?:in|on)\s+(?P<value>(?i:{DAY}))",
    ),
    _pattern(
        "value",
        rf"(?:[Cc]osts|[Pp]riced\s+at|[Ss]ells\s+for|[Aa]sks?|[Cc]harges?)\s+(?:now\s+|about\s+)?{_SUM}",
    ),
)
# Words of which a sentence must have one before its verbs are looked for, and what demands a number besides.
_TRIGGERS: Mapping[str, str] = {
    "based_in": "headquartered based seated headquarters hq office seat",
    "lives_in": "lives resides living moved relocated",
    "founded_in": "founded established incorporated set started began goes dates",
    "headcount": "employees people staff persons fte ftes heads workers members headcount team workforce",
    "value": """worth valued total comes amounts agreed settled signed closed sold went value price amount
    volume sum fee
        contract deal order offer agreement granted awarded transferred paid costs priced sells asks ask
        charges charge""",
    "due": """due deadline date moved postponed extended pushed shifted delayed brought must has have needs
    need is are
        should wants want expects expect promised asked submit hand file pay return finish deliver send
        changed set""",
    "role": """ceo cto cfo coo cpo cmo ciso chief vp vice head director president chair chairman chairwoman
    chairperson
        engineer designer manager analyst developer scientist consultant architect lead accountant lawyer
        teacher nurse
        editor secretary treasurer assistant researcher professor officer""",
    "works_at": """now employed works working is been worked took started accepted has joined switched
    hired moved changed
        joins starts moves""",
    "stage": "series seed pre ipo",
    "owned_by": "acquired bought taken sold owned belongs belonged part subsidiary unit division",
    "died": "died passed dead deceased buried starb gestorben",
    "retired": "retired resigned lost fired laid let redundant dismissed quit retirement gave",
    "born_on": "born birthday turns turn",
    "reports_to": "reports reporting boss manager",
    "owner": """led run managed headed handled lead owner manager responsible took taken leads runs owns
        handles charge""",
    "died_on": "died passed buried",
    "date": "place held scheduled happens starts begins is are moved postponed shifted rescheduled brought",
    "joined_on": "joined",
}
_NUMBERED = frozenset(("founded_in", "headcount", "value", "due", "born_on", "died_on", "date", "joined_on"))
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_GROUPS: Mapping[str, tuple[frozenset[str], tuple[Pattern, ...]]] = {
    predicate: (
        frozenset(_TRIGGERS.get(predicate, _TRIGGERS["role"]).split()),
        tuple(each for each in PATTERNS if each.predicate == predicate),
    )
    for predicate in dict.fromkeys(each.predicate for each in PATTERNS)
}


def patterns_for(text: str) -> Iterator[Pattern]:
    """The patterns that a sentence may fit: looking for all of them in each would take long."""
    words = frozenset(_WORD.findall(text.lower()))
    numbered = _DIGIT.search(text) is not None
    for predicate, (triggers, patterns) in _GROUPS.items():
        if not triggers.isdisjoint(words) and (numbered or predicate not in _NUMBERED):
            yield from patterns
