"""What is fuzzed: each parser, as a function of bytes that must not fail but with one of our errors.

`tests/fuzz/corpus/NAME` has inputs for each. `tests/fuzz/test_corpus.py` replays them; `make fuzz` looks for
more.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from quaid import operations
from quaid.app import App
from quaid.app.days import Days
from quaid.errors import Internal, QuaidError
from quaid.foreign.documents.documents import extract
from quaid.foreign.importers.importer import Refusal
from quaid.foreign.importers.registry import IMPORTERS, importer_for
from quaid.foreign.transcripts import claude, codex, plain
from quaid.foreign.transcripts.detect import client_of
from quaid.foreign.transcripts.turn import Context
from quaid.formats.content import read_page
from quaid.formats.display.page import Shown, display
from quaid.formats.encoding import decode, encode
from quaid.formats.format import page_format
from quaid.formats.markdown import frontmatter
from quaid.formats.meld.clash import Side
from quaid.formats.meld.page import meld
from quaid.formats.secrets import masked
from quaid.model.page import TimelineEntry
from quaid.search.question import read_question
from quaid.settings import file_layer
from tests.support import open_memory

CORPUS = Path(__file__).with_name("corpus")
BETWEEN = b"\n%%%%\n"  # between the texts of an input that consists of several


def _markdown(data: bytes) -> None:
    text, encoding = decode(data)
    assert encode(text, encoding) == data
    read_page(text, "a")
    assert page_format("markdown").document(text).text == text
    display(Shown(text))


def _org(data: bytes) -> None:
    text, _ = decode(data)
    read_page(text, "a", "org")
    assert page_format("org").document(text).text == text
    display(Shown(text, "org"))


def _frontmatter(data: bytes) -> None:
    text, _ = decode(data)
    frontmatter.read(f"---\n{text}\n---\n")


def _edits(data: bytes) -> None:
    """An edit of a page that anybody may have written."""
    text, _ = decode(data)
    for name in ("markdown", "org"):
        form = page_format(name)  # type: ignore[arg-type]
        try:
            edited = form.editor.add_tag(text, "added")
            edited = form.editor.add_entry(edited, TimelineEntry("2026-01-01", "Met"))
            edited = form.editor.set_fields(edited, {"status": "done"})
        except QuaidError as error:
            _ours(error)
        else:
            read_page(edited, "a", name)  # type: ignore[arg-type]


def _document(ending: str) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        extract(data, f"given.{ending}")

    return read


def _transcript(data: bytes) -> None:
    for parse in (claude.parse, codex.parse, plain.parse_lines, plain.parse_markdown):
        for turn in parse(data, Context("s")).turns:
            masked(turn.text, allowing=False)
    client_of("given.jsonl", data[:4096])


def _importer(file: str) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        found = importer_for([file], [], lambda _: data)
        for kind in {found, *IMPORTERS.values()}:
            importer = kind([file])
            parts = list(importer.pieces(file, data)) if importer.splits(file) else [importer.part(file)]
            for part in parts:
                if part is not None and not isinstance(part, Refusal):
                    importer.draft(part, getattr(part, "data", None) or data)

    return read


def _settings(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "config.toml"
        path.write_bytes(data)
        file_layer(path)


def _days(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for zone in ("", "Europe/Berlin"):
        Days(zone).span(text, text)


@lru_cache(maxsize=1)
def memory() -> App:
    """A small memory that is asked and written to; it goes with the process."""
    app = open_memory(Path(tempfile.mkdtemp(prefix="quaid-fuzz-")) / "memory.db")
    for number in range(3):
        app.collection().put(f"page-{number}", f"# Page {number}\n\nThe walrus [[page-1]] of 2024.\n")
    return app


def _question(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    read_question(text)
    _called("memory_search", {"query": text})
    _called("memory_list", {"type": text, "tag": text})
    _called("memory_get", {"slug": text})


def _merge(data: bytes) -> None:
    base, ours, theirs = (*(part.decode("utf-8", "replace") for part in data.split(BETWEEN, 2)), "", "")[:3]
    for form in ("markdown", "org"):
        melded = meld(base, Side(ours, "2026-01-01"), Side(theirs, "2026-01-02"), form)  # type: ignore[arg-type]
        again = meld(base, Side(theirs, "2026-01-02"), Side(ours, "2026-01-01"), form)  # type: ignore[arg-type]
        assert melded.text == again.text, "it depends on which side merges"


def _call(data: bytes) -> None:
    """A call as REST and MCP make it, once JSON was read: a tool and its arguments."""
    try:
        asked = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(asked, dict) and isinstance(asked.get("args"), dict) and asked.get("tool") in SAFE_NAMES:
        _called(asked["tool"], asked["args"])


def _called(name: str, arguments: Any) -> None:
    try:
        operations.call(memory(), name, arguments)
    except QuaidError as error:
        _ours(error)


def _ours(error: QuaidError) -> None:
    assert not isinstance(error, Internal), error


# Tools that reach no file and no network.
SAFE_NAMES = (
    "memory_get", "memory_put", "memory_list", "memory_search", "memory_tags", "memory_tag",
    "memory_untag", "memory_links", "memory_link", "memory_backlinks", "memory_timeline",
    "memory_timeline_add", "memory_raw", "memory_assert", "memory_facts", "memory_stats",
    "memory_graph", "memory_history", "memory_diff", "memory_due", "memory_briefing", "memory_lint",
    "memory_orphans", "memory_related", "memory_gap", "memory_gaps", "memory_check", "memory_mv",
    "memory_rm", "memory_restore", "memory_render", "memory_folders",
)  # fmt: skip
TARGETS: dict[str, Callable[[bytes], None]] = {
    "markdown": _markdown,
    "org": _org,
    "frontmatter": _frontmatter,
    "edits": _edits,
    "html": _document("html"),
    "mail": _document("eml"),
    "subtitles": _document("srt"),
    "office": _document("docx"),
    "pdf": _document("pdf"),
    "transcript": _transcript,
    "conversations": _importer("conversations.json"),
    "lines": _importer("pages.jsonl"),
    "notion": _importer("Page 0123456789abcdef0123456789abcdef.md"),
    "settings": _settings,
    "days": _days,
    "question": _question,
    "merge": _merge,
    "call": _call,
}


def run(name: str, data: bytes) -> None:
    """Give one input to one target. One of our errors is an answer; anything else is a defect."""
    try:
        TARGETS[name](data)
    except QuaidError as error:
        _ours(error)
