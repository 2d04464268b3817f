# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Your rollouts.

question: And on my own rollouts?
minutes: 8
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="Your rollouts", css_file="lesson.css")

with app.setup(hide_code=True):
    import marimo as mo

    from whilecore import course
    from whilecore.charts import agreement, grid, strip, tallies, tracking, waterfall
    from whilecore.charts.live import LiveBoard
    from whilecore.course import handed_out, printed, your_account, your_rows

    STEM = "11_your_rollouts"


@app.cell(hide_code=True)
def page_state():
    page = course.Page(your_rows.SETTINGS, mo.query_params())
    page_element = mo.ui.anywidget(page)
    course.head(STEM, page_element, page.teacher)
    return page, page_element


@app.cell(hide_code=True)
def pictures():
    board = LiveBoard()
    sizes_chart = board.chart("sizes", tallies.picture("tries per task"), title_lines=2)
    grid_chart = board.chart("grid", grid.picture(), title_lines=2)
    waterfall_chart = board.chart("waterfall", waterfall.picture(), title_lines=2)
    rates_chart = board.chart("rates", tallies.picture("measured pass rate, %"), title_lines=2)
    strip_chart = board.chart("strip", strip.picture(), title_lines=2)
    agreement_chart = board.chart("agreement", agreement.picture(), title_lines=2)
    tracking_chart = board.chart("tracking", tracking.picture(), title_lines=2)
    return (
        agreement_chart,
        board,
        grid_chart,
        rates_chart,
        sizes_chart,
        strip_chart,
        tracking_chart,
        waterfall_chart,
    )


@app.cell(hide_code=True)
def bring():
    upload_file = your_rows.upload()
    paste_area = mo.ui.text_area(
        label="or paste rows, one JSON object per line",
        placeholder='{"task": "a", "reply": "…", "reward": 1}',
        rows=3,
        full_width=True,
    )
    return paste_area, upload_file


@app.cell(hide_code=True)
def controls(page_element):
    band_low_slider = page_element.control("band_low")
    band_high_slider = page_element.control("band_high")
    measure_dropdown = page_element.control("measure_on")
    seed_number = page_element.control("seed")
    sample_dropdown = page_element.control("sample")
    course.bar([band_low_slider, band_high_slider, measure_dropdown], [seed_number])
    return (
        band_high_slider,
        band_low_slider,
        measure_dropdown,
        sample_dropdown,
        seed_number,
    )


@app.cell
def what_is_given(paste_area, sample_dropdown, upload_file):
    given = your_rows.given(
        upload_file.value, paste_area.value, your_rows.SAMPLE.clamp(sample_dropdown.value)
    )
    found = your_rows.read(given)
    return found, given


@app.cell(hide_code=True)
def columns_to_take(found):
    column_menus, cut_text = your_rows.menus(found), your_rows.cut_box()
    return column_menus, cut_text


@app.cell(hide_code=True)
def title(page, paste_area, sample_dropdown, sizes_chart, upload_file):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose"><h1 id="your-rollouts">Your rollouts</h1>
<p class="wc-meta">Lesson 11 · 8 minutes · simulated samples until you bring a file</p>
<p class="wc-lead">Now take the account of lesson 6 to a file of your own. How many of its rows
teach anything, which {course.term("gate")} takes the rest, and what does the
{course.term("reward")} track?</p>
<p>{page.place("source")}</p>{sample_dropdown}
<div style="margin-block: 0.75rem">{upload_file}</div>{paste_area}
<p class="wc-legend">JSONL, JSON, CSV or Parquet, packed with gzip or not. Your rows stay in this
session: parsed in the memory of the computer that runs
this page, never written to disk, gone when you close the page.</p></div>
<div>{mo.as_html(sizes_chart)}<p class="wc-legend">One column per number of tries: how many tasks
have so many. A task with a single try has nothing to compare it with.</p></div></div>
{page.place("problem", "div")}"""
    )
    return


@app.cell(hide_code=True)
def what_was_taken(column_menus, cut_text, page):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose">
<h2 id="what-was-taken-for-what">What was taken for what</h2>
<p>Before any number, look here. A {course.term("task")} must be the same question for all its
tries, or nothing can be compared. The reward must be a number; a row without one
is unscored, which is not 0.</p>{page.place("taken", "div")}</div>
<div class="wc-prose"><h2 id="take-something-else">Take something else</h2>
{your_rows.beside_each_other(column_menus, cut_text)}</div></div>"""
    )
    return


