import time
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import InvalidInput
from quaid.formats.markdown.links import find, resolve_relative, retarget


@pytest.mark.parametrize(
    ("text", "target", "label", "heading", "embed"),
    [
        ("[[people/ada]]", "people/ada", "", "", False),
        ("[[ Ada Lovelace | her ]]", "Ada Lovelace", "her", "", False),
        ("[[ada#Early life]]", "ada", "", "Early life", False),
        ("[[ada#^abc]]", "ada", "", "^abc", False),
        ("[[ada#a#b|c]]", "ada", "c", "a#b", False),
        ("![[ada]]", "ada", "", "", True),
        ("\\![[ada]]", "ada", "", "", False),
        ("\\\\[[ada]]", "ada", "", "", False),
        ("| [[ada\\|her]] | x |", "ada", "her", "", False),
        ("[[Node.js]]", "Node.js", "", "", False),
        ("[her](../people/ada.md)", "../people/ada.md", "her", "", False),
        ("[her](<../a b.md>)", "../a b.md", "her", "", False),
        ('[her](a%20b.md#Early%20life "Title")', "a%20b.md", "her", "Early life", False),
        ("[a [b] c](d.org)", "d.org", "a [b] c", "", False),
        ("[x](foo_(bar).markdown)", "foo_(bar).markdown", "x", "", False),
        ("[x](notes/v1.2)", "notes/v1.2", "x", "", False),
        ("[![alt](i.png)](page.md)", "page.md", "![alt](i.png)", "", False),
        ("![x](page.md)", "page.md", "x", "", True),
        ("[x](/root/page)", "/root/page", "x", "", False),
        ("- item\n\n    [[ada]]", "ada", "", "", False),
        ("`a [[ada]]", "ada", "", "", False),
        ("\\`[[ada]]`", "ada", "", "", False),
        ("- `a\n- [[ada]] `b", "ada", "", "", False),
    ],
)
def test_links(text: str, target: str, label: str, heading: str, embed: bool) -> None:
    (link,) = find(text)
    assert (link.target, link.label, link.heading, link.embed) == (target, label, heading, embed)
    assert text[link.target_start : link.target_end] == target
    assert text[link.start : link.end].endswith(("]]", ")"))


@pytest.mark.parametrize(
    "text",
    [
        "[[#here]]",
        "[[]]",
        "[[a\nb]]",
        "\\[[a]]",
        "`[[a]]`",
        "``[[a]] ` ``",
        "```\n[[a]]\n```",
        "x\n\n    [[a]]",
        "<!-- [[a]] -->",
        "x <!-- [[a]]\n[b](c) --> y",
        "> ```\n> [[a]]\n> ```",
        "- x\n  ```\n  [[a]]\n  ```",
        "[x](https://a.b/c.md)",
        "[x](mailto:a@b)",
        "[x](//a.b/c)",
        "[x](#anchor)",
        "[x](i.png)",
        "[x](a.pdf)",
        "[x](C:\\a.md)",
        "[x](..)",
        "[x]((https://a.b)",
        "[x]()",
        "[x](a b.md)",
        "\\[x](a.md)",
        "![[image.png]]",
        "[[paper.PDF]]",
        "`[x](a.md)`",
        "[x\n\ny](a.md)",
    ],
)
def test_no_links(text: str) -> None:
    assert find(text) == ()


def test_context_is_the_sentence() -> None:
    text = "- [ ] Before it. She met [[ada]] in London! After.\nNext line."
    (link,) = find(text)
    assert link.context == "She met [[ada]] in London!"
    (link,) = find("x " * 500 + "[[ada]]" + " y" * 500)
    assert "[[ada]]" in link.context
    assert len(link.context) <= 200


@pytest.mark.parametrize(
    ("target", "page", "path"),
    [
        ("../people/ada.md", "notes/today", "people/ada"),
        ("x.md#h", "a/b", "a/x"),
        ("a%20b.markdown", "n", "a b"),
        ("../../../x", "a/b", "x"),
        ("/root/x.org", "a/b", "root/x"),
        ("./x?y", "a/b", "a/x"),
    ],
)
def test_relative_targets(target: str, page: str, path: str) -> None:
    assert resolve_relative(target, page) == path


def test_retarget_keeps_everything_else() -> None:
    text = "[[a#h|l]] ![[a]] [x](a.md#h 'T') [y](<a.md>) `[[a]]`"
    changes = dict.fromkeys(find(text), "b (c) d")
    assert retarget(text, changes) == (
        "[[b (c) d#h|l]] ![[b (c) d]] [x](b%20%28c%29%20d#h 'T') [y](<b (c) d>) `[[a]]`"
    )


@pytest.mark.parametrize("target", ["", "a|b", "a]]b", "a#b", "a\nb"])
def test_a_target_that_no_wiki_link_can_name(target: str) -> None:
    with pytest.raises(InvalidInput):
        retarget("[[a]]", {find("[[a]]")[0]: target})


FRAGMENTS = [
    "[[",
    "]]",
    "[",
    "](",
    ")",
    "<",
    ">",
    "|",
    "#",
    "`",
    "``",
    "\\",
    "!",
    "a",
    "b.md",
    " ",
    "\n",
    "```\n",
]


@given(
    st.lists(st.sampled_from([*FRAGMENTS, "<!--", "-->", "    ", "- ", "[[x]]", "[y](z.md)"])).map("".join)
)
def test_spans_are_true_and_links_can_be_moved(text: str) -> None:
    found = find(text)
    for link in found:
        assert text[link.target_start : link.target_end] == link.target
        assert link.start < link.target_start <= link.target_end < link.end
    moved = find(retarget(text, dict.fromkeys(found, "new place/x.md")))
    assert [unquote(link.target) for link in moved].count("new place/x.md") >= len(found)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1000000,
        "[[" * 500000,
        "`" * 1000000,
        "`a" * 500000 + "[[",
        "[](" * 300000,
        "![[" * 300000,
        "\\" * 1000000 + "[[a]]",
        "<!--" * 250000 + "[[",
        "](<" * 300000,
        '](a "' * 200000,
        "]( " * 300000,
    ],
    ids=lambda text: text[:5],
)
def test_large_input_takes_linear_time(text: str) -> None:
    started = time.process_time()
    find(text)
    assert time.process_time() - started < 1.5
