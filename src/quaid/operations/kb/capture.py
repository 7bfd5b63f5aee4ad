"""What nodes rest on: passages of sources, and whole files."""

from __future__ import annotations

from quaid.errors import InvalidInput
from quaid.kb import capture as capturing
from quaid.kb.place import check
from quaid.model.record import record
from quaid.operations.kb.answer import KB, OFFLINE, Answer, kb_operation, notices_of
from quaid.operations.kb.app import KbApp
from quaid.operations.operation import arg


@record
class Capture:
    """Arguments of `kb capture`."""

    source: str = arg(
        "An address or a file.", positional=True, completes="file", for_models="The address that was read."
    )
    excerpt: str | None = arg(
        "The passage that matters; - or nothing for standard input.",
        default=None,
        placeholder="TEXT",
        piped="missing",
        for_tools=True,
        for_models="The passage that matters: at most 2,000 words and 16 KB.",
    )
    title: str | None = arg("What it is called.", default=None)
    full: bool = arg("Keep the whole file under raw/files.", default=False, for_people=True)
    offline: bool = OFFLINE
    kb: str | None = KB


def capture(app: KbApp, args: Capture) -> Answer:
    """Keep what a node rests on: a stub under raw/ with address, day and excerpt.

    The excerpt has at most 2,000 words and 16 KB. Nothing is downloaded. Name the path that it prints as
    the node's source.
    """
    check(app.root, writing=True)
    if app.person is None and not capturing.is_address(args.source):
        raise InvalidInput(
            f"{args.source!r} is no address",
            hint="Such as https://…; a person can keep files: ai-kb capture.",
        )
    done = capturing.capture(
        app.kb, args.source, args.excerpt or "", title=args.title, full=args.full, offline=args.offline
    )
    data = {"path": done.path, "file": done.file, **done.written.as_data()}
    return Answer(data, done.path, notices_of(done.written))


KB_CAPTURE = kb_operation(
    "kb capture",
    capture,
    effect="write",
    idempotent=False,
    examples=(
        "kb capture https://example.org/post --excerpt 'The passage.'",
        "kb capture paper.pdf --full",
    ),
    brief="Keep the passage of a source on which a node rests; name the returned path as its source.",
    told=("source: address", "excerpt: up to 2,000 words", "title"),
    unneeded=("commit", "paths", "file"),
)
