"""What a page becomes when somebody's deeds are taken back, and others' stay. Nothing here writes.

Deeds are taken back in runs, the last one first. A page that nobody else has changed since gets the very text
that it had before; else the two changes are merged, and where they clash the page is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import groupby

from quaid.formats.content import read_page
from quaid.formats.merge import merged
from quaid.model.page import Content
from quaid.model.record import record, replace
from quaid.store.deeds import Deed
from quaid.store.history import OldVersion


@record
class Past:
    """What is known of a page: what was done to it, in order, and its texts, the newest first."""

    deeds: Sequence[Deed]
    texts: Sequence[OldVersion]  # the first is what the page is now
    is_there: bool

    @property
    def now(self) -> OldVersion:
        return self.texts[0]

    def after(self, version: int) -> OldVersion | None:
        """What the page was once that version was made; None if that is not kept."""
        kept = [each for each in self.texts if each.version >= version]
        return kept[-1] if kept and not self._rewritten(version, kept[-1].version) else None

    def before(self, version: int) -> OldVersion | None:
        """What the page was until that version was made; None if that is not kept."""
        kept = next((each for each in self.texts if each.version < version), None)
        return kept if kept and not self._rewritten(kept.version, version - 1) else None

    def _rewritten(self, after: int, until: int) -> bool:
        return any(each.rewrites and after < each.version <= until for each in self.deeds)


@record
class Reversal:
    """What a page is to become; `clash` says why it cannot."""

    versions: tuple[int, ...]  # that are taken back
    is_there: bool
    slug: str
    text: str
    path: str | None = None  # of a page that goes back to where it was
    exact: OldVersion | None = None  # the version that it becomes to the byte, if it becomes one
    joined: bool = False  # with what others have changed since
    clash: str = ""
    told: tuple[int, int] | None = None  # the versions between which their change can be seen


def reversal(past: Past, chosen: Collection[int], level: Callable[[str], str]) -> Reversal:
    """What a page is without some of its versions.

    `level` gives a text what the collection writes into every version: in that, no two clash.
    """
    state = Reversal(tuple(sorted(chosen)), past.is_there, past.now.slug, past.now.text, exact=past.now)
    for run in reversed(_runs(past.deeds, chosen)):
        state = _text_before(past, run, _place_before(run, state), level)
        if state.clash:
            return state
        if state.is_there == (run[-1].kind != "removed"):  # else somebody else has decided that since
            state = replace(state, is_there=run[0].kind not in ("created", "restored"))
    return state


def _runs(deeds: Sequence[Deed], chosen: Collection[int]) -> list[list[Deed]]:
    """Versions that were made one after the other, and are all taken back."""
    grouped = groupby(deeds, key=lambda each: each.version in chosen)
    return [list(run) for is_chosen, run in grouped if is_chosen]


def _place_before(run: Sequence[Deed], state: Reversal) -> Reversal:
    """Where the page was, unless somebody else has moved it since."""
    moved = next((each for each in run if each.kind == "moved"), None)
    if moved is None or moved.was is None or state.slug != run[-1].slug:
        return state
    return replace(state, slug=moved.was, path=moved.was_path)


def _text_before(past: Past, run: Sequence[Deed], state: Reversal, level: Callable[[str], str]) -> Reversal:
    wrote = [each for each in run if each.rewrites]
    if not wrote:
        return state
    base = past.after(wrote[-1].version)
    if run[0].kind == "created":
        if base is None or state.text != base.text:
            return replace(state, clash="somebody else has changed it since it was created")
        return state
    before = past.before(wrote[0].version)
    if base is None or before is None:
        return replace(state, clash="what it was before is no longer kept")
    if state.text == base.text:
        return replace(state, text=before.text, exact=before)
    told = (before.version, base.version)
    text = merged(*(level(each) for each in (base.text, state.text, before.text)))
    if text is None or not _keeps(base, state.text, text):
        return replace(state, clash="somebody else has changed the same lines since", told=told)
    return replace(state, text=text, exact=None, joined=True, told=told)


def _keeps(base: OldVersion, ours: str, text: str) -> bool:
    """Whether a merged text still says all that others have added to it, and is no less sound."""
    old, mine, new = (read_page(each, "", base.format) for each in (base.text, ours, text))
    return len(new.problems) <= len(mine.problems) and (_sayings(mine) - _sayings(old)) <= _sayings(new)


def _sayings(content: Content) -> set[object]:
    dated = {(each.date, each.summary) for each in content.entries}
    linked = {(each.target, each.relationship) for each in content.references}
    return {*content.claims, *content.tags, *dated, *linked}
