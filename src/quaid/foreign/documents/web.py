"""Web pages as Markdown."""

from __future__ import annotations

import warnings
from typing import Any

from quaid.errors import InvalidInput
from quaid.foreign.documents.readers import Origin, Reading, broken, day_of, missing_reader, tidied
from quaid.formats.encoding import decode

# Nothing that acts, and nothing that is about the site rather than the page.
_ACTING = ("script", "style", "noscript", "template", "iframe", "object", "embed", "form", "button", "input")
_SITE = ("select", "textarea", "link", "meta", "nav", "footer", "aside")
_MEDIA = ("svg", "canvas", "img", "picture", "video", "audio", "source")
_DROPPED = ("title", *_ACTING, *_SITE, *_MEDIA)
MAX_DEPTH = 400
_DAYS = (
    "article:published_time",
    "datepublished",
    "date",
    "dc.date",
    "dcterms.date",
    "pubdate",
    "publish-date",
)
_AUTHORS = ("author", "article:author", "dc.creator", "citation_author")


def read(data: bytes) -> Reading:
    """The text of a web page: its article if it marks one, else all of it, without images and scripts."""
    try:
        from bs4 import BeautifulSoup  # only for web pages, and an extra
    except ImportError:
        raise missing_reader("web pages") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a document that looks like XML is read all the same
        declared = _is_unicode(data)
        soup = BeautifulSoup(decode(data)[0] if declared else data, "html.parser")
    return markdown(soup)


def markdown(soup: Any) -> Reading:
    """A parsed page as Markdown."""
    from markdownify import MarkdownConverter  # comes with the same extra

    title = " ".join(soup.title.get_text().split()) if soup.title else ""
    origin = _origin(soup)
    for element in soup(list(_DROPPED)):
        element.decompose()
    _check_depth(soup)
    marked = soup.find_all("article") or soup.find_all("main")
    body = marked[0] if len(marked) == 1 else soup.body or soup
    heading = soup.h1.get_text(" ", strip=True) if soup.h1 else ""
    try:
        text = MarkdownConverter(heading_style="ATX", bullets="-", escape_misc=False).convert_soup(body)
    except RecursionError as error:
        raise broken("web page", "it is nested too deeply") from error
    return Reading(tidied(text), " ".join(heading.split()) or title, origin=origin)


def _origin(soup: Any) -> Origin:
    """When a page was published and by whom, as its head says."""
    stated = {
        str(each.get("property") or each.get("name") or each.get("itemprop") or "").lower(): str(
            each.get("content") or ""
        )
        for each in soup.find_all("meta")
    }
    days = [day_of(stated[key]) for key in _DAYS if key in stated]
    days += [day_of(str(each.get("datetime") or "")) for each in soup.find_all("time")[:1]]
    authors = [" ".join(stated[key].split()) for key in _AUTHORS if stated.get(key, "").strip()]
    author = next((each for each in authors if "://" not in each and len(each) <= 100), "")
    return Origin(date=next((day for day in days if day), ""), author=author)


def _is_unicode(data: bytes) -> bool:
    """UTF-8 is believed before what a page says of itself, which is often left over from a template."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _check_depth(soup: Any) -> None:
    open_ = [(child, 1) for child in soup.children]
    while open_:
        element, level = open_.pop()
        if level > MAX_DEPTH:
            raise InvalidInput("the web page is nested too deeply", hint="Ingest its text instead.")
        open_.extend((child, level + 1) for child in getattr(element, "children", ()))
