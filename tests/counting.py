"""How much work something is, counted in calls: seconds say more about the machine."""

import sys
from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """Return how many calls and returns of functions, ours and C's, some work makes."""
    made = 0

    def count(*_: object) -> None:
        nonlocal made
        made += 1

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return made
