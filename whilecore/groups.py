"""A group is the rollouts of one task: its counts, its pass rate, its contrast, its pushes.

GRPO learns from differences inside a group and from nothing else. Everything here is a sum over
integer task codes, so a million rows cost what sixty-four do, a million times over sixty-four.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

ADVANTAGES: Final = ("centred", "spread", "leave_one_out")


@dataclass(frozen=True)
class Groups:
    """Counts per task over the rows that were asked about; arrays of length ``n_tasks``.

    Attributes:
        rows: Rows per task.
        passes: Rows at or over the pass cut.
        rate: passes / rows, NaN for a task without rows.
        lowest: Smallest reward, +inf for a task without rows.
        highest: Largest reward, -inf for a task without rows.
    """

    rows: Ints
    passes: Ints
    rate: Floats
    lowest: Floats
    highest: Floats

    @property
    def unanimous(self) -> Bools:
        """Tasks with at least one row whose rewards are all the same value, compared as given."""
        return np.asarray((self.rows > 0) & (self.lowest == self.highest))

    @property
    def mixed(self) -> Bools:
        """Tasks with at least two different rewards."""
        return self.highest > self.lowest


def count_groups(
    task_codes: Ints, reward: Floats, use: Bools, n_tasks: int, pass_at_least: float = 0.5
) -> Groups:
    """Count every task's rows, passes and reward range.

    Args:
        task_codes: Shape (rows,), values 0..n_tasks-1.
        reward: Shape (rows,). Only entries where ``use`` is true are looked at.
        use: Shape (rows,), the rows to count.
        n_tasks: Number of tasks; a task without a counted row gets zeros.
        pass_at_least: A row passes at reward ≥ this.

    Returns:
        The counts, one entry per task.

    Convention:
        Contrast is "largest differs from smallest", never "std > 0": seven rewards of 0.1 have a
        floating-point standard deviation above zero and still say nothing.

    >>> codes = np.array([0, 0, 1, 1])
    >>> g = count_groups(codes, np.array([1.0, 0.0, 1.0, 1.0]), np.ones(4, bool), 2)
    >>> g.passes.tolist(), g.unanimous.tolist()
    ([1, 2], [False, True])
    """
    if not use.all():
        task_codes, reward = task_codes[use], reward[use]
    rows = np.bincount(task_codes, minlength=n_tasks)
    passes = np.bincount(task_codes[reward >= pass_at_least], minlength=n_tasks)
    lowest = np.full(n_tasks, np.inf)
    highest = np.full(n_tasks, -np.inf)
    np.minimum.at(lowest, task_codes, reward)
    np.maximum.at(highest, task_codes, reward)
    with np.errstate(invalid="ignore"):
        rate = passes / np.where(rows > 0, rows, np.nan)
    return Groups(rows, passes, rate, lowest, highest)


def centre(values: Floats, task_codes: Ints, n_tasks: int) -> Floats:
    """Subtract each task's mean: x − x̄(task), shape kept."""
    rows = np.maximum(np.bincount(task_codes, minlength=n_tasks), 1)
    means = np.bincount(task_codes, weights=values, minlength=n_tasks) / rows
    centred: Floats = values - means[task_codes]
    return centred


