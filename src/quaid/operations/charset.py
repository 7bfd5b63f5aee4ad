"""The encoding of pages."""

from __future__ import annotations

from quaid.app import App
from quaid.model.page import Problem
from quaid.model.record import fill, record
from quaid.operations.edits import with_problems
from quaid.operations.fields import PAGE, PAGE_VERSION
from quaid.operations.operation import Operation, arg
from quaid.operations.text import Style


@record
class Recode:
    slug: str = PAGE
    from_: str = arg("The encoding that it has, such as gb18030, cp1251, shift_jis or latin-1.")
    to: str = arg("The encoding that it is to have.", default="utf-8")
    page_version: int | None = PAGE_VERSION


@record
class Recoded:
    """A page in another encoding."""

    slug: str
    version: int
    from_: str
    to: str
    changed: bool
    problems: tuple[Problem, ...] = ()


def recode(app: App, args: Recode) -> Recoded:
    """Convert a page to another encoding, whose own is not UTF-8 or is not known.

    No other command converts a page. What it was until now is kept: `revert` brings back its bytes.
    """
    page = app.page(args.slug)
    written = app.collection(page.collection).recode(page.slug, args.from_, args.to, args.page_version)
    return fill(Recoded, written, slug=page.slug, from_=args.from_, to=args.to)


def _text(result: Recoded, style: Style) -> str:
    name = style.name(result.slug)
    if not result.changed:
        return f"{name} unchanged, version {result.version}: it is {result.to} already"
    line = f"{name} converted from {result.from_} to {result.to}, version {result.version}"
    return with_problems(line, result.problems, style)


RECODE = Operation(
    "recode",
    recode,
    render=_text,
    effect="write",
    idempotent=False,
    examples=("recode notes/meeting --from gb18030", "recode notes/old --from cp1251 --to utf-8-sig"),
)
