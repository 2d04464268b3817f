"""Write a selection for a trainer, its random control beside it, and a manifest of both.

Nothing is overwritten unless asked for. Every file is written under another name in the same
folder, forced to the disk and renamed: a program that is killed, or a full disk, leaves no half
file under the final name (at most one that starts with a dot and ends in ``.part``).
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import numpy as np

from whilecore import training_rows
from whilecore.control import control_rows, control_tasks
from whilecore.selection import Selection
from whilecore.texts import noun

VERSIONS: Final = ("whilecore", "numpy", "pandas", "msgspec", "pyarrow")
MANIFEST: Final = "whilecore export"


@dataclass(frozen=True)
class Exported:
    """What was written. Prints as three lines.

    Attributes:
        output: The selected rows.
        control: As many rows, or prompts, drawn at random.
        manifest: Settings, counts, versions and checksums.
        counts: Lines in each, and the rows and tasks they stand for.
    """

    output: Path
    control: Path
    manifest: Path
    counts: Mapping[str, int]

    def __str__(self) -> str:
        """Return what lies where."""
        n = self.counts
        return (
            f"{self.output}: {n['lines']} lines ({n['kept']} of {n['rows']} rows, "
            f"{n['kept_tasks']} of {n['tasks']} tasks)\n"
            f"{self.control}: {n['control_lines']} lines drawn at random, to compare with\n"
            f"{self.manifest}: settings, counts and checksums"
        )


def beside(output: Path) -> tuple[Path, Path]:
    """Return the names of the control and the manifest.

    >>> [path.name for path in beside(Path("train.jsonl"))]
    ['train.control.jsonl', 'train.manifest.json']
    """
    stem = output.name.removesuffix(".jsonl")
    return output.with_name(f"{stem}.control.jsonl"), output.with_name(f"{stem}.manifest.json")


def export(
    selection: Selection,
    output: str | Path,
    *,
    form: str | None = None,
    chat: bool = True,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    source: Mapping[str, Any] | None = None,
    force: bool = False,
) -> Exported:
    """Write the kept rows of a selection as JSON lines, the control beside them, and a manifest.

    Args:
        selection: An RL or SFT selection.
        output: Where to write the selected rows; the other two names are made from it.
        form: See ``training_rows.lines``; prompts for RL and messages for SFT unless told.
        chat: Prompts and completions as messages; else as text.
        seed: For the control.
        settings: What the selection was made with, for the manifest.
        source: What ``describe`` says of the file the rows came from, for the manifest.
        force: Overwrite files that are there.

    Returns:
        Where everything lies.

    Raises:
        ValueError: If nothing was kept, or the rows lack what the form needs.
        FileExistsError: If a file is there and ``force`` is not set.
        OSError: If the folder is not there or the disk is full; nothing is left behind then.
    """
    form = form or training_rows.DEFAULT_FORM[selection.mode]
    training_rows.check_exportable(selection.source, form)
    if not len(selection):
        raise ValueError("the selection kept no row, so there is nothing to export; look at the "
                         "report for the gate that took them")  # fmt: skip
    target = Path(output)
    control_path, manifest_path = beside(target)
    made = made_of(selection, form, chat, seed)
    texts = dict(zip((target, control_path), made, strict=True))
    about = manifest(
        selection, {path.name: text for path, text in texts.items()}, input=source or {},
        form=form, chat=chat, seed=seed, settings=settings or {},
    )  # fmt: skip
    counts = about["counts"]
    texts[manifest_path] = manifest_text(about)
    write_files(texts, force=force)
    return Exported(target, control_path, manifest_path, counts)


def made_of(selection: Selection, form: str, chat: bool, seed: int) -> tuple[bytes, bytes]:
    """Return the kept rows and the control, as many rows or prompts drawn at random."""
    rows = control_rows(selection, seed)
    if form == "prompt":
        tasks = control_tasks(selection, seed)
        rows = np.flatnonzero(np.isin(selection.source.task_codes, tasks))
    kept, control = (
        b"".join(training_rows.lines(selection.source, some, form, chat=chat))
        for some in (selection.kept, rows)
    )
    return kept, control


def manifest(
    selection: Selection, files: Mapping[str, bytes], *, input: Mapping[str, Any], form: str,
    chat: bool, seed: int, settings: Mapping[str, Any],
) -> dict[str, Any]:  # fmt: skip
    """Return what two files are made of, so that they can be made again.

    Args:
        selection: An RL or SFT selection.
        files: The kept rows and the control, by name, in this order.
        input: Name, size and checksum of the file the rows came from.
        form: Of the lines.
        chat: Whether they hold messages.
        seed: Of the control.
        settings: What the selection was made with, in the words of ``whilecore export``.
    """
    source, (name, control) = selection.source, tuple(files)
    return {
        "kind": MANIFEST,
        "input": dict(input),
        "settings": {"mode": selection.mode, "form": form, "chat": chat, "control_seed": seed,
                     **settings},
        "counts": {
            "rows": len(source),
            "tasks": source.n_tasks,
            "kept": len(selection),
            "kept_tasks": len(np.unique(source.task_codes[selection.kept])),
            "lines": files[name].count(b"\n"),
            "control_lines": files[control].count(b"\n"),
        },
        "report": selection.report,
        "versions": versions(),
        "files": {file: {"sha256": hashlib.sha256(text).hexdigest(), "lines": text.count(b"\n")}
                  for file, text in files.items()},
        "again": f"whilecore export FILE -o {name} --like THIS_MANIFEST",
        "compare": f"Train once on {name} and once on {control}, everything else equal, and "
        "compare on tasks in neither. The file alone does not say that the selection helps.",
    }  # fmt: skip


def manifest_text(about: Mapping[str, Any]) -> bytes:
    """Write a manifest as JSON that any reader takes: what is undefined is null."""
    return json.dumps(_finite(about), indent=2, ensure_ascii=True).encode() + b"\n"


def _finite(value: Any) -> Any:
    """Make plain values of everything, with null for what is no finite number."""
    if isinstance(value, Mapping):
        return {str(key): _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    if isinstance(value, np.generic):
        return _finite(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | type(None)) else str(value)


def describe(file: str | Path, read: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return name, size and checksum of a file, and how it was read."""
    path, digest = Path(file), hashlib.sha256()
    with path.open("rb") as stream:
        while part := stream.read(1 << 20):
            digest.update(part)
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": digest.hexdigest(),
            "read": dict(read or {})}  # fmt: skip


