"""Three questions before the course and their like after lesson 6."""

from __future__ import annotations

import re

import pytest

from whilecore.course import entry
from whilecore.course.entry import IDEAS, Change, after, asked_after, asked_before, before
from whilecore.groups import unanimous_probability


def test_both_times_ask_for_the_same_three_ideas() -> None:
    assert list(before()) == list(after()) == list(IDEAS)
    assert len(IDEAS) == 3


@pytest.mark.parametrize("idea", IDEAS)
def test_the_forms_are_parallel_same_beliefs_in_the_same_order_other_numbers(idea: str) -> None:
    first, second = before()[idea], after()[idea]
    for options in (first.options, second.options):
        assert sum(option.right for option in options) == 1
        assert all(bool(option.misconception) != option.right for option in options)
    assert [one.misconception for one in first.options] == [
        one.misconception for one in second.options
    ]
    assert first.question != second.question
    assert {one.why for one in first.options}.isdisjoint(
        one.why for one in second.options if re.search(r"[0-9]", one.why)
    )


def test_luck_s_right_answers_are_p_to_the_k_plus_q_to_the_k() -> None:
    # 0.8^4 + 0.2^4 = 0.4096 + 0.0016 = 0.411; 0.9^6 + 0.1^6 = 0.5314
    assert (before()["luck"].right, after()["luck"].right) == ("41", "53")
    assert round(100 * float(unanimous_probability(0.8, 4))) == 41


def test_only_a_mixture_pushes() -> None:
    assert (before()["push"].right, after()["push"].right) == ("passed 1 of 4", "passed 5 of 6")


def test_the_files_of_the_third_idea_say_opposite_things_over_all_rows_and_inside_tasks() -> None:
    first, second = entry.correlations(6, False), entry.correlations(5, True)
    assert first[0] < -0.2 < 0.2 < first[1]
    assert second[1] < -0.2 < 0.2 < second[0]
    assert "−0.31" in before()["tracks"].question
    assert "+0.35" in after()["tracks"].question


def test_counting_lengths_from_the_other_end_turns_both_signs_and_nothing_else() -> None:
    one, other = entry.correlations(3, False), entry.correlations(3, True)
    assert other == pytest.approx((-one[0], -one[1]))


def test_what_the_home_page_gets_does_not_say_which_is_right() -> None:
    for asked in asked_before():
        assert set(asked) == {"name", "question", "labels"}


def test_questions_after_the_course_tell_nothing_before_they_are_answered() -> None:
    questions, changed = asked_after()
    assert [question.name for question in questions] == ["exit.push", "exit.luck", "exit.tracks"]
    assert all(question.feedback == [] for question in questions)
    assert changed.labels == {}


def test_the_right_answers_from_before_are_told_with_the_last_answer_and_taken_back() -> None:
    questions, changed = asked_after()
    for question in questions:
        assert changed.labels == {}
        question.answer = {"choice": question.labels[0], "state": "answered"}
    assert changed.labels == {
        "entry.push": "passed 1 of 4",
        "entry.luck": "41",
        "entry.tracks": "the same number inside each task",
    }
    questions[1].answer = {"choice": "", "state": "open"}
    assert changed.labels == {}


def test_a_teacher_who_reveals_all_sees_the_answers_from_before_too() -> None:
    questions, changed = asked_after(revealed=True)
    assert all(question.feedback for question in questions)
    assert set(changed.labels) == {f"entry.{idea}" for idea in IDEAS}


def test_every_idea_has_words_for_the_table() -> None:
    assert Change([]).ideas == IDEAS
