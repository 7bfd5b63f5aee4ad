"""Which sentences give another amount than a field, and which only look like it."""

from __future__ import annotations

import pytest

from quaid.app import App
from quaid.graph.contradictions import MANY_OBJECTS, ONE_SUBJECT, Rules, find
from quaid.graph.prose.amounts import agree, agree_converted, clash

OTHER = [
    ("headcount: 46", "All 63 employees had just got a raise."),
    ("weight: 4.1 kg", "Miso on the scale: 6.3 kilos, in spite of the diet."),
    ("stake: 51%", "We hold thirty percent of Ravn."),
    ("offices: 3", "Quillon has five offices, all of them open."),
    ("children: 2", "Sami came with all four of his children."),
    ("height: 152 cm", "The vet measured Dora at 163 centimetres at the withers."),
    ("rent: €1,450 per month", "The standing order is for 1,540 euros a month."),
    ("phone extension: 417", "You reach Bergita on extension 471."),
    ("opens: 07:00", "She lets the first guests in at nine in the morning."),
    ("mass: 18,940 kg", "It weighs about twelve tonnes."),
    ("weight: 4.1 kg", "Miso is at fourteen pounds now."),
    ("capacity: 80", "It seats a hundred and twenty people."),
]
SAME = [
    ("headcount: 46", "All forty-six employees had just got a raise."),
    ("sugar: 1 kg", "Into the jelly go 1000 g of it."),
    ("cost: 18,940 USD", "It came to roughly nineteen thousand dollars."),
    ("rent: €1,200 per month", "Brunner gets 14,400 euros a year."),
    ("furnaces: 3", "Two of the furnaces burn day and night."),
    ("offices: 4", "Meridian would like to have ten offices by 2030."),
    ("bikes: 40", "Tidewater has at least thirty-five bikes on the road."),
    ("fee: 180 €", "A deposit of 50 euros is due at once."),
    ("temperature: 12 °C", "The cabinet is at 54 degrees Fahrenheit."),
    ("due: 2026-12-01", "The bridge scene itself is on 2027-01-18."),
    ("distance: 15 km", "Leif gave up the lake run after 9 km."),
    ("founded: 1988", "The second branch opened in 2003."),
    ("weight: 48 kg", "It stands 61 cm high."),
    ("motto: Clay first", "They have 12 kilns."),
    ("pressure: 9 bar", "The gauge shows about 130 psi."),
    ("height: 300 m", "From there it is nine kilometres to the lake."),
    ("length: 11 m", "The mast is 9 m and the boom 4 m long."),  # of two, it may be neither
]


@pytest.mark.parametrize(("field", "sentence"), OTHER)
def test_another_amount_of_the_same_thing(field: str, sentence: str) -> None:
    assert clash(*field.split(": "), sentence)


@pytest.mark.parametrize(("field", "sentence"), SAME)
def test_what_is_equal_rough_partial_planned_or_of_something_else(field: str, sentence: str) -> None:
    assert not clash(*field.split(": "), sentence)


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ("pressure: 9 bar", "The gauge shows about 130 psi during a shot."),
        ("size: 62 m2", "The agent's sheet gives 667 square feet."),
        ("children: 3", "Two of her kids were at the station."),
        ("value: 248,500 EUR", "A deal of roughly a quarter of a million euros."),
        ("distance: 5 km", "It is a little over three miles from the station."),
        ("children: 3", "Her other two came by bus."),
        ("headcount: 60", "More than 40 people work there."),
        ("seats: 60", "There is room for up to seventy guests."),
    ],
)
def test_what_is_the_same_in_another_unit_or_a_part(field: str, sentence: str) -> None:
    assert agree(*field.split(": "), sentence)


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ("pressure: 9 bar", "The gauge shows about 90 psi during a shot."),
        ("children: 3", "Two of her five kids were at the station."),
        ("children: 3", "All five of her kids were at the station."),
        ("children: 3", "She has five kids."),
        ("headcount: 60", "More than 90 people work there."),
        ("value: 248,500 EUR", "A deal of three quarters of a million euros."),
        ("seats: 60", "There is room for up to forty guests."),
    ],
)
def test_what_is_neither(field: str, sentence: str) -> None:
    assert not agree(*field.split(": "), sentence)


def test_two_sentences_whose_only_numbers_are_one_amount() -> None:
    assert agree_converted("The boiler holds nine bar.", "It was set to 130 psi in May.")
    assert not agree_converted("The boiler holds nine bar.", "It was set to 90 psi in May.")
    assert not agree_converted("The boiler holds nine bar.", "It is set to nine bar and leaks.")


@pytest.mark.parametrize(("odds", "sentence", "open_"), [
    (0.4, "All 63 employees had just got a raise.", True),
    (0.4, "All 46 employees had just got a raise.", False),
    (0.1, "All 63 employees had just got a raise.", False),
])  # fmt: skip
def test_a_network_that_half_believes_it_is_believed_where_amounts_differ(
    app: App, odds: float, sentence: str, open_: bool
) -> None:
    page = f"---\ntype: workshop\nhands: 46 people\n---\n# Tessel\n\n{sentence}\n"
    app.collection().put("workshops/tessel", page)
    with app.store.read() as connection:
        rules = Rules(MANY_OBJECTS, ONE_SUBJECT, 30)
        found = find(
            connection, "2026-11-16", rules, ("temporal",), None, lambda _, others: [odds] * len(others)
        )
    assert [each.sides[0].statement for each in found if not each.sides[0].perhaps] == [sentence] * open_
