"""Why a page is not written."""

from __future__ import annotations

from quaid.errors import Corrupt, InvalidInput


def damaged(slug: str) -> Corrupt:
    """The page's row does not hold what was written into it."""
    return Corrupt(
        f"what the memory holds of {slug} was damaged since it was written",
        hint=f"`quaid history {slug}` and `quaid revert {slug}` know earlier versions; or correct what "
        f"`quaid get {slug}` shows and write all of it: quaid put {slug} --expected-version N.",
    )


def odd_text() -> InvalidInput:
    """A new text with characters that stand for odd bytes."""
    return InvalidInput(
        "the text has characters that stand for bytes of a file, and there is no such file",
        hint="Leave out U+10F700 to U+10F7FF.",
    )


def unreadable(encoding: str) -> InvalidInput:
    """A file in that encoding would be taken for something else."""
    return InvalidInput(
        f"the file would not be known as {encoding} when it is read again",
        hint="Write it in UTF-8: --to utf-8.",
    )
