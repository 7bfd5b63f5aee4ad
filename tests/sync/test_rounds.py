"""`quaid sync` and whatever stands in its way: each is said, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from quaid.supervisor import Said
from quaid.sync.commits import message_of
from quaid.trust import Trust
from tests.kb.conftest import become_ada
from tests.kb.repositories import World as KbWorld
from tests.support import PROGRAM, Restored, environment, quick
from tests.sync.machines import Machine, World, git

BOB = "# Bob\n\nLives in Oslo.\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Restored:
    """A remote and two machines that share it, made once."""
    place = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(place))
        world = World(place)
        world.machine("one", {"people/bob.md": BOB})
        world.machine("two")
    return Restored(place)


@pytest.fixture
def world(made: Restored, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("HOME", str(made()))
    return World(made.place)


@pytest.fixture
def one(world: World) -> Machine:
    return Machine(world.place / "one")


@pytest.fixture
def two(world: World) -> Machine:
    return Machine(world.place / "two")


def test_a_new_machine_gets_what_there_is(one: Machine, two: Machine) -> None:
    assert two.files == one.files
    assert two.digest == one.digest
    assert ".quaid/" in one.read(".gitignore").splitlines()
    assert "*.md merge=quaid" in one.read(".gitattributes").splitlines()
    assert not [path for path in one.git("ls-files").splitlines() if path.startswith(".quaid")]
    assert two.git("config", "merge.quaid.driver")


def test_setting_up_again_changes_nothing(world: World, one: Machine) -> None:
    before = one.files, one.git("rev-parse", "HEAD")
    config = (one.root / ".git" / "config").read_bytes()
    one.ok("sync", "init", str(world.hub))
    one.ok("sync", "init")
    assert (one.files, one.git("rev-parse", "HEAD")) == before
    assert (one.root / ".git" / "config").read_bytes() == config


def test_a_timer_exchanges_in_the_background(one: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quaid.supervisor.ask", lambda *words: Said(False, ""))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert not one.ok("sync", "status", "--json").json["timer"]
    ran = one.ok("sync", "init", "--timer")
    assert "systemctl --user enable --now quaid-sync-" in ran.err
    (service,) = (Path(os.environ["HOME"]) / ".config" / "systemd" / "user").glob("quaid-sync-*.service")
    assert service.read_text().rstrip().endswith(f"--db {one.root}/.quaid/memory.db sync --quiet")
    assert one.ok("sync", "status", "--json").json["timer"]


def test_a_folder_with_pages_joins_a_remote_that_has_others(world: World, one: Machine) -> None:
    three = world.machine("three", {"people/bob.md": BOB + "\nSails.\n", "people/carol.md": "# Carol\n"})
    assert "Sails." in three.read("people/bob.md")
    one.sync()
    assert one.files == three.files
    assert one.pages == ["people/bob.md", "people/carol.md"]


def test_the_first_files_of_a_notebook_give_way(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.machine("one", None, "--profile", "notebook").write("lists/todos.md", "# To do\n\n- [ ] sail\n")
    Machine(tmp_path / "one").sync()
    two = world.machine("two", None, "--profile", "notebook")
    assert two.read("lists/todos.md") == "# To do\n\n- [ ] sail\n"
    assert len(two.git("log", "--format=%h", "HEAD").splitlines()) == 3  # nothing had to be merged


def test_a_branch_of_another_name_is_joined(tmp_path: Path) -> None:
    world = World(tmp_path)
    old = tmp_path / "old"
    subprocess.run(["git", "init", "-q", "-b", "master", old], check=True)
    (old / "bob.md").write_text(BOB)
    git(old, "add", "-A")
    git(old, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "begin")
    git(old, "push", "-q", world.hub, "master")
    git(world.hub, "symbolic-ref", "HEAD", "refs/heads/nothing")
    new = world.machine("new")
    assert new.read("bob.md") == BOB
    assert git(world.hub, "branch", "--format=%(refname:short)") == "master"


def test_a_new_folder_is_attached_to_a_memory(world: World, one: Machine, tmp_path: Path) -> None:
    db = tmp_path / "own.db"
    assert quick("init", str(db)).status == 0
    ran = quick("sync", "init", str(world.hub), "--folder", str(tmp_path / "shared"), db=db)
    assert ran.status == 0, ran.err
    assert quick("get", "shared::people/bob", db=db).out == BOB


def test_what_came_was_written_by_its_author(one: Machine, two: Machine) -> None:
    one.git("config", "user.name", "Anna")
    one.git("config", "user.email", "anna@example.org")
    one.write("people/bob.md", BOB + "\nSails.\n")
    one.sync()
    two.sync()
    assert "git Anna" in two.ok("history", "people/bob").out


def test_raw_data_is_merged_by_its_sources(one: Machine, two: Machine) -> None:
    for machine, source in ((one, "crm"), (two, "mail")):
        machine.ok("raw", "people/bob", source, "--data", '{"id": 7}')
        machine.sync()
    assert one.sync()["conflicts"] == 0
    said = one.ok("raw", "people/bob").out
    assert "crm" in said
    assert "mail" in said
    for machine, number in ((one, 8), (two, 9)):
        machine.ok("raw", "people/bob", "crm", "--data", f'{{"id": {number}}}')
    one.sync()
    assert two.sync()["conflicts"] == 1  # the same source: the newer is kept, and the other noted


def test_the_message_names_the_pages() -> None:
    assert message_of([("Add", "people/bob.md")]) == "Add people/bob"
    two = message_of([("Remove", "a.md"), ("Change", "b.org")])
    assert two == "Change a and b\n\nRemove a.md\nChange b.org"
    many = message_of([("Change", f"page-{n}.md") for n in range(80)])
    assert many.splitlines()[0] == "Change page-0, page-1, page-2 and 77 more"
    assert many.splitlines()[-1] == "… and 30 more"
    assert message_of([("Add", ".conversations/0123456789ab/1.sealed")]) == "Add conversations"
    assert message_of([("Add", "a.md"), ("Add", ".conversations/x/1.jsonl")]).splitlines()[0] == "Add a"


def test_offline_is_quiet_and_what_changed_is_sent_later(world: World, one: Machine, two: Machine) -> None:
    one.git("remote", "set-url", "origin", "https://me:hunter2@127.0.0.1:9/notes.git")
    one.write("people/bob.md", BOB + "\nSails.\n")
    ran = one.ok("sync")
    assert ran.out == "one: 1 file committed; not sent: offline\n"
    assert one.ok("sync", "--quiet").out.strip() == ""
    status = one.status()
    assert (status["ahead"], status["sync_failure"]) == (1, "")
    assert status["offline_since"]
    assert "hunter2" not in str(status)
    one.git("remote", "set-url", "origin", str(world.hub))
    assert one.sync()["sent"] == 1
    assert one.status()["offline_since"] == ""


def test_a_key_that_is_refused_is_told_in_the_words_of_ssh(
    one: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text('#!/bin/sh\necho "git@host: Permission denied (publickey)." >&2\nexit 255\n')
    ssh.chmod(0o755)
    one.git("remote", "set-url", "origin", "git@host:notes.git")
    monkeypatch.setenv("GIT_SSH_COMMAND", str(ssh))
    one.write("people/bob.md", BOB + "\nSails.\n")
    ran = one.quaid("sync")
    assert ran.status == 13
    assert "Permission denied (publickey)" in ran.out
    assert "Permission denied (publickey)" in one.status()["sync_failure"]
    assert one.git("status", "--porcelain") == ""


def test_somebody_pushes_between_fetch_and_push(world: World, one: Machine, two: Machine) -> None:
    """The remote refuses the first push, because another one has come just before."""
    one.write("people/carol.md", "# Carol\n")
    two.write("people/dora.md", "# Dora\n")
    two.git("add", "-A")
    two.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Dora")
    hook = one.root / ".git" / "hooks" / "pre-push"
    hook.write_text(f'#!/bin/sh\nunset GIT_DIR\nrm "$0"\ngit -C {two.root} push -q {world.hub} main\n')
    hook.chmod(0o755)
    done = one.sync()
    assert (done["outcome"], done["received"]) == ("synced", 1)
    assert one.pages == ["people/bob.md", "people/carol.md", "people/dora.md"]
    two.sync()
    assert two.files == one.files


def test_a_rewritten_remote_is_not_merged_unseen(world: World, one: Machine, two: Machine) -> None:
    one.write("people/bob.md", "# Bob\n\nLives in Bergen.\n")
    one.sync()
    two.sync()
    first = git(world.hub, "rev-list", "--max-parents=0", "main")
    git(world.hub, "update-ref", "refs/heads/main", first)
    two.write("people/dora.md", "# Dora\n")
    refused = two.sync()
    assert (refused["outcome"], "rewritten" in refused["message"]) == ("failed", True)
    assert two.sync()["outcome"] == "failed"  # until somebody decides
    assert git(world.hub, "rev-parse", "main") == first
    assert two.sync("--accept-rewritten")["outcome"] == "synced"
    assert "Bergen" in git(world.hub, "show", "main:people/bob.md")
    assert two.sync()["outcome"] == "in step"


@pytest.mark.parametrize(
    ("begun", "said"),
    [
        (("checkout", "-q", "--detach"), "on no branch"),
        (("checkout", "-q", "-b", "draft"), "on the branch draft"),
        (("update-ref", "MERGE_HEAD", "HEAD"), "a merge is under way"),
    ],
)
def test_what_somebody_has_begun_with_git_is_left_alone(
    one: Machine, begun: tuple[str, ...], said: str
) -> None:
    one.git(*begun)
    one.write("people/bob.md", BOB + "\nSails.\n")
    head = one.git("rev-parse", "HEAD")
    done = one.sync()
    assert done["outcome"] == "failed"
    assert said in done["message"]
    assert done["hint"]
    assert one.status()["problem"]
    assert (one.git("rev-parse", "HEAD"), one.read("people/bob.md")) == (head, BOB + "\nSails.\n")


def test_a_folder_that_is_suddenly_empty_is_not_published(world: World, one: Machine) -> None:
    (one.root / "people" / "bob.md").unlink()
    done = one.sync()
    assert (done["outcome"], "--accept-empty" in done["hint"]) == ("failed", True)
    assert git(world.hub, "show", "main:people/bob.md") == BOB.strip()
    one.ok("collection", "sync", "one", "--accept-empty")
    assert one.sync()["sent"] == 1
    assert "bob" not in git(world.hub, "ls-tree", "-r", "--name-only", "main")


def test_no_secret_is_pushed(world: World, one: Machine) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    one.write("people/bob.md", BOB + f"\nHis token is {secret}.\n")
    ran = one.quaid("sync")
    assert ran.status == 11
    assert "people/bob.md:5" in ran.out
    assert secret not in ran.out
    assert git(world.hub, "show", "main:people/bob.md") == BOB.strip()


def test_a_page_edited_while_the_merge_is_made_stays_as_edited(one: Machine, two: Machine) -> None:
    """The person's editor writes after the commit and before the files move: the round begins again."""
    one.write("people/bob.md", BOB + "\nSails.\n")
    one.sync()
    two.write("people/bob.md", "# Bob\n\nLives in Bergen.\n")
    hook = two.root / ".git" / "hooks" / "post-commit"
    hook.write_text(f"#!/bin/sh\nrm $0\nprintf 'Reads.\\n' >> {two.root}/people/bob.md\n")
    hook.chmod(0o755)
    assert two.sync()["outcome"] == "synced"
    assert {"Lives in Bergen.", "Sails.", "Reads."} <= {*two.read("people/bob.md").splitlines()}


