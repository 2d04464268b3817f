"""How long does a file take to read and report on, and how much memory at its peak?

Run it alone: ``python tests/bench/bench_readers.py [--rows 30000 120000] [--json FILE]``.

Every measurement is a process of its own, so that peaks do not mix. The files are made here: chat
rows of about 1.3 kB with a tool call each, 4 tries a task; and figures without text, up to a
million rows. Times are of the wall and of the processor: on a busy machine the second one counts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORDS = (
    "the order was shipped on monday and we checked about a delay please tell me whether another "
    "item is needed since it will be late with blue green small large tables chairs lamps that "
    "came from berlin or oslo by train"
).split()
FORMATS = ("jsonl", "jsonl.gz", "json", "csv", "parquet")
FIGURES = (10_000, 100_000, 1_000_000)
REPORT_SECONDS, REPORT_BYTES = 15.0, 1.5e9
SELECT_SECONDS, SELECT_BYTES, EXPONENT = 5.0, 2e9, 1.1


def chat_rows(n: int) -> Iterator[dict[str, Any]]:
    """Make n chat rows, 4 tries a task."""
    draw = random.Random(0)

    def text(least: int, most: int) -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(least, most)))

    for task in range(n // 4):
        prompt = text(70, 90)
        for j in range(4):
            function = {"name": "get_order", "arguments": f'{{"id": {task}}}'}
            call = {"id": f"c{task}-{j}", "type": "function", "function": function}
            yield {
                "task_id": f"t{task}",
                "rollout_index": j,
                "messages": [
                    {"role": "system", "content": "You help customers of a shop."},
                    {"role": "user", "content": prompt},
                    {"role": "assistant", "content": None, "tool_calls": [call]},
                    {"role": "tool", "content": '{"status": "shipped"}'},
                    {"role": "assistant", "content": text(40, 120)},
                ],
                "reward": draw.randint(0, 1),
                "finish_reason": "stop",
            }


def write_chat(path: Path, n: int) -> None:
    """Write chat rows in the format its ending names; CSV and Parquet hold prompt and reply."""
    rows = chat_rows(n)
    if path.suffix == ".csv" or path.suffix == ".parquet":
        import pandas as pd

        frame = pd.DataFrame(
            {"task_id": row["task_id"], "rollout_index": row["rollout_index"],
             "prompt": row["messages"][1]["content"], "reward": row["reward"],
             "response": row["messages"][-1]["content"]} for row in rows
        )  # fmt: skip
        frame.to_csv(path, index=False) if path.suffix == ".csv" else frame.to_parquet(path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(list(rows)))
    else:
        opened = gzip.open(path, "wt", compresslevel=3) if path.suffix == ".gz" else path.open("w")
        with opened as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)


def write_figures(path: Path, n: int) -> None:
    """Write figures without text, 8 tries a task."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(0)
    task = np.arange(n) // 8
    rate = rng.random(n // 8 + 1)[task]
    pd.DataFrame({
        "task": task, "rollout": np.arange(n) % 8, "reward": (rng.random(n) < rate).astype(int),
        "reply_chars": rng.integers(20, 900, n), "boilerplate": rng.integers(0, 2, n),
        "hedging": rng.integers(0, 2, n), "sycophancy": rng.integers(0, 2, n),
        "reply": rng.integers(0, 1000, n), "behavior": rng.integers(0, 9, n),
    }).to_csv(path, index=False)  # fmt: skip


def measured(command: list[str]) -> dict[str, float]:
    """Run a process and return its seconds, its processor's seconds and its peak memory."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} failed: {done.stderr[-2000:]}")
    found = json.loads(done.stdout.splitlines()[-1]) if done.stdout.startswith("{") else {}
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": wall, "cpu": cpu, **found}


CODE = """
import json, resource, sys, time
start = time.process_time()
from whilecore.cli import main
if sys.argv[1] == "report":
    try:
        with open("/dev/null", "w") as sys.stdout:
            main(["report", sys.argv[2]], standalone_mode=False)
    except SystemExit:
        pass
    finally:
        sys.stdout = sys.__stdout__
    found = {}
else:
    import whilecore
    rollouts = whilecore.read_rollouts(sys.argv[2])
    read = time.process_time() - start
    start = time.process_time()
    rollouts.select("rl"), rollouts.select("sft")
    found = {"read_cpu": read, "select_cpu": time.process_time() - start}
try:  # what the kernel counts of this program alone; ru_maxrss also counts who started it
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024
except OSError:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"peak": peak, **found}))
"""


def bench_reports(folder: Path, sizes: list[int], formats: list[str]) -> list[dict[str, Any]]:
    """Measure ``whilecore report`` per format and size."""
    out = []
    for n in sizes:
        for form in formats:
            path = folder / f"chat.{form}"
            try:
                write_chat(path, n)
            except ImportError as error:
                out.append({"format": form, "rows": n, "left_out": str(error).split(".")[0]})
                continue
            found = measured([sys.executable, "-c", CODE, "report", str(path)])
            out.append({"format": form, "rows": n, "bytes": path.stat().st_size, **found})
            path.unlink()
    return out


def bench_figures(folder: Path, sizes: list[int]) -> list[dict[str, Any]]:
    """Measure reading and selecting figures up to a million rows."""
    out = []
    for n in sizes:
        path = folder / "figures.csv"
        write_figures(path, n)
        found = measured([sys.executable, "-c", CODE, "select", str(path)])
        out.append({"rows": n, "bytes": path.stat().st_size, **found})
    return out


def growth(rows: list[dict[str, Any]]) -> float:
    """Return the exponent with which selecting grows from the smallest to the largest size."""
    first, last = rows[0], rows[-1]
    return math.log(last["select_cpu"] / first["select_cpu"]) / math.log(
        last["rows"] / first["rows"]
    )


def table(reports: list[dict[str, Any]], figures: list[dict[str, Any]]) -> str:
    """Write the measurements as Markdown."""
    lines = ["| format | rows | file MB | seconds | processor s | peak MB |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
    for one in reports:
        if "left_out" in one:
            cells = [f"left out: {one['left_out']}", "", "", ""]
        else:
            cells = [f"{one['bytes'] / 1e6:.0f}", f"{one['seconds']:.1f}", f"{one['cpu']:.1f}"]
            cells.append(f"{one['peak'] / 1e6:.0f}")
        lines.append(f"| {one['format']} | {one['rows']:,} | {' | '.join(cells)} |")
    lines += ["", "| figures, rows | file MB | read s | select both modes s | peak MB |"]
    lines.append("| ---: | ---: | ---: | ---: | ---: |")
    for one in figures:
        cells = [f"{one['bytes'] / 1e6:.0f}", f"{one['read_cpu']:.2f}", f"{one['select_cpu']:.2f}"]
        lines.append(f"| {one['rows']:,} | {' | '.join(cells)} | {one['peak'] / 1e6:.0f} |")
    return "\n".join([*lines, "", f"Selecting grows with exponent {growth(figures):.2f}."])


def main() -> None:
    """Measure, print, and say which limits hold."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--rows", type=int, nargs="+", default=[30_000, 120_000])
    options.add_argument("--formats", nargs="+", default=list(FORMATS), choices=FORMATS)
    options.add_argument("--figures", type=int, nargs="+", default=list(FIGURES))
    options.add_argument("--json", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        reports = bench_reports(Path(folder), given.rows, given.formats)
        figures = bench_figures(Path(folder), given.figures)
    print(table(reports, figures))
    known = [one for one in reports if "cpu" in one]
    slowest, largest = max(one["cpu"] for one in known), max(one["peak"] for one in known)
    last = figures[-1]
    limits = {
        f"a report under {REPORT_SECONDS:g} s of processor": slowest < REPORT_SECONDS,
        f"a report under {REPORT_BYTES / 1e9:g} GB": largest < REPORT_BYTES,
        f"selecting under {SELECT_SECONDS:g} s": last["select_cpu"] < SELECT_SECONDS,
        f"figures under {SELECT_BYTES / 1e9:g} GB": last["peak"] < SELECT_BYTES,
        f"growth at most {EXPONENT:g}": growth(figures) <= EXPONENT,
    }
    for limit, holds in limits.items():
        print(f"{'holds' if holds else 'MISSED'}: {limit}")
    if given.json:
        found = {"reports": reports, "figures": figures, "limits": limits}
        given.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
