"""What stands in a node below its drawer: links, headlines that are nodes, and what Org would not read.

Apart from the node, which loads this when it is asked: a question does without, and the parsers behind it
take a tenth of the time until it is answered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from quaid.formats.org.elements import elements
from quaid.formats.org.faults import faults
from quaid.formats.org.links import label_of, org_links
from quaid.formats.org.outline import sections, shown
from quaid.model.record import record

__all__ = ["Link", "faults", "keywords", "links", "sections", "shown"]


@record
class Link:
    """A link to another node. `label` is one of those that were asked for, or nothing."""

    target: str
    label: str
    description: str
    line: int
    bare: bool = False  # without brackets


def links(text: str, labels: Collection[str]) -> Iterator[Link]:
    """The links to nodes, in the order of the text."""
    place, line = 0, 1
    for link in org_links(text):
        if link.type != "id":
            continue
        line += text.count("\n", place, link.start)
        place = link.start
        target = " ".join(link.address.partition("::")[0].split())
        label = label_of(text, link.start)
        label = label if label in labels else ""
        yield Link(target, label, " ".join(link.description.split()), line, link.bare)


def keywords(text: str, matches: Iterable[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Those matches whose first group is a keyword to Org as well, and not the text of a block."""
    known = elements(text)
    for match in matches:
        area = known.area_at(match.start(1))
        if area is not None and area.key == match.group(1).lower():
            yield match
