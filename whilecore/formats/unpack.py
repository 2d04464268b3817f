"""Formats that nest: flattened until every rollout is a row and every fact a column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from whilecore.formats.chat import content, role
from whilecore.formats.tables import Table, as_column, dig, from_records

LENGTH_STOPS: Final = (
    "length", "max_tokens", "max_length", "max_new_tokens", "model_length",
    "max_response_length_exceeded", "max_prompt_length_exceeded",
)  # fmt: skip


def records(table: Table) -> Iterator[tuple[dict[str, Any], int]]:
    """Go through the rows as mappings, with their line numbers; absent values are left out."""
    cells = {name: table.cells(name) for name in table.columns}
    for place, line in enumerate(table.lines):
        yield {name: cell[place] for name, cell in cells.items() if cell[place] is not None}, line


def inspect(table: Table) -> None:
    """Take reply, error and stop reason out of an Inspect sample; scores stay per scorer."""
    output = table.cells("output") if "output" in table.columns else np.full(len(table), None)
    table.columns["reply"] = as_column(dig(one, ["completion"]) for one in output)
    choices = [dig(one, ["choices"]) for one in output]
    stops = [
        dig(one, ["stop_reason"])
        or (dig(many[0], ["stop_reason"]) if isinstance(many, list) and many else None)
        for one, many in zip(output, choices, strict=True)
    ]
    table.columns.setdefault("stop_reason", as_column(stops))
    table.columns.pop("output", None)
    table.columns["scores"] = as_column(
        {name: dig(score, ["value"]) if isinstance(score, Mapping) and "value" in score else score
         for name, score in one.items()} if isinstance(one, Mapping) else one
        for one in table.cells("scores")
    )  # fmt: skip
    if "input" in table.columns:
        table.columns["prompt"] = table.columns.pop("input")
    for heavy in ("messages", "events", "attachments", "store"):
        table.columns.pop(heavy, None)


def whileai(table: Table) -> None:
    """Count tool calls by the steps."""
    if "steps" in table.columns and "tool_calls" not in table.columns:
        steps = table.cells("steps")
        table.columns["tool_calls"] = as_column(
            len(one) if isinstance(one, list) else None for one in steps
        )


def verifiers(table: Table) -> None:
    """Read the two flags that say that a rollout did not end by itself."""
    if "is_completed" in table.columns and "incomplete" not in table.columns:
        table.columns["incomplete"] = as_column(
            None if one is None else not one for one in table.cells("is_completed")
        )


def verifiers_traces(table: Table) -> None:
    """Add up the rewards of a rollout's traces, and find the last message it drew."""
    traces = [one if isinstance(one, list) else [one] for one in table.cells("traces")]
    table.columns["reward"] = as_column(_trace_rewards(many) for many in traces)
    table.columns["reply"] = as_column(_last_sampled(many) for many in traces)
    del table.columns["traces"]
    table.columns["task"] = as_column(_identity(one) for one in table.cells("task"))


def _identity(task: Any) -> Any:
    """Return a task's id where it has one; else all of it."""
    if isinstance(task, Mapping):
        for key in ("id", "task_id", "example_id", "name"):
            if isinstance(task.get(key), str | int):
                return task[key]
    return task


def _trace_rewards(traces: list[Any]) -> Any:
    """Return Σ value over the rewards of all traces, None where there is none."""
    found: list[Any] = []
    for trace in traces:
        rewards = dig(trace, ["rewards"])
        many = rewards.values() if isinstance(rewards, Mapping) else rewards
        for one in many if isinstance(many, list) or isinstance(rewards, Mapping) else [many]:
            value = one.get("value") if isinstance(one, Mapping) else one
            if value is not None:
                found.append(value)
    if not all(isinstance(one, int | float) for one in found):
        return found[0] if len(found) == 1 else (found or None)
    return sum(found) if found else None


def _last_sampled(traces: list[Any]) -> str | None:
    """Return the text of the last message that was drawn from the model."""
    nodes = [node for trace in traces for node in dig(trace, ["nodes"]) or []
             if isinstance(node, Mapping)]  # fmt: skip
    for node in reversed(nodes):
        message = node.get("message", node)
        drawn = node.get("sampled", role(message) == "assistant")
        if drawn and isinstance(message, Mapping):
            return content(message)
    return None


