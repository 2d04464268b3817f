"""Files of graded rollouts: CSV and JSONL with the table's own columns."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any, Final

import pandas as pd

from whilecore.rollouts import Rollouts

LABELS: Final = ("task", "ask", "reply_key", "behavior")


def read_rollouts(path: str | Path) -> Rollouts:
    """Read graded rollouts from a ``.csv`` or ``.jsonl`` file.

    Args:
        path: CSV with a header, or one JSON object per line. ``task`` must be there; the other
            columns of the table where known.

    Returns:
        The rollouts in file order. A JSONL line that cannot be read is left out and noted with
        its number; the rest loads.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If the ending is another one, or nothing in the file can be read.

    Convention:
        In a CSV an empty cell is missing, and task labels are text: "007" and "7" are two tasks.
    """
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"no file at {file}; give the path of a .csv or .jsonl file")
    ending = file.suffix.lower()
    if ending == ".csv":
        return Rollouts.from_frame(_read_csv(file))
    if ending == ".jsonl":
        records, notes = _read_jsonl(file)
        return Rollouts.from_records(records, notes)
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
    """Read a CSV; only empty cells are missing, and labels stay as written ("NA", "007")."""
    try:
        return pd.read_csv(
            file,
            keep_default_na=False,
            na_values=[""],
            dtype=dict.fromkeys(LABELS, "str"),
            encoding="utf-8-sig",
            low_memory=False,
        )
    except pd.errors.EmptyDataError:
        raise ValueError(f"{file.name} is empty; a CSV needs a header line") from None
    except (pd.errors.ParserError, UnicodeDecodeError) as error:
        raise ValueError(
            f"{file.name} must be a CSV in UTF-8 with as many cells in a line as in its header: "
            f"{error}"
        ) from None


def _read_jsonl(file: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """Read one JSON object per line, and note the lines that are none; blank ones are passed over.

    Raises:
        ValueError: If lines were there and none could be read.
    """
    records, bad = [], []
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip(b" \t\r\n\xef\xbb\xbf"):
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            if isinstance(record, dict):
                records.append(record)
            else:
                bad.append(number)
    if not bad:
        return records, []
    places = ", ".join(map(str, bad[:10])) + (", ..." if bad[10:] else "")
    told = f"{len(bad)} lines of {file.name} hold no JSON object and were left out: line {places}"
    if not records:
        raise ValueError(f"{told}; every line must hold one JSON object")
    return records, [told]
