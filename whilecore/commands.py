"""The commands ``report`` and ``export``: a file in, its account or a training set out.

Heavy imports wait until a command runs; ``whilecore --help`` does not pay for them.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from whilecore.formats.wording import as_options
from whilecore.texts import noun

if TYPE_CHECKING:
    from whilecore.readers import ReadRollouts
    from whilecore.selection import Selection

PATIENCE: Final = 2.0  # seconds before a progress bar appears
UNREADABLE, NOTHING = 2, 1
Command = TypeVar("Command", bound=Callable[..., Any])


class Refused(click.ClickException):
    """What cannot be done, in a sentence, with the exit code for it."""

    exit_code = UNREADABLE


READ_OPTIONS: Final = (
    click.option("--task", multiple=True, help="Column of the task; twice for a key of two. A ~ "
                 "behind the name masks paths, dates and random ids."),
    click.option("--reward", multiple=True, help="Column of the reward; twice to add two up."),
    click.option("--reply", help="Column of the reply."),
    click.option("--rollout", help="Column that numbers or names the tries; 'none' joins no rows."),
    click.option("--step", help="Column that tells training steps apart; 'none' pools them."),
)  # fmt: skip
SELECT_OPTIONS: Final = (
    click.option("--band", metavar="LOW,HIGH", help="Pass rates RL keeps; 0.2,0.8 unless told."),
    click.option("--measure-on", type=click.Choice(["scored", "surviving"]),
                 help="Rows that pass rates are measured on."),
    click.option("--pass-at-least", type=float, help="Smallest reward that passes; 0.5 unless "
                 "told. SFT keeps rewards of at least 1, or of at least this."),
    click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True,
                 help="For every draw."),
)  # fmt: skip


def with_options(options: tuple[Callable[[Any], Any], ...]) -> Callable[[Command], Command]:
    """Add options to a command, in the order given."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--mode", type=click.Choice(["rl", "sft", "both"]), default="both",
              show_default=True, help="What to select for.")  # fmt: skip
@with_options(READ_OPTIONS)
@with_options(SELECT_OPTIONS)
@click.option("--json", "as_json", is_flag=True, help="Write everything as JSON.")
def report(file: Path, mode: str, as_json: bool, seed: int, **options: Any) -> None:
    """Say how many rows of FILE can teach a model anything, and what its reward tracks."""
    with _sentences(file):
        rollouts = _read(file, options)
        modes = ("rl", "sft") if mode == "both" else (mode,)
        try:
            selections = [_select(rollouts, one, seed, options) for one in modes]
        except ValueError as error:
            if not as_json and "pass" in str(error) and "band" not in str(error):
                _show(str(rollouts.read_report).split("\n"))
                _show(spread_lines(rollouts))
            raise Refused(as_options(str(error))) from None
        if as_json:
            click.echo(_as_json(rollouts, selections, options["pass_at_least"]))
        else:
            _show(str(rollouts.read_report).split("\n"))
            _show(["", str(rollouts.pass_at_k(pass_at_least=options["pass_at_least"]))])
            for selection in selections:
                _show(["", *str(selection).split("\n")])
        if not any(len(selection) for selection in selections):
            click.secho(f"nothing to train on: {why_nothing(selections)}", fg="yellow", err=True,
                        color=_colour())  # fmt: skip
            raise SystemExit(NOTHING)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True,
              help="Where to write; the control and the manifest go beside it.")  # fmt: skip
@click.option("--mode", type=click.Choice(["rl", "sft"]), help="What to select for.")
@click.option("--form", type=click.Choice(["messages", "prompt-completion", "prompt"]),
              help="Columns to write; prompts for RL, messages for SFT unless told.")  # fmt: skip
