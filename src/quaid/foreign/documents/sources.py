"""The page that holds the text of a source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from quaid.formats.document import RULE
from quaid.formats.encoding import newline_of
from quaid.formats.markdown import edits, frontmatter, structure

RULES = "rules"  # the field that says how the source's horizontal rules are written

_DASHES = re.compile(r"-{3,}")
_FENCES = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)


def source_page(text: str, fields: Mapping[str, Any]) -> str:
    """A page with this frontmatter and body, the whole of which is compiled truth.

    A horizontal rule in the body would begin a timeline, so it is written in another way; the field `rules`
    says how, and `source_text` undoes it. Frontmatter of the source becomes a block of code.
    """
    body, style = without_rules(text)
    own, rest = frontmatter.split(text)
    if own:
        body, style = without_rules(_fenced(own) + rest)
    known = dict(fields) | ({RULES: style} if style else {})
    return edits.set_fields(
        f"---\n---\n\n{body}" if newline_of(body) == "\n" else f"---\r\n---\r\n\r\n{body}", known
    )


def body_of(page: str) -> str:
    """The body of such a page, as it stands there."""
    body = frontmatter.split(page)[1]
    return body.removeprefix("\r\n").removeprefix("\n")


def source_text(page: str) -> str:
    """The text that such a page was made of (its frontmatter, if it had one, as a block of code)."""
    head, _ = frontmatter.split(page)
    style = frontmatter.read(head)[0].get(RULES)
    body = body_of(page)
    return with_rules(body, style) if isinstance(style, str) and style else body


def without_rules(text: str) -> tuple[str, str]:
    """The text with `***` in place of each rule `---`, and how that is spelled: as no other line of it is."""
    body = text.removeprefix("\ufeff")
    lines = structure.scan(body)
    if not any(line.kind == RULE for line in lines):
        return body, ""
    gap = 0
    while any(_letters_apart(gap).fullmatch(body[line.start : line.end].strip()) for line in lines):
        gap += 1
    parts: list[str] = []
    for line in lines:
        raw = body[line.start : line.end]
        if line.kind == RULE:
            raw = _DASHES.sub(lambda dashes: (" " * gap).join("*" * len(dashes.group())), raw, count=1)
        parts.append(raw)
    return "".join(parts), (" " * gap).join("***")


def with_rules(body: str, style: str) -> str:
    """The text whose rules were spelled in this way."""
    gap = style.count(" ") // 2
    pattern = re.compile(rf"^([ \t]*)({_letters_apart(gap).pattern})(?=[ \t]*\r?$)", re.MULTILINE)
    return pattern.sub(lambda match: match.group(1) + "-" * match.group(2).count("*"), body)


def _letters_apart(gap: int) -> re.Pattern[str]:
    return re.compile(rf"\*(?: {{{gap}}}\*){{2,}}")


def _fenced(head: str) -> str:
    longest = max((len(fence) for fence in _FENCES.findall(head)), default=2)
    fence = "`" * max(3, longest + 1)
    inner = "\n".join(head.removeprefix("\ufeff").splitlines()[1:-1])
    return f"{fence}yaml\n{inner}\n{fence}\n"
