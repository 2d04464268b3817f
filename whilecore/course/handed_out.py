"""What lesson 11 hands out: training rows, their equal-size control and a manifest, in memory.

The same bytes as ``whilecore export`` writes, made when somebody asks for them and never put on a
disk; the manifest names the settings in that command's words, so ``--like`` repeats the export.
"""

from __future__ import annotations

from typing import Any, Final

from whilecore import export, training_rows
from whilecore.course.your_rows import Given
from whilecore.selection import Selection

NAMES: Final = {mode: f"train.{mode}.jsonl" for mode in ("rl", "sft")}


def why_not(selection: Selection) -> str:
    """Return why there is nothing to hand out; "" where there is."""
    try:
        training_rows.check_exportable(selection.source, training_rows.DEFAULT_FORM[selection.mode])
    except ValueError as error:
        return str(error)
    return "" if len(selection) else "no row is kept"


def rows(selection: Selection) -> bytes:
    """Return the kept rows as JSON lines: a prompt per task for RL, conversations for SFT."""
    return _made(selection, 0)[0]


def control(selection: Selection, seed: int) -> bytes:
    """Return as many prompts (RL) or rows (SFT), drawn at random."""
    return _made(selection, seed)[1]


def _made(selection: Selection, seed: int) -> tuple[bytes, bytes]:
    return export.made_of(selection, training_rows.DEFAULT_FORM[selection.mode], True, seed)


def manifest(selection: Selection, what: Given, settings: dict[str, Any], seed: int) -> bytes:
    """Return what the other two files are made of, as JSON.

    Args:
        selection: An RL or SFT selection.
        what: Where its rows came from.
        settings: From ``export_settings``.
        seed: Of the control.
    """
    name = NAMES[selection.mode]
    made = zip((name, name.replace(".jsonl", ".control.jsonl")), _made(selection, seed),
               strict=True)  # fmt: skip
    return export.manifest_text(export.manifest(
        selection, dict(made), form=training_rows.DEFAULT_FORM[selection.mode], chat=True,
        input={"name": what.name, "bytes": len(what.data), "sha256": what.digest}, seed=seed,
        settings=settings,
    ))  # fmt: skip


def export_settings(
    columns: dict[str, Any], band: tuple[float, float], measure_on: str, cut: float | None,
    seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Return the settings as ``whilecore export`` takes them.

    >>> export_settings({"reward": ("a", "b"), "rollout": False}, (0.2, 0.8), "scored", None, 0)
    ... # doctest: +NORMALIZE_WHITESPACE
    {'task': [], 'reward': ['a', 'b'], 'reply': None, 'rollout': 'none', 'step': None,
     'band': '0.2,0.8', 'measure_on': 'scored', 'pass_at_least': None, 'seed': 0}
    """
    told = {name: "none" if columns.get(name) is False else columns.get(name)
            for name in ("reply", "rollout", "step")}  # fmt: skip
    return {
        **{name: _listed(columns.get(name)) for name in ("task", "reward")}, **told,
        "band": f"{band[0]:g},{band[1]:g}", "measure_on": measure_on, "pass_at_least": cut,
        "seed": seed,
    }  # fmt: skip


def _listed(given: Any) -> list[str]:
    """Return one name or several as a list."""
    return [] if given is None else [given] if isinstance(given, str) else list(given)
