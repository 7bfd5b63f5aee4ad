"""Where something that is remembered goes, by its words alone."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import Ambiguous, InvalidInput
from quaid.formats.markdown.sections import sections
from quaid.routing import lists, manners, sentences
from quaid.routing.finder import Line
from quaid.routing.router import route
from quaid.routing.shelf import CATEGORIES, Hints, Route, Shelf, ShelfSection
from quaid.routing.words import words_of

TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("routing_table.json").read_text())
SETS = {
    "in sight": 0.97,
    "held out": 0.92,
    "second": 0.95,
    "third": 0.92,
    "fourth": 0.95,
    "fifth": 0.95,
    "sixth": 0.95,
}


def _shelf(notebook: dict[str, str]) -> Shelf:
    found = [
        ShelfSection(path, each.title, text[each.body : each.end])
        for path, text in notebook.items()
        for each in sections(text)
    ]

    def find(text: str) -> list[ShelfSection]:
        words = words_of(text)
        return [each for each in found if words & words_of(f"{each.section} {each.text}")]

    headings = {path: tuple(each.title for each in sections(text)) for path, text in notebook.items()}
    return Shelf(tuple(notebook), headings, find)


SHELF = _shelf(TABLE["notebook"])


def routed(content: str, **hints: Any) -> Route:
    return route(content, Hints(**hints), SHELF)[0]


def is_right(row: dict[str, Any]) -> bool:
    try:
        path = routed(row["text"]).path.removesuffix(".md")
    except InvalidInput:
        path = ""
    return path in (row["file"] if isinstance(row["file"], list) else [row["file"]])


@pytest.mark.parametrize(("name", "share"), SETS.items())
def test_most_sentences_find_their_place(name: str, share: float) -> None:
    rows = [row for row in TABLE["sentences"] if row["set"] == name]
    assert len(rows) > 50
    assert sum(map(is_right, rows)) / len(rows) >= share


def test_the_table_is_diverse() -> None:
    assert len({row["text"] for row in TABLE["sentences"]}) == len(TABLE["sentences"]) > 300


@pytest.mark.parametrize(
    ("said", "items"),
    [
        ("add oat milk to shopping", ("oat milk",)),
        ("we need eggs, bread and 2 l milk", ("eggs", "bread", "2 l milk")),
        ("buy 1,5 kg potatoes", ("1,5 kg potatoes",)),
        ("we need mac and cheese", ("mac and cheese",)),
        ('add "salt, pepper" to shopping', ("salt, pepper",)),
        ("Put Pride and Prejudice on my reading list", ("Pride and Prejudice",)),
        ("Shopping:\n- milk\n- bread, white\n", ("milk", "bread", "white")),
        ("To do:\n1. call Ana\n- [ ] rest well", ("call Ana", "rest well")),
        ("todos: mow the lawn, sweep the patio", ("mow the lawn", "sweep the patio")),
        (
            "todo: call Ana, who moved to Rome, about the flat",
            ("call Ana, who moved to Rome, about the flat",),
        ),
    ],
)
def test_items_of_a_sentence(said: str, items: tuple[str, ...]) -> None:
    assert routed(said).texts == items


def test_nothing_of_a_long_sentence_is_cut_off() -> None:
    said = "remind me to " + "read chapter after chapter " * 40
    for place in (routed(said), routed(said, category="lists"), routed(said, file="facts")):
        assert sum(text.count("chapter") for text in place.texts) == 80


def test_things_for_lists_and_other_things_part() -> None:
    first, second = route("We need oat flakes. Tom works at Siemens now.", Hints(), SHELF)
    assert (first.path, first.texts) == ("lists/shopping.md", ("oat flakes",))
    assert (second.path, second.texts) == ("knowledge/facts.md", ("Tom works at Siemens now.",))


@pytest.mark.parametrize(
    ("said", "todos", "shopping"),
    [
        ("tidy up the garage and call the plumber", ("tidy up the garage", "call the plumber"), ()),
        ("call mum, pay the rent and buy milk", ("call mum", "pay the rent"), ("milk",)),
        ("remind me to buy flour and bake a cake", ("bake a cake",), ("flour",)),
        ("todo: call mum and buy milk", ("call mum", "buy milk"), ()),
        ("call the bank and ask about the fee", ("call the bank and ask about the fee",), ()),
        ("pick up the kids and drop them at judo", ("pick up the kids and drop them at judo",), ()),
        ("get Tom a present", ("get Tom a present",), ()),
        ("get the car washed", ("get the car washed",), ()),
        ("get bread, butter and jam", (), ("bread", "butter", "jam")),
        ("get bananas from the supermarket", (), ("bananas",)),
        ("there's no coffee left", (), ("coffee",)),
        ("the dog food is running low", (), ("dog food",)),
    ],
)
def test_chores_and_wares_of_one_sentence(
    said: str, todos: tuple[str, ...], shopping: tuple[str, ...]
) -> None:
    found = {each.path: each.texts for each in route(said, Hints(), SHELF)}
    assert found.get("lists/todos.md", ()) == todos
    assert found.get("lists/shopping.md", ()) == shopping


def test_who_recommended_a_book_is_kept() -> None:
    place = routed("Book recommendation from Tom: Stoner by John Williams")
    assert (place.path, place.texts) == ("lists/reading.md", ("Stoner by John Williams (from Tom)",))


@pytest.mark.parametrize(
    ("said", "section"),
    [
        ("My favourite colour is green", "Favourite colour"),
        ("zsh is slow", "zsh"),
        ("iPhone backups are on the NAS", "iPhone backups"),
        ("I painted the shed", "Shed"),
        ("The password of the test bench is in the vault", "Password of the test bench"),
    ],
)
def test_what_is_about_nothing_known_has_a_section_of_its_own(said: str, section: str) -> None:
    assert routed(said).section == section


def test_a_section_about_the_same_person_is_preferred() -> None:
    assert (routed("Sarah likes tulips").path, routed("Sarah likes tulips").section) == (
        "reference/contacts.md",
        "Sarah Chen",
    )
    assert routed("Hannah likes tulips").section == "Hannah"


@pytest.mark.parametrize(
    ("said", "path", "section"),
    [
        ("User prefers dark mode", "reference/preferences.md", "Dark mode"),
        ("The user doesn't eat pork", "reference/preferences.md", "Food and drink"),
        ("User asked me not to use emojis", "reference/standing-orders.md", "Communication"),
        ("User usually works late", "knowledge/patterns.md", "Late"),
        ("The user has two cats", "knowledge/facts.md", "Cats"),
        ("The user's email is a@b.example", "reference/contacts.md", "Me"),
        ("My number is 555-0199", "reference/contacts.md", "Me"),
    ],
)
def test_what_agents_write_about_the_user(said: str, path: str, section: str) -> None:
    place = routed(said)
    assert (place.path, place.section, place.texts) == (path, section, (said,))


def test_a_section_about_the_same_things_is_preferred() -> None:
    place = routed("The boiler needs a service in October")
    assert (place.path, place.section) == ("knowledge/facts.md", "House")
    assert any("same" in reason for reason in place.reasons)


def test_every_place_has_its_reasons() -> None:
    for row in TABLE["sentences"]:
        if row["file"]:
            try:
                found = route(row["text"], Hints(), SHELF)
            except InvalidInput:
                continue
            for each in found:
                assert each.reasons[0].startswith(each.category)
                assert each.path.startswith(f"{each.category}/")


@pytest.mark.parametrize(
    ("hints", "path"),
    [
        ({"category": "lists"}, "lists/todos.md"),
        ({"category": "reference"}, "reference/preferences.md"),
        ({"category": "knowledge"}, "knowledge/facts.md"),
        ({"file": "contacts"}, "reference/contacts.md"),
        ({"file": "garden.md"}, "knowledge/garden.md"),
        ({"file": "reference/Travel Plans"}, "reference/travel-plans.md"),
        ({"file": "new"}, "knowledge/new.md"),
        ({"category": "lists", "file": "camping"}, "lists/camping.md"),
    ],
)
def test_what_the_caller_says_counts(hints: dict[str, Any], path: str) -> None:
    assert routed("something without a sign of where it goes", **hints).path == path
    assert routed("something", section="Mine", **hints).section == "Mine"


def test_a_question_can_be_kept_where_a_place_is_named() -> None:
    with pytest.raises(InvalidInput, match="question"):
        routed("What is the meaning of life?")
    assert routed("What is the meaning of life?", file="facts").path == "knowledge/facts.md"


def test_names_that_fit_several_files_are_refused() -> None:
    shelf = Shelf(("lists/work.md", "knowledge/work.md"), {}, lambda text: ())
    with pytest.raises(Ambiguous, match="2 files"):
        route("x", Hints(file="work"), shelf)
    assert route("x", Hints("lists", "work"), shelf)[0].path == "lists/work.md"
    for bad in ("daily/2026-01-01", "../x", "/"):
        with pytest.raises(InvalidInput):
            route("x", Hints(file=bad), shelf)


@given(st.text(max_size=300), st.sampled_from([None, *CATEGORIES]))
def test_any_text_has_a_place_or_is_refused(content: str, category: Any) -> None:
    try:
        found = route(content, Hints(category), SHELF)
    except InvalidInput:
        return
    assert found
    for each in found:
        assert each.texts
        assert all(each.texts)
        assert ".." not in each.path


def test_long_texts_are_read_quickly() -> None:
    hostile = (
        "a " * 5000,
        "I " * 5000,
        "to " * 5000,
        "add " + "x to " * 3000,
        "Aa'" * 5000,
        "1-" * 5000,
        "," * 9000,
    )
    for text in hostile:
        start = time.process_time()
        route(text, Hints(), SHELF)
        assert time.process_time() - start < 5, text[:20]  # of a processor; what is quadratic takes more


ENTRIES = [Line("lists/a.md", "", 1, text) for text in ("Oat milk", "Milk", "Call the dentist", "Call mum")]


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("milk", ["Milk"]),
        ("the oat milk", ["Oat milk"]),
        ("dentist", ["Call the dentist"]),
        ("call", ["Call the dentist", "Call mum"]),
        ("call dentst", ["Call the dentist"]),
        ("bread", []),
        ("bought the oat milk", ["Oat milk"]),
    ],
)
def test_which_item_is_meant(said: str, texts: list[str]) -> None:
    assert sorted(each.text for each in lists.match(said, ENTRIES)) == sorted(texts)


def test_sentences_end_where_they_end() -> None:
    assert sentences.sentences("Dr. Smith called. He is late! Ok?") == [
        "Dr. Smith called.",
        "He is late!",
        "Ok?",
    ]
    assert sentences.core("Hey, could you please remember that Tom is back, thanks") == "Tom is back"


@pytest.mark.parametrize(
    ("said", "path", "texts"),
    [
        ("Onto the packing list: socks, charger", "lists/packing.md", ("socks", "charger")),
        ("On my grocery list: kale", "lists/shopping.md", ("kale",)),
        ("to the bank: pay the fee", "knowledge/facts.md", ("to the bank: pay the fee",)),
        ("add printer paper to the shopping list, A3", "lists/shopping.md", ("printer paper (A3)",)),
        ("add milk to the shopping list, please", "lists/shopping.md", ("milk",)),
        ("add milk to the shopping list, and eggs", "lists/shopping.md", ("milk", "eggs")),
        ("we have no more bin bags", "lists/shopping.md", ("bin bags",)),
        ("we have no more meetings", "knowledge/facts.md", ("we have no more meetings",)),
        ("be fun to walk the coast path", "lists/ideas.md", ("be fun to walk the coast path",)),
        (
            "Mara lent me an article on bees, want to read it",
            "lists/reading.md",
            ("Mara lent me an article on bees, want to read it",),
        ),
        ("a bot that waters the ferns", "lists/ideas.md", ("a bot that waters the ferns",)),
        ("chat bot that nags the late ones", "lists/ideas.md", ("chat bot that nags the late ones",)),
        ("song about a lost umbrella", "lists/ideas.md", ("song about a lost umbrella",)),
        ("a rope swing by the pond, perhaps", "lists/ideas.md", ("a rope swing by the pond, perhaps",)),
        ("I'm home late perhaps", "knowledge/facts.md", ("I'm home late perhaps",)),
        ("a warm scarf for dad at christmas", "lists/ideas.md", ("a warm scarf for dad at christmas",)),
        (
            "gift ideas for Mia: a kite, chalk",
            "lists/gift-ideas.md",
            ("a kite (for Mia)", "chalk (for Mia)"),
        ),
        ("photos are up at pics.example/dingle", "lists/links.md", ("photos are up at pics.example/dingle",)),
        ("Ana recipe -> soups.example", "lists/links.md", ("Ana recipe -> soups.example",)),
        ("api.site.com needs a token", "knowledge/facts.md", ("api.site.com needs a token",)),
        ("the VPN is at vpn.site.com", "knowledge/facts.md", ("the VPN is at vpn.site.com",)),
        ("renew the cert of api.site.com", "lists/todos.md", ("renew the cert of api.site.com",)),
        ("spare socks to pack for Oslo", "lists/packing.md", ("spare socks for Oslo",)),
        ("muck out the small stable", "lists/todos.md", ("muck out the small stable",)),
        ("turned down the offer", "knowledge/facts.md", ("turned down the offer",)),
        ("I read a good article on bees", "knowledge/facts.md", ("I read a good article on bees",)),
    ],
)
def test_lists_that_are_named_in_passing(said: str, path: str, texts: tuple[str, ...]) -> None:
    (found,) = route(said, Hints(), Shelf())
    assert (found.path, found.texts) == (path, texts)


@pytest.mark.parametrize(
    ("said", "is_how"),
    [
        ("How to save a hollandaise: a new yolk, whisk the broken sauce in slowly", True),
        ("to get chewing gum off a uniform put it in the freezer first", True),
        ("if the kitchen drawer sticks you rub a candle along the runners", True),
        ("to do: put the bins out", False),
        ("use the new template", False),
    ],
)
def test_how_something_is_done(said: str, is_how: bool) -> None:
    assert manners.is_how_to(said) is is_how
