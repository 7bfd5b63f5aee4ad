"""What statements amount to: an age is a year of birth, who buys a company owns it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaid.formats.numerals import ordinal
from quaid.graph.prose.sentences import LINKED
from quaid.graph.prose.slots import NAME
from quaid.graph.prose.statements import Statement
from quaid.graph.prose.subjects import OWN
from quaid.model.record import replace

PAGE = "\ue003"  # stands for the page on which a sentence stands, where a name is expected
_SPOUSE = re.compile(rf"\b(?:wife|husband|spouse)\s+(?P<who>{LINKED}|{NAME})")


def meanings(statement: Statement, today: str) -> Iterator[Statement]:
    """What a statement says in the words of facts."""
    if statement.predicate in ("age", "anniversary"):
        yield from _year(statement, today)
    elif statement.predicate == "acquired" and statement.mode == "became":
        yield replace(statement, subject=statement.value, predicate="owned_by", value=PAGE, kinds=frozenset())
    elif statement.predicate == "owned_by":
        yield statement
        yield replace(
            statement, subject=statement.value, predicate="acquired", mode="is", value="", kinds=frozenset()
        )
    elif statement.predicate == "boss":
        yield replace(statement, subject=OWN, predicate="reports_to", value=statement.subject)
    elif statement.predicate == "attends":
        yield replace(statement, subject=OWN, value=statement.subject)
    elif statement.predicate in ("children", "siblings"):
        yield statement
        other = _SPOUSE.search(statement.text) if statement.predicate == "children" else None
        named = other["who"] if other else statement.value if statement.predicate == "siblings" else ""
        if named and not re.fullmatch(r"[\d\s]+", named):
            yield replace(statement, subject=named)
    else:
        yield statement


def _year(statement: Statement, today: str) -> Iterator[Statement]:
    """The year that an age or an anniversary counts from."""
    found = re.search(r"\d+", statement.value)
    count = int(found.group()) if found else ordinal(statement.value)
    year = int(statement.year or (statement.day or today)[:4])
    if count:
        predicate = "born_on" if statement.predicate == "age" else "founded_in"
        yield replace(statement, predicate=predicate, mode="is", value=str(year - count), day=None)
