# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Which rows to train on.

question: 64 tries went in. How many are worth training on?
minutes: 8
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="Which rows to train on", css_file="lesson.css")

with app.setup(hide_code=True):
    import marimo as mo

    import whilecore as wc
    from whilecore import course
    from whilecore.charts import agreement, grid, strip, tracking, waterfall
    from whilecore.charts.live import LiveBoard
    from whilecore.course import entry, filed, printed, which_rows, your_account, your_rows

    STEM, TASKS, BUDGET = "06_which_rows_to_train_on", 16, 64
    SETTINGS = (
        course.REPEATS,
        course.BAND_LOW,
        course.BAND_HIGH,
        course.JUDGE,
        course.JUDGE_SHARE,
        course.SEED,
        course.HOLD,
        course.SOURCE,
        filed.TRUTH,
        your_rows.OR_SAMPLE,
    )


@app.function(hide_code=True)
@wc.tool
def get_order(order_id: str) -> dict:
    """Look up an order by id."""


@app.cell(hide_code=True)
def page_state():
    page = course.Page(SETTINGS, mo.query_params())
    page_element = mo.ui.anywidget(page)
    course.head(STEM, page_element, page.teacher)
    return page, page_element


@app.cell(hide_code=True)
def pictures():
    board = LiveBoard()
    grid_chart = board.chart("grid", grid.picture())
    waterfall_chart = board.chart("waterfall", waterfall.picture())
    agreement_chart = board.chart("agreement", agreement.picture())
    tracking_chart = board.chart("tracking", tracking.picture(), title_lines=2)
    strip_chart = board.chart("strip", strip.picture())
    return (
        agreement_chart,
        board,
        grid_chart,
        strip_chart,
        tracking_chart,
        waterfall_chart,
    )


@app.cell(hide_code=True)
def controls(page_element):
    repeats_slider = page_element.control("repeats")
    band_low_slider = page_element.control("band_low")
    band_high_slider = page_element.control("band_high")
    judge_dropdown = page_element.control("judge")
    judge_share_slider = page_element.control("judge_share")
    seed_number = page_element.control("seed")
    hold_dropdown = page_element.control("hold")
    source_dropdown = page_element.control("source")
    truth_dropdown = page_element.control("truth")
    sample_dropdown = page_element.control("sample")
    course.bar(
        [repeats_slider, band_low_slider, band_high_slider, judge_dropdown],
        [judge_share_slider, seed_number, hold_dropdown, source_dropdown],
    )
    return (
        band_high_slider,
        band_low_slider,
        hold_dropdown,
        judge_dropdown,
        judge_share_slider,
        repeats_slider,
        sample_dropdown,
        seed_number,
        source_dropdown,
        truth_dropdown,
    )


@app.cell(hide_code=True)
def bring():
    upload_file = your_rows.upload()
    return (upload_file,)


@app.cell(hide_code=True)
def what_is_given(sample_dropdown, upload_file):
    given = your_rows.given(upload_file.value, "", your_rows.OR_SAMPLE.clamp(sample_dropdown.value))
    found = your_rows.read(given)
    return found, given


@app.cell(hide_code=True)
def columns_to_take(found):
    column_menus, cut_text = your_rows.menus(found), your_rows.cut_box()
    return column_menus, cut_text


@app.cell(hide_code=True)
def take(column_menus, cut_text, found, given):
    _columns = your_rows.overrides(column_menus.value)
    brought = your_account.brought(
        your_rows.read(given, _columns) if _columns else found, cut_text.value
    )
    return (brought,)


@app.cell(hide_code=True)
def your_file(page, sample_dropdown, upload_file):
    mo.Html(
        f"""<style>.wc-when-file, body[data-tells~="rows-file"] .wc-when-drawn,
body[data-tells~="problem"] .wc-when-read {{ display: none; }}
body[data-tells~="rows-file"] .wc-when-file {{ display: revert; }}</style>
{page.place("which", "div")}
<div class="wc-prose wc-when-file"><p class="wc-eyebrow">Your file</p>
<p>{page.place("file_source")}</p>
<div style="display: grid; gap: 0.75rem; justify-items: start">{upload_file}{sample_dropdown}</div>
<p class="wc-legend">JSONL, JSON, CSV or Parquet, packed with gzip or not. Your rows stay in this
session: parsed in the memory of the computer that runs this page, never written to disk, not in
the link, gone when you close the page.</p>{page.place("problem", "div")}</div>"""
    )
    return


@app.cell(hide_code=True)
def what_was_taken(column_menus, cut_text, page):
    mo.Html(
        f"""<div class="wc-prose wc-when-file">{page.place("taken", "div")}
<details class="wc-others"><summary>Take other columns</summary>
{your_rows.beside_each_other(column_menus, cut_text)}</details></div>"""
    )
    return