def test_a_repository_with_a_remote_takes_part_when_somebody_says_so(world: World) -> None:
    notes = Machine(world.place / "notes")
    git(world.place, "clone", "--quiet", "-b", "main", str(world.hub), str(notes.root))
    notes.write("people/bob.md", "# Bob\n\nLives in Bergen.\n")
    assert quick("init", str(notes.root)).status == 0
    before, there = notes.git("rev-parse", "HEAD"), git(world.hub, "rev-parse", "main")
    done = notes.sync()
    assert (done["outcome"], str(world.hub) in done["message"]) == ("not shared", True)
    assert "quaid sync init --collection notes" in done["hint"]
    assert notes.status()["problem"] == done["message"]
    assert (notes.git("rev-parse", "HEAD"), git(world.hub, "rev-parse", "main")) == (before, there)
    notes.git("config", "quaid.sync", "false")
    assert notes.ok("sync").out == "No folder is shared with other machines yet: quaid sync init URL.\n"
    notes.ok("sync", "init")
    assert git(world.hub, "show", "main:people/bob.md") == notes.read("people/bob.md").strip()
    assert before in notes.git("rev-list", "HEAD").split()
    assert notes.git("rev-list", "--count", f"{before}..HEAD") == "1"
    assert notes.sync()["outcome"] == "in step"