def versions() -> dict[str, str]:
    """Return the versions of what made the export."""
    found = {"python": platform.python_version()}
    for name in VERSIONS:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def read_manifest(path: str | Path) -> dict[str, Any]:
    """Read a manifest back.

    Raises:
        ValueError: If the file is none.
    """
    try:
        about = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} is no manifest that can be read: {error}") from None
    if not isinstance(about, dict) or about.get("kind") != MANIFEST:
        raise ValueError(f"{path} is no manifest of an export; give the one written beside it")
    return about


def write_files(files: Mapping[Path, bytes | Iterable[bytes]], *, force: bool = False) -> None:
    """Write several files, each whole or not at all.

    Args:
        files: Content by path; the last one is renamed last, so that it vouches for the others.
        force: Overwrite files that are there.

    Raises:
        FileExistsError: If one is there and ``force`` is not set.
        OSError: If one cannot be written; then none is put in place.
    """
    there = [path for path in files if os.path.lexists(path)]
    if there and not force:
        raise FileExistsError(
            f"{', '.join(map(str, there))} {noun(len(there), 'is', 'are')} there already; choose "
            "another name or say --force"
        )
    for folder in {path.parent for path in files}:
        if not folder.is_dir():
            raise FileNotFoundError(f"there is no folder {folder}; make it first")
    parts: dict[Path, Path] = {}
    try:
        for path, content in files.items():
            parts[path] = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
            _write(parts[path], [content] if isinstance(content, bytes) else content)
        for path, part in parts.items():
            _put(part, path, force)
    finally:
        for part in parts.values():
            with suppress(OSError):
                part.unlink()
    _force_to_disk(next(iter(files)).parent)


def _write(part: Path, content: Iterable[bytes]) -> None:
    """Write one file and wait until the disk has it."""
    with part.open("xb") as stream:
        for piece in content:
            stream.write(piece)
        stream.flush()
        os.fsync(stream.fileno())


def _put(part: Path, path: Path, force: bool) -> None:
    """Give a finished file its name; without ``force`` nothing is replaced, whoever came first."""
    if not force:
        try:
            os.link(part, path)
        except FileExistsError:
            raise FileExistsError(f"{path} was written meanwhile; choose another name") from None
        except OSError:  # a file system without hard links
            pass
        else:
            return
    os.replace(part, path)


def _force_to_disk(folder: Path) -> None:
    """Wait until the disk has the new names, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