@app.cell(hide_code=True)
def prediction_state(given, page):
    prediction = course.Prediction(
        your_account.check_name(given, "06", first=""),
        "How many rows are left?",
        printed.UNASKED,
        revealed=page.teacher.reveal,
    )
    prediction_element = mo.ui.anywidget(prediction)
    return prediction, prediction_element


@app.cell(hide_code=True)
def exhibit(grid_chart, page, prediction_element, waterfall_chart):
    mo.Html(
        f"""<div class="wc-pair wc-beside"><div class="wc-prose">
<h1 id="which-rows-to-train-on">Which rows to train on</h1>
<p class="wc-meta">Lesson 6 · 8 minutes · simulated rows unless a source is named</p>
<p class="wc-lead wc-when-drawn">An agent answered {page.place("n_tasks")} customer requests,
{page.place("n_tries")} times each. A {course.term("judge")} marked every try: pass or fail. You
pay for every try. How many can teach the model anything?</p>
<p class="wc-lead wc-when-file">Your file holds {page.place("n_rows")} tries of
{page.place("n_tasks")} tasks. You paid for every try. How many can teach the model anything?</p>
<div class="wc-when-read">{mo.as_html(grid_chart)}
<p class="wc-legend">● pass · ■ fail<span class="wc-when-file"> · ◆ not scored</span> · faint dots:
tries not made. After the answer: filled is
<span data-link="kept">kept</span>, an outline is gone, as
<span data-link="row_gates">× caught by a row gate</span>,
<span data-link="duplicate">= a copy</span>,
<span data-link="unanimous">– left without contrast</span>,
<span data-link="band">↑ too easy or ↓ too hard</span>. Rest agree: once copies and the rows that
the row gates catch are out, the remaining tries agree.</p></div></div>
<div class="wc-prose"><p>Group-based reinforcement learning compares. Take the tries of one
{course.term("task")}, its {course.term("group")}, average their {course.term("reward", "rewards")},
and push each try up or down by its distance from that average: the update of
{course.term("GRPO")} [1]. If all tries of a task score the same, every distance is zero: no reward
signal, however good the tries are. So do not ask which tries passed. Ask which tries differ.</p>
<div class="wc-when-read">{prediction_element}{page.place("rl_block", "div")}</div></div>
<div class="wc-prose wc-when-read"><h2 id="where-the-rows-went">Where the rows went</h2>
<p>Each {course.term("gate")} takes its rows out of the same wall, so the parts add up. The order
matters. A row gate looks at one row: it drops a try that recites the hidden answer key (a
{course.term("leak")}), has no score, is incomplete or cut off. A
{course.term("duplicate", "copy")} repeats an earlier try of its task; dropping it is a choice that
lesson 4 looks at. Then whole tasks go: those whose remaining tries agree
({course.term("unanimous")} groups) [2], and those outside the {course.term("band")} of
{course.term("pass rate", "pass rates")}.</p>{mo.as_html(waterfall_chart)}
<p class="wc-reading-line">{page.place("waterfall_reading")}</p></div></div>"""
    )
    return


@app.cell
def simulate(
    agreement_chart,
    band_high_slider,
    band_low_slider,
    board,
    brought,
    grid_chart,
    hold_dropdown,
    judge_dropdown,
    judge_share_slider,
    page,
    prediction,
    prediction_element,
    repeats_slider,
    sample_dropdown,
    seed_number,
    source_dropdown,
    strip_chart,
    tracking_chart,
    truth_dropdown,
    waterfall_chart,
):
    now = page.settle(
        repeats=repeats_slider.value,
        band_low=band_low_slider.value,
        band_high=band_high_slider.value,
        judge=judge_dropdown.value,
        judge_share=judge_share_slider.value,
        seed=seed_number.value,
        hold=hold_dropdown.value,
        source=source_dropdown.value,
        truth=truth_dropdown.value,
        sample=sample_dropdown.value,
    )
    repeats, seed, source = now["repeats"], now["seed"], now["source"]
    band = (now["band_low"] / 100, now["band_high"] / 100)
    cut = brought.cut if source == "file" else None
    if source == "file":
        scored = brought.rollouts
    elif source == "printed":
        scored = wc.printed_run()
    else:
        tries = wc.simulate(
            wc.seeded_agent([get_order]),
            tools=[get_order],
            system_prompt="Help customers with orders.",
            repeats=repeats,
            budget=TASKS * repeats if now["hold"] == "tasks" else BUDGET,
            seed=seed,
        )
        judge = wc.judges.blend(
            wc.judges.named(now["judge"]),
            wc.judges.long_reply,
            now["judge_share"] / 100,
            seed=seed,
        )
        scored = tries.grade(judge, seed=seed)
    rl = scored.select(mode="rl", band=band, seed=seed, pass_at_least=cut)
    prediction_element.value
    revealed = prediction.revealed
    truth = page.values["truth"] == "shown"
    about = which_rows.about(source, seed, brought)
    answer = printed.answer(prediction, rl)
    with board.together():
        grid_chart.push(**grid.push(rl, revealed, about))
        waterfall_chart.push(**waterfall.push(rl, revealed, about, answer))
        agreement_chart.push(**agreement.push(rl, revealed, about))
        tracking_chart.push(**(tracking.push(rl, about) if revealed else tracking.blank()))
        strip_chart.push(**strip.push(rl, revealed, about, truth))
    which_rows.ask(prediction, rl, source, brought)
    sft = scored.select(mode="sft", seed=seed, min_reward=cut)
    measured = scored.pass_at_k(pass_at_least=cut)
    page.show(**which_rows.places(page, rl, sft, measured, revealed, source, brought))
    if mo.app_meta().mode == "script":
        print(measured, sft, rl, sep="\n")
    return measured, rl, scored, sft


