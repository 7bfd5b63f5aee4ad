"""A model of where links of an Obsidian vault lead, written from its rule and from nothing of the program.

It knows files and the links in their text. It does not know titles and aliases beyond what `names` says.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

HIDDEN = re.compile(r"^```.*?^```|`[^`\n]*`|<!--.*?-->", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[\[([^\[\]|#\n]+)[^\[\]\n]*\]\]|\[[^\[\]\n]*\]\((?:<([^<>\n]*)>|([^()\s]*))\)")
FIELDS = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)


def plain(text: str) -> str:
    """A path as a file system compares it that ignores capitals."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower())


def loose(text: str) -> str:
    """A title as people compare it."""
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return " ".join(re.findall(r"[\w+]+", bare.casefold().replace("_", " ")))


class Vault:
    """The files of a vault, by path."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files
        self.by_name: dict[str, list[str]] = {}
        self.by_title: dict[str, list[tuple[int, str]]] = {}
        for path, text in files.items():
            self.by_name.setdefault(plain(posixpath.basename(path)), []).append(path)
            for rank, name in names(path, text):
                self.by_title.setdefault(loose(name), []).append((rank, path))

    def leads(self) -> dict[str, list[str | None]]:
        """Where the links of each file lead, in the order of its text."""
        return {path: [self.dest(path, *link) for link in links(text)] for path, text in self.files.items()}

    def dest(self, origin: str, written: str, is_markdown: bool) -> str | None:
        """The path of the file that is meant."""
        file = self.file(origin, written, is_markdown)
        if file or re.match(r"\.{0,2}/", written):
            return file
        folder = plain(posixpath.dirname(origin))
        name = re.sub(r"\.md\Z", "", written, flags=re.IGNORECASE)
        found = self.by_title.get(loose(name), [])
        best = [path for rank, path in found if rank == min(found)[0]]
        return min(best, key=lambda path: _order(path, folder, name), default=None)

    def file(self, origin: str, written: str, is_markdown: bool) -> str | None:
        """The file whose path is meant: that path, one near the origin, the shortest."""
        folder = plain(posixpath.dirname(origin))
        name = written if written.lower().endswith(".md") else written + ".md"
        link = plain(name)
        candidates = self.by_name.get(posixpath.basename(link), [])
        there = _joined("" if link.startswith("/") else folder, link)
        if is_markdown or re.match(r"\.{0,2}/", link):
            exact = [path for path in candidates if plain(path) == there]
            if exact or re.match(r"\.{0,2}/", link):
                spelled = _joined("" if name.startswith("/") else posixpath.dirname(origin), name)
                return min(exact, key=lambda path: _order(path, folder, spelled), default=None)
        exact = [path for path in candidates if plain(path) == link]
        ending = [path for path in candidates if f"/{plain(path)}".endswith(f"/{link}")]
        return min(exact or ending, key=lambda path: _order(path, folder, name), default=None)


def links(text: str) -> Iterator[tuple[str, bool]]:
    """What the links of a text say, and whether they are in Markdown."""
    body = FIELDS.sub("", text)
    for match in LINK.finditer(HIDDEN.sub(lambda hidden: " " * len(hidden.group()), body)):
        wiki, address = match.group(1), match.group(2) or match.group(3) or ""
        if wiki:
            yield wiki.strip().removesuffix("\\").strip(), False
        elif address.partition("#")[0].lower().endswith(".md") and "://" not in address:
            yield unquote(address.partition("#")[0]), True


def names(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Other names of a file: a loose spelling of its path, its title, its aliases."""
    parts = path.removesuffix(".md").split("/")
    yield 0, "/".join(parts)
    yield from ((1, "/".join(parts[start:])) for start in range(1, len(parts)))
    head = FIELDS.match(text)
    said = dict(line.split(": ", 1) for line in (head.group(1).split("\n") if head else ()) if ": " in line)
    heading = re.search(r"^# (.+)$", FIELDS.sub("", text), re.MULTILINE)
    yield 2, said.get("title") or (heading.group(1) if heading else parts[-1])
    yield from (
        (3, alias.strip()) for alias in said.get("aliases", "").strip("[]").split(",") if alias.strip()
    )


def _order(path: str, folder: str, name: str) -> tuple[bool, int, bool, str]:
    far = bool(folder) and not plain(path).startswith(f"{folder}/")
    composed = unicodedata.normalize("NFC", path)
    length = len(composed.encode("utf-16-le")) // 2
    spelled = composed.removesuffix(".md").endswith(unicodedata.normalize("NFC", name.removesuffix(".md")))
    return far, length, not spelled, composed


def _joined(folder: str, link: str) -> str:
    parts = folder.split("/") if folder else []
    for part in link.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
