"""Held-out tasks that were trained on are found: by label, by text, nearly."""

import math

import pandas as pd
import pytest

import whilecore as wc
from whilecore.overlap import KINDS, overlap
from whilecore.rollouts import Rollouts
from whilecore.training import Plan, train
from whilecore.world import draw_world

ASK = "A colleague asked me about the delayed order. What do you see on your side?"


def asks(**texts):
    """Build rollouts of one try per text; a task may have a list of texts."""
    rows = [
        {"task": task, "prompt": text}
        for task, some in texts.items()
        for text in ([some] if isinstance(some, str) else some)
    ]
    return Rollouts.from_frame(pd.DataFrame(rows))


def kinds(found):
    return [(pair.train, pair.held_out, pair.kind) for pair in found.pairs]


def test_each_kind_is_found_and_named():
    training = asks(
        a="Where is my parcel?",
        b="Please cancel the second order.",
        c=ASK,
        d="Something else altogether.",
    )
    held = asks(
        a="Which invoice is open?",
        x="please CANCEL the second order!",
        y=ASK.replace("delayed", "late"),
        z="Is there any news?",
    )
    found = overlap(training, held)
    assert kinds(found) == [
        ("a", "a", "same task"),
        ("b", "x", "same text"),
        ("c", "y", "near copy"),
    ]
    assert found.leaked == ("a", "x", "y") and found.tasks == 4
    text = str(found)
    assert "3 of 4 held-out tasks are in the training set" in text
    assert "same task: 1 pairs: a" in text and "same text: 1 pairs: b = x" in text
    assert "near copy: 1 pairs: c = y (0.75)" in text
    assert "1 of the same labels stand over different texts, the first a" in text


def test_sets_with_nothing_in_common_are_clean():
    found = overlap(asks(a="Where is my parcel?"), asks(b="Is the invoice paid?"))
    assert len(found) == 0 and found.leaked == () and found.notes == ()
    assert str(found) == "0 of 1 held-out tasks are in the training set"


@pytest.mark.parametrize(
    "copy",
    [
        "  a colleague asked me about the delayed order what do you see on your side",
        "A COLLEAGUE asked me — about the delayed order: what do you see, on your side?",
        "Ａ colleague asked me about the delayed order. What do you see on your side?",
    ],
)
def test_case_punctuation_and_spacing_do_not_hide_a_copy(copy):
    assert kinds(overlap(asks(a=ASK), asks(b=copy))) == [("a", "b", "same text")]


@pytest.mark.parametrize(
    ("copy", "found"),
    [
        (ASK.replace("colleague", "collegue"), True),  # a typing error
        (ASK.replace("do you", "can you"), True),  # a word
        ("Someone wants to know how that shipment is coming along.", False),  # other words
        (f"Read this. {ASK} " + "Answer in two lines, be polite, name the id. " * 4, False),
    ],
)
def test_small_changes_are_near_copies_and_paraphrases_are_not(copy, found):
    assert (kinds(overlap(asks(a=ASK), asks(b=copy))) == [("a", "b", "near copy")]) is found


def test_asks_that_differ_in_a_number_alone_are_two_tasks_unless_asked_for():
    training, held = (
        asks(a="Where is order OR-7927 now, please?"),
        asks(b="Where is order OR-7928 now, please?"),
    )
    assert len(overlap(training, held)) == 0
    assert kinds(overlap(training, held, same_numbers=False)) == [("a", "b", "near copy")]


def test_the_threshold_decides_and_one_leaves_no_near_copies():
    training, held = asks(a=ASK), asks(b=ASK.replace("delayed", "late"))
    assert len(overlap(training, held, threshold=0.8)) == 0
    assert len(overlap(training, held, threshold=0.7)) == 1
    assert len(overlap(training, held, threshold=1.0)) == 0


def test_a_task_of_several_texts_is_found_by_any_of_them_and_listed_once():
    training = asks(a=["Hello there, my friend.", ASK])
    held = asks(b=[ASK, ASK.replace("delayed", "late"), "Unrelated words here."])
    found = overlap(training, held)
    assert kinds(found) == [("a", "b", "same text")] and found.pairs[0].similarity == 1


def test_without_texts_labels_alone_are_compared_and_it_says_so():
    figures = Rollouts.from_frame(pd.DataFrame({"task": ["a", "b"], "reward": [1, 0]}))
    found = overlap(figures, asks(b="Anything.", c="Other."))
    assert kinds(found) == [("b", "b", "same task")]
    assert math.isnan(found.pairs[0].similarity)
    assert "train holds no text (prompt)" in str(found)


def test_the_same_task_with_the_same_text_needs_no_note():
    found = overlap(asks(a=ASK), asks(a=ASK))
    assert found.notes == () and found.pairs[0].similarity == 1
    assert found.pairs[0].kind == KINDS[0]


def test_row_order_changes_nothing():
    texts = {f"t{i}": ASK.replace("order", f"order {i % 7}") for i in range(20)}
    training, held = asks(**texts), asks(**{f"h{i}": text for i, text in enumerate(texts.values())})
    found = overlap(training, held)
    shuffled = [
        Rollouts.from_frame(run.frame.sample(frac=1, random_state=1)) for run in (training, held)
    ]
    assert overlap(*shuffled).pairs == found.pairs and len(found) > 20


@pytest.mark.parametrize("kind", ["same task", "same text", "near copy"])
def test_a_training_task_leaked_into_the_toys_held_out_set_is_caught(kind):
    world = draw_world(4, 4)
    clean = train(world, Plan(steps=1, runs=1))
    assert len(overlap(clean.evaluate(tasks="pool", tries=1), clean.evaluate(tries=1))) == 0
    run = train(world.leaked(1), Plan(steps=1, runs=1))
    frame = run.evaluate(tries=1).frame
    label = run.world.held_out.labels[run.world.held_out.trained >= 0][0]
    if kind != "same task":
        frame["task"] = frame["task"].replace(label, "renamed")
    if kind == "near copy":
        frame["prompt"] = frame["prompt"].str.replace("work it out and", "work it out, then")
    held = Rollouts.from_frame(frame)
    found = overlap(run.evaluate(tasks="pool", tries=1), held)
    assert [pair.kind for pair in found.pairs] == [kind]
    assert found.leaked == ((label,) if kind == "same task" else ("renamed",))


def test_many_asks_of_few_templates_are_not_taken_for_copies():
    @wc.tool
    def get_order(order_id: str) -> dict:
        """Look up an order by id."""

    def drawn(seed, name):
        data = wc.simulate(wc.seeded_agent([get_order]), repeats=1, budget=200, seed=seed)
        frame = data.frame[["task", "prompt"]]
        return Rollouts.from_frame(frame.assign(task=name + frame["task"]))

    found = overlap(drawn(0, "a"), drawn(1, "b"))
    prompts = [
        dict(zip(d.frame["task"], d.frame["prompt"], strict=True))
        for d in (drawn(0, "a"), drawn(1, "b"))
    ]
    assert found.pairs and {pair.kind for pair in found.pairs} == {"same text"}
    assert all(prompts[0][p.train] == prompts[1][p.held_out] for p in found.pairs)


def test_other_things_than_rollouts_and_thresholds_out_of_range_are_refused():
    with pytest.raises(TypeError, match=r"train must be Rollouts, got DataFrame"):
        overlap(pd.DataFrame(), asks(a="x"))
    with pytest.raises(ValueError, match="threshold must lie above 0"):
        overlap(asks(a="x"), asks(b="y"), threshold=0)
