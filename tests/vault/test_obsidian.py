"""Links lead where Obsidian leads them, and stay there when pages move, as an independent model judges."""

from __future__ import annotations

import posixpath
import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from quaid.errors import QuaidError
from quaid.formats.slugs import slugify
from tests.support import call
from tests.vault import obsidian
from tests.vault.support import NAME, Vault

VAULTS, PAGES, MOVES = 2, 40, 60  # of the generated test; larger ones were run by hand

FOLDERS = ("", "a", "b", "a/b", "b/a", "A b/c", "日記", "Zürich", unicodedata.normalize("NFD", "Zürich/ö"))
STEMS = (
    *(
        "Note",
        "note",
        "NOTE",
        "README",
        "C",
        "C++",
        "C#",
        "Rust",
        "Rust ?",
        "index",
        "日記",
        "한국어",
        "🦀 crab",
    ),
    *("Ünï", unicodedata.normalize("NFD", "Ünï"), "v1.2", "mailbox.org", "End.", "two words", "two-words"),
)
TITLES = ("Alpha", "Beta Gamma", "Δelta", "Note", "two words")


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    (tmp_path / "v").mkdir()
    opened = Vault(tmp_path / "v", tmp_path / "m.db")
    yield opened
    opened.app.store.close()


def on_disk(vault: Vault) -> obsidian.Vault:
    """The model of the files as they are now."""
    return obsidian.Vault({path: data.decode() for path, data in vault.files().items()})


def answers(vault: Vault) -> dict[tuple[str, str, bool], str | None]:
    """Where the memory says that links lead: by file, what is written, and whether it is a Markdown link."""
    found = vault.app.connection.execute(
        """SELECT f.path, l.target, l.written, l.source_kind, t.path FROM links l
           JOIN live_pages f ON f.id = l.from_page_id LEFT JOIN live_pages t ON t.id = l.to_page_id
           WHERE l.source_kind <> 'frontmatter'"""
    )
    return {
        (origin, written or target, kind == "markdown_link"): goal
        for origin, target, written, kind, goal in found
    }


def assert_as_obsidian(vault: Vault) -> int:
    """Every link leads where the model leads it; the answer is how many there are."""
    model, known, checked = on_disk(vault), answers(vault), 0
    for origin, text in model.files.items():
        for written, is_markdown in obsidian.links(text):
            key = (origin, written, is_markdown)
            if key in known:  # of two spellings of one link the first is kept
                assert known[key] == model.dest(*key), key
            checked += 1
    for origin, goals in model.leads().items():
        assert {known[key] for key in known if key[0] == origin} - {None} == {*goals} - {None}, origin
    return checked


