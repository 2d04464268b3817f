"""The glossary: at most fifteen entries, one plain sentence each, linked where first used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape as html_escape
from html.parser import HTMLParser
from pathlib import Path

import marimo as mo
import pytest

from tests.test_lessons import LESSONS, notebook
from whilecore.course.glossary import TERMS, WORDS, glossary, term


def test_there_are_at_most_fifteen_terms() -> None:
    assert 10 <= len(TERMS) <= 15


@pytest.mark.parametrize("name", TERMS)
def test_a_definition_is_one_short_sentence(name: str) -> None:
    assert re.fullmatch(r"[A-Z][^.]*\.", TERMS[name])
    assert len(TERMS[name].split()) <= 20


def test_the_first_use_is_a_button_that_opens_its_own_definition() -> None:
    html = term("pass rate", "pass rates")
    opened = re.search(r'popovertarget="([^"]+)"', html)
    assert opened is not None
    assert f'popover="auto" id="{opened[1]}"' in html
    assert ">pass rates</button>" in html
    assert html_escape(TERMS["pass rate and pass@k"], quote=False) in html


def test_every_term_has_an_id_of_its_own() -> None:
    ids = [re.findall(r'id="([^"]+)"', term(name))[0] for name in WORDS]
    assert len(set(ids)) == len(WORDS)
    assert not any(" " in one for one in ids)


def test_the_list_at_the_foot_has_every_term() -> None:
    html = glossary().text
    assert [name for name in TERMS if f"<dt>{name}</dt>" not in html] == []


def test_an_unknown_word_is_refused_with_the_words_there_are() -> None:
    with pytest.raises(KeyError, match="the glossary has task, rollout.*got 'episode'"):
        term("episode")


def test_words_that_share_an_entry_open_the_same_sentence() -> None:
    assert set(WORDS.values()) == set(TERMS)
    for one, other in (("judge", "reward"), ("SFT", "rejection sampling"), ("gate", "leak")):
        assert WORDS[one] == WORDS[other]
        assert f"<b>{WORDS[one]}</b>" in term(one)


# How a word may stand in a sentence, where that is not the word itself or its plural.
FORMS = {
    "duplicate": r"duplicates?|copies(?! what)|(?:(?<=\ba )|(?<=\ba «))copy",  # not "to copy"
    "repeats": r"repeats(?! (?:an|itself)\b)",  # not "repeats an earlier one"
    "group": r"groups?(?!-)",  # not "group-based"
    "reward correlation": r"(?:reward )?correlations?",
    "rollout": r"rollouts?",
    "gate": r"gates?",
}
# What is no running text. Of captions only what they link counts.
SKIPPED_TAGS = {"h1", "h2", "summary", "script", "style", "nav", "th"}
SKIPPED_CLASSES = {"wc-definition", "wc-meta", "wc-sources", "wc-glossary", "wc-notes", "wc-nav",
                   "wc-bar", "wc-skip", "wc-legend",
                   "wc-when-file"}  # fmt: skip
VOID = {"br", "img", "input", "hr", "meta", "link"}


class Prose(HTMLParser):
    """The running text of a page in reading order, links to the glossary marked «like this»."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.open: list[tuple[str, bool, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        classes = set((dict(attrs).get("class") or "").split())
        skipped = tag in SKIPPED_TAGS or bool(classes & SKIPPED_CLASSES)
        self.open.append((tag, skipped, "wc-term" in classes))
        self.text += "«" if "wc-term" in classes else ""

    def handle_endtag(self, tag: str) -> None:
        while self.open:
            last, _, is_term = self.open.pop()
            self.text += "»" if is_term else ""
            if last == tag:
                break

    def handle_data(self, data: str) -> None:
        linked = any(is_term for *_, is_term in self.open)
        if linked or not any(skipped for _, skipped, _ in self.open):
            self.text += data


def prose(path: Path) -> str:
    """Return a lesson's text as it stands before anybody answers, its cells in order."""
    outputs, _ = notebook(path).app.run()
    parser = Prose()
    for output in outputs:
        if output is not None:
            parser.feed(mo.as_html(output).text)
    return re.sub(r"\s+", " ", parser.text)


def unlinked(text: str) -> Iterator[str]:
    """Yield each word of the glossary whose first use in a text is no link, with what is there."""
    for word in WORDS:
        form = FORMS.get(word, rf"{re.escape(word)}s?")
        first = re.search(rf"(?<![\w@-])(?:{form})(?![\w@])", text, re.IGNORECASE)
        if first and not (text[: first.start()].endswith("«") and text[first.end()] == "»"):
            yield f"{word}: …{text[max(0, first.start() - 40) : first.end() + 20]}…"


def test_a_first_use_without_a_link_is_found() -> None:
    assert [one.split(":")[0] for one in unlinked("A «task» and its reward, «rewards» later.")] == [
        "reward"
    ]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_word_of_the_glossary_is_linked_from_its_first_use_on_the_page(path: Path) -> None:
    text = prose(path)
    assert len(text.split()) > 200
    assert "«" in text
    assert list(unlinked(text)) == []
