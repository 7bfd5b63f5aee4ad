"""What a page is: the type that it has, or what its folder is called."""

from __future__ import annotations

import re

from quaid.formats.slugs import fold
from quaid.graph.prose.subjects import kind_of_page
from quaid.store.doubts import Truth

# Types of pages that are about no one person or thing; `concept` is what a page is that has no type.
_TEXT_WORDS = """
archive area article articles blog book clipping clippings concept concepts daily dashboard diary draft
fleeting guide highlight highlights home index inbox journal kb list literature log map moc movie note notes
overview permanent post posts readme reference resource resources snippet source sources template templates
topic tutorial weekly zettel
"""
_TEXTS = frozenset(_TEXT_WORDS.split())
# Folders that say nothing of what is in them, besides those of texts.
_ROOM_WORDS = """
archives assets attachments content doc docs documentation drafts file files guides home ideas info life lists
logs main maps media memory misc notebook other originals page pages personal private project public raw refs
snippets stuff tmp todo topics tutorials various vault website wiki work writing zettelkasten
"""
_ROOMS = _TEXTS | frozenset(_ROOM_WORDS.split())
_NOUN = re.compile(r"[a-z]{3,}")
_SEVERAL = re.compile(r"(?P<y>ies)$|(?<=[xz])es$|(?<=ss|ch|sh)es$|(?<![siu])s$")


def is_subject(page: Truth) -> bool:
    """Whether a page is about somebody or something that its type or its folder names."""
    return is_typed(page) or bool(_of_folder(page.slug))


def kind_named(page: Truth) -> str:
    """What a page is called a … of. Where the type tells nothing of that, its folder does."""
    return page.type if is_typed(page) else _of_folder(page.slug) or page.type


def is_typed(page: Truth) -> bool:
    """Whether its author says what a page is about."""
    return bool(kind_of_page(page.type)) or (bool(page.type) and fold(page.type) not in _TEXTS)


def _of_folder(slug: str) -> str:
    """What one of the things in a folder is, if that is called after things: `venue` of venues/old-mill."""
    folder = slug.rpartition("/")[0].rpartition("/")[2]
    if not _NOUN.fullmatch(folder) or folder in _ROOMS:
        return ""
    if not _SEVERAL.search(folder):
        return folder if kind_of_page(folder) else ""  # a subject, or a word of another language
    return _SEVERAL.sub(lambda found: "y" if found["y"] else "", folder)
