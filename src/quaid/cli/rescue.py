"""The command that saves what a damaged memory still holds."""

from __future__ import annotations

from pathlib import Path

from quaid.app.app import utc_now
from quaid.cli.parser import Given
from quaid.cli.session import Session
from quaid.errors import FINDINGS_STATUS
from quaid.operations.paths import given_path
from quaid.operations.results import as_data
from quaid.operations.text import MOST_NOTES, Style, count_of, left_out, shown
from quaid.transfer.rescue import DAMAGED, MEMORY, PAGES, REPORT, VERSIONS, Rescued
from quaid.transfer.rescue import rescue as save


def rescue(session: Session, given: Given) -> int:
    """Save what can be read; the exit status says whether something is lost."""
    source = session.memory
    directory = given_path(given.values.get("directory") or f"{source.name}.rescued")
    rescued = save(source, directory, utc_now(), session.console.progress())
    status = FINDINGS_STATUS if rescued.lost or rescued.damaged else 0
    session.console.answer(as_data(rescued), _text(rescued, session.console.style()))
    return status


def _text(result: Rescued, style: Style) -> str:
    place = Path(result.directory)
    lines = [
        f"Saved {count_of(result.pages, 'page')} into {style.name(result.directory)}",
        f"  {MEMORY}: a memory with all that could be read, also versions, settings and conversations",
        f"  {PAGES}/: the pages as files, as `quaid import` and `quaid collection add` take them",
    ]
    if result.damaged:
        said = count_of(len(result.damaged), "page whose text is damaged", "pages whose text is damaged")
        lines.append(f"  {DAMAGED}/: {said}, as far as it can be read")
    if result.versions:
        lines.append(f"  {VERSIONS}/: {count_of(result.versions, 'earlier version')} of pages that are lost")
    lost = [f"  {each.what}: {shown(each.detail)}" for each in result.lost]
    if lost:
        lines += [style.warning("Lost:"), *lost[:MOST_NOTES]]
        if len(lost) > MOST_NOTES:
            lines.append("  " + left_out(len(lost) - MOST_NOTES, f"{place / REPORT} lists them"))
    else:
        lines.append("Nothing that is not derived is lost.")
    lines += [
        f"{result.source} was not changed.",
        "To go on with what was saved, move it away with its -wal and -shm, and",
        f"  mv {place / MEMORY} {result.source}",
    ]
    return "\n".join(lines)
