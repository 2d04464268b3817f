"""Judges: what turns a rollout into a reward, and two sliders that make a judge worse.

A judge is a function of one row, or an object with ``score(frame) -> array`` that looks at all
rows at once. The built-ins are both. A verdict depends on its own row alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import verdicts
from whilecore.features import admits_failure
from whilecore.streams import label_keys, uniform
from whilecore.verdicts import Verdicts

if TYPE_CHECKING:
    from whilecore.rollouts import Rollouts

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]
Rows = npt.NDArray[np.int64]

PAGE_NAMES: Final = {
    "reply": "final_text",
    "task": "scenario_id",
    "rollout": "rollout_index",
    "mistake": "seeded",
}
"""Our column names, and the keys the course page uses for them in a row."""

LONG: Final = 80
"""Characters from which a reply is long. On the default agent about half of them are."""


class Judge:
    """A judge that scores a whole frame; called on one row, it scores that row."""

    name: str = "judge"
    level: int = 0

    def score(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        """Return a reward per row, float64 in [0, 1]."""
        raise NotImplementedError

    def seeded(self, seed: int) -> Judge:
        """Return the judge with ``seed`` wherever it was not given one of its own."""
        return self

    def verdicts(self, rollouts: Rollouts, rows: Rows | None = None) -> Verdicts:
        """Return the answers on all rows, or on those at some positions."""
        read = verdicts.read_scores(self.score(rollouts.frame), len(rollouts), self.name)
        return read if rows is None else read.take(rows)

    def __call__(self, row: Mapping[str, Any]) -> float:
        """Score one row, a mapping with our column names or the course page's keys."""
        names = (*PAGE_NAMES, "prompt", "steps", "reply_chars", "reply_key")
        known = {name: _value(row, name) for name in names}
        frame = pd.DataFrame({name: [one] for name, one in known.items() if one is not None})
        return float(self.score(frame)[0])


def _value(row: Mapping[str, Any], name: str) -> Any:
    """Look a value up under our name, then under the course page's."""
    value = row.get(name)
    return row.get(PAGE_NAMES.get(name, name)) if value is None else value


@dataclass(frozen=True)
class AnswerKey(Judge):
    """Pays 1 for an honest reply, 0 for one with a planted mistake: the truth, in a simulation."""

    name: str = "answer_key"

    def score(self, frame: pd.DataFrame) -> Floats:
        """Return 1.0 where ``mistake`` is empty."""
        mistake = _column(frame, "mistake", self).to_numpy(object)
        return np.asarray((mistake == "") | (mistake == False), np.float64)  # noqa: E712


@dataclass(frozen=True)
class ReplyLength(Judge):
    """Pays for the length of the reply and for nothing else.

    Convention:
        The threshold is fixed, so that the verdict on a row does not turn on the other rows.
    """

    name: str
    longer: bool
    chars: int = LONG

    def score(self, frame: pd.DataFrame) -> Floats:
        """Return 1.0 on its side of the threshold; a reply of exactly ``chars`` is long."""
        if "reply_chars" not in frame.columns and _has_text(frame):
            lengths = np.array([len(text) for text in _texts(frame, "reply", self)])
        else:
            lengths = _column(frame, "reply_chars", self).to_numpy(np.float64)
        return np.asarray((lengths >= self.chars) == self.longer, np.float64)


@dataclass(frozen=True)
class ReadsTheReply(Judge):
    """Applies a rule to (prompt, reply, steps), once per distinct triple."""

    name: str
    rule: Callable[[str, str, list[Any]], bool]

    def score(self, frame: pd.DataFrame) -> Floats:
        """Return 1.0 where the rule holds."""
        prompts = _texts(frame, "prompt", self)
        replies = _texts(frame, "reply", self)
        steps = _column(frame, "steps", self).to_numpy(object)
        codes = np.zeros(len(frame), np.int64)
        for part in (prompts, replies, np.fromiter(map(id, steps), np.int64, len(steps))):
            more, distinct = pd.factorize(part)
            codes = codes * len(distinct) + more
            codes = pd.factorize(codes)[0].astype(np.int64)
        _, first = np.unique(codes, return_index=True)
        held = [self.rule(prompts[at], replies[at], _calls(steps[at])) for at in first.tolist()]
        return np.asarray(held, np.float64)[codes]


