"""Whether a text says anything new."""

from __future__ import annotations

from quaid.app import App
from quaid.errors import EmbedderFailed, InvalidInput, NotFound
from quaid.formats.content import read_page
from quaid.graph.novelty import Meaning, Novelty, Verdict, judge, meaning_of, similar_pages
from quaid.model.page import Format
from quaid.model.record import record
from quaid.operations.evidence import near, ready_model
from quaid.operations.operation import Operation, arg, option
from quaid.operations.text import Style
from quaid.store import pages

_SAID = {
    "new": "new",
    "duplicate": "nothing new in its words",
    "near_duplicate": "nothing new in its meaning",
}


@record
class NoveltyOf:
    slug: str | None = option(
        "A page: it is compared with all others, or the content with it.",
        positional=True,
        completes="slug",
        instead_of="content",
    )
    content: str | None = option(
        "A text; without a page, it is compared with all.", positional=True, from_file=True
    )
    encoding: str = arg("The encoding of the file.", default="utf-8", hidden=True)


@record
class NoveltyView:
    """How new a text is, and the page that is most similar. `cosine` is left out if not measured."""

    verdict: Verdict
    jaccard: float
    cosine: float | None = None
    page: str | None = None

    @classmethod
    def of(cls, app: App, found: Novelty) -> NoveltyView:
        """What is shown of a judgement."""
        page = pages.info(app.connection, found.page) if found.page is not None else None
        cosine = None if found.cosine is None else round(found.cosine, 3)
        return cls(found.verdict, round(found.jaccard, 3), cosine, page.slug if page else None)


def novelty(app: App, args: NoveltyOf) -> NoveltyView:
    """Whether a text says anything that the memory does not know: by its words, and by its meaning.

    A text is a duplicate if more than 85 percent of its words are those of a page, and a near duplicate if
    its meaning is as near. Meaning is only measured in a memory that has vectors.
    """
    if args.slug is None and args.content is None:
        raise InvalidInput("nothing to compare", hint="Give a page, a text, or both.")
    page = pages.load(app.connection, app.page(args.slug).id) if args.slug else None
    text = args.content if args.content is not None else page.text if page else ""
    format: Format = page.info.format if page else "markdown"
    truth = read_page(text, "", format).truth
    meaning = _meaning(app, text)
    own = page.info.id if page else None
    with app.store.read():
        with_own = {"page_id" if args.content is not None else "other_than": own}
        return NoveltyView.of(app, novelty_of(app, truth, meaning, **with_own))


def novelty_of(
    app: App,
    truth: str,
    meaning: Meaning | None = None,
    page_id: int | None = None,
    other_than: int | None = None,
) -> Novelty:
    """A compiled truth against that of one page, or against all that are like it but one."""
    if page_id is not None:
        return judge(app.connection, truth, [page_id], meaning)
    found = [*similar_pages(app.connection, truth), *near(app, meaning)]
    return judge(app.connection, truth, [each for each in found if each != other_than], meaning)


def novelty_text(result: NoveltyView, style: Style) -> str:
    """A judgement in a line."""
    measures = f"{result.jaccard:.0%} of the words"
    if result.cosine is not None:
        measures += f", meaning {result.cosine:.2f}"
    like = f": {style.name(result.page)} has {measures}" if result.page else ""
    return _SAID[result.verdict] + like


def _meaning(app: App, text: str) -> Meaning | None:
    """What a text means; None where no model is ready. Words decide then."""
    ready = ready_model(app)
    try:
        return meaning_of(*ready, text, "") if ready else None
    except (EmbedderFailed, NotFound, InvalidInput):
        return None


NOVELTY = Operation(
    "novelty",
    novelty,
    render=novelty_text,
    transaction="none",
    examples=("novelty people/alice", "novelty < draft.md"),
    looks="pages",
)
