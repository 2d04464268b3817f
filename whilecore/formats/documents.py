"""One JSON document that holds all rows: Inspect logs, EvalPlus results, and plain wrappings."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from whilecore.formats.chat import is_chat
from whilecore.formats.json_lines import read_document
from whilecore.formats.tables import BadLine, Builder, ReadError, Table
from whilecore.texts import shown


def rows_of(document: Mapping[str, Any], name: str) -> Table:
    """Return the rows inside a document; a document without any is one row itself.

    Raises:
        ReadError: If it holds no rows and is no rollout.
    """
    builder, bad = Builder(), list[BadLine]()
    found, container = _rows(document), "one JSON document"
    for number, row in enumerate(found, start=1):
        if isinstance(row, Mapping):
            builder.add(row, number)
        else:
            bad.append(BadLine(number, "is no object"))
    if not builder.lines:
        raise ReadError(
            f"{name} is one JSON object without rows in it (its keys: "
            f"{', '.join(shown(str(key), 40) for key in list(document)[:20])}); save the rollouts "
            "as one JSON object per line"
        )
    table = builder.table(container, "item")
    table.bad = bad
    return table


def is_columnar(document: Mapping[str, Any]) -> bool:
    """Tell whether a document holds columns: lists, or mappings by row, all of one length."""
    values = list(document.values())
    kinds = {type(one) for one in values}
    sizes = {len(one) for one in values if isinstance(one, list | dict)}
    if _by_task(document):
        return False
    return len(values) > 1 and kinds in ({list}, {dict}) and len(sizes) == 1 and sizes != {0}


def _by_task(document: Mapping[str, Any]) -> bool:
    """Tell whether a document holds, under the name of every task, the list of its tries."""
    return len(document) > 1 and all(
        isinstance(many, list) and many and all(isinstance(one, Mapping) for one in many)
        and not is_chat(many) for many in document.values()
    )  # fmt: skip


def holds_rows(document: Mapping[str, Any]) -> bool:
    """Tell whether a document is more than a row: a table of columns, or tries by task."""
    return is_columnar(document) or _by_task(document)


def _rows(document: Mapping[str, Any]) -> list[Any]:
    """Find the list of rows."""
    names, cells = document.get("columns"), document.get("data")
    if isinstance(names, list) and isinstance(cells, list):  # a table as wandb and pandas write it
        return [dict(zip(map(str, names), row, strict=False)) if isinstance(row, list) else row
                for row in cells]  # fmt: skip
    if is_columnar(document) and not isinstance(document.get("samples"), list):
        first = next(iter(document.values()))
        keys: Any = range(len(first)) if isinstance(first, list) else list(first)
        if isinstance(first, list) or all(one.keys() == first.keys() for one in document.values()):
            return [{name: column[key] for name, column in document.items()} for key in keys]
    samples = document.get("samples")
    if isinstance(samples, list):
        return samples
    if _by_task(document):
        return [{"task_id": task, **row} for task, rows in document.items() for row in rows]
    results = document.get("eval")
    if isinstance(results, Mapping) and all(isinstance(one, list) for one in results.values()):
        return [
            {"task_id": task, **row} if isinstance(row, Mapping) else row
            for task, rows in results.items()
            for row in rows
        ]
    lists = [
        value
        for value in document.values()
        if isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value)
    ]
    own = {"messages", "prompt", "completion", "steps", "traces", "trajectory", "conversations"}
    if len(lists) == 1 and not own & document.keys():
        return list(lists[0])
    return [document]


def read_zip(data: bytes, name: str) -> Table:
    """Read an Inspect log in its zip form: one JSON file per sample.

    Raises:
        ReadError: If the zip holds no samples.
    """
    builder, bad = Builder(), list[BadLine]()
    try:
        if alone := _only_member(data):
            from whilecore.formats.load import load

            return load(alone)[0]
        for number, (member, content) in enumerate(_members(data), start=1):
            row = read_document(content)
            if row is None:
                bad.append(BadLine(number, f"({shown(member, 60)}) is no JSON object"))
            else:
                builder.add(row, number)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError) as error:
        raise ReadError(
            f"{name} cannot be unpacked: {error}. Write the log as JSON: inspect log convert "
            "--to json"
        ) from None
    if not builder.lines:
        raise ReadError(f"{name} is a zip without samples; unpack it and give the file with rows")
    table = builder.table("an Inspect log", "item")
    table.bad = bad
    return table


def _only_member(data: bytes) -> bytes:
    """Return the content of a zip of one file, b"" for any other zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        files = [one for one in packed.namelist() if not one.endswith("/")]
        if len(files) != 1 or files[0].startswith("samples/"):
            return b""
        return packed.read(files[0])


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Go through the sample files of a zip in order."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        for member in sorted(packed.namelist()):
            if member.startswith("samples/") and member.endswith(".json"):
                yield member, packed.read(member)