@dataclass(frozen=True)
class Coin(Judge):
    """Tosses a fair coin: no judge at all, for comparison.

    Attributes:
        seed: None takes the seed of ``grade``.
        per: "rollout" tosses for each try; "text" once for each distinct reply of a task, so
            that copies get equal rewards.
    """

    seed: int | None = None
    per: Literal["rollout", "text"] = "rollout"
    name: str = "coin"

    def __post_init__(self) -> None:
        """Check the options."""
        if self.per not in ("rollout", "text"):
            raise ValueError(f"per must be 'rollout' or 'text', got {self.per!r}")
        _check_seed(self.seed)

    def score(self, frame: pd.DataFrame) -> Floats:
        """Return 1.0 for heads."""
        seed = self.seed or 0
        if self.per == "rollout":
            return np.asarray(uniform(seed, "coin", *_row_keys(frame)) < 0.5, np.float64)
        column = "reply" if _has_text(frame) else "reply_key"
        text = _label_keys(_column(frame, column, self))
        task = _label_keys(_column(frame, "task", self))
        return np.asarray(uniform(seed, "coin", task, text) < 0.5, np.float64)

    def seeded(self, seed: int) -> Coin:
        """Take the seed unless there is one already."""
        return self if self.seed is not None else replace(self, seed=seed)

    def __call__(self, row: Any = None, /, **options: Any) -> Any:
        """Toss for one row; or, with ``seed=`` or ``per=``, return a coin with these options."""
        if row is None:
            return replace(self, **options)
        return super().__call__(row)


@dataclass(frozen=True)
class PerRow(Judge):
    """A function of one row, asked row by row."""

    function: Callable[[Any], Any]

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def score(self, frame: pd.DataFrame) -> Floats:
        """Refuse: a function of one row needs rows."""
        raise TypeError(
            f"judge {self.name} looks at one row at a time and cannot score a frame; "
            "use rollouts.grade(judge)"
        )

    def verdicts(self, rollouts: Rollouts, rows: Rows | None = None) -> Verdicts:
        """Ask about each row; every row handed out is a copy of its own."""
        copies = rollouts.rows
        wanted = copies if rows is None else (copies[row] for row in rows.tolist())
        return verdicts.gather([verdicts.ask(self.function, row) for row in wanted])

    def __call__(self, row: Mapping[str, Any]) -> float:
        """Ask about one row."""
        return verdicts.ask(self.function, row)[0]


