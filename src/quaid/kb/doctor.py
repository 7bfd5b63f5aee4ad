"""All that can be wrong with a knowledge base and its surroundings, and what to do about it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator

from quaid.errors import Corrupt, GitFailed, QuaidError
from quaid.kb import timer
from quaid.kb.base import Base, read
from quaid.kb.due import note_due
from quaid.kb.facts import rows_of
from quaid.kb.index import stale
from quaid.kb.init import agents_here, has_adapter, instructions_of
from quaid.kb.lint import LARGE_RAW, lint_base
from quaid.kb.place import CONTRACT, INDEX, check, is_litter
from quaid.kb.repository import Kb
from quaid.kb.status import LOCAL, changed_at
from quaid.model.check import Check
from quaid.sync import state
from quaid.sync.branches import FIRST_BRANCH, Branches, branches_of, known_branch
from quaid.sync.commits import journal_of
from quaid.sync.git import outside, stranger
from quaid.sync.push import unpushed_count
from quaid.sync.repository import path_list, plural

PUBLIC_FORGES = (
    "github.com",
    "gitlab.com",
    "codeberg.org",
    "bitbucket.org",
    "sr.ht",
    "sourceforge.net",
    "gitee.com",
)
_SCP = re.compile(r"(?:[^@/\s]+@)?([^:/\s]+):(?!//)")
_URL = re.compile(r"[a-z+]+://(?:[^@/\s]*@)?(\[[^\]]+\]|[^:/\s]+)", re.IGNORECASE)


def doctor(kb: Kb, *, offline: bool = False) -> list[Check]:
    """Look at everything. What is wrong does not keep the rest from being looked at."""
    if not shutil.which("git"):
        return [Check("git", "problem", "git is not installed", "Install git.")]
    checks = [Check("git", "ok", outside(kb.environment, "--version").out.strip())]
    try:
        check(kb.root, writing=True)
        base = read(kb.root)
    except Corrupt as error:
        return [*checks, Check("repository", "problem", error.message, error.hint)]
    looks = [_contents(kb, base), _raw(base), _tools(kb)]
    if kb.is_trusted:
        looks = [_identity(kb), _repository(kb, base), _remote(kb, offline), _pushes(kb), *looks]
    else:
        refusal = stranger(kb.root)
        checks.append(Check("trust", "problem", refusal.message, refusal.hint))
    for look in looks:
        try:
            checks += look
        except QuaidError as error:
            checks.append(Check(error.code, "problem", error.message, error.hint))
    return checks


def _identity(kb: Kb) -> Iterator[Check]:
    if not kb.git.config("user.name") or not kb.git.config("user.email"):
        hint = "git config --global user.name NAME, and user.email."
        yield Check("identity", "warning", "git knows no name for you: commits are by ai-kb", hint)


def _repository(kb: Kb, base: Base) -> Iterator[Check]:
    count = len(base.nodes)
    yield Check("repository", "ok", f"{kb.root}: {count:,} {plural('node', count)}")
    if CONTRACT not in base.others:
        yield Check("contract", "warning", f"there is no {CONTRACT}", "`ai-kb init` writes it.")
    now = kb.git.state()
    unfinished = kb.git.under_way()
    if unfinished:
        yield Check("branch", "problem", f"a {unfinished} is under way", "Finish it with git.")
    elif not now.branch:
        hint = f"git -C {kb.root} switch {known_branch(kb.git) or FIRST_BRANCH}"
        yield Check("branch", "problem", "no branch is checked out: nothing can be written", hint)
    elif (shared := known_branch(kb.git)) not in ("", now.branch):
        said = f"{now.branch}, and not {shared}: other machines do not see what is written here"
        yield Check("branch", "warning", said, f"git -C {kb.root} switch {shared}")
    else:
        yield Check("branch", "ok", now.branch)
    dirt = [each.path for each in now.changed if not is_litter(each.path)]
    if dirt:
        hint = "`ai-kb commit` checks and commits them; until then agents cannot write."
        yield Check("changes", "problem", f"not committed: {path_list(dirt)}", hint)
    if journal_of(kb).exists():
        yield Check("write", "warning", "a write was interrupted", "The next one undoes it.")


def _remote(kb: Kb, offline: bool) -> Iterator[Check]:
    address = kb.git.remote_address()
    if not address:
        if kb.git.config(LOCAL) == "true":
            yield Check("remote", "ok", "none, as you have said: nothing is backed up")
            return
        hint = f"`ai-kb init --remote ADDRESS`; if none is wanted: git -C {kb.root} config ai-kb.local true"
        yield Check("remote", "warning", "there is no remote: nothing is backed up", hint)
        return
    stated = kb.git.config("ai-kb.private")
    judged = [privacy(each, stated, _true_host(kb, host_of(each))) for each in kb.git.push_addresses()]
    private, why = next((each for each in judged if not each[0]), (judged or [privacy(address, stated)])[0])
    hint = "Make sure that it is private, then say so: git config ai-kb.private true."
    yield Check("private", "ok" if private else "warning", why, "" if private else hint)
    if offline:
        return
    try:
        there = branches_of(kb.git)
    except GitFailed as error:
        yield Check("reachable", "warning", error.message, "Commits are kept here until it answers.")
        return
    yield Check("reachable", "ok", "the remote answers")
    yield from _one_base(kb, there)


def _one_base(kb: Kb, there: Branches) -> Iterator[Check]:
    """Whether this and the remote are one knowledge base, on one branch."""
    git = kb.git
    now = git.state()
    if not there.shared or now.unborn or not now.branch:
        return
    if now.branch not in there.commits and not now.upstream:
        said = f"the remote has the branch {there.shared}, and this is {now.branch}, which it has not got"
        hint = f"If they are the same: git -C {kb.root} branch -m {there.shared}, then `ai-kb sync`."
        yield Check("joined", "problem", said, hint)
        return
    upstream = now.upstream or there.commits[now.branch]
    if git.run("cat-file", "-e", f"{upstream}^{{commit}}").status:
        yield Check(
            "joined", "warning", "the remote was never fetched", "`ai-kb sync` takes over what it has."
        )
    elif git.run("merge-base", "HEAD", upstream).status:
        hint = "Clone the remote to another directory, and remember there what only this one knows."
        yield Check(
            "joined", "problem", "the remote holds another knowledge base: no commit is in both", hint
        )


def _true_host(kb: Kb, host: str) -> str:
    """What ssh makes of a host's name: an alias may stand for a public forge. Nobody is asked."""
    if not host or not shutil.which("ssh"):
        return host
    try:
        told = subprocess.run(
            ["ssh", "-G", "--", host], capture_output=True, text=True, timeout=5, env=kb.environment
        )
    except (OSError, subprocess.TimeoutExpired):
        return host
    named = re.search(r"(?m)^hostname (\S+)$", told.stdout)
    return named.group(1).lower() if named else host


