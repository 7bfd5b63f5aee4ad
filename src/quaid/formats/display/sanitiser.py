"""The one way by which HTML of a page reaches a browser: what is not known to be harmless is left out.

Whatever a page contains, the result has only the elements and attributes below. A link leads to the web, to a
page of the memory or to a place on this page; an image of the memory is shown, one from elsewhere becomes a
button, because fetching it would tell others what is read.
"""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser
from urllib.parse import urlsplit

PAGE, FILE = "/page/", "/api/dashboard/file?"  # where pages and files of the memory are
VOID = frozenset(("br", "hr", "img", "input", "wbr"))
_SILENT = "script style template iframe object embed svg math noscript title textarea xmp noembed noframes"
SILENT = frozenset(_SILENT.split())  # elements whose contents are left out with them
_CLASSES = frozenset(
    ("task", "wikilink", "missing", "math", "display", "embed", "footnote", "tag", "org-keyword")
)
_LANGUAGE = re.compile(r"language-[\w+#.-]{1,30}\Z")
_NUMBER = re.compile(r"[0-9]{1,7}\Z")
_WORDS = re.compile(r"[\w:.-]{1,100}\Z")
_ALIGNMENT = re.compile(r"text-align:\s*(left|right|center)\s*;?\Z")
_PLAIN = (
    "p br hr blockquote pre code em strong b i u s del ins sup sub kbd mark small q cite abbr dfn var samp "
    "wbr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr th td caption div span a img input "
    "details summary figure figcaption section article"
)
_ELEMENTS = frozenset(_PLAIN.split())
MOST_OPEN = 200  # elements within each other: a browser recurses


def clean(html: str) -> str:
    """The harmless part of some HTML, with every element closed."""
    parser = _Cleaner()
    parser.feed(html)
    parser.close()
    return parser.result()


class _Cleaner(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[str] = []
        self._open: list[str] = []
        self._silent: list[str] = []  # elements whose contents are left out too

    def result(self) -> str:
        """What was kept."""
        return "".join([*self._parts, *(f"</{name}>" for name in reversed(self._open))])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self._silent.append(tag)
        if self._silent or tag not in _ELEMENTS:
            return
        given = {name: value or "" for name, value in attrs}
        if tag == "img":
            self._parts.append(_image(given))
        elif tag in VOID:
            kept = _task(given) if tag == "input" else f"<{tag}>"
            self._parts.append(kept)
        elif len(self._open) < MOST_OPEN:
            self._open.append(tag)
            self._parts.append(f"<{tag}{_attributes(tag, given)}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        elif not self._silent and tag in self._open:
            while True:
                closed = self._open.pop()
                self._parts.append(f"</{closed}>")
                if closed == tag:
                    return

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._parts.append(escape(data, quote=False))


def _attributes(tag: str, given: dict[str, str]) -> str:
    kept: dict[str, str] = {}
    classes = [each for each in given.get("class", "").split() if each in _CLASSES or _LANGUAGE.match(each)]
    if classes:
        kept["class"] = " ".join(classes)
    if tag == "a":
        kept |= _link(given)
    if _WORDS.match(given.get("id", "")):
        kept["id"] = "in-" + given["id"].removeprefix("in-")  # a name of the page's own, never one of ours
    if _NUMBER.match(given.get("data-line", "")):
        kept["data-line"] = given["data-line"]
    for name in ("title", "lang", "dir"):
        if given.get(name):
            kept[name] = given[name][:500]
    for name in ("colspan", "rowspan", "start", "value"):
        if _NUMBER.match(given.get(name, "")):
            kept[name] = given[name]
    aligned = _ALIGNMENT.match(given.get("style", "")) if tag in ("td", "th") else None
    if aligned:
        kept["align"] = aligned[1]
    if tag == "details" and "open" in given:
        kept["open"] = ""
    return "".join(f' {name}="{escape(value)}"' for name, value in kept.items())


def _link(given: dict[str, str]) -> dict[str, str]:
    address = given.get("href", "").strip()
    if address.startswith("#"):
        return {"href": "#in-" + address[1:].removeprefix("in-")}
    if address.startswith(PAGE) and "?" not in address:
        return {"href": address}
    if scheme(address) in ("http", "https", "mailto"):
        return {"href": address, "rel": "noopener noreferrer nofollow", "target": "_blank"}
    return {}


def _image(given: dict[str, str]) -> str:
    source, label = given.get("src", "").strip(), escape(given.get("alt", "")[:200])
    if source.startswith(FILE):
        return f'<img src="{escape(source)}" alt="{label}" loading="lazy">'
    if scheme(source) in ("http", "https"):
        host = escape(urlsplit(source).hostname or "")
        return (
            f'<button type="button" class="remote-image" data-src="{escape(source)}" data-alt="{label}">'
            f"Image from {host}{': ' + label if label else ''}</button>"
        )
    return f'<span class="missing">{label or "image"}</span>'


def _task(given: dict[str, str]) -> str:
    line = given.get("data-line", "")
    if given.get("type") != "checkbox":
        return ""
    state = (" checked" if "checked" in given else "") + (
        f' data-line="{line}"' if _NUMBER.match(line) else " disabled"
    )
    return f'<input type="checkbox" aria-label="Done"{state}>'


def scheme(address: str) -> str:
    """The scheme of an address as a browser reads it, in small letters; nothing where it has none."""
    try:
        return urlsplit("".join(address.split())).scheme.lower()
    except ValueError:
        return ""
