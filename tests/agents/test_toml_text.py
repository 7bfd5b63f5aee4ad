"""TOML with comments: a table comes and goes, and not one other byte changes."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.agents.setup import toml_text
from quaid.agents.setup.toml_text import TomlError

PATH = ("mcp_servers", "quaid")
VALUES = {"command": "/bin/quaid", "args": ["--db", "/m.db", "serve"]}

STATEMENTS = st.sampled_from(
    [
        "# a comment with [mcp_servers.quaid]\n",
        "\n",
        'model{n} = "o # [x]" # why\n',
        "text{n} = '''\n[mcp_servers.quaid]\n'''\n",
        'long{n} = """\nargs = [1]\n\\"""" # end\n',
        "list{n} = [\n  1, # one\n  [2, '3]'],\n]\n",
        "inline{n} = {{ a = 1, b = '}}' }}\n",
        "[other{n}]\n",
        '  [ other{n} . "in n.r" ] # note\n',
        "[[things{n}]]\n",
        "[mcp_servers.more{n}]\ncommand = 'x'\n",
        "dotted{n}.key = 1\n",
    ]
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A valid text that ends with a line that is not empty."""
    parts = [part.format(n=n) for n, part in enumerate(draw(st.lists(STATEMENTS, max_size=8)))]
    text = "".join([*parts, draw(st.sampled_from(["[last]\n", "[last]\nx = 1\n", "[last]\n# end\n"]))])
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "\ufeff"])) + text


def data(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


@given(texts(), st.dictionaries(st.text("ab \"'.é", min_size=1), st.text("a\"\\\n'é\x7f"), min_size=1))
def test_a_table_that_is_put_and_removed_leaves_the_bytes(text: str, values: dict[str, str]) -> None:
    after = toml_text.put(text, PATH, values)
    assert after.startswith(text)
    assert data(after)["mcp_servers"]["quaid"] == values
    assert toml_text.remove(after, PATH) == text


@given(texts(), texts())
def test_keys_are_replaced_in_their_place(before: str, after: str) -> None:
    after = after.removeprefix("\ufeff").replace("[last]", "[later]").replace("0", "90")
    own = "[mcp_servers.quaid] # mine\ncommand = '/old' # why\nextra = 1\n\n"
    text = before + own
    new = toml_text.put(text, PATH, VALUES)
    assert new.startswith(before)
    assert data(new)["mcp_servers"]["quaid"] == {**VALUES, "extra": 1}
    assert "# why" in new
    assert toml_text.put(new, PATH, VALUES) == new


def test_a_table_in_the_middle_goes_with_the_tables_in_it() -> None:
    text = (
        "a = 1\n\n[mcp_servers.quaid]\ncommand = 'x'\nargs = [\n  'y', # z\n]\n"
        "[mcp_servers.quaid.env]\nK = 'v'\n\n# of the next\n[next]\nb = 2\n"
    )
    assert toml_text.remove(text, PATH) == "a = 1\n\n\n# of the next\n[next]\nb = 2\n"


@pytest.mark.parametrize("text", ["", "# only this\n", "x = 1", "x = 1\n\n", "\ufeffx = 1\r\n"])
def test_a_table_is_added_to_any_text(text: str) -> None:
    after = toml_text.put(text, PATH, VALUES)
    assert after.startswith(text)
    assert data(after)["mcp_servers"]["quaid"] == VALUES


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = { quaid = { command = '/old/quaid' } }\n",
        "mcp_servers = {}\n",
        "mcp_servers.quaid.command = 'x'\n",
        "[mcp_servers]\nquaid = { command = 'x' }\n",
        "mcp_servers = 3\n",
    ],
)
def test_what_cannot_be_edited_is_refused(text: str) -> None:
    with pytest.raises(TomlError, match=r"\[mcp_servers\.quaid\]"):
        toml_text.put(text, PATH, VALUES)


def test_what_is_not_toml_is_refused_with_its_line() -> None:
    with pytest.raises(TomlError, match="line 2"):
        toml_text.put("a = 1\nb = = 2\n", PATH, VALUES)


@given(st.text("[]\"'=#.ab \n{}\\", max_size=40))
def test_any_text_is_edited_or_refused(text: str) -> None:
    try:
        after = toml_text.put(text, PATH, VALUES)
    except TomlError:
        return
    assert data(after)["mcp_servers"]["quaid"] == VALUES
