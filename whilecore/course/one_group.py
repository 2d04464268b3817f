"""The words of lesson 1: its questions, its readings, and what its challenges count as right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from whilecore.charts import batch, recipes
from whilecore.charts.baseline import signed
from whilecore.charts.odds import per_cent
from whilecore.course import conventions
from whilecore.course.bar import cause_of
from whilecore.course.numbers import num
from whilecore.course.page import Page
from whilecore.course.predict import Option, Prediction
from whilecore.course.settings import Whole
from whilecore.groups import advantages
from whilecore.pushes import expected_pushes

FIRST: Final = (1, 1, 1, 0)
CLOSE: Final = (0.501, 0.5, 0.5, 0.5)
EASY, HARD = (1, 1, 1, 1), (1, 0, 0, 0)
RATE: Final = 0.65

REPEATS: Final = Whole("repeats", 4, 2, 8, label="tries, k")
EASE: Final = Whole("easy", 4, 0, 4, label="passes of the left task, of 4")
RARE: Final = "The rare outcome gets the strongest push; a group that agrees gets none."
HIDDEN: Final = "<em>Answer the question above, or skip it, to see the pushes.</em>"


def rewards_of(tries: str, repeats: int) -> tuple[int, ...]:
    """Return the rewards of the first tries of a pattern.

    >>> rewards_of("11101011", 4)
    (1, 1, 1, 0)
    """
    return tuple(int(mark) for mark in tries[:repeats])


def strongest() -> list[Option]:
    """Return the answers to "which try gets the strongest push", rewards 1, 1, 1, 0."""
    pushes = advantages(FIRST)
    up, down = signed(pushes[0], 2), signed(pushes[3], 2)
    return [
        Option("each pass, +1", f"The push is the reward minus the group's average: {up} for a "
               "pass here.", "The reward is the push."),
        Option(f"the fail, {down}", f"The average is {np.mean(FIRST):g}. The fail lies "
               f"{abs(pushes[3]):g} below it, each pass only {pushes[0]:g} above.", right=True),
        Option("all four equally", "They share an average, not a distance from it.",
               "One group, one push."),
        Option("none of them", f"Only a group that agrees gives no push. This one has a fail that "
               f"differs from three passes: {up}, {up}, {up} and {down}.",
               "A group that mostly agrees is silent."),
    ]  # fmt: skip


def ringed(choice: str) -> tuple[int, ...]:
    """Return the tries an answer names, to be ringed on the chart."""
    named = {"each pass, +1": (0, 1, 2), "all four equally": (0, 1, 2, 3)}
    if choice.startswith("the fail"):
        return (3,)
    return named.get(choice, ())


def divided() -> list[Option]:
    """Return the answers to "how strong is the push of 0.501 among three 0.5, divided"."""
    centred = advantages(CLOSE)[0]
    push = advantages(CLOSE, how="spread")[0]
    lone = advantages((1, 0, 0, 0), how="spread")[0]
    assert abs(push - lone) < 1e-9, "0.001 and 1 must look the same once divided"
    return [
        Option("0, they count as equal", "Rewards are compared as given. Only exactly equal ones "
               "are silent.", "Close counts as equal."),
        Option(signed(centred, 5), f"That is the distance from the average. The spread is of the "
               f"same size, {np.std(CLOSE):.5f}, and dividing by it takes the size away.",
               "Dividing keeps small things small."),
        Option(signed(0.501, 3), "The reward itself cancels: only distances are left.",
               "The push follows the reward."),
        Option(signed(push, 2), "Exactly as strong as one pass among three fails. Division "
               "forgets how far apart the rewards were.", right=True),
    ]  # fmt: skip


def shared() -> list[Option]:
    """Return the answers to "what does one average for the batch do to the easy task"."""
    push = batch.batch_pushes([EASY, HARD])[0]
    up = signed(push[0], 3)
    return [
        Option("nothing: they agree", "Agreement silences a group only where its own average is "
               "taken off. Here another task moves the average.", "Agreement is always silent."),
        Option(f"pushes all four up, {up}", f"The average of all eight is "
               f"{np.mean([EASY, HARD]):g}. The task is paid for being easy: {up} four times.",
               right=True),
        Option("pushes all four down", "They lie above the average of the eight, so the push is "
               "up.", "Easy tasks get held back."),
        Option("two up, two down", "All four have the same reward, so all four get the same push.",
               "Pushes sum to 0 in every task."),
    ]  # fmt: skip


def said_of(prediction: Prediction) -> str:
    """Return the learner's answer about the shared average in a word, "" where there is none."""
    words = ("0", "up", "down", "mixed")
    labels = [option.label for option in shared()]
    return dict(zip(labels, words, strict=True)).get(prediction.choice, "")


def guess(prediction: Prediction) -> float | None:
    """Return the number the learner answered, to be drawn; None where there is none."""
    if prediction.state != "answered":
        return None
    text = prediction.choice.partition(",")[0].replace("−", "-")
    return float(text)


