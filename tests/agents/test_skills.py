"""Where skills come from, which one is used, and what becomes of copies."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.agents.skills import library
from quaid.agents.skills.library import EMBEDDED, embedded_names, install, uninstall
from quaid.agents.skills.marker import MARKER
from quaid.agents.skills.skill import MAX_BYTES, MAX_FILES, first_sentence, read_skill
from quaid.errors import InvalidInput, NotFound
from tests.support import Ran, lengths, quick

ALERTS = (EMBEDDED / "alerts" / "SKILL.md").read_bytes()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory that is not the home directory."""
    place = tmp_path / "work"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """The person's own skills."""
    return tmp_path / ".quaid" / "skills"


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Another version of Quaid: its embedded skills are a copy that a test changes."""

    def become(name: str, text: str) -> None:
        copy = tmp_path / "program" / "skills"
        if not copy.exists():
            shutil.copytree(EMBEDDED, copy)
            monkeypatch.setattr(library, "EMBEDDED", copy)
        with open(copy / name / "SKILL.md", "a", encoding="utf-8") as file:
            file.write(text)

    return become


def write(folder: Path, name: str, text: str | bytes | None = None) -> Path:
    """A skill in a folder of skills."""
    place = folder / name
    place.mkdir(parents=True)
    if text is None:
        text = f"---\nname: {name}\ndescription: Does {name}. Use it often.\n---\n\n# {name}\n"
    (place / "SKILL.md").write_bytes(text.encode() if isinstance(text, str) else text)
    return place


def run(*words: str) -> Ran:
    return quick("skills", *words)


def data(*words: str) -> Any:
    ran = run(*words, "--json")
    assert ran.err == ""
    return ran.json


def examined(name: str) -> list[dict[str, Any]]:
    """What doctor says of every skill of a name."""
    return [each for each in data("doctor")["skills"] if each["name"] == name]


def did(*words: str) -> dict[str, str]:
    return {each["name"]: each["did"] for each in data("extract", *words)["skills"]}


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MARKER
    }


# Which skill is used


def test_list_shows_the_embedded_skills_without_a_memory() -> None:
    ran = run("list")
    assert (ran.status, ran.err) == (0, "")
    assert [line.split()[:2] for line in ran.out.splitlines()] == [
        [name, "embedded"] for name in embedded_names()
    ]
    assert "Take a meeting, article, document or conversation into the memory.\n" in ran.out
    assert not Path.home().joinpath(".quaid").exists()


def test_the_working_directory_comes_before_the_person_before_the_program(user: Path, here: Path) -> None:
    write(user, "alerts")
    assert data("show", "alerts")["origin"] == "user"
    write(here / "skills", "alerts")
    assert quick("trust", str(here)).status == 0
    (listed,) = (each for each in data("list")["skills"] if each["name"] == "alerts")
    assert listed["origin"] == "directory"
    assert listed["overrides"] == ["embedded", "user"]
    assert listed["path"] == str(here / "skills" / "alerts")
    assert [each["active"] for each in examined("alerts")] == [False, False, True]


def test_own_skills_are_listed(user: Path) -> None:
    write(user, "tea", "---\nname: tea\ndescription: Makes tea. Use it at five.\n---\nBoil water.\n")
    assert "tea       user      Makes tea." in run("list").out
    assert run("show", "tea").out.endswith("Boil water.\n")
    assert examined("tea")[0]["state"] == "own"
    assert run("doctor").status == 0


def test_other_folders_are_no_skills(here: Path) -> None:
    (here / "skills" / "juggling").mkdir(parents=True)
    (here / "skills" / "README.md").write_text("About us")
    assert run("doctor").status == 0
    assert len(data("list")["skills"]) == len(embedded_names())


def test_the_persons_folder_as_working_directory_counts_once(
    user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(user, "tea")
    monkeypatch.chdir(user.parent)
    assert len(examined("tea")) == 1
    assert len(data("doctor")["places"]) == 2


def test_show_prints_the_bytes() -> None:
    assert run("show", "alerts").raw == ALERTS
    text = (EMBEDDED / "ingest" / "references" / "templates.md").read_bytes()
    assert run("show", "ingest", "--reference", "references/templates.md").raw == text
    assert run("show", "ingest", "--reference", "templates.md").raw == text
    assert data("show", "ingest")["references"] == ["references/templates.md"]


def test_show_says_what_there_is() -> None:
    ran = run("show", "ingset", "--json")
    assert (ran.status, ran.error["code"]) == (3, "not_found")
    assert "ingest" in ran.error["hint"]
    ran = run("show", "ingest", "--reference", "../query/SKILL.md", "--json")
    assert (ran.status, ran.error["hint"]) == (3, "It has: references/templates.md.")


def test_a_reference_that_is_no_text_is_refused(user: Path) -> None:
    (write(user, "tea") / "pot.png").write_bytes(b"\x89PNG\xff")
    ran = run("show", "tea", "--reference", "pot.png")
    assert (ran.status, "is not text" in ran.err) == (2, True)


def test_the_hash_is_what_sha256sum_says() -> None:
    listing = "".join(
        f"{hashlib.sha256(data).hexdigest()}  {path}\n"
        for path, data in sorted(tree(EMBEDDED / "ingest").items())
    )
    expected = hashlib.sha256(listing.encode()).hexdigest()
    assert data("show", "ingest")["hash"] == expected


# What is wrong with a skill

BAD: dict[str, tuple[str | bytes, str]] = {
    "bare": ("# No frontmatter\n", "has no frontmatter"),
    "other": ("---\nname: another\ndescription: x\n---\n", "its name is 'another'"),
    "nameless": ("---\ndescription: x\n---\n", "it has no name"),
    "silent": ("---\nname: silent\n---\n", "it has no description"),
    "wordy": (f"---\nname: wordy\ndescription: {'x' * 1025}\n---\n", "1,025 characters"),
    "latin": ("---\nname: latin\ndescription: café\n---\n".encode("latin-1"), "is not UTF-8"),
    "broken": ("---\nname: [broken\ndescription: x\n---\n", "the YAML is broken"),
    "huge": (b"---\nname: huge\ndescription: x\n---\n" + b"x" * MAX_BYTES, "more than 1,000,000 bytes"),
    "Loud": ("---\nname: Loud\ndescription: x\n---\n", "cannot be the name"),
    "empty": ("", "has no frontmatter"),
    "listed": ("---\n- name\n---\n", "not a mapping"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_skill_is_reported_and_breaks_nothing(name: str, user: Path) -> None:
    text, message = BAD[name]
    write(user, name, text)
    ran = run("list")
    assert ran.status == 0
    assert "1 skill cannot be used; `quaid skills doctor` says why" in ran.err
    assert len(ran.out.splitlines()) == len(embedded_names())
    ran = run("doctor")
    assert ran.status == 11
    assert message in ran.out
    assert all(finding["hint"] for finding in data("doctor")["skills"][-1].get("findings", ()))


def test_a_bad_override_leaves_the_embedded_one_in_use(user: Path) -> None:
    write(user, "alerts", "mine, but not a skill\n")
    assert run("show", "alerts").raw == ALERTS
    assert [each["active"] for each in examined("alerts")] == [True, False]
    assert run("doctor").status == 11


def test_an_override_without_its_file_is_reported(user: Path) -> None:
    (user / "alerts").mkdir(parents=True)
    assert "there is no SKILL.md" in run("doctor").out
    assert run("show", "alerts").raw == ALERTS


def test_a_file_that_leads_out_of_its_folder_is_not_read(user: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("the key")
    folder = write(user, "tea")
    (folder / "notes.md").symlink_to(tmp_path / "secret.md")
    ran = run("doctor")
    assert (ran.status, "notes.md leads out of the folder" in ran.out) == (11, True)
    assert run("show", "tea", "--reference", "notes.md").status == 3
    (folder / "notes.md").unlink()
    (folder / "SKILL.md").rename(folder / "text.md")
    (folder / "SKILL.md").symlink_to("text.md")
    assert run("doctor").status == 0
    (folder / "more").symlink_to(tmp_path, target_is_directory=True)
    assert "more leads out of the folder" in run("doctor").out


def test_a_folder_of_skills_may_be_a_link(user: Path, tmp_path: Path) -> None:
    place = write(tmp_path / "dotfiles", "tea")
    user.mkdir(parents=True)
    (user / "tea").symlink_to(place, target_is_directory=True)
    assert data("show", "tea")["origin"] == "user"


def test_too_many_files_pipes_and_loops_do_not_hang(user: Path) -> None:
    folder = write(user, "tea")
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "itself").symlink_to("itself")
    assert data("show", "tea")["references"] == []
    for number in range(MAX_FILES):
        (folder / f"{number}.txt").touch()
    assert "more than 200 files" in run("doctor").out


CLOSED = """
import os, sys
from pathlib import Path
from quaid.agents.skills import library as skills
from quaid.agents.skills.skill import read_skill
from quaid.errors import QuaidError
root = Path(sys.argv[1])
skills.EMBEDDED = root / "own"  # a checkout may lie where another user may not look
if os.geteuid() == 0:
    os.setuid(65534)
