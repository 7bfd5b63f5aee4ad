"""When an agent is asked to write down: the monitor, and how full a window is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import InvalidInput
from quaid.notebook import flush
from quaid.notebook.flush import MESSAGE, REARM, Fill, FlushMonitor, fill_of, simulate
from tests.support import quick

WORD = "word "  # a token


def test_it_fires_once_when_three_quarters_are_full() -> None:
    monitor = FlushMonitor(100)
    assert [monitor.add(WORD * 25) for _ in range(5)] == [False, False, True, False, False]
    assert monitor.tokens == 125


def test_it_is_ready_again_after_a_compaction() -> None:
    monitor = FlushMonitor(100)
    assert monitor.add(WORD * 80)
    monitor.begin_window(10)
    assert not monitor.add(WORD * 50)
    assert monitor.add(WORD * 20)


def test_a_compaction_that_nobody_told_of() -> None:
    monitor = FlushMonitor(1000)
    assert monitor.reached(800)
    assert not monitor.reached(900)
    assert not monitor.reached(200)
    assert monitor.reached(750)


def test_another_share_and_a_window_that_was_asked_in_already() -> None:
    assert FlushMonitor(100, 0.5).reached(50)
    assert not FlushMonitor(100, fired=True).reached(99)


@pytest.mark.parametrize(("window", "share"), [(0, 0.75), (100, 0), (100, 1.1)])
def test_what_is_no_window(window: int, share: float) -> None:
    with pytest.raises(InvalidInput):
        FlushMonitor(window, share)


@given(st.lists(st.integers(0, 300), max_size=60))
def test_never_twice_in_a_window(counts: list[int]) -> None:
    monitor, asked = FlushMonitor(200), False
    for count in counts:
        due = monitor.reached(count)
        assert due == (count >= 150 and not asked)
        asked = (asked or due) and count >= REARM * 150


def test_an_estimate_that_wavers_is_no_new_window() -> None:
    monitor = FlushMonitor(1000)
    assert [monitor.reached(tokens) for tokens in (760, 730, 770, 600, 900)] == [True, *[False] * 4]


def test_the_message_says_what_remains() -> None:
    for word in ("remember", "daily_log", "notebook", "compact"):
        assert word in MESSAGE


def test_a_conversation_is_simulated() -> None:
    result = simulate([WORD * 40] * 6 + [None] + [WORD * 40] * 2, 200)
    assert [(each.message, each.tokens) for each in result.fired] == [(4, 160)]
    assert (result.messages, result.compactions, result.tokens) == (8, 2, 80)


# Transcripts --------------------------------------------------------------------------------------


def lines(*objects: Any) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in objects)


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": text}, **more}


def used(tokens: int, **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 3, "cache_read_input_tokens": tokens - 13, "output_tokens": 10}
    content = [{"type": "text", "text": "Yes."}]
    return {"type": "assistant", "message": {"role": "assistant", "content": content, "usage": usage}, **more}


COMPACTION = {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
SUMMARY = said(WORD * 30, isCompactSummary=True)
TOKENS = {
    "type": "event_msg",
    "payload": {
        "type": "token_count",
        "info": {"last_token_usage": {"total_tokens": 91_000}, "model_context_window": 128_000},
    },
}
ITEM = {
    "type": "response_item",
    "payload": {"type": "message", "role": "user", "content": [{"text": WORD * 50}]},
}


@pytest.mark.parametrize(
    ("data", "fill"),
    [
        (b"", Fill(0)),
        (b"\xff\xfe not json\n[1, 2]\nnull\n{", Fill(0)),
        (lines(said(WORD * 100), said(WORD * 20)), Fill(120)),
        (lines(said("x"), used(5_000), said(WORD * 40)), Fill(5_040, noted=True)),
        (lines(used(150_000), used(900, isSidechain=True)), Fill(150_000, noted=True)),
        (lines(used(150_000), COMPACTION, SUMMARY, said(WORD * 5)), Fill(35)),
        (lines(used(150_000), COMPACTION, SUMMARY, used(20_000)), Fill(20_000, noted=True)),
        (lines({"type": "api-request-blob", "message": {"content": WORD * 99}}, said("x")), Fill(1)),
        (lines(ITEM, TOKENS, ITEM), Fill(91_050, 128_000, noted=True)),
        (lines(TOKENS, {"type": "compacted", "payload": {"message": "x"}}, ITEM), Fill(50, 128_000)),
        (lines({"role": "user", "content": WORD * 7}), Fill(7)),
        (lines({"type": "user", "content": WORD * 7}), Fill(7)),
        (
            lines({"type": "gemini", "content": "x", "tokens": {"input": 90, "total": 100}}),
            Fill(100, noted=True),
        ),
        (lines(said([{"type": "tool_result", "content": [{"type": "text", "text": WORD * 9}]}])), Fill(9)),  # type: ignore[arg-type]
    ],
)
def test_how_full_a_window_is(tmp_path: Path, data: bytes, fill: Fill) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(data)
    assert fill_of(path) == fill


def test_only_the_end_of_a_long_transcript_is_read(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    first = lines(used(1_000_000)) + b"x" * 200_000 + b"\n"
    path.write_bytes(first + lines(*[said(WORD * 2000)] * 150))
    before = flush.TAILS[1] / len(json.dumps(said(WORD * 2000)))
    assert fill_of(path).tokens == pytest.approx(2000 * before, rel=0.05)
    assert not fill_of(path).noted


def test_a_transcript_that_is_not_there(tmp_path: Path) -> None:
    assert fill_of(tmp_path / "none.jsonl") == Fill(0)
    assert fill_of(tmp_path) == Fill(0)


KEYS = [
    "type",
    "message",
    "payload",
    "content",
    "usage",
    "info",
    "role",
    "text",
    "tokens",
    "total",
    "isSidechain",
]
JSON = st.recursive(
    st.none() | st.text() | st.integers() | st.booleans(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(KEYS), inner),
).map(lambda value: json.dumps(value).encode())


@given(st.binary(max_size=60) | JSON)
def test_any_line_can_be_read(raw: bytes) -> None:
    flush.read_line(raw)


def test_in_the_shell(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines(*[said(WORD * 400)] * 4, COMPACTION, said("hello")))
    ran = quick("flush", "simulate", str(path), "--window-tokens", "2000")
    assert ran.status == 0
    assert "asked at message 4, with 1,600 tokens" in ran.out
    assert MESSAGE in ran.out
    assert quick("flush", "simulate", str(path), "--json").json["fired"] == []
    assert "never asked" in quick("flush", "simulate", str(path)).out
    assert quick("flush", "simulate", str(tmp_path / "none")).status == 2
    assert quick("flush", "simulate", str(path), "--window-tokens", "many").status == 2