def advantages(
    rewards: npt.ArrayLike,
    task_codes: npt.ArrayLike | None = None,
    *,
    how: Literal["centred", "spread", "leave_one_out"] = "centred",
    ddof: Literal[0, 1] = 0,
    epsilon: float = 0.0,
) -> Floats:
    """Return the push GRPO gives to each rollout: its reward against its siblings.

    centred:        Aᵢ = rᵢ − r̄
    spread:         Aᵢ = (rᵢ − r̄) / (σ + ε)
    leave_one_out:  Aᵢ = rᵢ − mean of the other k−1 = k/(k−1) · (rᵢ − r̄)

    Args:
        rewards: Shape (tasks, repeats ≥ 2); or (rows,) with ``task_codes``; or (rows,) alone,
            which is one group. Any unit. NaN is not scored: it moves nobody and gets NaN.
        task_codes: Shape (rows,), whole numbers that say which group a row belongs to.
        how: One of ``ADVANTAGES``.
        ddof: 0 for the population spread, 1 for the sample spread.
        epsilon: Added to σ, as code bases do to avoid 0/0.

    Returns:
        float64 of the shape of ``rewards``. Centred pushes sum to zero in every group.

    Raises:
        ValueError: If there is nobody to compare with, a reward is ±∞, or an option is unknown.

    Convention:
        A unanimous group gets exactly 0 under all three (floating-point residue is not a push);
        no reward signal is not the same as no update, since a KL term still acts. A group with a
        single scored rollout gets NaN: it has no siblings. Public code bases give 0, the raw
        reward, NaN or an error there. σ with ddof 1 is larger by √(k/(k−1)).

    Source:
        Shao et al. 2024, arXiv:2402.03300 (spread); Liu et al. 2025, arXiv:2503.20783 (centred);
        Kool et al. 2019, leave-one-out as a baseline.

    >>> advantages([1, 1, 1, 0]).tolist()
    [0.25, 0.25, 0.25, -0.75]
    >>> advantages([[1, 0], [1, 1]], how="leave_one_out").tolist()
    [[1.0, -1.0], [0.0, 0.0]]
    """
    if how not in ADVANTAGES:
        raise ValueError(f"how must be one of {', '.join(ADVANTAGES)}, got {how!r}")
    if ddof not in (0, 1):
        raise ValueError(f"ddof must be 0 (population) or 1 (sample), got {ddof!r}")
    if not np.isfinite(epsilon) or epsilon < 0:
        raise ValueError(f"epsilon must be a number of at least 0, got {epsilon!r}")
    table = np.asarray(rewards, dtype=np.float64)
    values = table.ravel()
    if np.isinf(values).any():
        raise ValueError("rewards must be finite, got ±inf; give NaN for a rollout not scored")
    codes = _codes_for(table, task_codes)
    scored = ~np.isnan(values)
    out = np.full(values.shape, np.nan)
    if scored.any():
        out[scored] = _push(values[scored], codes[scored], how, ddof, epsilon)
    return out.reshape(table.shape)


def _codes_for(table: Floats, task_codes: npt.ArrayLike | None) -> Ints:
    """Check the shapes and return one task code per reward."""
    if table.ndim == 2 and task_codes is None and table.shape[1] >= 2:
        return np.repeat(np.arange(table.shape[0]), table.shape[1])
    if table.ndim == 1 and (task_codes is not None or table.size >= 2):
        codes = np.zeros(table.size, np.int64) if task_codes is None else np.asarray(task_codes)
        if codes.shape == table.shape and (codes.dtype.kind in "iu" or not codes.size):
            return np.unique(codes, return_inverse=True)[1].astype(np.int64)
        raise ValueError(
            f"task_codes must be one whole number per reward, got {codes.dtype} of shape "
            f"{codes.shape} for {table.shape}; pass one code for each reward"
        )
    raise ValueError(
        f"rewards must have shape (tasks, repeats ≥ 2), got {table.shape}; "
        "a lone rollout has no siblings to be compared with"
    )


def _push(values: Floats, codes: Ints, how: str, ddof: int, epsilon: float) -> Floats:
    """Compute the pushes of scored rows; see ``advantages``."""
    n_tasks = int(codes.max()) + 1
    groups = count_groups(codes, values, np.ones(values.size, np.bool_), n_tasks)
    push = centre(values, codes, n_tasks)
    k = groups.rows[codes].astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        if how == "leave_one_out":
            push = push * k / (k - 1)
        elif how == "spread":
            squares = np.bincount(codes, weights=push**2, minlength=n_tasks)[codes]
            push = push / (np.sqrt(squares / (k - ddof)) + epsilon)
    push[groups.unanimous[codes]] = 0.0
    push[k < 2] = np.nan
    return push


def unanimous_probability(p: npt.ArrayLike, k: npt.ArrayLike) -> Floats:
    """Return the chance that k independent tries of one task all agree: pᵏ + (1−p)ᵏ.

    Args:
        p: True pass rate of a task, in [0, 1]; any shape.
        k: Tries, whole number ≥ 1; broadcasts with ``p``.

    Returns:
        float64 in [0, 1] of the broadcast shape.

    Raises:
        ValueError: If p leaves [0, 1] or k is under 1.

    Convention:
        Average this over tasks. Putting the *mean* rate in under-predicts, because the function is
        convex in p for k ≥ 2.

    >>> round(float(unanimous_probability(0.65, 4)), 3)
    0.194
    """
    rate, tries = np.asarray(p, np.float64), np.asarray(k, np.float64)
    if not ((rate >= 0) & (rate <= 1)).all():
        raise ValueError(f"p must lie in [0, 1], got {p!r}")
    if not ((tries >= 1) & (tries == np.floor(tries))).all():
        raise ValueError(f"k must be a whole number of at least 1, got {k!r}")
    return np.asarray(rate**tries + (1 - rate) ** tries)
