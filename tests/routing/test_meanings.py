"""Values that only the line tells that a sentence corrects: bare hours, distances, scales."""

from __future__ import annotations

from datetime import date

import pytest

from quaid.routing import ranges
from quaid.routing.meanings import meaning
from quaid.routing.rewording import reworded
from quaid.routing.values import values_of
from quaid.routing.wordings import exchanged

MONDAY = date(2026, 11, 16)


@pytest.mark.parametrize(
    ("line", "said", "meant"),
    [
        ("Feed meeting 13:00", "moved to ten in the morning", "moved to 10:00"),
        ("Derby 17:00, press box 4", "the derby is half past seven in the evening", "the derby is 19:30"),
        ("Dairy round 5:00", "start at two at night", "start at 02:00"),
        (
            "Bus 14 inspection 6:00",
            "they want the 14 in at five thirty Friday",
            "they want the 14 in at 5:30 Friday",
        ),
        ("Counselling Tuesdays 3:30", "it goes four thirty from here on", "it goes 4:30 from here on"),
        (
            "Guests arrive 15:00",
            "they won't get here till five on Friday",
            "they won't get here till 5:00 on Friday",
        ),
        ("Party 19:00, Leith", "party begins 8, Leith is same", "party begins 8:00, Leith is same"),
        ("Registrar 9:50", "they texted, 1030 for us", "they texted, 10:30 for us"),
    ],
)
def test_a_number_is_a_time_of_day_where_a_line_has_one(line: str, said: str, meant: str) -> None:
    assert meaning(said, line, MONDAY).said == meant


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Four coffees", "make it five"),  # no time in the line
        ("Swim 8:00, lane 4", "swim moved to lane six"),
        ("Funeral 9:00, 3 wreaths", "the grandchildren each want one"),
        ("Hearing 10:30", "we walk with the other one"),
        ("Choir 18:30", "there were six singers"),
        ("Choir 18:30", "they want 45 on stage"),
        ("Order 212 goes 9:00", "order is 530 now"),
        ("Fumigation 10:00", "all floors, one to eight"),
        ("Never ring before eight", "you can phone from seven"),  # the line has words, too
    ],
)
def test_what_is_no_time_of_day_stays_a_number(line: str, said: str) -> None:
    assert meaning(said, line, MONDAY).said == said


@pytest.mark.parametrize(
    ("line", "said", "made"),
    [
        (
            "Match Sat 21 Nov (2026-11-21) 10:30",
            "the match is put back an hour",
            "Match Sat 21 Nov (2026-11-21) 11:30",
        ),
        (
            "Match Sat 21 Nov (2026-11-21) 10:30",
            "they are putting the match back an hour",
            "Match Sat 21 Nov (2026-11-21) 11:30",
        ),
        ("Dinner 19:30", "dinner is an hour earlier", "Dinner 18:30"),
        ("Class 18:00", "the class is half an hour late", "Class 18:30"),
        ("Lung clinic 8:20", "one hour and a half later than on my paper", "Lung clinic 9:50"),
        ("Tea 5:30 pm", "tea brought forward by two hours", "Tea 3:30 pm"),
        ("Bus 6:50", "the bus leaves ten min sooner", "Bus 6:40"),
        ("Hip op Tue 24 Nov (2026-11-24)", "they put me a week later", "Hip op Tue 1 Dec (2026-12-01)"),
        (
            "Cat to vet Wed 25 Nov (2026-11-25) 17:30",
            "the vet has her down for the day after",
            "Cat to vet Thu 26 Nov (2026-11-26) 17:30",
        ),
        ("Flight Fri 18 Dec (2026-12-18)", "it was pushed by two days", "Flight Sun 20 Dec (2026-12-20)"),
        (
            "Burial Sat 28 Nov (2026-11-28)",
            "the burial is the Saturday after, same hour",
            "Burial Sat 5 Dec (2026-12-05)",
        ),
        ("Packs ready Thursdays", "the packs are done a day sooner", "Packs ready Wednesdays"),
        ("Warranty until 2027", "the warranty is extended by a year", "Warranty until 2028"),
    ],
)
def test_how_far_something_moves_is_counted_from_the_line(line: str, said: str, made: str) -> None:
    assert exchanged(line, meaning(said, line, MONDAY).said, MONDAY) == made


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Train 13:12", "a train two hours later, 15:12"),  # said by itself
        ("Shift 9:00 and 14:00", "an hour later"),  # of two
        ("Visit Wed 25 Nov (2026-11-25)", "come the day after tomorrow"),
        ("Dinner 19:30", "it takes an hour"),
        ("Dinner 19:30", "we moved a week ago"),
    ],
)
def test_a_distance_that_is_not_clear_stays(line: str, said: str) -> None:
    assert meaning(said, line, MONDAY).said == said


