"""Rows as trainers read them: chat messages, prompt and completion, or prompts alone.

The columns are those of TRL: ``SFTTrainer`` takes ``messages``, or ``prompt`` and ``completion``;
``GRPOTrainer`` takes ``prompt``, draws its own tries, and hands every other column to the reward
functions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from whilecore.formats.chat import canonical, read_chat, role
from whilecore.groups import count_groups
from whilecore.rollouts import Rollouts

FORMS: Final = ("messages", "prompt-completion", "prompt")
DEFAULT_FORM: Final = {"rl": "prompt", "sft": "messages"}
CARRIED: Final = ("reference", "answer", "ground_truth", "gold", "target")


def check_exportable(rollouts: Rollouts, form: str) -> None:
    """Refuse rows that lack what a trainer needs.

    Raises:
        ValueError: For an unknown form, or a file of figures without prompts or replies.
    """
    if form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(FORMS)}, got {form!r}")
    frame = rollouts.frame
    lacks = [] if "prompt" in frame or "messages" in frame else ["prompts"]
    if form != "prompt" and ("reply" not in frame or frame["reply"].dtype.kind in "iu"):
        lacks.append("replies")
    if lacks:
        raise ValueError(
            f"the file holds no {' and no '.join(lacks)}, only figures about them, so there is "
            "nothing to train on in it; give the file with the texts"
        )


def lines(
    rollouts: Rollouts, rows: npt.NDArray[np.int64], form: str, *, chat: bool = True
) -> Iterator[bytes]:
    """Write rows as JSON lines.

    Args:
        rollouts: Where the rows come from.
        rows: Positions.
        form: "messages": one line per rollout with the whole conversation. "prompt-completion":
            one line per rollout, split where the model begins. "prompt": one line per task.
        chat: Write prompts and completions as messages; else as text.

    Yields:
        One line each, with its line break.

    Raises:
        ValueError: For an unknown form, or rows without the text it needs.
    """
    check_exportable(rollouts, form)
    made = _prompts(rollouts, rows, chat) if form == "prompt" else _rollouts(
        rollouts, rows, form, chat)  # fmt: skip
    for one in made:
        text = json.dumps(one, ensure_ascii=False, default=_plain)
        yield text.encode("utf-8", errors="replace") + b"\n"


def _rollouts(
    rollouts: Rollouts, rows: npt.NDArray[np.int64], form: str, chat: bool
) -> Iterator[dict[str, Any]]:
    """Write one mapping per rollout."""
    for place in rows:
        messages, split = conversation(rollouts, int(place))
        out: dict[str, Any] = {"messages": messages}
        if form == "prompt-completion":
            out = {"prompt": messages[:split], "completion": messages[split:]}
            if not chat:
                row = rollouts.rows[int(place)]
                out = {"prompt": row["prompt"] or "", "completion": row["final_text"] or ""}
        reward = float(rollouts.reward[place])
        yield {**out, "task": str(rollouts.task_labels[rollouts.task_codes[place]]),
               "reward": reward if np.isfinite(reward) else None}  # fmt: skip


def _prompts(
    rollouts: Rollouts, rows: npt.NDArray[np.int64], chat: bool
) -> Iterator[dict[str, Any]]:
    """Write one mapping per task: its prompt, how it was answered, and its reference."""
    counts = count_groups(rollouts.task_codes, rollouts.reward, rollouts.scored, rollouts.n_tasks)
    total = np.bincount(rollouts.task_codes[rollouts.scored],
                        rollouts.reward[rollouts.scored], rollouts.n_tasks)  # fmt: skip
    tasks, first = np.unique(rollouts.task_codes[rows], return_index=True)
    carried = [name for name in CARRIED if name in rollouts.frame]
    for task, place in sorted(zip(tasks, rows[first], strict=True), key=lambda pair: pair[1]):
        messages, split = conversation(rollouts, int(place))
        prompt = messages[:split] if chat else rollouts.rows[int(place)]["prompt"] or ""
        tries = int(counts.rows[task])
        yield {
            "prompt": prompt,
            "task": str(rollouts.task_labels[task]),
            "tries": tries,
            "mean_reward": float(total[task] / tries) if tries else None,
            **{name: rollouts.rows[int(place)][name] for name in carried},
        }


def conversation(rollouts: Rollouts, place: int) -> tuple[list[dict[str, Any]], int]:
    """Return a rollout as messages that chat templates take, and how many are the prompt."""
    row = rollouts.rows[place]
    messages = [_ready(one) for one in row["messages"] if isinstance(one, Mapping)]
    split = row.get("prompt_turns")
    if split is None or split != split:
        split = read_chat(messages).split
    return messages, int(split)


def _ready(message: Mapping[str, Any]) -> dict[str, Any]:
    """Write a message under today's names, its content as text, its calls as functions."""
    out = {key: value for key, value in message.items() if key not in ("from", "value", "role")}
    said = message.get("content", message.get("value"))
    out = {"role": role(message), **out}
    out["content"] = said if isinstance(said, str | list) or said is None else canonical(said)
    if isinstance(message.get("tool_calls"), list):
        out["tool_calls"] = [
            {"type": "function", "function": call}
            if isinstance(call, Mapping) and "name" in call and "function" not in call else call
            for call in message["tool_calls"]
        ]  # fmt: skip
    return out


def _plain(value: Any) -> Any:
    """Turn a value of numpy or pandas into what JSON knows; anything else into its text."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return str(value)