@click.option("--plain", is_flag=True, help="Prompts and completions as text, not as messages.")
@click.option("--target", type=click.IntRange(min=1), help="Stop at this many rows.")
@click.option("--like", type=click.Path(path_type=Path), help="Take all settings from a manifest.")
@with_options(READ_OPTIONS)
@with_options(SELECT_OPTIONS)
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
def export(file: Path, output: Path, like: Path | None, force: bool, **options: Any) -> None:
    """Write the rows of FILE worth training on, a random control beside them, and a manifest."""
    with _sentences(file):
        from whilecore import export as exporting

        if output.exists() and file.exists() and output.samefile(file):
            raise Refused(f"{output} is the input itself; choose another name")
        if like is not None:
            options = _settings_of(exporting.read_manifest(like), options)
        elif options["mode"] is None:
            raise click.UsageError("say --mode rl or --mode sft (or --like a manifest)")
        before = [path for path in (output, *exporting.beside(output)) if path.exists()]
        if before and not force:  # said before the work, and checked again at the end
            raise FileExistsError(f"{', '.join(map(str, before))} {noun(len(before), 'is', 'are')} "
                                  "there already; choose another name or say --force")  # fmt: skip
        rollouts = _read(file, options)
        selection = _select(rollouts, options["mode"], options["seed"], options)
        if not len(selection):
            click.secho(f"nothing to train on: {why_nothing([selection])}", fg="yellow", err=True,
                        color=_colour())  # fmt: skip
            raise SystemExit(NOTHING)
        written = exporting.export(
            selection, output, form=options["form"], chat=not options["plain"],
            seed=options["seed"], settings=options, force=force,
            source=exporting.describe(file, rollouts.read_report.columns),
        )  # fmt: skip
        click.echo(str(written))