@pytest.mark.parametrize(
    ("files", "origin", "link", "goal"),
    [
        ("b/Note a/b/Note zzzz/Note", "x/From", "[[Note]]", "b/Note"),  # the shortest path, not the first
        ("a/b/Note zzzz/Note", "x/From", "[[Note]]", "a/b/Note"),  # as a text, not by its folders
        ("b/Note zzzz/Note", "zzzz/From", "[[Note]]", "zzzz/Note"),  # beside the link
        ("b/Note zzzz/Note", "zzzz/deep/From", "[[Note]]", "b/Note"),  # a folder above counts for nothing
        ("b/Note zzzz/deep/Note", "zzzz/From", "[[Note]]", "zzzz/deep/Note"),  # one below does
        ("Note zzzz/Note", "zzzz/From", "[[Note]]", "Note"),  # the path itself before all
        ("b/Note x/b/Note", "x/From", "[[b/Note]]", "b/Note"),
        ("c/b/Note x/y/b/Note", "x/From", "[[b/Note]]", "x/y/b/Note"),  # the end of a path
        ("ab/Note", "From", "[[b/Note]]", None),  # whole folders
        ("x/log y/Log", "From", "[[Log]]", "y/Log"),  # of equals, the one that is spelled so
        ("Log log", "From", "[[log]]", "log"),
        ("x/log y/deep/Log", "From", "[[Log]]", "x/log"),  # capitals decide between equals only
        ("C C++", "From", "[[C]] [[C++]]", "C C++"),
        ("C++", "From", "[[C]]", None),
        ("x/Rust! x/Rust", "From", "[[Rust]]", "x/Rust"),
        ("x/Note", "From", "[[Note.md]]", "x/Note"),
        ("x/mailbox.org", "From", "[[mailbox.org]]", "x/mailbox.org"),
        ("x/Note b/Note", "x/From", "[t](Note.md) [t](../b/Note.md)", "x/Note b/Note"),
        ("Note x/Note", "x/From", "[t](Note.md)", "x/Note"),  # relative first, in Markdown
        ("b/Note", "x/From", "[t](Note.md)", "b/Note"),  # then as Obsidian finds it
        ("b/Note", "x/From", "[t](./Note.md) [[./Note]]", None),  # this place and no other
        ("b/Note", "x/From", "[t](/b/Note.md) [t](/Note.md)", "b/Note None"),
        ("x/Note", "x/From", "[[./Note]] [[../x/Note|same]]", "x/Note"),
        ("x/Note", "x/From", "[t](sub/../Note.md) [t](sub/../../x/Note.md)", "x/Note x/Note"),
        ("x/Ünï", "From", "[[U\u0308ni\u0308]] [t](x/%C3%9Cn%C3%AF.md)", "x/Ünï x/Ünï"),
        ("x/a_b x/q", "From", '[t](<x/q.md> "T") [t](x/q.md#part)', "x/q"),
        ("x/q", "From", "[[q#Part]] [[q#^id|label]] ![[q]] [[#own]]", "x/q"),
        ("x/C#", "From", "[t](x/C%23.md)", "x/C#"),
        ("x/Rust?", "From", "[t](<x/Rust?.md>)", "x/Rust?"),
    ],
)
def test_the_rule(vault: Vault, files: str, origin: str, link: str, goal: str | None) -> None:
    for path in files.split():
        vault.write(f"{path}.md", "Text\n")
    vault.write(f"{origin}.md", f"{link}\n")
    vault.sync()
    found = goals(vault)
    assert found == (goal or "None").split() * (1 if goal else len(found))
    for path in files.split():
        (vault.root / f"{path}.md").unlink()
    vault.sync(accept_empty=True)
    assert not set(goals(vault)) - {"None"}
    for path in files.split():  # the link is there before them
        vault.write(f"{path}.md", "Text\n")
    vault.sync()
    assert goals(vault) == found


def goals(vault: Vault) -> list[str]:
    """The files to which the links lead, in their order."""
    sql = "SELECT t.path FROM links l LEFT JOIN live_pages t ON t.id = l.to_page_id ORDER BY l.ordinal"
    return [path.removesuffix(".md") if path else "None" for (path,) in vault.app.connection.execute(sql)]


def test_titles_and_aliases_come_after_files(vault: Vault) -> None:
    vault.write("x/one.md", "---\ntitle: Mars\naliases: [Venus]\n---\n")
    vault.write("x/two.md", "---\naliases: [Mars]\n---\n")
    vault.write("from.md", "[[Mars]] [[Venus]]\n")
    vault.sync()
    assert set(answers(vault).values()) == {"x/one.md"}
    vault.write("deep/down/Mars.md", "The planet\n")
    vault.sync()
    assert answers(vault)["from.md", "Mars", False] == "deep/down/Mars.md"


def test_the_order_in_which_files_come_does_not_matter(tmp_path: Path) -> None:
    files = generated(random.Random(7))
    found = []
    for number, order in enumerate([sorted(files), sorted(files, reverse=True)]):
        root = tmp_path / str(number)
        root.mkdir()
        vault = Vault(root, tmp_path / f"{number}.db")
        half = len(order) // 2
        for part in (order[:half], order[half:]):
            for path in part:
                vault.write(path, files[path])
            vault.sync()
        found.append(answers(vault))
        vault.app.store.close()
    assert found[0] == found[1]


