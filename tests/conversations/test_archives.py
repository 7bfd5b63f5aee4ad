"""The archive of conversations, as a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.conversations.archives import Archive, Batch, Head, KeptTurn

KEY = "0123456789ab"
TURNS = st.lists(
    st.builds(
        KeptTurn,
        st.sampled_from(["user", "assistant"]),
        st.text(),
        st.text(max_size=5),
        st.text(max_size=5),
        st.booleans(),
    ),
    max_size=4,
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    made = Archive(tmp_path_factory.mktemp("memory") / "memory.db")
    with made.exclusive():
        return made


@given(st.lists(TURNS, max_size=4), st.binary(max_size=30))
def test_what_was_added_is_read_back_and_a_tail_does_not_count(
    archive: Archive, batches: list[list[KeptTurn]], tail: bytes
) -> None:
    archive.path(KEY).unlink(missing_ok=True)
    head = Head(KEY, "claude", "s", "p")
    end, expected = 0, []
    for number, turns in enumerate(batches):
        end = archive.append(head, turns, {"source": {"offset": number}}, end)
        expected.append(Batch(tuple(turns), {"source": {"offset": number}}, end))
        assert archive.ends_at(KEY, end, {"offset": number})
        assert not archive.ends_at(KEY, end, {"offset": -1})
    with archive.path(KEY).open("ab") as file:
        file.write(tail.replace(b"\n", b""))
    found, read = archive.read(KEY)
    assert read == expected
    assert found == (head if batches else None)
    if len(expected) > 1:
        assert archive.read(KEY, expected[0].end) == (None, expected[1:])


@given(st.binary())
def test_any_bytes_are_read(archive: Archive, data: bytes) -> None:
    archive.path(KEY).write_bytes(data)
    archive.read(KEY)
    archive.read(KEY, len(data) // 2)
    archive.ends_at(KEY, len(data), {})


def test_forgetting_leaves_the_fact_alone(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "memory.db")
    with archive.exclusive():
        archive.append(Head(KEY, "claude", "s"), [KeptTurn("user", "walrus", "", "u1")], {}, 0)
        size = archive.forget(KEY)
    assert archive.size(KEY) == size
    assert archive.read(KEY) == (Head(KEY, forgotten=True), [])
    assert b"walrus" not in archive.path(KEY).read_bytes()