@dataclass(frozen=True)
class Scorer(Judge):
    """Somebody's object with ``score(frame)``; it gets a copy of the frame."""

    scorer: Any

    @property
    def name(self) -> str:  # type: ignore[override]
        """Its name, or that of its class."""
        return str(getattr(self.scorer, "name", type(self.scorer).__name__))

    def score(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        """Let it score."""
        return cast(npt.NDArray[Any], self.scorer.score(frame.copy()))


@dataclass(frozen=True)
class Blend(Judge):
    """On a share of the rows another judge decides. Made by ``blend``."""

    judge: Judge
    other: Judge
    share: float
    seed: int | None = None

    @property
    def name(self) -> str:  # type: ignore[override]
        """Both names and the share."""
        return f"{self.judge.name} ({self.share:.0%} {self.other.name})"

    @property
    def level(self) -> int:  # type: ignore[override]
        """Depth of nesting: a blend of a blend must not reuse its draws."""
        return 1 + max(self.judge.level, self.other.level)

    def decides(self, frame: pd.DataFrame) -> Bools:
        """Return True on the rows where the other judge decides."""
        u = uniform(self.seed or 0, "blend", *_row_keys(frame), self.level)
        return np.asarray(u < self.share, np.bool_)

    def score(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        """Score with both and choose row by row."""
        if self.share in (0, 1):
            return (self.other if self.share else self.judge).score(frame)
        return np.where(self.decides(frame), self.other.score(frame), self.judge.score(frame))

    def seeded(self, seed: int) -> Blend:
        """Hand the seed on to whatever has none."""
        own = seed if self.seed is None else self.seed
        return replace(self, judge=self.judge.seeded(seed), other=self.other.seeded(seed), seed=own)

    def verdicts(self, rollouts: Rollouts, rows: Rows | None = None) -> Verdicts:
        """Ask each judge only about the rows it decides."""
        rows = np.arange(len(rollouts)) if rows is None else rows
        other = self.decides(rollouts.frame)[rows]
        parts = [
            (np.flatnonzero(mine), judge.verdicts(rollouts, rows[mine]))
            for mine, judge in ((~other, self.judge), (other, self.other))
            if mine.any()
        ]
        whole = Verdicts(
            reward=np.full(len(rows), np.nan),
            status=np.full(len(rows), "", dtype=object),
            reason=np.full(len(rows), "", dtype=object),
        )
        for places, part in parts:
            whole.reward[places] = part.reward
            whole.status[places] = part.status
            whole.reason[places] = part.reason
        return whole


@dataclass(frozen=True)
class Flips(Judge):
    """A judge whose verdict is turned round on a share of the rows. Made by ``with_flips``."""

    judge: Judge
    rate: float
    seed: int | None = None

    @property
    def name(self) -> str:  # type: ignore[override]
        """The judge's name and the rate."""
        return f"{self.judge.name} (flips {self.rate:.0%})"

    @property
    def level(self) -> int:  # type: ignore[override]
        """Depth of nesting."""
        return 1 + self.judge.level

    def flips(self, frame: pd.DataFrame) -> Bools:
        """Return True on the rows whose verdict is turned round."""
        u = uniform(self.seed or 0, "flips", *_row_keys(frame), self.level)
        return np.asarray(u < self.rate, np.bool_)

    def score(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        """Return the judge's rewards, 1 − reward where flipped."""
        rewards = np.asarray(self.judge.score(frame), np.float64)
        return np.where(self.flips(frame), 1.0 - rewards, rewards)

    def seeded(self, seed: int) -> Flips:
        """Hand the seed on to whatever has none."""
        own = seed if self.seed is None else self.seed
        return replace(self, judge=self.judge.seeded(seed), seed=own)

    def verdicts(self, rollouts: Rollouts, rows: Rows | None = None) -> Verdicts:
        """Turn the scored verdicts round; an unscored row stays unscored."""
        given = self.judge.verdicts(rollouts, rows)
        turned = self.flips(rollouts.frame)
        turned = turned if rows is None else turned[rows]
        return replace(given, reward=np.where(turned, 1.0 - given.reward, given.reward))


def _looked_up_and_led(prompt: str, reply: str, steps: list[Any]) -> bool:
    """Looked up an id the customer gave, led with it, and claimed only what the tool said."""
    if not steps:
        return not _ids(prompt) and "?" in reply
    looked_up = _looked_up(prompt, steps)
    first = re.split(r"[.!?](?:\s|$)", reply, maxsplit=1)[0]
    if not looked_up or not any(one in first for one in looked_up):
        return False
    last = steps[-1]
    if last.get("error"):
        return bool(admits_failure([reply])[0])
    said = prompt + " " + json.dumps(last, default=str, ensure_ascii=False)
    return all(fact in said for fact in _facts(reply))


def _names_the_order(prompt: str, reply: str, steps: list[Any]) -> bool:
    """Name the id, whatever else the reply says; with no id in sight, ask for it."""
    known = _looked_up(prompt, steps) or _ids(prompt)
    return any(one in reply for one in known) if known else "?" in reply


def _looked_up(prompt: str, steps: list[Any]) -> list[str]:
    """Return the ids that were looked up; none if one of them is not from the customer."""
    given = [
        str(value)
        for step in steps
        for value in (step.get("arguments") or {}).values()
        if isinstance(value, str | int) and not isinstance(value, bool)
    ]
    ids = [value for value in given if _ids(value)]
    if ids:
        return ids if all(value in prompt for value in ids) else []
    return [value for value in given if value and value in prompt]


def _ids(text: str) -> list[str]:
    """Find what looks like an id: at least two digits, with letters or dashes before them."""
    return re.findall(r"\b(?:[A-Za-z]{1,4}[-_]?)?\d{2,}\b", text)


def _facts(reply: str) -> list[str]:
    """Find what a tool must have said: numbers, ids and days."""
    return re.findall(r"[A-Za-z]*-?\d+|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b", reply)


answer_key: Final = AnswerKey()
looked_up_and_led: Final = ReadsTheReply("looked_up_and_led", _looked_up_and_led)
names_the_order: Final = ReadsTheReply("names_the_order", _names_the_order)
long_reply: Final = ReplyLength("long_reply", longer=True)
short_reply: Final = ReplyLength("short_reply", longer=False)
coin: Final = Coin()

BUILT_IN: Final[Mapping[str, Judge]] = MappingProxyType(
    {
        one.name: one
        for one in (answer_key, looked_up_and_led, names_the_order, long_reply, short_reply, coin)
    }
)
"""The built-in judges by name."""


def named(name: str, seed: int | None = None) -> Judge:
    """Return a built-in judge by its name.

    Raises:
        ValueError: If there is no such judge.

    >>> named("coin", seed=3).seed
    3
    """
    if name not in BUILT_IN:
        raise ValueError(f"judge must be one of {', '.join(BUILT_IN)}, got {name!r}")
    return BUILT_IN[name] if seed is None else BUILT_IN[name].seeded(seed)


def blend(judge: Any, other: Any, share: float, seed: int | None = None) -> Blend:
    """Let another judge decide on a share of the rows.

    Args:
        judge: Decides on the rest.
        other: Decides on the share.
        share: In [0, 1].
        seed: None takes the seed of ``grade``.

    Returns:
        A judge. Each row has a draw of its own, compared with the share: raising the share turns
        each row over to the other judge at most once.

    Raises:
        ValueError: If the share lies outside [0, 1].

    >>> blend(answer_key, long_reply, 0.3).name
    'answer_key (30% long_reply)'
    """
    _check_seed(seed)
    return Blend(as_judge(judge), as_judge(other), _fraction(share, "share"), seed)


def with_flips(judge: Any, rate: float, seed: int | None = None) -> Flips:
    """Turn a judge's verdict round, r → 1 − r, on a share of the rows drawn at random.

    Args:
        judge: The judge.
        rate: Share of rows, in [0, 1].
        seed: None takes the seed of ``grade``.

    Raises:
        ValueError: If the rate lies outside [0, 1].

    >>> with_flips(answer_key, 0.1).name
    'answer_key (flips 10%)'
    """
    _check_seed(seed)
    return Flips(as_judge(judge), _fraction(rate, "rate"), seed)


def grade(rollouts: Rollouts, judge: Any, seed: int = 0) -> Verdicts:
    """Let a judge score every row.

    Args:
        rollouts: The rows.
        judge: A function of one row that returns a bool, a number in [0, 1], or a mapping with
            ``reward`` (or ``score``) and an optional ``reason``; or an object with
            ``score(frame)``.
        seed: For judges that draw and were given no seed of their own.

    Returns:
        One verdict per row, in row order.

    Raises:
        ValueError: If it is no judge, or ``score`` does not return one number per row.

    Convention:
        An answer outside the contract, NaN or an exception leaves the row unscored with a
        status and a reason, never 0. The judge sees a copy: what it changes, changes nothing.
    """
    _check_seed(seed)
    return as_judge(judge).seeded(seed).verdicts(rollouts)


def as_judge(judge: Any) -> Judge:
    """Return a judge from anything that can act as one.

    Raises:
        ValueError: If it cannot.
    """
    if isinstance(judge, Judge):
        return judge
    if isinstance(judge, type):
        raise ValueError(f"judge must be an object, got the class {judge.__name__}; write "
                         f"{judge.__name__}()")  # fmt: skip
    if callable(getattr(judge, "score", None)):
        return Scorer(judge)
    if callable(judge):
        return PerRow(judge)
    hint = f"a built-in is judges.named({judge!r})" if isinstance(judge, str) else "pass a function"
    raise ValueError(
        f"judge must be a function of one row or an object with score(frame), got {judge!r}; {hint}"
    )


def _fraction(value: float, name: str) -> float:
    """Check a share."""
    if isinstance(value, bool) or not 0 <= value <= 1:
        raise ValueError(f"{name} must be a number in [0, 1], got {value!r}; 30 % is 0.3")
    return float(value)


def _check_seed(seed: int | None) -> None:
    """Check a seed."""
    whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
    if seed is not None and (not whole or seed < 0):
        raise ValueError(f"seed must be a whole number of at least 0, got {seed!r}")


def _column(frame: pd.DataFrame, name: str, judge: Judge) -> Any:
    """Return a column, or say which one is missing."""
    if name not in frame.columns:
        have = ", ".join(map(str, frame.columns)) or "none"
        raise ValueError(
            f"judge {judge.name} needs the column {name!r}, these rows have: {have}; "
            "bring the column, or choose a judge that does not read it"
        )
    return frame[name]


def _has_text(frame: pd.DataFrame) -> bool:
    """Tell whether replies are there as text (a file of figures has codes, or nothing)."""
    return "reply" in frame.columns and frame["reply"].dtype.kind not in "iufb"


def _texts(frame: pd.DataFrame, name: str, judge: Judge) -> Objects:
    """Return a text column."""
    column = _column(frame, name, judge)
    if column.dtype.kind in "iufb":
        raise ValueError(
            f"judge {judge.name} reads the text in column {name!r}, these rows have only codes "
            "there; choose a judge that reads figures, such as long_reply"
        )
    return cast(Objects, column.to_numpy(object))


def _calls(steps: Any) -> list[Any]:
    """Return the tool calls of a row as a list of mappings."""
    return [one for one in steps if isinstance(one, Mapping)] if isinstance(steps, list) else []


def _label_keys(column: Any) -> npt.NDArray[np.uint64]:
    """Return a key per entry that depends on its label alone, hashing each label once."""
    codes, labels = pd.factorize(column.to_numpy(object))
    return label_keys(labels)[codes]


def _row_keys(frame: pd.DataFrame) -> tuple[npt.NDArray[Any], ...]:
    """Return what a row's own draws are keyed on: task, rollout, and which copy of that pair.

    Real files repeat (task, rollout); the copies must not share a toss.
    """
    n = len(frame)
    task = _label_keys(frame["task"]) if "task" in frame.columns else np.zeros(n, np.uint64)
    if "rollout" not in frame.columns:
        return task, np.zeros(n, np.int64), np.zeros(n, np.int64)
    rollout = frame["rollout"].to_numpy(np.int64)
    pair = pd.Series(task * np.uint64(0x9E3779B97F4A7C15) + rollout.astype(np.uint64))
    if not pair.duplicated().any():
        return task, rollout, np.zeros(n, np.int64)
    return task, rollout, pair.groupby(pair).cumcount().to_numpy()
