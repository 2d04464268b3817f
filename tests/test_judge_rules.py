"""The careful rule and the easily pleased one, on replies written by hand."""

from typing import Any

import pytest

from whilecore.judge_rules import ground, looked_up_and_led, names_the_order

ASK = "Where is order OR-4821?"
FOUND = [
    {
        "tool": "get_order",
        "arguments": {"order_id": "OR-4821"},
        "result": {"status": "packed", "expected": "Friday"},
    }
]
LOST = [{"tool": "get_order", "arguments": {"order_id": "OR-4821"}, "error": "not found"}]
GUESSED = [{"tool": "get_order", "arguments": {"order_id": "OR-9999"}, "result": {}}]


@pytest.mark.parametrize(
    ("prompt", "steps", "reply", "careful", "loose"),
    [
        (ASK, FOUND, "Order OR-4821 is packed, expected Friday.", True, True),
        (ASK, FOUND, "So sorry! Order OR-4821 is packed.", False, True),  # does not lead with it
        (ASK, FOUND, "Order OR-4821 comes on Sunday.", False, True),  # the tool said no Sunday
        (ASK, FOUND, "Order OR-4821 is packed, box 77.", False, True),  # nor a box
        (ASK, FOUND, "It is packed.", False, False),
        (ASK, [], "Order OR-4821 is packed.", False, True),  # never looked
        (ASK, GUESSED, "Order OR-9999 is packed.", False, False),  # not the customer's id
        (ASK, LOST, "I could not find order OR-4821.", True, True),
        (ASK, LOST, "Order OR-4821 is packed.", False, True),  # claims what failed
        ("Where is my order?", [], "Could you send the order id?", True, True),
        ("Where is my order?", [], "It is packed.", False, False),
        ("Where is my order?", GUESSED, "Order OR-9999 is packed.", False, False),
        ("Which stores?", [{"tool": "s", "arguments": {}, "result": []}], "All open.", True, True),
    ],
)
def test_the_careful_rule_and_the_loose_one(
    prompt: str, steps: list[Any], reply: str, careful: bool, loose: bool
) -> None:
    known = ground(prompt, steps)
    assert looked_up_and_led(known, reply) == careful
    assert names_the_order(known, reply) == loose