@pytest.mark.parametrize("seed", range(VAULTS))
def test_generated_vaults_before_and_after_moves(vault: Vault, seed: int) -> None:
    source = random.Random(seed)
    for path, text in generated(source).items():
        vault.write(path, text)
    vault.sync()
    assert assert_as_obsidian(vault) > PAGES
    led = on_disk(vault).leads()
    done = 0
    for _ in range(MOVES):
        moved = a_move(vault, source)
        if moved:
            done += 1
            led = renamed(led, *moved)
    assert done > MOVES // 3
    for path, goals in on_disk(vault).leads().items():
        kept = [(goal, now) for goal, now in zip(led[path], goals, strict=True) if goal]
        assert [now for _, now in kept] == [goal for goal, _ in kept], path
    assert_as_obsidian(vault)
    assert not call(vault.app, "validate", all=True)["findings"]


def test_a_page_that_is_removed_and_restored_has_its_links_again(vault: Vault) -> None:
    source = random.Random(3)
    for path, text in generated(source).items():
        vault.write(path, text)
    vault.sync()
    before, slugs = answers(vault), vault.slugs()
    for path in source.sample(sorted(slugs), 8):
        slug = vault.slugs()[path]
        call(vault.app, "rm", slug=f"{NAME}::{slug}")
        assert_as_obsidian(vault)
        call(vault.app, "restore", slug=f"{NAME}::{slug}")
    assert answers(vault) == before


def a_move(vault: Vault, source: random.Random) -> tuple[str, str] | None:
    """Move some page to where it may take another's name; the answer is its old and new path."""
    slugs = vault.slugs()
    path, other = source.sample(sorted(slugs), 2)
    folder = source.choice((posixpath.dirname(path), posixpath.dirname(other), "new"))
    name = source.choice((posixpath.basename(path), posixpath.basename(other)))
    goal = slugify(posixpath.join(folder, name))
    page = vault.ids()[path]
    try:
        call(vault.app, "mv", slug=f"{NAME}::{slugs[path]}", to=goal)
    except QuaidError:
        return None
    return path, next(new for new, page_id in vault.ids().items() if page_id == page)


def renamed(led: dict[str, list[str | None]], old: str, new: str) -> dict[str, list[str | None]]:
    """Where links lead when a file has another path."""
    return {
        new if path == old else path: [new if goal == old else goal for goal in goals]
        for path, goals in led.items()
    }


def generated(source: random.Random) -> dict[str, str]:
    """Files of a vault in which many are called alike."""
    paths = sorted(
        {posixpath.join(source.choice(FOLDERS), f"{source.choice(STEMS)}.md") for _ in range(PAGES * 2)}
    )
    chosen = source.sample(paths, PAGES)
    return {path: _text(path, chosen, source) for path in chosen}


def _text(origin: str, paths: list[str], source: random.Random) -> str:
    head = [f"title: {source.choice(TITLES)}"] if source.random() < 0.3 else []
    head += [f"aliases: [{source.choice(TITLES)}]"] if source.random() < 0.2 else []
    links = [_link(origin, source.choice(paths), source) for _ in range(source.randrange(1, 7))]
    body = "\n".join(f"See {link}, she said." for link in links)
    return (f"---\n{chr(10).join(head)}\n---\n" if head else "") + f"Words.\n\n{body}\n"


def _link(origin: str, path: str, source: random.Random) -> str:
    name = source.choice((posixpath.basename(path), path, "/".join(path.split("/")[-2:]))).removesuffix(".md")
    if source.random() < 0.15:
        name = source.choice((name.upper(), source.choice(TITLES), unicodedata.normalize("NFD", name)))
    kind = source.randrange(8)
    relative = posixpath.relpath(path, posixpath.dirname(origin) or ".")
    if kind == 0:
        return f"[text]({quote(relative)})"
    if kind == 1 and "(" not in relative:
        return f"[text](<./{relative}#part>)" if "#" not in relative and "?" not in relative else "none"
    if kind == 2:
        return f"[text]({quote(name)}.md#part)"
    if kind == 3:
        return f"[text](/{quote(path)})"
    tail = source.choice(("", "|label", "#Heading", "#^block", ".md"))
    return ("!" if source.random() < 0.2 else "") + f"[[{name.replace('#', '')}{tail}]]"
