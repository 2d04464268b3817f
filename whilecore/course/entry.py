"""Three questions before the course and their like after lesson 6: same ideas, other numbers.

The home page asks the first form of each and judges nothing, or the second would be given away. It
keeps the choice; the right answers of both forms leave Python only when all three questions at the
end of lesson 6 are answered or skipped. Then the browser marks what was chosen before the course,
and says what changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import anywidget
import numpy as np
import traitlets

from whilecore import simpson
from whilecore.course.predict import Option, Prediction
from whilecore.groups import advantages, unanimous_probability
from whilecore.reward_scan import scan
from whilecore.rollouts import Rollouts

IDEAS: Final = {
    "push": "what a model can learn from",
    "luck": "how often tries agree",
    "tracks": "what a reward follows",
}
BEFORE, AFTER = "entry.", "exit."
WORDS: Final = {4: "four", 6: "six"}


@dataclass(frozen=True)
class Form:
    """One question in one of its two forms.

    Args:
        question: In plain words: before the course nobody knows a term.
        options: Exactly one of them right, by computation.
    """

    question: str
    options: tuple[Option, ...]

    @property
    def right(self) -> str:
        """Return the label of the right option."""
        return next(option.label for option in self.options if option.right)


def push(tries: int, mixed: int) -> Form:
    """Return "which task can the model learn from", of all passes, no passes and a mixture."""
    options = []
    for passes, misconception in (
        (tries, "Success teaches."),
        (0, "Failure teaches."),
        (mixed, ""),
    ):
        rewards = [1] * passes + [0] * (tries - passes)
        right = bool(np.any(advantages(rewards)))
        assert right == (not misconception), "only a mixture gives a push"
        why = (
            f"The average is {np.mean(rewards):.2g}: passes lie above it and are made likelier, "
            "fails lie below it and are made rarer."
            if right
            else f"All {WORDS[tries]} get the same reward, so no try is better than another, and "
            "none is made likelier."
        )
        options.append(Option(f"passed {passes} of {tries}", why, misconception, right))
    every = Option(
        "all three of them",
        "Where all tries end the same there is nothing to compare.",
        "Every result teaches.",
    )
    return Form(
        f"A model tries three tasks, {WORDS[tries]} times each. Training compares the tries of one "
        "task with each other. Which task can it learn from?",
        (*options, every),
    )


def luck(percent: int, tries: int) -> Form:
    """Return "in how many of 100 tasks do all tries end the same" at a pass rate in per cent."""
    p = percent / 100
    same = round(100 * float(unanimous_probability(p, tries)))
    passing, failing = round(100 * p**tries), 100 - percent
    labels = {0, failing, same, percent}
    assert len(labels) == 4, "the right answer must differ from the three beliefs"
    return Form(
        f"An agent passes each try with a chance of {percent} %. Each of 100 tasks is tried "
        f"{WORDS[tries]} times. In about how many tasks do all tries end the same?",
        (
            Option("0", f"{WORDS[tries].capitalize()} tries are few: in about {passing} tasks all "
                   "of them pass.", "A task that can fail will show a fail."),
            Option(str(failing), f"{failing} % is the share of tries that fail, not of tasks that "
                   "agree.", "What fails is lost."),
            Option(str(same), f"{p:g} to the power of {tries} is {p**tries:.3f}. All fail "
                   f"far more seldom: {(1 - p) ** tries:.2g}.", right=True),
            Option(str(percent), "That is the share of tries that pass. A task agrees only if all "
                   "of its tries pass, or all fail.", "One try stands for all."),
        ),
    )  # fmt: skip


def tracks(seed: int, mirrored: bool) -> Form:
    """Return "what tells whether the judge minds length" of a file whose two correlations part.

    Args:
        seed: Of the file, in which hard tasks have long replies.
        mirrored: Whether lengths are counted from the other end, so that both signs turn.
    """
    pooled, within = correlations(seed, mirrored)
    assert pooled * within < 0, "the file and its tasks must say opposite things"
    way, taste = ("falls", "dislikes") if pooled < 0 else ("rises", "likes")
    hard = "long" if pooled < 0 else "short"
    return Form(
        f"In a file of graded tries the reward {way} as replies get longer: over all rows their "
        f"correlation is {pooled:+.2f}. What tells you whether the judge {taste} long "
        "replies?".replace("-", "−"),
        (
            Option("this number does", f"Hard tasks may have {hard} replies and few passes, "
                   "whatever the judge likes. In the simulated file behind this question they do.",
                   "What holds over the file is the judge's taste."),
            Option("the same number from more rows", "More rows of the same tasks give the same "
                   "mixture of easy and hard, only more exactly.", "More rows cure everything."),
            Option("the same number inside each task", "Inside a task the difficulty is the same "
                   f"for all tries. Here it is {within:+.2f} there, the other way "
                   "round.".replace("-", "−"), right=True),
            Option("whether equal replies get equal rewards", "A judge can see to that and pay for "
                   "length all the same.", "A steady judge is a fair one."),
        ),
    )  # fmt: skip


def correlations(seed: int, mirrored: bool) -> tuple[float, float]:
    """Return length against reward over all rows and inside tasks, as the scan counts them."""
    rollouts = simpson.hard_tasks(seed)
    if mirrored:
        frame = rollouts.frame[["task", "rollout", "reward", "reply_chars"]].copy()
        frame["reply_chars"] = frame["reply_chars"].max() + 1 - frame["reply_chars"]
        rollouts = Rollouts.from_frame(frame)
    found = scan(rollouts, np.arange(len(rollouts)), seed=seed).correlations["reply_chars"]
    return float(found["pooled"]), float(found["within"])


@lru_cache(maxsize=1)
def before() -> dict[str, Form]:
    """Return the questions of the home page by idea: a pure function."""
    return dict(zip(IDEAS, (push(4, 1), luck(80, 4), tracks(6, False)), strict=True))


@lru_cache(maxsize=1)
def after() -> dict[str, Form]:
    """Return the questions at the end of lesson 6 by idea: a pure function."""
    return dict(zip(IDEAS, (push(6, 5), luck(90, 6), tracks(5, True)), strict=True))


def asked_before() -> list[dict[str, Any]]:
    """Return what the home page needs: questions and bare options, and not which is right."""
    return [
        {
            "name": f"{BEFORE}{idea}",
            "question": form.question,
            "labels": [option.label for option in form.options],
        }
        for idea, form in before().items()
    ]


def asked_after(revealed: bool = False) -> tuple[list[Prediction], Change]:
    """Return the questions at the end of lesson 6, and what changed since the first ones.

    Args:
        revealed: True for a teacher's ``reveal=all``.
    """
    questions = [
        Prediction(f"{AFTER}{idea}", form.question, form.options, revealed, "Asked again")
        for idea, form in after().items()
    ]
    return questions, Change(questions)


class Change(anywidget.AnyWidget):
    """What the learner answered before the course and answers now, side by side.

    Python never learns the answers from before; the browser marks them by ``labels``.

    Args:
        questions: Those of the end of lesson 6.

    Attributes:
        labels: The right answers from before the course by name; empty until every question is
            answered or skipped.
    """

    _esm = Path(__file__).with_name("change.js")

    ideas: Any = traitlets.Dict(IDEAS).tag(sync=True)
    labels: Any = traitlets.Dict().tag(sync=True)

    def __init__(self, questions: Sequence[Prediction]) -> None:
        """Follow the questions."""
        super().__init__()
        self._questions = tuple(questions)
        for question in self._questions:
            question.observe(self._answered, "answer")
        self._answered(None)

    def _answered(self, change: Any) -> None:
        """Tell the right answers from before the course once nothing is given away by them."""
        told = all(question.revealed for question in self._questions)
        self.labels = {f"{BEFORE}{idea}": form.right for idea, form in before().items()} if told \
            else {}  # fmt: skip
