import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.markdown.structure import headings, parse, plain, readable, summary_of, title_of


@pytest.mark.parametrize(
    "truth",
    [
        "",
        "a\n\n",
        "# heading\n",
        "- item\n",
        "- item\nlazy\n",
        "- item\n  ```\n  ---\n  ```\n",
        "- item\n  ```\n",
        "- ```\n  ---\n  ```\n",
        "> quote\n",
        "> quote\nlazy\n",
        "> ```\n> ---\n\n",
        "```\n---\n```\n",
        "````\n```\n---\n````\n",
        "~~~\n```\n---\n~~~\n",
        "``` a`b\n\n",
        "<!--\n---\n-->\n",
        "<!-- one line -->\n",
        "<div>\n---\n\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "a | b\n---|---\n1 | 2\n",
        "[ref]: target\n",
        "para\n\n    code\n",
        "setext\n---\n\n",
        "***\n",
        "a\n\n    ---\n\n",
    ],
)
@pytest.mark.parametrize("rule", ["---\n", " ------  \n", "---\r\n", "---"])
def test_the_rule(truth: str, rule: str) -> None:
    timeline = "" if rule == "---" else "\nrest\n\n---\nmore"
    for head in ("", "---\na: 1\n---\n"):
        document = parse(head + truth + rule + timeline)
        found = (document.head, document.truth, document.rule, document.timeline)
        assert found == _parts(head, truth, rule, timeline)


def _parts(head: str, truth: str, rule: str, timeline: str) -> tuple[str, str, str, str]:
    if not head and not truth and timeline and rule.startswith("---"):
        # At the very start, two rules are frontmatter's fences.
        return rule + "\nrest\n\n---\n", "more", "", ""
    return head, truth, rule, timeline


@pytest.mark.parametrize(
    "text",
    [
        "paragraph\n---\nx",
        "two\nlines\n---\n",
        "```\n---\n",
        "```\n---\n``` x\n",
        "<!--\n---\n",
        "- item\n  ---\n",
        "- item\n\n  ---\n",
        "    ---\n",
        "a\n\n- - -\n",
        "a\n\n--- x\n",
        "a\n\n--\n",
    ],
)
def test_no_rule(text: str) -> None:
    assert parse(text).rule == ""


FRAGMENTS = [
    "---\n",
    "```\n",
    "~~~",
    "<!--",
    "-->",
    "\n",
    "\r\n",
    "- a",
    "> ",
    "    ",
    "\t",
    "# h",
    "|",
    "a",
    " ",
]


@given(st.lists(st.sampled_from(FRAGMENTS)).map("".join) | st.text())
def test_the_parts_are_the_text(text: str) -> None:
    assert parse(text).text == text


def test_headings() -> None:
    text = "# One #\n\n```\n# no\n```\n<!--\n# no\n-->\n   ## Two\t\n#tag\n####### seven\n#\n"
    text += "### C#\n    # code\n"
    found = [(heading.level, heading.text, heading.line) for heading in headings(text)]
    assert found == [(1, "One", 1), (2, "Two", 9), (1, "", 12), (3, "C#", 13)]


@pytest.mark.parametrize(
    ("truth", "title"),
    [("# **Ada** [Lovelace](x)\n", "Ada Lovelace"), ("## two\n\n# One\n", "One"), ("text", ""), ("# \n", "")],
)
def test_title(truth: str, title: str) -> None:
    assert title_of(truth) == title


@pytest.mark.parametrize(
    ("truth", "summary"),
    [
        ("# T\n\n> First\n> quote.\n>\n> Second\n\nProse", "First quote."),
        ("# T\n\n> [!note]- Callout\n> body [x](y)\n", "Callout body x"),
        ("> [!info]\n> body", "body"),
        (
            "# T\n\n- list\n  goes on\n\n| a |\n|---|\n\n```\ncode\n```\n<!-- c -->\nProse\ntwo.\n\nMore",
            "Prose two.",
        ),
        ("Some **bold** and [[a|b]].", "Some bold and b."),
        ("![[image.png]]\n\n![alt](x.png)\n\n%% hidden %%\n\nProse", "Prose"),
        ('+++\ntitle = "x"\n+++\n\nProse', "Prose"),
        ("# T\n\nId: `x`\n**By**: [[Ada]]\n\nDraws maps.\n", "Draws maps."),
        ("Id: x\nBy: Ada\n", "Id: x By: Ada"),
        ("Note: it draws maps.", "Note: it draws maps."),
        ("- only\n- a list", ""),
        ("", ""),
    ],
)
def test_summary(truth: str, summary: str) -> None:
    assert summary_of(truth) == summary


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("See [the map](https://x.example/a-b), [[p/Ada|Ada]].", "See the map, Ada."),
        ("![badge](https://x.example/b)\n%% hidden %%\n<!-- c -->\nProse", "Prose"),
        ("![only](x.png)", ""),
        ("- **bold** `code` https://x.example", "- **bold** `code` https://x.example"),
    ],
)
def test_what_an_embedder_reads(text: str, seen: str) -> None:
    assert readable(text) == seen


def test_a_long_summary_is_cut_between_words() -> None:
    summary = summary_of("word " * 1000)
    assert len(summary) <= 500
    assert summary.endswith("word…")
    assert len(summary_of("中" * 1000)) == 500


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("**b** _i_ `c` ~~s~~ ==h==", "b i c s h"),
        ("snake_case and 2 * 3", "snake_case and 2 * 3"),
        ("[a](b) ![c](d) [[e]] [[f|g]] [h][i]", "a c e g h"),
        ("\\*kept\\* <b>x</b> <https://x.y> [^1]", "*kept* x https://x.y"),
        ("[a](b_(c))", "a"),
    ],
)
def test_plain(text: str, bare: str) -> None:
    assert plain(text) == bare


@pytest.mark.parametrize(
    "text",
    [
        "a" * 3000000,
        "x\n" * 100000,
        "-" * 3000000,
        "- " * 1000000,
        "`" * 3000000,
        "> " * 1000000,
        " " * 3000000 + "x",
        "|-" * 1000000,
        "<!--" * 500000,
        "[a" * 500000,
        "*a " * 500000,
        "\\" * 1000000,
    ],
    ids=lambda text: text[:4],
)
def test_large_input_takes_linear_time(text: str) -> None:
    started = time.process_time()
    parse(text + "\n\n---\nx")
    summary_of(text)
    title_of(text)
    assert time.process_time() - started < 3
