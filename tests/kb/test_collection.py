"""A knowledge base that is attached to a memory: its nodes are pages. See test_gate.py for writing."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.app import App
from quaid.errors import Corrupt
from quaid.kb import index
from quaid.kb.node import is_node
from quaid.vault import folder
from tests.kb.nodes import text, uid, write
from tests.support import call, found


@pytest.fixture
def kb(app: App, tmp_path: Path) -> Path:
    """A knowledge base, attached as the collection kb."""
    root = write(
        tmp_path / "kb",
        text(1, title="Use tabs", type="preference", projects=("emacs",), status="contested"),
        text(
            2, title="Use spaces", body=f"CONTRADICTS [[id:{uid(1)}][tabs]], see [[id:{uid(3)}][the file]]."
        ),
        text(3, title="The walrus", body="Odobenus lives here.", source="raw/walrus.org"),
        README=text(90, title="Read me"),
        AGENT_CONTRACT="#+title: Contract\n",
    )
    (root / "raw").mkdir()
    (root / "raw" / "walrus.org").write_text("#+title: Raw walrus\n\nOdobenus in full.\n")
    call(app, "collection add", name="kb", folder=str(root), profile="kb")
    return root


@pytest.mark.usefixtures("kb")
def test_nodes_are_pages_and_nothing_else_is(app: App) -> None:
    listed = call(app, "list", collection="kb")["pages"]
    assert sorted(page["slug"] for page in listed) == ["n1", "n2", "n3"]
    assert found(app, "odobenus") == ["n3"]
    page = call(app, "get", slug="Use tabs")
    assert (page["summary"], page["tags"]) == ("What node 1 says.", ["preference"])
    assert page["frontmatter"]["status"] == "contested"
    assert page["frontmatter"]["projects"] == ":emacs:"


@pytest.mark.usefixtures("kb")
def test_labels_are_typed_links(app: App) -> None:
    links = {(link["to"], link["relationship"]) for link in call(app, "links", slug="n2")["links"]}
    assert links == {("n1", "contradicts"), ("n3", "mentions")}
    assert [link["from"] for link in call(app, "backlinks", slug="n1")["links"]] == ["n2"]


@pytest.mark.usefixtures("kb")
def test_an_id_finds_its_page(app: App) -> None:
    assert call(app, "get", slug=uid(3))["title"] == "The walrus"


def test_what_others_commit_is_seen(app: App, kb: Path) -> None:
    (kb / "n4.org").write_text(text(4, title="A seal"))
    index.write(kb)
    assert found(app, "seal") == ["n4"]


@pytest.mark.usefixtures("kb")
def test_what_is_not_in_git_cannot_be_written(app: App) -> None:
    for name, values in {
        "put": {"slug": "kb::n1", "content": "# x\n"},
        "tag": {"slug": "kb::n1", "tag": "x"},
        "rm": {"slug": "kb::n1"},
    }.items():
        with pytest.raises(Corrupt, match="not in git"):
            call(app, name, **values)


PATHS = """n1.org a/README.org README.org AGENT_CONTRACT.org index.org index-a.org a/index-b.org raw/x.org
a/raw/x.org myindex.org rawer/x.org"""


@pytest.mark.parametrize("path", PATHS.split())
def test_both_ways_of_reading_agree_on_what_a_node_is(path: str, tmp_path: Path) -> None:
    assert folder.leaves_out(tmp_path, path, folder.LEFT_OUT["kb"]) is not is_node(path)
