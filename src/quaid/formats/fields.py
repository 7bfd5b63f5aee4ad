"""What the fields of a page say, whatever format they are written in: words, typed links, assertions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from quaid.errors import InvalidInput
from quaid.formats.slugs import PAGE_EXTENSION, fold
from quaid.model.interval import Interval
from quaid.model.page import Claim, Problem, Reference, split_target
from quaid.model.record import record

T = TypeVar("T")
ASSERTED_BY = ("agent", "manual", "import", "enrichment")

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_GAP = re.compile(r"[\W_]+")
_WIKI = re.compile(r"^!?\[\[([^\]|#]+)[^\]]*\]\]$")


def title_from(slug: str, path: str | None) -> str:
    """A title for a page that states none: the name of its file, or what its slug spells.

    A file that is called as its slug has the same title as a page without a file.
    """
    last = slug.rsplit("/", 1)[-1]
    name = " ".join(PAGE_EXTENSION.sub("", (path or "").rsplit("/", 1)[-1]).split())
    if name and name != last:
        return name
    if not any(character.isalpha() for character in last):
        return last or slug  # a day, such as 2026-04-14
    words = last.replace("-", " ").replace("_", " ").split()
    return " ".join(word[:1].upper() + word[1:] for word in words) or slug


def keywords_of(aliases: Sequence[str], tags: Sequence[str], summary: str, truth: str) -> str:
    """What a search should find besides the text."""
    return "\n".join([*aliases, *tags, summary if summary not in truth else ""]).strip()


def typed_links(value: Any, problems: list[Problem]) -> tuple[Reference, ...]:
    """The links of a field, and what is wrong with those that are skipped."""
    return _sound(value, typed_link, problems, "links", "a link in the frontmatter")


def claims(value: Any, problems: list[Problem]) -> tuple[Claim, ...]:
    """The assertions of a field, and what is wrong with those that are skipped."""
    return _sound(value, read_claim, problems, "assertions", "an assertion")


def _sound(
    value: Any, read: Callable[[Any], T], problems: list[Problem], code: str, what: str
) -> tuple[T, ...]:
    found: list[T] = []
    for item in items_of(value):
        try:
            found.append(read(item))
        except InvalidInput as error:
            problems.append(Problem(code, f"{what} is skipped: {error.message}"))
    return tuple(found)


def typed_link(item: Any) -> Reference:
    """A link from an item of the frontmatter's `links`."""
    fields: Mapping[str, Any] = item if isinstance(item, dict) else {"to": item}
    target = unwiki(word(fields.get("to") or fields.get("target") or fields.get("slug")))
    if not target or not fold(split_target(target)[1]):
        raise InvalidInput("it names no page with `to:`")
    return Reference(
        target=target,
        relationship=word(fields.get("relationship") or fields.get("type")) or "related",
        context=word(fields.get("context")),
        source="frontmatter",
        valid=_interval(fields),
    )


def link_item(link: Reference) -> dict[str, Any]:
    """A typed link as it is written: only what is known of it."""
    known = {
        "to": link.target,
        "relationship": link.relationship,
        "valid_from": link.valid.since,
        "valid_until": link.valid.until,
        "context": link.context,
    }
    return {name: value for name, value in known.items() if value}


def is_link(item: Any, link: Reference) -> bool:
    """Whether an item states that link."""
    return typed_links([item], []) == (link,)


def read_claim(item: Any) -> Claim:
    """An assertion from a mapping as frontmatter and callers write it."""
    fields: Mapping[str, Any] = item if isinstance(item, dict) else {}
    parts = [word(fields.get(name)) for name in ("subject", "predicate", "object")]
    if not all(parts):
        raise InvalidInput("an assertion needs subject, predicate and object")
    confidence = fields.get("confidence", 1.0)
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not 0 <= confidence <= 1:
        raise InvalidInput("confidence must be a number from 0 to 1")
    asserted_by = word(fields.get("asserted_by")) or "manual"
    if asserted_by not in ASSERTED_BY:
        raise InvalidInput(f"asserted_by must be one of {', '.join(ASSERTED_BY)}")
    subject, predicate, object_ = parts
    return Claim(
        subject,
        snake_case(predicate),
        object_,
        valid=_interval(fields),
        confidence=float(confidence),
        asserted_by=asserted_by,
        source=word(fields.get("source_ref") or fields.get("source")),
        evidence=word(fields.get("evidence_text") or fields.get("evidence")),
    )


def claim_of(item: Any) -> Claim | None:
    """The assertion that an item states, if it states one."""
    return next(iter(claims([item], [])), None)


@record
class Superseded:
    """A fact whose place another took: its object, and the page that asserts it if that is another one."""

    object: str
    page: str = ""


def supersession(item: Any) -> Superseded | None:
    """The fact that an assertion says it replaces: `supersedes: OBJECT`, or a mapping of page and object."""
    stated = item.get("supersedes") if isinstance(item, dict) else None
    if isinstance(stated, dict):
        found = Superseded(word(stated.get("object")), unwiki(word(stated.get("page"))))
    else:
        found = Superseded(word(stated))
    return found if found.object else None


def snake_case(text: str) -> str:
    """One spelling of a predicate: `is CEO of`, `is-ceo-of` and `isCeoOf` are `is_ceo_of`."""
    return "_".join(part.lower() for part in _GAP.split(_HUMP.sub(" ", text)) if part) or text


def unwiki(text: str) -> str:
    """`people/alice` from `[[people/alice|Alice]]`; other text as it is."""
    match = _WIKI.match(text)
    return match.group(1).strip() if match else text


def rewiki(text: str, target: str) -> str:
    """The text with another target: within `[[…]]`, label and heading stay."""
    match = _WIKI.match(text)
    return text[: match.start(1)] + target + text[match.end(1) :] if match else target


def _interval(fields: Mapping[str, Any]) -> Interval:
    return Interval.parse(word(fields.get("valid_from")) or None, word(fields.get("valid_until")) or None)


def items_of(value: Any) -> list[Any]:
    """The items of a frontmatter value that may be a list, a single item or nothing."""
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def words(value: Any, separator: re.Pattern[str]) -> list[str]:
    """The words of a field that is a list, or one text with separators."""
    if isinstance(value, str):
        return separator.split(value)
    return [word(item) for item in items_of(value)]


def word(value: Any) -> str:
    """A scalar as one line of text; anything else as nothing."""
    if value is None or isinstance(value, (bool, list, dict)):
        return ""
    return " ".join(str(value).split())


def unique(found: Iterable[str]) -> tuple[str, ...]:
    """The texts without repetitions; the first spelling counts."""
    seen: dict[str, str] = {}
    for text in found:
        if text.strip():
            seen.setdefault(text.strip().casefold(), text.strip())
    return tuple(seen.values())
