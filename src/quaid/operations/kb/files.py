"""Files of a knowledge base that a person has edited: checked, committed, and listed in its index."""

from __future__ import annotations

from quaid.errors import FINDINGS_STATUS
from quaid.kb import index as indexes
from quaid.kb.findings import data_of, text_of
from quaid.kb.gate import Proposal
from quaid.kb.lint import Scope
from quaid.kb.lint import lint as check_files
from quaid.kb.place import check
from quaid.kb.protocol import reindex, write
from quaid.model.record import record
from quaid.operations.kb.answer import KB, OFFLINE, Answer, kb_command, kb_operation, notices_of
from quaid.operations.kb.app import KbApp
from quaid.operations.operation import arg
from quaid.sync.repository import path_list, plural


@record
class Commit:
    """Arguments of `kb commit`."""

    files: list[str] | None = arg(
        "The files; otherwise all that have changed.",
        default=None,
        positional=True,
        rest=True,
        completes="file",
    )
    message: str | None = arg("What the commit says.", default=None)
    offline: bool = OFFLINE
    kb: str | None = KB


def commit(app: KbApp, args: Commit) -> Answer:
    """Check and commit files that you have edited, moved or removed by hand.

    Named files and no others, whatever else has changed. Where the check fails they stay as they are.
    Editors call this after saving.
    """
    kb = app.kb
    files = [app.path_of(name) for name in args.files or ()]

    done = write(kb, lambda _: Proposal({}, args.message or ""), adopting=files or None, offline=args.offline)
    text = f"committed {path_list(done.paths)}" if done.commit else "nothing has changed"
    return Answer(done.as_data(), text, notices_of(done))


KB_COMMIT = kb_command("kb commit", commit, "kb commit", "kb commit 20260524093000-commit-style.org")


@record
class Index:
    """Arguments of `kb index`."""

    check: bool = arg("Only say whether it is stale.", default=False)
    kb: str | None = KB


def index(app: KbApp, args: Index) -> Answer:
    """Write index.org anew from the nodes.

    Nothing is committed. Status 11 with --check if it is stale.
    """
    kb = app.kb
    check(kb.root)
    if args.check:
        stale = sorted(indexes.changes(indexes.present(kb.root), indexes.generate(kb.nodes().rows)))
        text = f"stale: {path_list(stale)}" if stale else "fresh"
        return Answer({"stale": stale}, text, status=FINDINGS_STATUS if stale else 0)
    written = reindex(kb)
    return Answer({"written": written}, f"wrote {path_list(written)}" if written else "fresh")


KB_INDEX = kb_command("kb index", index, "kb index", "kb index --check")


@record
class Lint:
    """Arguments of `kb lint`."""

    files: list[str] | None = arg(
        "The files whose findings count; otherwise all.",
        default=None,
        positional=True,
        rest=True,
        for_people=True,
        completes="file",
    )
    index: bool = arg("Check the index only.", default=False, for_people=True)
    strict: bool = arg("Findings outside the files block too.", default=False, for_people=True)
    org_lint: bool = arg("Also ask Emacs, if it is there.", default=False, for_people=True)
    kb: str | None = KB


def lint(app: KbApp, args: Lint) -> Answer:
    """Check nodes, links, index and raw/ for what must not be committed.

    Warnings never block. Status 0: sound, 11: findings. With files: what else is found does not block,
    unless it touches them.
    """
    files = {app.path_of(name) for name in args.files or ()}
    scope = Scope(
        changed=files or None,
        strict=args.strict,
        only_index=args.index,
        org_lint=args.org_lint,
        trusted=args.org_lint and app.kb.is_trusted,
    )
    report = check_files(app.root, scope, app.kb.rows_by_path())
    count = len(report.blocking)
    verdict = f"{count} {plural('finding', count)} that {'blocks' if count == 1 else 'block'}"
    lines = [*map(text_of, report.findings), verdict if count else "sound"]
    blocking = {*report.blocking}
    findings = [data_of(each) | {"blocks": each in blocking} for each in report.findings]
    data = {"findings": findings, "blocking": count}
    return Answer(data, "\n".join(lines), status=FINDINGS_STATUS if count else 0)


KB_LINT = kb_operation(
    "kb lint",
    lint,
    examples=("kb lint", "kb lint --index", "kb lint --json"),
    brief="Check all nodes.",
    told=(),
)
