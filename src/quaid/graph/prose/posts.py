"""Posts that one person has at a time, and who is said to have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quaid.formats.slugs import fold
from quaid.formats.values import role_of
from quaid.graph.prose.holdings import Held, Source, Told
from quaid.graph.prose.names import Names, Subject
from quaid.graph.prose.phrasebook import sections
from quaid.graph.prose.rivals import same_name
from quaid.model.record import record
from quaid.store.checks import Standing

_FIELDS = ("ceo", "cto", "cfo", "coo", "chair", "president", "treasurer", "captain", "conductor", "principal")


@record
class Holder:
    """Who has a post by some source: a page, or the name of somebody who has none."""

    person: Subject
    names: tuple[str, ...]
    held: Held
    told: Told | None = None

    def is_(self, other: Holder) -> bool:
        """Whether both may be one person."""
        if isinstance(self.person, int) and isinstance(other.person, int):
            return self.person == other.person
        return any(same_name(one, two) for one in self.names for two in other.names)


def is_single(role: str) -> bool:
    """Whether one person at a time has a role: heads of something, and the posts of the list."""
    plain = role_of(role)
    listed = {role_of(post) for post in dict(sections("common"))["post noun"]}
    return plain in listed or plain.startswith(("head of ", "director of "))


def rivals(
    told: Sequence[Told],
    held: Mapping[Subject, Sequence[Held]],
    names: Names,
    called: Mapping[int, tuple[str, ...]],
) -> Iterator[tuple[Source, Held]]:
    """Two who are said to have one post: a sentence, and what stands against it."""
    holders: dict[tuple[Subject, str], list[Holder]] = {}
    for subject, rows in held.items():
        for place, role, holder in _by_fields(subject, rows, called):
            holders.setdefault((place, role), []).append(holder)
    for each in told:
        for place, role, holder in _by_sentence(each, held, names, called):
            holders.setdefault((place, role), []).append(holder)
    for group in holders.values():
        for holder in group:
            other = next(
                (each for each in group if not holder.is_(each) and not _follows(each, holder)), None
            )
            if holder.told and other:
                statement = holder.told.statement
                one = Source(holder.told.page, "text", statement.sentence, statement.day, statement.perhaps)
                yield one, other.held
                break


def _follows(one: Holder, other: Holder) -> bool:
    """Whether both have days, so that one came after the other."""
    days = [each.told.statement.day if each.told else each.held.fact.since for each in (one, other)]
    return all(days) and days[0] != days[1]


def _by_fields(
    subject: Subject, rows: Sequence[Held], called: Mapping[int, tuple[str, ...]]
) -> Iterator[tuple[Subject, str, Holder]]:
    """The posts that fields name: on the page of a company, or with role and company on that of a person."""
    for row in rows:
        role = role_of(row.fact.predicate.replace("_", " "))
        if role in _FIELDS and not (row.source and row.source.kind == "text"):
            person = row.fact.object_page or row.fact.key
            spoken = (row.fact.text, *called.get(row.fact.object_page or 0, ()))
            yield subject, role, Holder(person, spoken, row)
    roles = [
        row for row in rows if row.fact.predicate == "role" and is_single(row.fact.text) and _is_field(row)
    ]
    firms = {
        row.fact.object_page for row in rows if row.fact.predicate == "works_at" and row.fact.object_page
    }
    if len(roles) == 1 and len(firms) == 1 and isinstance(subject, int):
        yield (
            next(iter(firms)),
            role_of(roles[0].fact.text),
            Holder(subject, called.get(subject, ()), roles[0]),
        )


def _is_field(row: Held) -> bool:
    return row.source is None or row.source.kind == "field"


def _by_sentence(
    told: Told, held: Mapping[Subject, Sequence[Held]], names: Names, called: Mapping[int, tuple[str, ...]]
) -> Iterator[tuple[Subject, str, Holder]]:
    """The posts that a sentence names."""
    statement = told.statement
    role = role_of(statement.role)
    if not role or not is_single(role) or statement.perhaps:
        return
    fact = Standing(0, role, fold(statement.value), statement.value, None, statement.day)
    row = Held(fact, Source(told.page, "text", statement.sentence, statement.day))
    if statement.predicate == "post":
        person = names.subject(statement.value, told.page.id)
        if person is not None:
            yield told.subject, role, Holder(person, (statement.value,), row, told)
    elif statement.predicate == "role" and statement.mode in ("is", "became"):
        place = _place(told, held, names)
        if place is not None:
            spoken = called.get(told.subject, ()) if isinstance(told.subject, int) else (told.subject,)
            yield place, role, Holder(told.subject, spoken or (told.page.title,), row, told)


def _place(told: Told, held: Mapping[Subject, Sequence[Held]], names: Names) -> Subject | None:
    """Where somebody has the post that a sentence gives them: where it says so, or where they work."""
    if told.statement.org:
        return names.subject(told.statement.org, told.page.id)
    firms = {
        row.fact.object_page
        for row in held.get(told.subject, ())
        if row.fact.predicate == "works_at" and row.fact.object_page
    }
    return next(iter(firms)) if len(firms) == 1 else None
