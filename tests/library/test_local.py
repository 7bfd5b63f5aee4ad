"""A program opens a memory, and does with it what the command line does."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any

import pytest

import quaid
from quaid.app import shared
from tests.library.typed_program import ill_typed, well_typed
from tests.support import environment, quick


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[quaid.Memory]:
    with quaid.open(tmp_path / "memory.db", create=True) as opened:
        yield opened


# Which memory ------------------------------------------------------------------------------------


def test_the_memory_is_the_one_that_the_command_line_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(quaid.NotFound, match="no memory found"):
        quaid.open()
    with quaid.open(create=True) as memory:
        assert repr(memory) == f"<quaid.Memory {tmp_path}/.quaid/memory.db>"
        memory.put("tea", "# Tea\n")
    assert quick("get", "tea").out == "# Tea\n"
    monkeypatch.setenv("QUAID_DB", str(tmp_path / "other.db"))
    with pytest.raises(quaid.NotFound, match=r"other\.db"):
        quaid.open()


def test_a_file_is_named_as_people_name_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(quaid.NotFound, match=r"there is no memory at .*postcards\.db"):
        quaid.open("postcards.db")
    assert not Path("postcards.db").exists()
    with quaid.open("postcards.db", create=True) as memory:
        memory.put("a", "# A\n")
    for place in ("~/postcards.db", Path("postcards.db"), tmp_path / "postcards.db"):
        with quaid.open(place, create=True) as memory:
            assert memory.get("a").version == 1


def test_a_folder_is_a_memory_of_its_files(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "tea.md").write_text("# Tea\n\nGreen.\n")
    with pytest.raises(quaid.NotFound):
        quaid.open(notes)
    with quaid.open(notes, create=True) as memory:
        assert memory.search("green").results[0].slug == "tea"
        memory.put("coffee", "# Coffee\n")
        assert (notes / "coffee.md").read_text() == "# Coffee\n"
        (notes / "tea.md").write_text("# Tea\n\nBlack.\n")
        assert [match.slug for match in memory.search("black").results] == ["tea"]


@pytest.mark.parametrize(
    "options", [{"place": ""}, {"place": "a.db", "token": "x"}, {"place": "a.db", "timeout": 1.0}]
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(quaid.InvalidInput):
        quaid.open(**options)


def test_importing_it_loads_nothing(tmp_path: Path) -> None:
    script = "import quaid, sys; quaid.__version__; print(*(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; before = set(sys.modules); {script}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["quaid"]
    script = "import quaid, sys; quaid.Memory; quaid.NotFound; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {"apsw", "numpy", "onnxruntime", "mcp", "http.client", "quaid.app"} & set(
        done.stdout.split()
    ) == set()
    with pytest.raises(AttributeError, match="no attribute 'opne'"):
        print(quaid.opne)  # type: ignore[attr-defined]


# What methods take -------------------------------------------------------------------------------


def test_the_typed_program_does_what_its_types_say(tmp_path: Path) -> None:
    assert "people/alice" in well_typed(tmp_path / "typed.db")
    with quaid.open(tmp_path / "typed.db") as memory, pytest.raises(quaid.QuaidError):
        ill_typed(memory)


def test_python_values_stand_for_text(memory: quaid.Memory, tmp_path: Path) -> None:
    (tmp_path / "alice.md").write_bytes("# Alice\n\nMünchen\n".encode("latin-1"))
    memory.put("alice", tmp_path / "alice.md")
    assert memory.get("alice").content == "# Alice\n\nMünchen\n"
    memory.timeline_add("alice", date=datetime(2026, 4, 14, 9, 30), summary="Met her")
    memory.assert_("alice", "works_at", "RiverAI", valid_from=date(2026, 1, 1))
    assert [fact.object for fact in memory.facts("alice", at=date(2026, 2, 1)).facts] == ["RiverAI"]
    assert memory.facts("alice", at=date(2025, 2, 1)).facts == ()
    memory.raw("alice", "crm", data={"seen": (date(2026, 4, 14), "2"), "text": '{"as": "it is"}'})
    assert memory.raw("alice", "crm").sources[0].data == {
        "seen": ["2026-04-14", "2"],
        "text": '{"as": "it is"}',
    }
    exported = memory.export(tmp_path / "out")
    assert (tmp_path / "out" / "alice.md").is_file()
    assert exported.pages == 1
    taken = memory.ingest(tmp_path / "alice.md", source_type="doc", source_ref="mail", dry_run=True)
    assert taken.source_type == "doc"


def test_arguments_have_the_names_that_they_have_everywhere(memory: quaid.Memory) -> None:
    memory.put(slug="a", content="# A\n\nriver [[b]]\n")
    memory.put("b", "# B\n\nriver\n")
    assert len(memory.search("river", top_k=1).results) == 1  # type: ignore[call-arg]
    assert memory.path(from_="a", to="b").connected
    for call in (
        lambda: memory.get("a", "b"),  # type: ignore[call-overload]
        lambda: memory.get("a", slug="b"),  # type: ignore[call-overload]
        lambda: memory.search("river", lmit=1),  # type: ignore[call-arg]
        lambda: memory.search("river", limit="few"),  # type: ignore[arg-type]
        lambda: memory.timeline_add("a", summary="Something"),  # type: ignore[call-arg]
    ):
        with pytest.raises(quaid.InvalidInput):
            call()


def test_versions_are_checked_where_they_are_given(memory: quaid.Memory) -> None:
    memory.put("a", "# A\n", expected_version=0)
    memory.tag("a", "one", page_version=1)
    with pytest.raises(quaid.Conflict) as conflict:
        memory.put("a", "# B\n", expected_version=1)
    assert conflict.value.data["current_version"] == 2
    memory.put("a", "# C\n")
    assert memory.history("a").versions[0].version == 3


# Who writes, and what they are told --------------------------------------------------------------


def test_a_program_does_not_overrule_the_person(tmp_path: Path) -> None:
    db = tmp_path / "memory.db"
    quick("init", str(db))
    quick("put", "alice", input="# Alice\n", db=db)
    quick("assert", "alice", "works_at", "RiverAI", db=db)
    with quaid.open(db, actor="importer", session="night") as memory:
        stated = memory.assert_("alice", "role", "CEO")
        facts = {fact.id: fact for fact in memory.facts("alice").facts}
        assert facts[stated.id].asserted_by == "agent"
        with pytest.raises(quaid.Conflict, match="the person has asserted it"):
            memory.retract("alice", "works_at", "RiverAI")
        newest = memory.history("alice").versions[0]
        assert (newest.by, newest.session) == ("importer", "night")


def test_notices_are_kept_or_told_and_never_printed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_bytes(b"# A\n\n\x81\x8d in no encoding \xff\xfe\n")
    told: list[str] = []

    def listen(notice: str) -> None:
        told.append(f"{memory.get('b').title}: {notice}")  # it may be used by who is told

    with quaid.open(tmp_path / "memory.db", create=True, notify=listen) as memory:
        memory.put("b", "# B\n")
        memory.put("a", tmp_path / "a.md")
        memory.get("a")
    assert len(told) == 1
    assert told[0].startswith("B: ")
    with quaid.open(tmp_path / "memory.db") as memory:
        assert memory.notices == ()
        memory.get("a")
        assert [f"B: {notice}" for notice in memory.notices] == told
        memory.get("b")
        assert memory.notices == ()
    assert capfd.readouterr() == ("", "")


def test_no_process_is_left_behind_unless_it_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []

    def start(command: list[str], **_: Any) -> Any:
        started.append(command)
        raise OSError

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.delenv("QUAID_EMBED_BACKGROUND")
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(60):
        (folder / f"p-{number}.md").write_text(f"# Page {number}\n\nText {number}.\n")
    for background in (False, True):
        with quaid.open(tmp_path / f"{background}.db", create=True, background=background) as memory:
            memory.import_(folder)
            assert "`quaid embed` makes up for that" in memory.notices[0]
        assert len(started) == background
    assert started[0][-1] == str(tmp_path / "True.db")


# Threads and processes ---------------------------------------------------------------------------


def test_threads_use_it_at_the_same_time(memory: quaid.Memory) -> None:
    together = Barrier(8)
    failed: list[Exception] = []

    def work(number: int) -> None:
        together.wait()
        try:
            for place in range(3):
                memory.put(f"t/{number}-{place}", f"# {number}\n\nword{number}\n")
                assert len(memory.search(f"word{number}").results) == place + 1
        except Exception as error:
            failed.append(error)

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(memory.list(limit=100).pages) == 24


def test_what_a_thread_opened_is_closed_when_it_ends(memory: quaid.Memory, tmp_path: Path) -> None:
    memory.put("a", "# A\n")
    counts = []
    for _ in range(5):
        thread = Thread(target=memory.get, args=("a",))
        thread.start()
        thread.join()
        counts.append(_open_files(tmp_path))
    assert counts[-1] == counts[0]  # SQLite keeps one, which it uses again


def test_what_nobody_closed_is_closed_with_the_last_reference(tmp_path: Path) -> None:
    before = _open_files(tmp_path)
    memory = quaid.open(tmp_path / "memory.db", create=True)
    memory.put("a", "# A\n")
    assert _open_files(tmp_path) > before
    del memory
    gc.collect()
    assert _open_files(tmp_path) == before


def test_closing_waits_for_what_others_do(memory: quaid.Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, go_on = Event(), Event()
    original = shared.config.values

    def slowly(connection: Any) -> Any:
        inside.set()
        go_on.wait()
        return original(connection)

    memory.put("a", "# A\n")
    monkeypatch.setattr(shared.config, "values", slowly)
    found: list[Any] = []
    asking = Thread(target=lambda: found.append(memory.get("a").title))
    asking.start()
    inside.wait()
    closing = Thread(target=memory.close)
    closing.start()
    go_on.set()
    for thread in (asking, closing):
        thread.join()
    assert found == ["A"]
    with pytest.raises(quaid.InvalidInput, match="the memory is closed"):
        memory.get("a")
    memory.close()


def test_a_memory_that_was_replaced_or_set_anew_is_seen(memory: quaid.Memory, tmp_path: Path) -> None:
    memory.put("a", "# A\n")
    quick("config", "set", "time.zone", "Asia/Tokyo", db=tmp_path / "memory.db")
    assert memory.config_get("time.zone").value == "Asia/Tokyo"
    with quaid.open(tmp_path / "other.db", create=True) as other:
        other.put("b", "# B\n")
    for each in tmp_path.glob("memory.db*"):
        each.unlink()
    os.rename(tmp_path / "other.db", tmp_path / "memory.db")
    assert memory.get("b").title == "B"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="NOT TESTED: no fork here")
def test_a_forked_process_opens_it_for_itself(tmp_path: Path) -> None:
    script = """
import os, sys, quaid
memory = quaid.open(sys.argv[1], create=True)
memory.put("a", "# A\\n")
child = os.fork()
if not child:
    memory.put("b", "# B\\n")
    memory.close()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
memory.tag("b", "seen")
print(memory.get("b").tags, memory.validate(all=True).findings)
memory.close()
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "memory.db")],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("('seen',) ()\n", "")


def _open_files(folder: Path) -> int:
    """How many files of a folder this process has open."""
    if sys.platform != "linux":
        pytest.skip("NOT TESTED: only Linux says what is open")
    links = [Path("/proc/self/fd", name) for name in os.listdir("/proc/self/fd")]
    return sum(os.path.realpath(link).startswith(str(folder)) for link in links if link.is_symlink())
