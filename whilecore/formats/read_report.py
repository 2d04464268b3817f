"""What was taken for what when a file was read, said before any result."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from whilecore.formats.keys import told
from whilecore.formats.tables import BadLine
from whilecore.texts import shown

MOST: Final = 5


@dataclass(frozen=True)
class ReadReport:
    """How a file was read. Prints itself.

    Attributes:
        source: Name of the file.
        format: Program that wrote it, by its keys.
        container: "JSON lines", "a JSON array", "CSV", "Parquet", ...
        unit: What the numbers of bad lines count: "line", "item" or "row".
        rows: Rows that were read.
        rollouts: Rollouts they make.
        tasks: Groups.
        columns: Column taken for the task, the reward, the reply and the repeat; "" for none.
        others: Per role, further columns that could be meant.
        group_sizes: Groups by number of rollouts.
        other_group_sizes: The same for other columns that could be the task.
        scored: Rollouts with a usable reward.
        unscored: The others by reason.
        coerced: Values that were read as something else.
        bad: Lines left out, with number and reason.
        steps: Per training step or other policy: rollouts, scored ones, mean reward.
        notes: Further sentences.
    """

    source: str
    format: str
    container: str
    unit: str
    rows: int
    rollouts: int
    tasks: int
    columns: Mapping[str, str]
    others: Mapping[str, tuple[str, ...]]
    group_sizes: Mapping[int, int]
    other_group_sizes: Mapping[str, Mapping[int, int]]
    scored: int
    unscored: Mapping[str, int]
    coerced: Mapping[str, int]
    bad: tuple[BadLine, ...]
    steps: Mapping[str, tuple[int, int, float]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the report as text."""
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        """Return the report for a notebook."""
        return f"<pre>{html.escape(str(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values that JSON takes."""
        out = asdict(self)
        out["group_sizes"] = {str(size): n for size, n in self.group_sizes.items()}
        out["other_group_sizes"] = {
            name: {str(size): n for size, n in sizes.items()}
            for name, sizes in self.other_group_sizes.items()
        }
        return out

    def lines(self) -> list[str]:
        """Return the report line by line: columns and group sizes come first."""
        kind = f"{self.container}" if self.format == "table" else f"{self.format}, {self.container}"
        rollouts = "" if self.rows == self.rollouts else f", {self.rollouts} rollouts"
        out = [f"{self.source}: {kind}, {self.rows} rows{rollouts}"]
        for role in ("task", "reward", "reply", "repeat"):
            taken = shown(self.columns.get(role, ""), 120) or "none found"
            more = [shown(one, 40) for one in self.others.get(role, ())[:MOST]]
            out.append(f"  {role}: {taken}" + (f" (also there: {', '.join(more)})" if more else ""))
        out.append(f"  groups: {told(dict(self.group_sizes))}")
        for name, sizes in self.other_group_sizes.items():
            out.append(f"    by {shown(name, 40)}: {told(dict(sizes))}")
        out += self._scored() + self._steps() + self._bad()
        out += [f"  read as: {count} {what}" for what, count in self.coerced.items()]
        return out + [f"  note: {shown(one, 400)}" for one in self.notes]

    def _scored(self) -> list[str]:
        out = [f"  scored: {self.scored} of {self.rollouts} rollouts"]
        reasons = list(self.unscored.items())
        out += [f"    {count} unscored: {shown(why, 100)}" for why, count in reasons[:MOST]]
        if reasons[MOST:]:
            out.append(f"    {sum(n for _, n in reasons[MOST:])} unscored for other reasons")
        return out

    def _steps(self) -> list[str]:
        """Say what each policy scored; many steps are told by the first and the last few."""
        names = list(self.steps)
        kept = names if len(names) <= 2 * MOST else [*names[:MOST], "", *names[-MOST:]]
        out = []
        for name in kept:
            rollouts, scored, mean = self.steps.get(name, (0, 0, 0.0))
            value = "n/a" if mean != mean else f"{mean:.3g}"
            out.append(f"    {shown(name, 60)}: mean reward {value} ({scored} of {rollouts} scored)"
                       if name else f"    ... {len(names) - 2 * MOST} more")  # fmt: skip
        return ["  kept apart:", *out] if out else []

    def _bad(self) -> list[str]:
        if not self.bad:
            return []
        out = [f"  left out: {len(self.bad)} {self.unit}{'s' * (len(self.bad) != 1)}"]
        out += [f"    {self.unit} {one.number} {shown(one.reason, 120)}" for one in self.bad[:MOST]]
        return out + ([f"    and {len(self.bad) - MOST} more"] if self.bad[MOST:] else [])
