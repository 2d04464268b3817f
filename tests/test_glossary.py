"""The glossary: at most fifteen words, one plain sentence each."""

from __future__ import annotations

import re

import pytest

from whilecore.course.glossary import TERMS, glossary, term


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
    assert TERMS["pass rate"] in html


def test_every_term_has_an_id_of_its_own() -> None:
    ids = [re.findall(r'id="([^"]+)"', term(name))[0] for name in TERMS]
    assert len(set(ids)) == len(TERMS)
    assert not any(" " in one for one in ids)


def test_the_list_at_the_foot_has_every_term() -> None:
    html = glossary().text
    assert [name for name in TERMS if f"<dt>{name}</dt>" not in html] == []


def test_an_unknown_word_is_refused_with_the_words_there_are() -> None:
    with pytest.raises(KeyError, match="the glossary has task, rollout.*got 'episode'"):
        term("episode")
