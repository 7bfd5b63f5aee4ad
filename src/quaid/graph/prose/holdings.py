"""What holds of a subject: facts and links, plain fields, and what sentences say that lasts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from quaid.formats.fields import items_of, snake_case, unwiki, word
from quaid.formats.slugs import fold
from quaid.formats.values import quantity
from quaid.graph.prose.sentences import Sentence
from quaid.graph.prose.statements import Statement, statements_in
from quaid.graph.prose.subjects import OWN, Voice
from quaid.model.record import record, replace
from quaid.store.checks import Standing
from quaid.store.doubts import Truth

# What sentences of a truth say that holds until something else is said.
_LASTING_WORDS = """
based_in founded_in headcount lives_in works_at born_on reports_to owner role joined_on value due date
"""
_LASTING = frozenset(_LASTING_WORDS.split())
# Of these, a text may name several, of which each means something else.
_MANIFOLD = frozenset(("value", "due", "date"))
# Fields that say of other pages what those may say of themselves.
_INVERSE = {
    "members": "member_of",
    "has_member": "member_of",
    "member": "member_of",
    "board": "board_member_of",
    "team": "member_of",
    "ceo": "is_ceo_of",
    "cto": "is_cto_of",
    "cfo": "is_cfo_of",
    "attended_by": "attended",
    "staff": "works_at",
    "employs": "works_at",
}


@record
class Source:
    """Where something is said: a sentence of a page, or one of its fields."""

    page: Truth
    kind: Literal["text", "field"]
    quote: str
    day: str | None = None
    perhaps: bool = False


@record
class Held:
    """Something that holds of a subject, and where it is said if no link and no assertion says so."""

    fact: Standing
    source: Source | None = None


@record
class Told:
    """What a page says, and of whom."""

    page: Truth
    subject: int | str
    statement: Statement


def targets(page: Truth) -> Iterator[str]:
    """The pages to which plain fields lead, by the names that these use."""
    for value in page.fields.values():
        for item in _items(value):
            text = unwiki(item)
            if text != item or _PATH.fullmatch(text):
                yield text


_PATH = re.compile(r"[\w-]+(?:/[\w-]+)+")


def _items(value: Any) -> list[str]:
    """What a field says. A link without quotation marks is a list within a list to YAML."""
    found = items_of(value)
    return [
        f"[[{word(each[0])}]]" if isinstance(each, list) and len(each) == 1 else word(each) for each in found
    ]


def fields(
    page: Truth, held: Sequence[Held], same: Mapping[str, str], known: Mapping[str, int]
) -> Iterator[Held]:
    """What plain fields of a page say that yield no fact on a page of its type."""
    stated = {each.fact.predicate for each in held}
    for key, value in page.fields.items():
        predicate = same.get(snake_case(key), snake_case(key))
        predicate = "owner" if predicate == "owned_by" and page.type != "company" else predicate
        if predicate in stated or isinstance(value, dict):
            continue
        for text in map(unwiki, _items(value)):
            if text:
                fact = Standing(page.id, predicate, fold(text), text, known.get(fold(text)), None)
                yield Held(fact, Source(page, "field", f"{key}: {text}"))
        yield from _traits(page, key, value)


def _traits(page: Truth, key: str, value: Any) -> Iterator[Held]:
    """A field as a sentence: `vegetarian: true` says that somebody is vegetarian."""
    name, text = key.replace("_", " ").replace("-", " "), unwiki(word(value)) or str(value).lower()
    if value is True or fold(text) in ("yes", "true"):
        spoken = [f"is {name}"]
    elif value is False or fold(text) in ("no", "false"):
        spoken = [f"is not {name}", f"is no {name}"]
    elif name in ("diet", "degree", "allergies", "allergy", "habits", "food", "hand"):
        spoken = [f"{'allergic to' if name.startswith('allerg') else 'is'} {text}"]
    else:
        return
    for sentence in spoken:
        flipped = sentence.startswith(("is not", "is no "))
        plain = sentence.replace("is not", "is").replace("is no ", "is ")
        for each in statements_in(Sentence(plain, plain), Voice(frozenset(), "person"), "9999"):
            if each.predicate.startswith("trait.") and each.subject == OWN:
                mode = {"yes": "no", "no": "yes"}.get(each.mode, each.mode) if flipped else each.mode
                fact = Standing(page.id, each.predicate, mode, f"{key}: {text}", None, None)
                yield Held(fact, Source(page, "field", f"{key}: {text}"))
            elif each.predicate == "married_to" and each.mode == "is":
                state = "single" if flipped else "married"
                fact = Standing(page.id, "marital_status", state, state, None, None)
                yield Held(fact, Source(page, "field", f"{key}: {text}"))


def inverses(held: Held, days: Mapping[int, str]) -> Iterator[tuple[int, Held]]:
    """What a fact about a page says of the page that is its object; `days` are those of meetings."""
    fact = held.fact
    predicate = _INVERSE.get(fact.predicate)
    if predicate and fact.object_page:
        since = fact.since or days.get(fact.subject)
        turned = Standing(
            fact.object_page, predicate, "", "", fact.subject, since=since, link=fact.link, claim=fact.claim
        )
        yield fact.object_page, Held(turned, held.source)


def sayings(told: Told) -> Iterator[Held]:
    """A sentence of a truth as something that holds; what tells of a change or of a day does not."""
    page, subject, statement = told.page, told.subject, told.statement
    bought = statement.predicate == "owned_by"
    if statement.perhaps or statement.entry or (statement.change and not bought):
        return
    owner = subject if isinstance(subject, int) else 0
    source = Source(page, "text", statement.sentence)
    if statement.predicate.startswith("trait."):
        fact = Standing(owner, statement.predicate, statement.mode, statement.sentence, None, None)
        yield Held(fact, source)
        return
    if statement.predicate in ("children", "siblings", "acquired"):
        key = "none" if statement.mode == "never" else "some"
        yield Held(Standing(owner, statement.predicate, key, statement.value, None, None), source)
        return
    if bought:
        yield Held(
            Standing(owner, "owned_by", fold(statement.value), statement.value, None, None),
            replace(source, day=statement.day),
        )
        return
    if statement.predicate == "tie" and statement.mode == "is":
        yield Held(Standing(owner, "works_at", fold(statement.value), statement.value, None, None), source)
        return
    if statement.predicate == "married_to" and statement.mode == "is":
        yield Held(Standing(owner, "married_to", fold(statement.value), statement.value, None, None), source)
        return
    if statement.mode != "is" or statement.day or statement.predicate not in _LASTING or not statement.value:
        return
    if statement.predicate == "value":
        found = quantity(statement.value)  # a number without a currency may count anything
        if found is None or not found.unit:
            return
    yield Held(
        Standing(owner, statement.predicate, fold(statement.value), statement.value, None, None), source
    )


def may_clash(held: Held, told: Told, *, known: bool) -> bool:
    """Whether what holds is said elsewhere than in the sentence itself.

    Two sentences are compared only where it is `known` what they speak of: on a page of any kind, words like
    "has 40 people" may be about anything.
    """
    if held.source is None or held.source.kind == "field":
        return True
    if not known or held.source.quote == told.statement.sentence:
        return False
    if held.source.day and told.statement.day and held.source.day[:7] != told.statement.day[:7]:
        return False  # one came after the other
    return held.source.page.id != told.page.id or told.statement.predicate not in _MANIFOLD
