"""What lint finds, and that the command that it names puts it right."""

from __future__ import annotations

import os
import shlex
import time
from pathlib import Path
from typing import Any

from quaid import operations
from quaid.app import App
from quaid.operations.lint import KINDS, LINT
from quaid.operations.text import Style
from tests.support import Clock, call, open_memory, quick

DAY = 24 * 3600


def put(app: App, slug: str, content: str) -> None:
    call(app, "put", slug=slug, content=content)


def findings(app: App, kind: str, **values: Any) -> list[dict[str, Any]]:
    return list(call(app, "lint", kind=kind, **values)["findings"])


def subjects(app: App, kind: str, **values: Any) -> list[str]:
    return [each["subject"] for each in findings(app, kind, **values)]


def run_fix(app: App, fix: str) -> None:
    """Do what a finding says."""
    for command in fix.split(" && "):
        ran = quick(*shlex.split(command)[1:], db=app.store.path)
        assert ran.status == 0, ran.err


def test_nothing_is_wrong_with_an_empty_memory(app: App) -> None:
    assert call(app, "lint") == {"counts": dict.fromkeys(KINDS, 0), "findings": []}
    ran = quick("lint", db=app.store.path)
    assert (ran.status, ran.out) == (0, "Nothing to put right.\n")


def test_orphans_are_pages_to_which_no_other_links(app: App) -> None:
    put(app, "a", "[[b]] [[a]]\n")
    put(app, "b", "Bee\n")
    put(app, "journal/2026-04-14", "Day\n")
    put(app, "actions/call", "---\ndue: 2026-05-01\n---\nCall\n")
    assert subjects(app, "orphans") == ["a"]
    call(app, "link", **{"from": "b", "to": "a", "valid_from": "2020", "valid_until": "2021"})
    assert subjects(app, "orphans") == ["a"]
    call(app, "link", **{"from": "b", "to": "a", "valid_from": "2026"})
    assert subjects(app, "orphans") == []


def test_an_orphan_that_somebody_names_can_be_linked_at_once(app: App) -> None:
    put(app, "people/alice", "# Alice Example\n[[notes]]\n")
    put(app, "notes", "Alice Example came.\n")
    orphan = next(each for each in call(app, "lint")["findings"] if each["kind"] == "orphans")
    assert orphan["fix"] == "quaid link notes people/alice"
    run_fix(app, orphan["fix"])
    assert sum(call(app, "lint")["counts"].values()) == 0


def test_a_page_that_is_named_and_not_linked(app: App) -> None:
    put(app, "people/alice", "---\naliases: [Ally Ex]\n---\n# Alice Example\n")
    put(app, "x", "---\ntitle: X\n---\n\nI met Ally Ex.\n")
    put(app, "y", "I met [[people/alice|Alice Example]].\n")
    (found,) = findings(app, "mentions")
    assert (found["subject"], found["line"]) == ("x", 5)
    assert found["fix"] == "quaid link x people/alice"
    run_fix(app, found["fix"])
    assert findings(app, "mentions") == []


def test_a_link_that_leads_nowhere_can_be_given_a_page(app: App) -> None:
    put(app, "a", "[[People/Carol Doe]] and [[交换机]]\n")
    put(app, "b", "[[people/carol-doe]]\n")
    carol, other = findings(app, "links")
    assert (carol["subject"], carol["fix"]) == ("a", "quaid new person people/carol-doe")
    assert "1 other page" in carol["message"]
    assert other["fix"].startswith("quaid new concept jiaohuanji --title ")
    for each in (carol, other):
        run_fix(app, each["fix"])
    assert findings(app, "links") == []


def test_a_misspelt_link_is_recognised(app: App) -> None:
    put(app, "people/alice-example", "# Alice Example\n")
    put(app, "a", "[[people/alcie-example]]\n")
    (found,) = findings(app, "links")
    assert "did you mean people/alice-example?" in found["message"]
    assert found["fix"] == "edit a: write people/alice-example for people/alcie-example"


def test_a_removed_page_can_be_restored(app: App) -> None:
    put(app, "a", "[[b]]\n")
    put(app, "b", "Bee\n")
    call(app, "rm", slug="b")
    (found,) = findings(app, "links")
    assert found["fix"] == "quaid restore b"
    run_fix(app, found["fix"])
    assert findings(app, "links") == []


def test_tags_that_are_nearly_the_same_become_one(app: App) -> None:
    put(app, "a", "---\ntags: [Book, founder]\n---\nA\n")
    put(app, "b", "---\ntags: [books]\n---\nB\n")
    put(app, "c", "---\ntags: [books]\n---\nC\n")
    (found,) = findings(app, "tags")
    assert (found["subject"], found["fix"]) == ("Book", "quaid untag a Book && quaid tag a books")
    run_fix(app, found["fix"])
    assert findings(app, "tags") == []
    assert call(app, "tags")["counts"] == {"books": 3, "founder": 1}


