"""The commands as a shell sees them: help, options, JSON, exit statuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quaid import operations
from quaid.errors import GitFailed, LintFailed
from tests.kb.repositories import UUID, Repository, World, run
from tests.support import mounted, quick

COMMANDS = tuple(name.removeprefix("kb ") for name in operations.NAMES if name.startswith("kb "))
DECISIONS = {"merge", "split", "supersede", "delete", "contest", "resolve", "resolve-divergence"}


def test_every_command_that_was_promised_is_there() -> None:
    promised = (
        "init doctor status show backlinks index query remember lint capture curate sync push merge split "
        "supersede delete contest resolve resolve-divergence"
    )
    assert set(promised.split()) <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    ran = run(name, "--help")
    assert ran.status == 0
    assert ran.out.startswith(f"usage: ai-kb {name}")
    assert "--kb PATH" in ran.out
    assert "--json" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100
    assert ("--yes" in ran.out) == (name in DECISIONS)
    assert operations.operation(f"kb {name}").examples


def test_the_overview_lists_all() -> None:
    ran = run("--help")
    assert all(f"  {name} " in ran.out for name in COMMANDS)
    assert run().out == ran.out
    assert run("--version").out.startswith("ai-kb ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense"], "no command"),
        (["query"], "needs WORDS"),
        (["query", "x", "--nonsense"], "no option --nonsense"),
        (["query", "x", "--limit"], "needs a value"),
        (["query", "x", "--limit", "many"], "whole number"),
        (["query", "x", "--json=1"], "takes no value"),
        (["query", "x", "--status", "fresh"], "must be one of"),
        (["status", "x"], "has no use for"),
        (["remember", "--type=rumour"], "must be one of"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused(kb: Repository, words: list[str], said: str) -> None:
    ran = kb.run(*words)
    assert ran.status == 2
    assert said in ran.err


def test_one_table_of_exit_statuses(kb: Repository, world: World) -> None:
    id = kb.remember("Commit style")
    kb.remember("Commit habits of others", "Something else.", "--force-new")
    expected = {
        0: [["query", "style"], ["show", id], ["lint"], ["status"], ["doctor", "--offline"]],
        2: [["query", "x", "--nope"], ["remember", "--title", "x"]],
        3: [["query", "zebra"], ["show", "zebra"], ["backlinks", id]],
        4: [["remember", "--title", "Commit style", "--summary", "Again."]],
        5: [["show", "commit"]],
    }
    for status, lines in expected.items():
        for words in lines:
            assert kb.run(*words).status == status, words
    nowhere = Repository(world.place / "nowhere")
    assert [nowhere.run(*words).status for words in (["query", "x"], ["lint"], ["status"], ["curate"])] == [
        6
    ] * 4
    (kb.root / "bad.org").write_text("bad")
    assert [kb.run(*words).status for words in (["lint"], ["index", "--check"], ["query", "style"])] == [
        11,
        0,
        11,
    ]
    assert (LintFailed.exit_status, GitFailed.exit_status) == (11, 13)


def test_query_tells_no_match_from_a_stale_index(kb: Repository) -> None:
    id = kb.remember("Commit style")
    (kb.root / "index.org").write_text("")
    ran = kb.run("query", "commit", "--json")
    assert ran.status == 11
    assert [hit["id"] for hit in ran.json["results"]] == [id]
    assert ran.json["notices"]
    assert kb.run("index", "--check").status == 11
    assert kb.ok("index").out == "wrote index.org\n"
    assert kb.run("query", "commit").status == 0
    assert kb.ok("index").out == "fresh\n"


def test_a_node_added_by_hand_is_listed_after_the_index_was_made_anew(kb: Repository) -> None:
    text = kb.text(kb.remember("Commit style"))
    other = UUID.sub("11111111-1111-4111-8111-111111111111", text, count=1)
    (kb.root / "by-hand.org").write_text(other)
    assert "11111111" not in (kb.root / "index.org").read_text()
    assert kb.run("lint", "--index").status == 11
    kb.ok("index")
    assert "11111111" in (kb.root / "index.org").read_text()


def test_query_answers_a_line_per_node(kb: Repository) -> None:
    id = kb.remember("Commit style", "Short subjects.", "--type", "preference", "--project", "emacs")
    fields = kb.ok("query", "commit").out.rstrip("\n").split(" | ")
    assert fields[:4] == [f"Commit style ({id})", "Short subjects.", "emacs", "current"]
    assert fields[-1] == "matched-title"
    hit = kb.ok("query", "commit", "--json").json["results"][0]
    assert {"title", "id", "summary", "projects", "status", "updated", "path", "match"} <= set(hit)
    assert kb.run("query", "commit", "--project", "vim").status == 3
    assert (
        kb.run("query", "commit", "--type", "preference", "--status", "current", "--limit", "1").status == 0
    )


def test_show_prints_the_node_to_the_byte(kb: Repository) -> None:
    id = kb.remember("Commit style")
    path = kb.node(id)
    for name in (id, id[:8], "commit style", path.name, f"ai-kb: Old title ({id})"):
        ran = kb.ok("show", name)
        assert ran.raw == path.read_bytes()
        assert str(path) in ran.err
    assert kb.ok("show", id, "--path").out == f"{path}\n"
    shown = kb.ok("show", id, "--json").json
    assert shown["text"] == path.read_text()
    assert len(shown["etag"]) == 16


def test_backlinks_do_not_count_the_index_or_captures(kb: Repository) -> None:
    one = kb.remember("Commit style")
    two = kb.remember("Review", "How reviews go.", body=f"IMPLEMENTS [[id:{one}][style]].")
    kb.ok("capture", "https://example.org", "--excerpt", f"[[id:{one}][x]]")
    ran = kb.ok("backlinks", one, "--json").json
    assert [(each["id"], each["label"]) for each in ran["backlinks"]] == [(two, "IMPLEMENTS")]
    assert f"Review ({two})" in kb.ok("backlinks", one).out


def test_the_knowledge_base_is_found_where_it_usually_is(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("init", "--offline").status == 0
    assert run("status", "--json").json["root"] == str(world.place / ".local/share/ai-kb")
    monkeypatch.setenv("XDG_DATA_HOME", str(world.place / "data"))
    assert run("status").status == 6
    other = world.made("other")
    monkeypatch.setenv("AI_KB", str(other.root))
    assert run("status", "--json").json["root"] == str(other.root)
    assert run("--kb", str(world.place / ".local/share/ai-kb"), "status").status == 0


def test_errors_are_json_on_request(kb: Repository) -> None:
    ran = kb.run("show", "zebra", "--json")
    assert ran.out == ""
    assert ran.error["code"] == "not_found"
    assert ran.error["hint"]


@pytest.mark.parametrize("words", [["query", "style"], ["backlinks", "Commit style"]])
def test_asking_loads_next_to_nothing(kb: Repository, words: list[str]) -> None:
    node = kb.node(kb.remember("Commit style", body="* A\nText.\n"))
    os.utime(node, (node.stat().st_atime, node.stat().st_mtime - 60))
    kb.ok("query", "style")  # a file that was read within the clock's grain of its writing is read again
    script = f"""
