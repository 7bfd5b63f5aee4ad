"""A write checks what it changes, and asks rows for the rest: it finds what a check of everything finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaid.kb import change
from quaid.kb.change import Change, Outcome
from quaid.kb.findings import Finding, Report
from quaid.kb.lint import Scope, lint
from tests.kb.nodes import kb_at, text, uid, write

KEY = "AKIA" + "QYLPMN5HFIQR7XYZ"
SECTION = "* Part\n:PROPERTIES:\n:ID: 11111111-1111-4111-8111-111111111111\n:END:\n"
CHANGES: dict[str, dict[str, str | None]] = {
    "a good node": {"n9.org": text(9, body=f"[[id:{uid(1)}][one]]")},
    "a broken drawer": {"n9.org": text(9).replace(":END:\n", "")},
    "no summary": {"n1.org": text(1, body="[[id:x][y]]").replace(":SUMMARY: What node 1 says.\n", "")},
    "the id of another": {"n9.org": text(1, title="Same")},
    "the id of the README": {"n9.org": text(90)},
    "the id of a headline": {"n9.org": text(9, id="11111111-1111-4111-8111-111111111111")},
    "a link to nobody": {"n9.org": text(9, body=f"[[id:{uid(77)}][none]]")},
    "a link that a new node satisfies": {"n9.org": text(99)},
    "a secret": {"n9.org": text(9, body=KEY)},
    "a secret in a capture": {"raw/x.org": f"key\n{KEY}\n"},
    "a source that is not there": {"n9.org": text(9, source="raw/nowhere.org")},
    "a source that comes along": {"n9.org": text(9, source="raw/x.org"), "raw/x.org": "Words.\n"},
    "a large excerpt": {"raw/x.org": "word " * 5_000},
    "a contract that knows more agents": {"AGENT_CONTRACT.org": "#+agents: gemini\n"},
    "a contest": {"n1.org": text(1, status="contested", body=f"CONTRADICTS [[id:{uid(2)}][two]]")},
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A knowledge base that is not all sound."""
    root = write(
        tmp_path / "kb",
        text(1),
        text(2, body=f"[[id:{uid(1)}][one]]\n\n{SECTION}"),
        text(3, body=f"[[id:{uid(99)}][nobody]] {KEY}"),
        text(4).replace(":STATUS: current\n", ""),
        text(4, title="Also four"),
        README=text(90, title="Read me"),
    )
    (root / "n8.org").write_bytes(text(8).encode() + b"caf\xe9\n")
    (root / "index-mine.org").write_text("By hand.\n")
    kb_at(root).nodes()
    return root


def proposed(root: Path, files: dict[str, str | None]) -> tuple[Change, Outcome]:
    memory = kb_at(root).memory
    data = {path: None if said is None else said.encode() for path, said in files.items()}
    made = Change(root, memory.rows(), data, (), memory.rules)
    return made, change.outcome(made)


def apply(root: Path, files: dict[str, str | None], after: Outcome) -> None:
    for path, said in {**files, **after.index}.items():
        place = root / path
        place.parent.mkdir(exist_ok=True)
        if said is None:
            place.unlink()
        else:
            place.write_bytes(said if isinstance(said, bytes) else said.encode())


def told(found: tuple[Finding, ...]) -> list[tuple[str, int, str, str]]:
    return [(each.path, each.line, each.check, each.message) for each in found]


def fatal(found: Report) -> tuple[Finding, ...]:
    return tuple(each for each in found.findings if each.severity == "fatal")


@pytest.mark.parametrize("name", CHANGES)
def test_it_finds_what_a_check_of_everything_finds(root: Path, name: str) -> None:
    files = CHANGES[name]
    made, after = proposed(root, files)
    quick = change.check(made, after)
    apply(root, files, after)
    paths = {*files, *after.index}
    whole = lint(root, Scope(changed=paths))
    assert told(quick.blocking) == told(whole.blocking)
    assert told(fatal(quick)) == told(fatal(whole))
    shown = [each for each in whole.findings if each.severity == "fatal" or each.path in paths]
    assert told(tuple(each for each in quick.findings if each.severity == "fatal" or each.path in paths)) == (
        told(tuple(shown))
    )


def test_what_others_link_to_cannot_go(root: Path) -> None:
    """A link that this change breaks is its fault, wherever it stands."""
    made, after = proposed(root, {"n1.org": None})
    assert [(each.path, each.check) for each in change.check(made, after).blocking] == [("n2.org", "link")]


def test_nothing_is_touched_by_looking(root: Path) -> None:
    before = {path: path.read_bytes() for path in root.glob("*.org")}
    change.check(*proposed(root, CHANGES["a secret"]))
    assert {path: path.read_bytes() for path in root.glob("*.org")} == before
