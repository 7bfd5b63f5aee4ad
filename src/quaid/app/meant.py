"""What a person means by the name of a type, tag, wing or page that is not quite the one in the memory."""

from __future__ import annotations

from collections.abc import Callable

import apsw

from quaid.errors import NotFound
from quaid.formats.slugs import slugify
from quaid.model import spelling
from quaid.model.types import page_type, type_for_folder
from quaid.store import filters, pages
from quaid.store.filters import PageFilter

MOST_NAMED = 6  # of what there is


def settled(connection: apsw.Connection, chosen: PageFilter, notify: Callable[[str], None]) -> PageFilter:
    """The filter with the names that the memory has; of one that it has not, the person is told."""

    def name_known(field: filters.Field, value: str | None) -> str | None:
        return _name(connection, field, value, notify) if value else None

    return PageFilter(
        type=name_known("type", chosen.type),
        tag=name_known("tag", chosen.tag),
        wing=name_known("wing", chosen.wing),
        collection=chosen.collection,
        since=chosen.since,
        until=chosen.until,
    )


def _name(
    connection: apsw.Connection, field: filters.Field, value: str, notify: Callable[[str], None]
) -> str:
    if filters.has_value(connection, field, value):
        return value
    known = filters.values(connection, field)
    same = [each for each in known if spelling.plain(each) == spelling.plain(value)]
    implied = type_for_folder(value.lower()) if field == "type" else None
    if implied in known:
        same.append(implied)
    if same:
        return same[0]
    if field == "type" and (implied or page_type(value)):
        return implied or value  # one that we know, of which there is no page yet
    some = ", ".join(known[:MOST_NAMED]) + (", …" if len(known) > MOST_NAMED else "")
    hint = spelling.hint(value, known, f"There are: {some}." if known else "")
    notify(f"no page has the {field} {value!r}. {hint}".rstrip())
    return value


def no_page(connection: apsw.Connection, name: str) -> NotFound:
    """That no page is called so; what may be meant are slugs that contain the name, or look like it."""
    slug = slugify(name)
    if pages.is_quarantined(connection, slug):
        return NotFound(f"the page {slug!r} is removed", hint=f"`quaid restore {slug}` brings it back.")
    last = slug.rsplit("/", 1)[-1]
    contained = pages.similar_slugs(connection, last) if last else []
    similar = contained or spelling.alike(slug, pages.slugs_spelled_near(connection, last))
    return NotFound(
        f"no page {name!r}", hint=spelling.did_you_mean(similar) or "`quaid search` finds pages by words."
    )