print([finding.message for finding in read_skill(root / "file").findings])
print([finding.message for finding in read_skill(root / "folder").findings])
try:
    skills.install(root / "shut", ["query"])
except QuaidError as error:
    print(error.code)
"""


def test_what_may_not_be_read_or_written_is_said() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:  # another user may not enter pytest's directories
        root = Path(name)
        root.chmod(0o755)
        (write(root, "file") / "SKILL.md").chmod(0)
        write(root, "folder").chmod(0)
        (root / "shut").mkdir(mode=0o555)
        shutil.copytree(EMBEDDED, root / "own")
        done = subprocess.run(
            [sys.executable, "-c", CLOSED, name],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            check=False,
        )
        (root / "folder").chmod(0o755)
    assert done.stdout.splitlines() == [
        "['SKILL.md cannot be read: Permission denied']",
        "['folder cannot be read: Permission denied']",
        "read_only",
    ], done.stderr


@given(st.binary(max_size=300))
def test_reading_never_fails(tmp_path_factory: pytest.TempPathFactory, text: bytes) -> None:
    folder = tmp_path_factory.mktemp("skills") / "tea"
    folder.mkdir()
    (folder / "SKILL.md").write_bytes(text)
    contents = read_skill(folder)
    assert contents.files["SKILL.md"] == text
    assert contents.findings or contents.description
    assert "\n" not in first_sentence(contents.description)


# Copies


def test_extract_writes_what_only_the_owner_may_read(user: Path) -> None:
    ran = run("extract")
    assert ran.status == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == ["written"] * len(embedded_names())
    assert tree(user) == tree(EMBEDDED)
    for path in [user, *user.rglob("*")]:
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600)
    assert {each["state"] for each in data("doctor")["skills"]} == {"embedded", "unchanged"}
    assert set(did().values()) == {"unchanged"}


def test_extract_some_to_a_folder(here: Path) -> None:
    assert did("alerts", "query", "--to", "skills") == {"alerts": "written", "query": "written"}
    assert sorted(each.name for each in (here / "skills").iterdir()) == [MARKER, "alerts", "query"]
    assert data("show", "alerts")["origin"] == "embedded"
    assert quick("trust", str(here)).status == 0
    assert data("show", "alerts")["origin"] == "directory"


def test_an_edited_copy_is_kept_unless_forced(user: Path) -> None:
    run("extract", "alerts")
    (user / "alerts" / "SKILL.md").write_bytes(ALERTS + b"\nQuiet after eight.\n")
    assert examined("alerts")[-1]["state"] == "edited"
    assert "edited by you" in run("doctor").out
    ran = run("extract", "alerts")
    assert ran.out.startswith("kept")
    assert "--force" in ran.err
    assert (user / "alerts" / "SKILL.md").read_bytes().endswith(b"Quiet after eight.\n")
    assert did("alerts", "--force") == {"alerts": "updated"}
    assert (user / "alerts" / "SKILL.md").read_bytes() == ALERTS


def test_an_added_file_is_an_edit(user: Path) -> None:
    run("extract", "alerts")
    (user / "alerts" / "names.md").write_text("Ada")
    assert did("alerts") == {"alerts": "kept"}


def test_a_folder_that_was_there_before_is_kept(user: Path) -> None:
    write(user, "alerts")
    assert did("alerts") == {"alerts": "kept"}
    assert examined("alerts")[-1]["state"] == "different"


def test_a_newer_version_updates_what_nobody_edited(user: Path, newer: Any) -> None:
    run("extract", "alerts", "ingest", "query")
    with open(user / "query" / "SKILL.md", "a") as file:
        file.write("Mine.\n")
    newer("alerts", "New line.\n")
    newer("query", "New line.\n")
    states = {each["name"]: each["state"] for each in data("doctor")["skills"] if each["origin"] == "user"}
    assert states == {"alerts": "older", "ingest": "unchanged", "query": "edited-older"}
    assert "older than the embedded one; not edited" in run("doctor").out
    assert "made from an older embedded one" in run("doctor").out
    assert did("alerts", "ingest", "query") == {"alerts": "updated", "ingest": "unchanged", "query": "kept"}
    assert (user / "alerts" / "SKILL.md").read_text().endswith("New line.\n")


def test_an_update_removes_files_that_are_gone_and_keeps_hidden_ones(
    user: Path, newer: Any, tmp_path: Path
) -> None:
    run("extract", "ingest")
    (user / "ingest" / ".git").mkdir()
    newer("ingest", "Shorter.\n")
    shutil.rmtree(tmp_path / "program" / "skills" / "ingest" / "references")
    assert did("ingest") == {"ingest": "updated"}
    assert sorted(each.name for each in (user / "ingest").iterdir()) == [".git", "SKILL.md"]


def test_a_prefix_goes_before_folder_and_name(tmp_path: Path) -> None:
    target = tmp_path / "shared"
    write(target, "ingest")
    done = install(target, ["ingest", "query"], prefix="quaid-")
    assert [(each.name, each.did) for each in done] == [
        ("quaid-ingest", "written"),
        ("quaid-query", "written"),
    ]
    text = (target / "quaid-ingest" / "SKILL.md").read_text(encoding="utf-8")
    assert text.startswith("---\nname: quaid-ingest\n")
    assert read_skill(target / "quaid-ingest").findings == ()
    assert (target / "quaid-ingest" / "references" / "templates.md").exists()
    assert {each.did for each in install(target, ["ingest", "query"], prefix="quaid-")} == {"unchanged"}


def test_a_copy_with_a_prefix_is_known_for_what_it_is(user: Path, newer: Any) -> None:
    run("extract", "alerts", "--prefix", "quaid-")
    assert examined("quaid-alerts")[0]["state"] == "unchanged"
    newer("alerts", "New line.\n")
    assert examined("quaid-alerts")[0]["state"] == "older"


@pytest.mark.parametrize("prefix", ["Quaid-", "a/", "../", "-", "a--", "x" * 64, " "])
def test_a_prefix_that_makes_no_name_is_refused(prefix: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        install(tmp_path / "shared", prefix=prefix)
    assert not (tmp_path / "shared").exists()


def test_an_unknown_skill_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="'cooking'"):
        install(tmp_path / "shared", ["ingest", "cooking"])
    assert not (tmp_path / "shared").exists()


def test_uninstall_removes_what_was_not_edited(tmp_path: Path) -> None:
    target = tmp_path / "shared"
    own = write(target, "tea")
    install(target, prefix="quaid-")
    edited = target / "quaid-alerts" / "SKILL.md"
    edited.write_bytes(edited.read_bytes() + b"Mine.\n")
    done = {each.name: each.did for each in uninstall(target, "quaid-")}
    assert done == {f"quaid-{name}": "kept" if name == "alerts" else "removed" for name in embedded_names()}
    assert own.exists()
    assert sorted(each.name for each in target.iterdir()) == [MARKER, "quaid-alerts", "tea"]
    assert [each.did for each in uninstall(target, "quaid-")] == ["kept"]


def test_uninstall_leaves_nothing_of_its_own(tmp_path: Path) -> None:
    target = tmp_path / "shared"
    install(target, prefix="quaid-")
    uninstall(target, "quaid-")
    assert not target.exists()
    assert uninstall(target, "quaid-") == ()


def test_uninstall_of_one_prefix_leaves_the_other(tmp_path: Path) -> None:
    install(tmp_path / "shared", ["query"], prefix="quaid-")
    install(tmp_path / "shared", ["query"])
    assert [each.name for each in uninstall(tmp_path / "shared", "quaid-")] == ["quaid-query"]
    assert did("query", "--to", str(tmp_path / "shared")) == {"query": "unchanged"}


def test_uninstall_removes_what_an_older_version_wrote(tmp_path: Path, newer: Any) -> None:
    install(tmp_path / "shared", ["query"])
    newer("query", "New line.\n")
    assert [each.did for each in uninstall(tmp_path / "shared")] == ["removed"]


def test_what_a_killed_run_left_is_cleared_away(user: Path) -> None:
    run("extract", "query")
    (user / ".quaid-0123456789ab.tmp").mkdir()
    (user / ".quaid-0123456789ab.tmp" / "SKILL.md").write_text("half")
    shutil.rmtree(user / "query")  # it was about to be replaced
    assert did("query") == {"query": "written"}
    assert sorted(each.name for each in user.iterdir()) == [MARKER, "query"]


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"skills": 3}', b'{"skills": {"query": 1}}', b"\xff"])
def test_a_damaged_marker_is_like_none(text: bytes, user: Path) -> None:
    run("extract", "query")
    (user / MARKER).write_bytes(text)
    assert run("doctor").status == 0
    assert did("query") == {"query": "unchanged"}
    assert json.loads((user / MARKER).read_bytes())["skills"]["query"]["skill"] == "query"


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = run("extract", "--to", str(tmp_path / "file"), "--json")
    assert ran.status == 10
    assert ran.error["hint"]


def test_a_file_or_a_link_in_the_way_is_kept_unless_forced(user: Path, tmp_path: Path) -> None:
    elsewhere = write(tmp_path / "dotfiles", "query")
    user.mkdir(parents=True)
    (user / "query").symlink_to(elsewhere, target_is_directory=True)
    (user / "alerts").write_text("a file")
    assert did("query", "alerts") == {"query": "kept", "alerts": "kept"}
    assert did("query", "alerts", "--force") == {"query": "updated", "alerts": "updated"}
    assert not (user / "query").is_symlink()
    assert (elsewhere / "SKILL.md").exists()


def test_processes_that_install_at_once_agree(tmp_path: Path) -> None:
    script = "import sys; from pathlib import Path; from quaid.agents.skills.library import install; "
    script += "[install(Path(sys.argv[1]), [name]) for name in sys.argv[2:]]"
    names = embedded_names()
    groups = [names, tuple(reversed(names)), names[::2], names[1::2]]
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "shared"), *group]) for group in groups
    ]
    assert [process.wait() for process in running] == [0] * len(groups)
    assert tree(tmp_path / "shared") == tree(EMBEDDED)
    assert {each.did for each in install(tmp_path / "shared")} == {"unchanged"}
    assert sorted(json.loads((tmp_path / "shared" / MARKER).read_bytes())["skills"]) == sorted(names)


@lengths("kills", 5, 12)
def test_killed_at_any_moment_the_next_run_puts_it_right(tmp_path: Path, kills: int) -> None:
    target = tmp_path / "shared"
    script = """
import sys
from pathlib import Path
from quaid.agents.skills.library import install, uninstall
print("ready", flush=True)
while True:
    install(Path(sys.argv[1]))
    uninstall(Path(sys.argv[1]))
"""
    for number in range(kills):
        with subprocess.Popen([sys.executable, "-c", script, str(target)], stdout=subprocess.PIPE) as process:
            assert process.stdout
            assert process.stdout.readline() == b"ready\n"
            # A wait that is not for anything: the kill is to fall anywhere within an installation.
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.084 * number / kills)
            process.kill()
        assert {each.did for each in install(target)} <= {"written", "unchanged"}
        assert tree(target) == tree(EMBEDDED)
        assert sorted(each.name for each in target.iterdir()) == [MARKER, *embedded_names()]
