"""Files of graded rollouts: CSV and JSONL with the table's own columns."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pandas as pd

from whilecore.rollouts import Rollouts


def read_rollouts(path: str | Path) -> Rollouts:
    """Read graded rollouts from a ``.csv`` or ``.jsonl`` file.

    Args:
        path: CSV with a header, or one JSON object per line. ``task`` must be there; the other
            columns of the table where known.

    Returns:
        The rollouts in file order, none dropped.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the ending is another one, or a line is no JSON object (with its number).
    """
    file = Path(path)
    if not file.exists():
        raise FileNotFoundError(f"no file at {file}; give the path of a .csv or .jsonl file")
    ending = file.suffix.lower()
    if ending == ".csv":
        return Rollouts.from_frame(_read_csv(file))
    if ending == ".jsonl":
        return Rollouts.from_records(_read_jsonl(file))
    raise ValueError(f"the file must end in .csv or .jsonl, got {file.name}")


def printed_run() -> Rollouts:
    """Return the figures of the 64 rows behind the course page's printed block.

    Figures and codes, no text: 16 tasks of 4 tries, as the page's program drew and graded them.

    >>> printed_run()
    <Rollouts: 64 rows, 16 tasks, 64 scored>
    """
    with resources.as_file(resources.files("whilecore") / "data" / "printed_run.csv") as file:
        return read_rollouts(file)


def _read_csv(file: Path) -> pd.DataFrame:
    """Read a CSV; only empty cells are missing, so that a task called "NA" stays a task."""
    try:
        return pd.read_csv(file, keep_default_na=False, na_values=[""], encoding="utf-8-sig")
    except pd.errors.EmptyDataError:
        raise ValueError(f"{file.name} is empty; a CSV needs a header line") from None


def _read_jsonl(file: Path) -> list[dict[str, Any]]:
    """Read one JSON object per line; blank lines are passed over."""
    records = []
    with file.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                raise ValueError(
                    f"line {number} of {file.name} is not JSON ({error.msg}); every line must "
                    "hold one JSON object"
                ) from None
            if not isinstance(record, dict):
                raise ValueError(f"line {number} of {file.name} must be a JSON object")
            records.append(record)
    return records