@app.cell(hide_code=True)
def warning_unanimous(agreement_chart, page):
    mo.Html(
        f"""<div class="wc-prose wc-when-read">
<h2 id="first-warning-groups-that-agree">First warning: groups that agree</h2>
<p>A task that passes every time looks mastered. It may be luck: a task with true pass rate
<i>p</i> agrees in all <i>k</i> tries with chance <i>p</i><sup><i>k</i></sup> +
(1 − <i>p</i>)<sup><i>k</i></sup>.
More tries make agreement rarer, so more tasks speak.</p></div>
<div class="wc-exhibit wc-when-read">{mo.as_html(agreement_chart)}<p class="wc-legend">
{page.place("agreement_legend")}</p>
<p class="wc-reading-line">{page.place("agreement_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def warning_tracking(page, tracking_chart):
    mo.Html(
        f"""<div class="wc-prose wc-when-read">
<h2 id="second-warning-what-the-reward-tracks">Second warning: what the reward tracks</h2>
<p>A model learns whatever gets the reward [4]. If longer replies score lower within a task, it
learns to be brief. <span class="wc-when-drawn">Here that is right: this agent's mistakes add words,
and the answer key marks mistakes. With another judge it is a matter of taste.</span> The
{course.term("reward correlation", "correlation")} cannot tell you which; it tells you where to
look. And only if it clears the {course.term("noise floor")}: a judge that tosses a coin makes
correlations too, and about one such judge in twenty clears the floor all the same.</p></div>
<div class="wc-exhibit wc-when-read">{mo.as_html(tracking_chart)}
<p class="wc-legend">Filled: within tasks. Ring: pooled over the same rows. Shade: the noise floor,
from shuffling the rewards within each task. Triangle: over the floor.</p>
<p class="wc-reading-line">{page.place("tracking_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def warning_band(page, strip_chart, truth_dropdown):
    mo.Html(
        f"""<div class="wc-prose wc-when-read">
<h2 id="third-warning-a-band-from-few-tries">Third warning: a band from few tries</h2>
<p>The band keeps tasks the model passes sometimes: commonly 20 to 80 % of the time, measured from
about 16 tries [5]. The ticks at the top of the strip are the only pass rates
that this many tries can show.</p></div>
<div class="wc-exhibit wc-when-read">{mo.as_html(strip_chart)}
<p class="wc-legend">Dot: measured rate, filled if the task is kept. Bar: the true rates that would
be plausible (95 % Wilson {course.term("interval")}). Diamond: the true rate, where it is
known.</p>
<div style="margin-top: 0.75rem">{truth_dropdown}</div>
<p class="wc-reading-line">{page.place("strip_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def for_sft(page):
    mo.Html(
        f"""<div class="wc-prose wc-when-read">
<h2 id="for-sft-the-rule-is-another">For SFT the rule is another</h2>
<p>Supervised fine-tuning copies. So keep what passed, one reply per task:
{course.term("rejection sampling")} [3]. A task that always passes is silent in RL and a fine
example here.</p></div>
<div class="wc-exhibit wc-when-read">{page.place("sft_block", "div")}</div>"""
    )
    return


@app.cell(hide_code=True)
def beside_the_page(page):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="beside-the-course-page">Beside the course page</h2>
<p>This lesson follows a course page that prints the account of 64 other rows; by coincidence the
totals of the two runs agree. Their figures come with whilecore: choose <i>as printed on the course
page</i> under More, and lay the two side by side. A file of your own goes through the same gates:
choose <i>your file</i> there. Lesson 11 has more room for it, and downloads.</p>
{page.place("differences", "div")}</div>"""
    )
    return


@app.cell(hide_code=True)
def challenge(page):
    band_bites = course.Challenge(
        "06.band_bites",
        "With everything else at its start, what is the smallest number of repeats at which the "
        "band drops a task? Set it, then check.",
        check=lambda now: (
            printed.at_start(page, "repeats", "truth") and now["repeats"] == first_bite()
        ),
        hint="The band can only drop a task that has a pass and a fail and lies beyond an edge: "
        "with k tries that takes 1/k under 20 % or (k − 1)/k over 80 %.",
        solution=lambda: (
            f"{first_bite()} repeats. Below 6 no mixed rate can lie outside 20 to 80 %, in any run."
        ),
        not_yet=lambda now: which_rows.not_yet(
            printed.at_start(page, "repeats", "truth"), now["repeats"], dropped(now["repeats"])
        ),
        page=page,
    )
    mo.Html(f'<div class="wc-prose"><h2 id="try-it">Try it</h2></div>{mo.as_html(band_bites)}')
    return


@app.function(hide_code=True)
def dropped(repeats):
    """Return how many tasks the band drops at some repeats, all else at its start."""
    tries = wc.simulate(
        wc.seeded_agent([get_order]), tools=[get_order], repeats=repeats, budget=TASKS * repeats
    )
    return tries.grade(wc.judges.answer_key).select(mode="rl").report["band_dropped"]


@app.function(hide_code=True)
def first_bite():
    """Return the fewest repeats at which the band drops a task, all else at its start."""
    return next((repeats for repeats in range(2, 33) if dropped(repeats)), None)


@app.cell(hide_code=True)
def closing(page):
    mo.Html(
        f"""<div class="wc-prose"><p class="wc-takeaway">Train on tries that differ, and count what
every gate takes before you believe any number of what is left.</p>
<h2 id="covered-and-not-covered">Covered and not covered</h2>
<p>Covered: the account of one file of graded tries. Not covered: whether training on the middle
helps, and what a wrong judge does over many steps. The agent here is a stand-in: each try errs at
a fixed rate, {wc.seeded_agent([get_order]).rate:.0%} for every task, and an honest reply repeats
itself word for word, which real agents do at low temperature. Which rows are drawn is luck.
{page.place("seeds")}</p>
<h2 id="sources">Sources</h2>
<ol class="wc-sources">
<li>Shao and others 2024, <a href="https://arxiv.org/abs/2402.03300">arXiv:2402.03300</a>: the
group average as baseline. There the distance is also divided by the group's spread.</li>
<li>Yu and others 2025, <a href="https://arxiv.org/abs/2503.14476">arXiv:2503.14476</a>: dropping
groups that agree, while sampling. There new tasks refill the batch; here the rows are only
counted.</li>
<li>Yuan and others 2023, <a href="https://arxiv.org/abs/2308.01825">arXiv:2308.01825</a>: keeping
the passes for SFT. There up to 100 tries per task and distinct ones kept; here one per task.</li>
<li>Gao and others 2023, <a href="https://arxiv.org/abs/2210.10760">arXiv:2210.10760</a>: a model
learns what the score rewards. There with a learned reward model.</li>
<li>Lambert 2025, <a href="https://arxiv.org/abs/2504.12501">arXiv:2504.12501</a>: the 20 to 80 %
band, rejection sampling, over-optimisation. A rule of thumb there and here.</li>
</ol></div>"""
    )
    return


@app.cell(hide_code=True)
def asked_again(page):
    asked, changed = entry.asked_after(page.teacher.reveal)
    mo.Html(
        '<div class="wc-prose"><h2 id="before-and-after">Before and after</h2>'
        "<p>Three questions: the ideas of those on the home page, with other numbers.</p></div>"
        + "".join(mo.as_html(one).text for one in (*asked, changed))
    )
    return


@app.cell(hide_code=True)
def foot(page):
    notes = page.teacher.notes(
        aim="The room can say which rows leave at which gate, and why a passing task can be "
        "worthless for RL.",
        minutes=12,
        votes={
            "mostly right": "Ask somebody to account for the rows that leave first, then "
            "go to the waterfall.",
            "split": "Let pairs count one task by hand: which copies go, what is left, does it "
            "agree?",
            "one wrong option": "Press that option's explanation: most rooms take whole groups "
            "off and forget that copies had shrunk them.",
        },
        cut="The strip and the course page's differences.",
        questions={
            "Is a task that always passes not good?": "For SFT yes. For RL it gives no push; a "
            "KL term may still move the policy.",
            "Why is the band measured before copies go?": "Copies carry probability: eleven "
            "identical passes are eleven passes, not one.",
        },
    )
    mo.vstack([course.glossary(), course.Progress(), course.foot(STEM, page.teacher), notes])
    return


if __name__ == "__main__":
    app.run()
