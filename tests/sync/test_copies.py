"""Which files are copies that programs for synchronising folders have left, and which only look so."""

from __future__ import annotations

import pytest

from quaid.sync.copies import Copy, copies, is_copy_of, numbered_copies

NAMED = [
    "bob.sync-conflict-20260102-101112-ABCDEFG.md",
    "bob.sync-conflict-20260102-101112.md",
    "bob (Anna's conflicted copy 2026-01-02).md",
    "bob (Anna's conflicted copy 2026-01-02 (1)).md",
    "bob (conflicted copy 2026-01-02 101112).md",
    "bob (Conflicted copy laptop 202601021011).md",
    "bob (In Konflikt stehende Kopie von Anna 2026-01-02).md",
    "bob (Copie en conflit de Anna 2026-01-02).md",
    "bob (Case Conflict).md",
    "bob_conflict-20260102-101112.md",
    "bob (SFConflict anna@example.org 2026-01-02-10-11-12).md",
    "bob_nas_Jan-02-101112-2026_Conflict.md",
    "bob [conflicted].md",
    "bob.Conflict.md",
]


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("folder", ["", "people/"])
def test_a_copy_is_known_by_its_name_beside_the_page(folder: str, name: str) -> None:
    paths = {f"{folder}{name}", f"{folder}bob.md", "elsewhere/bob.md"}
    assert copies(paths) == (Copy(f"{folder}{name}", f"{folder}bob.md"),)
    assert copies({f"{folder}{name}", f"{folder}bob.org"}) == ()


@pytest.mark.parametrize("name", ["bob 2.md", "bob 12.md", "bob (1).md", "bob(2).md"])
def test_a_number_makes_a_candidate(name: str) -> None:
    assert numbered_copies({name, "bob.md"}) == (Copy(name, "bob.md"),)
    assert copies({name, "bob.md"}) == ()


@pytest.mark.parametrize(
    "name", ["bob 1.md", "bob2.md", "bob 2026.md", "bob-2.md", "bob (2026).md", "bob two.md"]
)
def test_what_is_no_number_of_a_program_is_none(name: str) -> None:
    assert numbered_copies({name, "bob.md"}) == ()


STORY = "# {0}\n\nIt was dark.\nThe wind blew.\nNobody spoke.\n{1}\n"
TEMPLATE = "# Meeting\n\n## Who\n\n- {0}\n\n## What\n\n{1}\n\n## Next\n\n- \n"


@pytest.mark.parametrize(
    ("text", "original", "expected"),
    [
        pytest.param(STORY.format("Tea", "Ada left."), STORY.format("Tea", "Bob came."), True, id="edited"),
        pytest.param("It was dark.\n", "It was dark.\n", True, id="the same"),
        pytest.param(
            STORY.format("Tea", "End.").replace("dark", "light"),
            STORY.format("Tea", "End.").replace("Nobody", "Nobody at all"),
            False,
            id="begins otherwise, half of it is other",
        ),
        pytest.param(
            STORY.format("Chapter 2", "Ada left."),
            STORY.format("Chapter", "Bob came."),
            False,
            id="a chapter",
        ),
        pytest.param(
            TEMPLATE.format("Ada", "The budget."),
            TEMPLATE.format("Bob", "The party."),
            False,
            id="a template",
        ),
        pytest.param("# Log\n", "# Log\n", False, id="says nothing"),
        pytest.param("---\nid: x1\n---\nOne.\n", "---\nid: x1\n---\nTwo.\n", True, id="one identity"),
        pytest.param("---\nid: x1\n---\nOne.\n", "---\nid: x2\n---\nOne.\n", False, id="two identities"),
    ],
)
def test_what_a_numbered_file_says_decides(text: str, original: str, expected: bool) -> None:
    assert is_copy_of("page 2.md", text, original) is expected
    assert is_copy_of("page 2.md", original, text) is expected
