"""whilecore: which LLM rollouts are worth training on, one gate at a time.

>>> import whilecore as wc
>>> wc.printed_run().select(mode="rl").report["kept"]
29
"""

from whilecore import gates, groups, intervals, judges, reward_scan
from whilecore.agent import seeded_agent
from whilecore.compare import Comparison, compare
from whilecore.groups import advantages
from whilecore.overlap import overlap
from whilecore.partitions import select_partitions
from whilecore.power import tasks_needed
from whilecore.readers import printed_run, read_rollouts
from whilecore.rollouts import Rollouts
from whilecore.selection import Selection, select
from whilecore.simulate import simulate
from whilecore.tools import tool

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "Rollouts",
    "Selection",
    "advantages",
    "compare",
    "gates",
    "groups",
    "intervals",
    "judges",
    "overlap",
    "printed_run",
    "read_rollouts",
    "reward_scan",
    "seeded_agent",
    "select",
    "select_partitions",
    "simulate",
    "tasks_needed",
    "tool",
]
