"""What every collection must satisfy, however it keeps its pages. A subclass says how to make one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quaid.app import App
from quaid.errors import Conflict, InvalidInput, NotFound, QuaidError
from tests.support import Clock, call, dump, found, leads_to, version_of

PAGE = """---
title: Alice Example
tags: [founder]
links:
  - {to: companies/acme, relationship: works_at}
---
# Alice Example

Knows [[people/bob]].

---

- 2024-01-15 — Founded Acme
"""


class CollectionContract:
    """Inherit this and give `collection`: a collection of the memory `app`, empty."""

    @pytest.fixture
    def collection(self, app: App) -> Any:
        raise NotImplementedError

    @pytest.fixture
    def alice(self, collection: Any) -> str:
        """A page at version 1."""
        collection.put("people/alice", PAGE)
        return "people/alice"

    def text(self, app: App, slug: str) -> str:
        return str(call(app, "get", slug=slug)["content"])

    # Writing --------------------------------------------------------------------------------------

    def test_a_new_page_is_read_back_to_the_character(self, app: App, collection: Any) -> None:
        written = collection.put("people/alice", PAGE, expected=0)
        assert (written.slug, written.version, written.created, written.changed) == (
            "people/alice",
            1,
            True,
            True,
        )
        assert self.text(app, "people/alice") == PAGE

    @pytest.mark.parametrize(
        "text",
        [
            "x",
            "\n",
            "\r\n\r\nx",
            "---\n---\n",
            "---\nunclosed: [\n---\nx",
            "\ufeffx",
            "a\0b",
            "🦭\u200b\u2063学习",
        ],
    )
    def test_any_text_is_kept(self, app: App, collection: Any, text: str) -> None:
        collection.put("a", text)
        assert self.text(app, "a") == text

    def test_a_rewritten_page_has_the_next_version(self, app: App, collection: Any, alice: str) -> None:
        written = collection.put(alice, PAGE + "- 2025-01-01 — More\n", expected=1)
        assert (written.version, written.created, written.changed) == (2, False, True)
        assert version_of(app, alice) == 2

    def test_the_same_text_again_changes_nothing(
        self, app: App, collection: Any, alice: str, clock: Clock
    ) -> None:
        before = dump(app.store.path)
        clock.tick(60)
        written = collection.put(alice, PAGE, expected=1)
        assert (written.version, written.changed) == (1, False)
        assert not collection.edit(alice, lambda text: text, expected=1).changed
        assert dump(app.store.path) == before

    def test_everything_is_derived_from_the_text(self, app: App, collection: Any, alice: str) -> None:
        page = call(app, "get", slug=alice)
        assert (page["title"], page["type"], page["tags"]) == ("Alice Example", "person", ["founder"])
        assert [link["target"] for link in call(app, "links", slug=alice)["links"]] == [
            "companies/acme",
            "people/bob",
        ]
        assert call(app, "timeline", slug=alice)["entries"] == [
            {"date": "2024-01-15", "summary": "Founded Acme"}
        ]
        collection.put(alice, "# Nothing left\n")
        assert call(app, "get", slug=alice)["tags"] == []
        assert call(app, "links", slug=alice)["links"] == []
        assert call(app, "timeline", slug=alice)["entries"] == []

    def test_an_edit_gets_the_text_and_gives_it(self, app: App, collection: Any, alice: str) -> None:
        seen: list[str] = []
        written = collection.edit(alice, lambda text: seen.append(text) or text + "- 2025-01-01 — More\n", 1)
        assert seen == [PAGE]
        assert written.version == 2
        assert self.text(app, alice) == PAGE + "- 2025-01-01 — More\n"

    @pytest.mark.parametrize(
        "slug", ["", "/", "People/Alice", "a//b", "/a", "a/", "a b", "ä", "a\0", "../a", "a" * 256]
    )
    def test_what_is_not_a_slug_is_refused(self, app: App, collection: Any, alice: str, slug: str) -> None:
        before = dump(app.store.path)
        with pytest.raises(InvalidInput):
            collection.put(slug, "x")
        with pytest.raises(InvalidInput):
            collection.move(alice, slug)
        assert dump(app.store.path) == before

    def test_half_a_character_is_refused(self, app: App, collection: Any, alice: str) -> None:
        before = dump(app.store.path)
        with pytest.raises(InvalidInput):
            collection.put("b", "x\ud800")
        with pytest.raises(InvalidInput):
            collection.edit(alice, lambda text: text + "\udc00")
        assert dump(app.store.path) == before

    # Versions -------------------------------------------------------------------------------------

    @pytest.mark.parametrize("expected", [0, 2, 99])
    @pytest.mark.parametrize("write", ["put", "edit", "move", "remove", "set_raw"])
    def test_a_stale_version_changes_nothing(
        self, app: App, collection: Any, alice: str, write: str, expected: int
    ) -> None:
        writes = {
            "put": lambda: collection.put(alice, "other", expected=expected),
            "edit": lambda: collection.edit(alice, lambda text: "other", expected),
            "move": lambda: collection.move(alice, "people/other", expected),
            "remove": lambda: collection.remove(alice, expected),
            "set_raw": lambda: collection.set_raw(alice, "source", {"k": 1}, expected),
        }
        before = dump(app.store.path)
        with pytest.raises(Conflict) as caught:
            writes[write]()
        assert caught.value.data["current_version"] == 1
        assert dump(app.store.path) == before

    def test_a_version_of_a_page_that_is_not_there_is_a_conflict(self, collection: Any) -> None:
        with pytest.raises(Conflict) as caught:
            collection.put("people/alice", PAGE, expected=3)
        assert caught.value.data["current_version"] == 0

    def test_every_change_raises_the_version(self, app: App, collection: Any, alice: str) -> None:
        versions = [
            collection.edit(alice, lambda text: text + "- 2025-01-01 — More\n").version,
            collection.set_raw(alice, "source", 1).version,
            collection.move(alice, "people/alice-2")[0].version,
            collection.remove("people/alice-2").version,
            collection.restore("people/alice-2").version,
        ]
        assert versions == sorted(set(versions))
        assert versions[0] == 2
        assert version_of(app, "people/alice-2") == versions[-1]

    def test_versions_do_not_repeat_when_a_slug_is_taken_again(self, collection: Any) -> None:
        seen = [collection.put("a", text).version for text in ("1", "2", "3")]
        seen.append(collection.remove("a").version)
        seen += [collection.put("a", text).version for text in ("4", "5")]
        collection.move("a", "b")
        seen.append(collection.put("a", "6").version)
        assert seen == sorted(set(seen))

    def test_versions_do_not_repeat_when_a_page_moves_to_a_slug_that_was_taken(self, collection: Any) -> None:
        seen = [collection.put("a", text).version for text in ("1", "2", "3")]
        collection.remove("a")
        collection.put("b", "other")
        assert collection.move("b", "a")[0].version > max(seen)

    def test_versions_do_not_repeat_when_a_page_is_restored(self, collection: Any) -> None:
        collection.put("a", "1")
        collection.remove("a")
        seen = [collection.put("a", text).version for text in ("2", "3", "4")]
        collection.move("a", "b")
        assert collection.restore("a").version > max(seen)

    # Removing, restoring, moving --------------------------------------------------------------------

    def test_a_removed_page_is_gone_and_comes_back_whole(self, app: App, collection: Any, alice: str) -> None:
        collection.set_raw(alice, "source", {"k": [1, None]})
        before = call(app, "get", slug=alice)
        links = [link["id"] for link in call(app, "links", slug=alice)["links"]]
        collection.remove(alice)
        with pytest.raises(NotFound):
            call(app, "get", slug=alice)
        with pytest.raises(NotFound):
            collection.edit(alice, lambda text: text)
        collection.restore(alice)
        after = call(app, "get", slug=alice)
        assert {key for key in before if before[key] != after[key]} <= {"version", "updated_at"}
        assert [link["id"] for link in call(app, "links", slug=alice)["links"]] == links
        assert call(app, "raw", slug=alice)["sources"][0]["data"] == {"k": [1, None]}

    def test_the_page_removed_last_is_restored(self, app: App, collection: Any) -> None:
        for text in ("first", "second"):
            collection.put("a", text)
            collection.remove("a")
        collection.restore("a")
        assert self.text(app, "a") == "second"
        with pytest.raises(Conflict):
            collection.restore("a")
        collection.move("a", "b")
        collection.restore("a")
        assert self.text(app, "a") == "first"

    def test_nothing_to_restore(self, collection: Any, alice: str) -> None:
        with pytest.raises(NotFound):
            collection.restore("never/there")
        with pytest.raises(NotFound):
            collection.restore(alice)

    def test_a_moved_page_is_the_same_page(self, app: App, collection: Any, alice: str) -> None:
        collection.set_raw(alice, "source", 1)
        ids = [link["id"] for link in call(app, "links", slug=alice)["links"]]
        before = call(app, "get", slug=alice)
        written, rewritten = collection.move(alice, "people/alice-example")
        after = call(app, "get", slug="people/alice-example")
        assert rewritten == ()
        assert written.version == after["version"] == before["version"] + 1
        assert (after["content"], after["created_at"]) == (PAGE, before["created_at"])
        assert [link["id"] for link in call(app, "links", slug=after["slug"])["links"]] == ids
        assert call(app, "raw", slug=after["slug"])["sources"][0]["data"] == 1

    def test_a_move_takes_the_links_along(self, app: App, collection: Any, alice: str) -> None:
        collection.put("people/bob", f"Knows [[{alice}|her]].\n")
        _, rewritten = collection.move(alice, "people/a")
        assert rewritten == ("people/bob",)
        assert self.text(app, "people/bob") == "Knows [[people/a|her]].\n"
        assert leads_to(app, "people/bob") == ["people/a"]
        assert version_of(app, "people/bob") == 2

    def test_a_move_onto_another_page_is_refused(self, app: App, collection: Any, alice: str) -> None:
        collection.put("people/bob", "x")
        before = dump(app.store.path)
        with pytest.raises(Conflict):
            collection.move(alice, "people/bob")
        assert dump(app.store.path) == before

    def test_a_move_to_where_it_is_changes_nothing(self, app: App, collection: Any, alice: str) -> None:
        before = dump(app.store.path)
        written, rewritten = collection.move(alice, alice)
        assert (written.changed, written.version, rewritten) == (False, 1, ())
        assert dump(app.store.path) == before

    # Atomicity ------------------------------------------------------------------------------------

    def test_an_edit_that_fails_leaves_the_page(self, app: App, collection: Any, alice: str) -> None:
        before = dump(app.store.path)

        def fail(text: str) -> str:
            raise InvalidInput("no")

        with pytest.raises(QuaidError):
            collection.edit(alice, fail)
        assert dump(app.store.path) == before

    def test_several_writes_are_one_when_the_caller_says_so(
        self, app: App, collection: Any, alice: str
    ) -> None:
        before = dump(app.store.path)

        def write() -> None:
            with app.store.write():
                collection.put("b", "walrus")
                collection.remove(alice)
                collection.move("b", "c")
                raise InvalidInput("changed my mind")

        with pytest.raises(InvalidInput):
            write()
        assert dump(app.store.path) == before
        assert found(app, "walrus") == []

    def test_the_memory_is_sound_after_all_of_it(
        self, app: App, collection: Any, alice: str, tmp_path: Path
    ) -> None:
        collection.put("people/bob", f"[[{alice}]] and [[companies/acme]]\n")
        collection.move(alice, "people/a")
        collection.remove("people/bob")
        collection.restore("people/bob")
        collection.set_raw("people/bob", "source", {"🦭": "学习"})
        assert not call(app, "validate", all=True)["findings"]
