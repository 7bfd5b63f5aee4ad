"""The nodes as a list and as a map; what a dashboard is told; the editor that hears of a sync."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kb.nodes import text, uid, write
from tests.kb.repositories import Repository, World


@pytest.fixture
def three(kb: Repository) -> Repository:
    """Three nodes, one of which is contested and links to the others."""
    link = f"CONTRADICTS [[id:{uid(1)}][one]] [[id:{uid(2)}][two]] [[id:{uid(2)}][again]]"
    write(
        kb.root,
        text(1, title='Tabs "always"', updated="2026-06-03", projects=("emacs",)),
        text(2, title="Subjects", updated="2026-06-01", type="preference"),
        text(3, title="Never tabs", updated="2026-06-02", status="contested", body=link),
        indexed=False,
    )
    kb.ok("commit")
    return kb


def titles(kb: Repository, *words: str) -> list[str]:
    return [node["title"] for node in kb.ok("list", *words, "--json").json["nodes"]]


def test_nodes_are_listed_in_the_order_that_is_wanted(three: Repository) -> None:
    assert titles(three) == ["Never tabs", "Subjects", 'Tabs "always"']
    assert titles(three, "--sort", "updated", "--limit", "2") == ['Tabs "always"', "Never tabs"]
    assert titles(three, "--status", "contested") == ["Never tabs"]
    assert titles(three, "--project", "emacs") == ['Tabs "always"']
    assert titles(three, "--type", "preference") == ["Subjects"]
    node = three.ok("list", "--type", "preference", "--json").json["nodes"][0]
    assert (node["id"], node["path"], node["summary"]) == (uid(2), "n2.org", "What node 2 says.")
    none = three.run("list", "--tag", "zebra", "--json")
    assert (none.status, none.json["nodes"]) == (3, [])


def test_the_map_has_nodes_and_links_and_neither_index_nor_raw(three: Repository) -> None:
    drawn = three.ok("map", "--json").json
    assert {node["id"] for node in drawn["nodes"]} == {uid(1), uid(2), uid(3)}
    assert [(link["target"], link["label"]) for link in drawn["links"]] == [
        (uid(1), "CONTRADICTS"),
        (uid(2), ""),
    ]
    picture = three.ok("map").out
    assert {**three.ok("map", "--format", "json").json, "dot": picture.rstrip("\n")} == drawn
    assert f'"{uid(3)}" -> "{uid(1)}" [label="CONTRADICTS"];' in picture
    assert r'label="Tabs \"always\""' in picture
    assert f'URL="org-protocol://roam-node?node={uid(1)}"' in picture
    assert "->" not in three.ok("map", "--status", "current").out


def test_status_says_what_a_dashboard_shows(three: Repository) -> None:
    three.git("remote", "add", "origin", "https://ada:hunter2@example.org/kb.git")
    now = three.ok("status", "--json").json
    assert now["recent"] == [uid(1), uid(3), uid(2)]
    assert now["contested_ids"] == [uid(3)]
    assert now["timer"] is False
    assert "example.org/kb.git" in now["remote"]
    assert "hunter2" not in now["remote"]
    assert Path(now["memory"]).is_file()


def test_the_package_of_emacs_is_where_it_says(kb: Repository) -> None:
    place = Path(kb.ok("emacs").out.strip())
    assert (place / "ai-kb.el").is_file()
    assert "ai-kb.el" in kb.ok("emacs", "--json").json["files"]


def test_a_running_emacs_hears_of_files_that_came(
    world: World, shared: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = world.clone("there")
    there.remember("From there")
    there.ok("push")
    programs = tmp_path / "programs"
    programs.mkdir()
    client = programs / "emacsclient"
    client.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {tmp_path}/heard\necho t\n')
    client.chmod(0o755)
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    shared.ok("sync")
    heard = (tmp_path / "heard").read_text()
    assert f'(ai-kb-files-changed "{shared.root}")' in heard
    shared.ok("sync")  # nothing came
    assert (tmp_path / "heard").read_text() == heard