def privacy(address: str, stated: str = "", host: str | None = None) -> tuple[bool, str]:
    """Whether a remote may be called private, and why. Nobody is asked."""
    host = host_of(address) if host is None else host
    if not host:
        return True, "the remote is on this machine"
    if stated.lower() in ("true", "yes", "on", "1"):
        return True, f"{host}: private, as you have said"
    if any(host == forge or host.endswith("." + forge) for forge in PUBLIC_FORGES):
        return False, f"{host} is a public forge: a repository there may be readable by anyone"
    return True, f"{host} is not a public forge"


def host_of(address: str) -> str:
    """The host of an address; "" for a path."""
    match = _URL.match(address)
    if match:
        return "" if address.lower().startswith("file:") else match.group(1).lower()
    match = _SCP.match(address)
    return match.group(1).lower() if match and not address.startswith(("/", "./", "~")) else ""


def _pushes(kb: Kb) -> Iterator[Check]:
    now, remembered = kb.git.state(), state.recall(kb)
    ahead = unpushed_count(kb, now)
    if now.diverged:
        said = f"the remote has diverged: {ahead} here, {now.behind} there"
        yield Check("diverged", "warning", said, "`ai-kb sync` brings them together, or says why it cannot.")
    elif ahead:
        yield Check("push", "warning", f"ahead {ahead}", "`ai-kb push` pushes; a timer does it by itself.")
    elif kb.git.remote():
        yield Check("push", "ok", "everything is pushed")
    if remembered.push_failure:
        said = f"push failed at {remembered.push_failed_at}: {remembered.push_failure}"
        yield Check("push failed", "warning", said, "`ai-kb push` tries again.")
    fault = timer.fault(kb) if kb.git.remote() else None
    if fault:
        yield fault


def _contents(kb: Kb, base: Base) -> Iterator[Check]:
    rows = rows_of(base, kb.rows_by_path())
    old = stale(kb.root, rows)
    if old:
        said = f"the index is stale: {path_list(old)}"
        yield Check("index", "problem", said, "`ai-kb index` writes it anew.")
    else:
        yield Check("index", "ok", f"fresh, written {changed_at(kb.file(INDEX))}")
    report = lint_base(base, rows)
    blocking = [each for each in report.blocking if not (old and each.path in old)]
    if blocking:
        said = (
            f"{len(blocking)} {plural('finding', len(blocking))}, first {blocking[0].path}:{blocking[0].line}"
        )
        yield Check("lint", "problem", said, "`ai-kb lint` lists them.")
    else:
        yield Check("lint", "ok", "nodes are sound, no secrets found")
    if note_due(kb, rows):
        yield Check(
            "curation", "warning", "curation is due", "`ai-kb curate --dry-run` says what to look at."
        )


def _raw(base: Base) -> Iterator[Check]:
    total = sum(file.size for file in base.raw)
    count = len(base.raw)
    large = [file.path for file in base.raw if file.size > LARGE_RAW]
    said = f"{count:,} {plural('file', count)}, {total / 1024:,.0f} KB"
    if large:
        said = f"{said}; large: {path_list(large)}"
    yield Check(
        "raw", "warning" if large else "ok", said, "`ai-kb delete PATH` removes one." if large else ""
    )


def _tools(kb: Kb) -> Iterator[Check]:
    if not shutil.which("ai-kb", path=kb.environment.get("PATH")):
        hint = "Put the directory of `ai-kb` on PATH: the contract tells agents to run it."
        yield Check("program", "warning", "agents cannot find `ai-kb`", hint)
    emacs = shutil.which("emacs")
    yield Check("emacs", "ok", emacs or "not installed; only browsing in Emacs and --org-lint need it")
    dot = shutil.which("dot")
    yield Check("graphviz", "ok", dot or "not installed; only maps in Emacs need it")
    for agent in agents_here(kb):
        path = instructions_of(kb, agent)
        if has_adapter(path):
            yield Check("adapter", "ok", str(path))
        else:
            hint = f"`ai-kb init --adapter {agent}` installs it."
            yield Check("adapter", "warning", f"{agent} is not told about this knowledge base", hint)
