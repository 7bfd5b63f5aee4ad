"""Units: what is one amount in two of them."""

from __future__ import annotations

import pytest

from quaid.formats.units import measure_of, measures, units
from quaid.formats.values import rivals

EQUAL = [
    ("9 bar", "130 psi"),
    ("62 m2", "667 square feet"),
    ("188 cm", "6 feet 2 inches"),
    ("4.1 kg", "9 lb"),
    ("100 km/h", "62 mph"),
    ("12 °C", "54 degrees Fahrenheit"),
    ("0 °C", "32 °F"),
    ("20 l", "4.4 gallons"),
    ("20 l", "5.3 gallons"),  # those of another country
    ("2 TB", "2000 GB"),
    ("2 TB", "2048 GB"),
    ("110 kW", "150 hp"),
    ("90 days", "3 months"),
    ("1 kWh", "3.6 MJ"),
    ("3 ha", "7.4 acres"),
]
OTHER = [("9 bar", "90 psi"), ("62 m2", "750 square feet"), ("12 °C", "64 °F"), ("90 days", "2 months")]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_one_amount_in_two_units(one: str, other: str) -> None:
    first, second = measure_of(one), measure_of(other)
    assert first
    assert second
    assert first.agrees(second, 0.03)
    assert not rivals("name", one, other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_amount_in_another_unit(one: str, other: str) -> None:
    first, second = measure_of(one), measure_of(other)
    assert first
    assert second
    assert not first.agrees(second, 0.03)
    assert rivals("name", one, other)


def test_what_measures_two_things_is_set_against_both() -> None:
    pounds = measure_of("80 pounds")
    assert pounds
    assert pounds.dimensions == {"weight", "pounds"}
    assert measure_of("80") is None
    assert measure_of("80 tables") is None
    assert [each.unit for each in measures("1 h 30 min at 20 bar")] == ["h min", "bar"]


def test_every_unit_of_the_file_is_read() -> None:
    assert all(each.sizes for meant in units().values() for each in meant)
