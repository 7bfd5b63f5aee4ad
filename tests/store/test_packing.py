"""Texts are kept packed, and come back to the character; what is damaged is read as far as it goes."""

from __future__ import annotations

from pathlib import Path
from zlib import adler32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.store.packing import pack, readable
from quaid.store.scratch import scratch
from tests.support import call, examples, found

LONG = "The walrus sleeps on the ice, and nobody knows for how long. " * 40


@examples(100, 1_000)
@given(st.text(max_size=2_000), st.integers(0, 2_000), st.integers(0, 2_000))
def test_a_text_and_its_parts_come_back(text: str, start: int, end: int) -> None:
    text = text.encode("utf-8", "ignore").decode()
    with scratch() as connection:
        sql = "SELECT whole(?1), part(?1, ?2, ?3), part(?1, ?2, NULL)"
        assert connection.execute(sql, (pack(text * 3), start, end)).fetchone() == (
            text * 3,
            (text * 3)[start:end],
            (text * 3)[start:],
        )


def test_a_long_text_takes_less_than_its_characters(app: App, db: Path) -> None:
    call(app, "put", slug="a", content=LONG)
    call(app, "put", slug="b", content="short\n")
    kept = dict(app.connection.execute("SELECT slug, packed FROM pages"))
    assert len(kept["a"]) < len(LONG) / 4
    assert kept["b"] == "short\n"
    assert call(app, "get", slug="a")["content"] == LONG
    assert found(app, "walrus") == ["a"]


@pytest.mark.parametrize("place", [0, 10, 60, -1])
def test_a_damaged_text_is_readable_before_the_damage(place: int) -> None:
    packed = bytearray(pack("".join(f"{number} walruses " for number in range(500))))
    packed[place] ^= 0xFF
    text = readable(bytes(packed))
    assert isinstance(text, str)
    assert text.startswith("0 walruses 1" if place in (-1, 60) else "")


def test_no_changed_byte_of_a_text_that_is_packed_against_a_stock_goes_unseen() -> None:
    stock = LONG.encode()
    text = "".join(f"The walrus {number} sleeps on the ice, " for number in range(9))
    packed = pack(text, stock)
    assert isinstance(packed, bytes)
    with scratch() as connection:
        connection.execute("INSERT INTO stocks VALUES (1, 0, ?, ?)", (adler32(stock), stock))
        assert connection.execute("SELECT whole(?), legible(?)", (packed, packed)).fetchone() == (text, True)
        for place in range(2, len(packed)):
            broken = packed[:place] + bytes([packed[place] ^ 0x10]) + packed[place + 1 :]
            assert connection.execute("SELECT legible(?)", (broken,)).fetchone() == (False,), place


def test_a_knowledge_base_keeps_its_texts_as_they_are(app: App) -> None:
    call(app, "put", slug="a", content=LONG)
    app.connection.execute("UPDATE collections SET profile = 'kb'")
    call(app, "put", slug="a", content=f"{LONG}More.\n", expected_version=1)
    call(app, "put", slug="b", content=LONG)
    assert dict(app.connection.execute("SELECT slug, packed FROM pages")) == {
        "a": f"{LONG}More.\n",
        "b": LONG,
    }
    assert call(app, "get", slug="b")["content"] == LONG
    assert not call(app, "validate", all=True)["findings"]
