"""What a shared index is given of a memory's texts."""

from __future__ import annotations

import json
from collections.abc import Collection

import apsw

from quaid.model.record import record
from quaid.store.embeddings import STORED, whole
from quaid.store.rows import rows
from quaid.store.scope import Units


@record
class SharedText:
    """A text by its hash, where it stands first, with its vector as float32."""

    digest: bytes
    title: str
    heading: str
    text: str
    vector: bytes


def of_hashes(
    connection: apsw.Connection, model_id: int, units: Units, hashes: Collection[bytes]
) -> list[SharedText]:
    """Those of these texts that a model has embedded."""
    found = rows(
        connection,
        f"""SELECT u.hash, p.title, u.heading, iif(u.kind = 'fields', p.fields,
                part(p.packed, u.start, u.start + u.length)), {STORED}
            FROM (SELECT min(id) AS id FROM {units.table}
                  WHERE hash IN (SELECT unhex(value) FROM json_each(?)) GROUP BY hash) f
            CROSS JOIN {units.table} u ON u.id = f.id CROSS JOIN pages p ON p.id = u.page_id
            CROSS JOIN {units.vectors} e ON e.model_id = ? AND e.hash = u.hash""",
        (json.dumps([digest.hex() for digest in hashes]), model_id),
    )
    return [
        SharedText(bytes(digest), title, heading, text, whole(*stored))
        for digest, title, heading, text, *stored in found
    ]
