"""What would become of a folder if it were attached; nothing is written, and no file is opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from quaid.app import App
from quaid.errors import NotFound, QuaidError
from quaid.formats.slugs import slugify
from quaid.model.record import record
from quaid.operations.collections import refuse_overlap
from quaid.operations.operation import Operation, arg
from quaid.operations.paths import given_path
from quaid.operations.text import MOST_NOTES, Style, columns, count_of, left_out, numbers, shown
from quaid.store import collections
from quaid.store.collections import Profile
from quaid.vault import folder
from quaid.vault.folder import Skipped

MOST = 200  # paths of each kind


@record
class Look:
    folder: str = arg("The folder.", positional=True, completes="file")
    profile: Profile = arg("What kind of folder it is; vault is any folder of notes.", default="vault")


@record
class Preview:
    """What would become of a folder. `obstacle` is why it cannot be attached."""

    folder: str
    name: str  # that is free, for the collection
    pages: int
    bytes: int  # of the files that would be pages
    folders: dict[str, int]  # how many pages are in each at the top; "" is the folder itself
    formats: dict[str, int]
    other_files: int
    ignored: tuple[str, ...]  # by patterns, and because they belong to programs
    skipped: tuple[Skipped, ...]
    more: int = 0  # paths that are not listed
    obsidian: bool = False
    obstacle: str = ""
    hint: str = ""


def preview(app: App, args: Look) -> Preview:
    """Say what attaching a folder would do: how many pages, what is left out and why. Nothing is changed."""
    root = given_path(args.folder).resolve()
    if not root.is_dir():
        raise NotFound(f"there is no folder {root}", hint="Make it first, or check the spelling.")
    obstacle = hint = ""
    try:
        refuse_overlap(app, root)
    except QuaidError as error:
        obstacle, hint = error.message, error.hint
    seen = folder.walk(root, folder.LEFT_OUT.get(args.profile, ()))
    pages = [path for path in seen.files if folder.is_page(path)]
    more = max(0, len(seen.ignored) - MOST) + max(0, len(seen.skipped) - MOST)
    return Preview(
        folder=str(root),
        name=_free_name(app, root),
        pages=len(pages),
        bytes=sum(seen.files[path].size for path in pages),
        folders=_counts(path.split("/")[0] if "/" in path else "" for path in pages),
        formats=_counts(path.rpartition(".")[2].lower() for path in pages),
        other_files=len(seen.files) - len(pages),
        ignored=seen.ignored[:MOST],
        skipped=seen.skipped[:MOST],
        more=more,
        obsidian=(root / ".obsidian").is_dir(),
        obstacle=obstacle,
        hint=hint,
    )


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())


def _free_name(app: App, root: Path) -> str:
    taken = set(collections.names(app.connection))
    wanted = slugify(root.name).replace("/", "-") or "notes"
    tries = (wanted, *(f"{wanted}-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in tries if name not in taken)


def _text(result: Preview, style: Style) -> str:
    lines = [f"{style.name(result.folder)}: {count_of(result.pages, 'page')}, {result.bytes / 1e6:,.1f} MB"]
    lines.append(columns(numbers({name or ".": count for name, count in result.folders.items()}, "  ")))
    if result.other_files:
        lines.append(count_of(result.other_files, "other file is no page", "other files are no pages"))
    remarks = [f"left out: {shown(path)}" for path in result.ignored]
    remarks += [
        style.warning(f"skipped: {shown(each.path)}: {shown(each.reason)}") for each in result.skipped
    ]
    lines += remarks[:MOST_NOTES]
    rest = len(remarks) - MOST_NOTES + result.more
    lines += [style.dim(left_out(rest, "`--json` shows more"))] if rest > 0 else []
    if result.obstacle:
        lines.append(style.warning(f"It cannot be attached: {result.obstacle}. {result.hint}"))
    else:
        lines.append(f"`quaid collection add {result.name} {shown(result.folder)}` attaches it.")
    return "\n".join(line for line in lines if line)


COLLECTION_PREVIEW = Operation(
    "collection preview",
    preview,
    render=_text,
    for_owner=True,
    looks="nothing",
    examples=("collection preview ~/notes",),
)
