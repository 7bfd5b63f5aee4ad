"""`curate`: what a person should look at, found without changing anything."""

from __future__ import annotations

from pathlib import Path

from quaid.kb.base import Base, Rules
from quaid.kb.curate import curation, duplicates, orphans
from quaid.kb.due import DUE_EVERY, FIRST_DUE, is_due
from quaid.kb.facts import describe
from quaid.kb.node import parse
from quaid.kb.render import Draft, render
from quaid.store.nodes import NodeRow
from tests.kb.repositories import Repository

ID = "00000000-0000-4000-8000-{:012d}"


def node(number: int, title: str = "", summary: str = "", body: str = "", **more: str) -> NodeRow:
    draft = Draft(
        ID.format(number), title or f"Title {number}", summary or f"Summary {number}", body, source="chat",
        created=more.get("created", "2026-05-01"), status=more.get("status", "current"),
        updated=more.get("updated", ""),
    )  # fmt: skip
    text = render(draft)
    if "curated" in more:
        text = text.replace(":END:", f":LAST_CURATED: {more['curated']}\n:END:", 1)
    return describe(parse(text, f"{number}.org"), number, Rules())


def test_a_node_that_only_the_index_names_is_an_orphan(kb: Repository) -> None:
    one = kb.remember("Commit style")
    two = kb.remember("Review", "How reviews go.", body=f"[[id:{one}][style]]")
    alone = kb.remember("Something else entirely")
    assert alone in (kb.root / "index.org").read_text()
    report = kb.ok("curate", "--dry-run", "--json").json
    assert [each["id"] for each in report["orphans"]] == [alone]
    assert two not in str(report["orphans"])


def test_a_link_to_itself_or_to_nothing_is_none() -> None:
    nodes = [node(1, body=f"[[id:{ID.format(1)}][me]]"), node(2, body=f"[[id:{ID.format(9)}][gone]]")]
    assert [each.id for each in orphans(nodes)] == [ID.format(1), ID.format(2)]


def test_duplicates_are_found_by_their_words() -> None:
    nodes = [
        node(1, "Commit message style", "Subjects are short and in the imperative"),
        node(2, "Style of a commit message", "Subjects are short, in the imperative"),
        node(3, "Indent with tabs", "Always indent with tabs in Go"),
        node(4, "Indent with spaces", "Always indent with spaces in Go"),
        node(5, "Something else", "That has nothing to do with it"),
        node(6, "Commit message style", "Superseded long ago", status="superseded"),
    ]
    found = {(pair.one[-1], pair.other[-1], pair.kind) for pair in duplicates(nodes, lambda each: "")}
    assert found == {("1", "2", "duplicate"), ("3", "4", "contradiction")}


def test_many_nodes_are_compared_in_little_time() -> None:
    nodes = [
        node(number, f"Matter {number} of many", f"The thing {number} about word{number}")
        for number in range(3000)
    ]
    assert len(duplicates(nodes, lambda each: "")) == 0


def test_curation_is_due_at_150_nodes_and_after_every_50() -> None:
    nodes = [node(number) for number in range(FIRST_DUE - 1)]
    assert not is_due(nodes, "2026-05-10")
    nodes.append(node(FIRST_DUE))
    assert is_due(nodes, "2026-05-10")
    nodes[0] = node(0, curated="2026-05-10")
    assert not is_due(nodes, "2026-05-12")
    nodes += [node(1000 + number, created="2026-05-11") for number in range(DUE_EVERY - 1)]
    assert not is_due(nodes, "2026-05-12")
    nodes.append(node(2000, created="2026-05-11"))
    assert is_due(nodes, "2026-05-12")


def test_curation_is_due_when_50_have_gone_untouched_since_somebody_looked() -> None:
    old = [node(number, updated="2025-01-01") for number in range(FIRST_DUE)]  # they were so by then
    fresh = [node(1000 + number, updated="2026-05-01") for number in range(DUE_EVERY - 1)]
    nodes = [*old, *fresh, node(2000, updated="2026-05-01", curated="2026-05-10")]
    assert not is_due(nodes, "2026-10-29")
    nodes.append(node(3000, updated="2026-05-02"))
    assert not is_due(nodes, "2026-10-29")
    assert is_due(nodes, "2026-10-30")


