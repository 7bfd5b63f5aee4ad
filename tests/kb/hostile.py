"""A stranger's repository: every way in which its own files can have git, or Emacs, run a program.

Each vector writes a file named after it when it runs, so that a test sees which one did.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.kb.repositories import Repository, World, git, run

HOOKS = (
    "pre-commit prepare-commit-msg commit-msg post-commit pre-merge-commit post-merge post-checkout "
    "pre-rebase post-rewrite pre-push pre-auto-gc reference-transaction post-index-change applypatch-msg "
    "pre-applypatch push-to-checkout fsmonitor-watchman update pre-receive post-receive proc-receive"
)


class Stranger:
    """A copy of somebody's knowledge base in which something has been planted."""

    def __init__(self, root: Path, marks: Path) -> None:
        self.root = root
        self.marks = marks
        marks.mkdir(exist_ok=True)

    @property
    def inside(self) -> Path:
        return self.root / ".git"

    def command(self, name: str, then: str = "cat; exit 0") -> str:
        """A program that leaves its mark. It reads what it is given, as a filter would."""
        script = self.marks.parent / f"{self.marks.name}-{name}.sh"
        script.write_text(f"#!/bin/sh\n: > {self.marks / name}\n{then}\n")
        script.chmod(0o755)
        return str(script)

    def config(self, key: str, value: str, *options: str) -> None:
        git(self.root, "config", *options, key, value)

    def attributes(self, line: str) -> None:
        (self.inside / "info").mkdir(exist_ok=True)
        with (self.inside / "info" / "attributes").open("a") as file:
            file.write(line + "\n")

    def touch_all(self) -> None:
        """Make every file look changed, so that git has to read it."""
        for path in self.root.glob("*.org"):
            path.write_text(path.read_text())

    @property
    def ran(self) -> list[str]:
        """The vectors that ran."""
        return sorted(each.name for each in self.marks.iterdir())


Plant = Callable[[Stranger], None]
VECTORS: dict[str, Plant] = {}


def vector(name: str) -> Callable[[Plant], Plant]:
    def note(plant: Plant) -> Plant:
        VECTORS[name] = plant
        return plant

    return note


@vector("hooks")
def _hooks(it: Stranger, folder: Path | None = None) -> None:
    place = folder or it.inside / "hooks"
    place.mkdir(parents=True, exist_ok=True)
    for name in HOOKS.split():
        shutil.copy(it.command(f"hook-{name}", "exit 0"), place / name)


@vector("core.hooksPath")
def _hooks_path(it: Stranger) -> None:
    _hooks(it, it.root / ".githooks")
    it.config("core.hooksPath", ".githooks")


@vector("include.path")
def _include(it: Stranger) -> None:
    (it.inside / "more").write_text(f"[core]\n\tfsmonitor = {it.command('include')}\n")
    it.config("include.path", "more")
    _filter(it, "filter-included")


@vector("includeIf")
def _include_if(it: Stranger) -> None:
    (it.inside / "more").write_text(f'[filter "x"]\n\tclean = {it.command("include-if")}\n')
    it.config("includeIf.gitdir:**.path", "more")
    it.attributes("*.org filter=x")
    it.touch_all()


@vector("config.worktree")
def _worktree_config(it: Stranger) -> None:
    it.config("extensions.worktreeConfig", "true")
    it.config("filter.x.clean", it.command("worktree-config"), "--worktree")
    it.attributes("*.org filter=x")
    it.touch_all()


def _filter(it: Stranger, name: str) -> None:
    for kind in ("clean", "smudge", "process"):
        if kind == "process":
            it.config("filter.y.process", it.command(f"{name}-process", "exit 1"))
        else:
            it.config(f"filter.x.{kind}", it.command(f"{name}-{kind}"))
    it.touch_all()


@vector("filter by .git/info/attributes")
def _filter_info(it: Stranger) -> None:
    _filter(it, "filter")
    it.attributes("*.org filter=x")


