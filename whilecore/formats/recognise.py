"""Which program wrote a file, told by its keys, and what its columns are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from whilecore.formats.tables import ReadError, Table

TASK: Final = (
    "task", "task_id", "scenario_id", "group_id", "example_id", "problem_id", "question_id",
    "prompt_id", "instance_id", "doc_id", "item_id", "query_id", "prompt_idx", "prompt_index",
    "group_idx", "problem_idx", "group", "uid", "idx", "id", "index", "prompt", "question",
    "input", "instruction", "query", "problem", "messages",
)  # fmt: skip
"""Names that may say which rows are tries of one task, the surest first."""

REWARD: Final = (
    "reward", "total_reward", "final_reward", "reward_total", "rewards", "score", "scores",
    "total_score", "final_score", "passed", "is_correct", "correct", "resolved", "success",
    "is_success", "acc", "accuracy", "exact_match", "pass", "label", "grade", "rating", "verdict",
)  # fmt: skip
REPLY: Final = (
    "reply", "final_text", "completion", "response", "output_response", "output", "generation",
    "generated_text", "model_output", "model_response", "prediction", "solution", "messages",
    "conversation", "conversations", "trajectory", "answer_text", "text",
)  # fmt: skip
ROLLOUT: Final = (
    "rollout", "rollout_index", "rollout_idx", "sample_idx", "sample_index", "repeat",
    "repeat_idx", "attempt", "attempt_idx", "traj_idx", "trial", "try", "epoch", "k_idx", "run_idx",
)  # fmt: skip
"""Names that count the tries of a task."""

ROLLOUT_ID: Final = (
    "rollout_id", "rollout_uid", "trajectory_id", "traj_id", "traj_uid", "trajectory_uid",
    "episode_id", "completion_id", "response_id", "sample_uid", "trace_id", "session_id", "run_id",
)  # fmt: skip
"""Names that tell one rollout from another, whatever the task."""

TURN: Final = (
    "turn", "turn_idx", "turn_index", "turn_id", "step_idx", "step_index", "message_idx",
    "segment", "segment_idx", "chunk_idx",
)  # fmt: skip
STEP: Final = (
    "step", "global_step", "training_step", "train_step", "trainer_step", "iteration", "update",
    "policy_version", "policy_step", "weight_version", "checkpoint", "ckpt", "checkpoint_step",
    "epoch", "model", "model_name", "model_id", "policy",
)  # fmt: skip
"""Names that say which policy drew a row: tries of two policies are two groups."""

SCOPE: Final = (
    "dataset", "data_source", "env", "env_id", "environment", "benchmark", "subset", "split",
    "shard", "file",
)  # fmt: skip
"""Names inside which a short id may start anew."""


@dataclass(frozen=True)
class Format:
    """A program's file: the keys it is known by, and which column holds what.

    Attributes:
        name: Printed name.
        needs: Keys that must all be there.
        any_of: One of these must be there too, if any are named.
        lacks: Keys that must not be there.
        task: Columns for the task, the surest first; tried before the usual names.
        reward: Columns for the reward.
        reply: Columns for the reply.
        rollout: Columns that count tries.
        scope: Columns that are part of the key wherever they differ.
        falls_back: A key of single rows gives way to the next one that groups them.
        unpack: Name of the function in ``unpack`` that flattens the rows.
        many_prompts: A task may hold several prompts, so an id is never told apart by them.
        blocks: A prompt drawn twice in a step stands in two blocks, which are two groups.
    """

    name: str
    needs: tuple[str, ...]
    any_of: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    task: tuple[str, ...] = ()
    reward: tuple[str, ...] = ()
    reply: tuple[str, ...] = ()
    rollout: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    falls_back: bool = False
    unpack: str = ""
    many_prompts: bool = False
    blocks: bool = False


FORMATS: Final = (
    Format("figures", ("task",), ("mistake", "reply_chars", "behavior", "reply_key"),
           lacks=("schema_version",), task=("task",), reward=("reward",), reply=("reply",),
           rollout=("rollout",), many_prompts=True),
    Format("Inspect log", ("id", "epoch", "scores"), task=("id",), reward=("scores",),
           rollout=("epoch",), unpack="inspect"),
    Format("whileai rows", ("scenario_id", "final_text"),
           task=("scenario_id", "task_id", "prompt"), reply=("final_text",),
           rollout=("rollout_index",), many_prompts=True, unpack="whileai"),
    Format("whileai export", ("messages", "reward"), ("group_id", "loss_mask", "n1"),
           task=("group_id", "scenario_id", "prompt", "messages"), reply=("messages",),
           many_prompts=True),
    Format("whileai export", ("messages", "reward", "scenario_id"),
           task=("scenario_id", "messages"), reply=("messages",), many_prompts=True),
    Format("verifiers traces", ("env", "task", "traces"), task=("task",),
           reward=("reward",), unpack="verifiers_traces"),
    Format("verifiers results", ("example_id", "prompt", "completion", "reward"),
           task=("example_id", "prompt"), reply=("completion",), scope=("env_id", "task"),
           falls_back=True, unpack="verifiers"),
    Format("open-instruct traces", ("prompt_idx", "response_tokens"), task=("prompt_idx",),
           rollout=("sample_idx",), unpack="tokens"),
    Format("tinker rollout summaries", ("group_idx", "traj_idx", "total_reward"),
           task=("group_idx",), reward=("total_reward",), rollout=("traj_idx",), scope=("split",),
           unpack="tinker"),
    Format("verl rollout dump", ("input", "output", "score"), ("gts", "step"),
           task=("uid", "input"), reward=("score", "acc"), reply=("output",)),
    Format("SkyRL dump", ("input_prompt", "output_response", "score"),
           task=("uid", "input_prompt"), reward=("score",), reply=("output_response",),
           scope=("file",)),
    Format("lm-eval samples", ("doc_id", "resps"), ("filtered_resps", "filter", "metrics"),
           task=("doc_id",), reply=("reply",), scope=("filter",), unpack="lm_eval"),
    Format("rllm results", ("idx", "attempt", "reward"), task=("idx",), rollout=("attempt",)),
    Format("rlhf-book cache", ("completions", "rewards"), task=("question", "prompt"),
           reward=("rewards",), reply=("completions",), unpack="lists"),
    Format("POLARIS steps", ("index", "score"), lacks=("prompt", "completion", "messages"),
           task=("index",), reward=("score",), unpack="lists"),
    Format("TRL completions", ("step", "prompt", "completion"), ("advantage", "reward"),
           task=("prompt",), reply=("completion",), blocks=True),
    Format("HumanEval or EvalPlus samples", ("task_id",), ("completion", "solution"),
           lacks=("messages", "prompt"), task=("task_id",),
           reward=("passed", "plus_status", "base_status"), reply=("completion", "solution")),
    Format("chat rows", ("messages",), reply=("messages",)),
    Format("table", ()),
)  # fmt: skip


def recognise(table: Table, name: str) -> Format:
    """Return the first format whose keys a file has.

    Raises:
        ReadError: For preference pairs, which hold no groups.
    """
    keys = {key for key in table.columns if key in table}
    if all(any(key == side or key.startswith(f"{side}_") for key in keys)
           for side in ("chosen", "rejected")):  # fmt: skip
        raise ReadError(
            f"{name} holds preference pairs (chosen, rejected): one pair is not a group of graded "
            "tries, so there is no pass rate and no contrast to select by; give the graded "
            "rollouts the pairs were made from"
        )
    for form in FORMATS:
        fits = keys.issuperset(form.needs) and not keys.intersection(form.lacks)
        if fits and (not form.any_of or keys.intersection(form.any_of)) and _shapes(form, table):
            return form
    return FORMATS[-1]


def _shapes(form: Format, table: Table) -> bool:
    """Check what keys alone do not tell: POLARIS and the rlhf-book have lists in their cells."""
    if form.unpack != "lists":
        return True
    first = table.cells(form.reward[0])
    return len(first) > 0 and isinstance(first[0], list)
