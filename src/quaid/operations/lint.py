"""What a person may want to put right about pages, each with the command that does it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal

from quaid.app import App
from quaid.errors import FINDINGS_STATUS
from quaid.formats.slugs import fold, slugify
from quaid.graph import attention as judgement
from quaid.graph import mentions
from quaid.graph.attention import FINISHED, OLD_DAYS
from quaid.model.page import split_target
from quaid.model.record import record
from quaid.model.types import type_for_slug
from quaid.operations.operation import Operation, arg, option
from quaid.operations.text import Style, clipped, count_of, left_out, shown
from quaid.store import attention

Kind = Literal["orphans", "links", "mentions", "tags", "threads"]

KINDS: tuple[Kind, ...] = ("orphans", "links", "mentions", "tags", "threads")
MOST_PAGES = 5  # that a command names one by one


@record
class Lint:
    slug: str | None = option("Only this page.", positional=True, completes="slug")
    kind: Kind | None = option("Only findings of this kind.")
    limit: int = arg("How many of each kind are listed.", default=20, least=0)


@record
class Remark:
    """Something to put right: on which page or tag, what, and the command that does it."""

    kind: Kind
    subject: str
    message: str
    fix: str
    line: int | None = None


@record
class LintReport:
    """How much of each kind was found, and the first of each."""

    counts: dict[str, int]
    findings: tuple[Remark, ...]


def lint(app: App, args: Lint) -> LintReport:
    """Find what pages lack: links, clean tags, answers. Every finding has the command that puts it right.

    orphans: pages to which no page links. links: links that lead nowhere. mentions: pages that are named in a
    text and not linked. tags: tags that are nearly the same. threads: what has been open for 30 days.

    It is about what pages say. `validate` checks that the memory is sound, `collection audit` looks at files.
    The exit status is 11 when something is found.
    """
    page = app.page(args.slug).id if args.slug else None
    chosen = (args.kind,) if args.kind else KINDS
    found: dict[str, list[Remark]] = {kind: [] for kind in chosen}
    namers: dict[int, str] = {}
    if "mentions" in chosen:
        for target, remark in _mentions(app, page):
            namers.setdefault(target, remark.subject)
            found["mentions"].append(remark)
    if "orphans" in chosen:
        found["orphans"] += _orphans(app, page, namers)
    if "links" in chosen:
        found["links"] += _links(app, page)
    if "tags" in chosen and page is None:
        found["tags"] += _tags(app)
    if "threads" in chosen:
        found["threads"] += _threads(app, page)
    return LintReport(
        {kind: len(remarks) for kind, remarks in found.items()},
        tuple(each for remarks in found.values() for each in remarks[: args.limit]),
    )


def _mentions(app: App, page: int | None) -> Iterator[tuple[int, Remark]]:
    """Pages that are named and not linked, each with the id of the page that is named."""
    addresses: dict[int, str] = {}
    heads: dict[int, int] = {}

    class Texts:
        def __iter__(self) -> Iterator[mentions.Text]:
            for each in attention.texts(app.connection, page):
                addresses[each.id], heads[each.id] = each.slug, each.head_lines
                yield mentions.Text(each.id, each.text, each.format, each.linked)

    known = mentions.Names(attention.titles(app.connection))
    for each in mentions.missing(known, Texts()):
        source = addresses[each.page]
        target = addresses.get(each.target) or attention.address(app.connection, each.target)
        often = "" if each.times == 1 else f" {each.times:,} times"
        yield (
            each.target,
            Remark(
                "mentions",
                source,
                f"names {each.name}{often} ({target}), without a link",
                f"quaid link {source} {target}",
                heads[each.page] + each.line,
            ),
        )


def _orphans(app: App, page: int | None, namers: dict[int, str]) -> Iterator[Remark]:
    for orphan, slug, title in attention.orphans(app.connection, app.today(), page):
        namer = namers.get(orphan)
        fix = f"quaid link {namer} {slug}" if namer else f"quaid related {slug}"
        yield Remark("orphans", slug, f"no page links to {shown(title)}", fix)


def _links(app: App, page: int | None) -> Iterator[Remark]:
    dead = attention.dead_links(app.connection, page)
    if not dead:
        return
    similar = judgement.similar_names((each.name for each in dead), attention.names(app.connection))
    removed = attention.removed_slugs(app.connection)
    default = app.collection_row().name
    for each in dead:
        target = shown(each.target)
        others = f" (and on {count_of(each.pages - 1, 'other page')})" if each.pages > 1 else ""
        alike = similar.get(each.name)
        meant = f"; did you mean {' or '.join(alike.pages)}?" if alike else ""
        slug = slugify(split_target(each.target)[1])
        if slug in removed:
            fix = f"quaid restore {slug}"
        elif alike and alike.sure:
            fix = f"edit {each.slug}: write {alike.pages[0]} for {target}"
        else:
            fix = _making(each.target, slug, each.collection, default)
        yield Remark("links", each.slug, f"the link to {target} leads nowhere{others}{meant}", fix)


def _making(target: str, slug: str, collection: str, default: str) -> str:
    """The command that makes a page to which a link leads."""
    stated, name = split_target(target)
    place = stated or collection
    title = "" if fold(slug) == fold(name) else f" --title {shlex.quote(name)}"
    return f"quaid new {type_for_slug(slug)} {'' if place == default else place + '::'}{slug}{title}"


def _tags(app: App) -> Iterator[Remark]:
    for family in judgement.tag_families(attention.tag_counts(app.connection)):
        for tag, count in family.others:
            message = f"{count_of(count, 'page')}; {family.keep} is on {count_of(family.count, 'page')}"
            yield Remark("tags", tag, message, _renaming(app, tag, family.keep, count))


def _renaming(app: App, tag: str, keep: str, count: int) -> str:
    """The command that gives the pages of a tag another one."""
    old, new = shlex.quote(tag), shlex.quote(keep)
    carriers = attention.slugs_tagged(app.connection, tag) if count <= MOST_PAGES else []
    if len(carriers) == 1:
        return f"quaid untag {carriers[0]} {old} && quaid tag {carriers[0]} {new}"
    change = f"quaid untag $page {old} && quaid tag $page {new}"
    if carriers:
        return f"for page in {' '.join(carriers)}; do {change}; done"
    return f"quaid list --tag {old} --limit 100000 | while read page rest; do {change}; done"


def _threads(app: App, page: int | None) -> Iterator[Remark]:
    """What has been open for long: items of texts, entries of timelines, tasks of which nothing was heard."""
    today = app.today()
    before = (date.fromisoformat(today) - timedelta(days=OLD_DAYS)).isoformat()
    for each in attention.open_pages(app.connection, page):
        resting = each.resting_since[:10]
        threads = judgement.open_threads(each.text)
        old = [thread for thread in threads if min(resting, thread.day or resting) < before]
        if old:
            since = min(min(resting, thread.day or resting) for thread in old)
            yield Remark(
                "threads",
                each.slug,
                f"{count_of(len(old), 'open item')} since {since}: {clipped(shown(old[0].text), 60)}",
                f"edit {each.slug}: tick what is done, [x], and say how the rest stands",
                each.head_lines + old[0].line,
            )
    for slug, day, summary in attention.open_entries(app.connection, before, page):
        rest = shlex.quote(f"Done: {summary[5:].strip()}")
        yield Remark(
            "threads",
            slug,
            f"open since {day}: {clipped(shown(summary), 60)}",
            f"quaid timeline-add {slug} --date {today} --summary {rest}",
        )
    for task, since in attention.resting_tasks(app.connection, before, page):
        status = " ".join(judgement.texts_of(task.status))
        if judgement.state_of(status) not in FINISHED:
            yield Remark(
                "threads",
                task.slug,
                f"{status or 'open'}, and nothing new since {since[:10]}: {clipped(shown(task.title), 60)}",
                f"""quaid put {task.slug} --frontmatter '{{"status": "done"}}'""",
            )


_HEADINGS: dict[Kind, tuple[str, str]] = {
    "orphans": ("page to which no page links", "pages to which no page links"),
    "links": ("link that leads nowhere", "links that lead nowhere"),
    "mentions": ("page named without a link", "pages named without a link"),
    "tags": ("tag that is nearly another", "tags that are nearly others"),
    "threads": ("open thread", "open threads"),
}


def _text(report: LintReport, style: Style) -> str:
    lines: list[str] = []
    for kind in KINDS:
        count = report.counts.get(kind, 0)
        listed = [each for each in report.findings if each.kind == kind]
        if count:
            lines.append(style.bold(count_of(count, *_HEADINGS[kind])))
            for each in listed:
                place = f"{shown(each.subject)}:{each.line}" if each.line else shown(each.subject)
                lines.append(f"  {style.name(place)}: {shown(each.message)}")
                lines.append(f"    {style.dim(each.fix)}")
        if count > len(listed):
            lines.append(style.dim(f"  {left_out(count - len(listed))}"))
    return "\n".join(lines) or "Nothing to put right."


LINT = Operation(
    "lint",
    lint,
    render=_text,
    status=lambda report: FINDINGS_STATUS if report.findings or any(report.counts.values()) else 0,
    examples=("lint", "lint people/alice", "lint --kind mentions --limit 100"),
    looks="pages",
)
