"""Why a page is not written."""

from __future__ import annotations

from quaid.errors import Conflict, Corrupt, InvalidInput
from quaid.formats.slugs import is_slug, slugify


def damage(slug: str) -> Corrupt:
    """The page's row does not hold what was written into it."""
    return Corrupt(
        f"what the memory holds of {slug} was damaged since it was written",
        hint=f"`quaid history {slug}` and `quaid revert {slug}` know earlier versions; or correct what "
        f"`quaid get {slug}` shows and write all of it: quaid put {slug} --expected-version N.",
    )


def check_version(slug: str, current: int, expected: int | None) -> None:
    """Refuse a write that was made for another version."""
    if expected is None or expected == current:
        return
    if current == 0:
        message, hint = f"{slug} does not exist (any more)", "Write it with expected version 0 to make it."
    else:
        message = f"{slug} is at version {current}, not {expected}"
        hint = "Read it again, merge your change, and write with the current version."
    raise Conflict(message, hint=hint, current_version=current, expected_version=expected)


def check_slug(slug: str) -> None:
    """Refuse what is not a slug, and say what would be."""
    if not is_slug(slug):
        raise InvalidInput(
            f"{slug!r} is not a slug: lower-case letters, digits, - and _, parts separated by /",
            hint=f"Use {slugify(slug)}.",
        )


def check_text(text: str) -> None:
    """Refuse text that no file could hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("the text is not valid Unicode", hint=f"See character {error.start}.") from None
