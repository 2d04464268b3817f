"""One message, three readers: Python, the command line, a page."""

from __future__ import annotations

import numpy as np
import pytest

from whilecore import read_rollouts
from whilecore.formats.wording import as_controls, as_options
from whilecore.readers import ReadError
from whilecore.rewards import pass_cut


@pytest.mark.parametrize(
    ("message", "option", "control"),
    [
        ("take task='my id'", "take --task 'my id'", "take “my id” in the menu “task”"),
        ("reward=('a', 'b')", "--reward a --reward b", "“a + b” in the menu “reward”"),
        ("step=False", "--step none", "“pooled” in the menu “training steps”"),
        ("rollout='r'", "--rollout r", "“r” in the menu “repeat”"),
        ("""task="it's\"""", """--task 'it'"'"'s'""", "“it's” in the menu “task”"),
        ("nothing to name", "nothing to name", "nothing to name"),
        ("subtask='x'", "subtask='x'", "subtask='x'"),
    ],
)
def test_a_choice_is_named_as_it_is_called_there(message: str, option: str, control: str) -> None:
    assert as_options(message) == option
    assert as_controls(message) == control


def test_a_cut_that_is_missing_is_asked_for_in_each_place() -> None:
    with pytest.raises(ValueError, match="smallest reward") as caught:
        pass_cut(np.array([0.0, 5.0]), None, "min_reward", 1.0)
    assert "give --pass-at-least, the smallest reward that passes" in as_options(str(caught.value))
    assert "pass_at_least" not in as_controls(str(caught.value))
    assert "in the box “pass from reward”" in as_controls(str(caught.value))


def test_no_keyword_of_python_is_left_in_a_reader_s_message() -> None:
    rows = b"".join(b'{"id": %d, "a_reward": 1, "b_reward": 0}\n' % n for n in range(4))
    with pytest.raises(ReadError) as several:
        read_rollouts(rows)
    with pytest.raises(ReadError) as single:
        read_rollouts(rows, reward="a_reward")
    for caught in (several, single):
        for said in (as_options(str(caught.value)), as_controls(str(caught.value))):
            assert "task=" not in said and "reward=" not in said