def tokens(table: Table) -> None:
    """Keep what token ids can say: how many there are, and which replies are equal."""
    replies = table.cells("response_tokens")
    table.columns["reply_tokens"] = as_column(
        len(one) if isinstance(one, list) else None for one in replies
    )
    table.columns.setdefault("reply_key", table.columns.pop("response_tokens"))
    table.columns.pop("prompt_tokens", None)
    table.notes.append("the file holds token ids and no text, so no text features can be read off")


def tinker(table: Table) -> None:
    """Count the tokens of the actions."""
    if "steps" in table.columns:
        table.columns["reply_tokens"] = as_column(
            sum(step.get("ac_len") or 0 for step in one if isinstance(step, Mapping))
            if isinstance(one, list) else None
            for one in table.cells("steps")
        )  # fmt: skip
        del table.columns["steps"]
    table.notes.append("the file holds no text, so no text features can be read off")


def lm_eval(table: Table) -> None:
    """Name the metric as reward, and open up documents with one graded reply per try."""
    named = next((one for one in table.cells("metrics") if isinstance(one, list)), [])
    metrics = [one for one in named if isinstance(one, str) and one in table.columns]
    if len(metrics) == 1:
        table.metric = metrics[0]
    elif metrics:
        table.columns["scores"] = as_column(
            dict(zip(metrics, cells, strict=True))
            for cells in zip(*(table.cells(one) for one in metrics), strict=True)
        )
    source = "filtered_resps" if "filtered_resps" in table else "resps"
    table.columns["reply"] = as_column(_response(one) for one in table.cells(source))
    explode(table, table.metric, "reply")


def _response(cell: Any) -> Any:
    """Return a reply, or all tries of a document as a list."""
    while isinstance(cell, list) and len(cell) == 1:
        cell = cell[0]
    return cell


def lists(table: Table) -> None:
    """Make one row of every entry of the lists."""
    reward = "rewards" if "rewards" in table.columns else "score"
    partner = next((one for one in ("completions", "index") if one in table.columns), reward)
    if partner == "index" and "step" not in table.columns:  # one line is one training step
        table.columns["step"] = as_column(int(one) for one in table.lines)
    if partner == "completions" and "question" in table.columns:
        asked = table.cells("question")
        if len({str(one) for one in asked}) < len(asked):
            table.columns["question"] = as_column(
                f"{line}: {one}" for line, one in zip(table.lines, asked, strict=True)
            )
            table.notes.append("some questions stand in several lines; every line is one task")
    explode(table, reward, partner)


def explode(table: Table, *names: str) -> None:
    """Make one row of every entry where all the named columns hold lists of one length."""
    if not all(name in table.columns for name in names):
        return
    cells = [table.cells(name) for name in names]
    if not any(all(isinstance(column[place], list) for column in cells)
               for place in range(len(table))):  # fmt: skip
        return
    rows, lines, uneven = list[dict[str, Any]](), list[int](), 0
    for record, line in records(table):
        entries = [record.get(name) for name in names]
        if not all(isinstance(one, list) for one in entries):
            rows.append(record)
            lines.append(line)
            continue
        uneven += len({len(one) for one in entries if isinstance(one, list)}) > 1
        for place, values in enumerate(zip(*[e for e in entries if e is not None], strict=False)):
            rows.append({**record, **dict(zip(names, values, strict=True)), "rollout": place})
            lines.append(line)
    new = from_records(rows, lines, table)
    if uneven:
        new.notes.append(f"{uneven} lines hold lists of different lengths; the longer are cut")
    table.columns, table.lines, table.notes = new.columns, new.lines, new.notes


UNPACK: Final[dict[str, Callable[[Table], None]]] = {
    function.__name__: function
    for function in (
        inspect, whileai, verifiers, verifiers_traces, tokens, tinker, lm_eval, lists
    )
}  # fmt: skip