@app.cell
def take(column_menus, found, given):
    columns = your_rows.overrides(column_menus.value)
    taken = your_rows.read(given, columns) if columns else found
    return columns, taken


@app.cell(hide_code=True)
def prediction_state(given, page):
    prediction = course.Prediction(
        your_account.check_name(given),
        "How many of these rows teach anything?",
        printed.UNASKED,
        revealed=page.teacher.reveal,
    )
    prediction_element = mo.ui.anywidget(prediction)
    return prediction, prediction_element


@app.cell(hide_code=True)
def exhibit(grid_chart, page, prediction_element):
    mo.Html(
        f"""<style>body[data-tells~="problem"] .wc-when-read {{ display: none; }}</style>
<div class="wc-pair wc-when-read"><div class="wc-prose"><h2 id="what-teaches">What teaches</h2>
{mo.as_html(grid_chart)}<p class="wc-legend">● pass · ■ fail · ◆ not scored. After the answer:
filled is <span data-link="kept">kept</span>, an outline is gone, as
<span data-link="row_gates">× caught by a row gate</span>,
<span data-link="duplicate">= a copy</span>,
<span data-link="unanimous">– left without contrast</span>,
<span data-link="band">↑ too easy or ↓ too hard</span>. {page.place("grid_note")}</p></div>
<div class="wc-prose">{prediction_element}{page.place("rl_block", "div")}</div></div>"""
    )
    return


@app.cell
def select(
    agreement_chart,
    band_high_slider,
    band_low_slider,
    board,
    cut_text,
    given,
    grid_chart,
    measure_dropdown,
    page,
    prediction,
    prediction_element,
    rates_chart,
    sample_dropdown,
    seed_number,
    sizes_chart,
    strip_chart,
    taken,
    tracking_chart,
    waterfall_chart,
):
    now = page.settle(
        band_low=band_low_slider.value,
        band_high=band_high_slider.value,
        measure_on=measure_dropdown.value,
        seed=seed_number.value,
        sample=sample_dropdown.value,
    )
    band = (now["band_low"] / 100, now["band_high"] / 100)
    measure_on, seed = now["measure_on"], now["seed"]
    cut, wrong_cut = your_rows.pass_cut(cut_text.value)
    counted = your_account.account(taken, band, measure_on, cut, seed, wrong_cut)
    if mo.app_meta().mode == "script":
        print(taken.report, counted.measured, counted.sft, counted.rl, sep="\n")
    prediction_element.value
    revealed = prediction.revealed
    rl, about = counted.rl, your_account.about(given)
    if prediction.state != "answered" and not counted.error:
        your_account.question(prediction, counted)
    answer = printed.answer(prediction, rl)
    with board.together():
        sizes_chart.push(**tallies.sizes(your_account.sizes(taken), about))
        grid_chart.push(**grid.push(rl, revealed, about))
        waterfall_chart.push(**waterfall.push(rl, revealed, about, answer))
        rates_chart.push(**tallies.rates(rl, revealed, about))
        strip_chart.push(**strip.push(rl, revealed, about, False))
        agreement_chart.push(**agreement.push(rl, revealed, about))
        tracking_chart.push(**(tracking.push(rl, about) if revealed else tracking.blank()))
    page.show(**your_account.places(page, taken, counted, revealed))
    return band, counted, cut, measure_on, seed


