"""Notion's export: names without ids, links that follow, properties, databases."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaid.foreign.importers.notion import Notion, looks_like, split_properties
from quaid.formats.content import read_page
from tests.foreign.importers.support import drafts

HOME, TASKS, ONE, TWO, THREE = (digit * 32 for digit in "abc12")
EXPORT: dict[str, str | bytes] = {
    f"Home {HOME}.md": (
        "# Home\n\nNote: this line is no property.\n\n"
        f"[Tasks](Home%20{HOME}/Tasks%20{TASKS}.csv) and "
        f"[Write (draft)](Home%20{HOME}/Tasks%20{TASKS}/Write%20(draft)%20{ONE}.md#part), "
        f"[by address](https://www.notion.so/Rest-{TWO}?pvs=4), "
        f"![image](Home%20{HOME}/picture.png), [out](https://example.org/{ONE}.md)\n"
    ),
    f"Home {HOME}/picture.png": b"\x89PNG",
    f"Home {HOME}/Tasks {TASKS}.csv": "\ufeffName,Status\nWrite (draft),Done\n",
    f"Home {HOME}/Tasks {TASKS}_all.csv": (
        '\ufeffName,Status,Tags,Due,id,Blocked by\nWrite (draft),Done,"a, b",2024,7,\nRest,"x | y\nz",,,,\n'
    ),
    f"Home {HOME}/Tasks {TASKS}/Write (draft) {ONE}.md": (
        "# Write (draft)\n\nStatus: Done\nTags: a, b\nDue: 2024\nid: 7\n"
        f"Blocked by: Rest (Rest%20{TWO}.md)\n\nBody: text\n\n[home](../../Home%20{HOME}.md)\n"
    ),
    f"Home {HOME}/Tasks {TASKS}/Rest {TWO}.md": "# Rest\n",
    f"Home {HOME}/Untitled {THREE}.md": "",
    f"Home {HOME}/Untitled {'3' * 32}.md": "---\n",
}


def test_pages_have_names_without_ids() -> None:
    assert sorted(drafts(Notion, EXPORT)) == [
        "Home.md",
        "Home/Tasks.md",
        "Home/Tasks/Rest.md",
        "Home/Tasks/Write (draft).md",
        "Home/Untitled 33333333.md",
        "Home/Untitled.md",
    ]


def test_links_between_pages_follow_and_others_stay() -> None:
    text = drafts(Notion, EXPORT)["Home.md"].text
    assert text == (
        f"---\nnotion_id: {HOME}\n---\n# Home\n\nNote: this line is no property.\n\n"
        "[Tasks](Home/Tasks.md) and [Write (draft)](Home/Tasks/Write%20%28draft%29.md#part), "
        "[by address](Home/Tasks/Rest.md), "
        f"![image](Home%20{HOME}/picture.png), [out](https://example.org/{ONE}.md)\n"
    )
    page = read_page(text, "home", path="Home.md")
    assert [each.target for each in page.references][:2] == ["Home/Tasks", "Home/Tasks/Write (draft)"]


def test_properties_become_frontmatter() -> None:
    text = drafts(Notion, EXPORT)["Home/Tasks/Write (draft).md"].text
    page = read_page(text, "a")
    assert page.frontmatter == {
        "notion_id": ONE,
        "Status": "Done",
        "tags": ["a", "b"],
        "Due": 2024,
        "Id": 7,
        "Blocked by": "Rest (Rest.md)",
    }
    assert page.truth == "# Write (draft)\n\nBody: text\n\n[home](../../Home.md)\n"


def test_a_database_is_a_table_that_leads_to_its_pages() -> None:
    text = drafts(Notion, EXPORT)["Home/Tasks.md"].text
    assert text == (
        f"---\nnotion_id: {TASKS}\n---\n# Tasks\n\n"
        "| Name | Status | Tags | Due | id | Blocked by |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        "| [Write (draft)](Tasks/Write%20%28draft%29.md) | Done | a, b | 2024 | 7 |  |\n"
        "| [Rest](Tasks/Rest.md) | x \\| y<br>z |  |  |  |  |\n"
    )


def test_a_property_may_have_several_lines() -> None:
    text, stated = split_properties("# A\n\nNotes: one\ntwo\nStatus: x\n", ("Notes", "Status"))
    assert (text, stated) == ("# A\n", {"Notes": "one\ntwo", "Status": "x"})


def test_an_export_is_recognised_by_its_names() -> None:
    assert looks_like(EXPORT)
    assert not looks_like(["a.md", "b.md", f"c {ONE}.md"])
    assert not looks_like([])


@given(st.text(max_size=80), st.lists(st.text(max_size=6), max_size=3))
def test_no_word_is_lost_among_properties(text: str, columns: list[str]) -> None:
    whole = f"# A\n\n{text}"
    rest, stated = split_properties(whole, columns)
    kept = rest + "".join(f"{name}:{value}" for name, value in stated.items())
    assert sorted("".join(kept.split())) == sorted("".join(whole.split()))


@given(st.binary(max_size=200), st.text(max_size=30))
def test_nothing_in_an_export_makes_it_fail(data: bytes, name: str) -> None:
    names = [f"{name} {ONE}.md", f"{name} {TASKS}.csv", f"{name}/{name}.md"]
    drafts(Notion, dict.fromkeys(names, data))
