"""What a reader of the numbers must know about the rows."""

import pytest

from tests.tables import table


def notes(rollouts, mode="rl", **options):
    return rollouts.select(mode, **options).report["notes"]


@pytest.mark.parametrize("mode", ["rl", "sft"])
def test_a_plain_file_of_zeros_and_ones_needs_no_remark(mode):
    assert notes(table({"a": [1, 0]}, reply=["Yes.", "No."]), mode) == []


def test_the_cut_is_named_as_soon_as_a_reward_is_fractional():
    assert notes(table({"a": [1, 0.4]})) == [
        "rewards are not only 0 and 1: a pass is a reward of at least 0.5"
    ]
    assert "at least 0.3" in notes(table({"a": [1, 0.4]}), pass_at_least=0.3)[0]
    assert "at least 1" in notes(table({"a": [1, 0.4]}), "sft")[0]


def test_minus_one_and_one_are_named():
    assert notes(table({"a": [-1, 1]})) == [
        "rewards are -1 and 1: a pass is 1, and pass rate = (mean reward + 1) / 2"
    ]
    assert "at least 0.2" in notes(table({"a": [-1, 1]}), pass_at_least=0.2)[0]


def test_rewards_beside_an_error_are_counted_both_ways():
    # scored: 1, 0 → 1 of 2 pass. As given: 1, 0, 1, 0 → 2 of 4
    rollouts = table({"a": [1, 0, 1, 0]}, error=["", "", "x", ""], judge_status=[""] * 3 + ["bad"])
    (note,) = notes(rollouts)
    assert note.startswith("2 rows carry a reward beside an error or a failed judge")
    assert note.endswith("counted as given, 2 of 4 would pass instead of 1 of 2")
    assert notes(rollouts, "sft") == [note]


def test_empty_replies_that_pass_are_counted_and_sft_says_how_many_it_keeps():
    # rows 0 and 1 are empty and pass; the empty row 2 fails; row 3 called a tool; row 4 is unscored
    rollouts = table(
        {"a": [1, 1, 0, 1, None], "b": [1]},
        reply=["", " \n", "", "", "", "Yes."],
        tool_calls=[0, 0, 0, 2, 0, 0],
        rollout=range(6),
    )
    assert notes(rollouts) == ["empty reply with a pass: 2 rows; look at the judge"]
    kept = {note for seed in range(30) for note in notes(rollouts, "sft", seed=seed)}
    assert kept == {
        f"empty reply with a pass: 2 rows, {n} of them kept; look at the judge" for n in (0, 1)
    }


def test_empty_replies_count_without_a_column_of_tool_calls():
    assert "2 rows" in notes(table({"a": [1, 1, 0]}, reply=["", "", "x"]))[0]


def test_replies_that_are_codes_or_not_known_are_not_empty():
    assert notes(table({"a": [1, 1, 0]}, reply=[0, 0, 1])) == []
    assert notes(table({"a": [1, 1, 0]})) == []


@pytest.mark.parametrize("name", ["reference", "answer", "gold", "ground_truth"])
@pytest.mark.parametrize("blank", ["", None])
@pytest.mark.parametrize("mode", ["rl", "sft"])
def test_groups_that_all_pass_against_an_empty_reference_are_flagged(mode, name, blank):
    # R34: 'b' passes throughout with nothing to be checked against; 'c' fails, 'd' has a reference
    rollouts = table(
        {"a": [1, 0], "b": [1, 1], "c": [0, 0], "d": [1, 1]},
        **{name: ["4", "4", blank, blank, blank, blank, "7", "7"]},
    )
    (note,) = notes(rollouts, mode)
    assert note.startswith(f"all-pass groups with an empty reference (column '{name}'): 1, 2 rows")


def test_a_reference_that_is_there_is_no_remark():
    assert notes(table({"a": [1, 1]}, reference=["4", "4"])) == []
    assert notes(table({"a": [1, 1]}, reference=[[], [0]])) == []


def test_a_group_outside_the_band_that_still_has_a_spread_is_named():
    # R15: .95 and .98 pass throughout, .05 and .02 fail throughout; 'c' is mixed and too easy
    rollouts = table({"a": [0.95, 0.98], "b": [0.05, 0.02], "c": [1] * 9 + [0]})
    scale, spread = notes(rollouts)
    assert spread.startswith("2 of the groups outside the band pass or fail throughout at 0.5")
    assert "at least 0.5" in scale


def test_the_notes_of_the_rollouts_come_first():
    rollouts = table({"a": ["1", 0.5]})
    assert notes(rollouts)[0] == "1 rewards were text and read as numbers"
