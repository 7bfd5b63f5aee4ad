"""What a person should look at in a knowledge base, and what they have looked at."""

from __future__ import annotations

from collections.abc import Sequence

from quaid.kb import curate as curating
from quaid.kb.base import read
from quaid.kb.curate import Curation, Item
from quaid.kb.due import HORIZON_DAYS
from quaid.kb.facts import rows_of
from quaid.model.record import record
from quaid.operations.kb.answer import KB, OFFLINE, Answer, kb_command, notices_of
from quaid.operations.kb.app import KbApp
from quaid.operations.kb.semantic import pairs_by_meaning
from quaid.operations.operation import arg
from quaid.sync.repository import path_list, plural

_SHOWN = 30  # of each bucket


@record
class Curate:
    """Arguments of `kb curate`."""

    dry_run: bool = arg("Only report; this is what it does anyway.", default=False)
    days: int = arg("After how many days a node counts as untouched.", default=HORIZON_DAYS, least=0)
    semantic: bool = arg("Also find duplicates by meaning, in the Quaid memory.", default=False)
    done: list[str] | None = arg(
        "Stamp this node as looked at today; may be repeated.", default=None, many=True, placeholder="NODE"
    )
    offline: bool = OFFLINE
    kb: str | None = KB


def curate(app: KbApp, args: Curate) -> Answer:
    """Report what a person should look at.

    That is: duplicates, orphans, contests, nodes too broad or long untouched, captures without a node,
    large files. Nothing is changed but by --done.
    """
    kb = app.kb
    if args.done:
        done = curating.mark(kb, args.done, args.offline)
        text = f"stamped {path_list(done.paths)}" if done.commit else "stamped already"
        return Answer(done.as_data(), text, notices_of(done))
    pairs = pairs_by_meaning(app) if args.semantic else []
    base = read(kb.root)
    rows = rows_of(base, kb.rows_by_path())
    found = curating.curation(base, rows, kb.today, horizon_days=args.days, by_meaning=pairs)
    return Answer(found.__dict__, _text(found))


def _text(found: Curation) -> str:
    """A report, bucket by bucket."""
    lines = [
        f"{found.nodes:,} {plural('node', found.nodes)}; curation is {'due' if found.due else 'not due'}"
    ]
    if found.duplicates:
        lines += ["", f"duplicates and contradictions ({len(found.duplicates)}), `ai-kb merge` or `contest`:"]
        for pair in found.duplicates[:_SHOWN]:
            sides = zip(pair.titles, (pair.one, pair.other), strict=True)
            both = " | ".join(f"{name} ({id})" for name, id in sides)
            lines.append(f"  {pair.kind} {pair.score:.2f} by {pair.by}: {both}")
    buckets: tuple[tuple[str, Sequence[Item]], ...] = (
        ("contested, `ai-kb resolve`", found.contested),
        ("superseded", found.superseded),
        ("orphans, link them", found.orphans),
        ("untouched", found.stale),
        ("too broad, `ai-kb split`", found.broad),
        ("captures without a node", found.raw_without_node),
        ("large files under raw/", found.large_raw),
        ("next in turn, then `ai-kb curate --done ID`", found.next),
    )
    for name, items in buckets:
        if items:
            shown = (
                (f"{item.title} ({item.id})" if item.id else item.path, item.why) for item in items[:_SHOWN]
            )
            lines += ["", f"{name} ({len(items)}):", *(f"  {item}: {why}" for item, why in shown)]
            more = len(items) - _SHOWN
            lines += [f"  … and {more} more; --json has all"] if more > 0 else []
    return "\n".join(lines)


KB_CURATE = kb_command(
    "kb curate", curate, "kb curate --dry-run", "kb curate --done 7c9e6679 --done 'Git habits'"
)
