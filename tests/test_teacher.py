"""What a teacher may add to a link."""

from __future__ import annotations

import pytest

from whilecore.course.settings import JUDGE
from whilecore.course.teacher import VOTES, Teacher, choice_of, code_of

NOTES = {
    "aim": "Say why <b>.",
    "minutes": 10,
    "votes": {vote: f"then {vote}" for vote in VOTES},
    "cut": "The strip.",
    "questions": {"Why?": "Because."},
}


def test_the_parameters_are_read() -> None:
    teacher = Teacher.from_query({"hide": "judge, seed,", "reveal": "all", "teach": "1"})
    assert teacher == Teacher(frozenset({"judge", "seed"}), reveal=True, teach=True)


@pytest.mark.parametrize("query", [{}, {"reveal": "none", "teach": "0", "hide": ""}])
def test_anything_else_asks_for_nothing(query: dict[str, str]) -> None:
    assert Teacher.from_query(query) == Teacher()
    assert Teacher().query == ""


def test_every_judge_travels_under_a_code_of_its_own_that_does_not_name_it() -> None:
    codes = {judge: code_of(JUDGE, judge) for judge in JUDGE.choices}
    assert len(set(codes.values())) == len(JUDGE.choices) > 1
    for judge, code in codes.items():
        assert judge not in code
        assert choice_of(JUDGE, code) == judge


def test_a_code_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="judge_code must be a code this course made"):
        choice_of(JUDGE, "coin")


def test_notes_are_shown_to_a_teacher_and_to_nobody_else() -> None:
    assert Teacher().notes(**NOTES).text == ""
    text = Teacher(teach=True).notes(**NOTES).text
    for part in ("Say why &lt;b&gt;.", "10 minutes", "The strip.", "Why?", "Because."):
        assert part in text
    for vote in VOTES:
        assert f"then {vote}" in text


def test_a_missing_case_of_the_vote_is_refused_also_without_teach() -> None:
    with pytest.raises(
        ValueError, match="votes must have the cases mostly right, split, one wrong"
    ):
        Teacher().notes(**{**NOTES, "votes": {"split": "argue"}})
