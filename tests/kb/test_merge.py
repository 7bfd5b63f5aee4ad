"""What a person decides about nodes: every link follows, in one commit, and an agent cannot do it unasked."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.kb.repositories import Repository, World
from tests.support import PATIENCE


def link(id: str, words: str = "there") -> str:
    return f"See [[id:{id}][{words}]].\n"


def test_merged_nodes_become_one_and_links_follow(kb: Repository, world: World) -> None:
    one = kb.remember("Commit style", "Short subjects.", "--project", "emacs", body="* Length\nFifty.\n")
    two = kb.remember(
        "Messages of commits", "About messages.", "--tag", "git", body=f"* Mood\nImperative. {link(one)}"
    )
    three = kb.remember("Review", "How reviews go.", body=link(two, "messages"))
    notes = world.place / "MEMORY.md"
    notes.write_text(f"- ai-kb: Messages of commits ({two})\n- ai-kb: Other ({three})\n")
    gone = kb.node(two)
    ran = kb.ok("merge", one, two, "--yes", "--pointers", str(notes), "--json").json
    assert (ran["action"], ran["repointed"], ran["pointers"]) == ("merged", 1, [str(notes)])
    text = kb.text(one)
    assert text.rstrip().endswith("* Messages of commits\n** Mood\nImperative. See there.")
    assert ":PROJECTS: :emacs: :general:\n" in text
    assert "#+filetags: :observation:git:\n" in text
    assert ":LAST_CURATED: 20" in text
    assert kb.text(three).endswith(f"\nSee [[id:{one}][messages]].\n")
    assert not gone.exists()
    assert notes.read_text() == f"- ai-kb: Commit style ({one})\n- ai-kb: Other ({three})\n"
    assert kb.changes == ""
    assert kb.ok("lint").out == "sound\n"


def test_a_merge_may_have_a_text_of_its_own(kb: Repository) -> None:
    one, two = kb.remember("Commit style"), kb.remember("Messages in general")
    kb.ok("merge", one, two, "--body", "-", "--yes", input="All of it, anew.\n")
    assert kb.text(one).endswith("\n\nAll of it, anew.\n")


def test_a_superseded_node_stays_and_its_links_lead_to_the_new_one(kb: Repository) -> None:
    old, new = kb.remember("Old style"), kb.remember("Modern habits")
    other = kb.remember("Review", "How reviews go.", body=link(old))
    named = kb.remember("Onboarding", "What newcomers read.", body=link(old, "Old style"))
    kb.ok("supersede", old, new, "--yes")
    assert kb.text(named).endswith(link(new, "Modern habits"))
    assert ":STATUS: superseded\n" in kb.text(old)
    assert kb.text(new).endswith(f"\nSUPERSEDES [[id:{old}][Old style]]\n")
    assert kb.text(other).endswith(link(new))
    assert "Superseded" in (kb.root / "index.org").read_text()


def test_a_node_that_is_linked_to_is_not_deleted_unnoticed(kb: Repository) -> None:
    one = kb.remember("Commit style")
    two = kb.remember("Review", "How reviews go.", body=link(one, "style"))
    three = kb.remember("Something else entirely")
    ran = kb.run("delete", one, "--yes", "--json")
    assert ran.status == 4
    assert kb.node(two).name in ran.error["message"]
    kb.ok("delete", one, "--repoint", three, "--yes")
    assert kb.text(two).endswith(link(three, "style"))
    kb.ok("delete", three, "--unlink", "--yes")
    assert kb.text(two).endswith("See style.\n")
    assert kb.ok("lint").out == "sound\n"
    assert kb.ok("status", "--json").json["nodes"] == 1


def test_a_capture_is_deleted_unless_a_node_rests_on_it(kb: Repository) -> None:
    path = kb.ok("capture", "https://example.org", "--excerpt", "Words.").out.strip()
    id = kb.remember("Words", "It says so.", "--source", path)
    assert kb.run("delete", path, "--yes").status == 4
    kb.ok("delete", id, "--yes")
    kb.ok("delete", path, "--yes")
    assert not (kb.root / path).exists()
    assert kb.run("delete", "raw/../index.org", "--yes").status == 3


def test_a_contest_is_resolved_for_one_side(kb: Repository) -> None:
    tabs, spaces = kb.remember("Indent by tabs"), kb.remember("Blanks are what indents")
    other = kb.remember("Editor", "How it is set up.", body=link(tabs))
    kb.ok("contest", tabs, spaces, "--yes")
    assert all(":STATUS: contested\n" in kb.text(id) for id in (tabs, spaces))
    assert "contested" in kb.ok("curate").out
    kb.ok("resolve", spaces, "--yes")
    assert ":STATUS: current\n" in kb.text(spaces)
    assert ":STATUS: superseded\n" in kb.text(tabs)
    assert "CONTRADICTS" not in kb.text(tabs) + kb.text(spaces)
    assert f"SUPERSEDES [[id:{tabs}]" in kb.text(spaces)
    assert kb.text(other).endswith(link(spaces))
    assert kb.ok("lint").out == "sound\n"
    assert kb.run("resolve", spaces, "--yes").status == 4


def test_a_contest_may_have_been_none(kb: Repository) -> None:
    one, two = kb.remember("Indent by tabs"), kb.remember("Blanks are what indents")
    kb.ok("contest", one, two, "--yes")
    kb.ok("resolve", one, "--both", "--yes")
    assert all(":STATUS: current\n" in kb.text(id) for id in (one, two))
    assert "CONTRADICTS" not in kb.text(one) + kb.text(two)
    assert f"RELATES_TO [[id:{two}]" in kb.text(one)


def test_a_section_becomes_a_node(kb: Repository) -> None:
    body = "Intro.\n* Signing\nKeys are on a card. They never leave it.\n** Details\nMore.\n* Other\nRest.\n"
    id = kb.remember("Git habits", "What is usual.", "--tag", "git", body=body)
    new = kb.ok("split", id, "--at", "signing", "--yes", "--json").json["ids"][-1]
    assert "Signing" not in kb.text(id).replace(f"[[id:{new}][Signing]]", "")
    assert "Intro.\n\n* Other\nRest.\n" in kb.text(id)
    assert kb.text(id).endswith(f"RELATES_TO [[id:{new}][Signing]]\n")
    told = kb.ok("show", new, "--json").json
    assert (told["title"], told["summary"]) == ("Signing", "Keys are on a card.")
    assert "** Details\nMore.\n" in told["body"]
    assert told["links"][0]["label"] == "DERIVED_FROM"
    assert kb.ok("lint").out == "sound\n"
    assert kb.run("split", id, "--at", "Nothing", "--yes").status == 3


def test_a_split_leaves_relations_where_they_belong(kb: Repository) -> None:
    """Those of the whole stay with it, those of the section go along, and links to it follow."""
    whole, part, inner = (
        kb.remember("Release day"),
        kb.remember("Smart cards"),
        "11111111-1111-4111-8111-111111111111",
    )
    body = (
        f"Intro.\n* Signing\n:PROPERTIES:\n:ID: {inner}\n:END:\nKeys are on a card.\n"
        f"IMPLEMENTS [[id:{part}][Smart cards]]\nThey stay.\n"
    )
    id = kb.remember("Git habits", "What is usual.", "--relate", f"SUPERSEDES:{whole}", body=body)
    other = kb.remember("Keys", "What opens what.", body=f"See [[id:{inner}][signing]].")
    assert kb.text(id).endswith(f"They stay.\n\nSUPERSEDES [[id:{whole}][Release day]]\n")
    ran = kb.ok("split", id, "--at", "Signing", "--yes", "--json").json
    assert ran["ids"] == [id, inner]
    left = f"Intro.\n\nSUPERSEDES [[id:{whole}][Release day]]\nRELATES_TO [[id:{inner}][Signing]]\n"
    assert kb.text(id).endswith(left)
    told = kb.ok("show", inner, "--json").json
    assert [each["label"] for each in told["links"]] == ["IMPLEMENTS", "DERIVED_FROM"]
    assert told["body"].strip().startswith("Keys are on a card.\nIMPLEMENTS")
    assert {each["id"] for each in kb.ok("backlinks", inner, "--json").json["backlinks"]} == {id, other}
    assert kb.ok("lint").out == "sound\n"


@pytest.mark.parametrize(
    "words",
    [
        ["merge", "One", "Two"],
        ["split", "One", "--at", "Part"],
        ["supersede", "One", "Two"],
        ["delete", "One"],
        ["contest", "One", "Two"],
        ["resolve", "One"],
    ],
)
def test_an_agent_cannot_decide_for_a_person(kb: Repository, words: list[str]) -> None:
    kb.remember("One", "The first.", body="* Part\nText.\n")
    kb.remember("Two", "Something quite different.")
    before = kb.now()
    ran = kb.run(*words, "--json")
    assert ran.status == 2
    assert "a person" in ran.error["message"]
    assert "--yes" in ran.error["hint"]
    kb.untouched(before)


@pytest.mark.parametrize(
    "words", [["merge", "One", "One"], ["supersede", "One", "One"], ["contest", "One", "One"]]
)
def test_a_node_is_not_merged_with_itself(kb: Repository, words: list[str]) -> None:
    kb.remember("One")
    before = kb.now()
    assert kb.run(*words, "--yes").status == 2
    kb.untouched(before)


def test_titles_with_brackets_make_sound_links(kb: Repository) -> None:
    one, two = kb.remember("Arrays [in C]"), kb.remember("Pointers")
    kb.ok("supersede", one, two, "--yes")
    assert kb.text(two).endswith(f"SUPERSEDES [[id:{one}][Arrays (in C)]]\n")
    assert kb.ok("lint").out == "sound\n"


@pytest.mark.parametrize(("answer", "status"), [("y", 0), ("n", 2), ("", 2)])
def test_a_person_at_a_terminal_is_asked(kb: Repository, answer: str, status: int) -> None:
    kb.remember("Commit style")
    controlling, terminal = os.openpty()
    command = [sys.executable, "-m", "quaid.cli.ai_kb", "--kb", kb.root, "delete", "Commit style"]
    process = subprocess.Popen(command, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.write(controlling, answer.encode() + b"\n")
    _, err = process.communicate(timeout=PATIENCE)
    os.close(terminal)
    os.close(controlling)
    assert process.returncode == status
    assert "Delete “Commit style”? [y/N]" in err.decode()
    assert kb.ok("status", "--json").json["nodes"] == (0 if answer == "y" else 1)
