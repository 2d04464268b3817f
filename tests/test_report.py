"""The printed report: every number of a line is a number of the report, and parts add up."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import records, table
from whilecore import printed_run, report
from whilecore.rollouts import Rollouts


def lines(selection, **options):
    made = report.rl_lines if selection.mode == "rl" else report.sft_lines
    flat = report.flatten(selection.report, selection.mode)
    return [report.fill([line], flat) for line in made(selection.report, **options)]


def test_numbers_are_found_under_their_dotted_names():
    flat = report.flatten(printed_run().select().report, "rl")
    assert flat["rl.kept"] == 29
    assert flat["rl.row_fates.duplicate"] == 27
    assert flat["rl.unanimous_groups.after_gates"] == 2
    assert flat["rl.correlations.reply_chars.within"] == pytest.approx(-0.75, abs=5e-3)


def test_a_place_is_filled_with_its_number_in_its_format_and_none_reads_na():
    filled = report.fill([("a", "kept {rl.kept} {{x}}"), ("b", "{rl.r:+.2f} {rl.none:.2f}")],
                         {"rl.kept": 3, "rl.r": 0.5, "rl.none": None})  # fmt: skip
    assert filled == "kept 3 {x}\n+0.50 n/a"


@pytest.mark.parametrize(
    ("rate", "said"), [(0.2, "20%"), (0.125, "12.5%"), (0, "0%"), (1, "100%"), (1 / 3, "33.33%")]
)
def test_a_rate_is_a_per_cent_without_needless_digits(rate, said):
    assert report.percent(rate) == said


def test_the_rows_are_an_account_that_ends_in_what_is_kept():
    text = str(printed_run().select())
    assert "  64 - 3 incomplete - 27 duplicate - 5 unanimous = 29 kept" in text.splitlines()
    text = str(printed_run().select("sft"))
    assert "  64 - 21 not passing - 27 same task = 16 kept" in text.splitlines()


@given(records(), st.sampled_from(["rl", "sft"]))
def test_the_account_of_any_file_adds_up(rows, mode):
    options = {"target": 5} if mode == "rl" else {"target": 2, "min_reward": 0.5}
    text = str(Rollouts.from_records(rows).select(mode, **options))
    (account,) = re.findall(r"^  (\d+)((?: - \d+ [a-z ]+?)*) = (\d+) kept$", text, re.MULTILINE)
    total, parts, kept = account
    assert int(total) == len(rows)
    assert int(total) - sum(map(int, re.findall(r"\d+", parts))) == int(kept)


@given(records())
def test_any_report_prints_without_a_hole(rows):
    rollouts = Rollouts.from_records(rows)
    for selection in (rollouts.select(), rollouts.select("sft", min_reward=0.5)):
        text = str(selection)
        text.encode("utf-8")
        assert not re.search(r"[{}]|\bnan\b|\bNone\b", text)
        assert "\n".join(lines(selection)) == text


def test_each_cause_and_each_side_of_the_band_has_its_number():
    rollouts = table({"a": [1, 1], "b": [1, 0], "c": [1], "d": [1] * 9 + [0], "e": [0] * 9 + [1],
                      "f": [1, 0, 1, 0]}, leak=[0, 0, 0, 1] + [0] * 25)  # fmt: skip
    text = lines(rollouts.select())
    assert "  row gates: 1 leak" in text
    assert "  unanimous groups dropped: 3" in text
    assert "    1 as drawn, 1 after gates, 1 single" in text
    assert "  band 20%..80% pass rate: 2 asks dropped" in text
    assert "    1 too easy, 1 too hard; on scored rows" in text
    assert "  groups kept: 1" in text
    surviving = lines(rollouts.select(measure_on="surviving", band=(0, 0.125)))
    assert any(line.startswith("  band 0%..12.5% pass rate") for line in surviving)
    assert any(line.endswith("on surviving rows") for line in surviving)


def test_what_a_target_cuts_is_printed():
    text = lines(table({f"t{i}": [1, 0] for i in range(5)}).select(target=3))
    assert "  over target: 6 rows in 3 groups" in text
    assert "  10 - 6 over target = 4 kept" in text


def test_emptied_groups_are_printed():
    text = lines(table({"a": [1, 0], "b": [1, 0]}, leak=[1, 1, 0, 0]).select())
    assert "    groups emptied: 1" in text


def test_the_set_that_measures_and_the_set_that_trains_are_both_named():
    text = lines(printed_run().select())
    assert "  difficulty measured on: 64 scored rows" in text
    assert "  training set: 29 rows in 11 groups" in text
    at = text.index("    (95 %, median of the kept tasks, 4 scored tries each)")
    firm = printed_run().select().report["difficulty"]
    ends = f"{firm['low']:.2f}..{firm['high']:.2f}"
    assert text[at - 1] == f"  a kept task's true rate may be anywhere in {ends}"
    assert not any("median of the kept" in line for line in lines(table({"a": [1, 1]}).select()))


def test_a_rate_measured_on_survivors_is_not_said_to_be_measured_on_all_scored_rows():
    text = lines(printed_run().select(measure_on="surviving"))
    assert "  difficulty measured on: what earlier gates left of the 64 scored rows" in text
    assert "    0 too easy, 0 too hard; on surviving rows" in text


def test_one_of_a_thing_is_told_as_one():
    # a: 3 of 4 distinct replies pass; b: 9 of 10; the copy is in a; 1 task too easy
    rows = table({"a": [1, 1, 0], "b": [1] * 9 + [0]}, reply_key=[1, 1, 2, *range(10)])
    text = lines(rows.select())
    assert "  duplicates dropped: 1 within 1 ask" in text
    assert "  band 20%..80% pass rate: 1 ask dropped" in text
    assert "  training set: 2 rows in 1 group" in text


def test_pooled_stands_beside_within_and_only_what_is_over_the_floor_is_marked():
    text = lines(printed_run().select())
    assert "    reply length     -0.75  -0.54  over" in text
    assert "    hedging          -0.44  -0.36" in text
    assert "    refusal            n/a    n/a" in text
    assert "    n/a: refusal (never varies within a task)" in text
    assert "    noise floor within tasks: 0.54" in text


def test_without_a_floor_the_reason_is_printed():
    text = lines(table({"a": [1, 0]}).select())
    assert "    no noise floor: 1 task has mixed rewards; a noise floor needs 3" in text


def test_unscored_rows_are_counted_with_their_reasons_the_commonest_first():
    judged = table({"a": [1, 0, "x", "x", None]}, judge_status=["", "", "", "", "timeout"])
    assert "    unscored: 2 not a number: x, 1 judge: timeout" in lines(judged.select())
    many = table({"a": [1, 0, *(f"text {i}" for i in range(8))]})
    (told,) = [line for line in lines(many.select()) if "unscored: " in line]
    assert told.count("not a number") == 5 and told.endswith("3 for other reasons")


@pytest.mark.parametrize("mode", ["rl", "sft"])
def test_text_from_a_file_cannot_break_a_line_or_a_template(mode):
    evil = "{rl.kept} }{ \n\x1b[31m \ud83d"
    rollouts = table({"a": [1, 0, evil]}, judge_status=["", "", evil])
    text = str(rollouts.select(mode))
    text.encode("utf-8")
    assert "\x1b" not in text and "{rl.kept} }{" in text


@pytest.mark.parametrize(
    "name", ["a{b}", "a:b", "a!r", "a[0]", "a}", "{", "rl.kept", "a.within", ""]
)
def test_a_feature_may_have_any_name(name):
    rollouts = table({f"t{i}": [0, 1, 1] for i in range(4)}, **{name: [1, 2, 2] * 4})
    text = lines(rollouts.select(features=[name]))
    assert f"    {name:<15}  +1.00  +1.00  over" in text


# --- masked ---------------------------------------------------------------------------------------


def test_masked_lines_hold_no_kept_count_but_the_first():
    run = table({f"t{i}": [1, 0, 1, 1] for i in range(7)} | {"u": [1, 1, 1]}, tone=[1, *[2] * 30])
    selection = run.select(features=["tone"])
    assert selection.report["kept"] == 28
    masked = lines(selection, masked=True)
    assert not [line for line in masked[1:] if re.search(r"\b28\b", line)]
    assert not [line for line in masked if line.startswith("  warning")]
    places = [place for _, text in report.rl_lines(selection.report, masked=True)
              for place in re.findall(r"{([^{}:]+)", text)]  # fmt: skip
    assert places.count("rl.kept") == 1
    assert "rl.scanned.rows" not in places and "rl.row_fates.unanimous" not in places


def test_masked_reasons_count_no_rows():
    run = table({"a": [1, 0, 1, 0]}, reply_chars=[None, 1, 2, 3])
    assert "    n/a: reply length (missing in 1 of 4 rows)" in lines(run.select())
    assert "    n/a: reply length (undefined on these rows)" in lines(run.select(), masked=True)


# --- SFT ------------------------------------------------------------------------------------------


def test_sft_says_what_ran_and_what_its_control_is():
    text = str(printed_run().select("sft"))
    assert "what ran: a pass filter" in text and "random pick among all rows" in text.replace(
        "\n    ", " "
    )
    graded = str(table({"a": [0.2, 0.9]}).select("sft", min_reward=0.5))
    assert "what ran: the best reward of each task" in graded and "random pick" in graded


def test_sft_numbers_by_hand():
    text = lines(table({"a": [1, 1, 0], "b": [0]}, behavior=list("xyxx")).select("sft"))
    assert text[0] == "sft selection: kept 1 of 4 rows"
    assert "  eligible 1 (reward >= 1)" in text
    assert "  not passing 2, incomplete 0, unscored 0" in text
    assert "  distinct behaviors: 2, covered: 1" in text
    assert "  distinct behaviors: n/a, covered: n/a" in lines(table({"a": [1]}).select("sft"))