def test_a_strangers_repository_is_not_run(world: World, tmp_path: Path) -> None:
    """What lies in a folder's .git could run programs: it is not even looked at."""
    machine = Machine(tmp_path / "notes")
    machine.write("bob.md", BOB)
    subprocess.run(["git", "init", "-q", machine.root], check=True)
    trap = tmp_path / "sprung"
    machine.git("config", "core.fsmonitor", f"touch {trap}")
    machine.git("config", "quaid.sync", "true")
    db = tmp_path / "own.db"
    quick("init", str(db))
    quick("collection", "add", "notes", str(machine.root), db=db)
    assert quick("sync", db=db).status == 0
    ran = quick("sync", "init", str(world.hub), "--collection", "notes", db=db)
    assert ran.status != 0
    assert "quaid trust" in ran.err
    assert "not trusted" in quick("sync", "status", "notes", db=db).out
    assert not trap.exists()


def test_a_memory_that_the_remote_brings_is_refused(one: Machine, two: Machine) -> None:
    """A .quaid says which folders a memory has, and which skills agents follow."""
    (one.root / ".git" / "info" / "exclude").write_text("")
    one.write(".gitignore", "")
    one.write(".quaid/config.toml", '[[collection]]\nname = "x"\nroot = "/etc"\n')
    one.git("add", "-f", ".quaid/config.toml")
    one.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "trap")
    one.git("push", "-q", "origin", "main")
    (two.root / ".quaid" / "config.toml").unlink()
    done = two.sync()
    assert (done["outcome"], ".quaid" in done["message"]) == ("failed", True)
    assert not (two.root / ".quaid" / "config.toml").exists()