@app.cell(hide_code=True)
def where_they_went(page, waterfall_chart):
    mo.Html(
        f"""<div class="wc-prose wc-when-read">
<h2 id="where-the-rows-went-and-copies">Where the rows went, and copies</h2>
<p>Every row leaves at one gate, so the parts add up. A {course.term("duplicate", "copy")} repeats
an earlier try of its task. If copies of one reply got different rewards, the
{course.term("judge")} is noisy. Set <i>rate from</i> to what survives, and the
{course.term("band")} looks at the tries after the copies are
gone.</p></div>
<div class="wc-exhibit wc-when-read">{mo.as_html(waterfall_chart)}
<p class="wc-reading-line">{page.place("waterfall_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def the_band(page, rates_chart, strip_chart):
    mo.Html(
        f"""<div class="wc-prose wc-when-read"><h2 id="the-band">The band</h2>
<p>Tasks by measured {course.term("pass rate")}. At the two ends all tries agree. Between them the
band decides, on rates that few tries measure badly.</p></div>
<div class="wc-exhibit wc-when-read">{mo.as_html(rates_chart)}
<p class="wc-legend">All tasks, in steps of 10&nbsp;%: 10+ is from 10 to under 20. After the answer:
filled is kept, – all agree, ↕ outside the band, × no row left.</p></div>
<div class="wc-exhibit wc-when-read">{mo.as_html(strip_chart)}
<p class="wc-legend">Up to 64 tasks. Dot: measured rate, filled if the task
is kept. Bar: the true rates that would be plausible (95&nbsp;% Wilson
{course.term("interval")}).</p>
<p class="wc-reading-line">{page.place("rates_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def agreeing(agreement_chart, page):
    mo.Html(
        f"""<div class="wc-prose wc-when-read"><h2 id="tasks-that-agree">Tasks that agree</h2>
<p>If all tries of a task score the same, its {course.term("group")} is
{course.term("unanimous")}: no reward signal. Nobody knows your tasks' true rates, so the line puts
the mean rate in for all of them. Real tasks differ, and then more agree than the line
says.</p></div>
<div class="wc-exhibit wc-when-read">{mo.as_html(agreement_chart)}
<p class="wc-legend">Line: what the mean pass
rate predicts. Steps: your rows, as tries are added, where every task has at least two. Dot: as
drawn. Ring: after the gates.</p>
<p class="wc-reading-line">{page.place("agreement_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def what_it_tracks(page, tracking_chart):
    mo.Html(
        f"""<div class="wc-prose wc-when-read">
<h2 id="what-the-reward-tracks">What the reward tracks</h2>
<p>A model learns whatever gets the reward. Inside a task, does it rise with length, or with an
apology? Only a {course.term("reward correlation", "correlation")} over the
{course.term("noise floor")} is worth a look at the judge.</p></div>
<div class="wc-exhibit wc-when-read">{mo.as_html(tracking_chart)}
<p class="wc-legend">Filled: within tasks.
Ring: pooled over the same rows. Shade: the noise floor, from shuffled rewards. Triangle: over the
floor.</p>
<p class="wc-reading-line">{page.place("tracking_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def for_sft(page):
    mo.Html(
        f"""<div class="wc-prose wc-when-read"><h2 id="and-for-sft">And for SFT</h2>
<p>One passing reply per task: {course.term("rejection sampling")}.</p></div>
<div class="wc-exhibit wc-when-read">{page.place("sft_block", "div")}</div>"""
    )
    return


@app.cell(hide_code=True)
def take_away(
    band,
    columns,
    counted,
    cut,
    given,
    measure_on,
    prediction,
    prediction_element,
    seed,
):
    prediction_element.value
    _told = your_account.downloads(
        counted,
        given,
        handed_out.export_settings(columns, band, measure_on, cut, seed),
        seed,
        prediction.revealed,
    )
    mo.Html(
        f"""<div class="wc-prose"><h2 id="take-it-with-you">Take it with you</h2>
<p>RL: a prompt per kept task. {course.term("SFT")}: a conversation per kept row. Each has its
control, as many drawn at random: train on both, everything else equal, and compare on tasks in
neither. The manifest holds settings, counts and checksums; <code>whilecore export FILE -o OUT
--like MANIFEST</code> makes the same files again.</p></div><div class="wc-exhibit">{_told}</div>"""
    )
    return


@app.cell(hide_code=True)
def challenges(page):
    which_task = course.Challenge(
        "11.which_task",
        "In the sample “every try its own id”, how many tries does every task have, once the right "
        "column tells the task?",
        field="tries per task",
        check=lambda now: now["answer"] == your_account.tries_of_the_tickets(),
        hint="Choose the sample, read what to change, and choose another task in the menu. The "
        "right column gives all tasks equally many tries.",
        solution=lambda: (
            f"{your_account.tries_of_the_tickets()}, by {your_account.regular_key()}. By the "
            "masked prompt some tickets fall together, because they were worded alike."
        ),
        not_yet="Not yet: look at the columns of the first picture.",
    )
    paid_length = course.Challenge(
        "11.paid_length",
        "In the sample “two steps, two rewards” one reward rises with the length of the reply. "
        "Take it as the reward: how many rows does RL keep at a band of 20 to 80 %?",
        field="rows kept",
        check=lambda now: now["answer"] == your_account.kept_where_length_pays(),
        hint="Take one reward, then the other, and look at what clears the noise floor.",
        solution=lambda: (
            f"{your_account.kept_where_length_pays()}, with {your_account.length_paid_by()}. It "
            "looks like a fine training set, and it would teach the model to be wordy."
        ),
        not_yet="Not yet: which of the two clears the noise floor with reply length?",
    )
    mo.Html(
        f'<div class="wc-prose"><h2 id="try-it">Try it</h2></div>{mo.as_html(which_task)}'
        f"{mo.as_html(paid_length)}"
    )
    return


@app.cell(hide_code=True)
def closing():
    mo.Html(
        """<div class="wc-prose"><p class="wc-takeaway">Check what was taken for the task before you
believe any number; then count what every gate takes.</p>
<h2 id="covered-and-not-covered">Covered and not covered</h2>
<p>Covered: one file of graded tries, read and counted. Not covered: whether your judge is right,
whether training on the kept rows helps (that is what the control is for), and rows of several
models in one file, which are kept apart only if a column says so. The samples are simulated; their
faults are those that files of trainers and evaluation tools have.</p>
<h2 id="sources">Sources</h2>
<ol class="wc-sources">
<li>Lambert 2025, <a href="https://arxiv.org/abs/2504.12501">arXiv:2504.12501</a>: the band and
rejection sampling. A rule of thumb there; here on your rows.</li>
<li>Yu and others 2025, <a href="https://arxiv.org/abs/2503.14476">arXiv:2503.14476</a>: dropping
groups that agree, while sampling. Here afterwards, in a file.</li>
</ol></div>"""
    )
    return


@app.cell(hide_code=True)
def foot(page):
    notes = page.teacher.notes(
        aim="Everybody can say which column tells the task in a file of their own, and which gate "
        "takes most of its rows.",
        minutes=15,
        votes={
            "mostly right": "Go on to the room's own files: whose file loses most, and where?",
            "split": "Add up the gates of the printed block together, row by row.",
            "one wrong option": "Press that option's explanation; most forget the row gates or "
            "the copies.",
        },
        cut="The challenges; a file from the room is the better one.",
        questions={
            "Where does my file go?": "Into the memory of the computer that serves this page, "
            "and nowhere else; closing the page lets go of it.",
            "My rewards are not 0 and 1.": "Say what passes in the box. Whether a group has "
            "contrast does not depend on it.",
        },
    )
    mo.vstack([course.glossary(), course.Progress(), course.foot(STEM, page.teacher), notes])
    return


if __name__ == "__main__":
    app.run()
