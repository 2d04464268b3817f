"""Write the sample files with known faults: ``python tests/make_samples.py``.

The files are the same on every run. What is wrong with each is said in ``readers.SAMPLES``.
"""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "whilecore" / "data" / "samples"
PLACES = ("Lisbon", "Oslo", "Turin", "Ghent", "Bilbao", "Riga", "Cork", "Graz")
GOODS = ("a desk lamp", "two chairs", "a kettle", "a bookcase", "a rug", "six plates", "a mirror")
FAULTS = ("the wheel squeaks", "the lid does not close", "one leg is loose", "the paint peels",
          "the screen stays dark", "the hinge is bent")  # fmt: skip
PADDING = (
    "I looked at this with care before I wrote to you.",
    "There are a few things to say about it first.",
    "As far as the records go back, nothing else is open.",
    "It may help to know how we keep these records.",
)


def crashes() -> str:
    """Results of an evaluation: an outage graded 0, free-text scores, two broken lines."""
    draw = random.Random(11)
    lines = []
    for task in range(20):
        place, goods = draw.choice(PLACES), draw.choice(GOODS)
        days, rate = draw.randint(2, 9), draw.choice([0.2, 0.5, 0.5, 0.8, 1.0])
        asked = f"How long to {place} for {goods}, order {4100 + task}?"
        for _ in range(6):
            good = draw.random() < rate
            said = days if good else draw.choice([one for one in range(2, 10) if one != days])
            opening = draw.choice(["It takes", "Count on", "The way there takes", "That is"])
            row: dict[str, Any] = {
                "example_id": task,
                "prompt": [{"role": "user", "content": asked}],
                "completion": [{"role": "assistant", "content": f"{opening} {said} days."}],
                "answer": str(days),
                "reward": float(good),
                "error": None,
                "is_truncated": False,
                "timing": {"total_ms": draw.randint(300, 900)},
            }
            if 6 <= task < 12 and draw.random() < 0.35:  # the shop's system was down for a while
                row |= {
                    "completion": [{"role": "assistant", "content": ""}],
                    "reward": 0.0,
                    "error": {"type": "ConnectError", "message": "shop system unreachable"},
                }
            elif draw.random() < 0.05:
                row["reward"] = draw.choice(["Score: 8/10", "not bad", "9"])
            lines.append(json.dumps(row))
    lines[40] = lines[40][: len(lines[40]) // 2]
    lines[77] = "Traceback (most recent call last):"
    return "\n".join(lines) + "\n"


def own_ids() -> str:
    """Tries of a repair agent: an id and a workspace path per try, the task in ``ticket``."""
    draw = random.Random(12)
    out = io.StringIO()
    rows = []
    for ticket in range(25):
        goods, fault = draw.choice(GOODS), draw.choice(FAULTS)
        rate = draw.choice([0.1, 0.4, 0.6, 0.9])
        for _ in range(4):
            good = draw.random() < rate
            own = f"{draw.getrandbits(32):08x}"
            rows.append({
                "id": own,
                "ticket": f"T-{100 + ticket}",
                "prompt": f"Workspace /srv/ws_{own}. A customer sent back {goods}: {fault}. "
                "What do you do?",
                "response": draw.choice(
                    ["I repaired it and tested it twice.", "Mended, tested, on its way back.",
                     "The part was replaced; it works."] if good else
                    ["I could not find the fault.", "I sent it on without a look.",
                     "I ordered a new one and closed the ticket."]),
                "passed": int(good),
            })  # fmt: skip
    draw.shuffle(rows)
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def two_steps() -> str:
    """A trainer's completions: steps 10 and 60 in one file, two rewards, one paying for length."""
    draw = random.Random(13)
    lines = []
    for step in (10, 60):
        for task in range(12):
            left, right = 12 + 7 * task, 5 + 3 * task
            rate = min(0.95, 0.15 + 0.05 * task + (0.35 if step == 60 else 0.0))
            for _ in range(8):
                good = draw.random() < rate
                extra = draw.sample(PADDING, draw.randint(0, 4 if step == 60 else 2))
                value = left + right if good else left + right + draw.choice([-10, -1, 1, 10])
                words = " ".join([*extra, f"The sum is {value}."])
                lines.append(json.dumps({
                    "step": step,
                    "prompt": f"user: What is {left} + {right}?",
                    "completion": words,
                    "correct_reward": float(good),
                    "style_reward": round(0.5 * len(extra) / 4 + 0.5 * draw.random(), 2),
                    "advantage": 0.0,
                }))  # fmt: skip
    return "\n".join(lines) + "\n"


SAMPLES = {
    "crashes_scored_zero.jsonl": crashes,
    "every_try_its_own_id.csv": own_ids,
    "two_steps_two_rewards.jsonl": two_steps,
}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, make in SAMPLES.items():
        (FOLDER / name).write_text(make(), encoding="utf-8")
        print(name, (FOLDER / name).stat().st_size, "bytes")
