"""No edit damages a file, whatever its bytes are: each is made exactly, or refused with a hint."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import Conflict, InvalidInput, QuaidError
from quaid.formats.encoding import decode, encode, page_with_text
from quaid.formats.format import page_format
from quaid.model.interval import Interval
from quaid.model.page import Claim, Format, Reference, TimelineEntry
from tests.odd_files import odd_files
from tests.support import call, examples, found, lengths, tolerating
from tests.vault.support import NAME, Vault, vault_of

FILES = odd_files()
ALICE = f"{NAME}::alice"


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = vault_of(tmp_path)
    yield made
    made.close()


def address(vault: Vault, path: str) -> str:
    return f"{NAME}::{vault.slugs()[path]}"


def body(data: bytes) -> bytes:
    """The bytes of a file without its mark and its frontmatter: no edit below changes them."""
    for mark in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        data = data.removeprefix(mark)
    return data.removeprefix(b"---\ntitle: T\n---\n").partition(b"---\n\n- 2024-01-01")[0]


def link_ids(vault: Vault, slug: str) -> list[int]:
    return [each["id"] for each in call(vault.app, "links", slug=slug)["links"] if each["to"] == "alice"]


def put_edited(app: Any, slug: str) -> None:
    """A page read, changed at its end, and written again."""
    page = call(app, "get", slug=slug)
    call(app, "put", slug=slug, content=page["content"] + "One more line\n", expected_version=page["version"])


EDITS: dict[str, Callable[[Vault, str], Any]] = {
    "tag": lambda vault, slug: call(vault.app, "tag", slug=slug, tag="new"),
    "timeline-add": lambda vault, slug: call(
        vault.app, "timeline-add", slug=slug, date="2026-01-01", summary="Met"
    ),
    "link": lambda vault, slug: call(
        vault.app, "link", **{"from": slug, "to": ALICE, "relationship": "knows"}
    ),
    "assert": lambda vault, slug: call(
        vault.app, "assert", page=slug, subject="it", predicate="is", object="odd"
    ),
    "put": lambda vault, slug: put_edited(vault.app, slug),
}


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 200


@lengths("every", 5, 1)
def test_no_edit_damages_any_of_them(vault: Vault, every: int) -> None:
    counts: Counter[str] = Counter()
    vault.write("alice.md", "# Alice\n")
    chosen = dict(list(FILES.items())[::every])
    for path, data in chosen.items():
        vault.write(path, data)
    vault.sync()
    slugs = vault.slugs()
    for path, original in chosen.items():
        slug = f"{NAME}::{slugs[path]}"
        place = vault.root / path
        for name, edit in EDITS.items():
            before = place.read_bytes()
            try:
                edit(vault, slug)
            except QuaidError as error:
                counts[f"{name} unclear"] += error.code != "invalid_input" or not error.hint
                assert place.read_bytes() == before, (path, name)
                counts[f"{name} refused"] += 1
                continue
            after = place.read_bytes()
            assert body(original) in after, (path, name)
            counts[f"{name} made"] += 1
    print(len(chosen), dict(sorted(counts.items())))
    assert not any(count for name, count in counts.items() if name.endswith("unclear"))
    assert not vault.findings()
    assert vault.pages() == vault.files()
    assert min(count for name, count in counts.items() if name.endswith("made")) > len(chosen) * 0.75


@lengths("every", 20, 5)
def test_what_is_added_can_be_taken_away_to_the_byte(vault: Vault, every: int) -> None:
    vault.write("alice.md", "# Alice\n")
    chosen = dict(list(FILES.items())[::every])
    for path, data in chosen.items():
        vault.write(path, data)
    vault.sync()
    for path, data in chosen.items():
        slug = address(vault, path)
        try:
            call(vault.app, "tag", slug=slug, tag="new")
        except InvalidInput:
            continue
        call(vault.app, "untag", slug=slug, tag="new")
        assert (vault.root / path).read_bytes() == data, path
        EDITS["link"](vault, slug)
        assert (vault.root / path).read_bytes() != data
        call(vault.app, "link-close", link_id=link_ids(vault, slug)[0], valid_until="2026-02-02")
        call(vault.app, "unlink", **{"from": slug, "to": ALICE})
        assert (vault.root / path).read_bytes() == data, path
        EDITS["assert"](vault, slug)
        known = call(vault.app, "facts", page=slug)["facts"]
        call(vault.app, "supersede", id=known[0]["id"], object="even", page=slug)
        assert body(data) in (vault.root / path).read_bytes()
        for fact in call(vault.app, "facts", page=slug, temporal="all")["facts"]:
            call(vault.app, "retract", id=fact["id"])
        assert (vault.root / path).read_bytes() == data, path


@lengths("every", 6, 1)
def test_org_files_are_edited_as_exactly(vault: Vault, every: int) -> None:
    vault.write("alice.md", "# Alice\n")
    suited = [path for path in FILES if path.startswith(("cut-", "mixed"))]
    chosen = {f"{path[:-3]}.org": FILES[path] for path in suited[::every]}
    for path, data in chosen.items():
        vault.write(path, data)
    vault.sync()
    slugs = vault.slugs()
    for path, data in chosen.items():
        for edit in (EDITS["tag"], EDITS["timeline-add"], EDITS["link"], EDITS["assert"]):
            with tolerating("invalid_input"):
                edit(vault, f"{NAME}::{slugs[path]}")
            after = (vault.root / path).read_bytes()
            assert all(line in after for line in data.split(b"\n")), path
    assert not vault.findings()


def test_links_that_are_repointed_by_a_move(vault: Vault) -> None:
    odd = b"\xff [[alice]] \xe4\xb8 \x93 \xe4\xb8\xad\xe6\x96\x87\r[a](alice.md)\r\n"
    western = "café, [[alice]] – naïve\n".encode("cp1252")
    wide = codecs.BOM_UTF16_BE + "Ä [[alice]] ö\n".encode("utf-16-be")
    files = {"alice.md": b"# Alice \xfe\n", "odd.md": odd, "western.md": western, "wide.md": wide}
    for path, data in files.items():
        vault.write(path, data)
    vault.sync()
    call(vault.app, "mv", slug=ALICE, to="people/alicia")
    assert vault.files() == {
        "people/alicia.md": b"# Alice \xfe\n",
        "odd.md": odd.replace(b"[[alice]]", b"[[alicia]]").replace(b"(alice.md)", b"(people/alicia.md)"),
        "western.md": western.replace(b"[[alice]]", b"[[alicia]]"),
        "wide.md": codecs.BOM_UTF16_BE + "Ä [[alicia]] ö\n".encode("utf-16-be"),
    }
    assert not vault.findings()


# What an encoding cannot say --------------------------------------------------------------------------

GBK = "# 会议\n\n今天和小王开会，讨论了项目的进度和下一步的计划。\n".encode("gbk")


@pytest.mark.parametrize(
    ("data", "summary"),
    [
        ("caf\xe9, na\xefve\n".encode("latin-1"), "学"),
        ("Сегодня на встрече мы обсудили план проекта и сроки.\n".encode("cp1251"), "café"),
        (b"nobody knows \xc0\xc1\xfe\xff this\n", "café"),
    ],
)
def test_a_character_that_does_not_fit_is_refused_and_the_page_converted_knowingly(
    vault: Vault, data: bytes, summary: str
) -> None:
    place = vault.write("a.md", data)
    vault.sync()
    slug = f"{NAME}::a"
    with pytest.raises(InvalidInput) as refused:
        call(vault.app, "timeline-add", slug=slug, date="2026-01-01", summary=summary)
    assert "quaid recode SLUG --from" in refused.value.hint
    assert place.read_bytes() == data
    name = decode(data)[1].replace("unknown", "latin-1")
    call(vault.app, "recode", slug=slug, **{"from": name})
    assert place.read_bytes() == data.decode(name).encode()
    call(vault.app, "timeline-add", slug=slug, date="2026-01-01", summary=summary)
    assert summary in place.read_bytes().decode()
    call(vault.app, "revert", slug=slug, to=1)
    assert place.read_bytes() == data
    assert not vault.findings()


def test_what_fits_is_written_in_the_encoding_of_the_file(vault: Vault) -> None:
    place = vault.write("a.md", GBK)
    vault.sync()
    call(vault.app, "timeline-add", slug=f"{NAME}::a", date="2026-01-01", summary="再次开会")
    assert place.read_bytes().startswith(GBK)
    assert "再次开会" in place.read_bytes().decode("gbk")


def test_recode_checks_the_version_and_what_it_is_told(vault: Vault) -> None:
    place = vault.write("a.md", GBK)
    vault.sync()
    slug = f"{NAME}::a"
    with pytest.raises(Conflict):
        call(vault.app, "recode", slug=slug, page_version=9, **{"from": "gb18030"})
    for source, target in (("no-such", "utf-8"), ("utf-8", "utf-8"), ("base64", "utf-8"), ("gbk", "utf-7")):
        with pytest.raises(InvalidInput) as refused:
            call(vault.app, "recode", slug=slug, to=target, **{"from": source})
        assert refused.value.hint
    assert place.read_bytes() == GBK
    done = call(vault.app, "recode", slug=slug, **{"from": "gbk"})
    assert (done["changed"], done["version"]) == (True, 2)
    assert place.read_bytes() == GBK.decode("gbk").encode()
    assert not call(vault.app, "recode", slug=slug, **{"from": "utf-8"})["changed"]


def test_a_page_in_the_memory_is_converted_and_reverted_to_the_byte(vault: Vault) -> None:
    text = GBK.decode("gbk")
    vault.app.collection().put("native", text, "gb18030")
    call(vault.app, "recode", slug="native", to="utf-16-le-bom", **{"from": "gb18030"})
    call(vault.app, "tag", slug="native", tag="x")
    assert call(vault.app, "get", slug="native")["encoding"] == "utf-16-le-bom"
    call(vault.app, "revert", slug="native", to=1)
    assert (call(vault.app, "get", slug="native")["content"], decode(encode(text, "gb18030"))[0]) == (
        text,
        text,
    )
    assert call(vault.app, "get", slug="native")["encoding"] == "gb18030"


# What a reader sees -----------------------------------------------------------------------------------


def test_a_page_with_odd_bytes_says_so_and_is_found_by_the_rest(vault: Vault) -> None:
    data = "# 记录\n\n海象 walrus ".encode() + b"\xe4\xb8" + " seal 海豹\n".encode()
    vault.write("odd.md", data)
    vault.write("western.md", "a naïve caf\xe9\n".encode("latin-1"))
    vault.sync()
    page = call(vault.app, "get", slug=f"{NAME}::odd")
    assert (page.get("encoding"), page["odd_bytes"]) == (None, 2)
    assert page["content"].encode().replace("\U0010f7e4\U0010f7b8".encode(), b"\xe4\xb8") == data
    assert [found(vault.app, word) for word in ("walrus", "seal", "海象", "海豹")] == [["odd"]] * 4
    assert found(vault.app, "café") == ["western"]
    listed = call(vault.app, "collection audit", name=NAME)["collections"][0]
    assert {each["slug"]: each["remark"] for each in listed["encodings"]} == {
        "odd": "read as utf-8, 2 odd bytes",
        "western": "read as cp1252",
    }


def test_nobody_can_put_a_byte_into_a_page_that_it_does_not_have(vault: Vault) -> None:
    vault.write("a.md", b"one \xff\xfe\n")
    vault.sync()
    slug = f"{NAME}::a"
    text = call(vault.app, "get", slug=slug)["content"]
    for wanted in (text + text, text + "\U0010f7aa"):
        with pytest.raises(InvalidInput, match="stand for bytes"):
            call(vault.app, "put", slug=slug, content=wanted)
    with pytest.raises(InvalidInput, match="stand for bytes"):
        call(vault.app, "put", slug="new", content="x \U0010f7aa\n")
    with pytest.raises(InvalidInput, match="stand for bytes"):
        call(vault.app, "tag", slug=slug, tag="x\U0010f7aa")
    assert vault.files() == {"a.md": b"one \xff\xfe\n"}


# Any bytes, any edit ----------------------------------------------------------------------------------

BYTES = st.one_of(
    st.binary(max_size=200),
    st.lists(
        st.sampled_from(
            [
                *(each.encode() for each in ("a", " ", "\n", "\r\n", "é", "学", "🦭", "---\n", "# T\n")),
                *(each.encode() for each in ("- 2024-01-01 — X\n", "tags: [a, b]\n", "#+title: x\n")),
                b"\xe4\xb8", b"\xff", b"\xc3", b"\x80", b"\0", b"\xed\xa0\x80", "\U0010f7e4".encode(),
            ]
        ),
        max_size=30,
    ).map(b"".join),
    st.text(max_size=60).map(lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le", "surrogatepass")),
)  # fmt: skip
LINK = Reference("b", "knows", source="frontmatter", valid=Interval("2024-01-01", None))
CLAIM = Claim("a", "is", "b", source="s")
WORDS = st.sampled_from(["new", "café", "学"])


def changes(format: Format, word: str) -> dict[str, Callable[[str], str]]:
    """Every edit of a text, on its own or after the one that makes it possible."""
    edits = page_format(format).editor
    claim = {"subject": "a", "predicate": "is", "object": "b", "source_ref": "s"}
    entry = TimelineEntry("2026-01-01", f"Met {word}")
    return {
        "tag": lambda text: edits.add_tag(text, word),
        "untag": lambda text: edits.remove_tag(text, "a"),
        "link": lambda text: edits.add_link(text, LINK),
        "link-close": lambda text: edits.close_link(edits.add_link(text, LINK), LINK, "2025-01-01"),
        "unlink": lambda text: edits.remove_links(edits.add_link(text, LINK), [LINK]),
        "assert": lambda text: edits.append_item(text, "assertions", claim),
        "retract": lambda text: edits.remove_claims(edits.append_item(text, "assertions", claim), [CLAIM]),
        "timeline-add": lambda text: edits.add_entry(text, entry),
        "fields": lambda text: edits.set_fields(text, {"title": word}),
        "truth": lambda text: edits.replace_truth(text, f"{word}\n"),
        "timeline": lambda text: edits.append_timeline(text, f"- 2026-01-01 — {word}"),
        "repoint": lambda text: edits.repoint_links(edits.add_link(text, LINK), {"b": "c"}),
        "append": lambda text: text + word,
        "cut": lambda text: text[: len(text) // 3] + word + text[len(text) // 2 :],
    }


@given(
    data=BYTES,
    format=st.sampled_from(["markdown", "org"]),
    word=WORDS,
    name=st.sampled_from([*changes("org", "")]),
)
@examples(300, 10_000)
def test_bytes_outside_an_edit_stay(data: bytes, format: Format, word: str, name: str) -> None:
    old, encoding = decode(data)
    assert encode(old, encoding) == data
    try:
        new = changes(format, word)[name](old)
        made, text, name_of = page_with_text(data, old, new, encoding)
    except InvalidInput:
        return
    assert decode(made) == (text, name_of)
    assert encode(text, name_of) == made
    if new.startswith("\ufeff") != old.startswith("\ufeff"):
        return  # a mark that is part of the text comes or goes
    start = next(
        (n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    rest = min(len(old), len(new)) - start
    end = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    mark = len(data) - size(old, encoding)
    assert made[: mark + size(old[:start], encoding)] == data[: mark + size(old[:start], encoding)]
    assert made.endswith(data[len(data) - size(old[len(old) - end :], encoding) :] if end else b"")


def size(text: str, encoding: str) -> int:
    """How many bytes a part of a text has, without a mark."""
    return len(encode("." + text, encoding)) - len(encode(".", encoding))