import sys
from quaid.cli.ai_kb import main
main({["--kb", str(kb.root), *words]!r})
print("\\n" + " ".join(sys.modules), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    heavy = {"subprocess", "datetime", "numpy", "yaml", "argparse", "hashlib"}
    heavy |= {"quaid.app", "quaid.vault.sync", "quaid.formats.content"}
    assert heavy & loaded == set()


def test_a_reader_that_goes_away_is_no_error(kb: Repository) -> None:
    for number in range(3):
        kb.remember(f"Matter {number} of {number * 7}", f"About {number * 13}.", "--force-new")
    words = f"{sys.executable} -m quaid.cli.ai_kb --kb {kb.root} lint --json | true"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {words}"], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr


def test_a_question_is_asked_by_meaning_where_words_leave_it_open(
    kb: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAID_DB", str(tmp_path / "none.db"))
    one = kb.remember("Formatting is ruff, not black", "The repo moved to ruff format in May.")
    kb.remember("How to roll back a release", "Run make rollback, then tell the channel.")
    question = ("query", "which formatter should I use", "--json")
    (first, *_) = kb.ok(*question).json["results"]
    assert (first["id"], first["match"]) == (one, ["matched-meaning"])
    assert kb.run(*question, "--words").status == 3
    assert kb.run("query", "who won the chess final yesterday").status == 3, "nothing here is near to that"


def test_a_word_in_passing_does_not_go_before_what_is_meant(
    kb: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAID_DB", str(tmp_path / "none.db"))
    kb.remember("Payment provider retries webhooks", "It sends them again until it gets a 200.")
    one = kb.remember("Access to the Kubernetes clusters", "Log in with saml2k8s, the token lasts 8 hours.")
    question = ("query", "how do I get kubectl credentials", "--json")
    assert kb.ok(*question).json["results"][0]["id"] == one
    assert kb.ok(*question, "--words").json["results"][0]["id"] != one


def test_a_memory_adds_search_by_meaning(
    kb: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = kb.remember("Commit style", "Subjects of commits are short.", body="Fifty characters at most.")
    db = tmp_path / "m.db"
    monkeypatch.setenv("QUAID_DB", str(db))
    assert kb.ok("query", "short", "--semantic").out.startswith("Commit style"), "its own memory is enough"
    assert quick("init", str(db)).status == 0
    assert quick("collection", "add", "kb", str(kb.root), "--profile", "kb").status == 0
    found = kb.ok("query", "how long may a subject line be", "--semantic", "--json").json["results"]
    assert found[0]["id"] == one
    kb.remember("Something else entirely")
    assert kb.ok("sync", "--json").json["memory"]
    assert len(json.loads(quick("list", "--json").out)["pages"]) == 2
    assert kb.ok("curate", "--semantic", "--json").json["nodes"] == 2


def test_a_read_only_disk_is_told_apart(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk") as disk:
        kb = World(disk).made("kb")
        kb.remember("Commit style")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        assert kb.run("remember", "--title", "X", "--summary", "Y z.").status == 9
        assert kb.run("index").status in (0, 9)
        assert kb.ok("query", "commit").status == 0
        assert kb.ok("status", "--json").json["nodes"] == 1
        assert kb.ok("doctor", "--offline").status == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_manual(name: str) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "kb.md").read_text()
    assert (
        f"`ai-kb {name}" in manual
        or f"`{name} " in manual
        or f"\n$ ai-kb {name}" in manual
        or f"`{name}`" in manual
    )


def test_reading_needs_no_git(kb: Repository) -> None:
    kb.remember("Commit style")
    (kb.root / ".git").rename(kb.root.parent / "gone")
    (kb.root / "index.org").unlink()
    assert kb.ok("index").out == "wrote index.org\n"
    assert kb.ok("query", "commit").status == 0
    assert kb.ok("lint").out == "sound\n"


def test_an_agent_is_not_told_every_old_finding(kb: Repository) -> None:
    for number in range(30):
        (kb.root / f"old-{number}.org").write_text("no node\n")
    kb.git("add", "--all")
    kb.git("commit", "-qm", "By hand")
    ran = kb.ok("remember", "--title", "Something new", "--summary", "A fine thing.")
    assert len(ran.err.splitlines()) == 6
    done = kb.ok("remember", "--title", "Another thing", "--summary", "Fine as well.", "--json").json
    assert len(done["findings"]) == 20
