"""What a question found: pages and conversations, and what is shown of each."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path

from quaid.app import App
from quaid.model.page import PageInfo
from quaid.operations.answers import Answer, ArmView, DoubtView, PassageView
from quaid.search.excerpts import Excerpt
from quaid.search.hybrid import Hit
from quaid.search.progressive import Candidate, Expanded
from quaid.store import conversations, pages, turns
from quaid.store.passages import PassageRow
from quaid.store.repetition import is_repeated
from quaid.sync.conflicts import FOLDER, conflicts
from quaid.vault.folder import stored

_known: dict[Path, tuple[int, dict[str, tuple[str, ...]]]] = {}


class PageMatch:
    """A page, and what is shown of it."""

    def __init__(self, app: App, hit: Hit, excerpt: Excerpt) -> None:
        self._app = app
        self.hit = hit
        self.weak = False
        self.excerpt = excerpt

    @cached_property
    def section(self) -> str:
        """The part of the page that matched."""
        return self.excerpt.text(self.excerpt.section)

    @property
    def candidate(self) -> Candidate:
        """What can be shown of it."""
        info = self.excerpt.page.info
        summary = "" if is_repeated(self._app.connection, info.summary) else info.summary
        beside = [self.excerpt.text(row) for row in self._outside(self.section)]
        return Candidate(
            heading=f"{info.title}\n{summary}",
            section=self.section,
            full=self._whole,
            line=self.excerpt.text(self.excerpt.line),
            beside="\n".join(beside),
        )

    def _whole(self) -> str:
        """The compiled truth, and the entry of the timeline that matched, if one did."""
        truth = pages.searched_text(self._app.connection, self.hit.document)[0].strip()
        section = self.excerpt.section
        return f"{truth}\n\n{self.section}" if section and section.kind == "timeline_entry" else truth

    def answer(self, part: Expanded, explain: bool) -> Answer:
        """What is shown of the page."""
        info, excerpt = self.excerpt.page.info, self.excerpt
        title, summary = _title_and_summary(info.title, part.heading)
        line = excerpt.text(excerpt.line)
        only_line = bool(line) and part.content == line and line != self.section
        section = excerpt.line if only_line else excerpt.section
        return Answer(
            slug=info.slug,
            collection=info.collection,
            type=info.type,
            title=title,
            summary=summary,
            depth=part.depth,
            content=part.content or None,
            heading=(section.heading or None) if section else None,
            lines=_span(section.line_start, section.line_end) if section else None,
            score=_rounded(max(0.0, self.hit.score)),
            why=self.hit.why,
            tokens=part.tokens,
            arms=_arms(self.hit) if explain else None,
            passage=self._passage(part),
            facts=excerpt.facts or None,
            superseded=excerpt.superseded or None,
            contradictions=tuple(DoubtView(each.id, each.type, each.description) for each in excerpt.doubts)
            or None,
            conflicts=self._conflicts or None,
            more=self._more(part) or None,
            weak=self.weak or None,
            first_line=self._first_line(part),
        )

    @cached_property
    def _conflicts(self) -> tuple[str, ...]:
        return open_conflicts(self._app, self.excerpt.page.info)  # once, however often it is asked what fits

    def _first_line(self, part: Expanded) -> int | None:
        """Where the text of a page that is shown whole begins, if it has a head."""
        if part.depth != "full":
            return None
        text, truth = self.excerpt.page.text, part.content.removesuffix(f"\n\n{self.section}")
        return 1 + text.count("\n", 0, max(0, text.find(truth))) if not text.startswith(truth) else None

    def _more(self, part: Expanded) -> tuple[PassageView, ...]:
        """Other lines that fit; none beside a mere summary."""
        wanted = part.depth != "summary" or part.beside
        return tuple(map(self._view, self._outside(part.content))) if wanted else ()

    def _view(self, row: PassageRow) -> PassageView:
        return PassageView(
            heading=row.heading or None,
            lines=_span(row.line_start, row.line_end),
            item=row.kind if row.is_line else None,
            text=self.excerpt.text(row),
        )

    def _outside(self, content: str) -> list[PassageRow]:
        """The other lines that fit, but for those that stand in what is shown."""
        return [row for row in self.excerpt.more if self.excerpt.text(row) not in content]

    def _passage(self, part: Expanded) -> PassageView | None:
        """The line that matters; its text only where nothing else that is shown has it."""
        row = self.excerpt.passage
        if row is None or row.kind == "fields":
            return None
        text = self.excerpt.text(self.excerpt.line)
        return PassageView(
            heading=row.heading or None,
            lines=_span(row.line_start, row.line_end),
            item=row.kind if row.is_line else None,
            text=text if part.beside else None,
            header=self.excerpt.header,
        )


class ConversationMatch:
    """A conversation, and the turn of it that matched."""

    def __init__(self, app: App, hit: Hit) -> None:
        self.hit = hit
        self.weak = False
        self.about = conversations.load(app.connection, hit.document)
        self.turn = turns.load(app.connection, [hit.unit])[hit.unit]

    @property
    def candidate(self) -> Candidate:
        """What can be shown of it."""
        day = self.turn.time[:10] or self.about.ended[:10]
        facts = ", ".join(each for each in (self.about.client, day, self.about.project) if each)
        said = self.turn.text.strip()
        return Candidate(f"{self.about.title}\n{facts}", said, lambda: said)

    def answer(self, part: Expanded, explain: bool) -> Answer:
        """What is shown of the conversation."""
        title, facts = _title_and_summary(self.about.title, part.heading)
        return Answer(
            slug=self.about.key,
            collection="conversations",
            type="conversation",
            title=title,
            summary=facts,
            depth="section" if part.content else "summary",
            content=part.content or None,
            heading=self.turn.role,
            lines=None,
            score=_rounded(max(0.0, self.hit.score)),
            why=self.hit.why,
            tokens=part.tokens,
            arms=_arms(self.hit) if explain else None,
            kind="conversation",
            turn=self.turn.ordinal,
            weak=self.weak or None,
        )


Match = PageMatch | ConversationMatch  # a hit with its document


def _title_and_summary(title: str, heading: str) -> tuple[str, str]:
    """Title and summary of what is shown. However little fits, the title is whole."""
    return title, heading.removeprefix(title).lstrip("\n") if heading.startswith(title) else ""


def _arms(hit: Hit) -> dict[str, ArmView]:
    return {name: ArmView(rank, _rounded(score)) for name, (rank, score) in hit.arms.items()}


def _span(first: int, last: int) -> str:
    return f"{first}-{last}" if last > first else str(first)


def _rounded(score: float) -> float:
    return float(f"{score:.4g}")


def open_conflicts(app: App, page: PageInfo) -> tuple[str, ...]:
    """The conflicts that merging left open on a page."""
    row = app.collection_row(page.collection)
    if row.kind == "native" or not page.path:
        return ()
    root = app.stated_root(row)
    try:
        changed = os.stat(root / FOLDER).st_mtime_ns
    except OSError:
        return ()  # as nearly always
    known = _known.get(root)
    if known is None or known[0] != changed:
        known = _known[root] = (changed, _conflicts_in(root))
    return known[1].get(page.path, ())


def _conflicts_in(root: Path) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for each in conflicts(root):
        path = stored(each.path)
        found[path] = (*found.get(path, ()), each.id)
    return found
