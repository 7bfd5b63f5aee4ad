"""Versions of pages: listing them, comparing them, reading them, going back."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.app import App
from quaid.errors import Conflict, NotFound
from quaid.operations.history import DIFF
from quaid.operations.text import Style
from quaid.store import collections
from tests.support import Clock, call, quick, tool, version_of

FIRST = "# Alice\n\nA founder.\n"
SECOND = "# Alice\n\nA founder of RiverAI.\n\n---\n\n- 2024-01-15 — Founded RiverAI\n"


@pytest.fixture(params=["native", "files"])
def alice(request: pytest.FixtureRequest, app: App, tmp_path: Path, clock: Clock) -> str:
    """A page of two versions, in the memory or in a folder."""
    name = "people/alice"
    if request.param == "files":
        (tmp_path / "vault").mkdir()
        app.territory.annex(tmp_path / "vault")
        collections.insert(app.connection, "vault", str(tmp_path / "vault"), "vault")
        name = "vault::people/alice"
    call(app, "put", slug=name, content=FIRST)
    clock.tick(60)
    call(app, "put", slug=name, content=SECOND)
    return name


def text_of(app: App, slug: str, **values: int) -> str:
    return str(call(app, "get", slug=slug, **values)["content"])


def test_versions_are_listed_newest_first(app: App, alice: str) -> None:
    result = call(app, "history", slug=alice)
    assert (result["slug"], result["version"], result["more"]) == ("people/alice", 2, False)
    assert result["versions"] == [
        {
            "version": 2,
            "written_at": "2026-04-14T12:01:00Z",
            "bytes": len(SECOND.encode()),
            "added": 5,
            "removed": 1,
            "by": "program",
        },
        {
            "version": 1,
            "written_at": "2026-04-14T12:00:00Z",
            "replaced_at": "2026-04-14T12:01:00Z",
            "bytes": len(FIRST.encode()),
            "by": "program",
        },
    ]


def test_a_limit_leaves_older_ones_out(app: App, alice: str) -> None:
    result = call(app, "history", slug=alice, limit=1)
    assert [each["version"] for each in result["versions"]] == [2]
    assert result["versions"][0]["added"] == 5
    assert result["more"]


def test_changes_of_each_part_are_versions(app: App, alice: str) -> None:
    call(app, "tag", slug=alice, tag="founder")
    call(app, "timeline-add", slug=alice, date="2025-02-03", summary="Moved")
    assert [each["version"] for each in call(app, "history", slug=alice)["versions"]] == [4, 3, 2, 1]


def test_an_old_version_is_read_to_the_character(app: App, alice: str) -> None:
    text = "\ufeff\r\n# Odd\x0c\u2028 text\r\nwithout an end"
    call(app, "put", slug=alice, content=text)
    call(app, "put", slug=alice, content="Other\n")
    assert text_of(app, alice, version=1) == FIRST
    assert text_of(app, alice, version=2) == SECOND
    assert text_of(app, alice, version=3) == text
    old = call(app, "get", slug=alice, version=1)
    assert (old["version"], old["replaced_at"]) == (1, "2026-04-14T12:01:00Z")
    assert "tags" not in old
    assert "tags" in call(app, "get", slug=alice, version=4)


@pytest.mark.parametrize("version", [3, 99])
def test_a_version_that_is_not_kept(app: App, alice: str, version: int) -> None:
    for name, values in (
        ("get", {"version": version}),
        ("diff", {"from": version}),
        ("diff", {"to": version}),
        ("revert", {"to": version}),
    ):
        with pytest.raises(NotFound, match=f"version {version} of people/alice is not kept"):
            call(app, name, slug=alice, **values)


def test_a_removed_page_has_its_past(app: App, alice: str) -> None:
    call(app, "rm", slug=alice)
    with pytest.raises(NotFound):
        call(app, "history", slug=alice)
    found = call(app, "history", slug=alice, removed=True)
    assert [each["version"] for each in found["versions"]] == [3, 1]
    with pytest.raises(NotFound):
        call(app, "history", slug="people/bob", removed=True)


# Differences ----------------------------------------------------------------------------------------


def test_a_diff_is_unified(app: App, alice: str) -> None:
    result = call(app, "diff", slug=alice)
    assert (result["from"], result["to"], result["added"], result["removed"]) == (1, 2, 5, 1)
    assert result["diff"] == (
        "--- people/alice version 1\t2026-04-14T12:00:00Z\n"
        "+++ people/alice version 2\t2026-04-14T12:01:00Z\n"
        "@@ -1,3 +1,7 @@\n # Alice\n \n-A founder.\n+A founder of RiverAI.\n+\n+---\n+\n"
        "+- 2024-01-15 — Founded RiverAI\n"
    )
    assert result["notes"] == []


def test_any_two_versions_can_be_compared(app: App, alice: str) -> None:
    call(app, "put", slug=alice, content=FIRST)
    assert call(app, "diff", slug=alice, **{"from": 1})["diff"] == ""
    assert call(app, "diff", slug=alice)["from"] == 2
    assert call(app, "diff", slug=alice, to=2)["from"] == 1
    backwards = call(app, "diff", slug=alice, **{"from": 2, "to": 1})
    assert (backwards["added"], backwards["removed"]) == (1, 5)


def test_a_new_page_has_nothing_to_compare(app: App) -> None:
    call(app, "put", slug="a", content="x")
    with pytest.raises(NotFound, match="nothing earlier"):
        call(app, "diff", slug="a")
    with pytest.raises(NotFound, match="nothing earlier"):
        call(app, "revert", slug="a")


def test_lines_end_at_line_feeds_and_a_missing_one_is_said(app: App) -> None:
    call(app, "put", slug="a", content="one\u2028two\n")
    call(app, "put", slug="a", content="one\u2028two")
    lines = call(app, "diff", slug="a")["diff"].split("\n")
    assert lines[3:] == ["-one\u2028two", "+one\u2028two", "\\ No newline at end of file", ""]


def test_what_lines_do_not_show_is_said(app: App) -> None:
    collection = app.collection()
    collection.put("a", "café\n", "cp1252")
    collection.put("a", "café\n", "utf-8")
    result = call(app, "diff", slug="a")
    assert (result["diff"], result["notes"]) == ("", ["The encoding changed from cp1252 to utf-8."])
    assert call(app, "history", slug="a")["versions"][0]["encoding"] == "utf-8"
    collection.put("a", "café\r\n", "utf-8")
    assert call(app, "diff", slug="a")["notes"] == ["Only line endings changed."]


def test_colours_are_for_terminals_and_texts_cannot_command_them(app: App) -> None:
    call(app, "put", slug="a", content="old\n")
    call(app, "put", slug="a", content="new\x1b[2J\n")
    shown = quick("diff", "a", db=app.store.path).out
    assert "\n-old\n+new[2J\n" in shown
    assert "\x1b" not in shown
    result = DIFF.run(app, DIFF.arguments("a"))
    coloured = DIFF.render(result, Style(color=True))
    assert "\x1b[31m-old\x1b[0m\n\x1b[32m+new[2J\x1b[0m" in coloured


# Going back -----------------------------------------------------------------------------------------


def test_a_revert_is_a_new_version_of_the_old_text(app: App, alice: str, tmp_path: Path) -> None:
    result = call(app, "revert", slug=alice)
    assert result == {"slug": "people/alice", "version": 3, "to": 1, "changed": True, "problems": []}
    assert text_of(app, alice) == FIRST
    assert call(app, "timeline", slug=alice)["entries"] == []
    if alice.startswith("vault"):
        assert (tmp_path / "vault/people/alice.md").read_text() == FIRST
    assert text_of(app, alice, version=2) == SECOND


def test_another_revert_undoes_it(app: App, alice: str) -> None:
    call(app, "revert", slug=alice)
    assert call(app, "revert", slug=alice)["to"] == 2
    assert text_of(app, alice) == SECOND


def test_the_same_text_is_no_new_version(app: App, alice: str) -> None:
    assert call(app, "revert", slug=alice, to=2) == {
        "slug": "people/alice",
        "version": 2,
        "to": 2,
        "changed": False,
        "problems": [],
    }
    call(app, "put", slug=alice, content=FIRST)
    assert not call(app, "revert", slug=alice, to=1)["changed"]
    assert "unchanged" in quick("revert", alice, "--to", "1", db=app.store.path).out


def test_the_encoding_comes_back_too(app: App) -> None:
    app.collection().put("a", "café\n", "cp1252")
    app.collection().put("a", "学\n", "utf-8")
    call(app, "revert", slug="a")
    encoding = app.connection.execute("SELECT encoding FROM pages").fetchone()[0]
    assert (text_of(app, "a"), encoding) == ("café\n", "cp1252")


def test_a_stale_version_reverts_nothing(app: App, alice: str) -> None:
    with pytest.raises(Conflict) as caught:
        call(app, "revert", slug=alice, page_version=1)
    assert caught.value.data["current_version"] == 2
    assert version_of(app, alice) == 2
    assert tool(app, "memory_revert", slug=alice, page_version=2)["version"] == 3


def test_on_the_command_line(app: App, alice: str) -> None:
    db = app.store.path
    lines = quick("history", alice, db=db).out.splitlines()
    assert lines[0].split() == ["2", "2026-04-14T12:01:00Z", "now", "program", "70", "bytes", "+5", "-1"]
    assert lines[1].split()[:4] == ["1", "2026-04-14T12:00:00Z", "until", "2026-04-14T12:01:00Z"]
    assert quick("get", alice, "--version", "1", db=db).out == FIRST
    ran = quick("revert", alice, "--to", "1", "--page-version", "2", db=db)
    assert ran.out == "people/alice has the text of version 1 again, version 3\n"
