"""How the folders stand that several machines share."""

from __future__ import annotations

from quaid.app import App
from quaid.model.record import fill, record, replace
from quaid.operations import remote_conversations
from quaid.operations.copies import copies_in
from quaid.operations.fields import EVERY_COLLECTION
from quaid.operations.operation import Operation
from quaid.operations.remote_setup import job_of
from quaid.operations.remotes import decision_wanted, repository_of, set_up_hint
from quaid.operations.sync import collection_rows
from quaid.operations.text import MOST_NOTES, Style, columns, count_of, left_out, shown
from quaid.store.collections import CollectionRow
from quaid.sync import state
from quaid.sync.conflicts import conflicts
from quaid.sync.git import without_password
from quaid.sync.push import unpushed_count
from quaid.sync.rounds import BRANCH, takes_part
from quaid.trust import trust_command

NOT_SHARED = "not shared"


@record
class Which:
    collection: str | None = EVERY_COLLECTION


@record
class Standing:
    """How one collection stands; distances are those of the last time that the remote was reached."""

    collection: str
    folder: str
    shared: bool
    problem: str = ""  # why nothing is exchanged
    hint: str = ""
    remote: str = ""
    branch: str = ""
    changed: int = 0  # files that are not committed
    ahead: int = 0
    behind: int = 0
    conflicts: int = 0
    copies: tuple[str, ...] = ()  # that Syncthing, Dropbox and the like have left
    synced_at: str = ""
    offline_since: str = ""
    sync_failed_at: str = ""
    sync_failure: str = ""
    conversations: str = "out"  # plain, encrypted
    conversations_problem: str = ""
    conversations_hint: str = ""


@record
class Standings:
    """How all of them stand."""

    collections: tuple[Standing, ...]
    timer: bool = False


def status(app: App, args: Which) -> Standings:
    """Say how shared folders stand: what is to be sent or taken in, and what went wrong.

    The remote is not asked: ahead and behind are as of the last time. Copies that other programs for
    synchronising have left are named, too.
    """
    found = tuple(_standing(app, row) for row in collection_rows(app, args.collection))
    return Standings(found, job_of(app).file().is_file())


def _standing(app: App, row: CollectionRow) -> Standing:
    if row.kind == "native":
        return Standing(row.name, "", False, "its pages live in the memory", set_up_hint(row))
    root = app.stated_root(row)
    about = Standing(row.name, str(root), False)
    repository = repository_of(app, root)
    if not app.territory.admits(root):
        return replace(about, problem="its folder is not trusted", hint=trust_command(app.territory.subject))
    about = replace(
        about, copies=tuple(each.path for each in copies_in(app, row, root)), conflicts=len(conflicts(root))
    )
    if not (root / ".git").exists():
        return replace(about, problem=NOT_SHARED, hint=set_up_hint(row))
    if not repository.is_trusted:
        return replace(about, problem="its repository is not trusted", hint=trust_command(root))
    git = repository.git
    now, spoken = git.state(), remote_conversations.standing(app, git)
    told = fill(
        Standing,
        state.recall(repository),
        **{name: getattr(about, name) for name in ("collection", "folder", "copies", "conflicts")},
        shared=row.profile == "kb" or takes_part(git),
        remote=without_password(git.remote_address()),
        branch=now.branch,
        changed=len(now.changed),
        ahead=unpushed_count(repository, now),
        behind=now.behind,
        conversations=spoken.form,
        conversations_problem=spoken.problem,
        conversations_hint=spoken.hint,
    )
    unfinished, wanted = git.under_way(), git.config(BRANCH)
    if not told.shared:
        problem, hint = decision_wanted(row, repository)
        return replace(told, problem=problem or NOT_SHARED, hint=hint or set_up_hint(row))
    if unfinished:
        return replace(told, problem=f"a {unfinished} is under way", hint="Finish it with git, or abort it.")
    if not now.branch:
        return replace(told, problem="on no branch", hint=f"git -C {root} switch {wanted or 'main'}")
    if wanted and now.branch != wanted:
        return replace(
            told, problem=f"on {now.branch}, not on {wanted}", hint=f"git -C {root} switch {wanted}"
        )
    return told if told.remote else replace(told, problem="no remote", hint=set_up_hint(row))


def _text(result: Standings, style: Style) -> str:
    lines = [line for each in result.collections for line in _lines(each, style)]
    return "\n".join([*lines, *(["a timer exchanges them in the background"] if result.timer else [])])


def _lines(each: Standing, style: Style) -> list[str]:
    if not each.shared:
        rest = [f"  {shown(each.hint)}"] if each.hint else []
        return [f"{style.name(each.collection)}: {each.problem}", *rest, *_copy_lines(each, style)]
    counts = [
        f"{count_of(count, noun, nouns)} {what}"
        for count, noun, nouns, what in (
            (each.changed, "file", "files", "not committed"),
            (each.ahead, "commit", "commits", "to send"),
            (each.behind, "commit", "commits", "to take in"),
        )
        if count
    ]
    failure = f"{each.sync_failed_at}: {shown(each.sync_failure)}"
    facts = [
        ("  remote", f"{shown(each.remote)} ({each.branch})" if each.remote else "none"),
        ("  last success", each.synced_at or "never"),
        *([("  offline since", each.offline_since)] if each.offline_since else []),
        *([("  last error", failure)] if each.sync_failure else []),
        *([("  conversations", each.conversations)] if each.conversations != "out" else []),
    ]
    said = style.warning(each.problem) if each.problem else ", ".join(counts) or "nothing to exchange"
    lines = [f"{style.name(each.collection)}: {said}", *columns(facts).split("\n")]
    lines += [f"  {shown(each.hint)}"] if each.problem and each.hint else []
    if each.conversations_problem:
        lines += [f"  {style.warning(shown(each.conversations_problem))}", f"    {each.conversations_hint}"]
    if each.conflicts:
        lines.append(f"  {style.warning(count_of(each.conflicts, 'open conflict'))}: quaid conflicts")
    return [*lines, *_copy_lines(each, style)]


def _copy_lines(each: Standing, style: Style) -> list[str]:
    if not each.copies:
        return []
    named = [f"    {shown(path)}" for path in each.copies[:MOST_NOTES]]
    more = len(each.copies) - MOST_NOTES
    said = count_of(len(each.copies), "copy of another program", "copies of other programs")
    return [
        f"  {style.warning(said)}: quaid conflicts merge-copies",
        *named,
        *([f"    {left_out(more, '`--json` shows all')}"] if more > 0 else []),
    ]


SYNC_STATUS = Operation(
    "sync status",
    status,
    render=_text,
    for_owner=True,
    transaction="own",
    examples=("sync status", "sync status notes --json"),
)
