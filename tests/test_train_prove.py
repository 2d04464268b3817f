"""What lesson 9 says about pools, step sizes, proof and leaks."""

from __future__ import annotations

import numpy as np
import pytest

import whilecore as wc
from whilecore.course import train_prove
from whilecore.course.page import Page
from whilecore.power import tasks_needed


def shown(page: Page, told: bool = True, said: str = "", **settings: object) -> dict[str, str]:
    now = page.settle(**settings)
    run = train_prove.trained(
        str(now["pool"]), str(now["match"]), str(now["skill"]), int(now["seed"])
    )
    before, after = train_prove.evaluated(run, int(now["stop"]), int(now["held"]))
    true = train_prove.true_change(before, after)
    return train_prove.places(page, run, wc.compare(before, after), true, [told] * 3, said)


def test_the_right_answers_are_what_the_expected_runs_and_the_formula_give() -> None:
    right = [
        next(one.label for one in options if one.right)
        for options in (train_prove.highest(), train_prove.left(), train_prove.half_the_gain())
    ]
    assert right == ["middle re-measured", "next to nothing", "367"]
    assert tasks_needed(0.10, 0.6, 4) == 89 and tasks_needed(0.05, 0.6, 4) == 367


def test_matching_the_steps_takes_the_lead_away_and_one_skill_takes_every_difference() -> None:
    of = train_prove.leads()
    mean = {lane: {pool: lead[0] for pool, lead in some.items()} for lane, some in of.items()}
    assert mean["same step size, same steps"]["middle re-measured"] > 0.04
    fair = of["same step size, same rollouts"]["middle re-measured"]
    matched = of["step matched, same steps"]["middle re-measured"]
    assert fair[1] < 0 < fair[2] and matched[1] < 0 < matched[2]
    assert of["step matched, same steps"]["middle once"][2] < 0
    assert all(abs(lead) < 0.003 for lead in mean["one skill, step matched"].values())


def test_same_rollouts_stops_where_the_rollouts_of_all_are_spent() -> None:
    # 64·8 rollouts of measuring before steps 1, 11, 21, 31: 4·512 + 40·128 = 7,168; the fifth
    # measuring and one step more would be 7,168 + 512 + 128 > 60·128 = 7,680
    run = train_prove.trained("middle re-measured", "no", "half", 0)
    assert ((run.rollouts <= 7680).sum(1) - 1 == 40).all()


def test_held_out_tasks_are_taken_evenly_from_the_topics() -> None:
    before, after = train_prove.evaluated(train_prove.trained("all", "no", "half", 0), 5, 16)
    assert before.n_tasks == after.n_tasks == 16
    assert {str(label)[0] for label in before.task_labels} == set("ABCDEFGH")


def test_a_leak_is_found_by_name_by_text_and_nearly_but_not_in_other_words() -> None:
    kinds = {
        leak: [pair.kind for pair in train_prove.found(leak).pairs]
        for leak in train_prove.LEAK.choices
    }
    assert kinds == {"none": [], "task": ["same task"], "text": ["same text"],
                     "near": ["near copy"], "paraphrase": []}  # fmt: skip


def test_a_memory_makes_leaked_tasks_pass_more_and_the_score_with_them() -> None:
    on, rest, score, clean = train_prove.leaked_rates()
    assert on > rest + 0.05 and score > clean
    assert score == pytest.approx((8 * on + 56 * rest) / 64)


def test_the_challenges_know_their_solutions() -> None:
    start = {one.name: one.default for one in train_prove.SETTINGS}
    assert train_prove.is_unshown({**start, "stop": 20, "held": 8})
    assert not train_prove.is_unshown({**start, "stop": 60})
    assert train_prove.fewest_held(0.2) == 24 >= tasks_needed(0.2, 0.6, 4) == 20


def test_before_the_answer_no_end_and_no_lead_is_said() -> None:
    filled = shown(Page(train_prove.SETTINGS), told=False)
    assert "wc-masked" in filled["reading"] and "91.7" not in str(filled)
    for name in ("curves", "leads", "needed"):
        assert filled[f"{name}_reading"] == train_prove.HIDDEN


@pytest.mark.parametrize("settings", [
    {"pool": "oracle", "by": "rollouts", "stop": 60, "held": 8, "leak": "near"},
    {"pool": "middle re-measured", "match": "every step", "skill": "one", "leak": "paraphrase"},
])  # fmt: skip
def test_every_place_is_filled_with_numbers(settings: dict[str, str]) -> None:
    filled = shown(Page(train_prove.SETTINGS), said="178", **settings)
    for name, html in filled.items():
        assert html and "nan" not in html, name
    assert "The 178 tasks you said show +0.071" in filled["needed_reading"]


def test_a_move_that_changes_nothing_says_why() -> None:
    page = Page(train_prove.SETTINGS)
    shown(page)
    assert "what the others are matched to" in shown(page, match="every step")["reading"]
    assert "drawn along another axis" in shown(page, by="rollouts")["reading"]
    assert "further down" in shown(page, stop=20)["reading"]
    assert "+0.2: pool: middle re-measured" in shown(page, pool="middle re-measured")["reading"]


def test_a_verdict_of_not_shown_comes_with_the_smallest_change() -> None:
    filled = shown(Page(train_prove.SETTINGS))
    assert "not shown to have moved" in filled["proof_reading"]
    assert "smallest change" in filled["proof_reading"]
    moved = shown(Page(train_prove.SETTINGS), stop=60)["proof_reading"]
    assert "leaves out 0" in moved and "smallest" not in moved


def test_the_noise_floor_shrinks_with_more_tasks() -> None:
    floors = [train_prove.floor("half", 0, tasks) for tasks in (8, 32, 64)]
    assert floors[0] > floors[-1] > 0 and np.isfinite(floors).all()


def test_the_order_of_the_pools_belongs_to_the_step_size() -> None:
    slow = train_prove.slower_ends()
    runs = train_prove.all_expected("no", "half")
    here = {pool: run.held_out[:, -1].mean() for pool, run in runs.items()}
    order, other = (sorted(ends, key=lambda pool: ends[pool]) for ends in (here, slow))
    assert order != other and other[-1] == "oracle" != order[-1]
    said = shown(Page(train_prove.SETTINGS))["slower"]
    assert all(f"{end:.3f} ({pool})" in said for pool, end in slow.items())
    assert shown(Page(train_prove.SETTINGS), told=False)["slower"] == ""
