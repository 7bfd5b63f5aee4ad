"""Make a knowledge base, or make sure that one is whole. A second run changes nothing."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from shlex import quote
from uuid import uuid4

from quaid.errors import Conflict, GitFailed, InvalidInput
from quaid.files import make_private_directory, replace_file
from quaid.kb.gate import Gate, Proposal, Written, recovery_notes
from quaid.kb.node import is_node
from quaid.kb.place import CONTRACT, is_litter
from quaid.kb.repository import Kb, own_memory
from quaid.kb.timer import job_of
from quaid.model.record import field, record
from quaid.supervisor import Timer, install_job
from quaid.sync import lock
from quaid.sync.branches import FIRST_BRANCH, branches_at, branches_of
from quaid.sync.git import outside
from quaid.sync.repository import path_list
from quaid.trust import Trust

CLONE_TIMEOUT = 120.0  # seconds
IGNORED = "# What editors and systems leave beside files.\n.#*\n\\#*\\#\n*~\n*.swp\n.DS_Store\n.quaid/\n"
# Bytes are what a node is: no machine is to make other line ends of them.
ATTRIBUTES = "* -text\n"
_KEEPS_ENDS = re.compile(r"(?m)^\*[ \t](?:.*[ \t])?(?:-text|text=|text\b|eol=|binary)")
_TEMPLATES = Path(__file__).parent / "templates"
# Of each agent: the variable that names its directory, the directory in a home, and the file in it.
_INSTRUCTIONS = {
    "claude": ("CLAUDE_CONFIG_DIR", ".claude", "rules/ai-kb.md"),
    "codex": ("CODEX_HOME", ".codex", "AGENTS.md"),
}
AUTHORS = {"claude": "claude-code", "codex": "codex"}  # what they are called in :CREATED_BY:
_BEGIN, _END = "<!-- ai-kb: begin -->", "<!-- ai-kb: end -->"


@record
class Initialised:
    """What a run of `init` did."""

    root: str
    origin: str  # made, cloned, known
    files: tuple[str, ...]
    commit: str
    adapters: tuple[str, ...] = field(default=())
    timer: Timer | None = None
    notices: tuple[str, ...] = field(default=())


def init(
    kb: Kb,
    *,
    remote: str = "",
    timer: bool = False,
    agents: Iterable[str] = (),
    agents_file: str = "",
) -> Initialised:
    """Make or complete a knowledge base: repository, remote, contract, index, adapters; a timer if asked."""
    origin = _repository(kb, remote)
    notices: list[str] = []
    with lock.write_lock(kb.git):
        notices += recovery_notes(kb)
        if remote and origin != "cloned":
            notices += _remote(kb, remote)
        if _joined(kb):
            origin = "cloned"
        _refuse_dirt(kb)
        done = _begun(kb)
    adapters = [write_section(kb, instructions_of(kb, agent), AUTHORS[agent]) for agent in agents]
    if agents_file:
        adapters.append(write_section(kb, Path(agents_file).expanduser()))
    installed = install_job(job_of(kb)) if timer else None
    return Initialised(
        root=str(kb.root),
        origin=origin,
        files=done.paths,
        commit=done.commit,
        adapters=tuple(adapters),
        timer=installed,
        notices=(*notices, *done.notices),
    )


def _begun(kb: Kb) -> Written:
    """Commit what is missing. There may be no commit yet, and nobody has to be asked."""
    with closing(own_memory(kb)) as memory:
        memory.refresh(patiently=True)
        gate = Gate(kb, memory)
        with gate.open(), memory.store.write():
            gate.propose(Proposal(_missing(kb), "Begin the knowledge base"))
    return gate.result


def _repository(kb: Kb, remote: str) -> str:
    """A git repository at the root: the one that is there, a clone of the remote, or a new one."""
    root = kb.root
    if os.path.lexists(root / ".git"):
        _refuse_other_work(kb)
        return "known"
    if root.exists() and not root.is_dir():
        raise InvalidInput(f"{root} is a file", hint="Name a directory.")
    if root.is_dir() and any(root.iterdir()) and not (root / CONTRACT).is_file():
        raise InvalidInput(
            f"{root} is not empty and not a knowledge base", hint="Name a directory that is new or empty."
        )
    # A path counts from the directory that holds the root.
    place = root.parent / Path(remote).expanduser()
    address = str(place) if remote and "://" not in remote and place.exists() else remote
    is_empty = not root.is_dir() or not any(root.iterdir())
    branch = branches_at(kb, address).shared if address and is_empty else ""
    make_private_directory(root)
    if branch:
        cloning = ("clone", "--quiet", f"--branch={branch}", "--", address, str(root))
        _make(kb, *cloning)
        try:
            _refuse_other_work(kb)
        except Conflict:
            shutil.rmtree(root, ignore_errors=True)
            raise
        return "cloned"
    _make(kb, "init", "--quiet", f"--initial-branch={FIRST_BRANCH}", "--", str(root))
    return "made"


def _make(kb: Kb, *words: str) -> None:
    """Let git make the repository, from outside any other; what is ours from the start is trusted."""
    done = outside(kb.environment, *words, timeout=CLONE_TIMEOUT)
    if done.status:
        raise GitFailed(f"git {words[0]}: {done.reason}", hint="Look at the directory and the address.")
    Trust(kb.home).accept(kb.root)


def _joined(kb: Kb) -> bool:
    """Check out what the remote has, if nothing is committed here: one that begins anew would be another."""
    git = kb.git
    if not git.remote() or not git.state().unborn:
        return False
    branch = branches_of(git).shared
    if not branch:
        return False
    fetched = git.fetch()
    if fetched.status:
        raise GitFailed(f"git fetch: {fetched.reason}", hint="Try again when the remote can be reached.")
    git.ask("checkout", "--quiet", "-B", branch, "--track", f"{git.remote()}/{branch}")
    return True


def _refuse_other_work(kb: Kb) -> None:
    """A repository of something else does not become a knowledge base by a mistyped path."""
    if (kb.root / CONTRACT).is_file():
        return
    if kb.git.trusted:
        kept = kb.git.ask("ls-files", "-z").split("\0")
    else:
        kept = [each.name for each in kb.root.iterdir() if each.name != ".git"]
    usual = ("README.org", "README.md", ".gitignore", ".gitattributes", "LICENSE", "raw")
    known = (path for path in kept if path and path not in usual and not is_node(path))
    foreign = [path for path in known if not path.startswith(("raw/", "index"))]
    if foreign:
        raise Conflict(
            f"{kb.root} is a repository of something else: {path_list(foreign)}",
            hint="Name a directory that is new or empty.",
        )


def _remote(kb: Kb, address: str) -> list[str]:
    known = kb.git.remote_address()
    if not known:
        kb.git.ask("remote", "add", "--", "origin", address)
    different = known not in ("", address)
    return [f"the remote stays {known}; git remote set-url origin changes it"] if different else []


def _refuse_dirt(kb: Kb) -> None:
    dirt = [each.path for each in kb.git.state().changed if not is_litter(each.path)]
    own = ("README.org", CONTRACT, ".gitignore", ".gitattributes", "index.org")
    tracked = [path for path in dirt if path not in own]
    if tracked:
        raise Conflict(
            f"{kb.root} has changes that are not committed: {path_list(tracked)}",
            hint="`ai-kb commit` checks and commits them.",
        )


def _missing(kb: Kb) -> dict[str, str | bytes | None]:
    """The files that a knowledge base has from its beginning, where they are not there."""
    files: dict[str, str | bytes | None] = {
        CONTRACT: template(CONTRACT, today=kb.today),
        ".gitignore": IGNORED,
    }
    if not (kb.root / "README.md").is_file():
        files["README.org"] = template("README.org", id=str(uuid4()), today=kb.today)
    missing = {path: text for path, text in files.items() if not kb.file(path).exists()}
    place = kb.file(".gitattributes")
    known = place.read_bytes() if place.is_file() and not place.is_symlink() else b""
    if not _KEEPS_ENDS.search(known.decode(errors="replace")):
        missing[".gitattributes"] = ATTRIBUTES.encode() + known  # what comes later counts more
    return missing


def template(name: str, **facts: str) -> str:
    """A text that comes with the program, with its blanks filled in."""
    text = (_TEMPLATES / name).read_text("utf-8")
    return re.sub(r"\{(\w+)\}", lambda match: facts.get(match.group(1), match.group()), text)


def instructions_of(kb: Kb, agent: str) -> Path:
    """Where an agent looks for what a person wants of it everywhere."""
    variable, folder, file = _INSTRUCTIONS[agent]
    stated = kb.environment.get(variable) or ""
    return (Path(stated) if stated else kb.home / folder) / file


def agents_here(kb: Kb) -> list[str]:
    """The agents that are used on this machine."""
    return [
        agent
        for agent, (_, _, file) in _INSTRUCTIONS.items()
        if instructions_of(kb, agent).parents[file.count("/")].is_dir()
    ]


def write_section(kb: Kb, path: Path, agent: str = "codex") -> str:
    """Put the adapter into a file such as AGENTS.md, between two marks; what stands around it stays."""
    section = f"{_BEGIN}\n{template('adapter.md', root=quote(str(kb.root)), agent=agent)}{_END}\n"
    try:
        text = path.read_bytes().decode() if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read as text: {error}", hint="Name another file.") from None
    pattern = re.compile(re.escape(_BEGIN) + r".*?" + re.escape(_END) + r"\n?", re.DOTALL)
    if pattern.search(text):
        new = pattern.sub(lambda _: section, text, count=1)
    else:
        new = f"{text.rstrip()}\n\n{section}" if text.strip() else section
    if new != text:
        replace_file(path.resolve(), new.encode())
    return str(path)


def has_adapter(path: Path) -> bool:
    """Whether a file holds the adapter."""
    try:
        return _BEGIN in path.read_text("utf-8", "replace")
    except OSError:
        return False