def test_those_left_untouched_longest_come_first(tmp_path: Path) -> None:
    """A node of yesterday need not be looked at before one that was looked at a year ago."""
    days = {"of yesterday": ("2026-05-09", ""), "of last year": ("2025-01-01", "2025-05-01")}
    days["of old"] = ("2024-01-01", "")
    nodes = [
        node(number, title, updated=updated, **({"curated": curated} if curated else {}))
        for number, (title, (updated, curated)) in enumerate(days.items())
    ]
    base = Base(tmp_path, {row.path: "" for row in nodes}, {}, {}, (), {})
    found = curation(base, nodes, "2026-05-10")
    assert [each.title for each in found.next] == ["of old", "of last year", "of yesterday"]


def test_those_looked_at_longest_ago_come_first(kb: Repository) -> None:
    one, two = kb.remember("Commit style"), kb.remember("Something else entirely")
    assert [each["id"] for each in kb.ok("curate", "--json").json["next"]] == [one, two]
    kb.ok("curate", "--done", one[:8])
    assert ":LAST_CURATED: 20" in kb.text(one)
    assert [each["id"] for each in kb.ok("curate", "--json").json["next"]] == [two, one]
    assert kb.subjects()[0] == "Curate 1 node"
    assert kb.ok("curate", "--done", one).out == "stamped already\n"


def test_old_broad_and_contested_nodes_are_reported(kb: Repository) -> None:
    old = kb.remember("Old habit")
    path = kb.node(old)
    text = path.read_text()
    for name in ("CREATED", "UPDATED"):
        line = next(line for line in text.splitlines() if line.startswith(f":{name}:"))
        text = text.replace(line, f":{name}: 2020-01-01")
    path.write_text(text)
    kb.ok("commit")
    broad = kb.remember("A book", "All of it.", body="word " * 1_600)
    many = kb.remember("Sections", "Many of them.", body="".join(f"* Part {n}\nText.\n" for n in range(9)))
    against = kb.remember("New manner", "Something newer.", "--contest", old)
    report = kb.ok("curate", "--json").json
    # A node that was contested has been touched by that.
    assert report["stale"] == []
    assert {each["id"] for each in report["contested"]} == {old, against}
    assert {each["id"]: each["why"] for each in report["broad"]} == {broad: "1,600 words", many: "9 sections"}
    text = kb.ok("curate").out
    assert "too broad, `ai-kb split` (2):" in text


def test_untouched_nodes(kb: Repository) -> None:
    id = kb.remember("Old habit")
    assert kb.ok("curate", "--json").json["stale"] == []
    path = kb.node(id)
    text = path.read_text()
    today = kb.ok("show", id, "--json").json["properties"]["UPDATED"]
    path.write_text(text.replace(today, "2020-01-01"))
    kb.ok("commit")
    assert [each["why"] for each in kb.ok("curate", "--json").json["stale"]] == ["untouched since 2020-01-01"]
    kb.ok("curate", "--done", id)
    assert kb.ok("curate", "--json").json["stale"] == []


def test_captures_without_a_node_and_large_ones(kb: Repository, tmp_path: Path) -> None:
    used = kb.ok("capture", "https://example.org/a", "--excerpt", "Words.", "--title", "A").out.strip()
    source = tmp_path / "big.bin"
    source.write_bytes(b"\0" * 300_000)
    kept = kb.ok("capture", str(source), "--full", "--title", "Big", "--json").json
    kb.remember("Words", "It says so.", "--source", used)
    report = kb.ok("curate", "--json").json
    assert {each["path"] for each in report["raw_without_node"]} == {kept["path"], kept["file"]}
    assert [each["path"] for each in report["large_raw"]] == [kept["file"]]
    kb.remember("Bytes", "Nothing but zeros.", "--source", kept["path"])
    assert kb.ok("curate", "--json").json["raw_without_node"] == []


def test_it_changes_nothing(kb: Repository) -> None:
    kb.remember("Commit style")
    before = kb.now()
    kb.ok("curate")
    kb.untouched(before)
    assert kb.run("curate", "--done", "nothing like it").status == 3