def test_a_tag_of_many_pages_is_changed_by_a_loop(app: App) -> None:
    for number in range(8):
        put(app, f"p{number}", f"---\ntags: [{'todos' if number < 2 else 'todo'}]\n---\nA\n")
    for number in range(20):
        put(app, f"q{number}", "---\ntags: [to-do]\n---\nA\n")
    loops = {each["subject"]: each["fix"] for each in findings(app, "tags")}
    assert loops["todos"] == ("for page in p0 p1; do quaid untag $page todos && quaid tag $page to-do; done")
    assert loops["todo"].startswith("quaid list --tag todo --limit ")


def test_open_threads_are_old_when_their_page_rests(app: App, clock: Clock) -> None:
    put(app, "a", "---\ntitle: A\n---\n# A\n\n- [ ] Ask Bob\n- [x] Done\n")
    put(app, "b", "- [ ] [A question or a next step]\n")
    put(app, "c", "- [ ] Was due 2026-02-01\n")
    put(app, "d", "- 2026-01-05: nothing\n\n---\n\n- 2026-01-05 — TODO: call\n- 2026-01-06 — Open: write\n")
    put(app, "actions/x", "---\nstatus: open\n---\nX\n")
    assert [each["subject"] for each in findings(app, "threads")] == ["c", "d", "d"]
    clock.tick(31 * DAY)
    found = findings(app, "threads")
    assert [each["subject"] for each in found] == ["a", "c", "d", "d", "actions/x"]
    assert (found[0]["line"], found[0]["message"]) == (6, "1 open item since 2026-04-14: Ask Bob")
    for each in found[2:]:
        run_fix(app, each["fix"])
    assert subjects(app, "threads") == ["a", "c"]


def test_a_task_with_news_is_not_old(app: App, clock: Clock) -> None:
    put(app, "actions/x", "---\nstatus: open\n---\nX\n")
    put(app, "actions/y", "---\nstatus: done\n---\nY\n")
    clock.tick(31 * DAY)
    call(app, "timeline-add", slug="actions/x", date="2026-05-14", summary="Asked")
    assert subjects(app, "threads") == []


def test_a_folder_that_was_attached_is_as_old_as_its_files(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    for name, age in (("old", 90), ("new", 0)):
        file = tmp_path / "vault" / f"{name}.md"
        file.write_text(f"- [ ] {name} thing\n")
        os.utime(file, (time.time() - age * DAY,) * 2)
    app = open_memory(tmp_path / "memory.db")
    call(app, "collection add", name="notes", folder=str(tmp_path / "vault"))
    assert subjects(app, "threads") == ["old"]
    app.store.close()


def test_one_page_alone(app: App) -> None:
    put(app, "people/alice", "# Alice Example\n")
    put(app, "x", "Alice Example [[nowhere]]\n")
    put(app, "y", "Alice Example [[nothing]]\n")
    counts = call(app, "lint", slug="x")["counts"]
    assert counts == {"orphans": 1, "links": 1, "mentions": 1, "tags": 0, "threads": 0}
    assert {each["subject"] for each in call(app, "lint", slug="x")["findings"]} == {"x"}


def test_a_limit_does_not_hide_the_count(app: App) -> None:
    for number in range(5):
        put(app, f"p{number}", f"[[nowhere-{number}]]\n")
    ran = quick("lint", "--kind", "links", "--limit", "2", db=app.store.path)
    assert ran.status == 11
    assert ran.out.startswith("5 links that lead nowhere\n")
    assert ran.out.endswith("  … and 3 more; --limit shows more\n")
    assert quick("lint", "--limit", "0", db=app.store.path).status == 11


def test_pages_of_several_collections_are_named_in_full(tmp_path: Path, app: App) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "same.md").write_text("Text\n")
    put(app, "same", "Text\n")
    call(app, "collection add", name="notes", folder=str(tmp_path / "vault"))
    assert sorted(subjects(app, "orphans")) == ["default::same", "notes::same"]


def test_what_pages_say_cannot_command_a_terminal(app: App) -> None:
    put(
        app,
        "a",
        "---\ntags: ['b\x1b[31mooks', books]\n---\n[[no\x1b[31mwhere]]\n\n- [ ] \x1b[2J open 2020-01-01\n",
    )
    result = operations.run(app, LINT, LINT.arguments())
    assert "\x1b" not in LINT.render(result, Style())


def test_the_help_says_what_it_is_not() -> None:
    assert "validate" in LINT.help
    assert "collection audit" in LINT.help
