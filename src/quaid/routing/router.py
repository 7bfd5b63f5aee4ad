"""Where something that is to be remembered belongs: rules over its words and over what the notebook holds.

Nothing is read or written here. `find_sections` is how the rules ask the word index for sections that speak
of the same things. Rules are asked in this order: what the caller says, lists, questions, chores, orders,
contacts, tastes, habits; what is left is a fact. Every answer has its reasons.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaid.errors import Ambiguous, InvalidInput
from quaid.formats.slugs import fold, slugify
from quaid.model.record import replace
from quaid.routing import (
    contacts,
    days,
    lists,
    manners,
    names,
    neighbours,
    places,
    projects,
    sentences,
    topics,
)
from quaid.routing.list_items import list_section, route_to_list, route_to_usual, routes_to_lists
from quaid.routing.lists import TODOS
from quaid.routing.places import Reading
from quaid.routing.shelf import (
    CATEGORIES,
    DAILY,
    Category,
    Hints,
    Route,
    Shelf,
    log_route,
    where,
)
from quaid.routing.words import words_of

CONTACTS, PREFERENCES, ORDERS = (
    "reference/contacts.md",
    "reference/preferences.md",
    "reference/standing-orders.md",
)
FACTS, PATTERNS = "knowledge/facts.md", "knowledge/patterns.md"
GENERAL, ME = "General", "Me"
MOST_READ = 600  # characters of a sentence that the rules look at
MOST_SENTENCES = 12
# A heading with items below it.
_BULLETED = re.compile(r"[^\n:]{2,60}:[ \t]*\n(?:[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S[^\n]*(?:\n|$))+$")


def route(content: str, hints: Hints, shelf: Shelf, reading: Reading | None = None) -> tuple[Route, ...]:
    """The places of what is said: things for lists one by one, all else together.

    With a `reading` of sentences, what was learnt from those of others counts too.
    """
    found = _routes(content, hints, shelf)
    if reading and len(found) == 1 and not (hints.category or hints.file or hints.section):
        said = content.strip()
        short = len(said) <= MOST_READ and "\n" not in said
        kind = places.learnt(said, found[0], reading, hints.day) if short else None
        if kind in (lists.IDEAS, lists.TODOS) and manners.is_how_to(said):
            kind = places.FACTS
        if kind == places.FACTS and _is_of_contact(found[0], shelf):
            kind = None
        found = (_route_to_kind(kind, said, hints, shelf),) if kind else found
        if found[0].category == DAILY and projects.heading_of(said, shelf.headings.get(projects.FILE, ())):
            found = (_fact_route(_clean(said), hints, shelf, "it is news of a project"),)
        found = (neighbours.beside_its_like(found[0], said, shelf),)
    return tuple(_dated(each, hints) for each in found)


def _is_of_contact(found: Route, shelf: Shelf) -> bool:
    """Whether it is about somebody who stands among the contacts: a person looks there."""
    return found.path == CONTACTS and found.section in shelf.headings.get(CONTACTS, ())


def _route_to_kind(kind: str, said: str, hints: Hints, shelf: Shelf) -> Route:
    """The place of that kind for what is said."""
    reason = "sentences like it belong there"
    if kind in (*places.USUAL, places.LIST):
        return route_to_usual(kind, sentences.core(said), reason, shelf, hints)
    if kind == places.LOG and hints.day:
        return log_route(_clean(said), hints.day, "it tells what happened")
    if kind in (places.FACTS, places.LOG):
        return _fact_route(_clean(said), hints, shelf, reason)
    if kind == places.PROJECTS:
        return _project_route(_clean(said), hints, shelf, reason)
    return _file_route(f"reference/{kind}.md", _clean(said), hints, shelf, reason)


def _dated(found: Route, hints: Hints) -> Route:
    """The route of a text that has the days of the calendar beside those that it names.

    In orders, tastes and habits a day of the week comes again and again.
    """
    if (
        hints.day is None
        or found.is_list
        or found.category == DAILY
        or any("\n" in each for each in found.texts)
    ):
        return found
    weekdays = found.path not in (ORDERS, PREFERENCES, PATTERNS)
    texts = tuple(days.dated(each, hints.day, weekdays=weekdays) for each in found.texts)
    return replace(found, texts=texts)


def _routes(content: str, hints: Hints, shelf: Shelf) -> tuple[Route, ...]:
    said = content.strip()
    if not said:
        raise InvalidInput("there is nothing to remember", hint="Say what it is.")
    if hints.category or hints.file:
        return (_route_to_named_place(said, hints, shelf),)
    whole = route_to_list(sentences.core(said), shelf, hints) if _BULLETED.match(said) else None
    if whole:
        return (whole,)
    pieces = sentences.sentences(said)
    if len(pieces) > MOST_SENTENCES or _is_document(said):
        return (_fact_route(said, hints, shelf, "it is a longer text"),)
    for_lists: list[Route] = []
    rest: list[str] = []
    asked: list[str] = []
    for piece in pieces:
        core = sentences.first_person(sentences.core(piece))
        if len(core) > MOST_READ:
            rest.append(piece)
            continue
        found = routes_to_lists(core, shelf, hints)
        if found:
            for_lists += found
        elif sentences.is_question(core):
            asked.append(piece)
        else:
            rest.append(piece)
    if asked and not for_lists and not rest:
        raise InvalidInput(
            "that is a question; there is nothing in it to remember",
            hint="`quaid recall` looks for answers. To write it down anyway, name a category or a file.",
        )
    others = [*asked, *rest] if rest else []
    ordered = [piece for piece in pieces if piece in others]
    left = said if ordered == pieces else " ".join(ordered)
    return (*_one_route_each(for_lists), *((_prose_route(left, hints, shelf),) if ordered else ()))


def _is_document(said: str) -> bool:
    return len(said) > 4 * MOST_READ or "```" in said or said.count("\n") > 2 * MOST_SENTENCES


def _one_route_each(found: Sequence[Route]) -> tuple[Route, ...]:
    """One route for each list, with all its items."""
    merged: dict[tuple[str, str], Route] = {}
    for each in found:
        key = (each.path, each.section)
        before = merged.get(key)
        texts = (*(before.texts if before else ()), *each.texts)
        merged[key] = Route(each.category, each.path, each.section, texts, each.reasons, is_list=True)
    return tuple(merged.values())


# All else ---------------------------------------------------------------------------------------------


def _prose_route(said: str, hints: Hints, shelf: Shelf) -> Route:
    """The place of what belongs to no list: its strongest sentence decides."""
    whole = [
        sentences.first_person(sentences.core(piece)[:MOST_READ]) for piece in sentences.sentences(said)
    ] or [said]
    text = _clean(said)
    for path, reason, fits in (
        (ORDERS, "it says how to behave from now on", manners.is_order),
        (
            CONTACTS,
            "it says how somebody can be reached, where they live or when their day is",
            contacts.is_contact,
        ),
        (PREFERENCES, "you say what you like", manners.is_taste),
        (PATTERNS, "it says what happens again and again", manners.is_habit),
    ):
        if any(fits(each) for each in whole):
            return _file_route(path, text, hints, shelf, reason)
    return _fact_route(text, hints, shelf, "it is a fact")


def _clean(said: str) -> str:
    """What is written: the words of the person, without `remember that`."""
    pieces = sentences.sentences(said)
    if not pieces or "\n" in said.strip():
        return said.strip()
    first = sentences.core(pieces[0])
    joined = " ".join([first, *pieces[1:]])
    return joined if sentences.plain_quotes(said) != sentences.plain_quotes(joined) else said.strip()


def _file_route(path: str, text: str, hints: Hints, shelf: Shelf, reason: str) -> Route:
    """The section of a file for a text: named, of the same person, of the same subject, or a new one."""
    category = _category(path)
    path = _existing(path, shelf)
    section, why = _section(path, text, hints, shelf)
    return Route(
        category, path, section, (text,), (f"{category}: {reason}", why, where(path, section, shelf))
    )


def _fact_route(text: str, hints: Hints, shelf: Shelf, reason: str) -> Route:
    """The place of a fact: beside what the notebook says of the same subject already, in whatever file."""
    if projects.called(text) or projects.heading_of(text, shelf.headings.get(projects.FILE, ())):
        return _project_route(text, hints, shelf, "it is news of a project")
    about = names.person(text)
    if about and not hints.section:
        place = _section_about(about, shelf)
        if place:
            category = _category(place[0])
            reasons = (f"{category}: {reason}", f"there is a section about {about}", where(*place, shelf))
            return Route(category, *place, (text,), reasons)
    if not hints.section and not about:
        best = _section_of_same_subject(text, shelf, "knowledge")
        if best:
            reasons = (f"knowledge: {reason}", "a section speaks of the same things", where(*best, shelf))
            return Route("knowledge", *best, (text,), reasons)
    return _file_route(FACTS, text, hints, shelf, reason)


def _project_route(text: str, hints: Hints, shelf: Shelf, reason: str) -> Route:
    """The section of a project, by the name that it has there already."""
    known = projects.heading_of(text, shelf.headings.get(projects.FILE, ()))
    name = hints.section or known or projects.name_of(text) or GENERAL
    return _file_route(projects.FILE, text, replace(hints, section=name), shelf, reason)


def _section_about(person: str, shelf: Shelf) -> tuple[str, str] | None:
    """The section about a person: among what is known, else among the contacts."""
    for found in shelf.find_sections(person):
        if found.path.startswith("knowledge/") and names.heading_of(person, (found.section,)):
            return found.path, found.section
    heading = names.heading_of(person, shelf.headings.get(CONTACTS, ()))
    return (CONTACTS, heading) if heading else None


def _section(path: str, text: str, hints: Hints, shelf: Shelf) -> tuple[str, str]:
    """A section of a file, and why."""
    if hints.section:
        return hints.section, "the section is named"
    known = shelf.headings.get(path, ())
    file = path.rsplit("/", 1)[-1].removesuffix(".md")
    if path == CONTACTS:
        if contacts.is_own(sentences.first_person(sentences.core(text[:MOST_READ]))):
            return ME, "it is about you"
        found = names.heading_of(text, known)
        if found:
            return found, f"{found} is known"
        return names.whom(text) or topics.subject_of(text) or GENERAL, "nobody of that name is known yet"
    subject = names.person(text)
    if subject:
        return names.heading_of(subject, known) or subject, f"it is about {subject}"
    named = _section_by_heading(text, known)
    if named:
        return named, "the heading has the same words"
    topic = topics.topic_of(text, file)
    fitting = next((each for each in known if topic and topics.is_about(each, topic)), None)
    if fitting:
        return fitting, "the section is about the same subject"
    near = _section_of_same_subject(text, shelf, path)
    if near:
        return near[1], "the section speaks of the same things"
    subject = topic or topics.subject_of(text) or GENERAL
    return subject, "no section is about this yet" if subject not in known else "nothing is nearer"


def _section_by_heading(text: str, known: Sequence[str]) -> str | None:
    """The section whose heading shares the most words with a text."""
    words = words_of(text)
    scored = [(len(words & words_of(each)), -place, each) for place, each in enumerate(known)]
    best = max(scored, default=(0, 0, ""))
    return best[2] if best[0] else None


def _section_of_same_subject(text: str, shelf: Shelf, within: str) -> tuple[str, str] | None:
    """Of the sections that the word index finds, the one that shares a word of heading or two of text."""
    words = words_of(text)
    best: tuple[int, int, str, str] = (0, 0, "", "")
    for place, found in enumerate(shelf.find_sections(text)):
        if not found.path.startswith(within) or not found.section or found.path == PATTERNS != within:
            continue
        headed = len(words & words_of(found.section))
        spoken = len(words & words_of(found.text))
        if headed or spoken >= 2:
            best = max(best, (3 * headed + spoken, -place, found.path, found.section))
    return (best[2], best[3]) if best[0] else None


# What the caller says ---------------------------------------------------------------------------------


def _route_to_named_place(said: str, hints: Hints, shelf: Shelf) -> Route:
    """The place where the caller wants it; the rules say what is left open."""
    path = named_file(hints, shelf)
    category = hints.category or (_category(path) if path else None)
    core = sentences.first_person(sentences.core(said)[:MOST_READ])
    if category == "lists":
        return _route_to_named_list(said, path, hints, shelf)
    reason = "the file is named" if path else "the category is named"
    if path is None and category == "reference":
        path = ORDERS if manners.is_order(core) else CONTACTS if contacts.is_contact(core) else PREFERENCES
    elif path is None:
        path = PATTERNS if manners.is_habit(core) else FACTS
    return _file_route(path, _clean(said), hints, shelf, reason)


def _route_to_named_list(said: str, path: str | None, hints: Hints, shelf: Shelf) -> Route:
    core = sentences.core(said)[:MOST_READ] if len(said) <= MOST_READ else said
    found = route_to_list(core, shelf, hints)
    if path is None and found:
        return found
    path = path or lists.path_of(TODOS, shelf.under("lists"))
    kind = lists.kind_of(path.rsplit("/", 1)[-1].removesuffix(".md")) or ""
    texts = found.texts if found else lists.parts(core, kind)
    section = hints.section or list_section(path, shelf)
    reasons = ("lists: the place is named", where(path, section, shelf))
    return Route("lists", path, section, texts or (said,), reasons, is_list=True)


def named_file(hints: Hints, shelf: Shelf) -> str | None:
    """The path of the file that the caller names, with or without folder and suffix."""
    if not hints.file:
        return None
    name = hints.file.strip().removesuffix(".md").strip("/")
    folder, _, stem = name.rpartition("/")
    if folder and folder not in CATEGORIES:
        raise InvalidInput(
            f"{hints.file!r} is in none of {', '.join(CATEGORIES)}", hint="`notebook write` can."
        )
    if folder and hints.category and folder != hints.category:
        raise InvalidInput(f"{hints.file!r} is not in {hints.category}", hint="Name one place.")
    wanted = folder or hints.category
    fitting = [
        path
        for path in shelf.files
        if fold(path.rsplit("/", 1)[-1].removesuffix(".md")) == fold(stem)
        and (not wanted or path.startswith(f"{wanted}/"))
        and _category_or_none(path)
    ]
    if len(fitting) > 1:
        raise Ambiguous(
            f"{hints.file!r} fits {len(fitting)} files",
            hint=f"Name one of them: {', '.join(fitting)}.",
            candidates=list(fitting),
        )
    if fitting:
        return fitting[0]
    if not stem:
        raise InvalidInput(f"{hints.file!r} is not a file", hint="Such as contacts.")
    return f"{wanted or 'knowledge'}/{slugify(stem).replace('/', '-')[:80]}.md"


def _existing(path: str, shelf: Shelf) -> str:
    """A path as the notebook spells it."""
    return next((each for each in shelf.files if each.lower() == path.lower()), path)


def _category_or_none(path: str) -> Category | None:
    first = path.split("/", 1)[0]
    return next((each for each in CATEGORIES if each == first), None)


def _category(path: str) -> Category:
    return _category_or_none(path) or "knowledge"
