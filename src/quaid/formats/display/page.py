"""A page as HTML: Markdown by CommonMark with tables, tasks, wiki links and formulas; org by way of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from urllib.parse import quote, unquote, urlencode

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from quaid.formats.display.org import as_markdown
from quaid.formats.display.sanitiser import FILE, PAGE, clean, scheme
from quaid.formats.markdown.links import ATTACHMENT, joined
from quaid.model.page import Format
from quaid.model.record import record

LONGEST = 2_000_000  # characters that are shown: a longer page would keep the browser for seconds
_WIKI = re.compile(r"(!?)\[\[([^\[\]\n]+)\]\]")
_MATH = re.compile(r"\$\$(?=\S)(.+?)(?<=\S)\$\$|\$(?=[^\s$\d])([^$\n]*?[^\s$\\])\$(?!\d)", re.DOTALL)
_TASK = re.compile(r"\[([ xX-])\][ \t]+")
_NOT_WORD = re.compile(r"[^\w]+")


@record
class Shown:
    """A page's text, and what is needed to show it. Lines count from the first line of the file."""

    body: str
    format: Format = "markdown"
    first_line: int = 1
    collection: str = ""
    place: str = ""  # its path or slug, from which relative addresses start
    links: Mapping[str, str] = {}  # what is written: the slug of the page that is meant


@record
class Heading:
    """A heading; `line` counts from 1."""

    level: int
    text: str
    line: int


@record
class Display:
    """HTML that is safe, and the headings in it."""

    html: str
    headings: tuple[Heading, ...]


def display(page: Shown) -> Display:
    """Show a page."""
    body = page.body[:LONGEST]
    text = as_markdown(body) if page.format == "org" else body
    writer = _Writer(page)
    tokens = writer.markdown.parse(text)
    writer.prepare(tokens)
    html = writer.markdown.renderer.render(tokens, writer.markdown.options, {})
    return Display(clean(html), tuple(writer.headings))


class _Writer:
    """Markdown to HTML for one page."""

    def __init__(self, page: Shown) -> None:
        self._page = page
        self.headings: list[Heading] = []
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        self.markdown.inline.ruler.before("link", "wiki", self._wiki)
        self.markdown.inline.ruler.before("escape", "math", _math)

    def prepare(self, tokens: list[Token]) -> None:
        """Make links and images lead where they lead here; note headings, tasks and lines."""
        for place, token in enumerate(tokens):
            if token.map:
                token.attrSet("data-line", str(token.map[0] + self._page.first_line))
            if token.type == "heading_open":
                content = tokens[place + 1].content
                token.attrSet("id", anchor(content))
                line = (token.map or [0])[0] + self._page.first_line
                self.headings.append(Heading(int(token.tag[1:]), content, line))
            if token.type == "inline" and place > 1 and tokens[place - 2].type == "list_item_open":
                self._tick(tokens[place - 2], token)
            for child in token.children or ():
                self._lead(child)

    def _tick(self, item: Token, inline: Token) -> None:
        first = inline.children[0] if inline.children else None
        match = _TASK.match(inline.content)
        if not match or first is None or first.type != "text" or not first.content.startswith(match.group()):
            return
        item.attrJoin("class", "task")
        first.content = first.content[match.end() :]
        checked = " checked" if match[1] in "xX" else ""
        box = Token("html_inline", "", 0)
        line = (inline.map or [0])[0] + self._page.first_line
        box.content = f'<input type="checkbox" data-line="{line}"{checked}>'
        inline.children = [box, *(inline.children or ())]

    def _lead(self, token: Token) -> None:
        if token.type == "link_open":
            address = str(token.attrGet("href") or "")
            if not scheme(address) and not address.startswith("#"):
                token.attrSet("href", self._page_address(unquote(address)) or "")
        elif token.type == "image":
            source = str(token.attrGet("src") or "")
            if not scheme(source):
                token.attrSet("src", self._file(unquote(source)))

    def _page_address(self, written: str) -> str | None:
        target, _, heading = written.partition("#")
        slug = self._page.links.get(target.strip())
        if slug is None:
            return None
        return PAGE + quote(slug) + (f"#in-{anchor(heading)}" if heading else "")

    def _file(self, path: str) -> str:
        """Where a file beside the page is had; its extension is part of its name."""
        where = path if "/" in path and not path.startswith(".") else path.removeprefix("./")
        beside = joined(where + ".md", self._page.place)
        return FILE + urlencode({"collection": self._page.collection, "path": where, "beside": beside})

    def _wiki(self, state: StateInline, silent: bool) -> bool:
        match = _WIKI.match(state.src, state.pos, state.posMax)
        if not match:
            return False
        if not silent:
            state.push("html_inline", "", 0).content = self._wiki_html(bool(match[1]), match[2])
        state.pos = match.end()
        return True

    def _wiki_html(self, embed: bool, inside: str) -> str:
        address, _, label = inside.replace("\\|", "|").partition("|")
        target = address.partition("#")[0].strip()
        if ATTACHMENT.search(target):
            source = escape(self._file(target))
            return (
                f'<img src="{source}" alt="{escape(target)}">'
                if embed
                else f'<span class="missing">{escape(label or target)}</span>'
            )
        text = escape(label.strip() or address.strip().lstrip("#"))
        href = f"#{anchor(address[1:])}" if address.startswith("#") else self._page_address(address)
        if href is None:
            return f'<span class="wikilink missing" title="no such page yet">{text}</span>'
        kind = "wikilink embed" if embed else "wikilink"
        return f'<a class="{kind}" href="{escape(href)}">{text}</a>'


def _math(state: StateInline, silent: bool) -> bool:
    """A formula stands as it was written: what is between dollars is no emphasis."""
    if state.src[state.pos] != "$":
        return False
    match = _MATH.match(state.src, state.pos, state.posMax)
    if not match:
        return False
    if not silent:
        formula = escape(match[1] or match[2])
        kind = "math display" if match[1] else "math"
        state.push("html_inline", "", 0).content = f'<span class="{kind}">{formula}</span>'
    state.pos = match.end()
    return True


def anchor(heading: str) -> str:
    """The name of a heading in an address."""
    return _NOT_WORD.sub("-", heading.strip().lower()).strip("-")[:80]
