"""Changes of pages that operations make: the edit itself, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from quaid.app import App
from quaid.formats.content import implied_by
from quaid.formats.format import Editor, page_format
from quaid.model.page import Claim, PageInfo, Problem, Reference
from quaid.model.record import record
from quaid.operations.text import Style, shown
from quaid.store import pages
from quaid.vault.collection import Written


@record
class Statement:
    """A fact or a link by its id, and the page that states it, as it is after a change."""

    id: int
    slug: str
    version: int


@record
class Stated(Statement):
    """What became of a fact or of a link."""

    changed: bool


def edit_page(
    app: App, page: PageInfo, change: Callable[[Editor, str], str], expected: int | None
) -> Written:
    """Change the text of a page with the editor of its format."""
    editor = page_format(page.format).editor
    return app.collection(page.collection).edit(page.slug, lambda text: change(editor, text), expected)


def fields_that_state(app: App, page: PageInfo) -> dict[Claim | Reference, str]:
    """What fields of a page such as `company` say, each with its field.

    No command edits these: the field says them, so the field must change.
    """
    text = pages.load(app.connection, page.id).text
    return implied_by(text, page.slug, page.format, page.path)


def statement_text(kind: str, result: Statement, outcome: str, style: Style) -> str:
    """What became of a statement: `fact 12 is taken back; people/alice is at version 4`."""
    words = " ".join(filter(None, (kind, style.bold(str(result.id)), outcome)))
    # The version, because the next write expects it.
    return f"{words}; {style.name(result.slug)} is at version {result.version}"


def with_problems(line: str, problems: Iterable[Problem], style: Style) -> str:
    """What a write did, and what could not be understood of the text."""
    lines = [line]
    for each in problems:
        where = f" (line {each.line})" if each.line else ""
        lines.append(style.warning(f"note: {shown(each.message)}{where}; the text is kept as it is"))
    return "\n".join(lines)
