"""What the knowledge base and the engine once read differently has one answer, on both command lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.app import App
from quaid.errors import NotFound
from tests.kb.nodes import text, uid, write
from tests.support import call, quick

TO_ONE = f"[[id:{uid(1)}]"
LINKS = {
    "a label with two colons": (f"- CONTRADICTS:: {TO_ONE}[one]]", "contradicts"),
    "a label": (f"CONTRADICTS {TO_ONE}[one]]", "contradicts"),
    "code in a description": (f"See {TO_ONE}[a ~code~ b]].", "mentions"),
    "bold in a description": (f"See {TO_ONE}[a *bold* b]].", "mentions"),
    "no description": (f"See {TO_ONE}].", "mentions"),
    "verbatim": (f"See ={TO_ONE}]=.", None),
}
# An id is read where org's own pattern of a drawer fits, and lost elsewhere: a space must follow each name.
DRAWERS = {
    "as it is written": (":ID: ", ":ID: ", True),
    "a tab before a name": (":ID: ", "\t:ID: ", True),
    "a tab behind a name": (":ID: ", ":ID:\t", False),
    "a tab behind another name": (":STATUS: ", ":STATUS:\t", False),
    "a comment behind the first line": (":PROPERTIES:", ":PROPERTIES: ; who and when", False),
    "a comment among the lines": (":ID: ", "; who and when\n:ID: ", False),
}


def base(tmp_path: Path, app: App, *texts: str) -> Path:
    root = write(tmp_path / "kb", *texts, indexed=False)
    call(app, "collection add", name="kb", folder=str(root), profile="kb")
    return root


@pytest.mark.parametrize("name", LINKS)
def test_a_link_is_what_it_is_for_both(name: str, app: App, tmp_path: Path) -> None:
    body, relationship = LINKS[name]
    root = base(tmp_path, app, text(1, title="One"), text(2, title="Two", body=body))
    links = [(each["to"], each["relationship"]) for each in call(app, "links", slug="n2")["links"]]
    assert links == ([("n1", relationship)] if relationship else [])
    ran = quick("kb", "backlinks", uid(1), "--kb", str(root), "--json")
    label = "" if relationship == "mentions" else (relationship or "").upper()
    found = [(each["id"], each["label"]) for each in ran.json["backlinks"]] if ran.status == 0 else []
    assert found == ([(uid(2), label)] if relationship else [])


@pytest.mark.parametrize("name", DRAWERS)
def test_a_drawer_is_read_by_both_or_by_neither(name: str, app: App, tmp_path: Path) -> None:
    before, after, is_read = DRAWERS[name]
    root = base(tmp_path, app, text(1, title="One").replace(before, after, 1))
    assert (quick("kb", "show", uid(1), "--kb", str(root)).status == 0) is is_read
    if is_read:
        assert call(app, "get", slug=uid(1))["title"] == "One"
    else:
        with pytest.raises(NotFound):
            call(app, "get", slug=uid(1))