@pytest.mark.parametrize(
    ("line", "said", "meant"),
    [
        ("Ceiling 5 million dram", "raised to 7000000", "raised to 7 million"),
        ("Deposit 2 lakh", "they want 350000", "they want 3.5 lakh"),
        ("Glove size 8", "I ordered nines", "I ordered 9"),
        ("Batteries size 13", "those run on 312s", "those run on 312"),
        ("Boots 39", "she took the forties", "she took the 40"),
        ("Songs of the 1990s", "I like the 80s", "I like the 80s"),
    ],
)
def test_scales_and_sizes_are_those_of_the_line(line: str, said: str, meant: str) -> None:
    assert meaning(said, line, MONDAY).said == meant


@pytest.mark.parametrize(
    ("line", "said", "made"),
    [
        ("Archie naps 12:30 to 2", "he naps one to half two", "Archie naps 1 to 2:30"),
        ("Install 1-3pm", "the guy comes three to five", "Install 3-5pm"),
        ("Load shedding Tuesdays 18-20", "it is eight to ten on Tuesdays", "Load shedding Tuesdays 20-22"),
        (
            "Rental inspection 10:00 to 12:00",
            "moved, one to three, same day",
            "Rental inspection 13:00 to 15:00",
        ),
        ("Boiler Thu 19 Nov (2026-11-19) 08-12", "he comes 1 till 5", "Boiler Thu 19 Nov (2026-11-19) 13-17"),
        ("On duty 6 pm to 6 am", "seven to seven", "On duty 7 pm to 7 am"),
        ("Delivery Tue 8-12", "between twelve and four", "Delivery Tue 12-16"),
        ("Shift Fri 7:00 to 19:00", "they moved me, 19 to 7", "Shift Fri 19:00 to 7:00"),
    ],
)
def test_hours_from_and_to_take_the_places_of_others(line: str, said: str, made: str) -> None:
    hours = ranges.hours_texts(line, said)
    assert hours is not None
    assert hours[0] == made


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Rows 1 to 60 are ours", "we have 5 to 70"),
        ("Socks, 13-3", "three to five for the socks"),
        ("Class 9:00", "from one to three"),
        ("Open 9:00 to 12:00", "closed two to three days a week"),
    ],
)
def test_what_counts_no_hours_is_not_exchanged(line: str, said: str) -> None:
    assert ranges.hours_texts(line, said) is None


@pytest.mark.parametrize(
    ("line", "now", "made"),
    [
        ("Burial society R250", "300", "Burial society R300"),
        ("Tuition RM120 a month", "140", "Tuition RM140 a month"),
        ("Ref C1958", "4471", "Ref 4471"),  # a code
        ("Noodles 3.20 a kilo", "350", "Noodles 3.50 a kilo"),
        ("Pine $5.40 a metre", "585", "Pine $5.85 a metre"),
        ("Yarn 13 euro", "1450", "Yarn 14.50 euro"),
        ("Rent 340", "350", "Rent 350"),
        # What says itself of which half of the day it is stays as it was said.
        ("Meeting 17:00", "7:00pm", "Meeting 7:00pm"),
        ("Bible on 18 March at 11.30am", "3pm", "Bible on 18 March at 3pm"),
        ("Opens 9am", "7pm", "Opens 7pm"),
    ],
)
def test_money_and_hours_are_written_as_the_line_writes_them(line: str, now: str, made: str) -> None:
    assert exchanged(line, now, MONDAY) == made


def test_numbers_are_the_same_with_and_without_commas() -> None:
    assert values_of("12,000")[0].key == values_of("12000")[0].key


def test_a_remark_has_the_words_that_were_said() -> None:
    made = reworded("dinner is an hour earlier, Piet sings at the opera", [], "Dinner 19:30", MONDAY)
    assert made == "Dinner 18:30 (Piet sings at the opera)"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Dentist 24 November (2026-11-24)", "the dentist is 5000000 weeks later"),
        ("Dentist 24 November (2026-11-24)", "it's 100000 years later"),
        ("Ends 31 December 9999 (9999-12-31)", "it ends the Saturday after"),
        ("Ends 31 December 9999 (9999-12-31)", "it ends a day later"),
    ],
)
def test_what_is_beyond_the_calendar_is_no_day(line: str, said: str) -> None:
    assert meaning(said, line, MONDAY).said == said
