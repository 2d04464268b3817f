"""Asks × tries: an offline run whose truth is known.

Rollout j of task i depends on the agent and (seed, i, j) alone. Raising ``repeats`` adds tries
and raising ``budget`` adds tasks; neither changes what was there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from whilecore import replies
from whilecore.agent import KINDS, SeededAgent
from whilecore.asks import FAILING, Asks, draw_asks
from whilecore.rollouts import Rollouts
from whilecore.subjects import subject_of
from whilecore.tools import as_tools

Ints = npt.NDArray[np.int64]

MISTAKES: Final = np.array([*KINDS, ""], dtype=object)
"""Names of the mistakes; the last, at −1, is an honest try."""


def simulate(
    agent: SeededAgent,
    tools: Sequence[Any] | None = None,
    *,
    system_prompt: str = "",
    simulator: bool = False,
    mode: str = "rl",
    repeats: int = 4,
    repeat_policy: str = "fixed",
    budget: int = 64,
    seed: int = 0,
) -> Rollouts:
    """Draw tasks and let the agent try each of them ``repeats`` times.

    Args:
        agent: From ``seeded_agent``.
        tools: The agent's tools; they may be left out.
        system_prompt: Kept with the run; the stand-in does not read it.
        simulator: Must be False: nothing here calls a model.
        mode: "rl" or "sft": what the rollouts are for. The draw is the same for both; it is
            ``select`` that differs.
        repeats: Tries per task, at least 1.
        repeat_policy: Must be "fixed": every task gets the same number of tries.
        budget: Rollouts to spend, at least ``repeats``.
        seed: Whole number of at least 0.

    Returns:
        ``budget // repeats`` whole tasks, their tries in order, not scored yet. What is left of
        the budget is not spent, and said in ``notes``.

    Raises:
        TypeError: If an argument is of the wrong type.
        ValueError: If it has a value that is not allowed.

    >>> from whilecore.agent import seeded_agent
    >>> from whilecore.tools import tool
    >>> @tool
    ... def get_order(order_id: str) -> dict:
    ...     \"\"\"Look up an order by id.\"\"\"
    >>> data = simulate(seeded_agent([get_order]), repeats=4, budget=10)
    >>> len(data), data.frame["task"].unique().tolist()
    (8, ['T000', 'T001'])
    """
    _check_agent(agent, tools)
    _check_choices(simulator, mode, repeat_policy, system_prompt)
    repeats = _whole(repeats, "repeats", 1, "how often each task is tried")
    budget = _whole(budget, "budget", repeats, f"one task takes repeats={repeats} rollouts")
    seed = _whole(seed, "seed", 0, "any such number will do")
    n_tasks = budget // repeats
    task = np.repeat(np.arange(n_tasks), repeats)
    rollout = np.tile(np.arange(repeats), n_tasks)
    asks = draw_asks(tuple(subject_of(one) for one in agent.tools), seed, n_tasks)
    columns, keys = _columns(agent, asks, seed, task, rollout)
    return Rollouts.trusted(
        columns,
        task_codes=task,
        task_labels=asks.labels.copy(),
        reply_codes=keys,
        notes=_notes(n_tasks, repeats, budget),
        system_prompt=system_prompt,
    )


def _columns(
    agent: SeededAgent, asks: Asks, seed: int, task: Ints, rollout: Ints
) -> tuple[dict[str, npt.NDArray[Any]], Ints]:
    """Draw every try and lay the columns out; return them with the identity of each reply."""
    rates = agent.true_pass_rates(seed, len(asks))
    case = asks.case[task]
    mistake = agent.mistakes(seed, task, rollout, rates[task], case)
    wording = agent.wordings(seed, task, rollout)
    keys = replies.same_words(mistake, wording)
    codes, first = _distinct(task, keys)
    texts, found = replies.write(asks, task[first], mistake[first], wording[first])
    kind, n = replies.kind_of(mistake), len(task)
    no = np.zeros(n, np.bool_)
    calls = asks.tool_calls[task]
    columns: dict[str, npt.NDArray[Any]] = {
        "task": asks.labels[task],
        "rollout": rollout,
        "prompt": asks.prompts[task],
        "reply": texts[codes],
        "reward": np.full(n, np.nan),
        "judge_status": np.full(n, "", dtype=object),
        "mistake": MISTAKES[kind],
        "true_pass_rate": rates[task],
        "reply_key": keys,
        "behavior": asks.behavior[task],
        "leak": kind == replies.LEAK,
        "incomplete": no,
        "truncated": no,
        "error": np.full(n, "", dtype=object),
        "ask": asks.codes[task],
        "steps": asks.steps()[task],
        "tool_calls": calls,
        "assistant_turns": calls + 1,
        "ignored_failure": (kind == replies.IGNORED) & (case == FAILING),
    }
    columns |= {name: values[codes] for name, values in found.items()}
    return columns, keys


def _distinct(task: Ints, keys: Ints) -> tuple[Ints, Ints]:
    """Number the distinct replies in order of appearance and say where each first stands."""
    codes, distinct = pd.factorize(task * (int(keys.max()) + 1) + keys)
    first = np.empty(len(distinct), np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return codes.astype(np.int64, copy=False), first


def _notes(n_tasks: int, repeats: int, budget: int) -> tuple[str, ...]:
    """Say what was not spent."""
    left = budget - n_tasks * repeats
    if not left:
        return ()
    return (
        f"budget {budget} pays for {n_tasks} whole tasks of {repeats} tries; "
        f"{left} rollout{'s' * (left > 1)} not spent",
    )


def _check_agent(agent: Any, tools: Sequence[Any] | None) -> None:
    """Check that the agent is ours and that it has the tools it is said to have."""
    if not isinstance(agent, SeededAgent):
        raise TypeError(
            f"agent must come from seeded_agent(tools), got {agent!r}; to look at rollouts of "
            "another agent use Rollouts.from_records or Rollouts.from_frame"
        )
    if tools is None:
        return
    given, known = ([one.name for one in some] for some in (as_tools(tools), agent.tools))
    if sorted(given) != sorted(known):
        raise ValueError(
            f"tools must be the agent's own, {', '.join(known)}, got {', '.join(given)}; give "
            "both the same list, or leave tools= out"
        )


def _check_choices(simulator: Any, mode: Any, repeat_policy: Any, system_prompt: Any) -> None:
    """Check the options that have one or two values."""
    if simulator is not False:
        raise ValueError(
            f"whilecore simulates offline only; pass simulator=False (got {simulator!r})"
        )
    if mode not in ("rl", "sft"):
        raise ValueError(f"mode must be 'rl' or 'sft', got {mode!r}")
    if repeat_policy != "fixed":
        raise ValueError(
            f"repeat_policy must be 'fixed' (every task gets repeats= tries), got {repeat_policy!r}"
        )
    if not isinstance(system_prompt, str):
        raise TypeError(f"system_prompt must be text, got {system_prompt!r}; pass '' for none")


def _whole(value: Any, name: str, least: int, why: str) -> int:
    """Check a whole number."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be a whole number, got {value!r}; {why}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}; {why}")
    return int(value)
