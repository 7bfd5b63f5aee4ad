"""How the elements of an org text begin, each as a pattern that is matched at the beginning of a line."""

from __future__ import annotations

import re

from quaid.formats.patterns import Pattern

HEADLINE = Pattern(r"\*+ ")
PLANNING = Pattern(r"[ \t]*(?:CLOSED|DEADLINE|SCHEDULED):")
CLOCK = Pattern(r"[ \t]*CLOCK:", re.IGNORECASE)
COMMENT = Pattern(r"[ \t]*#(?: |$)", re.MULTILINE)
AFFILIATED = Pattern(
    r"[ \t]*#\+(?:(CAPTION|RESULTS)(?:\[(.*)\])?"
    r"|(?:DATA|HEADERS?|LABEL|NAME|PLOT|RESNAME|RESULT|SOURCE|SRCNAME|TBLNAME|ATTR_[-_A-Za-z0-9]+)):[ \t]*",
    re.IGNORECASE,
)
BEGIN = Pattern(r"[ \t]*#\+begin_(\S+)", re.IGNORECASE)
DYNAMIC = Pattern(r"[ \t]*#\+begin:? ", re.IGNORECASE)
CALL = Pattern(r"[ \t]*#\+call:", re.IGNORECASE)
KEYWORD = Pattern(r"[ \t]*#\+(\S+):")
DUAL = Pattern(r"[ \t]*#\+(\S+)\[.*\]:", re.IGNORECASE)
DRAWER = Pattern(r"[ \t]*:([\w-]+):[ \t]*$", re.MULTILINE)
FIXED = Pattern(r"[ \t]*:(?: |$)", re.MULTILINE)
ENVIRONMENT = Pattern(r"[ \t]*\\begin\{([A-Za-z0-9*]+)\}")
FOOTNOTE = Pattern(r"\[fn:[-\w]+\]")
RULE = Pattern(r"[ \t]*-{5,}[ \t]*$", re.MULTILINE)
GRID = Pattern(r"[ \t]*\+(?:-+\+)+[ \t]*$", re.MULTILINE)
ITEM = Pattern(r"(?:[ \t]*(?:[-+]|[0-9]+[.)])|[ \t]+\*)(?:[ \t]+|$)", re.MULTILINE)
FULL_ITEM = Pattern(
    r"[ \t]*([-+*]|[0-9]+[.)])(?:[ \t]+|$)(?:\[@(?:start:)?(?:[0-9]+|[A-Za-z])\][ \t]*)?"
    r"(?:\[[ X-]\](?:[ \t]+|$))?(?:(.*)[ \t]+::(?:[ \t]+|$))?",
    re.MULTILINE,
)
SEPARATE = Pattern(
    r"\[fn:[-\w]+\]|%%\(|[ \t]*(?:$|\||\+(?:-+\+)+[ \t]*$|#(?: |$|\+(?:BEGIN_\S+|\S+(?:\[.*\])?:[ \t]*))"
    r"|:(?: |$|[-\w]+:[ \t]*$)|-{5,}[ \t]*$|\\begin\{[A-Za-z0-9*]+\}|CLOCK:"
    r"|(?:[-+*]|[0-9]+[.)])(?:[ \t]|$))",
    re.IGNORECASE | re.MULTILINE,
)
PLAIN_START = Pattern(r"[ \t]*[^\s\[%|+#:\-\\Cc*0-9]")  # a line that cannot end a paragraph
FORMULA = Pattern(r"[ \t]*#\+tblfm: ", re.IGNORECASE)
ANY_BLOCK = Pattern(r"[ \t]*#\+begin(:|_\S+)", re.IGNORECASE)
ROW = Pattern(r"[ \t]*\|")
CELL = Pattern(r"[ \t]*(.*?)[ \t]*(?:\||$)", re.MULTILINE)