def about(rewards: Sequence[int]) -> str:
    """Return a group in words, for a title.

    >>> about((1, 1, 1, 0))
    '3 of 4 pass'
    """
    return f"{sum(rewards)} of {len(rewards)} pass"


def close(prediction: Prediction) -> dict[str, Any]:
    """Return what the recipes show of 0.501, 0.5, 0.5, 0.5 once the question is settled."""
    pushed = recipes.push(CLOSE, "0.501, 0.5, 0.5, 0.5", prediction.revealed, guess(prediction))
    if prediction.revealed:
        pushed["title"] = (
            f"0.501 among three 0.5, divided by the spread, is pushed like one pass among three "
            f"fails: {signed(advantages(CLOSE, how='spread')[0], 2)}"
        )
    return pushed


def silent_ways(repeats: int = 4) -> int:
    """Count in how many of the 2ᵏ ways k tries can end no try is pushed."""
    ways = np.array(list(product((0, 1), repeat=repeats)))
    return int((advantages(ways) == 0).all(1).sum())


def totals(repeats: int = 4) -> dict[int, float]:
    """Return the total size of the pushes, Σ|A|, by number of passes."""
    return {
        passes: float(np.abs(advantages([1] * passes + [0] * (repeats - passes))).sum())
        for passes in range(repeats + 1)
    }


def loudest(repeats: int = 4) -> int:
    """Return the number of passes at which the total size of the pushes is largest.

    >>> loudest(), totals()[loudest()]
    (2, 2.0)
    """
    found = totals(repeats)
    return max(found, key=lambda passes: found[passes])


def growths(repeats: int = 4) -> dict[int, float]:
    """Return how much division by the spread lengthens the pushes, by passes of a mixed group."""
    return {
        passes: recipes.growth([1] * passes + [0] * (repeats - passes))
        for passes in range(1, repeats)
    }


def is_loudest(tries: str, repeats: int) -> bool:
    """Return whether four tries stand as the loudest group of four does."""
    return repeats == 4 and sum(rewards_of(tries, repeats)) == loudest()


def grows_most(tries: str, repeats: int) -> bool:
    """Return whether four tries form a group whose pushes grow the most when divided."""
    found = growths()
    most = max(found.values())
    times = found.get(sum(rewards_of(tries, repeats)), 0.0)
    return repeats == 4 and abs(times - most) < 1e-9


def not_grown(tries: str, repeats: int) -> str:
    """Say what a group still lacks that does not grow the most.

    >>> not_grown("11111111", 4)
    'Not yet: this group agrees. Use tries that differ.'
    """
    if repeats != 4:
        return "Not yet: use four tries."
    if len(set(rewards_of(tries, repeats))) == 1:
        return "Not yet: this group agrees. Use tries that differ."
    return "Not yet: another group is multiplied by more. Compare the factors, not the totals."


def places(page: Page, rewards: Sequence[int], told: Sequence[bool]) -> dict[str, Any]:
    """Return the HTML of every place of lesson 1 that follows the controls.

    Args:
        page: The page, whose moved settings name the cause.
        rewards: Of the group, 1 or 0.
        told: Whether each of the three questions is answered or skipped.
    """
    pushes = advantages(rewards)
    cause = _cause(page, rewards)
    known = told[0]
    return {
        "reading": _bar(pushes, cause) if known else _bar_masked(rewards, cause),
        "push_reading": _sums(pushes) if known else HIDDEN,
        "update_reading": _moved(rewards, pushes) if known else HIDDEN,
        "expected_reading": _expected(len(rewards)) if known else "",
        "silent_reading": _silent(rewards) if known else "",
        "recipe_reading": _recipes(rewards) if known else HIDDEN,
        "conventions": conventions.table() if known and told[1] else HIDDEN,
        "batch_reading": _batch(int(page.values["easy"])) if told[2] else HIDDEN,
        "takeaway": RARE if known else "",
        "say": _said(pushes, cause) if known else None,
    }


def _cause(page: Page, rewards: Sequence[int]) -> str:
    """Return what moved in words: which try now passes or fails, or which control moved."""
    moved = dict(page.moved)
    flipped = moved.pop("tries", None)
    parts = [cause_of(moved, page.settings)] if moved else []
    if flipped:
        old, new = map(str, flipped)
        at = [i for i in range(len(rewards)) if old[i] != new[i]]
        words = ", ".join(f"try {i + 1} {'passes' if new[i] == '1' else 'fails'}" for i in at)
        parts.append(f"{words} now")
    return ", ".join(part for part in parts if part)


def _account(pushes: Any) -> str:
    """Return how many tries are pushed how far, as HTML."""
    up, down = pushes[pushes > 0], pushes[pushes < 0]
    if not len(up):
        return f"{len(pushes)} × 0"
    return (
        f"{num('pushes.up', len(up))} × {num('pushes.pass', signed(up[0], 3))} and "
        f"{num('pushes.down', len(down))} × {num('pushes.fail', signed(down[0], 3))}"
    )


