"""Org's markup as Markdown's, line for line, so that what is shown keeps its line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BLOCK = re.compile(r"[ \t]*#\+begin_(\w+)(?:[ \t]+(\S+))?.*\Z", re.IGNORECASE)
_END = re.compile(r"[ \t]*#\+end_(\w+)[ \t]*\Z", re.IGNORECASE)
_DRAWER = re.compile(r"[ \t]*:[\w-]+:[ \t]*\Z")
_DRAWER_END = re.compile(r"[ \t]*:end:[ \t]*\Z", re.IGNORECASE)
_HEADLINE = re.compile(r"(\*+)[ \t]+(.*?)(?:[ \t]+(:[\w@#%:]+:))?[ \t]*\Z")
_KEYWORD = re.compile(r"[ \t]*#\+(\w+):[ \t]*(.*)\Z")
_RULE = re.compile(r"[ \t]*\|[-+]+\|?[ \t]*\Z")
_ITEM = re.compile(r"([ \t]*)(?:[+]|(?<=[ \t])[*])([ \t]+)")
_TERM = re.compile(r"([ \t]*[-+][ \t]+)(.+?)[ \t]+::[ \t]")
_LINK = re.compile(r"\[\[([^\[\]\n]+)\](?:\[([^\[\]\n]+)\])?\]")
_CODE = re.compile(r"(?<![\w=~])([=~])(?=\S)([^\n]*?)(?<=\S)\1(?![\w=~])")
_MARKS = {"*": "**", "/": "*", "+": "~~"}
_EMPHASIS = re.compile(r"(?<![\w/*+:<])([*/+])(?=[^\s*/+])([^\n]*?)(?<=[^\s])\1(?![\w/*+>])")
_KINDS = ("id", "file", "roam", "attachment")
_FENCED = ("src", "example", "export", "comment", "latex")


def as_markdown(text: str) -> str:
    """An org text in Markdown; each line stays where it was."""
    return "\n".join(_lines(text.split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    block = ""  # the kind of block that is open
    drawer = table = False
    for line in lines:
        if block in _FENCED:
            end = _END.match(line)
            is_end = end is not None and end[1].lower() == block
            yield "````" if is_end else line
            block = "" if is_end else block
            continue
        if drawer or _DRAWER.match(line):
            drawer = not _DRAWER_END.match(line)
            yield ""
            continue
        opened = _BLOCK.match(line)
        if opened:
            block = opened[1].lower()
            yield f"````{opened[2] or ''}" if block in _FENCED else ""
            continue
        if block and _END.match(line):
            block = ""
            yield ""
            continue
        is_row = line.lstrip().startswith("|")
        shown = _row(line, table) if is_row else _line(line)
        yield f"> {shown}" if block == "quote" else shown
        table = is_row


def _row(line: str, goes_on: bool) -> str:
    """A row of a table. Markdown wants a rule below the first; org has it where it pleases."""
    if not _RULE.match(line):
        return _inline(line)
    return re.sub(r"-+", "---", line.replace("+", "|")) if goes_on else ""


def _line(line: str) -> str:
    headline = _HEADLINE.match(line)
    if headline:
        tags = " ".join(f"#{tag}" for tag in (headline[3] or "").strip(":").split(":") if tag)
        return f"{'#' * min(6, len(headline[1]))} {_inline(headline[2])} {tags}".rstrip()
    keyword = _KEYWORD.match(line)
    if keyword:
        return f"# {_inline(keyword[2])}" if keyword[1].lower() == "title" else ""
    if line.startswith("# "):
        return ""
    term = _TERM.match(line)
    if term:
        line = f"{term[1]}*{term[2]}* — {line[term.end() :]}"
    return _inline(_ITEM.sub(r"\1-\2", line, count=1) if _ITEM.match(line) else line)


def _inline(text: str) -> str:
    """Links, code and emphasis; what is code or a link is not looked at again."""
    kept: list[str] = []

    def keep(markdown: str) -> str:
        kept.append(markdown)
        return f"\0{len(kept) - 1}\0"

    text = _CODE.sub(lambda match: keep(f"`` {match[2]} ``"), text.replace("\0", ""))
    text = _LINK.sub(lambda match: keep(_link(match[1], match[2] or "")), text)
    text = _EMPHASIS.sub(
        lambda match: f"{_MARKS[match[1]]}{match[2]}{_MARKS[match[1]]}", text.replace("`", "\\`")
    )
    return re.sub("\0([0-9]+)\0", lambda match: kept[int(match[1])], text)


def _link(target: str, label: str) -> str:
    kind, colon, rest = target.partition(":")
    if colon and kind in ("http", "https", "mailto"):
        return f"[{label}](<{target}>)" if label else f"<{target}>"
    path = (rest if colon and kind in _KINDS else target).partition("::")[0]
    is_image = re.search(r"\.(?:png|jpe?g|gif|svg|webp)\Z", path, re.IGNORECASE)
    if is_image:
        return f"![{label}](<{path}>)"
    return f"[[{path}|{label}]]" if label else f"[[{path}]]"
