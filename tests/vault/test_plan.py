"""What a sync plans to do: a diff of two lists, without any file."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.store.file_state import FileState
from quaid.vault.folder import Seen, Walk, is_page, is_sidecar
from quaid.vault.plan import (
    COARSE_GRAIN,
    FINE_GRAIN,
    Action,
    Look,
    LookAtRaw,
    Move,
    Print,
    Remove,
    may_differ,
    plan,
    survey,
)

OLD, LATER = 1_700_000_000_123_456_789, 1_700_000_100_123_456_789

Content = tuple[str, str | None]  # what a file holds, and the id in it


def known_files(contents: Mapping[str, Content]) -> dict[str, FileState]:
    """Files as they were read long ago; each is a page of its own."""
    return {
        path: FileState(path, len(text), OLD, number, LATER, text, number, uuid)
        for number, (path, (text, uuid)) in enumerate(sorted(contents.items()), 1)
    }


def seen_files(contents: Mapping[str, Content], known: Mapping[str, FileState]) -> dict[str, Seen]:
    """Files as they are now: those that hold what they held are untouched."""
    found: dict[str, Seen] = {}
    for number, (path, (text, _)) in enumerate(sorted(contents.items()), 100):
        state = known.get(path)
        same = state is not None and state.hash == text
        found[path] = (
            Seen(path, len(text), OLD, state.inode)
            if same and state
            else Seen(path, len(text), LATER + number, number)
        )
    return found


def planned(before: Mapping[str, Content], after: Mapping[str, Content]) -> tuple[Action, ...]:
    known = known_files(before)
    files = seen_files(after, known)
    found = survey(Walk(files, (), ()), known)
    return plan(found, {path: Print(*after[path]) for path in found.fresh})


def texts(**named: str) -> dict[str, Content]:
    return {f"{name}.md": (text, None) for name, text in named.items()}


def test_nothing_has_changed() -> None:
    assert planned(texts(a="1", b="2"), texts(a="1", b="2")) == ()


def test_new_changed_and_gone_files() -> None:
    assert planned(texts(a="1", b="2", c="3"), texts(b="2", c="4", d="5")) == (
        Remove("a.md"),
        Look("c.md"),
        Look("d.md"),
    )


def test_a_renamed_file_is_the_same_page() -> None:
    assert planned(texts(a="1", b="2"), texts(z="1", b="2")) == (Move("z.md", "a.md", 1, "1"),)


def test_a_swap_is_two_moves() -> None:
    assert planned(texts(a="1", b="2"), texts(a="2", b="1")) == (
        Move("a.md", "b.md", 2, "2"),
        Move("b.md", "a.md", 1, "1"),
    )


def test_a_chain_of_renames_keeps_every_page() -> None:
    assert planned(texts(a="1", b="2", c="3"), texts(b="1", c="2", d="3")) == (
        Move("b.md", "a.md", 1, "1"),
        Move("c.md", "b.md", 2, "2"),
        Move("d.md", "c.md", 3, "3"),
    )


def test_a_file_that_takes_the_place_of_another_removes_it_first() -> None:
    assert planned(texts(a="1", b="2"), texts(b="1")) == (
        Remove("b.md", replaced=True),
        Move("b.md", "a.md", 1, "1"),
    )


def test_a_copy_is_a_new_page() -> None:
    assert planned(texts(a="1"), texts(a="1", b="1")) == (Look("b.md"),)


def test_a_page_that_is_copied_and_then_edited_does_not_become_the_copy() -> None:
    assert planned(texts(a="1"), texts(a="2", b="1")) == (Look("a.md"), Look("b.md"))


def test_a_page_with_an_id_moves_also_when_something_new_is_where_it_was() -> None:
    before = {"a.md": ("1", "u1")}
    after = {"a.md": ("new", None), "b.md": ("1", "u1")}
    assert planned(before, after) == (Move("b.md", "a.md", 1, "1"), Look("a.md"))


def test_two_files_that_could_be_the_lost_page_are_both_new() -> None:
    assert planned(texts(a="1"), texts(b="1", c="1")) == (Remove("a.md"), Look("b.md"), Look("c.md"))


def test_two_lost_pages_that_could_be_the_file_are_both_gone() -> None:
    assert planned(texts(a="1", b="1"), texts(c="1")) == (Remove("a.md"), Remove("b.md"), Look("c.md"))


def test_the_id_wins_over_the_content() -> None:
    before = {"a.md": ("1", "u1"), "b.md": ("2", "u2")}
    after = {"c.md": ("2", "u1"), "d.md": ("1", "u2")}
    assert planned(before, after) == (Move("c.md", "a.md", 1, "1"), Move("d.md", "b.md", 2, "2"))


def test_a_page_with_an_id_is_found_after_it_was_renamed_and_edited() -> None:
    assert planned({"a.md": ("1", "u1")}, {"b.md": ("new", "u1")}) == (Move("b.md", "a.md", 1, "1"),)


def test_an_edited_file_that_kept_its_id_stays_where_it_is() -> None:
    assert planned({"a.md": ("1", "u1")}, {"a.md": ("new", "u1")}) == (Look("a.md"),)


def test_an_id_that_several_files_have_identifies_none() -> None:
    assert planned({"a.md": ("1", "u1")}, {"b.md": ("x", "u1"), "c.md": ("y", "u1")}) == (
        Remove("a.md"),
        Look("b.md"),
        Look("c.md"),
    )


def test_empty_files_have_no_identity() -> None:
    assert planned(texts(a=""), texts(b="")) == (Remove("a.md"), Look("b.md"))


def test_a_file_that_was_only_touched_is_read_and_stays_that_page() -> None:
    known = known_files(texts(a="1"))
    files = {"a.md": Seen("a.md", 1, LATER, 9)}
    assert plan(survey(Walk(files, (), ()), known), {"a.md": Print("1")}) == (Look("a.md"),)


def test_a_touched_file_is_not_the_lost_page() -> None:
    """`b` has what `a` had, but it has always had it."""
    known = known_files(texts(a="1", b="1"))
    files = {"b.md": Seen("b.md", 1, LATER, 9)}
    assert plan(survey(Walk(files, (), ()), known), {"b.md": Print("1")}) == (Remove("a.md"), Look("b.md"))


def test_without_prints_no_move_is_recognised() -> None:
    known = known_files(texts(a="1"))
    assert plan(survey(Walk({"b.md": Seen("b.md", 1, LATER, 9)}, (), ()), known), {}) == (
        Remove("a.md"),
        Look("b.md"),
    )


def test_what_is_no_page_is_not_planned() -> None:
    files = {name: Seen(name, 1, LATER, 9) for name in ("a.txt", "img/b.png", ".raw/c.md", "README")}
    assert plan(survey(Walk(files, (), ()), {}), {}) == ()
    assert not any(is_page(name) for name in files)


# Files of raw data -------------------------------------------------------------------------------


def with_raw(pages: Mapping[str, Content], **raw: str) -> dict[str, Content]:
    return {**pages, **{f".raw/{name}.json": (text, None) for name, text in raw.items()}}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (texts(a="1"), with_raw(texts(a="1"), a="{}")),
        (with_raw(texts(a="1"), a="{}"), with_raw(texts(a="1"), a="{ }")),
        (with_raw(texts(a="1"), a="{}"), texts(a="1")),
    ],
    ids=["come", "changed", "gone"],
)
def test_raw_data_that_came_changed_or_went(before: dict[str, Content], after: dict[str, Content]) -> None:
    assert planned(before, after) == (LookAtRaw("a.md"),)


def test_a_page_that_is_read_for_the_first_time_takes_its_raw_data_along() -> None:
    assert planned({}, with_raw(texts(a="1"), a="{}")) == (Look("a.md"),)
    before = with_raw(texts(a="1"), a="{}")
    assert planned(before, with_raw(texts(b="1"), b="{}")) == (Move("b.md", "a.md", 2, "1"),)


def test_a_changed_page_and_its_changed_raw_data_are_both_read() -> None:
    before, after = with_raw(texts(a="1"), a="{}"), with_raw(texts(a="2"), a="{ }")
    assert planned(before, after) == (Look("a.md"), LookAtRaw("a.md"))


def test_raw_data_without_a_page_waits_for_it() -> None:
    assert planned(texts(a="1"), with_raw(texts(a="1"), zzz="{}")) == ()


# Times --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [{"size": 2}, {"mtime_ns": OLD + 1}, {"inode": 2}])
def test_another_size_time_or_inode_may_be_another_content(change: dict[str, int]) -> None:
    state = FileState("a.md", 1, OLD, 1, LATER, "h", 1, None)
    assert not may_differ(Seen("a.md", 1, OLD, 1), state)
    assert may_differ(Seen("a.md", 1, OLD, 1)._replace(**change), state)


@pytest.mark.parametrize(
    ("written", "grain"),
    [(OLD, FINE_GRAIN), (1_700_000_000_000_000_000, COARSE_GRAIN)],
    ids=["fine", "coarse"],
)
def test_a_file_that_was_read_as_it_was_written_is_read_again(written: int, grain: int) -> None:
    seen = Seen("a.md", 1, written, 1)
    state = FileState("a.md", 1, written, 1, written, "h", 1, None)
    assert may_differ(seen, state)
    assert may_differ(seen, state._replace(seen_ns=written + grain - 1))
    assert not may_differ(seen, state._replace(seen_ns=written + grain))


def test_a_file_from_the_future_is_read_each_time() -> None:
    assert may_differ(Seen("a.md", 1, LATER, 1), FileState("a.md", 1, LATER, 1, OLD, "h", 1, None))


# Any change at all --------------------------------------------------------------------------------

NAMES = st.sampled_from(["a.md", "b.md", "c.org", "x/a.md", ".raw/a.json", "x/.raw/a.json", "other.txt"])
CONTENTS = st.tuples(
    st.sampled_from(["", "1", "22", "333", "4444"]), st.sampled_from([None, None, "u1", "u2"])
)
FOLDERS = st.dictionaries(NAMES, CONTENTS, max_size=6)


def after_running(before: Mapping[str, Content], actions: tuple[Action, ...]) -> dict[str, int | None]:
    """The page of each path after the actions; a page that is new has no number yet."""
    at = {path: state.page_id for path, state in known_files(before).items() if is_page(path)}
    leaving = {action.old for action in actions if isinstance(action, Move)}
    result: dict[str, int | None] = dict(at)
    for action in actions:
        if isinstance(action, Remove):
            result.pop(action.path, None)
        elif isinstance(action, Move):
            result[action.path] = action.page_id
    for path in leaving:
        if not any(isinstance(action, Move) and action.path == path for action in actions):
            result.pop(path, None)
    for action in actions:
        if isinstance(action, Look):
            result.setdefault(action.path, None)
    return result


@given(before=FOLDERS, after=FOLDERS)
def test_whatever_happened_the_pages_are_those_of_the_files(
    before: dict[str, Content], after: dict[str, Content]
) -> None:
    actions = planned(before, after)
    pages = after_running(before, actions)
    assert pages.keys() == {path for path in after if is_page(path)}
    known = [page for page in pages.values() if page is not None]
    assert len(set(known)) == len(known)


@given(before=FOLDERS, after=FOLDERS)
def test_the_order_in_which_files_are_listed_does_not_matter(
    before: dict[str, Content], after: dict[str, Content]
) -> None:
    turned = dict(reversed(list(before.items()))), dict(reversed(list(after.items())))
    assert planned(before, after) == planned(*turned)


@given(before=FOLDERS, after=FOLDERS)
def test_every_page_whose_content_is_unique_survives_a_move(
    before: dict[str, Content], after: dict[str, Content]
) -> None:
    before, after = ({p: (t, None) for p, (t, _) in each.items() if is_page(p)} for each in (before, after))
    pages = after_running(before, planned(before, after))
    for path, state in known_files(before).items():
        text = state.hash
        held = [p for p, (t, _) in after.items() if t == text]
        if text and [t for t, _ in before.values()].count(text) == 1 and len(held) == 1 and path not in after:
            assert pages[held[0]] == state.page_id


@given(folder=FOLDERS)
def test_a_folder_that_has_not_changed_needs_nothing(folder: dict[str, Content]) -> None:
    orphans = [path for path in folder if is_sidecar(path)]
    known = known_files(folder)
    assert plan(survey(Walk(seen_files(folder, known), (), ()), known), {}) == ()
    assert all(isinstance(action, Look) for action in planned({}, folder)) or orphans