def _bar(pushes: Any, cause: str) -> str:
    words = f"{_account(pushes)}; {cause}" if cause else _account(pushes)
    return (
        f'<span class="wc-kept">pushes sum to <b>{num("pushes.sum", 0)}</b></span>'
        f'<span class="wc-change">{words}</span>'
    )


def _bar_masked(rewards: Sequence[int], cause: str) -> str:
    head = f'<span class="wc-kept">{sum(rewards)} of {len(rewards)} pass</span>'
    return f'{head}<span class="wc-change">{cause or "&nbsp;"}</span>'


def _sums(pushes: Any) -> str:
    """Say that the pushes cancel, and how long they are."""
    return (
        f"{_account(pushes)} sum to 0. Their mean is 0 in every group, so it tells no group from "
        "another. The mean of their sizes does: "
        f"{num('pushes.size', np.abs(pushes).mean(), '.3f')}."
    )


def _moved(rewards: Sequence[int], pushes: Any) -> str:
    """Say how far the group moves its task, with the sum written out."""
    k, passes = len(rewards), sum(rewards)
    update = float(np.mean(pushes * np.asarray(rewards)))
    variance = passes * (k - passes) / k**2
    assert abs(update - variance) < 1e-12, "mean(A·r) must be the group's variance"
    parts = []
    for count, push, reward in ((passes, pushes.max(), 1), (k - passes, pushes.min(), 0)):
        if count:
            size = signed(float(push), 3).removeprefix("+")
            parts.append(f"{count} × {f'({size})' if push < 0 else size} × {reward}")
    exact = abs(passes * (pushes.max() - np.round(pushes.max(), 3))) < 1e-9
    return (
        f"Your group: ({' + '.join(parts)}) / {k} {'=' if exact else '≈'} "
        f"{num('pushes.update', update, '.3f')}."
    )


def _expected(k: int) -> str:
    """Say what the move of a task is besides, and what it is on average over many groups."""
    mean = float(expected_pushes([RATE, 1 - RATE], [1, 0], k)[0])
    return (
        "That is also the variance of the rewards, and half the mean size of the pushes. "
        f"Lesson 2 looks at tasks whose true pass rate is {per_cent(RATE)}; over many groups of "
        f"{k} tries such a task moves by {RATE:g} × {1 - RATE:.2g} × {k - 1}/{k} = "
        f"{num('pushes.expected', mean, '.3f')} on average."
    )


def _silent(rewards: Sequence[int]) -> str:
    """Say whether the group stands silent now."""
    if len(set(rewards)) == 1:
        return "Your group agrees now: no push."
    odd = "fail" if 2 * sum(rewards) > len(rewards) else "pass"
    return f"Your group does not agree now: flip every {odd} and watch the bars."


def _recipes(rewards: Sequence[int]) -> str:
    """Say what division does to the learner's group."""
    times, k = recipes.growth(rewards), len(rewards)
    if np.isnan(times):
        return "Your group agrees: 0 under every recipe. Flip a try."
    total = np.abs(advantages(rewards)).sum()
    return (
        f"Your group's total grows from {num('recipes.total', total, '.4g')} to "
        f"{num('recipes.divided', total * times, '.3g')}, ×{num('recipes.growth', times, '.2f')}. "
        f"Against the others' average it grows ×{num('recipes.others', k / (k - 1), '.2f')}, "
        "k/(k − 1), whatever the rewards."
    )


def _batch(easy: int) -> str:
    """Say what one average for the batch adds up to."""
    pushes = batch.batch_pushes([_easy(easy), HARD])
    left = float(pushes[0].sum())
    if abs(left) < 1e-9:
        return "Both tasks pass equally often, so one average for both does no harm."
    side, other = ("up", "down") if left > 0 else ("down", "up")
    return (
        f"With one average the left task is pushed {side} by {num('batch.left', abs(left), '.2f')} "
        f"in all, and the right one {other} by as much. These pushes say which task a try belongs "
        "to, not which try was better. A push that all tries of a task share only adds chance: it "
        "averages out over many batches, not in one."
    )


def _easy(passes: int) -> tuple[int, ...]:
    """Return the left task's rewards.

    >>> _easy(3)
    (1, 1, 1, 0)
    """
    return (1,) * passes + (0,) * (batch.TRIES - passes)


def two_tasks(easy: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the rewards of the left and of the right task."""
    return _easy(easy), HARD


def _said(pushes: Any, cause: str) -> str:
    """Return the sentence for the live region."""
    up, down = pushes[pushes > 0], pushes[pushes < 0]
    if not len(up):
        return f"All tries agree: no push. {cause}".strip()
    return (
        f"{len(up)} times {signed(up[0], 3)}, {len(down)} times {signed(down[0], 3)}, sum 0. "
        f"{cause}".strip()
    )
