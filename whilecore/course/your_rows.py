"""Rows a visitor brings to lesson 11: checked, read in memory, and what could be read otherwise.

Nothing is written to disk and nothing outlives the visitor's session: the bytes belong to the
page's own controls, and what is read from them to its cells.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import marimo as mo

from whilecore.course.settings import BAND_HIGH, BAND_LOW, SEED, Choice
from whilecore.formats.load import load
from whilecore.readers import SAMPLES, ReadError, ReadReport, ReadRollouts, read_rollouts, sample
from whilecore.texts import shown

LIMIT: Final = 200_000_000  # bytes of an upload
PASTE_LIMIT: Final = 1_000_000  # characters
MOST_CHOICES: Final = 40
SUM: Final = " + "
LOOKED_AT_AGAIN: Final = 20_000_000  # bytes up to which every column of the file is offered
AS_FOUND: Final = "as found"
NO_COLUMN: Final = "none"

SAMPLE: Final = Choice(
    "sample",
    "crashes_scored_zero.jsonl",
    {
        "crashes_scored_zero.jsonl": "crashes scored 0",
        "every_try_its_own_id.csv": "every try its own id",
        "two_steps_two_rewards.jsonl": "two steps, two rewards",
    },
    label="sample file",
)
NO_FILE: Final = "none"
OR_SAMPLE: Final = Choice(
    "sample", NO_FILE, {NO_FILE: "choose one", **SAMPLE.choices}, "or a sample"
)
"""The samples where none is shown until somebody chooses one."""
MEASURE: Final = Choice(
    "measure_on",
    "scored",
    {"scored": "all scored tries", "surviving": "what survives"},
    label="rate from",
)
SETTINGS: Final = (BAND_LOW, BAND_HIGH, MEASURE, SEED, SAMPLE)


@dataclass(frozen=True)
class Given:
    """What somebody gave: bytes under a name, or a sentence why they cannot be taken.

    Attributes:
        name: File name, as given; escape it.
        data: The bytes; empty where ``refused``.
        kind: "upload", "paste", "sample" or "none".
        refused: Why it is not read, with what to change.
    """

    name: str
    data: bytes = field(repr=False)
    kind: str
    refused: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


def given(uploads: Sequence[Any], pasted: str, chosen: str) -> Given:
    """Return what is to be read: an upload before a paste, a paste before the sample.

    Args:
        uploads: The value of ``mo.ui.file``: objects with ``name`` and ``contents``.
        pasted: The text area's text.
        chosen: A name in ``SAMPLES``, or ``NO_FILE``.

    Convention:
        The browser checks the size too, but binds nobody: it is checked again here.
    """
    if uploads:
        name, data = str(uploads[0].name), bytes(uploads[0].contents)
        if len(data) > LIMIT:
            return Given(name, b"", "upload", f"{shown(name)} has {_mega(len(data))}, and this "
                         f"page takes up to {_mega(LIMIT)}; give a part that holds whole tasks, "
                         "or run: whilecore report FILE")  # fmt: skip
        return Given(name, data, "upload")
    if pasted.strip():
        if len(pasted) > PASTE_LIMIT:
            return Given("pasted text", b"", "paste", f"the pasted text has {len(pasted):,} "
                         f"characters, and the box takes up to {PASTE_LIMIT:,}; upload it as a "
                         "file")  # fmt: skip
        return Given("pasted text", pasted.encode("utf-8", "replace"), "paste")
    if chosen == NO_FILE:
        return Given("", b"", "none", "there are no rows yet: choose a file above, or one of the "
                     "samples. It stays in this computer's memory")  # fmt: skip
    return Given(chosen, sample(chosen), "sample")


def upload() -> Any:
    """Return the control that takes a file."""
    return mo.ui.file(max_size=LIMIT, label=f"Choose a file, up to {_mega(LIMIT)}")


def _mega(size: int) -> str:
    """Return a size in MB."""
    return f"{size / 1e6:,.0f} MB"


@dataclass(frozen=True)
class Read:
    """What became of the bytes.

    Attributes:
        given: What was to be read.
        rollouts: The rows; none of them where ``error``.
        report: How they were read; None where they could not be.
        error: What to change, in plain text; "" where all is well.
        choices: Per role the columns that could be taken instead.
    """

    given: Given
    rollouts: ReadRollouts
    report: ReadReport | None
    error: str
    choices: Mapping[str, tuple[str, ...]]


def read(what: Given, columns: Mapping[str, Any] | None = None) -> Read:
    """Read what was given; whatever is wrong with it becomes a sentence.

    Args:
        what: From ``given``.
        columns: Keywords of ``read_rollouts`` that override what is found.
    """
    if what.refused:
        return Read(what, _none(), None, what.refused, {})
    try:
        rollouts = read_rollouts(_Named(what), **(columns or {}))
    except ReadError as error:
        return Read(what, _none(), None, str(error), _choices_after(what, error))
    except (ValueError, TypeError, OSError) as error:
        return Read(what, _none(), None, str(error), {})
    except (MemoryError, RecursionError):
        why = "is too large or too deeply nested for this computer; give a part with whole tasks"
        return Read(what, _none(), None, f"{shown(what.name)} {why}", {})
    report = rollouts.read_report
    error_text = "" if len(rollouts) else "there is no row below the header; give a file with rows"
    return Read(what, rollouts, report, error_text, _choices(what, report))


class _Named(io.BytesIO):
    """Bytes that know the name they were uploaded under: its ending tells CSV from JSON."""

    def __init__(self, what: Given) -> None:
        super().__init__(what.data)
        if what.kind != "paste":
            self.name = re.split(r"[\\/]", what.name)[-1] or "the file"


def _none() -> ReadRollouts:
    """Return no rows, so that every picture has something to show nothing of."""
    return read_rollouts(b"task,reward\n")


def _choices(what: Given, report: ReadReport) -> dict[str, tuple[str, ...]]:
    """Return the candidates the reader names first, then the other columns of the file."""
    named = {role: list(names) for role, names in report.others.items()}
    named["task"] = list(report.other_group_sizes)
    return _by_role(named, _columns(what), report.columns)


def _choices_after(what: Given, error: ReadError) -> dict[str, tuple[str, ...]]:
    """Return what there is to choose from where a choice is what is missing."""
    rewards = list(error.columns)
    if len(rewards) > 1:
        rewards.append(SUM.join(rewards))
    tasks = [name for name in error.group_sizes if not name.startswith("without ")]
    return _by_role({"reward": rewards, "task": tasks}, _columns(what), {})


def _columns(what: Given) -> list[str]:
    """Return the names of the file's columns; none where looking again would take long."""
    if len(what.data) > LOOKED_AT_AGAIN:
        return []
    try:
        return [str(name) for name in load(_Named(what))[0].columns]
    except ValueError:
        return []


