"""What six code bases push with, computed and held to what their code gives."""

from __future__ import annotations

import re

import pytest

from whilecore.course import conventions

# One success in eight, and 0.501 among three 0.5, as the restated formulas give them by hand:
# population spread √(7/64) = .33072, sample √(7/56) = .35355; .875/(.33072 + .0001) = 2.645, ...
EXPECTED = {
    "GRPO-Zero": (2.645, -0.378, 1.407),
    "TRL": (2.474, -0.353, 1.250),
    "verl": (2.475, -0.354, 1.497),
    "rlhf-book, GRPO": (2.475, -0.354, 1.500),
    "rlhf-book, RLOO": (1.000, -0.143, 0.001),
    "nanochat, prime-rl GRPO": (0.875, -0.125, 0.00075),
    "prime-rl, MaxRL": (7.0, -1.0, 0.0015),  # (1 − 1/8)/(1/8); (.501 − .50025)/.50025
}


def test_there_is_a_line_for_each_code_base() -> None:
    assert {one.code for one in conventions.CONVENTIONS} == EXPECTED.keys()


@pytest.mark.parametrize("one", conventions.CONVENTIONS, ids=lambda one: one.code)
def test_the_pushes_are_those_of_the_code(one: conventions.Convention) -> None:
    first, others, close = EXPECTED[one.code]
    assert one.first_and_others(conventions.ONE_IN_EIGHT) == pytest.approx(
        (first, others), abs=6e-4
    )
    assert one.first_and_others(conventions.CLOSE)[0] == pytest.approx(close, abs=6e-4)


def test_a_group_of_one_gets_four_different_answers() -> None:
    assert len({one.alone for one in conventions.CONVENTIONS}) == 4


def test_the_table_says_what_was_computed() -> None:
    html = conventions.table()
    assert html.count("<tr>") == 1 + len(conventions.CONVENTIONS)
    assert '<span data-name="conventions.0.first">+2.645</span>' in html
    assert '<span data-name="conventions.5.close">+0.00075</span>' in html
    assert '<span data-name="conventions.6.first">+7.00</span>' in html
    assert re.search(r"population spread \+ 10<sup>−4</sup>", html)
