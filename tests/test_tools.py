"""What ``@tool`` reads off a function, and what it asks for when something is missing."""

import datetime
import enum
from typing import Annotated, Any, Literal, TypedDict

import pytest

from whilecore.tools import Tool, as_tools, schema, tool


def get_order(order_id: str) -> dict[str, str]:
    """Look up an order by id."""
    return {"order_id": order_id}


class Size(enum.Enum):
    """Sizes."""

    SMALL = "s"
    LARGE = "l"


def test_a_typed_function_becomes_name_description_and_parameters() -> None:
    made = tool(get_order)
    assert made.name == "get_order"
    assert made.description == "Look up an order by id."
    assert made.parameters == {
        "type": "object",
        "properties": {"order_id": {"type": "string"}},
        "required": ["order_id"],
    }


def test_a_tool_can_still_be_called_and_keeps_its_docstring() -> None:
    made = tool(get_order)
    assert made("OR-1") == {"order_id": "OR-1"}
    assert made.__doc__ == "Look up an order by id."
    assert made.__name__ == "get_order"


def test_a_parameter_with_a_default_is_not_required() -> None:
    @tool
    def find(name: str, limit: int = 5, after: datetime.date | None = None) -> list[str]:
        """Find customers."""
        return []

    assert find.parameters["required"] == ["name"]
    assert find.parameters["properties"]["after"] == {"type": "string", "format": "date"}
    assert find.returns == {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (list, {"type": "array", "items": {"type": "string"}}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (dict[str, int], {"type": "object"}),
        (Literal["a", "b"], {"enum": ["a", "b"]}),
        (Size, {"enum": ["s", "l"]}),
        (str | None, {"type": "string"}),
        (Annotated[str, "an id"], {"type": "string", "description": "an id"}),
    ],
)
def test_types_are_written_as_json_schema(hint: Any, expected: dict[str, Any]) -> None:
    assert schema(hint, "x") == expected


def test_a_typed_mapping_is_a_fine_result() -> None:
    class Found(TypedDict):
        status: str

    def check(order_id: str) -> Found:
        """Check."""
        return {"status": order_id}

    check.__annotations__["return"] = Found
    assert tool(check).returns == {"type": "object"}


def test_a_parameter_without_annotation_is_named() -> None:
    def find(order_id):  # type: ignore[no-untyped-def]
        """Find."""

    with pytest.raises(TypeError, match="'order_id' of find must have a type annotation"):
        tool(find)


def test_a_missing_docstring_is_asked_for() -> None:
    def find(order_id: str) -> None: ...

    with pytest.raises(ValueError, match="find must have a docstring"):
        tool(find)


def test_a_type_without_json_form_is_refused_with_the_types_that_work() -> None:
    def find(order_id: complex) -> None:
        """Find."""

    with pytest.raises(TypeError, match="'order_id' of find must be str, int.*got complex"):
        tool(find)


def test_two_types_at_once_are_refused() -> None:
    def find(order_id: int | str) -> None:
        """Find."""

    with pytest.raises(TypeError, match="or one of these with None"):
        tool(find)


def test_an_unknown_type_name_is_refused() -> None:
    def find(order_id: "Nowhere") -> None:  # type: ignore[name-defined]  # noqa: F821
        """Find."""

    with pytest.raises(TypeError, match="Nowhere.*import the type"):
        tool(find)


def test_open_parameter_lists_are_refused() -> None:
    def find(*order_ids: str) -> None:
        """Find."""

    with pytest.raises(TypeError, match="list the parameters one by one"):
        tool(find)


@pytest.mark.parametrize("thing", [Size, 3, "get_order"])
def test_only_functions_become_tools(thing: Any) -> None:
    with pytest.raises(TypeError, match="@tool must stand on a function"):
        tool(thing)


def test_plain_functions_are_taken_as_tools_and_tools_stay_as_they_are() -> None:
    made = tool(get_order)
    assert as_tools([made]) == (made,)
    assert isinstance(as_tools([get_order])[0], Tool)


def test_no_tools_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one tool"):
        as_tools([])


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="a name of its own"):
        as_tools([get_order, get_order])


def test_a_lone_function_is_no_list_of_tools() -> None:
    with pytest.raises(TypeError, match=r"pass \[get_order\]"):
        as_tools(get_order)  # type: ignore[arg-type]
