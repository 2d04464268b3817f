"""What a teacher may add to a link: ``hide=``, ``reveal=all`` and ``teach=1``.

A hidden setting travels as a code, so that a room can look at what a judge did before it hears
which judge it was. The code keeps the name off the screen. It is no secret: whoever hashes the
list of choices finds it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape

import marimo as mo

from whilecore.course.settings import Choice

VOTES = ("mostly right", "split", "one wrong option")


@dataclass(frozen=True)
class Teacher:
    """What the link asks of the page on a teacher's behalf.

    Args:
        hidden: Names after ``hide=``, such as {"judge"}.
        reveal: True with ``reveal=all``: every prediction counts as skipped.
        teach: True with ``teach=1``: instructor notes are shown.
    """

    hidden: frozenset[str] = frozenset()
    reveal: bool = False
    teach: bool = False

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Teacher:
        """Read the three parameters.

        >>> Teacher.from_query({"hide": "judge, seed", "reveal": "all"}).hidden == {"judge", "seed"}
        True
        """
        names = (part.strip() for part in query.get("hide", "").split(","))
        return cls(
            hidden=frozenset(name for name in names if name),
            reveal=query.get("reveal") == "all",
            teach=query.get("teach") == "1",
        )

    @property
    def query(self) -> str:
        """Return what the links to other lessons hand on, such as "?teach=1"."""
        parts = ["teach=1"] * self.teach + ["reveal=all"] * self.reveal
        return f"?{'&'.join(parts)}" if parts else ""

    def notes(
        self,
        *,
        aim: str,
        minutes: int,
        votes: Mapping[str, str],
        cut: str,
        questions: Mapping[str, str],
    ) -> mo.Html:
        """Return the instructor notes of a lesson, or nothing without ``teach=1``.

        Args:
            aim: What the room can say afterwards, in one sentence.
            minutes: How long the lesson takes with a vote.
            votes: What to do in each of the three cases of ``VOTES``.
            cut: What to leave out when time is short.
            questions: Questions that come up, each with its answer.

        Raises:
            ValueError: If a case of the vote is missing or unknown.
        """
        if set(votes) != set(VOTES):
            cases = ", ".join(VOTES)
            raise ValueError(f"votes must have the cases {cases}; got {', '.join(votes)}")
        if not self.teach:
            return mo.Html("")
        parts = (
            f"<p><b>Aim.</b> {escape(aim)}</p>",
            f"<p><b>Time.</b> {minutes} minutes. <b>If short, cut:</b> {escape(cut)}</p>",
            "<p><b>After the vote</b></p>",
            _terms([(f"If the vote is {case}", votes[case]) for case in VOTES[:2]])
            + _terms([("If it agrees on one wrong option", votes[VOTES[2]])]),
            "<p><b>Questions that come up</b></p>",
            _terms(list(questions.items())),
        )
        return mo.Html(
            '<aside class="wc-notes" aria-label="Instructor notes">'
            f'<h2 id="for-the-instructor">For the instructor</h2>{"".join(parts)}</aside>'
        )


def _terms(pairs: Sequence[tuple[str, str]]) -> str:
    """Return pairs as a description list."""
    return "<dl>" + "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in pairs) + "</dl>"


def code_of(setting: Choice, value: str) -> str:
    """Return the code under which a hidden choice travels.

    code = the first 8 hex digits of sha256("name=value")

    >>> from whilecore.course.settings import JUDGE
    >>> choice_of(JUDGE, code_of(JUDGE, "coin"))
    'coin'
    """
    return sha256(f"{setting.name}={value}".encode()).hexdigest()[:8]


def choice_of(setting: Choice, code: str) -> str:
    """Return the choice a code stands for.

    Raises:
        ValueError: If it stands for none.
    """
    for value in setting.choices:
        if code_of(setting, value) == code:
            return value
    raise ValueError(f"{code_name(setting)} must be a code this course made; copy the link again")


def code_name(setting: Choice) -> str:
    """Return the parameter that carries a hidden choice."""
    return f"{setting.name}_code"