def test_folders_that_were_not_set_up_are_left_alone(world: World, tmp_path: Path) -> None:
    """A repository is pushed where somebody has said so, not because it has a remote."""
    db = tmp_path / "own.db"
    quick("init", str(db))
    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", "-b", "main", world.hub, other], check=True)
    Trust(Path(os.environ["HOME"])).accept(other)
    quick("collection", "add", "other", str(other), db=db)
    (other / "new.md").write_text("# New\n")
    assert "not set up here, nothing was exchanged" in quick("sync", db=db).out
    assert git(other, "status", "--porcelain") == "?? new.md"
    assert quick("sync", "other", db=db).status == 2


def test_a_read_only_folder_only_follows(world: World, one: Machine, tmp_path: Path) -> None:
    db, other = tmp_path / "own.db", tmp_path / "other"
    quick("init", str(db))
    subprocess.run(["git", "clone", "-q", world.hub, other], check=True, capture_output=True)
    Trust(Path(os.environ["HOME"])).accept(other)
    quick("collection", "add", "other", str(other), "--read-only", db=db)
    assert quick("sync", "init", "--collection", "other", db=db).status == 0
    (other / "mine.md").write_text("# Mine\n")
    one.write("people/bob.md", BOB + "\nSails.\n")
    one.sync()
    assert quick("sync", db=db).out == "other: 1 commit received\n"
    assert git(other, "status", "--porcelain") == "?? mine.md"
    assert "Sails." in quick("get", "people/bob", db=db).out
    (other / "people" / "bob.md").write_text("My own.\n")
    one.write("people/bob.md", BOB + "\nReads.\n")
    one.sync()
    ran = quick("sync", db=db)
    assert (ran.status, "in the way: people/bob.md" in ran.out) == (13, True)
    assert (other / "people" / "bob.md").read_text() == "My own.\n"


def test_watching_exchanges_what_changes(one: Machine, two: Machine) -> None:
    """A process of its own, until it is told to end."""
    words = [PROGRAM, "sync", "--watch"]
    around = environment(more={"QUAID_SYNC_DEBOUNCE": "0.1"})
    with subprocess.Popen(words, cwd=one.root, env=around, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        assert "in step" in process.stderr.readline()
        one.write("people/bob.md", BOB + "\nSails.\n")
        assert "1 file committed, 1 commit sent" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
    two.sync()
    assert "Sails." in two.read("people/bob.md")


def test_a_knowledge_base_takes_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    become_ada(tmp_path, monkeypatch)
    world = KbWorld(tmp_path)
    one, two = world.shared("one"), world.clone("two")
    db = tmp_path / "own.db"
    quick("init", str(db))
    quick("collection", "add", "kb", str(one.root), "--profile", "kb", db=db)
    one.remember("Winds", "From the west.")
    two.remember("Tides", "High at noon.")
    two.ok("push")
    ran = quick("sync", db=db)
    assert ran.status == 0, ran.out
    assert "kb: 1 commit received, " in ran.out
    assert "Tides" in quick("list", db=db).out