def _by_role(
    named: Mapping[str, Sequence[str]], columns: Sequence[str], taken: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Put the named candidates first; what is taken already is no alternative."""
    return {
        role: tuple(
            name for name in dict.fromkeys([*named.get(role, ()), *columns])
            if name != taken.get(role)
        )[:MOST_CHOICES]
        for role in ("task", "reward", "reply", "repeat")
    }  # fmt: skip


def menu(role: str, found: Read) -> dict[str, str]:
    """Return the lines of a role's menu, words to column; the first leaves it as found.

    Long names are cut, and a cut name that would stand twice is numbered.
    """
    taken = found.report.columns.get(role, "") if found.report else ""
    lines = {f"{AS_FOUND}: {shown(taken, 40)}" if taken else AS_FOUND: ""}
    if role == "repeat":
        lines["none: every row is a try"] = NO_COLUMN
    for column in found.choices.get(role, ()):
        words = shown(column, 48)
        lines[words if words not in lines else f"{words} ({len(lines)})"] = column
    return lines


def menus(found: Read) -> Any:
    """Return the controls that take other columns than those found: a dictionary of them.

    Its keys are "task", "reward", "reply", "repeat" and "step".
    """
    lines = {role: menu(role, found) for role in ("task", "reward", "reply", "repeat")}
    boxes = {
        role: mo.ui.dropdown(words, value=next(iter(words)), label=role)
        for role, words in lines.items()
    }
    return mo.ui.dictionary({
        **boxes,
        "step": mo.ui.dropdown(
            {"kept apart": "", "pooled": "pool"}, value="kept apart", label="training steps"
        ),
    })  # fmt: skip


def cut_box() -> Any:
    """Return the control that says what passes; apart from the menus, as it reads no file anew."""
    return mo.ui.text("", label="pass from reward", max_length=20)


def beside_each_other(menus: Any, cut: Any) -> str:
    """Return the HTML of the menus and the box, with what they mean."""
    rows = "".join(f"{one}" for one in (*menus.elements.values(), cut))
    return (
        f'<div style="display: grid; gap: 0.6rem; justify-items: start">{rows}</div>'
        '<p class="wc-legend">A ~ behind a name masks paths, dates and random ids in it. A repeat '
        "column numbers the tries: rows of a task that share it are one rollout. Empty box: a "
        "reward of 0.5 passes for RL, 1 for SFT.</p>"
    )


def overrides(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return keywords of ``read_rollouts`` from the menus' values; "" leaves a choice to it.

    >>> overrides({"task": "ticket", "reward": "a + b", "reply": "", "repeat": "none"})
    {'task': 'ticket', 'reward': ('a', 'b'), 'rollout': False}
    """
    out: dict[str, Any] = {}
    for role, value in chosen.items():
        if not isinstance(value, str) or not value:
            continue
        if role == "repeat":
            out["rollout"] = False if value == NO_COLUMN else value
        elif role == "reward" and SUM in value:
            out["reward"] = tuple(value.split(SUM))
        elif role == "step":
            out["step"] = False
        else:
            out[role] = value
    return out


def pass_cut(text: object) -> tuple[float | None, str]:
    """Read what counts as a pass as it may be typed; None leaves it to the core.

    Returns:
        The cut, and "" or what to change.

    >>> pass_cut("0,75"), pass_cut(""), pass_cut("half")[1]
    ((0.75, ''), (None, ''), "a pass must be a reward of at least some number, got 'half'")
    """
    typed = str(text or "").strip()
    if not typed:
        return None, ""
    try:
        cut = float(typed.replace(",", "."))
    except ValueError:
        cut = math.nan
    if math.isfinite(cut):
        return cut, ""
    told = repr(typed if len(typed) <= 20 else f"{typed[:19]}…")
    return None, f"a pass must be a reward of at least some number, got {told}"


assert set(SAMPLE.choices) == set(SAMPLES), "the menu and the package hold the same samples"
