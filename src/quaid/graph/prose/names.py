"""What names in a text mean: a page, or somebody who has none."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from quaid.formats.slugs import PAGE_EXTENSION, fold
from quaid.graph.prose.meanings import PAGE
from quaid.graph.prose.rivals import tokens
from quaid.graph.prose.sentences import link_target
from quaid.graph.prose.subjects import OWN
from quaid.model.record import record

# A page, or the folded name of what has none.
Subject = int | str


def keys(name: str) -> tuple[str, ...]:
    """The folded names under which the page that a name means may be known."""
    target = link_target(name)
    if target is None:
        bare = re.sub(r"^(?:the|our|her|his|their|its|my|that)\s+", "", name.strip(), flags=re.IGNORECASE)
        return (fold(name), fold(bare))
    path = PAGE_EXTENSION.sub("", target[0].removeprefix("file:").replace("%20", " ").lstrip("./"))
    return (fold(path), fold(path.rsplit("/", 1)[-1]), fold(target[1]))


@record
class Names:
    """What names mean: those of all pages, and on each page those of the pages to which it is related."""

    known: Mapping[str, int]
    related: Mapping[int, Collection[int]]
    spoken: Mapping[int, frozenset[str]]  # the words of a page's names, and of what it says that it is

    def subject(self, name: str, page: int) -> Subject | None:
        """Whom a name on a page means; None for a thing that cannot be told."""
        if name in (OWN, PAGE):
            return page
        found = self.page(name, page)
        if found is not None:
            return found
        return keys(name)[-1] if link_target(name) or name[:1].isupper() else None

    def page(self, name: str, page: int) -> int | None:
        """The page that a name means: by its whole name, or by a part of it among related pages."""
        if name == PAGE:
            return page
        for key in keys(name):
            if key in self.known:
                return self.known[key]
        said = tokens(name)
        near = [other for other in self.related.get(page, ()) if self._is_called(other, said, name)]
        return near[0] if len(near) == 1 else None

    def _is_called(self, page: int, said: frozenset[str], name: str) -> bool:
        spoken = self.spoken.get(page, frozenset())
        if name[:1].isupper() or link_target(name):
            return bool(said) and said <= spoken
        # `the font licence` means the licence of which the page speaks.
        last = fold(name).split()[-1:]
        return bool(last) and last[0] in spoken and 2 * len(said & spoken) >= len(said)
