"""Records made out of others."""

from __future__ import annotations

from functools import cached_property

import pytest

from quaid.model.record import fill, record, replace


@record
class Person:
    id: int
    name: str
    source: str = ""

    @property
    def initial(self) -> str:
        return self.name[:1]


@record
class Line:
    name: str
    initial: str
    source: str | None = None
    seen: int = 0


def test_a_record_takes_what_another_has_under_the_same_names():
    assert fill(Line, Person(1, "Alice", "meeting/1")) == Line("Alice", "A", "meeting/1")


def test_values_that_are_given_come_before_those_of_the_other():
    assert fill(Line, Person(1, "Alice", ""), source=None, seen=2) == Line("Alice", "A", None, 2)


def test_a_field_that_nobody_knows_is_missed():
    with pytest.raises(TypeError, match="'id'"):
        fill(Person, Line("Alice", "A"))


def test_a_field_that_there_is_not_is_refused():
    with pytest.raises(TypeError, match="'colour'"):
        replace(Person(1, "Alice"), colour="red")


def test_a_record_with_another_value_leaves_the_first_as_it_is():
    alice = Person(1, "Alice", "x")
    assert replace(alice, name="Bob") == Person(1, "Bob", "x")
    assert alice == Person(1, "Alice", "x")


@record
class Sum:
    first: int
    second: int

    @cached_property
    def whole(self) -> int:
        return self.first + self.second


def test_what_a_record_has_found_out_is_no_field_of_it():
    one, other = Sum(1, 2), Sum(1, 2)
    assert one.whole == 3
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == repr(other)
    assert replace(one, second=5).whole == 6
