"""Files of graded rollouts, from whichever trainer or evaluation tool wrote them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import Any, Final

import numpy as np
import pandas as pd

from whilecore.formats import merging
from whilecore.formats.assemble import assemble, reply_column
from whilecore.formats.blocks import blocks, drawn_twice
from whilecore.formats.grading import Reward, candidates, read_reward
from whilecore.formats.grouping import choose_task
from whilecore.formats.keys import Key, Sizes, key_of, told
from whilecore.formats.load import load
from whilecore.formats.read_report import ReadReport
from whilecore.formats.recognise import REPLY, ROLLOUT, Format, recognise
from whilecore.formats.spread import spread
from whilecore.formats.tables import ReadError, Table
from whilecore.formats.tidy import tidy
from whilecore.formats.unpack import UNPACK
from whilecore.rollouts import Rollouts

Source = Any  # str | os.PathLike[str] | bytes | IO[bytes]

SAMPLES: Final[Mapping[str, str]] = {
    "crashes_scored_zero.jsonl": "an outage is graded 0 beside the wrong answers, some scores are "
    "free text, and two lines are broken",
    "every_try_its_own_id.csv": "every try has an id and a workspace path of its own, so by id or "
    "by prompt no two rows belong together; the ticket tells the task",
    "two_steps_two_rewards.jsonl": "two training steps and two reward functions stand in one file, "
    "and one of them pays for length",
}
"""Files that come with the package, and what is wrong with each; ``sample`` opens one."""


class ReadRollouts(Rollouts):
    """Rollouts that were read from a file.

    Attributes:
        read_report: How the file was read.
    """

    read_report: ReadReport


def read_rollouts(
    source: Source,
    *,
    task: str | Sequence[str] | None = None,
    reward: str | Sequence[str] | Mapping[str, float] | None = None,
    reply: str | None = None,
    rollout: str | bool | None = None,
    step: str | bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ReadRollouts:
    r"""Read graded rollouts, and say how they were read.

    The format is told by the keys: whileai rows and exports, TRL completions, verifiers results
    and traces, verl, SkyRL and open-instruct dumps, lm-eval samples, Inspect logs, tinker, rllm,
    the rlhf-book's cache, POLARIS, HumanEval and EvalPlus, chat rows, and any table.

    Args:
        source: A path, bytes, or a file opened for bytes: JSON lines, a JSON array or document,
            CSV or Parquet (with pyarrow: ``pip install 'whilecore[parquet]'``), packed with gzip
            or not.
        task: Column that says which rows are tries of one task; several for a key of several. A
            ``~`` behind the name masks paths, dates and random ids in it: ``task="prompt~"``. A
            dot reaches into a cell: ``"info.id"``.
        reward: Column of the reward; several are added up; a mapping gives each its weight.
        reply: Column of the reply: a text, or chat messages.
        rollout: Column that numbers or names the tries; rows of a task that share it are one
            rollout. False joins no rows.
        step: Column of the training step, or of whatever else tells policies apart. False pools
            them.
        progress: Called while reading with the bytes read and the bytes in all (0 if unknown).

    Returns:
        The rollouts in file order, with ``read_report``. Lines that cannot be read are left out
        and listed there with number and reason.

    Raises:
        FileNotFoundError: If there is no such file.
        ReadError: A ``ValueError`` that says what to change: nothing can be read, no column tells
            the task, several could be the reward, over 90 % of groups hold a single row, or the
            file holds preference pairs.

    Convention:
        Rows are never grouped by position if a column names the task. Tries of two training steps
        are two groups. Unscored is not 0: an error, a time-out, a status that is not ok, a masked
        row, null, NaN and free text leave a row unscored, with the reason. One rollout in several
        rows counts once. In a CSV only an empty cell is missing, and "007" and "7" are two tasks.

    >>> rows = b'{"task": "a", "reward": 1}\n{"task": "a", "reward": 0}\n{"task": "a",'
    >>> print(read_rollouts(rows).read_report)
    the data: JSON lines, 2 rows
      task: task
      reward: reward
      reply: none found
      repeat: none found
      groups: 1 group of 2
      scored: 2 of 2 rollouts
      left out: 1 line
        line 3 is cut short
    """
    table, name = load(source, progress)
    tidy(table)
    form = recognise(table, name)
    if form.name == "table" and spread(table):
        form = recognise(table, name)
    if form.unpack:
        UNPACK[form.unpack](table)
    if not len(table):
        return _nothing(table, name, form)
    graded = read_reward(table, form, reward)
    key, other_keys, prefix = choose_task(table, form, task, step, graded.values)
    key, graded = _with_task(table, key, graded)
    if form.blocks and task is None:
        key = blocks(table, key)
    rows = len(table)
    key, graded = _one_row_each(table, form, key, graded, rollout, task is not None)
    if warning := "" if prefix or form.name == "figures" else drawn_twice(key):
        table.notes.append(warning)
    said = reply_column(table, form, reply)
    repeat = _repeat(table, form, key, rollout)
    others = _others(table, form, key, graded, said)
    policies = [(one, key_of(table, [one])) for one in prefix]
    frame = assemble(table, form, key, graded, said, repeat)
    out = ReadRollouts.from_frame(frame)
    assert isinstance(out, ReadRollouts)
    out.read_report = ReadReport(
        source=name, format=form.name, container=table.container, unit=table.unit,
        rows=rows, rollouts=len(out), tasks=out.n_tasks,
        columns={"task": key.name, "reward": graded.name, "reply": said, "repeat": repeat},
        others=others, group_sizes=key.sizes, other_group_sizes=other_keys,
        scored=int(out.scored.sum()), unscored=out.unscored_reasons(),
        coerced=dict(table.coerced), bad=tuple(sorted(table.bad, key=lambda one: one.number)),
        steps=_steps(out, policies), notes=tuple(table.notes) + out.notes,
    )  # fmt: skip
    out.notes = (*_summary(table, name), *table.notes, *out.notes)
    return out


def _with_task(table: Table, key: Key, reward: Reward) -> tuple[Key, Reward]:
    """Leave out rows that name no task.

    Raises:
        ReadError: If no row does.
    """
    nameless = key.codes < 0
    if not nameless.any():
        return key, reward
    if nameless.all():
        raise ReadError(
            f"no row names its task: {key.name!r} is empty throughout; name another column, task="
        )
    table.leave_out(nameless, f"names no task ({key.name} is empty)")
    kept = ~nameless
    used, codes = np.unique(key.codes[kept], return_inverse=True)
    return (
        Key(codes.astype(np.int64), key.labels[used], key.name),
        Reward(reward.values[kept], reward.reasons[kept], reward.name, reward.others),
    )


def _one_row_each(
    table: Table, form: Format, key: Key, reward: Reward, rollout: str | bool | None, asked: bool
) -> tuple[Key, Reward]:
    """Join the rows of one rollout, and drop rows that were written twice.

    Raises:
        ReadError: If that leaves single rows throughout and nobody named the task.
    """
    if form.name == "figures" and rollout is None:
        return key, reward
    parts, name = merging.rollout_parts(table, form, key, reward, rollout)
    if parts is None:
        return merging.drop_repeats(table, form, key, reward)
    before = key.sizes
    key, reward = merging.merge(table, key, reward, parts, name)
    if key.singles and not asked:
        raise ReadError(
            f"once the rows of a rollout are joined ({name}), nearly every task has a single one "
            f"({told(key.sizes)}; before: {told(before)}): nothing to compare. Take rollout=False "
            f"if every row is a try of its own, or task={key.name!r} to keep single rollouts"
        )
    return key, reward


def _repeat(table: Table, form: Format, key: Key, given: str | bool | None) -> str:
    """Return the column that counts the tries, "" if there is none."""
    if isinstance(given, str):
        return given if given in table.columns else ""
    own = key.name.split(" + ")
    names = dict.fromkeys((*form.rollout, *ROLLOUT))
    return next((name for name in names if name in table and name not in own), "")


def _others(
    table: Table, form: Format, key: Key, reward: Reward, reply: str
) -> dict[str, tuple[str, ...]]:
    """Return further columns that could be meant, per role."""
    taken = reward.name.split(" + ")
    rewards = [one for one in candidates(table, form)
               if not any(name == one or name.startswith(f"{one}.") for name in taken)]  # fmt: skip
    parts = key.name.split(" + ")
    replies = [one for one in REPLY if one in table and one not in (reply, *parts)]
    return {"reward": tuple(rewards), "reply": tuple(replies)}


def _steps(
    rollouts: Rollouts, policies: Sequence[tuple[str, Key]]
) -> dict[str, tuple[int, int, float]]:
    """Count rollouts and take the mean reward, per step or other policy."""
    out = {}
    for name, key in policies:
        for code, label in enumerate(key.labels):
            rows = key.codes == code
            used = rows & rollouts.scored
            mean = float(rollouts.reward[used].mean()) if used.any() else float("nan")
            out[f"{name} {label}"] = (int(rows.sum()), int(used.sum()), mean)
    return out


def _summary(table: Table, name: str) -> list[str]:
    """Say in a sentence each what was left out and what was read as something else."""
    notes = [f"{count} {what}" for what, count in table.coerced.items()]
    if not table.bad:
        return notes
    numbers = sorted(one.number for one in table.bad)
    places = ", ".join(map(str, numbers[:10])) + (", ..." if numbers[10:] else "")
    left_out = f"{len(numbers)} {table.unit}s of {name} were left out: {table.unit} {places}"
    return [left_out, *notes]


def _nothing(table: Table, name: str, form: Format) -> ReadRollouts:
    """Return no rollouts, for a file with a header and nothing below it."""
    out = ReadRollouts.from_frame(pd.DataFrame({"task": [], "reward": []}))
    assert isinstance(out, ReadRollouts)
    taken = dict.fromkeys(("task", "reward", "reply", "repeat"), "")
    no_groups: Sizes = {}
    out.read_report = ReadReport(
        name, form.name, table.container, table.unit, 0, 0, 0, taken, {}, no_groups, {}, 0, {},
        dict(table.coerced), tuple(table.bad), {}, tuple(table.notes),
    )  # fmt: skip
    return out


def printed_run() -> Rollouts:
    """Return the figures of the 64 rows behind the course page's printed block.

    Figures and codes, no text: 16 tasks of 4 tries, as the page's program drew and graded them.

    >>> printed_run()
    <Rollouts: 64 rows, 16 tasks, 64 scored>
    """
    with (resources.files("whilecore") / "data" / "printed_run.csv").open("rb") as file:
        return read_rollouts(file)


def sample(name: str) -> bytes:
    """Return one of the files in ``SAMPLES``, as it would be uploaded.

    Raises:
        ValueError: For another name.
    """
    if name not in SAMPLES:
        raise ValueError(f"the samples are {', '.join(SAMPLES)}; got {name!r}")
    file = resources.files("whilecore") / "data" / "samples" / name
    data: bytes = file.read_bytes()
    return data


__all__ = ["ReadError", "ReadReport", "ReadRollouts", "SAMPLES", "printed_run",
           "read_rollouts", "sample"]  # fmt: skip
