"""Printed correlations and their floors."""

from __future__ import annotations

from whilecore.charts import claims, spec
from whilecore.charts.claims import Claim

THREE = (Claim("hedging", 29, -0.51, 0.59), Claim("apology", 13, 0.48, 0.69),
         Claim("reply length", 60, 0.47, 0.36))  # fmt: skip


def test_the_picture_reads_its_three_datasets() -> None:
    assert set(spec.compiled(claims.picture()).datasets) == {"claims", "floors", "zero"}


def test_a_claim_is_labelled_as_printed() -> None:
    assert THREE[0].label == "hedging −0.51 on 29 rows"


def test_a_triangle_is_a_claim_beyond_its_own_floor() -> None:
    shown = claims.push(THREE, True)
    assert shown["claims"]["clears"] == [0, 0, 1]
    assert shown["floors"]["x2"] == [0.59, 0.69, 0.36]
    assert shown["title"] == "1 of 3 clears the floor of its own rows: reply length"


def test_before_the_answer_no_floor_is_sent_and_no_mark_differs() -> None:
    shown = claims.push(THREE, False, "hedging −0.51 on 29 rows")
    assert shown["claims"]["clears"] == [0, 0, 0]
    assert not shown["floors"]["x"]
    assert "noise floor" not in shown["table"]
    assert set(shown["claims"]["said"]) == {""}
    assert "0.36" not in shown["summary"]


def test_the_learner_s_answer_is_marked_on_its_line() -> None:
    shown = claims.push(THREE, True, "apology +0.48 on 13 rows")
    assert shown["claims"]["said"] == ["", "you", ""]
