"""Questions by words: what is found, why, and in which order."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import Ambiguous, Corrupt, InvalidInput, NotFound
from quaid.kb import query
from quaid.kb.node import Node
from quaid.kb.query import Filters, answer
from tests.kb.nodes import kb_at, node, nodes_at, text, uid, write
from tests.kb.repositories import Repository


def search(nodes: Iterable[Node], text: str, filters: Filters | None = None) -> list[query.Hit]:
    """The nodes in which one of the words occurs, best first."""
    chosen, terms = filters or Filters(), query.words_of(text)
    matches = [match for each in nodes for match in query._matches_of_node(each, terms, chosen)]
    return list(query._best_hits(matches, chosen.limit))


def found(hits: list[query.Hit]) -> list[tuple[str, int]]:
    return [(hit.node.id[-2:].lstrip("0"), hit.score) for hit in hits]


def test_each_field_counts_once() -> None:
    everywhere = node(
        1,
        title="Lantern lantern",
        summary="A lantern, a lantern.",
        body="lantern " * 50,
        tags=("lantern",),
        projects=("lantern",),
    )
    (hit,) = search([everywhere], "lantern")
    assert hit.score == 100 + 50 + 50 + 20 + 5
    assert hit.reasons == (
        "matched-title",
        "matched-tag",
        "matched-project",
        "matched-summary",
        "matched-body",
    )


@pytest.mark.parametrize(
    ("changes", "score", "reason"),
    [
        ({"title": "The lantern"}, 100, "matched-title"),
        ({"tags": ("lantern",)}, 50, "matched-tag"),
        ({"projects": ("lantern",)}, 50, "matched-project"),
        ({"summary": "A lantern."}, 20, "matched-summary"),
        ({"body": "Lanterns."}, 5, "matched-body"),
        ({"source": "the lantern book"}, 5, "matched-body"),
    ],
)
def test_the_weight_of_a_field(changes: dict[str, object], score: int, reason: str) -> None:
    (hit,) = search([node(1, **changes), node(2)], "lantern")
    assert (hit.score, hit.reasons) == (score, (reason,))


def test_a_status_is_a_field_too() -> None:
    assert found(search([node(1, status="contested"), node(2)], "contested")) == [("1", 50)]


def test_an_old_preference_is_not_buried_under_new_mentions() -> None:
    some = [
        node(1, title="Formatter: ruff", created="2020-01-01"),
        *(node(n, body="formatter", created="2026-09-01") for n in range(2, 9)),
    ]
    assert found(search(some, "formatter"))[0] == ("1", 100)


def test_recency_breaks_ties_only() -> None:
    some = [
        node(1, body="river", created="2024-01-01"),
        node(2, body="river", created="2024-01-01", updated="2026-01-01"),
        node(3, body="river", created="2025-01-01"),
        node(4, summary="A river.", created="2019-01-01"),
        node(5, title="B", body="river", created="2024-01-01"),
    ]
    assert found(search(some, "river")) == [("4", 20), ("2", 5), ("3", 5), ("5", 5), ("1", 5)]


def test_words_that_say_nothing_are_left_out() -> None:
    some = [node(1, body="how to do it"), node(2, title="Release")]
    assert found(search(some, "how do I release it?")) == [("2", 100)]
    assert found(search(some, "how to")) == [("1", 5)]


def test_words_match_at_their_beginning() -> None:
    some = [node(1, title="Linting"), node(2, title="Splint"), node(3, title="Go"), node(4, title="Good")]
    assert found(search(some, "lint")) == [("1", 100)]
    assert found(search(some, "go")) == [("3", 100)]


def test_every_word_if_asked() -> None:
    some = [node(1, title="Git rebase"), node(2, title="Git merge"), node(3, title="x", body="rebase git")]
    assert len(search(some, "git rebase")) == 3
    assert found(search(some, "git rebase", Filters(every=True))) == [("1", 100), ("3", 5)]


def test_other_scripts_and_cases() -> None:
    some = [node(1, title="Straße nach Köln"), node(2, title="記憶の管理")]
    assert found(search(some, "STRASSE köln")) == [("1", 100)]
    assert found(search(some, "管理")) == [("2", 100)]
    assert found(search(some, "C++")) == []


def test_an_id_finds_its_node() -> None:
    assert found(search([node(1), node(2)], uid(2))) == [("2", 5)]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(project="emacs"), {"1", "4"}),
        (Filters(tag="git"), {"2"}),
        (Filters(type="procedure"), {"3"}),
        (Filters(status="contested"), {"4"}),
        (Filters(project="emacs", status="current"), {"1"}),
        (Filters(project="nothing"), set()),
    ],
)
def test_filters(filters: Filters, expected: set[str]) -> None:
    some = [
        node(1, body="river", projects=("emacs",)),
        node(2, body="river", tags=("git",)),
        node(3, body="river", type="procedure"),
        node(4, body="river", status="contested", projects=("general", "emacs")),
    ]
    assert {name for name, _ in found(search(some, "river", filters))} == expected


def test_there_is_a_limit(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", *(text(n, body="river") for n in range(1, 31)))
    reply = answer(kb_at(root), "river")
    assert (len(reply.hits), reply.total) == (10, 30)
    assert len(answer(kb_at(root), "river", Filters(limit=0)).hits) == 30
    assert len(answer(kb_at(root), "river", Filters(limit=3)).hits) == 3


def test_the_fields_of_an_answer(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1, title="River\tside", source="raw/a.org", tags=("water",)))
    (root / "raw").mkdir()
    (root / "raw" / "a.org").write_text(text(5, title="River of raw"))
    (hit,) = answer(kb_at(root), "river").hits
    assert json.loads(json.dumps(query.data(hit))) == {
        "title": "River side",
        "id": uid(1),
        "summary": "What node 1 says.",
        "projects": ["general"],
        "status": "current",
        "updated": "2026-05-24",
        "path": "n1.org",
        "match": ["matched-title"],
        "score": 100,
        "type": "principle",
        "tags": ["principle", "water"],
        "source": "raw/a.org",
    }
    assert query.line(hit) == (
        f"River side ({uid(1)}) | What node 1 says. | general | current | 2026-05-24 | n1.org | matched-title"
    )


def test_how_a_question_ends(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1, title="River"))
    assert answer(kb_at(root), "river").status == 0
    assert answer(kb_at(root), "volcano").status == NotFound.exit_status == 3
    with pytest.raises(Corrupt) as missing:
        answer(kb_at(tmp_path / "nowhere"), "river")
    assert missing.value.exit_status == 6
    with pytest.raises(InvalidInput):
        answer(kb_at(root), " ?! ")
    (root / "n2.org").write_text(text(2, title="River two"))
    stale = answer(kb_at(root), "river")
    assert stale.status == 11
    assert len(stale.hits) == 2
    assert "ai-kb index" in stale.notices[0]
    (root / "index.org").unlink()
    assert answer(kb_at(root), "river").status == 11


def test_a_broken_node_does_not_hide_the_others(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1, title="River"), "#+title: River without a drawer\n")
    (root / "n3.org").write_bytes(text(3, title="River").encode() + b"\xff\xfe\n")
    reply = answer(kb_at(root), "river")
    assert reply.status == 11
    assert [hit.node.path for hit in reply.hits if hit.node.id] == ["n1.org", "n3.org"]


def test_finding_a_node_by_a_name(tmp_path: Path) -> None:
    some = kb_at(
        write(
            tmp_path / "kb",
            text(1, id="aaaa1111-0000-4000-8000-000000000001", title="River"),
            text(2, id="aaaa2222-0000-4000-8000-000000000002", title="Lake (deep)"),
            text(3, id="bbbb3333-0000-4000-8000-000000000003", title="Riverside walk"),
        )
    ).nodes()

    def name(given: str) -> str:
        return some.find(given).path

    assert name("AAAA1111-0000-4000-8000-000000000001") == "n1.org"
    assert name("bbbb") == "n3.org"
    assert name("  river ") == "n1.org"
    assert name("lake (deep)") == "n2.org"
    assert name("n3") == name("./n3.org") == "n3.org"
    assert some.node_like("side walk").path == "n3.org"
    with pytest.raises(NotFound, match="side walk") as unknown:
        name("side walk")
    assert "“Riverside walk”" in unknown.value.hint
    assert name("ai-kb: An old title (bbbb3333-0000-4000-8000-000000000003)") == "n3.org"
    assert name("ai-kb: River (cccc3333-0000-4000-8000-000000000003)") == "n1.org"
    with pytest.raises(Ambiguous) as several:
        name("aaaa")
    assert len(several.value.data["candidates"]) == 2  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        name("cccc3333-0000-4000-8000-000000000003")
    with pytest.raises(InvalidInput):
        name(" ")


def test_backlinks(tmp_path: Path) -> None:
    root = write(
        tmp_path / "kb",
        text(1),
        text(2, body=f"Text.\n\nIMPLEMENTS [[id:{uid(1).upper()}][one]]", status="contested"),
        text(3, body=f"=[[id:{uid(1)}]]=", projects=("general", "emacs"), type="procedure"),
        README=f"[[id:{uid(1)}][one]]\n",
    )
    (root / "raw").mkdir()
    (root / "raw" / "x.org").write_text(f"[[id:{uid(1)}][one]]\n")
    ((source, link),) = kb_at(root).nodes().backlinks(uid(1))
    assert (source.path, link.label, link.description, link.line) == ("n2.org", "IMPLEMENTS", "one", 18)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_question_is_answered(question: str, said: str) -> None:
    try:
        hits = search([node(1, body=said), node(2)], question)
    except InvalidInput:
        return
    assert len(hits) <= 2


SAID = (
    "Straße",
    "STRASSE",
    "Kelvin \u212a",
    "ſtop",
    "river_bank",
    "50% off",
    "naïve café",
    "C++ and c#",
    "日本語",
)


@pytest.mark.parametrize(
    "question", [*SAID, "strasse", "kelvin k", "stop", "river", "river_bank", "50", "c++"]
)
def test_rows_are_asked_as_nodes_are(tmp_path: Path, question: str) -> None:
    """The memory's answer is that of all nodes, read one by one."""
    root = write(
        tmp_path / "kb",
        *(text(number, body=said) for number, said in enumerate(SAID, start=1)),
        text(20, title="River", body="Text.").replace("\n", "\r\n"),
        text(21, title="River", body="Stop.", tags=("river",), projects=("river",), status="contested"),
    )
    (root / "n22.org").write_bytes(text(22, title="River", body="x").encode() + b"caf\xe9\n")
    for filters in (Filters(), Filters(every=True), Filters(tag="river"), Filters(limit=1)):
        reply = answer(kb_at(root), question, filters)
        expected = search(nodes_at(root), question, Filters(**{**filters.__dict__, "limit": 0}))
        assert reply.total == len(expected)
        assert list(reply.hits) == expected[: filters.limit or None]


def test_during_a_merge_what_is_sound_answers_and_the_rest_is_named(kb: Repository) -> None:
    id = kb.remember("Release day", "Releases happen on Tuesdays.")
    kb.remember("Release notes", "Every release has notes.")
    path = kb.node(id)
    kb.git("switch", "--quiet", "--create", "other")
    path.write_text(path.read_text().replace("Tuesdays", "Wednesdays"))
    kb.ok("commit")
    kb.git("switch", "--quiet", "main")
    path.write_text(path.read_text().replace("Tuesdays", "Thursdays"))
    kb.ok("commit")
    assert kb.run("query", "release").status == 0
    kb.git("merge", "--quiet", "other", check=False)
    ran = kb.run("query", "release", "--json")
    assert [each["title"] for each in ran.json["results"]] == ["Release notes"]
    assert ran.status == 11
    said = f"a merge is under way: this is from what is sound, without {path.name}; finish it with git."
    assert ran.json["notices"] == [said]
    kb.git("merge", "--abort")
    assert kb.run("query", "release").status == 0
