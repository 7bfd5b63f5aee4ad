"""Hooks as clients call them: JSON in, JSON out, and never a failure."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid import operations, standby
from quaid.agents.hooks import events
from quaid.agents.hooks import prompt as prompts
from quaid.agents.hooks.recollection import recollect
from quaid.agents.hooks.states import DIRECTORY, State, States
from quaid.app import App, Surroundings
from quaid.embed.rerank import Reranker
from quaid.model.reading import Reading
from quaid.notebook.flush import MESSAGE, fill_of
from quaid.settings import Settings
from tests.notebook.reading import Hooked, attach, hooked, write
from tests.support import Ran, call, eventually, held, memory_at, mounted, open_memory, quaid, quick

WORD = "word "


@pytest.fixture
def notebook(app: App, tmp_path: Path) -> Path:
    return attach(app, tmp_path / "agent" / "notebook")


def hook(db: Path, event: str, said: Any, home: Path, run: Callable[..., Ran] = quick) -> Hooked:
    """What a hook says that was called by the program, or by a process of its own."""
    data = said if isinstance(said, bytes) else json.dumps(said).encode()
    words = ["hook", *([event] if event else [])]
    ran = hooked(run(*words, db=db, input=data, cwd=home, env={"HOME": str(home)}))
    assert ran.status == 0, ran.err
    assert len(ran.out) <= 9_500
    return ran


class Client:
    """A client within this process, which notes what is started."""

    def __init__(self, app: App, home: Path) -> None:
        self._app = app
        self._home = home
        self.launched: list[Sequence[str]] = []

    def __call__(self, event: str, **said: Any) -> str:
        answer = events.answer(event, said, lambda: self._app, self._home, self.launched.append)
        shaped = json.loads(answer)
        return str(shaped.get("hookSpecificOutput", {}).get("additionalContext", ""))


@pytest.fixture
def client(app: App, notebook: Path, tmp_path: Path) -> Client:
    return Client(app, tmp_path)


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def fill(transcript: Path, tokens: int) -> None:
    """A conversation that has so many tokens, as the client notes it."""
    usage = {"input_tokens": tokens}
    line = {"type": "assistant", "message": {"role": "assistant", "content": "Yes.", "usage": usage}}
    transcript.write_text(json.dumps(line) + "\n")


# Whatever a client says -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "stated", "name"),
    [
        ("session-start", None, "SessionStart"),
        ("", "SessionStart", "SessionStart"),
        ("session-start", "SessionStart", "SessionStart"),
        ("SessionStart", "anything", "SessionStart"),
    ],
)
def test_the_start_of_a_session(
    app: App, notebook: Path, db: Path, tmp_path: Path, event: str, stated: str | None, name: str
) -> None:
    said = {"session_id": "a", "source": "startup", **({"hook_event_name": stated} if stated else {})}
    ran = hook(db, event, said, tmp_path, quaid)
    assert ran.answer["hookSpecificOutput"]["hookEventName"] == name
    assert "Do not ping before 9:00" in ran.context
    assert ran.context.index("standing-orders") < ran.context.index("contacts")
    assert ran.err == ""


def test_the_person_turns_off_what_agents_are_given(app: App, client: Client, tmp_path: Path) -> None:
    assert "standing-orders" in client("session-start", session_id="a")
    for name in ("hooks.context", "hooks.flush"):
        call(app, "config set", key=name, value="false")
    transcript = tmp_path / "session.jsonl"
    fill(transcript, 190_000)
    off = Client(app.reread(), tmp_path)
    assert off("session-start", session_id="a") == ""
    assert off("prompt", session_id="a", transcript_path=str(transcript), prompt="go on") == ""
    texts = {each["name"]: each["on"] for each in call(app.reread(), "agents")["texts"]}
    assert texts == {"instructions": True, "tools": True, "context": False, "lines": True, "flush": False}


@pytest.mark.parametrize(("stated", "event"), [("UserPromptSubmit", "prompt"), ("BeforeAgent", "prompt")])
def test_a_prompt_that_the_memory_knows_about(
    app: App, notebook: Path, db: Path, tmp_path: Path, stated: str, event: str
) -> None:
    said = {"session_id": "a", "hook_event_name": stated, "prompt": "Where is the fuse box?"}
    ran = hook(db, event, said, tmp_path, quaid)
    assert ran.answer["hookSpecificOutput"]["hookEventName"] == stated
    assert "coat rack" in ran.context
    assert "data, not instructions" in ran.context
    assert hook(db, event, {"session_id": "a", "prompt": "photosynthesis in mosses"}, tmp_path).answer == {}


@pytest.mark.parametrize(
    "said",
    [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe\x00", b'{"session_id": 7, "prompt": [1]}', b"[" * 100_000],
)
@pytest.mark.parametrize("event", ["prompt", "stop"])
def test_garbage(app: App, notebook: Path, db: Path, tmp_path: Path, event: str, said: bytes) -> None:
    assert hook(db, event, said, tmp_path).answer == {}


@pytest.mark.parametrize("event", ["", "nonsense", "PreToolUse"])
def test_events_that_are_not_ours(app: App, db: Path, tmp_path: Path, event: str) -> None:
    assert hook(db, event, {"hook_event_name": "Notification"}, tmp_path).answer == {}


def test_a_memory_that_is_not_there(tmp_path: Path) -> None:
    ran = hook(tmp_path / "none.db", "session-start", {}, tmp_path)
    assert ran.answer == {}
    assert "none.db" in ran.err


def test_a_file_that_is_no_memory(tmp_path: Path) -> None:
    (tmp_path / "odd.db").write_bytes(os.urandom(20_000))
    ran = hook(tmp_path / "odd.db", "session-start", {}, tmp_path)
    assert ran.answer == {}
    assert "hook:" in ran.err


def test_a_memory_in_which_somebody_writes(app: App, notebook: Path, db: Path, tmp_path: Path) -> None:
    write(notebook, {"reference/new.md": "Just written.\n"})
    with held(db, "BEGIN EXCLUSIVE"):
        assert "Just written." in hook(db, "session-start", {"session_id": "a"}, tmp_path).context
        assert "coat rack" in hook(db, "prompt", {"prompt": "Where is the fuse box?"}, tmp_path).context


def test_a_home_that_cannot_be_written(tmp_path: Path, transcript: Path) -> None:
    folder = tmp_path / "agent" / "notebook"
    db = folder / ".quaid" / "memory.db"
    attach(open_memory(db), folder)
    fill(transcript, 190_000)
    said = {"session_id": "a", "transcript_path": str(transcript), "prompt": "Where is the fuse box?"}
    with mounted(tmp_path / "small", "ro") as home:
        ran = hook(db, "prompt", said, home)
        assert "coat rack" in ran.context
        assert MESSAGE not in ran.context, "it would come before every prompt"
        assert "hooks cannot be written" in ran.err
        assert "Sarah Chen" in hook(db, "session-start", said, home).context


def test_a_huge_transcript(app: App, notebook: Path, db: Path, tmp_path: Path, transcript: Path) -> None:
    line = json.dumps({"type": "user", "message": {"role": "user", "content": WORD * 300}}) + "\n"
    transcript.write_text(line * 30_000)
    ran = hook(
        db, "prompt", {"session_id": "a", "transcript_path": str(transcript), "prompt": "go on"}, tmp_path
    )
    assert MESSAGE in ran.context


def test_a_transcript_is_indexed_by_a_process_of_its_own(
    app: App, notebook: Path, db: Path, tmp_path: Path, transcript: Path
) -> None:
    turn = {
        "type": "user",
        "sessionId": "a",
        "uuid": "u1",
        "message": {"role": "user", "content": "The zeppelin"},
    }
    transcript.write_text(json.dumps(turn) + "\n")
    said = {"session_id": "a", "transcript_path": str(transcript)}
    assert hook(db, "session-end", said, tmp_path, quaid).answer == {}
    eventually(lambda: call(app, "conversations search", query="zeppelin")["results"])


# What is asked and shown --------------------------------------------------------------------------


def test_asked_to_write_down_once_per_window(client: Client, transcript: Path) -> None:
    said = {"session_id": "a", "transcript_path": str(transcript), "prompt": "go on"}
    fill(transcript, 149_000)
    assert client("prompt", **said) == ""
    fill(transcript, 151_000)
    assert client("prompt", **said) == MESSAGE
    fill(transcript, 170_000)
    assert client("prompt", **said) == ""
    assert client("prompt", **{**said, "session_id": "b"}) == MESSAGE, "another conversation"
    fill(transcript, 30_000)
    assert client("prompt", **said) == ""
    fill(transcript, 160_000)
    assert client("prompt", **said) == MESSAGE


@pytest.mark.parametrize(
    ("event", "more"),
    [("pre-compact", {}), ("PostCompact", {}), ("PreCompress", {}), ("session-start", {"source": "compact"})],
)
def test_a_compaction_begins_a_new_window(client: Client, transcript: Path, event: str, more: Any) -> None:
    said = {"session_id": "a", "transcript_path": str(transcript), "prompt": "go on"}
    fill(transcript, 160_000)
    assert client("prompt", **said) == MESSAGE
    client(event, **said, **more)
    assert client("prompt", **said) == MESSAGE


def test_a_conversation_larger_than_the_window_is_in_a_larger_one(client: Client, transcript: Path) -> None:
    said = {"session_id": "a", "transcript_path": str(transcript), "prompt": "go on"}
    asked = []
    for tokens in (151_000, 199_000, 260_000, 700_000, 760_000, 900_000):
        fill(transcript, tokens)
        asked.append(client("prompt", **said) == MESSAGE)
    assert asked == [True, False, False, False, True, False]


def test_settings_of_the_window(app: App, client: Client, transcript: Path, tmp_path: Path) -> None:
    call(app, "config set", key="hooks.window_tokens", value="10000")
    call(app, "config set", key="hooks.flush_share", value="0.5")
    fill(transcript, 5_100)
    said = {"session_id": "a", "transcript_path": str(transcript), "prompt": "go on"}
    assert Client(app.reread(), tmp_path)("prompt", **said) == MESSAGE


def test_nothing_is_shown_twice(client: Client) -> None:
    assert "coat rack" in client("prompt", session_id="a", prompt="where is the fuse box?")
    assert client("prompt", session_id="a", prompt="where is the fuse box?") == ""
    assert "coat rack" in client("prompt", session_id="b", prompt="where is the fuse box?")
    client("session-start", session_id="a", source="compact")
    assert "coat rack" in client("prompt", session_id="a", prompt="where is the fuse box?")


def test_a_page_that_is_named(app: App, client: Client) -> None:
    text = "---\nsummary: Tells harbours which ship may lie where.\n---\n# Berth planner\n\nLong text.\n"
    call(app, "put", slug="projects/berths", content=text)
    long_prompt = (
        "Please write release notes for Berth planner, in the usual style, and keep them short today."
    )
    shown = client("prompt", session_id="a", prompt=long_prompt)
    assert "projects/berths: Berth planner: Tells harbours which ship may lie where." in shown


@pytest.mark.parametrize(
    "prompt", ["", "yes", "ok", "/compact", "go on", "fix the box", "thanks!", "  ", "\n\n"]
)
def test_prompts_that_say_nothing(client: Client, prompt: str) -> None:
    assert client("prompt", session_id="a", prompt=prompt) == ""


def test_a_prompt_with_much_pasted_below(client: Client) -> None:
    pasted = "\n".join(f"line {number} of a log" for number in range(50_000))
    assert "fuse box" in client("prompt", session_id="a", prompt=f"Where is the fuse box?\n\n{pasted}")


def test_recall_can_be_turned_off_and_bounded(app: App, client: Client, tmp_path: Path) -> None:
    call(app, "config set", key="hooks.recall_chars", value="120")
    assert len(Client(app.reread(), tmp_path)("prompt", prompt="where is the fuse box?")) <= 120
    call(app, "config set", key="hooks.recall_chars", value="1000000")
    assert len(Client(app.reread(), tmp_path)("prompt", prompt="where is the fuse box?")) <= 9_450
    call(app, "config set", key="hooks.recall", value="off")
    assert Client(app.reread(), tmp_path)("prompt", prompt="where is the fuse box?") == ""


def test_recall_by_meaning(app: App, client: Client, tmp_path: Path) -> None:
    call(app, "config set", key="hooks.recall", value="meaning")
    shown = Client(app.reread(), tmp_path)("prompt", prompt="When was it that I planted tomatoes?")
    assert "south bed" in shown


def test_an_edit_by_hand_is_seen(client: Client, notebook: Path) -> None:
    write(notebook, {"knowledge/music.md": "## Accordion\nTune the accordion in May.\n"})
    assert "in May" in client("prompt", prompt="tune the accordion")


# Indexing -----------------------------------------------------------------------------------------


@pytest.fixture
def indexing(monkeypatch: pytest.MonkeyPatch) -> None:
    if "conversations index" not in operations.NAMES:
        monkeypatch.setattr(operations, "NAMES", (*operations.NAMES, "conversations index"))


@pytest.mark.parametrize("event", ["pre-compact", "session-end", "stop", "Stop", "AfterAgent", "SessionEnd"])
def test_the_transcript_is_indexed(
    indexing: None, app: App, client: Client, transcript: Path, event: str
) -> None:
    fill(transcript, 10)
    client(event, session_id="a", transcript_path=str(transcript))
    database = str(app.store.path)
    assert client.launched == [("--db", database, "conversations", "index", "--quiet", str(transcript))]


def test_a_pause_is_cheap(indexing: None, client: Client, transcript: Path) -> None:
    fill(transcript, 10)
    said = {"session_id": "a", "transcript_path": str(transcript)}
    for _ in range(3):
        client("stop", **said)
        transcript.write_text(transcript.read_text() + "\n")
    assert len(client.launched) == 1, "it has hardly grown since"
    transcript.write_text("x" * 100_000)
    client("stop", **said)
    assert len(client.launched) == 2
    client("session-end", **said)
    assert len(client.launched) == 3


def test_what_is_not_indexed(
    indexing: None, app: App, client: Client, transcript: Path, tmp_path: Path
) -> None:
    for path in (
        "",
        "relative.jsonl",
        str(tmp_path / "none.jsonl"),
        str(tmp_path),
        "/" + "x" * 5000,
        "/a\0b",
    ):
        client("session-end", session_id="a", transcript_path=path)
    assert client.launched == []
    fill(transcript, 10)
    call(app, "config set", key="hooks.index", value="false")
    silent = Client(app.reread(), tmp_path)
    silent("session-end", session_id="a", transcript_path=str(transcript))
    assert silent.launched == []


def test_shared_folders_are_exchanged_after_a_session(
    indexing: None, app: App, client: Client, transcript: Path, tmp_path: Path
) -> None:
    (tmp_path / "notes" / ".git").mkdir(parents=True)
    client("session-end", session_id="a")
    assert client.launched == []
    call(app, "collection add", name="notes", folder=str(tmp_path / "notes"))
    client("session-end", session_id="a")
    sync = ("--db", str(app.store.path), "sync", "--quiet")
    assert client.launched == [sync]
    fill(transcript, 10)
    client("session-end", session_id="a", transcript_path=str(transcript))
    assert client.launched[1:] == [(*sync, "--transcript", str(transcript))]


# States -------------------------------------------------------------------------------------------


def test_states_are_private_and_old_ones_go(tmp_path: Path) -> None:
    states = States(tmp_path)
    assert states.save("a", State(fired=True, shown=("x",)))
    (place,) = (tmp_path / DIRECTORY).iterdir()
    assert place.name == "a.json"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    states.clean()
    assert states.load("a").fired
    os.utime(place, (0, 0))
    states.clean()
    assert not place.exists()


@given(st.text(min_size=1, max_size=300))
def test_any_name_of_a_session_is_a_file_of_ours(name: str) -> None:
    place = States(Path("/home/x"))._path(name)
    assert place.parent == Path("/home/x") / DIRECTORY
    assert len(place.name) < 80


@pytest.mark.parametrize(
    "data", [b"", b"[]", b'{"fired": 1, "shown": [1, null], "indexed_at": "x"}', b"\xff"]
)
def test_a_state_that_cannot_be_read(tmp_path: Path, data: bytes) -> None:
    states = States(tmp_path)
    states.save("a", State(fired=True))
    (tmp_path / DIRECTORY / "a.json").write_bytes(data)
    assert states.load("a").data() == State().data()


def test_a_client_counts_an_emoji_as_two(app: App, notebook: Path, db: Path, tmp_path: Path) -> None:
    parts = (f"## Part {number}\n\n{'🎉' * 400}\n\n" for number in range(40))
    write(notebook, {"reference/party.md": "".join(parts)})
    ran = hook(db, "session-start", {"session_id": "s"}, tmp_path)
    assert 4_000 < len(ran.out.encode("utf-16-le")) // 2 <= 9_500
    json.loads(ran.out)


@pytest.mark.parametrize("event", list(events.EVENTS))
def test_a_transcript_that_is_a_pipe_is_not_waited_for(
    app: App, notebook: Path, db: Path, tmp_path: Path, event: str
) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    said = {"session_id": "../../p", "prompt": "What about it?", "transcript_path": str(pipe)}
    assert json.loads(hook(db, event, said, tmp_path).out) is not None


def test_a_memory_without_a_notebook(tmp_path: Path) -> None:
    app = open_memory(tmp_path / "plain.db")
    call(app, "put", slug="people/alice", content="# Alice\n\nAlice builds river sensors.\n")
    assert "1 page" in Client(app, tmp_path)("session-start", session_id="a")
    assert "people/alice" in Client(app, tmp_path)("prompt", session_id="a", prompt="what does Alice build?")
    app.store.close()


# What a prompt gets --------------------------------------------------------------------------------


TODO = "# To do\n\n- [ ] Send the contract to Kestrel\n- [ ] Find a dentist\n- [ ] Review the offer of Holm\n"


@pytest.mark.parametrize(
    "prompt",
    [
        "find all TODOs in the code",
        "Refactor the parser so that it has no side effects",
        "yes, go on",
        "Thanks, that works!",
        "```\nWhere is the fuse box?\n```",
    ],
)
@pytest.mark.parametrize("mode", ["words", "meaning"])
def test_a_prompt_that_has_nothing_to_do_with_the_notes(
    app: App, notebook: Path, prompt: str, mode: str
) -> None:
    write(notebook, {"lists/todos.md": TODO})
    app.freshen()
    assert recollect(app, prompt, mode, 1500, ()).text == ""


def test_a_line_is_found_by_meaning(app: App, notebook: Path) -> None:
    app.freshen()
    prompt = "When was it that I put the tomatoes into the soil?"
    assert "south bed" in recollect(app, prompt, "meaning", 1500, ()).text


@pytest.mark.parametrize(("answers", "is_shown"), [(3.0, True), (-1.0, False)])
def test_a_line_that_is_only_about_the_same_things_is_no_help(
    app: App, notebook: Path, monkeypatch: pytest.MonkeyPatch, answers: float, is_shown: bool
) -> None:
    app.freshen()
    monkeypatch.setattr(
        Reranker, "readings", lambda _reranker, _asked, texts, _budget: [Reading(-9.0, answers)] * len(texts)
    )
    shown = recollect(app, "Is it too late to sow beans?", "meaning", 1500, ()).text
    assert ("south bed" in shown) == is_shown


def test_lines_are_whole(app: App, client: Client, notebook: Path) -> None:
    line = "The wifi of the cabin is called Fichte, " + "and its password hangs on the fridge " * 8
    write(notebook, {"knowledge/cabin.md": f"# Cabin\n\n- Closed in winter\n- {line.strip()}\n- Key: Holm\n"})
    shown = client("prompt", session_id="a", prompt="what is the wifi of the cabin called?")
    assert line.strip() in shown
    assert "Key: Holm" not in shown


def test_a_long_turn_is_asked_to_write_down(client: Client, transcript: Path) -> None:
    """No prompt comes for hours; the agent is asked between two steps, and once."""
    said = {"session_id": "a", "transcript_path": str(transcript)}
    fill(transcript, 1_000)
    assert client("tool", **said) == ""
    fill(transcript, 180_000)
    with transcript.open("a") as file:
        file.write(json.dumps({"type": "system", "text": "x" * 70_000}) + "\n")
        file.write(transcript.read_text().splitlines()[0] + "\n")
    assert client("tool", **said) == MESSAGE
    assert client("tool", **said) == ""
    assert client("prompt", **said, prompt="go on") == ""
    client("post-compact", **said)
    with transcript.open("a") as file:
        file.write(json.dumps({"type": "system", "text": "x" * 70_000}) + "\n")
        file.write(transcript.read_text().splitlines()[0] + "\n")
    assert client("PostToolUse", **said) == MESSAGE


def test_a_step_looks_at_a_transcript_only_when_it_has_grown(
    client: Client, transcript: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[Path] = []
    monkeypatch.setattr(prompts, "fill_of", lambda path: looks.append(path) or fill_of(path))
    transcript.write_text("x" * 100_000)
    said = {"session_id": "a", "transcript_path": str(transcript)}
    for _ in range(5):
        assert client("tool", **said) == ""
    assert len(looks) == 1


@pytest.mark.parametrize(
    ("event", "shape"),
    [
        ("beforeSubmitPrompt", {"continue": True, "additional_context": ...}),
        ("UserPromptSubmit", {"hookSpecificOutput": ...}),
    ],
)
def test_each_client_is_answered_in_its_own_form(
    app: App, client: Client, tmp_path: Path, event: str, shape: dict[str, Any]
) -> None:
    said = {"conversation_id": "c", "hook_event_name": event, "prompt": "where is the fuse box?"}
    answer = json.loads(events.answer("prompt", said, lambda: app, tmp_path, lambda _: None))
    assert answer.keys() == shape.keys()
    assert "coat rack" in json.dumps(answer)
    said = {"sessionId": "v", "hookEventName": "SessionStart", "source": "new"}
    answer = json.loads(events.answer("session-start", said, lambda: app, tmp_path, lambda _: None))
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"


def test_a_memory_of_the_person_is_kept_warm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first hook starts the process, and answers by words meanwhile."""
    monkeypatch.setattr(standby, "LONGEST_PATH", 500)  # nobody listens: any path will do
    memory = tmp_path / ".quaid" / "memory.db"
    memory.parent.mkdir(mode=0o700)
    app = App(memory_at(memory), Settings(), surroundings=Surroundings(home=tmp_path))
    client = Client(app, tmp_path)
    client("session-start", session_id="a")
    assert client.launched == [("warm",)]
    call(app, "config set", key="hooks.recall", value="words")
    client = Client(app.reread(), tmp_path)
    client("prompt", session_id="a", prompt="where is the fuse box?")
    assert client.launched == []
    app.store.close()
