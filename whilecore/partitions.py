"""Selecting a file that outgrew one machine, in parts that hold whole tasks.

On Dask this is ``select_partitions``. On another engine it is ``kept_rows`` per part, and
``add_reports`` for the account.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from whilecore import gates
from whilecore.parts import add_reports, combine, select_part
from whilecore.report import print_rl, print_sft
from whilecore.rewards import pass_cut
from whilecore.rollouts import Rollouts

__all__ = ["PartitionedSelection", "add_reports", "kept_rows", "select_partitions"]


@dataclass(frozen=True)
class PartitionedSelection:
    """A selection made in parts. Prints as the report.

    Attributes:
        mode: "rl" or "sft".
        report: Every number, under the names of ``Selection.report``.
        kept: The kept rows, a Dask DataFrame that nothing has been computed of yet.
        over_target: Tasks (RL) or rows (SFT) that passed every gate and were over the target.
    """

    mode: str
    report: dict[str, Any]
    kept: Any = field(repr=False)
    over_target: int = 0

    def __str__(self) -> str:
        """Return the printed report."""
        return print_rl(self.report) if self.mode == "rl" else print_sft(self.report)


def kept_rows(frame: pd.DataFrame, mode: str = "rl", **options: Any) -> pd.DataFrame:
    """Return the rows of one part that a selection keeps, with the part's own columns.

    Args:
        frame: Whole tasks, with the columns of ``Rollouts.from_frame``.
        mode: "rl" or "sft".
        **options: Those of ``select`` but for ``target``, which looks across tasks. Give
            ``pass_at_least`` (SFT: ``min_reward``), so that no part chooses it for itself.

    On Spark, with a DataFrame that has a column ``task``, this is one line::

        df.groupBy("task").applyInPandas(
            lambda part: whilecore.partitions.kept_rows(part, pass_at_least=0.5), df.schema)

    >>> part = pd.DataFrame({"task": ["a", "a", "b", "b"], "reward": [1, 0, 1, 1]})
    >>> kept_rows(part, pass_at_least=0.5)["task"].tolist()
    ['a', 'a']
    """
    _without_target(options)
    if not len(frame):
        return frame
    selection = Rollouts.from_frame(frame).select(mode, **options)
    return frame.iloc[selection.kept]


def _without_target(options: Mapping[str, Any]) -> None:
    if options.get("target") is not None:
        raise ValueError("a target looks across tasks, so no part can apply it; give it to "
                         "select_partitions")  # fmt: skip


def select_partitions(
    ddf: Any,
    mode: str = "rl",
    *,
    target: int | None = None,
    features: Sequence[str] = (),
    seed: int = 0,
    **options: Any,
) -> PartitionedSelection:
    """Select a Dask DataFrame whose partitions hold whole tasks, on whatever cluster is there.

    Args:
        ddf: Columns as for ``Rollouts.from_frame``. Every task must lie in one partition: after
            ``ddf.shuffle("task")`` it does.
        mode: "rl" or "sft".
        target: Rows to stop at, as in ``select``; applied to what all parts kept.
        features: RL: further columns to scan.
        seed: For every draw.
        **options: The other options of ``select``.

    Returns:
        The report of the whole, equal to that of one machine up to rounding in the correlations,
        and the kept rows as a Dask DataFrame.

    Raises:
        ImportError: Without dask: ``pip install 'whilecore[dask]'``.
        ValueError: If a task lies in two partitions, or for an option that ``select`` refuses.

    Convention:
        Rewards are numbers. The cut for a pass is chosen from the rewards of all parts, which
        takes a second look at them: give it, or ``ddf.persist()`` first. Remarks on rows, such as
        empty replies that pass, are printed as the parts make them.
    """
    gates.choice(mode, ("rl", "sft"), "mode")
    gates.check_target(target)
    try:
        dask = importlib.import_module("dask")
    except ImportError:
        raise ImportError(
            "select_partitions needs dask: pip install 'whilecore[dask]'. Without it, "
            "select every part with kept_rows and add the reports with add_reports"
        ) from None
    parts = ddf.to_delayed()
    name = "pass_at_least" if mode == "rl" else "min_reward"
    given = options.pop(name, None)
    ranges = []
    if given is None:
        ranges = dask.compute(*[dask.delayed(reward_range)(part) for part in parts])
    cut = common_cut(ranges, given, mode)
    options |= {name: cut, "seed": seed}
    extra = {"features": list(features)} if mode == "rl" else {}
    results = dask.compute(
        *[dask.delayed(select_part)(part, mode, {**options, **extra}) for part in parts]
    )
    filled = [part for part in results if part.report["rows"]] or list(results)[:1]
    whole, left = combine(filled, mode, target=target, features=features, seed=seed)
    chosen = None if target is None else left
    kept = ddf.map_partitions(_kept_of, mode, options, chosen, meta=ddf._meta)
    over = whole["row_fates"]["over_target"] if mode == "sft" else whole["over_target_groups"]
    return PartitionedSelection(mode, whole, kept, over)


def reward_range(frame: pd.DataFrame) -> tuple[float, float, bool]:
    """Return the smallest and largest usable reward of a part, and whether all are −1 or 1."""
    rollouts = Rollouts.from_frame(frame)
    used = rollouts.reward[rollouts.scored]
    if not used.size:
        return np.inf, -np.inf, True
    return float(used.min()), float(used.max()), bool(np.isin(used, (-1.0, 1.0)).all())


def common_cut(
    ranges: Iterable[tuple[float, float, bool]], given: float | None, mode: str
) -> float:
    """Choose the cut for a pass from the rewards of all parts, as one machine would."""
    found = [one for one in ranges if one[0] <= one[1]]
    low = min((one[0] for one in found), default=0.0)
    high = max((one[1] for one in found), default=1.0)
    signed = all(one[2] for one in found)
    used = np.array([low, high] if signed or not low == -1.0 == -high else [low, 0.5, high])
    if mode == "rl":
        return pass_cut(used, given)
    return pass_cut(used, given, "min_reward", 1.0)


def _kept_of(
    frame: pd.DataFrame, mode: str, options: Mapping[str, Any], chosen: frozenset[str] | None
) -> pd.DataFrame:
    """Return the kept rows of one partition, without the tasks that are over the target."""
    kept = kept_rows(frame, mode, **options)
    if chosen is None or not len(kept):
        return kept
    labels = Rollouts.from_frame(kept)
    names = labels.task_labels[labels.task_codes]
    return kept[np.array([str(name) in chosen for name in names], np.bool_)]
