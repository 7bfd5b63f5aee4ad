"""How a page is named as the target of a link."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import InvalidInput, NotFound
from quaid.formats.addresses import address_of, split_extension
from quaid.model.page import PageInfo, Reference, split_target
from quaid.store import names


def target_of(app: App, name: str, origin: PageInfo) -> str:
    """How a link to a page is written: its slug, unless another page's file is called so; else its path."""
    try:
        page = app.page(name)
    except NotFound:
        if not name.strip() or "\n" in name:
            raise InvalidInput("the link leads nowhere", hint="Name a page.") from None
        return name.strip()
    known = [page.slug, split_extension(page.path or page.slug)[0]]
    abroad = [f"{page.collection}::{each}" for each in known]
    forms = [*known, *abroad] if page.collection == origin.collection else abroad
    leading = (each for each in forms if _leads(app, origin, each) == page.id)
    return next(leading, forms[0])


def _leads(app: App, origin: PageInfo, target: str) -> int | None:
    address = address_of(Reference(target))
    return names.lead(app.connection, origin.id, split_target(target)[0], address)
