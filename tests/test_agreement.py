"""How often all tries agree, against what the true rates predict."""

from __future__ import annotations

import numpy as np

from tests import pictures
from whilecore.charts import agreement, spec


def test_the_picture_reads_its_four_datasets() -> None:
    datasets = set(spec.compiled(agreement.picture()).datasets)
    assert datasets == {"theory", "plugin", "trail", "now"}


def test_the_line_averages_over_tasks_and_the_dashes_put_the_mean_in() -> None:
    # true rates 0.6, 0.9, 0.1 at k = 2: (0.52 + 0.82 + 0.82) / 3 = 0.72
    pushed = agreement.push(pictures.hand(), True, "seed 0")
    assert np.isclose(pushed["theory"]["y"][0], 0.72)
    # measured rates 3/4, 1, 1/6: mean 23/36, p² + (1-p)² = 698/1296
    assert np.isclose(pushed["plugin"]["y"][0], (23**2 + 13**2) / 36**2)


def test_dots_stand_at_the_seen_shares() -> None:
    # b alone agrees, of three tasks; the gates take no further contrast
    now = agreement.push(pictures.hand(), True, "seed 0")["now"]
    assert np.allclose(now["y"], [1 / 3, 1 / 3])
    assert agreement.push(pictures.printed(), True, "s")["now"]["y"] == [3 / 16, 5 / 16]


def test_before_the_answer_the_share_after_the_gates_is_not_sent() -> None:
    pushed = agreement.push(pictures.printed(), False, "seed 0")
    assert pushed["now"]["y"] == [3 / 16]
    assert "After the gates" not in pushed["summary"]


def test_the_trail_ends_where_the_dot_stands() -> None:
    pushed = agreement.push(pictures.printed(), True, "seed 0")
    assert pushed["trail"]["x"].tolist() == [2, 3, 4]
    assert pushed["trail"]["y"][-1] == pushed["now"]["y"][0]
    assert (np.diff(pushed["trail"]["y"]) <= 0).all()


def test_the_shade_holds_at_least_95_of_100_counts() -> None:
    true = np.full(16, 0.65)
    low, high = agreement._likely(true, 16)
    chance = 0.65**4 + 0.35**4
    draws = np.random.default_rng(0).binomial(16, chance, 20_000) / 16
    inside = ((draws >= low[2]) & (draws <= high[2])).mean()
    assert inside >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 20_000)


def test_a_table_without_rows_says_so() -> None:
    assert agreement.push(pictures.nothing(), True, "seed 0")["summary"].startswith("No task")
