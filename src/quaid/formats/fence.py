"""Stored text on its way into a prompt: between two marks that it can neither close nor forge.

What a client or a model could take for more than text is written as a character reference, as in XML: signs
that open a tag, fences of code, words that begin a turn of a conversation, and characters that nobody sees.
Everything else stays as it is. `&lt;` and its like in a stored text are escaped too, so that the text can be
had back to the character (a carriage return before a line feed is dropped).
"""

from __future__ import annotations

import re
from unicodedata import normalize

# Nobody sees them, or they change the order, the line or the terminal. Joiners stay: scripts need them.
_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_OPENING = "<＜﹤‹⟨〈〈❮❬˂ᐸᚲ"  # and what looks like it
_SPECIAL = re.compile(
    rf"[{_OPENING}{_UNSEEN}]"
    r"|&(?=#x[0-9a-f]+;|lt;)"
    r"|\[(?=\s{0,3}/?\s{0,3}(?:INST|SYS|SYSTEM|ASSISTANT|USER|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\b)",
    re.IGNORECASE,
)
_CODE = re.compile(r"^([ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*){0,8})([`~])(?=\2\2)", re.MULTILINE)
_SPEAKER = re.compile(r"^([^\n:：﹕︓∶꞉]{2,60})([:：﹕︓∶꞉])", re.MULTILINE)
_SPEAKERS = {"human", "user", "assistant", "system", "developer", "ai", "model", "bot", "tool", "function"}
_ROLES = _SPEAKERS | {"instruction", "instructions", "response"}
_MARK = re.compile(r"^<(/?)([a-z][a-z-]*)\b[^\n]*>$", re.MULTILINE)
_WORDS = re.compile(r"[^\W_]+")


def fenced(mark: str, text: str, **attributes: str) -> str:
    """A text between an opening and a closing mark; there is one of each, whatever the text is."""
    facts = "".join(f' {name}="{attribute(value)}"' for name, value in attributes.items())
    return f"<{mark}{facts}>\n{harmless(text)}\n</{mark}>"


def closed(text: str) -> str:
    """The beginning of a text that has fences, with the last one closed if it was cut open.

    What is left of the line that was cut goes: it may be half a mark.
    """
    whole = text[: text.rfind("\n") + 1].rstrip("\n")
    mark = ""
    for found in _MARK.finditer(whole):
        mark = found[2] if not found[1] else ""
    return f"{whole}\n</{mark}>" if mark else whole


def harmless(text: str) -> str:
    """A text that is taken for nothing but a text."""
    text = _SPECIAL.sub(lambda found: _reference(found[0]), text.replace("\r\n", "\n"))
    text = _CODE.sub(lambda found: found[1] + _reference(found[2]), text)
    return _SPEAKER.sub(_without_colon, text)


def attribute(text: str) -> str:
    """A text for one place within a line, or for a mark: on one line, and without quotes that end it."""
    return re.sub(r'[\n\t"]', lambda found: _reference(found[0]), harmless(text))


def _without_colon(found: re.Match[str]) -> str:
    """A line that begins as a turn of a conversation does, without its colon."""
    words = _WORDS.findall(normalize("NFKC", found[1]).casefold())
    is_turn = len(words) == 1 and words[0] in _ROLES
    return found[1] + (_reference(found[2]) if is_turn else found[2])


def _reference(character: str) -> str:
    return "&lt;" if character == "<" else f"&#x{ord(character):x};"
