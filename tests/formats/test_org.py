"""What is read out of an org page, and that its text is kept to the character."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaid.formats.content import names_of, read_page
from quaid.model.interval import Interval
from quaid.model.page import Content, Reference, TimelineEntry
from tests.support import examples

ID = "3e969e14-b902-47b8-984a-823e9e6884e1"
OTHER = "575c27d4-7f15-4167-8fa2-d1c5c83b0cad"


def read(text: str, slug: str = "notes/river", path: str | None = "notes/river.org") -> Content:
    content = read_page(text, slug, "org", path)
    assert content.text == text
    return content


PAGE = f"""# -*- mode: org -*-
:PROPERTIES:
:ID:       {ID}
:ROAM_ALIASES: "River sensors" RS "\\"Wet\\""
:ROAM_REFS: https://river.example
:ROAM_REFS+: cite:one
:TYPE: project
:END:
#+title: The river
#+title: project

#+filetags: :water:field_work:
#+relation: {{to: companies/acme, relationship: works_at, valid_from: 2024-01-15}}
#+assertion: {{subject: river, predicate: flows to, object: sea}}

Sensors in /all/ rivers, see [[id:{OTHER}][Water]].

* Work
:PROPERTIES:
:ID: {OTHER}
:END:
Built.
* Timeline
- [2024-03-12 Tue] meeting — Joined the board.
  She said yes
