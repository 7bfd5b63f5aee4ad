"""The fence around stored text: one opening mark, one closing mark, whatever the text is."""

from __future__ import annotations

import re
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.formats.fence import attribute, closed, fenced, harmless
from tests.attacks import ALLOWED, PAYLOADS, is_harmless

_REFERENCE = re.compile(r"&(?:#x([0-9a-f]+)|lt);")
PIECES = st.sampled_from(
    [
        "<",
        "</file>",
        '<file path="a">',
        "&lt;",
        "&#x3c;",
        "&",
        "\r",
        "\n",
        "Human:",
        "```",
        "[INST]",
        " ",
        "\x1b",
    ]
)
TEXTS = (
    st.text() | st.lists(PIECES | st.text(max_size=5), max_size=20).map("".join) | st.sampled_from(PAYLOADS)
)


def plain(text: str) -> str:
    """What was fenced."""
    return _REFERENCE.sub(lambda found: chr(int(found[1], 16)) if found[1] else "<", text)


@given(TEXTS, TEXTS)
def test_one_opening_one_closing_and_the_text_is_had_back(text: str, path: str) -> None:
    made = fenced("file", text, path=path)
    opening, *inner = made.split("\n")
    assert made.count("<") == 2
    assert re.fullmatch(r'<file path="[^"\n<]*">', opening)
    assert inner.pop() == "</file>"
    assert plain("\n".join(inner)) == text.replace("\r\n", "\n")
    assert plain(opening[len('<file path="') : -2]) == path.replace("\r\n", "\n")


@given(TEXTS)
def test_any_text_is_harmless(text: str) -> None:
    assert is_harmless(harmless(text))
    assert is_harmless(attribute(text))
    assert "\n" not in attribute(text)


def test_no_character_that_nobody_sees_passes() -> None:
    unseen = [chr(code) for code in range(0x110000) if category(chr(code)) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    passed = {each for each in unseen if harmless(f"a{each}b") == f"a{each}b"}
    assert passed == ALLOWED


@pytest.mark.parametrize("payload", PAYLOADS)
def test_payloads(payload: str) -> None:
    made = harmless(payload)
    assert is_harmless(made)
    assert plain(made) == payload.replace("\r\n", "\n")


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n\n- [ ] a *task* with `code`, 5 > 3, a & b, [[link]] and [x](https://e.org/?a=1&b=2)",
        "Phone: 555-1234\nSarah: the user of the system: yes\n09:10 — Call",
        "naïve Ünïcödé 学 ملف 👩‍👩‍👧 ❤️ می‌خواهم",
        "2024-01-01 | said: user",
    ],
)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert harmless(text) == text


@given(st.lists(TEXTS, min_size=1, max_size=4), st.integers(0, 400))
def test_a_text_that_is_cut_has_no_open_fence(texts: list[str], size: int) -> None:
    whole = "\n".join(["Preamble.", *(fenced("file", text, path="x") for text in texts)])
    made = closed(whole[:size])
    assert made.count("<file ") == made.count("</file>")
    assert made.count("<") == 2 * made.count("</file>")
    assert not made.count("</file>") or made.endswith("</file>") or whole.startswith(made)
