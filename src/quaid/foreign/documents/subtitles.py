"""Subtitles of meetings (WebVTT, SubRip) as turns of speech."""

from __future__ import annotations

import html
import re

from quaid.foreign.documents.readers import Origin, Reading, day_of, tidied
from quaid.formats.encoding import decode

_TIMES = re.compile(r"\s*(?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3}\s*-->")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?[ \t]+([^>]*)>")
_MARKUP = re.compile(r"</?[a-zA-Z0-9.:][^<>]*>|\{\\[^{}]*\}")
_SPEAKER = re.compile(r"([^\W\d_][\w .'’\-()]{0,60}):[ \t]+(?=\S)")
_NOTED_DAY = re.compile(
    r"^(?:NOTE\s+)?(?:date|recorded|start(?:ed)?)\s*:?\s*(?P<day>\d{4}-\d\d-\d\d)", re.I | re.M
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def read(data: bytes) -> Reading:
    """What was said: one paragraph for each turn, without times and numbers."""
    text = decode(data)[0].replace("\r\n", "\n").replace("\r", "\n")
    turns: list[tuple[str, list[str]]] = []
    for block in _BLANK_LINE.split(text):
        for speaker, words in _spoken(block):
            if turns and speaker in ("", turns[-1][0]):
                # Live captions repeat the line that scrolls up.
                if words != turns[-1][1][-1]:
                    turns[-1][1].append(words)
            else:
                turns.append((speaker, [words]))
    paragraphs = [(f"**{name}:** " if name else "") + " ".join(said) for name, said in turns]
    speakers = tuple(dict.fromkeys(name for name, _ in turns if name))
    noted = _NOTED_DAY.search(text)
    origin = Origin(date=day_of(noted["day"]) if noted else "", attendees=speakers)
    return Reading(tidied("\n\n".join(paragraphs)) if paragraphs else "", origin=origin)


def _spoken(block: str) -> list[tuple[str, str]]:
    """Speakers and words of one cue; headers, notes and styles have no times and say nothing."""
    lines = block.split("\n")
    start = next((number for number, line in enumerate(lines) if _TIMES.match(line)), None)
    if start is None:
        return []
    found: list[tuple[str, str]] = []
    for line in lines[start + 1 :]:
        voice = _VOICE.search(line)
        words = html.unescape(_MARKUP.sub("", _VOICE.sub("", line))).strip()
        named = None if voice else _SPEAKER.match(words)
        speaker = voice.group(1) if voice else named.group(1) if named else ""
        words = words[named.end() :] if named else words
        if words:
            found.append((" ".join(html.unescape(speaker).split()), words))
    return found
