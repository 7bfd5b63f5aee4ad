"""Emacs and we see the same nodes, titles and links: compared with a real `org-roam-db-sync`."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.formats.org_cases import CASES
from tests.kb.nodes import nodes_at, text, uid
from tests.support import PATIENCE

SCRIPT = r"""
(package-initialize)
(setq org-roam-directory (getenv "KB")
      org-roam-db-location (expand-file-name "roam.db" (getenv "HOME"))
      org-id-locations-file (expand-file-name "ids" (getenv "HOME"))
      org-roam-file-exclude-regexp "\\(?:\\`\\|/\\)\\(?:raw/\\|index[^/]*\\.org\\'\\)")
(unless (require 'org-roam nil t) (kill-emacs 77))
(org-roam-db-sync)
(dolist (row (org-roam-db-query [:select [id file title] :from nodes])) (princ (format "N\t%S\n" row)))
(dolist (row (org-roam-db-query [:select [source dest] :from links :where (= type "id")]))
  (princ (format "L\t%S\n" row)))
"""
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def drawer(number: int, more: str = "") -> str:
    return f":PROPERTIES:\n:ID: {uid(number)}\n{more}:END:\n"


def link(number: int, shown: str = "") -> str:
    return f"[[id:{uid(number)}]{f'[{shown}]' if shown else ''}]"


def tricky() -> dict[str, str]:
    """Nodes in all the forms that people and programs write, and texts that are none."""
    inner = f":PROPERTIES:\n:ID: {uid(201)}\n:END:\n"
    texts = [
        text(1, body=f"Plain {link(2, 'two')}."),
        "# a comment\n" + drawer(2) + "#+title: Comment above\n",
        "#\n#  \n" + drawer(3) + "#+title: Bare comment above\n",
        "\n" + drawer(4) + "#+title: Empty line above\n",
        "# c\n\n" + drawer(5) + "#+title: Comment and empty line above\n",
        "#+title: Above\n" + drawer(6),
        drawer(7).lower() + "#+title: Lower case\n",
        drawer(8).replace("\n", "\n  ").rstrip(" ").replace(":PROP", "  :PROP") + "#+title: Indented\n",
        (drawer(9) + "#+title: Windows\n" + link(1) + "\n").replace("\n", "\r\n"),
        "\ufeff" + drawer(10) + "#+title: Marked\n",
        drawer(11) + f"\nText.\n\n#+title: Late title {link(1, 'linked')}\n",
        drawer(12) + "\n#+begin_example\n#+title: Not this\n#+end_example\n\n#+TITLE: This\n",
        drawer(13) + "#+title: *Bold* and =code= and _more_\n",
        drawer(14) + "#+title:    Much   space   \n",
        drawer(15, ":SUMMARY: a\n:SUMMARY+: b\n") + "#+title: Continued\n",
        drawer(16, ":a:b: c\n") + "#+title: A colon in a key\n",
        drawer(17, ":X:\n") + "#+title: No value\n",
        drawer(18, f":SOURCE: {link(1, 'one')}\n") + "#+title: Link in a property\n",
        f":PROPERTIES:\n:ID:{uid(19)}\n:END:\n#+title: No space\n",
        f":PROPERTIES:\n:ID:   {uid(20)} \t\n:END:\n#+title: Spaces\n",
        f":PROPERTIES:\n:id: {uid(21)}\n:end:\n#+TITLE: Small letters\n",
        drawer(22, "\n") + "#+title: Empty line within\n",
        drawer(23, "no property\n") + "#+title: Prose within\n",
        drawer(24).replace(":END:\n", "") + "#+title: No end\n",
        drawer(25).replace("PROPERTIES", "PROPERTY") + "#+title: Misspelt\n",
        drawer(26).replace(":END:", "* Head\n:END:") + "#+title: Headline within\n",
        drawer(27) + f"#+title: With sections\n* TODO [#A] Inner thing :tag:x:\n{inner}{link(1)}\n",
        drawer(28) + f"#+title: Planned\n* Head\nSCHEDULED: <2026-01-01 Thu>\n{inner.replace('201', '202')}",
        drawer(29) + f"#+title: Too late\n* Head\n\n{inner.replace('201', '203')}",
        drawer(30)
        + f"#+title: In a block\n#+begin_src org\n* Head\n{inner.replace('201', '204')}#+end_src\n",
        drawer(31) + f"#+title: Hidden\n* COMMENT Head\n{inner.replace('201', '205')}* \n{inner}",
        drawer(32)
        + f"#+title: Deep\n* A\n** B [1/2]\n*** DONE C {link(1, 'see')} :a:\n{inner.replace('201', '206')}",
        drawer(33) + f"#+title: Verbatim\n={link(1)}= ~{link(2)}~ {link(3, 'three')} a={link(4)}=b\n",
        drawer(34) + f"#+title: Asides\n# {link(1)}\n: {link(2)}\n  # {link(3)}\n#{link(4)}\n",
        drawer(35) + f"#+title: Source\n#+begin_src sh\n{link(1)}\n#+end_src\n{link(2)}\n",
        drawer(36) + f"#+title: Quoted\n#+begin_quote\n{link(1)}\n#+end_quote\n",
        drawer(37) + f"#+title: Verse\n#+BEGIN_VERSE\n{link(1)}\n#+END_VERSE\n",
        drawer(38) + f"#+title: Comment block\n#+begin_comment\n{link(1)}\n#+end_comment\n",
        drawer(39) + f"#+title: Export\n#+begin_export html\n{link(1)}\n#+end_export\n",
        drawer(40) + f"#+title: Log\n:LOGBOOK:\n- {link(1)}\n:END:\n",
        drawer(41) + f"#+title: Table\n| {link(1, 'one')} | {link(2)} |\n",
        drawer(42) + f"#+title: Lines\n{link(1, 'two' + chr(10) + 'lines')}\n",
        drawer(43) + f"#+title: Emphasis\n*{link(1, 'bold')}* _{link(2)}_ /{link(3)}/ +{link(4)}+\n",
        drawer(44) + f"#+title: Bare\nid:{uid(1)} xid:{uid(2)} (id:{uid(3)})\n",
        drawer(45) + f"#+title: Capitals\n[[ID:{uid(1)}][one]]\n",
        drawer(46) + f"#+title: Open\n[[id:{uid(1)}\n[[id:{uid(2)}]\n",
        drawer(47) + f"#+title: Inside\n[[id:{uid(1)}::*Head][one]]\n",
        drawer(48) + f"#+title: Nested\n#+begin_example\n#+begin_src\n{link(1)}\n#+end_example\n{link(2)}\n",
        drawer(49) + f"#+title: Footnotes\nText[fn:1].\n\n[fn:1] See {link(1, 'x')} and [fn:: {link(2)}].\n",
        drawer(50)
        + f"#+title: Lists\n- {link(1)} :: x\n- [ ] {link(2, 'two')}\n1. {link(3)}, {link(3, 'again')}\n",
        drawer(51) + f"#+title: 記憶\nΑ{link(1, 'ένα')}·{link(2, '二')}\n",
        drawer(52)
        + f"#+title: Keyword\n#+description: {link(1)}\n#+begin_src sh :var x=1\necho\n#+end_src\n",
        "Just text.\n",
        "",
    ]
    return {f"n{number:02}.org": each for number, each in enumerate(texts, start=1)}


def roam(root: Path, home: Path) -> tuple[set[tuple[str, str, str]], Counter[tuple[str, str]]]:
    """What org-roam finds: nodes as file, id and title; links as file and id."""
    if not shutil.which("emacs"):
        pytest.skip("NOT TESTED: Emacs is not installed")
    home.mkdir()
    script = home / "roam.el"
    script.write_text(SCRIPT)
    done = subprocess.run(
        ["emacs", "--batch", "-l", str(script)],
        env={**os.environ, "HOME": str(home), "KB": str(root), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode == 77:
        pytest.skip("NOT TESTED: org-roam is not installed")
    assert done.returncode == 0, done.stderr.decode()
    nodes: set[tuple[str, str, str]] = set()
    links: Counter[tuple[str, str]] = Counter()
    homes: dict[str, str] = {}
    for line in done.stdout.decode().splitlines():
        kind, _, row = line.partition("\t")
        values = [ast.literal_eval(f'"{each}"') for each in STRING.findall(row)]
        if kind == "N":
            path = Path(values[1]).relative_to(root).as_posix()
            nodes.add((path, values[0], " ".join(values[2].split())))
            homes[values[0]] = path
        elif kind == "L":
            links[homes[values[0]], values[1].partition("::")[0]] += 1
    return nodes, links


def ours(root: Path) -> tuple[set[tuple[str, str, str]], Counter[tuple[str, str]]]:
    """The same, as we find it; org-roam takes the file's name for a title that is missing."""
    nodes: set[tuple[str, str, str]] = set()
    links: Counter[tuple[str, str]] = Counter()
    for node in nodes_at(root):
        if node.id:
            nodes.add((node.path, node.id, node.title or Path(node.path).stem))
        nodes |= {(node.path, each.id, each.title) for each in node.sections}
        if node.id or node.sections:
            links.update((node.path, link.target) for link in node.links)
    return nodes, links


def test_org_roam_finds_what_we_find(tmp_path: Path) -> None:
    root = tmp_path / "kb"
    (root / "raw").mkdir(parents=True)
    for name, each in tricky().items():
        (root / name).write_bytes(each.encode())
    (root / "raw" / "x.org").write_text(text(90))
    (root / "index.org").write_text(text(91))
    theirs, their_links = roam(root, tmp_path / "home")
    found, found_links = ours(root)
    assert len(theirs) > 40
    assert sum(their_links.values()) > 30
    assert found == theirs
    assert found_links == their_links


def test_every_case_is_as_org_roam_has_it(tmp_path: Path) -> None:
    root = tmp_path / "kb"
    root.mkdir()
    expected: Counter[tuple[str, str]] = Counter()
    for number, case in enumerate(CASES, start=1):
        name = f"c{number:02}.org"
        text = f"{drawer(number)}#+title: {case.name}\n\n{case.text}\n"
        if "\r\n" in text:  # Emacs wants all of its line ends to be alike
            text = text.replace("\r\n", "\n").replace("\n", "\r\n")
        (root / name).write_bytes(text.encode())
        expected.update((name, target) for target in case.links)
    _, links = roam(root, tmp_path / "home")
    assert links == expected


@pytest.mark.stress
def test_a_whole_vault(tmp_path: Path) -> None:
    place = os.environ.get("ORG_VAULT")
    if not place or not Path(place).is_dir():
        pytest.skip("NOT TESTED: ORG_VAULT names no directory of org files")
    root = Path(place).resolve()
    assert ours(root) == roam(root, tmp_path / "home")
