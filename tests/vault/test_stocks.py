"""Texts of a folder are packed against what its pages have in common, and nothing is lost by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.store import stocks
from quaid.store.packing import named_stock, pack
from quaid.store.scratch import scratch
from quaid.vault import readers
from tests.support import call, examples, found, open_memory
from tests.vault.support import Vault

TEMPLATE = """---
title: Person {number}
type: person
status: a friend of the harbour
---
# Person {number}

Person {number} works in the harbour, and is known for the colour {colour}.

## What they like

Walks along the river, and the {colour} boats of the harbour in the evening.

"""
COLOURS = ("red", "green", "blue", "yellow", "white")


def texts(number: int) -> str:
    return TEMPLATE.format(number=number, colour=COLOURS[number % 5])


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    """Forty pages that are alike, read by other processes as those of a large folder are."""
    monkeypatch.setattr(readers, "LEAST", 30)
    root = tmp_path / "vault"
    root.mkdir()
    made = Vault(root, tmp_path / "memory.db")
    for number in range(40):
        made.write(f"people/{number}.md", texts(number))
    made.sync()
    yield made
    made.app.store.close()


def packed(vault: Vault) -> dict[str, Any]:
    return dict(vault.app.connection.execute("SELECT path, packed FROM pages ORDER BY path"))


def is_sound(vault: Vault) -> bool:
    return vault.pages() == vault.files() and not call(vault.app, "validate", all=True)["findings"]


def test_texts_that_are_alike_take_half_of_the_space(vault: Vault) -> None:
    kept = packed(vault)
    assert all(named_stock(each) is not None for each in kept.values())
    assert sum(map(len, kept.values())) < sum(len(pack(texts(number))) for number in range(40)) / 2
    assert is_sound(vault)
    assert len(found(vault.app, "yellow", limit=20)) == 8


def test_a_page_that_changes_and_a_new_one_are_packed_so_too(vault: Vault) -> None:
    vault.write("people/3.md", texts(3) + "Moved to another town.\n")
    vault.write("people/new.md", texts(41))
    vault.sync()
    call(vault.app, "timeline-add", slug="people/4", date="2025-02-03", summary="Has a dog")
    kept = packed(vault)
    assert {named_stock(kept[f"people/{name}.md"]) for name in (3, 4, "new")} == {
        named_stock(kept["people/1.md"])
    }
    assert is_sound(vault)


def test_what_is_forgotten_is_in_no_stock(vault: Vault) -> None:
    data = stocks.of_collection(vault.app.connection, vault.row.id)
    word = next(f"Person {number}" for number in range(40) if f"# Person {number}\n".encode() in data)
    slug = f"people/{word.split()[1]}"
    call(vault.app, "forget", slugs=[slug], yes=True)
    assert stocks.of_collection(vault.app.connection, vault.row.id) == b""
    assert all(named_stock(each) is None for each in packed(vault).values())
    assert f"# {word}\n".encode() not in vault.app.store.path.read_bytes()
    assert is_sound(vault)
    assert len(found(vault.app, "harbour", limit=60)) == 39


@pytest.mark.parametrize("copy", [0, 1])
def test_one_copy_may_be_damaged(vault: Vault, copy: int) -> None:
    vault.app.connection.execute("UPDATE stocks SET data = zeroblob(99) WHERE copy = ?", (copy,))
    path = vault.app.store.path
    vault.app.store.close()
    vault.app = open_memory(path)
    assert vault.pages() == vault.files()


def test_a_lost_stock_is_noticed_and_the_files_have_the_texts(vault: Vault) -> None:
    vault.app.connection.execute("DELETE FROM stocks")
    path = vault.app.store.path
    vault.app.store.close()
    vault.app = open_memory(path)
    assert call(vault.app, "validate", all=True)["findings"]
    call(vault.app, "validate", all=True, repair=True)
    assert is_sound(vault)


def test_a_text_whose_stock_has_gone_meanwhile_is_not_stored_unreadable(vault: Vault) -> None:
    stock = stocks.of_collection(vault.app.connection, vault.row.id)
    call(vault.app, "forget", slugs=["people/7"], yes=True)
    with scratch() as memory, pytest.raises(UnicodeDecodeError):
        memory.execute("SELECT restocked(?, NULL)", (pack(texts(1), stock),)).fetchall()


def test_a_small_folder_has_none(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    small = Vault(tmp_path / "vault", tmp_path / "memory.db")
    small.write("a.md", texts(1))
    small.sync()
    assert stocks.of_collection(small.app.connection, small.row.id) == b""
    assert named_stock(packed(small)["a.md"]) is None
    small.app.store.close()


def test_the_files_of_a_stock_come_from_all_over_the_folder() -> None:
    asked: list[int] = []

    def text_of(path: str) -> str:
        asked.append(int(path))
        return f"{path} " * 300

    stock = stocks.stock_of([str(number) for number in range(1_000)], text_of)
    assert stocks.LENGTH - stocks.BEGINNING < len(stock) <= stocks.LENGTH
    assert len({number // 200 for number in asked}) == 5


@examples(100, 1_000)
@given(st.text(max_size=2_000), st.binary(min_size=1, max_size=2_000))
def test_a_text_comes_back(text: str, stock: bytes) -> None:
    text = text.encode("utf-8", "ignore").decode() * 2
    with scratch() as memory:
        stocks.put(memory, 1, stock)
        kept = pack(text, stock)
        sql = "SELECT whole(?1), part(?1, 3, 9), restocked(?1, NULL), unpacked(?1)"
        whole, part, alone, plain = memory.execute(sql, (kept,)).fetchone()
        assert (whole, part, alone) == (text, text[3:9], pack(text))
        assert isinstance(kept, str) or plain == text.encode()


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    """The same pages, each packed alone, as an older Quaid did."""
    monkeypatch.setattr(stocks, "LEAST", 30)
    root = tmp_path / "older"
    root.mkdir()
    made = Vault(root, tmp_path / "older.db")
    for number in range(40):
        made.write(f"people/{number}.md", texts(number))
    made.sync()
    assert all(named_stock(each) is None for each in packed(made).values())
    yield made
    made.app.store.close()


def test_compacting_packs_the_texts_of_an_older_memory(older: Vault) -> None:
    before = sum(map(len, packed(older).values()))
    call(older.app, "compact")
    kept = packed(older)
    assert sum(map(len, kept.values())) < before / 2
    assert len({named_stock(each) for each in kept.values()}) == 1
    assert is_sound(older)
    assert len(found(older.app, "yellow", limit=20)) == 8
    call(older.app, "compact")
    assert packed(older) == kept


def test_compacting_goes_on_where_it_was_cut_off(older: Vault) -> None:
    with older.app.store.write() as connection:
        stocks.supply(connection, older.row.id)
        stocks.pack_anew(connection, stocks.loose(connection)[:7])
    assert len({named_stock(each) for each in packed(older).values()}) == 2
    call(older.app, "compact")
    assert None not in {named_stock(each) for each in packed(older).values()}
    assert is_sound(older)


def test_compacting_leaves_a_small_folder_as_it_is(older: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stocks, "LEAST", 41)
    call(older.app, "compact")
    assert all(named_stock(each) is None for each in packed(older).values())


def test_compacting_leaves_a_damaged_text_as_it_is(older: Vault) -> None:
    connection = older.app.connection
    (whole,) = connection.execute("SELECT packed FROM pages WHERE path = 'people/3.md'").fetchone()
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.execute("UPDATE pages SET packed = ? WHERE path = 'people/3.md'", (whole[:-9],))
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)
    call(older.app, "compact")
    kept = packed(older)
    assert kept.pop("people/3.md") == whole[:-9]
    assert all(named_stock(each) is not None for each in kept.values())
