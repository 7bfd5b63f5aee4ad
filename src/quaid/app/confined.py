"""A memory for somebody who may use some of its collections alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from quaid.app.app import App
from quaid.model.record import replace
from quaid.settings import Layer
from quaid.store.confinement import ConfinedStore
from quaid.store.filters import PageFilter

if TYPE_CHECKING:
    from quaid.app.background import Background
    from quaid.app.models import Models

# What others asked is not told, and what is not named is looked for in what is seen.
_OWN = Layer("flag", "the token", {"gaps.log": False, "notebook.default": "", "put.collection": ""})


class ConfinedApp(App):
    """What reads are given: nothing else can be seen through it, and nothing written.

    What has to be written before a question is answered (files that have changed, texts that are new) is the
    business of the whole memory.
    """

    def __init__(self, whole: App, collections: Sequence[str]) -> None:
        store = ConfinedStore(whole.store.path, collections)
        super().__init__(store, whole._settings.adding(_OWN), whole.now, whole._surroundings)
        self._whole = whole

    def page_filter(self, *args: Any, **named: Any) -> PageFilter:
        """The pages that a list or a search is about, of those that are seen."""
        return replace(super().page_filter(*args, **named), narrowed=True)

    def freshen(self, names: Sequence[str] | None = None) -> None:
        """See what was done to files."""
        self._whole.freshen(names)

    @cached_property
    def models(self) -> Models:
        """The embedding models of the memory."""
        return self._whole.models

    @cached_property
    def background(self) -> Background:
        """What embeds new texts while people do something else."""
        return self._whole.background


@contextmanager
def writing_in(app: App, collections: Sequence[str]) -> Iterator[App]:
    """The memory, while pages of these collections alone can be written."""
    app.writable = frozenset(collections)
    try:
        yield app
    finally:
        app.writable = None
