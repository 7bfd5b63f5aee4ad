"""What a check of a knowledge base finds."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from quaid.model.record import record

Severity = Literal["fatal", "warning"]
EVERY_CHANGE = "*"  # among `also`: the finding concerns whatever is written

# Every check, what it is about, and whether what it finds keeps a change from being committed.
CHECKS: dict[str, tuple[Severity, str]] = {
    "org": ("fatal", "Org cannot read the file as it was meant: a block or merge that is open, no UTF-8"),
    "drawer": (
        "fatal",
        "A property drawer is missing, misspelt, not at its place, open, or holds other lines",
    ),
    "id": ("fatal", "There is no id, more than one, or no UUID"),
    "property": ("fatal", "A required property is missing, repeated, empty, or has no allowed value"),
    "title": ("fatal", "There is no `#+title:`, or it is empty"),
    "duplicate-id": ("fatal", "Two nodes have the same id"),
    "link": ("fatal", "An id link leads to no node, or is not closed"),
    "project": ("fatal", "A project is not written as a slug between colons"),
    "index": ("fatal", "The index is missing, not in step with the nodes, or edited by hand"),
    "secret": ("fatal", "A node or a captured text holds a key, token or password"),
    "org-lint": ("fatal", "Emacs found a broken drawer or block (only with --org-lint)"),
    "type": ("warning", "No tag, or more than one, says of which type the node is"),
    "relation": ("warning", "The label before a link is none that is known"),
    "source": ("warning", "The captured source of a node is missing"),
    "size": ("warning", "A node, an excerpt or a captured file is unusually large"),
    "style": ("warning", "Dates that contradict each other, odd tags, line endings, file names"),
}


@record
class Finding:
    """Something that is wrong, and what to do. `also` are other files that it concerns."""

    path: str
    line: int
    check: str
    severity: Severity
    message: str
    hint: str = ""
    also: tuple[str, ...] = ()


@record
class Report:
    """All findings, and those that keep a change from being committed."""

    findings: tuple[Finding, ...]
    blocking: tuple[Finding, ...]


def finding(
    path: str, line: int, check: str, message: str, hint: str = "", also: tuple[str, ...] = ()
) -> Finding:
    """A finding whose severity is that of its check."""
    return Finding(path, line, check, CHECKS[check][0], message, hint, also=also)


def report(found: Iterable[Finding], changed: Collection[str] | None, strict: bool) -> Report:
    """Sort findings, and choose those that block: of a change, only what touches it, unless strict."""
    ordered = sorted(
        found, key=lambda each: (each.severity != "fatal", each.path, each.line, each.check, each.message)
    )
    fatal = [each for each in ordered if each.severity == "fatal"]
    if changed is not None and not strict:
        touched = {*changed, EVERY_CHANGE}
        fatal = [each for each in fatal if touched.intersection((each.path, *each.also))]
    return Report(tuple(ordered), tuple(fatal))


def text_of(finding: Finding) -> str:
    """A finding as people see it."""
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path
    hint = f"\n  {finding.hint}" if finding.hint else ""
    return f"{place}: {finding.severity} [{finding.check}] {finding.message}{hint}"


def data_of(finding: Finding) -> dict[str, object]:
    """A finding as programs see it."""
    return {name: value for name, value in finding.__dict__.items() if name != "also"}
