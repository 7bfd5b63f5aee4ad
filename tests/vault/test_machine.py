"""A folder and its memory under random changes from both sides, against a plain model: path -> bytes."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from quaid.errors import Ambiguous, Conflict, InvalidInput, NotFound, StorageFailed
from quaid.vault import folder
from tests.support import Clock, call, examples
from tests.vault.support import NAME, Vault, fresh_digest

# Few names, so that they collide: by case, by suffix, by folder.
PATHS = st.sampled_from(
    [
        "a.md",
        "A.md",
        "a.org",
        "b.md",
        "x/a.md",
        "X/a.md",
        "x/b c.md",
        "x/y/ä.md",
        "x/y/b.md",
        "ideas/Q.markdown",
    ]
)
SLUGS = st.sampled_from(["a", "b", "x/a", "x/new", "c", "x/b-c", "people/dan", "x/y/a", "ideas/q"])
FOLDERS = st.sampled_from(["x", "X", "x/y", "ideas", "z"])
PICKS = st.integers(0, 11)  # which of the files or pages that there are
WORDS = st.sampled_from(["a", "b", "x/a", "Q", "nobody", "c", "ä"])
BODIES = st.one_of(
    st.sampled_from(
        [
            b"",
            b"A\n",
            b"# A\n\n[[b]] and [[x/a]]\n",
            b"\xef\xbb\xbfmarked\r\n",
            b"caf\xe9\n",
            b"---\ntags: [one]\n---\nText [[c]].\n\n---\n\n- 2024-01-01 \xe2\x80\x94 Met\n",
            b"---\nlinks: [{to: b, relationship: knows}]\n---\n# B\n",
            b"---\nbroken: [\n---\n",
            b"#+title: Org\n\n* Heading\n[[b]]\n",
        ]
    ),
    st.integers(0, 30).map(lambda n: f"note {n}\n\n[[a]] [b](b.md)\n".encode()),
    st.sampled_from(["u1", "u2"]).flatmap(
        lambda uuid: st.integers(0, 9).map(lambda n: f"---\nuuid: {uuid}\n---\n# N{n}\n".encode())
    ),
)
# What a write may rightly be refused with: the page is gone, changed, or its place is taken.
REFUSALS = (Ambiguous, Conflict, NotFound, InvalidInput, StorageFailed)


class FolderMachine(RuleBasedStateMachine):
    """Programs change files, people and agents change pages; after a sync both say the same."""

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp())
        root = self.place / "notes"
        root.mkdir()
        self.vault = Vault(root, self.place / "vault.db", Clock())
        self.files: dict[str, bytes] = {}
        self.stamp = 1_700_000_000_000_000_000
        self.versions: dict[tuple[str, int], bytes] = {}

    # What other programs do ---------------------------------------------------------------------

    @initialize(data=BODIES)
    def begin(self, data: bytes) -> None:
        self.write("keep.md", b"# Keep\n")
        self.write("a.md", data)

    def write(self, path: str, data: bytes) -> None:
        self.vault.write(path, data)
        self.files[path] = data
        self.settle_time(path)

    def settle_time(self, path: str) -> None:
        """Files in here are older than they are, so that their times tell them apart at once."""
        self.stamp += 1_000_000_007
        os.utime(self.vault.root / path, ns=(self.stamp, self.stamp))

    @rule(path=PATHS, data=BODIES)
    def create_or_edit(self, path: str, data: bytes) -> None:
        self.write(path, data)

    @rule(pick=PICKS, new=PATHS)
    def copy(self, pick: int, new: str) -> None:
        source = self.some_file(pick)
        self.write(new, self.files[source])

    @rule(pick=PICKS, new=PATHS)
    def rename(self, pick: int, new: str) -> None:
        old = self.some_file(pick)
        if new != old:
            self.vault.rename(old, new)
            self.files[new] = self.files.pop(old)

    @rule(pick=PICKS, new=PATHS)
    def rename_after_a_sync(self, pick: int, new: str) -> None:
        """A file that goes to a free place is the same page there, at the same version."""
        old = self.some_file(pick)
        self.sync()
        if new in self.files or not self.files[old] or list(self.files.values()).count(self.files[old]) > 1:
            return
        before, links = self.vault.ids()[old], self.link_ids()
        self.rename_file(old, new)
        self.sync()
        assert self.vault.ids()[new] == before
        if Path(old).parent == Path(new).parent and Path(old).suffix == Path(new).suffix:
            assert self.link_ids() == links  # elsewhere, relative links are other links

    def rename_file(self, old: str, new: str) -> None:
        self.vault.rename(old, new)
        self.files[new] = self.files.pop(old)

    @rule(one=PATHS, other=PATHS)
    def swap(self, one: str, other: str) -> None:
        if one != other and {one, other} <= self.files.keys():
            self.rename_file(one, "swapped.md")
            self.rename_file(other, one)
            self.rename_file("swapped.md", other)

    @rule(old=FOLDERS, new=FOLDERS)
    def move_folder(self, old: str, new: str) -> None:
        place, target = self.vault.root / old, self.vault.root / new
        if place.is_dir() and not target.exists() and not new.startswith(old + "/"):
            self.vault.rename(old, new)
            self.files = {
                new + path[len(old) :] if path.startswith(old + "/") else path: data
                for path, data in self.files.items()
            }

    @rule(pick=PICKS)
    def delete(self, pick: int) -> None:
        path = self.some_file(pick)
        (self.vault.root / path).unlink()
        del self.files[path]

    @rule(pick=PICKS)
    def delete_and_bring_back(self, pick: int) -> None:
        """What is gone for a while comes back as the same page, with what belonged to it."""
        path = self.some_file(pick)
        self.sync()
        alone = list(self.files.values()).count(self.files[path]) == 1 and self.files[path]
        before = self.vault.ids()[path]
        (self.vault.root / path).rename(self.place / "away")
        self.vault.sync(accept_empty=True)
        assert path not in self.vault.pages()
        (self.vault.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.place / "away").rename(self.vault.root / path)
        self.sync()
        known = self.vault.app.connection.execute(
            "SELECT count(*) FROM departed_files d JOIN pages p ON p.id = d.page_id WHERE p.path = ?", (path,)
        ).fetchone()
        if alone and known == (0,):
            assert self.vault.ids()[path] == before or self.twin_in_quarantine(self.files[path])

    def twin_in_quarantine(self, data: bytes) -> bool:
        """Whether another page that is gone held the same."""
        found = self.vault.app.connection.execute(
            "SELECT whole(packed) FROM pages WHERE quarantined_at IS NOT NULL"
        )
        return any(text.encode() == data for (text,) in found)

    @rule(
        pick=PICKS, value=st.sampled_from([b'{"sources": {"s": 1}}', b'{"sources": {"t": [2]}}', b"{", b"[]"])
    )
    def write_raw(self, pick: int, value: bytes) -> None:
        place = folder.sidecar_of(self.some_file(pick))
        self.vault.write(place, value)
        self.settle_time(place)

    @rule(pick=PICKS)
    def delete_raw(self, pick: int) -> None:
        (self.vault.root / folder.sidecar_of(self.some_file(pick))).unlink(missing_ok=True)

    # What people and agents do ------------------------------------------------------------------

    def act(self, operation: str, **values: Any) -> bool:
        """Run an operation as a new process does; whether it was done."""
        try:
            call(self.vault.app.reread(), operation, **values)
        except REFUSALS:
            self.same_as_disk()
            return False
        self.read_disk()
        return True

    def same_as_disk(self) -> None:
        """What was refused has changed no file."""
        assert self.disk() == self.files

    def read_disk(self) -> None:
        self.files = self.disk()

    def disk(self) -> dict[str, bytes]:
        return {path: data for path, data in self.vault.files().items() if folder.is_page(path)}

    @rule(slug=SLUGS, data=BODIES)
    def put(self, slug: str, data: bytes) -> None:
        text = data.decode("utf-8-sig", "replace")
        if self.act("put", slug=f"{NAME}::{slug}", content=text):
            (page,) = self.pages_at(slug)
            assert self.files[page].removeprefix(b"\xef\xbb\xbf").decode("cp1252", "replace")

    @rule(pick=PICKS, text=BODIES, edited=st.booleans())
    def put_with_the_version_that_was_read(self, pick: int, text: bytes, edited: bool) -> None:
        """An edit from outside since the read is a conflict, and stays."""
        path = self.some_file(pick)
        self.sync()
        slug, version = self.vault.slugs()[path], self.vault.versions()[path]
        if edited:
            self.write(path, f"outside {self.stamp}".encode())
        done = self.act(
            "put",
            slug=f"{NAME}::{slug}",
            content=text.decode("utf-8", "replace"),
            expected_version=version,
        )
        assert done is not (edited or not text)  # a page without any text is refused

    @rule(pick=PICKS, tag=st.sampled_from(["one", "two"]))
    def tag(self, pick: int, tag: str) -> None:
        self.change(pick, "tag", "slug", tag=tag)

    @rule(pick=PICKS, to=WORDS)
    def link(self, pick: int, to: str) -> None:
        self.change(pick, "link", "from", to=to, relationship="knows")

    @rule(pick=PICKS, day=st.sampled_from(["2024-01-01", "2025-06-30"]))
    def timeline_add(self, pick: int, day: str) -> None:
        self.change(pick, "timeline-add", "slug", date=day, summary="Something")

    @rule(pick=PICKS, value=st.integers(0, 3))
    def raw(self, pick: int, value: int) -> None:
        self.change(pick, "raw", "slug", source="s", data={"value": value})

    @rule(pick=PICKS)
    def rm(self, pick: int) -> None:
        self.change(pick, "rm", "slug")

    @rule(pick=PICKS, to=SLUGS)
    def mv(self, pick: int, to: str) -> None:
        self.change(pick, "mv", "slug", to=to)

    def change(self, pick: int, operation: str, key: str, **values: Any) -> None:
        slugs = sorted(self.vault.slugs().values())
        if slugs:
            self.act(operation, **{key: f"{NAME}::{slugs[pick % len(slugs)]}"}, **values)

    @rule(pick=PICKS)
    def restore(self, pick: int) -> None:
        listed = call(self.vault.app.reread(), "collection quarantine list")["pages"]
        if listed:
            slugs = sorted({page["slug"] for page in listed})
            self.act("collection quarantine restore", slug=f"{NAME}::{slugs[pick % len(slugs)]}")

    @rule(pick=PICKS)
    def discard(self, pick: int) -> None:
        listed = call(self.vault.app.reread(), "collection quarantine list")["pages"]
        if listed:
            slugs = sorted({page["slug"] for page in listed})
            self.act("collection quarantine discard", slug=f"{NAME}::{slugs[pick % len(slugs)]}")

    # What always holds --------------------------------------------------------------------------

    @rule()
    def sync(self) -> None:
        report = self.vault.sync(accept_empty=True)
        unread = [each for each in report.failed if not folder.is_sidecar(each.path)]
        assert not unread
        assert self.vault.pages() == self.files
        again = self.vault.sync(accept_empty=True)
        assert not again.changed
        assert not again.skipped

    @rule()
    def compare_with_a_fresh_memory(self) -> None:
        self.sync()
        assert self.vault.digest() == fresh_digest(self.vault.root, self.place / "fresh.db")

    @invariant()
    def versions_do_not_repeat(self) -> None:
        """A slug at a version never says two different things."""
        for slug, version, text in self.vault.app.connection.execute(
            "SELECT slug, version, text FROM live_pages"
        ):
            assert self.versions.setdefault((slug, version), text) == text, (slug, version)

    @precondition(lambda self: not self.vault.app.connection.in_transaction)
    @invariant()
    def nothing_is_left_behind(self) -> None:
        assert not list(self.vault.root.rglob(folder.SCRATCH + "*"))
        assert not list(self.place.glob("*.files"))

    def teardown(self) -> None:
        try:
            self.compare_with_a_fresh_memory()
            # Two names of one page become one when it moves; a person says which of the two links is to go.
            assert not [each for each in self.vault.findings() if "overlap in time" not in each["message"]]
        finally:
            self.vault.close()
            shutil.rmtree(self.place)

    # Helpers ------------------------------------------------------------------------------------

    def some_file(self, pick: int) -> str:
        if not self.files:
            self.write("keep.md", b"# Keep\n")
        return sorted(self.files)[pick % len(self.files)]

    def link_ids(self) -> list[Any]:
        return sorted(self.vault.app.connection.execute("SELECT id FROM links"))

    def pages_at(self, slug: str) -> list[str]:
        return [path for path, known in self.vault.slugs().items() if known == slug]


TestFolderMachine = FolderMachine.TestCase
TestFolderMachine.settings = examples(
    12,
    200,
    stateful_step_count=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
