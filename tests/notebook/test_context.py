"""The context that is always there: what it holds, in which order, and what is left out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.app import App
from quaid.errors import NotFound
from quaid.notebook.context import Limits, Source, _shares, assemble
from tests.notebook.reading import approve, attach, write
from tests.support import Clock, call, quaid, quick, tool


@pytest.fixture
def notebook(app: App, tmp_path: Path) -> Path:
    return attach(app, tmp_path / "agent" / "notebook")


def context(app: App, **more: Any) -> Any:
    return call(app, "context", **more)


def paths(text: str) -> list[str]:
    return re.findall(r'^<(?:file|standing-orders) path="(.*)">$', text, re.MULTILINE)


def test_standing_orders_then_reference_then_the_last_two_days(app: App, notebook: Path) -> None:
    write(notebook, {"reference/about.md": "# About\n\nMe.\n", "reference/deep/more.md": "More.\n"})
    text = context(app)["text"]
    assert paths(text) == [
        "reference/standing-orders.md",
        "reference/about.md",
        "reference/contacts.md",
        "reference/deep/more.md",
        "daily/2026-04-14.md",
        "daily/2026-04-13.md",
    ]
    assert "Do not ping before 9:00" in text
    assert "oat milk" not in text, "lists are read on demand"
    assert "tomatoes" not in text, "an older log is searched, not loaded"
    assert context(app)["text"] == text


def test_files_as_they_are_now(app: App, notebook: Path) -> None:
    context(app)
    write(notebook, {"reference/new.md": "# New\n\nJust written.\n"})
    (notebook / "reference/contacts.md").unlink()
    text = context(app)["text"]
    assert "Just written." in text
    assert "Sarah Chen" not in text


def test_the_day_is_the_persons(app: App, clock: Clock, notebook: Path) -> None:
    clock.tick(12 * 3600 + 60)  # past midnight UTC
    call(app, "config set", key="time.zone", value="America/New_York")
    assert "daily/2026-04-14.md" in paths(context(app.reread())["text"])
    assert "daily/2026-04-13.md" in paths(context(app.reread())["text"])
    call(app, "config set", key="time.zone", value="Asia/Tokyo")
    assert paths(context(app.reread())["text"])[-1] == "daily/2026-04-14.md"


@pytest.mark.parametrize(("days", "count"), [("0", 0), ("1", 1), ("2", 2), ("14", 3), ("1000000", 3)])
def test_how_many_days(app: App, notebook: Path, days: str, count: int) -> None:
    call(app, "config set", key="prompt.daily_window", value=days)
    found = paths(context(app.reread())["text"])
    assert len([path for path in found if path.startswith("daily/")]) == count


def test_another_folder_is_loaded(app: App, notebook: Path) -> None:
    call(app, "config set", key="prompt.reference_dir", value="knowledge")
    assert "knowledge/facts.md" in paths(context(app.reread())["text"])
    assert "reference/contacts.md" not in paths(context(app.reread())["text"])


@pytest.mark.parametrize("folder", ["..", ".", "/", "", "../..", "/etc", "missing"])
def test_a_folder_outside_is_not_loaded(app: App, notebook: Path, folder: str) -> None:
    write(notebook.parent, {"secret.md": "Outside.\n"})
    call(app, "config set", key="prompt.reference_dir", value=folder)
    assert "Outside." not in context(app.reread())["text"]


def test_frontmatter_is_left_out(app: App, notebook: Path) -> None:
    write(notebook, {"reference/tagged.md": "---\ntags: [zebra]\n---\n# Tagged\n\nBody.\n"})
    text = context(app)["text"]
    assert "zebra" not in text
    assert "Body." in text


def test_older_standing_orders(app: App, notebook: Path) -> None:
    old = {
        "runtime/standing-orders.md": "Old orders.\n",
        "runtime/external-communications.md": "Be polite.\n",
    }
    write(notebook.parent, old)
    assert "Old orders." not in context(app)["text"], "the notebook's own hold"
    (notebook / "reference/standing-orders.md").unlink()
    assert "Old orders." not in context(app)["text"], "nobody approved them yet"
    approve(app)
    text = context(app)["text"]
    assert paths(text)[:2] == ["../runtime/external-communications.md", "../runtime/standing-orders.md"]
    assert "Old orders." in text
    assert "Be polite." in text


# Limits -------------------------------------------------------------------------------------------


def sections(count: int, size: int, name: str = "Section") -> str:
    body = "word " * (size // 5)
    return "# Big\n\n" + "\n".join(f"## {name} {number}\n{body}\n" for number in range(count))


def test_a_long_file_is_cut_between_sections(app: App, notebook: Path) -> None:
    write(notebook, {"reference/big.md": "---\ntype: note\n---\n" + sections(20, 1000)})
    result = context(app)
    (shown,) = [each for each in result["files"] if each["path"] == "reference/big.md"]
    assert shown["shown"] <= 8000 < shown["characters"]
    assert shown["left_out"][0] == "Section 7"
    block = result["text"].split('<file path="reference/big.md">\n')[1].split("\n</file>")[0]
    assert len(block) <= 8000
    assert block.count("## Section") == 7
    assert 'notebook_read with path "reference/big.md" and start_line ' in block
    line = int(re.findall(r"start_line (\d+)", block)[0])
    assert (notebook / "reference/big.md").read_text().splitlines()[line - 1] == "## Section 7"


def test_of_a_long_log_the_newest_is_kept(app: App, notebook: Path) -> None:
    log = "# 2026-04-14\n\n" + "\n".join(f"## {hour:02}:00 — Entry\n{'word ' * 200}\n" for hour in range(24))
    write(notebook, {"daily/2026-04-14.md": log})
    text = context(app)["text"]
    assert "## 23:00" in text
    assert "## 01:00" not in text
    assert "Left out" in text


def test_a_section_that_is_too_long_itself(app: App, notebook: Path) -> None:
    lines = "\n".join(f"- item {number}" for number in range(5000))
    write(notebook, {"reference/list.md": f"## All\n{lines}\n"})
    text = context(app)["text"]
    shown = text.split('<file path="reference/list.md">\n')[1].split("\n</file>")[0]
    assert 5000 < len(shown) <= 8000
    assert "the rest of All" in shown
    line = int(re.findall(r"start_line (\d+)", shown)[0])
    last = shown.split("\n\n[")[0].splitlines()[-1]
    whole = (notebook / "reference/list.md").read_text().splitlines()
    assert whole[line - 2 : line] == [last, whole[whole.index(last) + 1]] or whole[line - 1] == last


def test_all_of_it_stays_within_the_whole(app: App, notebook: Path) -> None:
    write(notebook, {f"reference/big{number:02}.md": sections(9, 800) for number in range(12)})
    result = context(app)
    assert len(result["text"]) == result["characters"] <= 32_000
    assert result["characters"] > 28_000
    assert paths(result["text"])[0] == "reference/standing-orders.md"
    assert paths(result["text"])[-1] == "daily/2026-04-13.md", "logs keep their room"
    assert all(each["shown"] > 500 for each in result["files"] if "big" in each["path"])
    write(notebook, {f"reference/big{number:02}.md": sections(9, 800) for number in range(90)})
    result = context(app)
    assert len(result["text"]) == result["characters"] <= 32_000
    missing = [each["path"] for each in result["files"] if not each["shown"]]
    assert "reference/big89.md" in missing
    assert "reference/big00.md" not in missing
    assert "No room for reference/big" in result["text"]


def test_settings_of_the_limits(app: App, notebook: Path) -> None:
    write(notebook, {"reference/big.md": sections(20, 1000)})
    call(app, "config set", key="prompt.max_per_file_chars", value="2000")
    call(app, "config set", key="prompt.max_total_reference_chars", value="3000")
    result = context(app.reread())
    assert len(result["text"]) <= 3000


@pytest.mark.parametrize("total", ["1", "50", "400"])
def test_hardly_any_room(app: App, notebook: Path, total: str) -> None:
    call(app, "config set", key="prompt.max_total_reference_chars", value=total)
    assert len(context(app.reread())["text"]) <= int(total)


def test_odd_files(app: App, notebook: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("Outside.\n")
    (notebook / "reference/link.md").symlink_to(tmp_path / "outside.md")
    write(
        notebook,
        {
            "reference/empty.md": "",
            "reference/latin.md": "Caf\xe9".encode("latin-1"),
            "reference/utf16.md": "Wide".encode("utf-16"),
            "reference/huge.md": "x" * 2_000_000,
            "reference/picture.png": b"\x89PNG",
            "reference/notes.org": "* Org\nText of org.\n",
            "reference/end.md": "before </file> after",
        },
    )
    text = context(app)["text"]
    assert "Outside." not in text
    assert "Café" in text
    assert "Wide" in text
    assert "Text of org." in text
    assert "reference/huge.md (2,000,000" in text
    assert text.count("</file>") + text.count("</standing-orders>") == len(paths(text))


MARKDOWN = st.lists(
    st.sampled_from(
        ["# A", "## B", "### C", "text", "", "- item", "```", "---", "\r", "x" * 300, "## ", "é" * 90]
    ),
    max_size=60,
).map("\n".join)
SOURCES = st.lists(
    st.builds(
        Source,
        st.sampled_from(
            ["reference/a.md", "reference/b.org", "daily/2026-04-14.md", "reference/standing-orders.md"]
        ),
        st.sampled_from(["orders", "reference", "daily"]),
        st.none() | MARKDOWN,
    ),
    max_size=6,
)


@given(SOURCES, st.integers(0, 3000), st.integers(0, 4000))
def test_any_files_stay_within_any_limits(sources: list[Source], per_file: int, total: int) -> None:
    found = assemble("Preamble.", sources, Limits(per_file, total))
    assert len(found.text) <= total
    assert assemble("Preamble.", sources, Limits(per_file, total)) == found
    for each in found.files:
        assert each.shown <= min(per_file, each.characters)


@given(SOURCES)
def test_with_room_nothing_is_left_out(sources: list[Source]) -> None:
    found = assemble("", sources, Limits(10**6, 10**7))
    for each, shown in zip(
        [source for source in sources if source.text is not None],
        [file for file in found.files if file.characters],
        strict=False,
    ):
        assert each.text is not None
        assert shown.shown == shown.characters
        assert not shown.left_out


# Surfaces -----------------------------------------------------------------------------------------


def test_the_answer_to_a_hook(app: App, notebook: Path, db: Path) -> None:
    write(notebook, {f"reference/big{number}.md": sections(9, 800, 'A "quoted" name') for number in range(5)})
    ran = quick("context", "--format", "hook", db=db)
    assert len(ran.out.rstrip("\n")) <= 9500
    assert len(ran.out) > 8500
    answer = json.loads(ran.out)["hookSpecificOutput"]
    assert answer["hookEventName"] == "SessionStart"
    assert "Do not ping before 9:00" in answer["additionalContext"]


def test_text_and_json(app: App, notebook: Path, db: Path) -> None:
    text = quick("context", db=db).out
    assert json.loads(quick("context", "--format", "json", db=db).out)["text"] == text.rstrip("\n")
    assert tool(app, "memory_context")["notebook"] == "home"


def test_a_file_name_ends_no_frame(app: App, notebook: Path) -> None:
    write(notebook, {'reference/a">\n.md': "# Odd\n"})
    assert '<file path="reference/a&#x22;>&#xa;.md">' in call(app, "context")["text"]


def test_a_notebook_by_name(app: App, notebook: Path, tmp_path: Path) -> None:
    attach(app, tmp_path / "work", "work", {"reference/team.md": "The team.\n"})
    assert "The team." not in context(app)["text"]
    assert "The team." in context(app, notebook="work")["text"]
    call(app, "config set", key="notebook.default", value="work")
    assert "The team." in context(app.reread())["text"]
    with pytest.raises(NotFound):
        context(app, notebook="default")


def test_a_memory_without_a_notebook_says_what_it_holds(app: App) -> None:
    call(app, "put", slug="people/alice", content="# Alice\n")
    call(app, "put", slug="todo/tax", content="---\ntype: action_item\ndue: 2026-04-01\n---\n# Tax\n")
    result = context(app)
    assert "2 pages" in result["text"]
    assert "1 overdue" in result["text"]
    assert "memory_query" in result["text"]
    assert "notebook" not in result
    assert result["files"] == []


def test_a_folder_that_is_gone_is_answered_from_the_memory(app: App, notebook: Path) -> None:
    notebook.rename(notebook.parent / "away")
    text = context(app)["text"]
    assert "is not there" in text
    assert "Do not ping before 9:00" in text


def test_a_memory_whose_folders_are_not_looked_at(app: App, notebook: Path) -> None:
    write(notebook, {"reference/contacts.md": "Changed since.\n", "reference/new.md": "New.\n"})
    call(app, "config set", key="sync.on_read", value="never")
    text = context(app.reread())["text"]
    assert "Sarah Chen" in text
    assert "Changed since." not in text
    assert paths(text)[0] == "reference/standing-orders.md"
    assert "daily/2026-04-14.md" in paths(text)


def test_no_model_is_loaded(app: App, notebook: Path, db: Path, tmp_path: Path) -> None:
    for words in (["context"], ["hook", "session-start"], ["hook", "prompt"]):
        said = b'{"prompt": "sarah phone"}'
        ran = quaid(*words, db=db, input=said, env={"HOME": str(tmp_path), "PYTHONVERBOSE": "1"})
        assert ran.status == 0
        loaded = {line.split("'")[1] for line in ran.err.splitlines() if line.startswith("import '")}
        assert "apsw" in loaded
        assert not loaded & {"numpy", "onnxruntime", "mcp", "yaml"}


def test_files_share_the_room_alike() -> None:
    """A long file does not keep the others out: small ones are whole, long ones get as much as each other."""

    def body(name: str, parts: int) -> str:
        return "".join(f"## {name} {part}\n\n{'words of it ' * 12}\n\n" for part in range(parts))

    sources = [
        Source("reference/a-long.md", "reference", body("long", 60)),
        Source("reference/b-longer.md", "reference", body("longer", 90)),
        Source("reference/c-small.md", "reference", "# Small\n\nOne line.\n"),
        Source("reference/d-long.md", "reference", body("other", 60)),
        Source("daily/2026-04-14.md", "daily", body("today", 40)),
        Source("daily/2026-04-13.md", "daily", body("yesterday", 40)),
        Source("reference/standing-orders.md", "orders", body("order", 5)),
    ]
    made = assemble("", sources, Limits(8_000, 9_000))
    shown = {each.path: each.shown for each in made.files}
    assert len(made.text) <= 9_000
    assert shown["reference/standing-orders.md"] == len(body("order", 5).rstrip())
    assert shown["reference/c-small.md"] == len("# Small\n\nOne line.")
    long = [shown[f"reference/{name}.md"] for name in ("a-long", "b-longer", "d-long")]
    assert min(long) > 500
    assert max(long) < 2 * min(long)
    logs = [shown["daily/2026-04-14.md"], shown["daily/2026-04-13.md"]]
    assert min(logs) > 500


@given(st.lists(st.integers(1, 9_000), max_size=30), st.integers(0, 40_000))
def test_shares_are_fair(needs: list[int], room: int) -> None:
    shares = _shares(needs, room, 500)
    assert sum(shares) <= room
    assert all(share <= need for share, need in zip(shares, needs, strict=True))
    given_some = [(share, need) for share, need in zip(shares, needs, strict=True) if share]
    most = max((share for share, _ in given_some), default=0)
    assert all(share == need or share >= most - 1 for share, need in given_some)
    assert sum(needs) > room or shares == needs
