"""Predict, then check: one multiple-choice question whose answer is not in the page.

The browser gets the question and the bare options. It sends a choice back, or a skip, and only
then is told which option was right and why each of the others is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import anywidget
import traitlets

STATES = ("open", "answered", "skipped")


@dataclass(frozen=True)
class Option:
    """One answer to choose from.

    Args:
        label: The answer as it stands on the page.
        why: Why it is right or wrong, in one or two sentences.
        misconception: What somebody who chooses it has in mind; empty for the right one.
        right: Whether it is right, computed by the lesson.
    """

    label: str
    why: str
    misconception: str = ""
    right: bool = False


class Prediction(anywidget.AnyWidget):
    """A question to answer before the numbers are shown.

    Args:
        name: Key under which the browser remembers the answer, such as "06.kept".
        question: The question in plain text.
        options: Two or more options, exactly one of them right.
        revealed: True for a teacher's ``reveal=all``: it starts out as skipped.
        eyebrow: What stands over the question.

    Attributes:
        answer: What the browser sent: ``{"choice": label or "", "state": one of STATES}``.

    Raises:
        ValueError: If not exactly one option is right, two share a label, or a wrong one names no
            misconception.
    """

    _esm = Path(__file__).with_name("predict.js")

    name: Any = traitlets.Unicode("").tag(sync=True)
    eyebrow: Any = traitlets.Unicode("").tag(sync=True)
    question: Any = traitlets.Unicode("").tag(sync=True)
    labels: Any = traitlets.List().tag(sync=True)
    answer: Any = traitlets.Dict({"choice": "", "state": "open"}).tag(sync=True)
    feedback: Any = traitlets.List().tag(sync=True)

    def __init__(
        self,
        name: str,
        question: str,
        options: Sequence[Option],
        revealed: bool = False,
        eyebrow: str = "Predict first",
    ) -> None:
        """Put the question."""
        super().__init__(name=name, eyebrow=eyebrow)
        self._options: tuple[Option, ...] = ()
        self.ask(question, options)
        if revealed:
            self.answer = {"choice": "", "state": "skipped"}

    def ask(self, question: str, options: Sequence[Option]) -> None:
        """Put the question anew, for other settings; an answer already given stays."""
        right = [option for option in options if option.right]
        if len(options) < 2 or len(right) != 1:
            raise ValueError(
                f"{self.name}: a prediction needs two or more options and exactly one right one,"
                f" got {len(options)} options and {len(right)} right"
            )
        labels = [option.label for option in options]
        if len(set(labels)) < len(labels):
            raise ValueError(f"{self.name}: every option needs a label of its own, got {labels}")
        for option in options:
            if bool(option.misconception) == option.right:
                raise ValueError(
                    f"{self.name}: every wrong option names its misconception and the right one"
                    f" has none; see {option.label!r}"
                )
        self._options = tuple(options)
        with self.hold_sync():
            self.question, self.labels = question, labels
            if self.choice not in ("", *labels):
                self.answer = {"choice": "", "state": "skipped"}
            self._tell()

    @property
    def state(self) -> str:
        """Return "open", "answered" or "skipped"."""
        return str(self.answer["state"])

    @property
    def revealed(self) -> bool:
        """Return whether the answer may be on the page."""
        return self.state != "open"

    @property
    def choice(self) -> str:
        """Return the label the learner chose, or ""."""
        return str(self.answer["choice"])

    @property
    def right(self) -> str:
        """Return the label of the right option."""
        return next(option.label for option in self._options if option.right)

    @traitlets.validate("answer")
    def _sent(self, proposal: Any) -> Mapping[str, str]:
        """Ignore what no button of the page can send."""
        sent = proposal["value"]
        choice, state = sent.get("choice"), sent.get("state")
        if state == "answered" and choice in [option.label for option in self._options]:
            return {"choice": choice, "state": state}
        if state in ("open", "skipped"):
            return {"choice": "", "state": state}
        return dict(self.answer)

    @traitlets.observe("answer")
    def _answered(self, change: Any) -> None:
        """Tell the answer once there is one, and take it back when the question is reopened."""
        self._tell()

    def _tell(self) -> None:
        """Send the feedback if the question was answered or skipped, and nothing otherwise."""
        self.feedback = [asdict(option) for option in self._options] if self.revealed else []
