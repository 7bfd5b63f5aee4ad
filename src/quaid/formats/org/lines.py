"""The lines of an org text."""

from __future__ import annotations


def plain_lines(text: str) -> str:
    """The text with the line ends of Unix. Its length stays, so that every place is the same in both."""
    return text.replace("\r\n", " \n") if "\r" in text else text


def starts_of(text: str) -> list[int]:
    """Where each line begins; the last place is the end of the text."""
    places = [0]
    place = text.find("\n")
    while place >= 0:
        places.append(place + 1)
        place = text.find("\n", place + 1)
    if places[-1] < len(text):
        places.append(len(text))
    return places if text else [0]


def line_of(text: str, place: int) -> int:
    """The number of the line in which a place is; lines count from 1."""
    return text.count("\n", 0, place) + 1