def _settings_of(manifest: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return the options a manifest was made with, under what is said anew."""
    kept = {key: value for key, value in manifest["settings"].items() if key in given}
    source = click.core.ParameterSource.COMMANDLINE
    context = click.get_current_context()
    anew = {key: value for key, value in given.items()
            if context.get_parameter_source(key) == source}  # fmt: skip
    return {**given, **kept, **anew}


def _read(file: Path, options: dict[str, Any]) -> ReadRollouts:
    """Read the file with the columns named, and a progress bar if it takes long."""
    from whilecore.readers import read_rollouts

    task, reward = tuple(options["task"]), tuple(options["reward"])
    with _progress(file) as progress:
        return read_rollouts(
            file,
            task=task or None,
            reward=(reward[0] if len(reward) == 1 else reward) or None,
            reply=options["reply"],
            rollout=_or_none(options["rollout"]),
            step=_or_none(options["step"]),
            progress=progress,
        )


def _or_none(given: str | None) -> str | bool | None:
    """Read the word "none" as False."""
    return False if given is not None and given.lower() == "none" else given


def _select(rollouts: ReadRollouts, mode: str, seed: int, options: dict[str, Any]) -> Selection:
    """Select with the options that were given."""
    chosen: dict[str, Any] = {"seed": seed}
    if options.get("target") is not None:
        chosen["target"] = options["target"]
    cut = options["pass_at_least"]
    if mode == "sft":
        return rollouts.select("sft", **chosen, **({} if cut is None else {"min_reward": cut}))
    if options["band"]:
        chosen["band"] = band_of(options["band"])
    if options["measure_on"]:
        chosen["measure_on"] = options["measure_on"]
    return rollouts.select("rl", **chosen, pass_at_least=cut)


def band_of(text: str) -> tuple[str, ...]:
    """Read a band as it may be typed.

    >>> band_of("0.2,0.8"), band_of("20%..80%")
    (('0.2', '0.8'), ('0.2', '0.8'))
    """
    from fractions import Fraction

    edges = []
    for part in text.replace("..", ",").split(","):
        number = part.strip()
        if number.endswith("%"):
            try:
                number = str(float(Fraction(number[:-1]) / 100))
            except ValueError:
                pass
        edges.append(number)
    return tuple(edges)


def why_nothing(selections: list[Selection]) -> str:
    """Say which gate took the most, in the words of the report."""
    told = []
    for selection in selections:
        fates = {name: count for name, count in selection.report["row_fates"].items() if count}
        taken = sorted(fates.items(), key=lambda pair: -pair[1])
        words = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in taken)
        told.append(f"{selection.mode} keeps 0 of {selection.report['rows']} rows"
                    + (f" ({words})" if words else " (the file holds none)"))  # fmt: skip
    return "; ".join(told)


def spread_lines(rollouts: ReadRollouts) -> list[str]:
    """Say what holds whatever counts as a pass: which groups have contrast, and how much."""
    import numpy as np

    from whilecore.groups import advantages, count_groups

    used, reward = rollouts.scored, rollouts.reward
    groups = count_groups(rollouts.task_codes, reward, used, rollouts.n_tasks)
    push = np.abs(advantages(reward[used], rollouts.task_codes[used]))
    push = push[np.isfinite(push)]
    lines = ["", "whatever counts as a pass:"]
    lines.append(f"  rewards from {reward[used].min():g} to {reward[used].max():g}")
    lines.append(f"  groups with contrast: {int(groups.mixed.sum())} of "
                 f"{int((groups.rows > 0).sum())}")  # fmt: skip
    return lines + ([f"  mean distance from the group's average: {push.mean():.3g}"]
                    if push.size else [])  # fmt: skip


def _as_json(rollouts: ReadRollouts, selections: list[Selection], cut: float | None) -> str:
    """Return everything as JSON, null for what is undefined."""
    from dataclasses import asdict

    from whilecore.export import manifest_text, versions

    return manifest_text({
        "read": rollouts.read_report.to_dict(),
        "pass_at": asdict(rollouts.pass_at_k(pass_at_least=cut)),
        **{selection.mode: selection.report for selection in selections},
        "versions": versions(),
    }).decode().rstrip()  # fmt: skip


def _colour() -> bool | None:
    """Leave colours to the terminal, unless the user wants none anywhere."""
    return False if os.environ.get("NO_COLOR") else None


def _show(lines: list[str]) -> None:
    """Print lines; headings bold, remarks and warnings in colour on a terminal."""
    for line in lines:
        word = line.strip().partition(":")[0]
        style: dict[str, Any] = {}
        if line and not line.startswith(" "):
            style = {"bold": True}
        elif word == "warning" or word.startswith("left out"):
            style = {"fg": "yellow"}
        elif word in ("note", "kept apart"):
            style = {"fg": "cyan"}
        said = as_options(line)
        click.echo(click.style(said, **style) if style else said, color=_colour())


@contextmanager
def _progress(file: Path) -> Iterator[Callable[[int, int], None]]:
    """Give a callback that draws a bar on standard error once reading has taken long."""
    start, bars = time.monotonic(), list[Any]()

    def told(done: int, total: int) -> None:
        if not bars and total and time.monotonic() - start > PATIENCE and sys.stderr.isatty():
            bar = click.progressbar(length=total, label=f"Reading {file.name}", file=sys.stderr)
            bars.append(bar.__enter__())
        if bars:
            bars[0].update(max(0, done - bars[0].pos))

    try:
        yield told
    finally:
        if bars:
            bars[0].render_finish()


@contextmanager
def _sentences(file: Path) -> Iterator[None]:
    """Turn whatever goes wrong into a sentence and an exit code, never a traceback."""
    try:
        yield
    except (ValueError, TypeError, OSError) as error:
        said = as_options(str(error)) if not isinstance(error, OSError) or not error.strerror else (
            f"{error.filename or file}: {error.strerror}")  # fmt: skip
        raise Refused(said) from None
    except MemoryError:
        raise Refused(f"{file} is too large for this computer's memory; give a part of it that "
                       "holds whole tasks") from None  # fmt: skip
    except RecursionError:
        raise Refused(f"{file} is nested too deeply to be read") from None
