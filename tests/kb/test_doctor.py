"""`doctor` and `status`: what they see, and what they call it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quaid.kb.doctor import host_of, privacy
from tests.kb.repositories import Repository, World, run


def checks(ran: object) -> dict[str, dict[str, str]]:
    return {each["name"]: each for each in ran.json["checks"]}  # type: ignore[attr-defined]


def test_a_sound_knowledge_base(shared: Repository) -> None:
    found = checks(shared.ok("doctor", "--json"))
    for name in ("git", "repository", "branch", "private", "reachable", "push", "index", "lint", "raw"):
        assert found[name]["grade"] == "ok", found[name]


def test_no_knowledge_base(world: World) -> None:
    ran = run("--kb", str(world.place / "none"), "doctor", "--json")
    assert ran.status == 11
    assert checks(ran)["repository"]["grade"] == "problem"
    assert run("--kb", str(world.place / "none"), "status").status == 6


def test_a_stale_index_and_a_bad_node_are_problems(kb: Repository) -> None:
    (kb.root / "by-hand.org").write_text("no node\n")
    ran = kb.run("doctor", "--json")
    assert ran.status == 11
    found = checks(ran)
    assert found["changes"]["grade"] == "problem"
    assert found["lint"]["grade"] == "problem"
    assert "by-hand.org" in found["lint"]["message"]


def test_a_secret_is_a_problem(kb: Repository) -> None:
    (kb.root / "raw").mkdir()
    (kb.root / "raw" / "x.org").write_text("ghp_16C7e42F292c6912E7710c838347Ae178B4a\n")
    kb.git("add", "--all")
    kb.git("commit", "-qm", "Oh no")
    ran = kb.run("doctor", "--json")
    assert checks(ran)["lint"]["grade"] == "problem"
    assert "16C7e42F" not in ran.out


def test_large_captures_are_reported(kb: Repository, world: World) -> None:
    source = world.place / "big.bin"
    source.write_bytes(b"\0" * 300_000)
    kb.ok("capture", str(source), "--full")
    found = checks(kb.ok("doctor", "--json"))
    assert found["raw"]["grade"] == "warning"
    assert "raw/files/" in found["raw"]["message"]


def test_another_branch_and_none(shared: Repository) -> None:
    shared.git("switch", "--quiet", "--create", "feature")
    found = checks(shared.ok("doctor", "--offline", "--json"))["branch"]
    assert (found["grade"], found["message"].split(":")[0]) == ("warning", "feature, and not main")
    assert found["hint"].endswith("switch main")
    shared.git("switch", "--quiet", "--detach", "main")
    found = checks(shared.run("doctor", "--offline", "--json"))["branch"]
    assert (found["grade"], found["hint"].split()[-1]) == ("problem", "main")
    assert "no branch is checked out" in found["message"]


def test_a_remote_that_holds_another_knowledge_base(shared: Repository, world: World) -> None:
    second = world.made("second")
    second.git("commit", "--quiet", "--amend", "-m", "Another beginning")
    second.git("remote", "add", "origin", str(world.bare))
    assert checks(second.ok("doctor", "--json"))["joined"]["message"] == "the remote was never fetched"
    second.ok("sync")
    assert "no commit is in both" in checks(second.run("doctor", "--json"))["joined"]["message"]
    second.git("branch", "--unset-upstream")
    second.git("branch", "-m", "master")
    said = checks(second.run("doctor", "--json"))["joined"]
    assert "the remote has the branch main, and this is master" in said["message"]
    assert said["hint"].endswith("branch -m main, then `ai-kb sync`.")


def test_ssh_says_why(shared: Repository, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ssh = world.place / "ssh-denied"
    ssh.write_text("#!/bin/sh\necho 'git@nowhere.example: Permission denied (publickey).' >&2\nexit 255\n")
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    shared.git("remote", "set-url", "origin", "git@nowhere.example:kb.git")
    shared.ok("remember", "--title", "X", "--summary", "Y z.", "--offline")
    told = "Permission denied (publickey)"
    assert told in checks(shared.ok("doctor", "--json"))["reachable"]["message"]
    assert told in shared.ok("sync").out
    assert told in shared.run("push").out
    assert told in shared.ok("status", "--line").out
    assert told in run("init", str(world.place / "new"), "--remote", "git@nowhere.example:kb.git").err


def test_a_remote_that_does_not_answer(shared: Repository, world: World) -> None:
    world.bare.rename(world.place / "elsewhere")
    assert checks(shared.ok("doctor", "--json"))["reachable"]["grade"] == "warning"
    assert "reachable" not in checks(shared.ok("doctor", "--offline", "--json"))


@pytest.mark.parametrize(
    ("address", "host", "private"),
    [
        ("git@github.com:ada/kb.git", "github.com", False),
        ("https://ada:x@gitlab.com/ada/kb.git", "gitlab.com", False),
        ("ssh://git@ssh.github.com:443/ada/kb.git", "ssh.github.com", False),
        ("git@git.sr.ht:~ada/kb", "git.sr.ht", False),
        ("https://codeberg.org/ada/kb", "codeberg.org", False),
        ("git@bitbucket.org:ada/kb.git", "bitbucket.org", False),
        ("git@git.example.org:kb.git", "git.example.org", True),
        ("git@notgithub.com:kb.git", "notgithub.com", True),
        ("myserver:kb.git", "myserver", True),
        ("/srv/git/kb.git", "", True),
        ("file:///srv/git/kb.git", "", True),
        ("../kb.git", "", True),
    ],
)
def test_which_remotes_are_private(address: str, host: str, private: bool) -> None:
    assert host_of(address) == host
    assert privacy(address)[0] is private
    assert privacy(address, "true")[0]


def test_a_public_forge_is_warned_of_until_the_person_says_it_is_private(kb: Repository) -> None:
    kb.git("remote", "add", "origin", "git@github.com:ada/kb.git")
    assert checks(kb.ok("doctor", "--offline", "--json"))["private"]["grade"] == "warning"
    kb.git("config", "ai-kb.private", "true")
    assert checks(kb.ok("doctor", "--offline", "--json"))["private"]["grade"] == "ok"


def test_status_counts_and_nudges(kb: Repository) -> None:
    kb.git("config", "ai-kb.local", "true")
    one = kb.remember("Commit style")
    assert kb.ok("status", "--line").out == ""
    kb.remember("Commit habits", "Other habits.", "--contest", one)
    assert kb.ok("status", "--line").out == "ai-kb: 2 contested\n"
    (kb.root / "draft.org").write_text("x")
    now = kb.ok("status", "--json").json
    assert (now["nodes"], now["uncommitted"], now["index_stale"]) == (3, ["draft.org"], False)
    assert "not committed: draft.org" in now["nudge"]


def test_status_without_git(kb: Repository) -> None:
    (kb.root / ".git").rename(kb.root.parent / "gone")
    assert kb.ok("status", "--json").json["ahead"] == 0
    assert kb.run("remember", "--title", "X", "--summary", "Y z.").status == 6


def test_an_alias_of_ssh_is_looked_through(
    kb: Repository, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`ssh -G` says which host an alias means; here a script answers in its place."""
    script = world.place / "bin" / "ssh"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\necho user git\necho hostname github.com\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}:{os.environ['PATH']}")
    kb.git("remote", "add", "origin", "git@work:ada/kb.git")
    found = checks(kb.ok("doctor", "--offline", "--json"))["private"]
    assert (found["grade"], found["message"].split()[0]) == ("warning", "github.com")


def test_every_place_that_is_pushed_to_must_be_private(kb: Repository) -> None:
    kb.git("remote", "add", "origin", "/srv/git/kb.git")
    assert checks(kb.ok("doctor", "--offline", "--json"))["private"]["grade"] == "ok"
    kb.git("remote", "set-url", "--add", "--push", "origin", "/srv/git/kb.git")
    kb.git("remote", "set-url", "--add", "--push", "origin", "https://github.com/ada/kb.git")
    assert checks(kb.ok("doctor", "--offline", "--json"))["private"]["grade"] == "warning"


def test_agents_must_be_able_to_run_it(
    kb: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "ai-kb"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert "program" not in checks(kb.ok("doctor", "--offline", "--json"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert checks(kb.ok("doctor", "--offline", "--json"))["program"]["grade"] == "warning"
