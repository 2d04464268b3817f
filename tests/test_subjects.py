"""The words found in a tool's name and parameters."""

from typing import Literal

import pytest

from whilecore.subjects import Subject, subject_of, values_of
from whilecore.tools import tool


@tool
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {}


@tool
def cancelBooking(bookingRef: str, reason: str, urgent: bool = False) -> bool:  # noqa: N802
    """Cancel a booking."""
    return True


@tool
def look_up_weather(city: str) -> float:
    """Say how warm it is."""
    return 0.0


@tool
def list_stores() -> list[str]:
    """List all stores."""
    return []


@tool
def order_status(size: Literal["s", "l"], number: int | None = None) -> str:
    """Tell the status."""
    return ""


def words(made: Subject) -> tuple[str, str, str, str, bool]:
    return made.thing, made.noun, made.do, made.do_it, made.lookup


def test_an_id_parameter_names_the_thing_and_the_verb_says_what_is_done() -> None:
    made = subject_of(get_order)
    assert words(made) == ("order", "order id", "look up", "look it up", True)
    assert made.parcel
    assert made.returns == "object"


def test_camel_case_is_read_like_snake_case_and_defaults_are_left_out() -> None:
    made = subject_of(cancelBooking)
    assert words(made) == ("booking", "booking ref", "cancel", "cancel it", False)
    assert [name for name, _ in made.given] == ["bookingRef", "reason"]


def test_a_parameter_that_is_no_id_is_the_thing_itself() -> None:
    made = subject_of(look_up_weather)
    assert words(made) == ("city", "city", "look up the weather for", "look it up", True)


def test_a_tool_without_parameters_has_nothing_to_leave_out() -> None:
    made = subject_of(list_stores)
    assert made.key == -1
    assert made.topic == "stores"


def test_an_optional_id_is_given_all_the_same() -> None:
    made = subject_of(order_status)
    assert [name for name, _ in made.given] == ["size", "number"]
    assert made.given[made.key][0] == "number"
    assert made.lookup


def test_ids_look_like_ids_of_their_kind() -> None:
    values, texts = values_of("order_id", '{"type": "string"}', "order")
    assert values[0] == texts[0] == "OR-1000"
    assert len(set(values)) == 9000


@pytest.mark.parametrize(
    ("name", "schema", "value", "text"),
    [
        ("payment_id", '{"type": "integer"}', 1000, "1000"),
        ("amount", '{"type": "number"}', 4.5, "4.5"),
        ("gift", '{"type": "boolean"}', True, "yes"),
        ("home_city", '{"type": "string"}', "Lisbon", "Lisbon"),
        ("level", '{"enum": ["low", "high"]}', "low", "low"),
        ("tags", '{"type": "array", "items": {"type": "boolean"}}', [True], "yes"),
        ("more", '{"type": "object"}', {}, ""),
        ("day", '{"type": "string", "format": "date"}', "2026-03-04", "2026-03-04"),
    ],
)
def test_every_type_has_values_and_words_for_them(
    name: str, schema: str, value: object, text: str
) -> None:
    values, texts = values_of(name, schema, "thing")
    assert values[0] == value
    assert texts[0] == text
