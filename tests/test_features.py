"""Length and habits of a reply, and what the word lists must and must not find."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whilecore.features import DETECTORS, admits_failure, ignored_failure, text_features

SAID = {
    "boilerplate": (
        "As an AI I have no opinion.", "I am a large language model.",
        "Thanks for reaching out.", "Happy to help!", "We are glad to assist.",
        "Anything else I can do?", "Please don\u2019t hesitate.", "Feel free to call.",
        "Let us know if it fits.", "We value your time.", "Dear valued customer,",
        "You are important to us.", "Have a lovely day.",
    ),
    "hedging": (
        "I think so.", "I believe it is.", "I guess.", "I suppose so.", "Perhaps.", "Maybe.",
        "Possibly late.", "Probably late.", "Presumably late.", "It might be late.",
        "It seems fine.", "It appears to work.", "I am not quite sure.", "I am not certain.",
        "I could be wrong.", "I may be mistaken.", "As far as I know, yes.",
        "Yes, to the best of my knowledge.", "That is hard to say.",
    ),
    "sycophancy": (
        "Great question!", "Excellent point.", "A fantastic choice.",
        "What a really thoughtful note.", "You are absolutely right.", "How so kind of you.",
        "That is impressive.", "I admire that.", "Brilliant.", "An exceptional order.",
        "It is a pleasure to serve.", "A privilege to read this.", "It is an honour to help out.",
        "You have excellent taste.", "You are our best customer.",
    ),
    "apology": (
        "Sorry.", "My apologies.", "I apologise.", "Please forgive us.", "We regret this.",
        "That was my mistake.", "It is my fault.", "Oh, my bad.", "Pardon the delay.",
    ),
    "refusal": (
        "I can't help with that.", "I cannot assist you.", "I can not share it.",
        "I won't discuss it.", "I will not comply.", "I am unable to help.",
        "I must decline.", "I have to refuse.", "It is against our policy.",
        "I am not allowed to say.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("habit", DETECTORS)
def test_every_word_of_a_list_is_found_by_a_sentence_that_holds_it(habit: str) -> None:
    assert text_features(SAID[habit])[habit].all()
    # Each pattern has a sentence here, so that a stem which hides its own pattern is noticed.
    for stem in DETECTORS[habit]:
        assert any(stem in said.lower().replace("\u2019", "'") for said in SAID[habit]), stem


@pytest.mark.parametrize(
    "plain",
    [
        "Order OR-4821 is on its way, expected Thursday.",
        "It will leave in May and reach the right depot.",
        "Could you send me the order id, please?",
        "The customer has a question about the price.",
        "I can help with that.",
        "",
    ],
)
def test_plain_service_language_shows_no_habit(plain: str) -> None:
    found = text_features([plain])
    assert not any(found[habit][0] for habit in DETECTORS)


def test_length_is_counted_in_code_points() -> None:
    # Four Chinese characters; three emoji; a family of three joined by two joiners: 3 + 2 = 5.
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    found = text_features(["你好世界", "🔥🎉💯", family])
    assert found["reply_chars"].tolist() == [4, 3, 5]


def test_a_missing_reply_counts_as_empty() -> None:
    found = text_features([None, float("nan"), "two words"])
    assert found["reply_chars"].tolist() == [0, 0, 9]
    assert found["reply_words"].tolist() == [0, 0, 2]


def test_no_replies_give_empty_columns() -> None:
    assert all(values.shape == (0,) for values in text_features([]).values())


@settings(deadline=None)
@given(st.lists(st.sampled_from([*SAID["apology"], *SAID["hedging"], "Fine.", ""]), max_size=12))
def test_features_of_a_reply_do_not_depend_on_the_other_replies(replies: list[str]) -> None:
    together = text_features(replies)
    for place, reply in enumerate(replies):
        for name, values in text_features([reply]).items():
            assert together[name][place] == values[0]


@pytest.mark.parametrize(
    "reply",
    [
        "I could not find it.", "The lookup failed.", "There is no record of it.",
        "The service is down right now.", "It timed out.", "I was unable to open it.",
        "Nothing under that number.",
    ],
)  # fmt: skip
def test_saying_that_nothing_was_found_admits_the_failure(reply: str) -> None:
    assert admits_failure([reply]).tolist() == [True]


def test_only_a_failed_call_that_goes_unsaid_is_ignored() -> None:
    replies = ["It is on its way.", "It is on its way.", "I could not find it."]
    assert ignored_failure(replies, [True, False, True]).tolist() == [True, False, False]


def test_ignored_failure_wants_one_flag_per_reply() -> None:
    with pytest.raises(ValueError, match="one flag per reply"):
        ignored_failure(["a", "b"], np.array([True]))
