"""What must not be in a knowledge base."""

from __future__ import annotations

from quaid.errors import FINDINGS_STATUS
from quaid.kb import views
from quaid.kb.findings import text_of
from quaid.kb.lint import Scope
from quaid.kb.lint import lint as check_files
from quaid.model.record import record
from quaid.operations.kb.answer import KB, Answer, kb_operation
from quaid.operations.kb.app import KbApp
from quaid.operations.operation import arg
from quaid.sync.repository import plural


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
    return Answer(views.report_view(report), "\n".join(lines), status=FINDINGS_STATUS if count else 0)


KB_LINT = kb_operation(
    "kb lint",
    lint,
    examples=("kb lint", "kb lint --index", "kb lint --json"),
    brief="Check all nodes.",
    told=(),
)