@vector("filter.process")
def _filter_process(it: Stranger) -> None:
    _filter(it, "filter")
    it.attributes("*.org filter=y")


@vector("filter by .gitattributes")
def _filter_tracked(it: Stranger) -> None:
    (it.root / ".gitattributes").write_text("*.org filter=x\n")
    git(it.root, "add", ".gitattributes")
    git(it.root, "commit", "--quiet", "-m", "Attributes")
    _filter(it, "filter")


@vector("core.attributesFile")
def _attributes_file(it: Stranger) -> None:
    (it.inside / "attr").write_text("*.org filter=x\n")
    it.config("core.attributesFile", str(it.inside / "attr"))
    _filter(it, "filter")


@vector("submodule with its own configuration")
def _submodule(it: Stranger) -> None:
    inner = it.root / "raw"
    inner.mkdir(exist_ok=True)
    part = inner / "part"
    subprocess.run(["git", "init", "-q", part], check=True)
    (part / "a").write_text("a")
    git(part, "add", "a")
    git(part, "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "a")
    git(it.root, "add", "raw/part", check=False)
    git(part, "config", "core.fsmonitor", it.command("submodule-fsmonitor"))
    git(part, "config", "filter.x.clean", it.command("submodule-filter"))
    (part / ".git" / "info" / "attributes").write_text("* filter=x\n")
    (part / "a").write_text("a")


def _key(key: str, *others: tuple[str, str], then: str = "cat; exit 0") -> Plant:
    def plant(it: Stranger) -> None:
        for name, value in others:
            it.config(name, value)
        it.config(key, it.command(key, then))
        it.touch_all()

    return plant


_SSH = ("remote.origin.url", "ssh://git@nowhere.invalid/kb.git")
_FAIL = "exit 1"
for _name, _others in {
    "core.fsmonitor": (),
    "core.sshCommand": (_SSH, ("ssh.variant", "simple")),
    "core.editor": (),
    "sequence.editor": (("rebase.instructionFormat", "%s"),),
    "core.pager": (("pager.status", "true"), ("pager.log", "true")),
    "core.askPass": (("remote.origin.url", "http://127.0.0.1:9/kb.git"),),
    "credential.helper": (("remote.origin.url", "http://u@127.0.0.1:9/kb.git"),),
    "diff.external": (),
    "interactive.diffFilter": (),
    "core.alternateRefsCommand": (),
    "uploadpack.packObjectsHook": (),
    "core.gitProxy": (("remote.origin.url", "git://nowhere.invalid/kb.git"),),
    "trailer.x.command": (("trailer.x.key", "X"),),
    "gpg.program": (("commit.gpgSign", "true"),),
    "gpg.ssh.program": (("commit.gpgSign", "true"), ("gpg.format", "ssh"), ("user.signingKey", "key::x")),
    "gpg.ssh.defaultKeyCommand": (("commit.gpgSign", "true"), ("gpg.format", "ssh")),
    "gpg.x509.program": (("commit.gpgSign", "true"), ("gpg.format", "x509")),
    "remote.origin.uploadpack": (),
    "remote.origin.receivepack": (),
    "browser.x.cmd": (("web.browser", "x"),),
    "mergetool.x.cmd": (("merge.tool", "x"),),
    "difftool.x.cmd": (("diff.tool", "x"),),
    "imap.tunnel": (),
}.items():
    _then = _FAIL if _name.startswith(("gpg", "core.ssh", "remote", "core.gitP")) else "cat; exit 0"
    VECTORS[_name] = _key(_name, *_others, then=_then)


@vector("diff driver")
def _diff_driver(it: Stranger) -> None:
    it.config("diff.x.textconv", it.command("textconv"))
    it.config("diff.x.command", it.command("diff-command"))
    it.attributes("*.org diff=x")


@vector("merge driver")
def _merge_driver(it: Stranger) -> None:
    it.config("merge.x.driver", it.command("merge-driver", "exit 0"))
    it.config("merge.default", "x")
    it.attributes("*.org merge=x")


@vector("signatures are looked at")
def _signatures(it: Stranger) -> None:
    it.config("gpg.program", it.command("verification", _FAIL))
    it.config("log.showSignature", "true")
    it.config("merge.verifySignatures", "true")
    signed = git(it.root, "cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n", 1
    )
    made = subprocess.run(
        ["git", "-C", it.root, "hash-object", "-t", "commit", "-w", "--stdin"],
        input=signed + "\n", text=True, capture_output=True, check=True,
    )  # fmt: skip
    git(it.root, "update-ref", "HEAD", made.stdout.strip())


@vector("remote ext::")
def _ext(it: Stranger) -> None:
    it.config("protocol.ext.allow", "always")
    it.config("remote.origin.url", f"ext::{it.command('ext', _FAIL)}")


@vector("remote.origin.pushurl")
def _push_url(it: Stranger) -> None:
    it.config("protocol.ext.allow", "always")
    it.config("remote.origin.pushurl", f"ext::{it.command('pushurl', _FAIL)}")


@vector("remote.origin.vcs")
def _vcs(it: Stranger) -> None:
    it.config("protocol.ext.allow", "always")
    it.config("protocol.allow", "always")
    it.config("remote.origin.vcs", "ext")
    it.config("remote.origin.url", it.command("vcs", _FAIL))


@vector("url.insteadOf")
def _instead_of(it: Stranger) -> None:
    it.config("protocol.ext.allow", "always")
    it.config(f"url.ext::{it.command('insteadof', _FAIL)} .insteadOf", "/")


@vector("alias")
def _alias(it: Stranger) -> None:
    for name in ("status", "remote", "fetch", "push", "config", "commit"):
        it.config(f"alias.{name}", f"!{it.command('alias-' + name, 'exit 0')}")


@vector("submodule.update")
def _submodule_update(it: Stranger) -> None:
    it.config("submodule.recurse", "true")
    it.config("fetch.recurseSubmodules", "true")
    it.config("submodule.raw.update", f"!{it.command('submodule-update')}")
    it.config("submodule.raw.url", str(it.root))
    (it.root / ".gitmodules").write_text(f'[submodule "raw"]\n\tpath = raw\n\turl = {it.root}\n')


@vector("gc.auto")
def _gc(it: Stranger) -> None:
    _hooks(it)
    it.config("gc.auto", "1")
    it.config("maintenance.auto", "true")


@vector("core.worktree")
def _worktree(it: Stranger) -> None:
    """The work tree is elsewhere: a write would change the person's own files."""
    other = it.marks.parent / f"{it.marks.name}-home"
    shutil.copytree(it.root, other, ignore=shutil.ignore_patterns(".git"))
    _filter_info(it)
    it.config("core.worktree", str(other))


@vector(".git is a file that leads elsewhere")
def _git_file(it: Stranger) -> None:
    _hooks(it)
    _filter_info(it)
    other = it.marks.parent / f"{it.marks.name}-elsewhere"
    it.inside.rename(other)
    it.inside.write_text(f"gitdir: {other}\n")


@vector("commondir")
def _commondir(it: Stranger) -> None:
    _hooks(it)
    _filter_info(it)
    other = it.marks.parent / f"{it.marks.name}-common"
    shutil.copytree(it.inside, other)
    for name in ("config", "hooks", "info"):
        place = it.inside / name
        shutil.rmtree(place) if place.is_dir() else place.unlink()
    (it.inside / "commondir").write_text(f"{other}\n")


@vector("the repository above")
def _above(it: Stranger) -> None:
    """The directory's own .git is none, so that git would take the one above."""
    whole = it.root.with_name(it.root.name + "-whole")
    it.root.rename(whole)
    it.root.mkdir()
    shutil.move(whole, it.root / "inner")
    inner = Stranger(it.root / "inner", it.marks)
    _filter_info(inner)
    _hooks(inner)
    shutil.copytree(inner.root, it.root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("inner"))
    shutil.rmtree(inner.inside)
    inner.inside.mkdir()
    it.root = inner.root


@vector("org files in Emacs")
def _org(it: Stranger) -> None:
    """Emacs itself is the program here; one that does not know better evaluates these."""
    shell = f'(shell-command \\"touch {it.marks / "org-macro"}\\")'
    (it.root / "20260101000000-macro.org").write_text(
        ":PROPERTIES:\n:ID: 7c9e6679-7425-40de-944b-e07fc1f90ae7\n:END:\n#+title: Macro\n"
        f"#+MACRO: x (eval {shell})\n#+LINK: sh %(lambda (x) {shell})\n[[sh:a]]\n\n{{{{{{x}}}}}}\n"
    )


def diverged(world: World) -> Path:
    """A knowledge base whose branch and remote both changed one node: there is work for every command."""
    first = world.shared("first")
    id = first.remember("Walrus", body="Odobenus.")
    first.remember("Tusk", body=f"See [[id:{id}][Walrus]].")
    first.remember("Spare", body="Of no use.")
    first.ok("push")
    second = world.clone("second")
    second.ok("remember", "--update", id, "--summary", "A mammal of the north.", "--body", "There.")
    second.ok("push")
    first.ok("remember", "--update", id, "--summary", "A mammal with tusks.", "--body", "Here.", "--offline")
    return first.root


def planted(world: World, template: Path, name: str, number: int = 0) -> Stranger:
    """A copy with one vector in it, at a place that nobody has trusted."""
    root = world.place / f"stranger-{number}"
    shutil.copytree(template, root, symlinks=True)
    it = Stranger(root, world.place / f"marks-{number}")
    VECTORS[name](it)
    for mark in it.marks.iterdir():  # what planting itself set off
        mark.unlink()
    return it


# What each command is given, so that it gets as far as it can. A command that is not here gets nothing.
WORDS: dict[str, tuple[str, ...]] = {
    "query": ("walrus",),
    "show": ("Walrus",),
    "backlinks": ("Walrus",),
    "lint": ("--org-lint",),
    "remember": ("--title", "Otter", "--summary", "It swims on its back.", "--body", "Wet."),
    "capture": ("https://example.org/x", "--excerpt", "A passage.", "--title", "X"),
    "merge": ("Walrus", "Spare", "--yes"),
    "split": ("Walrus", "--at", "Nothing", "--yes"),
    "supersede": ("Walrus", "Tusk", "--yes"),
    "delete": ("Spare", "--yes"),
    "contest": ("Walrus", "Tusk", "--yes"),
    "resolve": ("Walrus", "--yes"),
    "resolve-divergence": ("--yes",),
    "curate": ("--done", "Walrus"),
    "init": ("--no-attach", "--no-adapter"),
}
# These answer about a stranger's knowledge base; all others refuse it.
READING = ("query", "show", "list", "map", "emacs", "backlinks", "status", "lint", "doctor")


def commands() -> list[tuple[str, ...]]:
    """Every command that `ai-kb --help` names."""
    names = re.findall(r"^  ([a-z][a-z-]+) ", run("--help").out, re.MULTILINE)
    assert {*WORDS, *READING} <= {*names}
    return [(name, *WORDS.get(name, ())) for name in names]


def snapshot(root: Path) -> dict[str, bytes]:
    """Every file of a repository, git's own too."""
    places = (os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names)
    return {
        os.path.relpath(place, root): Path(place).read_bytes() for place in places if os.path.isfile(place)
    }


__all__ = ["READING", "VECTORS", "Repository", "commands", "diverged", "planted", "snapshot"]
