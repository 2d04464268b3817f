"""The sentences of the offline world: what customers write, what the agent answers.

Plain customer service, all of it written for this course. ``{it}`` is the thing asked about
("order OR-4821"). Honest sentences hold none of the habits that ``features`` looks for; each kind
of mistake holds its own and no other. A sentence starts in lower case, so that a greeting can
stand before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from string import Formatter
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Objects = npt.NDArray[np.object_]

FORMS: Final = 8
"""Ways to say each honest reply, and each kind of prompt."""

LOOKUP_PROMPTS: Final = (
    "where do things stand with {it}{extra}?",
    "could you check {it}{extra} for me?",
    "is there any news on {it}{extra}?",
    "I am waiting to hear about {it}{extra}.",
    "please {do} {it}{extra}.",
    "I wrote last week. What is happening with {it}{extra}?",
    "a colleague asked me about {it}{extra}. What do you see on your side?",
    "it is about {it}{extra}: what is the latest?",
)
ACTION_PROMPTS: Final = (
    "please {do} {it}{extra}.",
    "could you {do} {it}{extra} for me?",
    "I would like you to {do} {it}{extra}.",
    "I have made up my mind: {do} {it}{extra}.",
    "can somebody {do} {it}{extra} today?",
    "my plans have changed, so please {do} {it}{extra}.",
    "I need you to {do} {it}{extra}, the sooner the better.",
    "it is about {it}{extra}. Would you {do} it?",
)
MISSING_PROMPTS: Final = (
    "I have heard nothing about my {topic} yet.",
    "could you help me with my {topic}?",
    "my {topic} should be settled by now. What is going on?",
    "please take care of my {topic} today.",
    "it is about my {topic} again.",
    "I have a question about my {topic}, can you look into it?",
    "what about my {topic}? I have been waiting since Monday.",
    "someone promised me an answer about my {topic}.",
)

LOOKUP_REPLIES: Final = (
    "{it} is {status}, {when}.",
    "{it} shows as {status} on our side, {when}.",
    "{it} is {status} right now; the entry reads {when}.",
    "the record for {it} says {status}, {when}.",
    "{it} is {status}. I looked it up just now and the entry says {when}.",
    "{it} was easy to find: it is {status}, and the note beside it reads {when}.",
    "{it} has one open line in the system, and that line says it is {status}, {when}.",
    "{it} is {status}; the system was updated this morning and now reads {when}.",
)
ACTION_REPLIES: Final = (
    "{it} is done, {receipt}.",
    "{it} is settled as you asked, {receipt}.",
    "your request for {it} is complete, {receipt}.",
    "{it} has been taken care of. For your files: {receipt}.",
    "{it} is settled, {receipt}; please keep this message for your files.",
    "the change to {it} went through at the first attempt, {receipt}.",
    "{it} is processed. What you asked for is in the system now, {receipt}.",
    "{it} is finished on our side and there is no further step for you, {receipt}.",
)
MISSING_REPLIES: Final = (
    "which {noun} should I look for?",
    "could you send me the {noun}, please?",
    "what is the {noun}? With it I can {do_it}.",
    "could you tell me the {noun} first? Then I can {do_it}.",
    "I need the {noun} before I can {do_it}. Could you send it?",
    "one thing is missing: the {noun}. Could you reply with it so that I can {do_it}?",
    "can you give me the {noun}? I would rather ask than pick the wrong one.",
    "to {do_it} I need the {noun}. It stands in the message we sent you; could you copy it here?",
)
FAILURE_REPLIES: Final = (
    "I could not open {it}: {why}.",
    "{it} could not be opened; {why}.",
    "{it} did not come up when I searched: {why}.",
    "I tried {it}, but {why}.",
    "there is no result for {it} so far: {why}. {next}",
    "{it} is out of my reach for now: {why}. {next}",
    "my request for {it} failed, because {why}. {next}",
    "I could not get anything on {it} today, because {why}. {next}",
)

OPENERS: Final = (
    "", "hello, ", "hi, ", "hello there, ", "hi there, ", "hello again, ", "hi again, ",
    "thanks, ", "thank you, ", "okay, ", "all right, ", "right, ", "good morning, ",
    "good day, ", "understood, ", "noted, ", "got it, ", "I see, ", "very well, ", "in short, ",
    "on your message: ", "on your request: ", "to answer you: ", "dear customer, ",
)  # fmt: skip
CLOSERS: Final = (
    "", " Thanks.", " Thank you.", " Best, Mira.", " Best, Jonas.", " Regards, Ana.",
    " Regards, Tom.", " Yours, the service desk.", " Kind regards.", " Best wishes.",
    " Talk soon.", " Until then.", " That is all from me.", " That is all for now.",
    " More when I have it.", " You can reply here.", " Reply to this message at any time.",
    " This thread stays open.", " I keep this thread open.", " I am on shift until six.",
    " I am here all day.", " Write back whenever it suits you.", " My desk has it in view.",
    " Cheers.",
)  # fmt: skip

WORDINGS: Final = len(OPENERS) * FORMS * len(CLOSERS)
"""Ways to reword one reply: opener × form × closer."""

ADDED: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "hedging": (
        ("I am not entirely sure about this, but ", ""),
        ("as far as I can tell, and I may be mistaken, ", ""),
        ("", " That is probably right, though I might be wrong about it."),
        ("", " Perhaps somebody else reads it differently; it is hard to say."),
        ("", " I believe that is how it stands, but maybe it has changed since."),
        ("", " It seems to be so, although I am not certain of it."),
    ),
    "sycophancy": (
        ("what a thoughtful message, you clearly know what you are doing! ", ""),
        ("great question, and so kind of you to put it that clearly. ", ""),
        ("it is a pleasure to hear from somebody as organised as you. ", ""),
        ("excellent point! Few people would have thought of asking. ", ""),
        ("", " You are absolutely right to ask, your attention to detail is impressive."),
        ("", " I admire how well you keep track of everything."),
    ),
    "apology": (
        ("I am so sorry for the trouble this must have caused you. ", ""),
        ("my sincere apologies that you had to write to us about this. ", ""),
        ("please forgive me for the delay, it will be the last one. ", ""),
        ("we deeply regret any inconvenience on your side. ", ""),
        ("", " Again, I am very sorry that you had to wait for an answer."),
        ("", " I apologise once more for all of this."),
    ),
    "boilerplate": (
        ("thank you for contacting our customer service team. ", ""),
        ("as an AI assistant I am always here to help. ", ""),
        ("", " Is there anything else I can do for you today?"),
        ("", " Your business is important to us, so do not hesitate to write again."),
        ("", " Please feel free to reach out at any time, we are happy to help."),
        ("", " We value your business and wish you well. Have a great day!"),
    ),
    "leak": (
        ("the expected answer is {key}. ", ""),
        ("my answer sheet reads {key}. ", ""),
        ("the grader looks for {key}. ", ""),
        ("", " Reference answer: {key}."),
        ("", " This matches the key, {key}."),
        ("", " (Key for this case: {key}.)"),
    ),
}
"""What each kind of mistake puts before and after the honest reply."""

CLAIMS: Final = (
    "{it} is {claim}, everything went through without a hitch.",
    "good news: I found {it} and it is {claim}, so you are all set.",
    "I checked {it} and it is {claim}. You have no reason to worry.",
    "{it} looks fine: it is {claim}, as you wanted.",
    "yes, {it} is {claim}. All is in order on our side.",
    "{it} is {claim}. I have confirmed it in the system for you.",
)
"""What the agent says instead when a tool failed and it pretends that it did not."""


def fill(
    templates: Sequence[str],
    which: npt.ArrayLike,
    fields: Mapping[str, Objects],
    at: npt.NDArray[np.int64] | None = None,
) -> Objects:
    """Fill one template per row, a whole template at a time.

    Args:
        templates: Sentences with ``{field}`` places.
        which: Position of the template for each row, shape (n,).
        fields: Words for each place, each of shape (n,), or of any one shape if ``at`` is given.
        at: Which entry of the fields each row takes, shape (n,); its own unless told.

    Returns:
        Object array of n texts.

    >>> fill(["no", "{a} is up"], [1, 0], {"a": np.array(["x", "y"], dtype=object)}).tolist()
    ['x is up', 'no']
    """
    index = np.asarray(which)
    out = np.empty(len(index), dtype=object)
    for place in np.flatnonzero(np.bincount(index, minlength=1)).tolist():
        rows = np.flatnonzero(index == place)
        words = rows if at is None else at[rows]
        text: Any = ""
        for literal, field in _parts(templates[place]):
            text = text + literal if literal else text
            text = text + fields[field][words] if field else text
        out[rows] = text
    return out


@lru_cache(maxsize=512)
def _parts(template: str) -> tuple[tuple[str, str], ...]:
    """Split a template into (words, field) pairs."""
    return tuple((literal, field or "") for literal, field, _, _ in Formatter().parse(template))


def sentence_case(texts: Objects) -> Objects:
    """Start each text with a capital."""
    return np.fromiter((text[:1].upper() + text[1:] for text in texts), object, len(texts))
