"""Pages by what people call them, in one order for every command: slug, file, then other names."""

from __future__ import annotations

import unicodedata

import apsw

from quaid.formats.addresses import compared, split_extension
from quaid.formats.slugs import fold, slugify
from quaid.model.page import PageInfo
from quaid.store import pages
from quaid.store.names import PLACED, SPELLED

MOST = 20  # candidates that are named when a name fits several pages


def pages_called(connection: apsw.Connection, name: str, collection_id: int | None = None) -> list[PageInfo]:
    """The pages that a name means: one, several that it fits equally well, or none."""
    return pages.by_slug(connection, name, collection_id) or otherwise_called(connection, name, collection_id)


def otherwise_called(connection: apsw.Connection, name: str, collection_id: int | None) -> list[PageInfo]:
    """The pages that a name means which is no slug of theirs as it stands."""
    found = by_file(connection, name, collection_id) or pages.by_name(connection, fold(name), collection_id)
    slug = slugify(name)
    return found if found or slug == name else pages.by_slug(connection, slug, collection_id)


def by_file(connection: apsw.Connection, name: str, collection_id: int | None = None) -> list[PageInfo]:
    """The pages whose file, or slug, has this path or ends with it; those that are spelled so, if any are."""
    path = name.removeprefix("./").strip("/")
    stem, extension = split_extension(path)
    return _files(connection, stem, extension, collection_id) or (
        _files(connection, path, "", collection_id) if extension else []
    )


def _files(
    connection: apsw.Connection, path: str, extension: str, collection_id: int | None
) -> list[PageInfo]:
    folder, _, name = compared(path).rpartition("/")
    bindings = {
        "name": name,
        "folder": folder,
        "extension": extension,
        "spelling": unicodedata.normalize("NFC", path),
        "collection": collection_id,
        "most": MOST,
    }
    found = list(connection.execute(_FILES, bindings))
    best = min((rank for rank, *_ in found), default=0)
    ids = [page_id for rank, page_id in found if rank == best]
    return [pages.info(connection, page_id) for page_id in ids]


_FILES = f"""
    SELECT 2 * (p.folder <> :folder) + (substr({SPELLED}, -length(:spelling)) <> :spelling) AS rank, page_id
    FROM {PLACED}
    WHERE p.name = :name AND (:extension = '' OR p.extension IN ('', :extension))
      AND (p.folder = :folder OR :folder = '' OR substr(p.folder, -1 - length(:folder)) = '/' || :folder)
      AND (:collection IS NULL OR p.collection_id = :collection)
    ORDER BY rank, {SPELLED}, p.collection_id LIMIT :most"""
