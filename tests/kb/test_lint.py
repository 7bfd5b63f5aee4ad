"""What a knowledge base is refused for, and what it is only warned about."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import Corrupt
from quaid.kb import index
from quaid.kb.base import read
from quaid.kb.facts import NEW, rows_of
from quaid.kb.findings import CHECKS, data_of, text_of
from quaid.kb.lint import Scope, lint
from quaid.kb.node import REQUIRED
from tests.kb.nodes import kb_at, text, uid, write
from tests.support import examples, unprivileged

KEY = "AKIA" + "QYLPMN5HFIQR7XYZ"
GOOD = text()
CONFLICT = "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other\n"


def without(line: str) -> Callable[[str], str]:
    return lambda good: "".join(each for each in good.splitlines(True) if not each.startswith(line))


def instead(old: str, new: str) -> Callable[[str], str]:
    def change(good: str) -> str:
        assert old in good
        return good.replace(old, new, 1)

    return change


def below(more: str) -> Callable[[str], str]:
    return lambda good: good + more


MALFORMED: dict[str, tuple[Callable[[str], str], str]] = {
    "no end of the drawer": (without(":END:"), "drawer"),
    "no drawer at all": (lambda _: "#+title: T\n\nText.\n", "drawer"),
    "a title above the drawer": (lambda good: "#+title: T\n" + good, "drawer"),
    "text above the drawer": (lambda good: "Text.\n" + good, "drawer"),
    "an empty line above the drawer": (lambda good: "\n" + good, "drawer"),
    "an empty line in the drawer": (instead(":CREATED:", "\n:CREATED:"), "drawer"),
    "a line without colons in the drawer": (instead(":CREATED:", "CREATED 1\n:CREATED:"), "drawer"),
    "a wrapped summary": (instead("node 1 says.", "node 1\nsays."), "drawer"),
    "a misspelt drawer": (instead(":PROPERTIES:", ":PROPERTY:"), "drawer"),
    "a drawer without its colon": (instead(":PROPERTIES:", "PROPERTIES:"), "drawer"),
    "no space behind the colon": (instead(":ID: ", ":ID:"), "drawer"),
    "a tab behind the colon": (instead(":ID: ", ":ID:\t"), "drawer"),
    "a headline in the drawer": (instead(":CREATED:", "* Head\n:CREATED:"), "drawer"),
    "two drawers": (instead("#+title", ":PROPERTIES:\n:A: b\n:END:\n#+title"), "drawer"),
    "a drawer that is not below its headline": (
        below("* Head\n\n:PROPERTIES:\n:ID: x\n:END:\n"),
        "drawer",
    ),
    "an open drawer in the text": (below(":LOGBOOK:\n- note\n"), "drawer"),
    "an open drawer before a headline": (below("* A\n:PROPERTIES:\n:ID: x\n* B\n:END:\n"), "drawer"),
    "an end without a drawer": (below(":END:\n"), "drawer"),
    "no id": (without(":ID:"), "id"),
    "an empty id": (instead(f":ID: {uid(1)}", ":ID:"), "id"),
    "two ids": (instead(":PROJECTS:", f":ID: {uid(2)}\n:PROJECTS:"), "id"),
    "an id that is no UUID": (instead(uid(1), "my-node"), "id"),
    "a placeholder for an id": (instead(uid(1), "<uuid, from uuidgen>"), "id"),
    "a comment behind the id": (instead(uid(1), f"{uid(1)} ; generated"), "id"),
    "no title": (without("#+title:"), "title"),
    "an empty title": (instead("#+title: Node 1", "#+title:"), "title"),
    "a title in a block": (
        lambda good: without("#+title:")(good) + "#+begin_example\n#+title: No\n#+end_example\n",
        "title",
    ),
    "an open block": (below("#+begin_src sh\nls\n"), "org"),
    "an open quotation": (below("#+begin_quote\nSaid.\n\n* Head\n#+end_quote\n"), "org"),
    "the end of another block": (below("#+begin_src sh\nls\n#+end_example\n"), "org"),
    "an end without a block": (below("#+end_src\n"), "org"),
    "a headline in a block": (below("#+begin_src org\n* Head\n#+end_src\n"), "org"),
    "a merge that was not resolved": (below(CONFLICT), "org"),
    "a NUL byte": (below("a\0b\n"), "org"),
    "an empty file": (lambda _: "", "org"),
    "nothing but space": (lambda _: " \n\n", "org"),
    "an unknown status": (instead(":STATUS: current", ":STATUS: active"), "property"),
    "a status in capitals": (instead(":STATUS: current", ":STATUS: Current"), "property"),
    "an unknown confidence": (instead("user-stated", "0.9"), "property"),
    "an unknown visibility": (instead("personal", "public"), "property"),
    "an unknown author": (instead("human", "somebody"), "property"),
    "a day that there is not": (instead("2026-05-24", "2026-99-99"), "property"),
    "a day in another form": (instead("2026-05-24", "24 May 2026"), "property"),
    "a time stamp of Org": (instead("2026-05-24", "<2026-99-99>"), "property"),
    "a property twice": (instead(":STATUS:", ":STATUS: contested\n:STATUS:"), "property"),
    "a comment instead of a value": (instead(":STATUS: current", ":STATUS: ; current"), "property"),
    "projects without colons": (instead(":general:", "general"), "project"),
    "a project in capitals": (instead(":general:", ":Emacs:"), "project"),
    "a project with a space": (instead(":general:", ":my project:"), "project"),
    "projects separated by commas": (instead(":general:", ":general:,:emacs:"), "project"),
    "a link to nobody": (below(f"[[id:{uid(99)}][gone]]\n"), "link"),
    "a link that is not closed": (below(f"[[id:{uid(1)}\n"), "link"),
    "a secret": (below(f"The key is {KEY}.\n"), "secret"),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_node_is_refused_for_the_right_reason(kind: str, tmp_path: Path) -> None:
    change, check = MALFORMED[kind]
    broken = change(text(2, body=f"See [[id:{uid(1)}][one]].")) if "link" in kind else change(GOOD)
    root = write(tmp_path / "kb", *([GOOD, broken] if "link" in kind else [broken]))
    report = lint(root)
    assert check in {each.check for each in report.blocking}, report.findings
    lines = broken.count("\n") + 1
    assert all(0 <= each.line <= lines for each in report.findings)
    assert all(each.hint for each in report.blocking)


@pytest.mark.parametrize("key", REQUIRED)
def test_every_required_property_is_required(key: str, tmp_path: Path) -> None:
    report = lint(write(tmp_path / "kb", without(f":{key}:")(GOOD)))
    assert [each.check for each in report.blocking] == ["id" if key == "ID" else "property"]
    assert f"`:{key}:` is missing" in report.blocking[0].message


def test_what_is_right_is_not_refused(tmp_path: Path) -> None:
    rich = text(
        1,
        body=f"""Text with =[[id:{uid(50)}]]= and <2026-99-99>.
