"""A notebook that is corrected: lines that are changed, ticked or removed, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaid.errors import Ambiguous, InvalidInput, NotFound
from quaid.notebook.amendments import Change, Desk, amending, lines_of, plan
from quaid.notebook.edits import Leaf
from quaid.routing.finder import Line
from tests.notebook.notebooks import Notes, notes
from tests.support import Clock

__all__ = ["notes"]
TODAY = date(2026, 11, 16)


def said(notes: Notes, clock: Clock, *sentences: str) -> None:
    for sentence in sentences:
        notes.remember(sentence)
        clock.tick(60)


def test_what_was_just_said_is_corrected(notes: Notes, clock: Clock) -> None:
    said(notes, clock, "Physio on 3 May 2027 at 4pm", "Dentist on 2 May 2027 at 4pm", "we need flour")
    place = notes.remember("Actually it's 5pm")
    assert (place["action"], place["path"]) == ("corrected", "lists/appointments.md")
    assert place["was"] == "Dentist on 2 May 2027 (2027-05-02) at 4pm"
    assert place["texts"] == ["Dentist on 2 May 2027 (2027-05-02) at 5pm"]
    assert "Physio on 3 May 2027 (2027-05-03) at 4pm" in notes["lists/appointments.md"]


@pytest.mark.parametrize(
    ("before", "sentence", "path", "after"),
    [
        ("The port is 8443", "Correction: the port is 9443", "knowledge/facts.md", "The port is 9443"),
        (
            "Ana Silva's number is 555-0199",
            "Ana's new number is 555-7788",
            "reference/contacts.md",
            "Ana Silva's number is 555-7788",
        ),
        (
            "never ping me before 9",
            "don't ping me before 10 instead of 9",
            "reference/standing-orders.md",
            "never ping me before 10",
        ),
        (
            "I prefer an aisle seat",
            "I've changed my mind about the aisle seat, I prefer the window",
            "reference/preferences.md",
            "I prefer the window seat",
        ),
        (
            "idea: a podcast about trams",
            "make that a podcast about bridges",
            "lists/ideas.md",
            "a podcast about bridges",
        ),
        (
            "The office is on floor three",
            "the office is on floor five, not three",
            "knowledge/facts.md",
            "The office is on floor five",
        ),
        ("todo: fix tap", "rename 'fix tap' to 'fix kitchen tap'", "lists/todos.md", "fix kitchen tap"),
    ],
)
def test_a_line_of_any_file_is_corrected(
    notes: Notes, before: str, sentence: str, path: str, after: str
) -> None:
    notes.remember(before)
    was = notes[path]
    answer = notes.call("remember", content=sentence)
    place = answer["places"][0]
    assert (place["path"], place["action"], place["texts"]) == (path, "corrected", [after])
    assert notes[path] == was.replace(place["was"], after)
    assert f"{place['was']} → {after}" in answer["message"]


def test_the_old_wording_is_kept_and_the_way_back_is_said(notes: Notes) -> None:
    notes.remember("The port is 8443")
    before = notes["knowledge/facts.md"]
    place = notes.remember("Correction: the port is 9443")
    assert "8443" not in notes["knowledge/facts.md"]
    slug, version = place["undo"].removeprefix("quaid revert ").split(" --to ")
    notes.call("revert", slug=slug, to=int(version))
    assert notes["knowledge/facts.md"] == before


@pytest.mark.parametrize(
    ("sentence", "action"),
    [
        ("take the eggs off the shopping list", "removed"),
        ("I bought the eggs", "done"),
        ("we don't need eggs any more", "removed"),
        ("cross eggs off the list", "done"),
        ("Eggs: done", "done"),
        ("can you remove the eggs from my shopping list?", "removed"),
    ],
)
def test_an_item_goes_or_is_ticked(notes: Notes, sentence: str, action: str) -> None:
    place = notes.remember(sentence)
    assert (place["path"], place["action"], place["was"]) == ("lists/shopping.md", action, "Eggs")
    left = "- [x] Eggs\n" if action == "done" else ""
    assert notes["lists/shopping.md"] == f"# Shopping\n\n## Shopping list\n\n- Milk\n{left}"


def test_several_things_go_at_once(notes: Notes) -> None:
    answer = notes.call("remember", content="I bought milk and eggs")
    assert [place["was"] for place in answer["places"]] == ["Milk", "Eggs"]
    assert notes["lists/shopping.md"].endswith("- [x] Milk\n- [x] Eggs\n")


def test_what_is_done_is_ticked_only_if_it_was_to_be_done(notes: Notes) -> None:
    assert notes.remember("I called the plumber")["action"] == "done"
    assert notes.remember("I called grandma")["action"] == "added"
    assert notes.remember("cancel the gym membership")["path"] == "lists/todos.md"


def test_of_two_lines_that_fit_none_is_changed_and_both_are_named(notes: Notes, clock: Clock) -> None:
    said(notes, clock, "todo: call the eye doctor", "todo: call the foot doctor")
    before = notes.files()
    with pytest.raises(Ambiguous) as refused:
        notes.remember("I called the doctor")
    assert notes.files() == before
    assert [each["line"] for each in refused.value.data["candidates"]] == [  # type: ignore[attr-defined]
        "call the eye doctor",
        "call the foot doctor",
    ]
    place = notes.remember("I called the doctor", line="call the foot doctor")
    assert (place["action"], place["was"]) == ("done", "call the foot doctor")
    assert "- [ ] call the eye doctor\n- [x] call the foot doctor\n" in notes["lists/todos.md"]


def test_programs_choose_a_line_by_its_words(notes: Notes) -> None:
    answer = notes.tool(
        "remember", content="The boiler was replaced in 2021", line="The boiler was replaced in 2019"
    )
    assert answer["places"][0]["action"] == "corrected"
    assert notes["knowledge/facts.md"].endswith("- The boiler was replaced in 2021\n")
    with pytest.raises(NotFound, match="no line says"):
        notes.tool("remember", content="x", line="nothing of that kind")


def test_a_line_of_any_file_can_be_removed_by_its_words(notes: Notes) -> None:
    assert notes.remember("the boiler", remove=True)["path"] == "knowledge/facts.md"
    assert notes["knowledge/facts.md"] == "# Facts\n\n## House\n\n"


def test_what_corrects_nothing_is_new_or_refused(notes: Notes) -> None:
    place = notes.remember("Correction: the gate code is 4711")
    assert place["action"] == "added"
    assert any("nothing was found" in reason for reason in place["reasons"])
    before = notes.files()
    with pytest.raises(NotFound, match="nothing was changed"):
        notes.remember("take caviar off the shopping list")
    with pytest.raises(InvalidInput, match="question"):
        notes.remember("what's the gate code now?")
    assert notes.files() == before


def test_a_dry_run_changes_nothing(notes: Notes) -> None:
    before = notes.files()
    assert notes.remember("I bought the eggs", dry_run=True)["action"] == "done"
    assert notes.files() == before


def test_a_corrected_order_waits_for_approval(notes: Notes) -> None:
    notes.remember("never ping me before 9")
    place = notes.remember("Correction: never ping me before 10")
    assert place["action"] == "corrected"
    assert any("approves" in reason for reason in place["reasons"])


def test_spelling_is_kept(notes: Notes) -> None:
    for sentence in (
        "npm hangs behind the proxy",
        "iPhone backups are on the NAS",
        "https://example.org explains SSO",
    ):
        assert notes.remember(sentence)["texts"] == [sentence]
    place = notes.remember("shopping: lightbulbs (E27, warm white), tape")
    assert place["texts"] == ["lightbulbs (E27, warm white)", "tape"]


def test_days_are_those_of_the_person(notes: Notes, clock: Clock) -> None:
    notes.call("config set", key="time.zone", value="Pacific/Auckland")
    clock.tick((24 - clock.moment.hour) * 3600 - 3600)  # 23:00 in UTC is tomorrow there
    notes.app = notes.app.reread()
    day = notes.app.today()
    assert day != clock()[:10]
    place = notes.remember("remind me to water the plants today")
    assert place["texts"] == [f"water the plants today ({day})"]


# Nothing else moves -----------------------------------------------------------------------------------

_WORDS = st.text(st.sampled_from("abc XY-*.:()[]é"), min_size=1, max_size=12)
_LINES = st.builds(
    "{}{}".format,
    st.sampled_from(["- ", "* ", "  - ", "1. ", "- [ ] ", "- [x] ", "", "## ", "# ", "> ", "```", "| "]),
    _WORDS,
) | st.just("")


@given(st.lists(_LINES, max_size=12), st.sampled_from(["\n", "\r\n"]), st.integers(0, 20), _WORDS)
def test_no_byte_outside_the_line_changes(rows: list[str], newline: str, which: int, words: str) -> None:
    text = newline.join(rows) + newline
    known = lines_of("a.md", Leaf(text))
    if not known or not words.strip():
        return
    line = known[which % len(known)]
    new = amending([Change(line, "corrected", words.strip())], lambda _: None)(text)
    before, after = text.splitlines(), new.splitlines()
    assert len(before) == len(after)
    changed = [place for place, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    assert changed in ([], [line.number - 1])
    if changed:
        old, made = before[changed[0]], after[changed[0]]
        place = old.rindex(line.text)
        assert made == old[:place] + words.strip() + old[place + len(line.text) :]
    assert newline not in new or new.count(newline) == text.count(newline)


@given(st.text(max_size=200))
def test_any_sentence_is_read(sentence: str) -> None:
    lines = [
        Line("lists/todos.md", "", 1, "call the bank"),
        Line("knowledge/facts.md", "A", 3, "The port is 8443"),
    ]
    try:
        made = plan(sentence, Desk(lambda: lines, TODAY))
    except (Ambiguous, NotFound):
        return
    assert made.changes or made.rest.strip() or not sentence.strip()


def test_what_fits_many_lines_alike_is_new(notes: Notes, clock: Clock) -> None:
    """A wish of which only a common word stands elsewhere is no choice between all lines that have it."""
    said(notes, clock, *(f"Call {name} about the roof" for name in ("Ann", "Ben", "Cem", "Dee", "Eve")))
    before = notes.files()
    place = notes.remember("I do not want to be called before nine")
    assert place["action"] not in ("corrected", "removed", "done")
    after = notes.files()
    assert all(line in after[path] for path, text in before.items() for line in text.splitlines())


def test_another_thing_of_a_list_stands_beside_its_like(notes: Notes, clock: Clock) -> None:
    said(notes, clock, "parts list: hydraulic hose 3/8", "parts list: combine belt")
    place = notes.remember("hydraulic hose 1/2, two of them")
    assert (place["path"], place["action"]) == ("lists/parts.md", "added")
    assert "hydraulic hose 3/8" in notes["lists/parts.md"]


@pytest.mark.parametrize(
    ("sentence", "action", "line"),
    [
        ("dentist is Thursday at 4", "corrected", "dentist Thursday (2026-04-16) 4pm, Dr Okafor"),
        ("Leo's dentist is Thursday at 4", "added", "Leo's dentist is Thursday (2026-04-16) at 4"),
    ],
)
def test_another_day_of_the_same_thing_corrects_and_that_of_another_s_does_not(
    notes: Notes, clock: Clock, sentence: str, action: str, line: str
) -> None:
    said(notes, clock, "dentist Wed 2pm, Dr Okafor")
    place = notes.remember(sentence)
    assert (place["action"], place["texts"]) == (action, [line])


def test_a_line_that_may_be_meant_stays_and_is_named() -> None:
    line = Line("lists/appointments.md", "", 3, "Romy swimming Wednesdays 5:15")
    desk = Desk(lambda: [line], TODAY, lambda: lambda _, shown: [(0.005, 0.99, 0.003, 0.002)] * len(shown))
    found = plan("picked up Romy with a fever at noon", desk)
    assert (found.changes, found.rest) == ((), "picked up Romy with a fever at noon")
    assert "Romy swimming Wednesdays 5:15 (lists/appointments.md, line 3)" in found.reason


def amending_desk(*lines: Line, odds: tuple[float, float, float, float]) -> Desk:
    """A desk whose network says this of the first line, and of the others that they are not meant."""

    def judged(_: str, shown: Sequence[str]) -> list[tuple[float, float, float, float]]:
        meant = lines[0].text[:20]
        return [odds if meant in each else (0.98, 0.01, 0.005, 0.005) for each in shown]

    return Desk(lambda: lines, TODAY, lambda: judged)


def test_a_sentence_that_goes_on_is_read_with_the_one_before() -> None:
    meeting = Line(
        "lists/appointments.md", "", 3, "Meeting with the harbour master on Thursday (2026-11-19) at 13:00"
    )
    dinner = Line("lists/appointments.md", "", 4, "Dinner with Ada on Friday (2026-11-20) at 19:00", age="2")
    desk = amending_desk(meeting, dinner, odds=(0.02, 0.96, 0.01, 0.01))
    found = plan("The harbour master is travelling. Wednesday, same hour.", desk)
    wanted = "Meeting with the harbour master on Wednesday (2026-11-18) at 13:00"
    assert [each.line for each in found.changes] == [meeting]
    assert found.changes[0].text.startswith(wanted)


def test_a_taste_that_goes_is_replaced_by_the_one_that_holds_now() -> None:
    line = Line("reference/preferences.md", "Working", 3, "I like working with the radio on")
    found = plan(
        "I've gone off the radio, I'd sooner have silence",
        amending_desk(line, odds=(0.02, 0.01, 0.96, 0.01)),
    )
    assert [(each.action, each.text) for each in found.changes] == [("corrected", "I'd sooner have silence")]


def test_a_measure_that_is_taken_again_is_one_more() -> None:
    line = Line("knowledge/facts.md", "Health", 3, "Mum's blood pressure 148 over 86")
    desk = amending_desk(line, odds=(0.02, 0.96, 0.01, 0.01))
    assert not plan("Mum's blood pressure 141 over 82", desk).changes
    assert plan("Correction: Mum's blood pressure was 141 over 82", desk).changes


def test_what_moves_by_some_time_is_not_over(notes: Notes, clock: Clock) -> None:
    said(notes, clock, "The dentist is on 24 May at 3pm", "The rent is 1,200 euros")
    assert notes.remember("dentist got pushed back by an hour")["texts"] == [
        "The dentist is on 24 May (2026-05-24) at 4pm"
    ]
    assert notes.remember("the rent goes up by 50")["texts"] == ["The rent is 1,250 euros"]


def test_a_day_in_an_order_comes_again(notes: Notes) -> None:
    notes.remember("Always send me the summary on Sunday night")
    notes.call("remember", content="From now on send me the summary rather on Saturday morning")
    assert "the summary on Saturday morning" in notes["reference/standing-orders.md"]


def test_a_line_for_which_no_wording_is_good_stays() -> None:
    line = Line("lists/appointments.md", "", 3, "Book club at Maeve's on Tuesday 24 November at 7pm")
    found = plan(
        "the book club is reading Brooklyn this month", amending_desk(line, odds=(0.05, 0.94, 0.005, 0.005))
    )
    assert not found.changes
    assert line.text in found.reason


def test_what_names_somebody_else_and_shares_no_word_is_about_another_line() -> None:
    line = Line("lists/appointments.md", "", 3, "Book club at Maeve's on Tuesday 24 November at 7pm")
    desk = amending_desk(line, odds=(0.05, 0.94, 0.005, 0.005))
    assert not plan("The meeting with Jonas was moved an hour later", desk).changes
    assert plan("The book club was moved an hour later", desk).changes


def test_a_taste_that_compares_says_all() -> None:
    line = Line("reference/preferences.md", "Jazz", 3, "I like jazz")
    found = plan("I prefer blues to jazz these days", amending_desk(line, odds=(0.02, 0.96, 0.01, 0.01)))
    assert [each.text for each in found.changes] == ["I prefer blues to jazz"]


def test_a_line_whose_words_are_refused_is_replaced_whatever_a_network_says_of_it() -> None:
    line = Line("reference/preferences.md", "Books", 3, "I'm fond of crime novels")
    said = "I've gone off crime novels, I prefer biographies these days"
    found = plan(said, amending_desk(line, odds=(0.02, 0.96, 0.01, 0.01)))
    assert [each.text for each in found.changes] == ["I prefer biographies"]


def test_what_was_to_be_weighed_and_is_is_done() -> None:
    line = Line("lists/todos.md", "To do", 3, "weigh the parcel for Jo, 2 kg at most")
    found = plan(
        "weighed the parcel for Jo today, 2.1 kg", amending_desk(line, odds=(0.02, 0.01, 0.01, 0.96))
    )
    assert [each.action for each in found.changes] == ["done"]