- <2023-01-05 Thu 10:00> Wrote a book.
"""


def test_a_page() -> None:
    content = read(PAGE)
    assert content.format == "org"
    assert (content.title, content.type, content.uuid) == ("The river", "project", ID)
    assert content.tags == ("water", "field_work")
    assert content.aliases == ("River sensors", "RS", "Wet")
    assert content.anchors == (ID, OTHER)
    assert content.summary.startswith("Sensors in all rivers, see Water.")
    assert content.frontmatter["roam_refs"] == "https://river.example cite:one"
    assert content.frontmatter["title"] == ["The river", "project"]
    assert content.rule == "* Timeline\n"
    assert content.truth.startswith("Sensors in")
    assert content.entries == (
        TimelineEntry("2024-03-12", "Joined the board.", "meeting", "She said yes", 1),
        TimelineEntry("2023-01-05", "Wrote a book.", line=3),
    )
    assert content.references[0] == Reference(
        "companies/acme", "works_at", "", "frontmatter", Interval("2024-01-15", None)
    )
    assert (content.references[1].target, content.references[1].relationship) == (OTHER, "mentions")
    assert [(claim.subject, claim.object) for claim in content.claims] == [("river", "sea")]
    assert not content.problems


def test_an_id_of_a_headline_is_a_name_of_the_page() -> None:
    names = names_of("notes/river", read(PAGE), "notes/river.org")
    assert ID in {name.replace(" ", "-") for name in names}
    assert OTHER in {name.replace(" ", "-") for name in names}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("* TODO [#A] First /one/ :tag:\ntext\n", "First one"),
        ("text\n* Headline\n", "Headline"),
        ("text only\n", "River"),
        ("text above\n#+title: Below\n", "Below"),
        ("#+begin_src org\n,#+title: no\n,* no\n#+end_src\n", "River"),
        (
            "#+begin_src org\n* A headline ends a block, for Org\n#+end_src\n",
            "A headline ends a block, for Org",
        ),
        ("", "River"),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert read(text).title == title


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("#+summary: S\ntext\n", "S"),
        ("#+description: D\ntext\n", "D"),
        (":PROPERTIES:\n:SUMMARY: P\n:END:\ntext\n", "P"),
        ("prose\n\n#+begin_quote\nThe *quote*\nof it\n#+end_quote\n", "The quote of it"),
        ("- item\n  more\n\n| a |\n# comment\n: fixed\n\nprose [[id:x][seen]]\n", "prose seen"),
        ("Id: x\nBy: Ada\n\nDraws maps.\n", "Draws maps."),
        ("#+begin_src sh\ncode\n#+end_src\n", ""),
    ],
)
def test_summaries(text: str, summary: str) -> None:
    assert read(text).summary == summary


@pytest.mark.parametrize(
    ("head", "tags"),
    [
        ("#+filetags: :a:b:\n", ("a", "b")),
        ("#+FILETAGS: a b\n", ("a", "b")),
        ("#+filetags: :a:\n#+filetags: :c-d:\n", ("a", "c-d")),
        (":PROPERTIES:\n:TAGS: a, b\n:END:\n", ("a", "b")),
        ("#+tags: not these\n", ()),
    ],
)
def test_tags(head: str, tags: tuple[str, ...]) -> None:
    assert read(f"{head}\ntext\n").tags == tags


@pytest.mark.parametrize(
    ("head", "rest"),
    [
        ("#+title: T\n\n", "text\n"),
        ("# comment\n\n#+title: T\n", "* Headline\n"),
        ("#+title: T\n\n#+options: toc:nil\n\n", "# comment\ntext\n"),
        ("#+title: T\n\n", "#+caption: picture\n[[file:a.png]]\n"),
        ("#+title: T\n\n", "#+begin_src sh\n#+end_src\n"),
        ("#+title: T\n", "#+attr_html: :width 10\n[[file:a.png]]\n"),
        ("", "\n\ntext\n"),
        ("", "text\n#+title: T\n"),
        (":PROPERTIES:\r\n:ID: x\r\n:END:\r\n#+title: T\r\n", "text\r\n"),
    ],
)
def test_where_the_head_ends(head: str, rest: str) -> None:
    content = read(head + rest)
    assert (content.head, content.truth) == (head, rest)


@pytest.mark.parametrize(
    "text",
    [
        f"PROPERTIES:\n:ID: {ID}\n:END:\n#+title: T\n",
        f":PROPERTIES:\n:ID: {ID}\n#+title: T\n",
        f":PROPERTIES\n:ID: {ID}\n:END:\n#+title: T\n",
        f"#+title: T\n:PROPERTIES:\n:ID: {ID}\n:END:\n",
    ],
)
def test_a_malformed_drawer_is_reported_and_read_but_for_the_id_that_org_does_not_see(text: str) -> None:
    content = read(text)
    assert [problem.code for problem in content.problems] == ["properties"]
    assert (content.uuid, content.anchors, content.title) == (None, (), "T")
    assert content.frontmatter["id"] == ID


@pytest.mark.parametrize("line", ["#+relation: {to: ", "#+relation: {x: 1}", "#+assertion: {subject: a}"])
def test_broken_links_and_assertions_are_reported(line: str) -> None:
    content = read(f"#+title: T\n{line}\n\ntext\n")
    assert len(content.problems) == 1
    assert not content.references
    assert not content.claims
    assert content.title == "T"


@pytest.mark.parametrize(
    ("written", "target", "source"),
    [
        (f"[[id:{ID}][label]]", ID, "wiki_link"),
        (f"[[id:{ID}]]", ID, "wiki_link"),
        (f"[[id:{ID}::*x][label]]", ID, "wiki_link"),
        (f"[[id:{ID}][a label\nof two lines]]", ID, "wiki_link"),
        (f"<id:{ID}>", ID, "wiki_link"),
        (f"id:{ID}.", ID, "wiki_link"),
        ("[[file:sea.org::*x][label]]", "notes/sea", "markdown_link"),
        ("[[file:../people/al ice.org]]", "people/al ice", "markdown_link"),
        ("[[file:c#.org]]", "notes/c#", "markdown_link"),
        ("[[./sea.org]]", "notes/sea", "markdown_link"),
        ("[[../sea.md]]", "sea", "markdown_link"),
        ("[[roam:The sea]]", "The sea", "wiki_link"),
        ("[[The sea]]", "The sea", "wiki_link"),
        ("[[Dune: Part Two][film]]", "Dune: Part Two", "wiki_link"),
        ("[[kb::people/alice]]", "kb::people/alice", "wiki_link"),
        ("*bold [[The sea]]*", "The sea", "wiki_link"),
        ("| [[The sea]] | cell |", "The sea", "wiki_link"),
    ],
)
def test_links(written: str, target: str, source: str) -> None:
    found = read(f"#+title: T\n\nBefore. See {written} there. After\n").references
    assert [(link.target, link.source, link.relationship) for link in found] == [(target, source, "mentions")]
    assert "See" in found[0].context
    assert "Before" not in found[0].context


@pytest.mark.parametrize(
    "text",
    [
        "[[https://x.example/a][b]]",
        "[[https://x.example/a][[1] b]]",
        "[[mailto:a@b.example]]",
        "[[file:picture.png]]",
        "[[file:~/other/x.org]]",
        "[[file:/other/x.org]]",
        "[[picture.png]]",
        "[[attachment:x.org]]",
        "[[*Headline][x]]",
        "[[#custom]]",
        "[[eqn:x]]",
        f"=[[id:{ID}]]=",
        f"~code [[id:{ID}]] code~",
        f"# [[id:{ID}]]",
        f": [[id:{ID}]]",
        f"#+begin_src org\n[[id:{ID}]]\n#+end_src",
        f"#+BEGIN_EXAMPLE\n[[id:{ID}]]\n#+END_EXAMPLE",
        f"#+begin_comment\n[[id:{ID}]]\n#+end_comment",
        f"grid:{ID}",
        "x[[1, 2]",
    ],
)
def test_no_links(text: str) -> None:
    assert read(f"#+title: T\n\nx\n{text}\nend\n").references == ()


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("SUPERSEDES [[a]]", {"a": "supersedes"}),
        ("It *CONTRADICTS* [[a]] and [[b]]", {"a": "contradicts", "b": "mentions"}),
        ("- RELATES_TO: [[a]]", {"a": "relates_to"}),
        ("- implements :: [[a]], [[b][B]]", {"a": "implements", "b": "implements"}),
        ("- Derived from :: [[a]]", {"a": "derived_from"}),
        ("- tags :: [[a]]", {"a": "mentions"}),
        ("[[a]] first, then SUPERSEDES [[a]]", {"a": "supersedes"}),
        ("UNIMPLEMENTS [[a]]", {"a": "mentions"}),
    ],
)
def test_relation_labels(text: str, relations: dict[str, str]) -> None:
    found = read(f"{text}\n").references
    assert {link.target: link.relationship for link in found} == relations
    assert len(found) == len(relations)


@pytest.mark.parametrize(
    ("line", "source", "summary"),
    [
        ("- [2024-01-15 Mon] mail — Text", "mail", "Text"),
        ("- [2024-01-15 Mon] — Text — more", "", "Text — more"),
        ("- [2024-01-15] Text", "", "Text"),
        ("+ <2024-01-15 Mo 10:00-11:00> Text", "", "Text"),
        ("- [2024-01-15 Mon]--[2024-01-16 Tue] Text", "", "Text"),
        ("- [2024-01-15 Mon] | mail — Text", "mail", "Text"),
        ("- *2024-01-15* | mail — Text", "mail", "Text"),
        ("- **2024-01-15** | mail — Text", "mail", "Text"),
        ("- 2024-01-15 — Text", "", "Text"),
        ("- 2024-01-15: Text", "", "Text"),
    ],
)
@pytest.mark.parametrize("headline", ["* Timeline", "* TIMELINE :noexport:"])
def test_entries(line: str, source: str, summary: str, headline: str) -> None:
    found = read(f"x\n{headline}\n\n{line}\r\n  more\n").entries
    assert found == (TimelineEntry("2024-01-15", summary, source, "more", 2),)


@pytest.mark.parametrize(
    "text",
    [
        "* Timeline\n- [2024-02-30 Fri] Text\n",
        "* Timeline\n- [2024-01-15 Mon]\n",
        "* Timeline\n- [2024-01-15 Mon] —\n",
        "** Timeline\n- [2024-01-15 Mon] Text\n",
        "* Timelines\n- [2024-01-15 Mon] Text\n",
        "* Timeline\n#+begin_example\n- [2024-01-15 Mon] Text\n#+end_example\n",
        "#+begin_src org\n,* Timeline\n- [2024-01-15 Mon] Text\n#+end_src\n",
        "* Timeline\n* Notes\n- [2024-01-15 Mon] Text\n",
    ],
)
def test_no_entries(text: str) -> None:
    assert read(text).entries == ()


def test_a_section_below_the_timeline_does_not_hide_it() -> None:
    content = read("x\n* Timeline\n- [2024-01-15 Mon] Text\n* Captured later\n- [2024-01-16 Tue] No\n")
    assert [entry.summary for entry in content.entries] == ["Text"]


def test_a_markdown_page_is_read_as_before() -> None:
    content = read_page("# T\n\n* Timeline\n", "x")
    assert (content.format, content.rule) == ("markdown", "")


# Properties ---------------------------------------------------------------------------------------

LINES = st.sampled_from(
    [
        "",
        ":PROPERTIES:",
        "PROPERTIES:",
        ":END:",
        f":ID: {ID}",
        ':ROAM_ALIASES: "a b" c',
        "#+title: T",
        "#+filetags: :a:b:",
        "#+relation: {to: a}",
        "#+relation: {",
        "#+caption: c",
        "# comment",
        "* Headline",
        "** Sub :tag:",
        "* Timeline",
        "- [2024-01-15 Mon] mail — Text",
        "- 2024-01-15 — Text",
        "  detail",
        "#+begin_src org",
        "#+end_src",
        "#+begin_quote",
        "#+end_quote",
        f"see [[id:{ID}][label]] and =verbatim [[x]]=",
        "[[file:../x.org::*y][z]]",
        "[[",
        "~open",
        "prose. More.",
        "\x0c\u2028",
    ]
)
PAGES = st.tuples(st.lists(LINES, max_size=20), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda made: made[1].join(made[0]) + (made[1] if made[2] else "")
)


@examples(150, 3_000)
@given(PAGES | st.text(max_size=200))
@example(":PROPERTIES:")
@example("#+title:")
def test_any_text_is_kept(text: str) -> None:
    content = read(text)
    assert content.title
    for entry in content.entries:
        assert entry.summary in content.timeline.split("\n")[entry.line - 1]


@pytest.mark.parametrize(
    "text",
    [
        ":PROPERTIES:\n" * 50_000,
        "#+begin_src x\n" * 50_000,
        "[[a][" * 40_000,
        "=a " * 100_000,
        "* Timeline\n" * 30_000,
        "* \n:PROPERTIES:\n:ID: x\n" * 20_000,
        "- [2024-01-15 Mon] x\n" * 20_000,
        "#+relation: x\n" * 5_000,
        "\\" * 200_000,
        "[[id:" + "x" * 500_000,
    ],
    ids=[
        "drawers",
        "blocks",
        "brackets",
        "verbatim",
        "timelines",
        "open",
        "entries",
        "links",
        "slashes",
        "long",
    ],
)
def test_a_large_page_takes_no_time(text: str) -> None:
    start = time.process_time()
    read(text)
    assert time.process_time() - start < 5