# a comment with [[id:{uid(51)}]]
#+begin_src org
,* A headline
:PROPERTIES:
<<<<<<< not a merge
[[id:{uid(52)}]]
#+end_src
#+begin_quote
Said.
#+end_quote
#+begin: clocktable
#+end:
=======
* Head
SCHEDULED: <2026-05-24 Sun>
:PROPERTIES:
:ID: inner
:END:
:LOGBOOK:
- Note
:END:
See [[id:inner][the headline]] and [[id:{uid(9)}][the readme]].""",
    )
    readme = f":PROPERTIES:\n:ID: {uid(9)}\n:END:\n#+title: Read me\n"
    report = lint(write(tmp_path / "kb", rich, README=readme))
    assert report.findings == ()


def test_a_finding_says_file_line_and_what_to_do(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", instead(":STATUS: current", ":STATUS: active")(GOOD))
    (found,) = lint(root).blocking
    assert (found.path, found.line, found.check) == ("n1.org", 10, "property")
    assert text_of(found).startswith(
        "n1.org:10: fatal [property] `:STATUS:` cannot be 'active'\n  One of current"
    )
    assert data_of(found)["severity"] == "fatal"


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (instead(":principle:", ":git:"), "type"),
        (instead(":principle:", ":principle:preference:"), "type"),
        (instead(":principle:", ":principle:two-parts:"), "style"),
        (instead(":UPDATED: 2026-05-24", ":UPDATED: 2026-05-01"), "style"),
        (instead(":UPDATED: 2026-05-24", ":UPDATED: 9999-05-01"), "style"),
        (instead("Node 1", "word " * 40), "style"),
        (lambda good: good.replace("\n", "\r\n"), "style"),
        (lambda good: good.rstrip("\n"), "style"),
        (below(f"DEPENDS_ON [[id:{uid(1)}][self]]\n"), "relation"),
        (below("x" * 40_000 + "\n"), "size"),
        (instead("chat 2026-05-24", "raw/gone.org"), "source"),
    ],
)
def test_style_is_only_warned_about(change: Callable[[str], str], check: str, tmp_path: Path) -> None:
    report = lint(write(tmp_path / "kb", change(GOOD)))
    assert [each.check for each in report.findings] == [check]
    assert report.blocking == ()


def test_the_contract_allows_other_agents(tmp_path: Path) -> None:
    other = instead("human", "gemini")(GOOD)
    root = write(tmp_path / "kb", other)
    assert lint(root).blocking
    (root / "AGENT_CONTRACT.org").write_text("#+title: Contract\n#+agents: gemini, cursor\n")
    assert not lint(root).blocking


def test_a_file_that_is_no_utf8(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", GOOD)
    (root / "n2.org").write_bytes(text(2, title="Größe").encode("latin-1"))
    index.write(root)
    found = {(each.path, each.check) for each in lint(root).blocking}
    assert found == {("n2.org", "org")}


def test_two_nodes_with_one_id(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1), text(1, title="Another"))
    (found,) = [each for each in lint(root).blocking if each.check == "duplicate-id"]
    assert found.path == "n2.org"
    assert "n1.org" in found.message


def test_an_old_fault_does_not_block_a_change_elsewhere(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", without(":STATUS:")(text(1)), text(2))
    report = lint(root, Scope(changed={"n2.org", "index.org"}))
    assert report.blocking == ()
    assert [each.path for each in report.findings if each.severity == "fatal"] == ["n1.org"]
    assert lint(root, Scope(changed={"n2.org"}, strict=True)).blocking
    assert lint(root, Scope(changed={"n1.org"})).blocking


def test_an_old_fault_that_touches_the_change_blocks_it(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1), text(2, body=f"[[id:{uid(3)}][three]]"), text(1, title="Same id"))
    for changed in ("n1.org", "n3.org"):
        assert [each.check for each in lint(root, Scope(changed={changed})).blocking] == ["duplicate-id"]
    assert not lint(root, Scope(changed={"n4.org"})).blocking


def test_a_stale_index_blocks_every_change(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1))
    (root / "n2.org").write_text(text(2))
    (found,) = lint(root, Scope(changed={"n1.org"})).blocking
    assert (found.check, found.path, found.message) == ("index", "index.org", "n2.org is not listed")


def test_secrets_in_captured_texts_are_found_and_never_shown(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1))
    (root / "raw" / "files").mkdir(parents=True)
    (root / "raw" / "a.org").write_text(f"line\naws_key = {KEY}\n")
    (root / "raw" / "files" / "b.bin").write_bytes(b"\x7fELF\0\0" + KEY.encode())
    (root / "raw" / "allowed.txt").write_text(f"{KEY}  # quaid: allow-secret\n")
    report = lint(root)
    assert [(each.path, each.line, each.check) for each in report.blocking] == [("raw/a.org", 2, "secret")]
    assert KEY not in str([text_of(each) for each in report.findings])
    assert KEY[8:] not in str([text_of(each) for each in report.findings])


def test_a_secret_at_the_end_of_a_large_file(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1))
    (root / "raw" / "files").mkdir(parents=True)
    filler = "word and word\n" * 700_000
    (root / "raw" / "files" / "big.txt").write_text(filler + f"key {KEY}\n")
    report = lint(root)
    assert [(each.line, each.check) for each in report.blocking] == [(700_001, "secret")]
    assert ("raw/files/big.txt", "size") in {(each.path, each.check) for each in report.findings}


def test_large_captures_are_warned_about(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1, source="raw/small.org"))
    (root / "raw" / "files").mkdir(parents=True)
    (root / "raw" / "small.org").write_text("x\n" * 100)
    (root / "raw" / "long.org").write_text("x\n" * 10_000)
    (root / "raw" / "files" / "huge.txt").write_text("x\n" * 200_000)
    report = lint(root)
    assert {(each.path, each.severity) for each in report.findings} == {
        ("raw/long.org", "warning"),
        ("raw/files/huge.txt", "warning"),
    }


def test_a_file_that_cannot_be_read() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:  # another user may not enter pytest's directories
        Path(name).chmod(0o755)
        root = write(Path(name) / "kb", text(1))
        assert lint(root).blocking == ()
        (root / "n1.org").chmod(0)
        with unprivileged(root):
            found = lint(root).blocking
    assert ("n1.org", "org") in [(each.path, each.check) for each in found]
    assert any("Permission denied" in each.message for each in found)


def test_links_out_of_the_base_are_not_followed(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1))
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.org").write_text(text(2))
    (root / "sub").symlink_to(tmp_path / "outside")
    (root / "loop").symlink_to(root)
    (root / "y.org").symlink_to(tmp_path / "outside" / "x.org")
    assert list(read(root).nodes) == ["n1.org"]


def test_a_directory_that_is_no_knowledge_base(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "missing"):
        with pytest.raises(Corrupt):
            lint(tmp_path / name)


def test_only_the_index(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", without(":STATUS:")(text(1)))
    assert lint(root, Scope(only_index=True)).findings == ()
    (root / "index.org").unlink()
    assert [each.check for each in lint(root, Scope(only_index=True)).blocking] == ["index"]


def test_every_check_is_described() -> None:
    assert {check for _, check in MALFORMED.values()} <= set(CHECKS)
    assert all(about for _, about in CHECKS.values())


@pytest.mark.skipif(not shutil.which("emacs"), reason="NOT TESTED: Emacs is not installed")
def test_the_second_opinion_of_emacs(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1), text(2, body=f"[[id:{uid(1)}][one]]"))
    assert not [
        each for each in lint(root, Scope(org_lint=True, trusted=True)).findings if each.severity == "fatal"
    ]
    (root / "n3.org").write_text(text(3) + "#+begin_src sh\nls\n* Head\n#+end_src\n")
    (root / "n4.org").write_text(text(4) + ":LOGBOOK:\n- note\n")
    index.write(root)
    found = [
        each for each in lint(root, Scope(org_lint=True, trusted=True)).blocking if each.check == "org-lint"
    ]
    assert {(each.path, each.message.split(":")[0]) for each in found} == {
        ("n3.org", "invalid-block"),
        ("n4.org", "incomplete-drawer"),
    }


def test_without_emacs_the_second_opinion_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path / "kb", text(1))
    monkeypatch.setenv("PATH", str(tmp_path))
    report = lint(root, Scope(org_lint=True, trusted=True))
    assert [each.check for each in report.findings] == ["org-lint"]
    assert report.blocking == ()


def test_the_documentation_lists_every_check() -> None:
    page = (Path(__file__).parents[2] / "docs" / "kb-format.md").read_text(encoding="utf-8")
    listed = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("| `")]
    rows = {name.strip(" `"): severity.strip() for name, severity in listed}
    assert {name: rows.get(name) for name in CHECKS} == {
        name: severity for name, (severity, _) in CHECKS.items()
    }


def test_names_that_are_no_text(tmp_path: Path) -> None:
    root = write(tmp_path / "kb", text(1), indexed=False)
    (root / os.fsdecode(b"odd\xff.org")).write_text(text(2))
    (root / "sub" / "raw").mkdir(parents=True)
    (root / "sub" / "raw" / "a.txt").write_text(f"key {KEY}\n")
    index.write(root)
    report = lint(root)
    assert [(each.path, each.check) for each in report.blocking] == [("sub/raw/a.txt", "secret")]
    assert [each.message for each in report.findings if each.check == "style"] == ["an unusual file name"]


ODD_FILES = {
    "plain": text(1).encode(),
    "windows": text(2, body=f"[[id:{uid(1)}][one]]").replace("\n", "\r\n").encode(),
    "mark": b"\xef\xbb\xbf" + text(3, body=f"[[id:{uid(77)}][nobody]]").encode(),
    "latin": text(4).encode() + b"caf\xe9\n",
    "wide": text(5).encode("utf-16"),
    "empty": b"",
    "warned": text(6, created="2999-01-01", updated="2999-01-01", source="raw/none.org")
    .replace(":principle:", ":whatever:")
    .encode()[:-1],
    "twice": (text(1) + f"* Part\n:PROPERTIES:\n:ID: {uid(1).upper()}\n:END:\n").encode(),
    "open": text(8).replace(":END:\n", "").encode(),
    "secret": text(9, body=KEY).encode(),
}


def odd_base(root: Path, files: dict[str, bytes]) -> Path:
    root.mkdir()
    (root / "README.org").write_text(text(90))
    for name, data in files.items():
        (root / f"{name}.org").write_bytes(data)
    index.write(root)
    return root


def test_what_the_memory_has_read_changes_no_finding(tmp_path: Path) -> None:
    kb = kb_at(odd_base(tmp_path / "kb", ODD_FILES))
    kb.nodes()
    assert len(kb.rows_by_path()) >= 8
    alone = lint(kb.root)
    assert {each.check for each in alone.findings} >= {"drawer", "duplicate-id", "link", "org", "secret"}
    assert {each.check for each in alone.findings} >= {"style", "source", "type"}
    assert lint(kb.root, held=kb.rows_by_path()) == alone


@given(st.lists(st.binary(max_size=60) | st.text(max_size=60).map(str.encode), max_size=4))
@examples(15, 100)
def test_rows_are_the_same_from_the_memory_and_from_files(ends: list[bytes]) -> None:
    files = {f"n{number}": text(number).encode() + end for number, end in enumerate(ends, start=1)}
    with tempfile.TemporaryDirectory() as place:
        kb = kb_at(odd_base(Path(place) / "kb", files))
        kb.nodes()
        base = read(kb.root)
        held = [row._replace(page_id=NEW) for row in rows_of(base, kb.rows_by_path())]
        assert held == rows_of(base)
        kb.close()


def test_a_file_that_was_changed_in_secret_is_read_again(tmp_path: Path) -> None:
    """Its size and time are those that the memory has seen."""
    kb = kb_at(write(tmp_path / "kb", text(1, body="Words words words ok"), text(2)))
    kb.nodes()
    place = kb.root / "n1.org"
    before = place.stat()
    with place.open("rb+") as file:
        said = file.read().replace(b"Words words words ok", KEY.encode())
        file.seek(0)
        file.write(said)
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [each.check for each in lint(kb.root, held=kb.rows_by_path()).blocking] == ["secret"]


def test_a_check_makes_no_memory(tmp_path: Path) -> None:
    kb = kb_at(write(tmp_path / "kb", text(1)))
    assert kb.rows_by_path() == {}
    assert not (kb.root / ".quaid").exists()
    assert not (tmp_path / ".local").exists()
