# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""The band.

question: What can four tries say about a task?
minutes: 8
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="The band", css_file="lesson.css")

with app.setup(hide_code=True):
    import marimo as mo

    import whilecore as wc
    from whilecore import course, filing
    from whilecore.charts import cells, ladder, misfiled, strip
    from whilecore.charts.live import LiveBoard
    from whilecore.course import filed

    STEM, TASKS = "03_the_band", filed.TASKS
    SETTINGS = (
        filed.REPEATS,
        course.BAND_LOW,
        course.BAND_HIGH,
        filed.SKILL,
        filed.TRUTH,
        filed.SEED,
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
    worked_chart = board.chart("worked", strip.picture(height=66, tally=True))
    strip_chart = board.chart("strip", strip.picture(tally=True))
    cells_chart = board.chart("cells", cells.picture(), title_lines=2)
    ladder_chart = board.chart("ladder", ladder.picture())
    misfiled_chart = board.chart("misfiled", misfiled.picture())
    worked_chart.push(
        **strip.show(filed.worked(), False, "", False)
        | {"title": "Three tasks at 75 %, and the true rates that are plausible"}
    )
    return (
        board,
        cells_chart,
        ladder_chart,
        misfiled_chart,
        strip_chart,
        worked_chart,
    )


@app.cell(hide_code=True)
def controls(page_element):
    repeats_slider = page_element.control("repeats")
    band_low_slider = page_element.control("band_low")
    band_high_slider = page_element.control("band_high")
    skill_dropdown = page_element.control("skill")
    truth_dropdown = page_element.control("truth")
    seed_number = page_element.control("seed")
    course.bar([repeats_slider, band_low_slider, band_high_slider, skill_dropdown], [seed_number])
    return (
        band_high_slider,
        band_low_slider,
        repeats_slider,
        seed_number,
        skill_dropdown,
        truth_dropdown,
    )


@app.cell(hide_code=True)
def prediction_state(page):
    prediction = course.Prediction(
        "03.dropped",
        "Suppose sixteen tasks, and each has at least one pass and one fail in four tries. The "
        "band keeps measured rates from 20 to 80 %. How many of the sixteen can it drop?",
        filed.options(),
        revealed=page.teacher.reveal,
    )
    prediction_element = mo.ui.anywidget(prediction)
    return prediction, prediction_element


@app.cell(hide_code=True)
def exhibit(page, prediction_element, strip_chart, truth_dropdown, worked_chart):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose"><h1 id="the-band">The band</h1>
<p class="wc-meta">Lesson 3 · 8 minutes · a simulated agent, so the true rates are known</p>
<p class="wc-lead">Train on {course.term("task", "tasks")} the model passes sometimes, the advice
says: 20 to 80&nbsp;% of the time. You give every task four tries, its {course.term("repeats")}.
What can four tries say?</p>
{mo.as_html(strip_chart)}
<p class="wc-legend">The strip: a row per task. Dot: measured rate; after the answer, filled if the
task is kept. Bar: plausible true rates. Diamond: the true rate. Ticks at the top: all rates that so
many tries can show. In the bar on top (on a phone: under Controls), <i>repeats</i> are the tries of
each task, <i>band from</i> and <i>to</i> the measured rates that are kept, <i>true rates</i> how
the simulated agent's tasks lie.</p>
<div style="margin-top: 0.75rem">{truth_dropdown}</div>
<p class="wc-reading-line">{page.place("strip_reading")}</p></div>
<div class="wc-prose"><p>Every task has a true {course.term("pass rate")}: the share of passes if
you tried it for ever. You see only a measured one. The {course.term("band")}
is meant for the true rate, and can only be applied to the measured one [1].</p>
<p>Say a task passes three of four tries, 75&nbsp;%. The true rates that would not make this
surprising run from {filed.plausible(3, 4)}: a 95&nbsp;% {course.term("interval")} [2]. So it may
belong in the band, or not. With 12 of 16 they run from {filed.plausible(12, 16)}, with 48 of 64
from {filed.plausible(48, 64)}.</p>
{mo.as_html(worked_chart)}{prediction_element}</div></div>"""
    )
    return


@app.cell(hide_code=True)
def kept_and_dropped(cells_chart, page):
    mo.Html(
        f"""<div class="wc-pair"><div>{mo.as_html(cells_chart)}
<p class="wc-legend">One mark per task: filled is kept, □ a mixed task the band drops, ▲ stands
on the wrong side. Pointing at a mark lights its task in the strip.</p></div>
<div class="wc-prose"><h2 id="kept-and-dropped">Kept and dropped</h2>
<p>A task leaves if its tries all agree, because then nothing is pushed, or if its measured rate
lies outside the band. Call a task mixed if its tries hold a pass and a fail. Beside the band stands
its control: as many of the mixed tasks, picked at random. A rule is worth what it does better than
that.</p>
<p>Set <i>true pass rates</i> to <i>shown</i>, below the strip of tasks, and each task falls into
one of four cells. Shaded cells are right. A task on the wrong side is misfiled.</p>
<p class="wc-reading-line">{page.place("cells_reading")}</p></div></div>"""
    )
    return


@app.cell
def simulate(
    band_high_slider,
    band_low_slider,
    board,
    cells_chart,
    ladder_chart,
    misfiled_chart,
    page,
    prediction,
    prediction_element,
    repeats_slider,
    seed_number,
    skill_dropdown,
    strip_chart,
    truth_dropdown,
):
    now = page.settle(
        repeats=repeats_slider.value,
        band_low=band_low_slider.value,
        band_high=band_high_slider.value,
        skill=skill_dropdown.value,
        truth=truth_dropdown.value,
        seed=seed_number.value,
    )
    repeats, seed, skill = now["repeats"], now["seed"], now["skill"]
    band = (now["band_low"] / 100, now["band_high"] / 100)
    tries = wc.simulate(
        wc.seeded_agent([get_order], rate=filed.RATE, skill=skill),
        tools=[get_order],
        repeats=repeats,
        budget=TASKS * repeats,
        seed=seed,
    )
    tasks = filing.filed(tries.grade(wc.judges.answer_key), band)
    prediction_element.value
    revealed = prediction.revealed
    truth = now["truth"] == "shown"
    about = f"{TASKS} tasks, seed {seed}"
    answer = filed.answer(prediction, tasks, repeats)
    runs = filed.runs(skill, tasks.band)
    with board.together():
        strip_chart.push(
            **strip.show(strip.filed(tasks), revealed, f"seed {seed}", truth, band=revealed)
        )
        cells_chart.push(**cells.push(tasks, revealed, truth, seed, f"seed {seed}", answer))
        ladder_chart.push(**ladder.push(repeats, tasks.band, revealed))
        misfiled_chart.push(**misfiled.push(tasks, repeats, runs, revealed, truth, about))
    page.show(**filed.places(page, tasks, repeats, skill, seed, revealed, truth))
    return (tasks,)


@app.cell(hide_code=True)
def what_it_costs(ladder_chart, page):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="what-the-band-throws-away">What the band throws away</h2>
<p>If <i>c</i> of a task's <i>k</i> tries pass, call the variance of its
{course.term("reward", "rewards")}, <i>c</i>(<i>k</i>&nbsp;−&nbsp;<i>c</i>)/<i>k</i>², its signal.
It is half the mean size of the pushes of lesson 1: largest at half and half, small near the ends,
but not zero. So what the band drops could have taught a little. Dropping as many at random would
cost more, and dropping none costs only the time to train on them. The band saves effort.
It is no law.</p></div>
<div class="wc-exhibit">{mo.as_html(ladder_chart)}<p class="wc-legend">A row for each number of
tries, a mark for each rate it can show; area: signal. ● in the band · □ mixed and dropped · – all
agree. Bottom row: your number of tries.</p>
<p class="wc-reading-line">{page.place("ladder_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def more_tries(misfiled_chart, page):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="more-tries-help-slowly">More tries help slowly</h2>
<p>Tasks near an edge stay hard to file however often you try them, and how many lie there depends
on where the tasks truly are.</p></div>
<div class="wc-exhibit">{mo.as_html(misfiled_chart)}<p class="wc-legend">Dashed: true rates spread
evenly over 0 to 100&nbsp;%, exact. Line and shade: mean and middle 95 of 100 runs of this agent.
Diamond: this run, once its true rates are shown.</p>
<p class="wc-reading-line">{page.place("misfiled_reading")}</p>
<p class="wc-reading-line">{page.place("zigzag")}</p>
<p class="wc-reading-line">{page.place("agents")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def challenges(page):
    enough = course.Challenge(
        "03.enough",
        "Of 4, 8, 16, 32 and 64 tries, which is the fewest that misfiles under 10 % of tasks whose "
        "true rates are spread evenly? Set it with the band at 20 to 80 %, then check.",
        check=lambda now: (
            (now["band_low"], now["band_high"]) == (20, 80)
            and now["repeats"] == filed.fewest_under()
        ),
        hint="Follow the dashed line of the last picture, or open its table.",
        solution=lambda: (
            f"{filed.fewest_under()} tries. Between these five the line is not "
            "steady: 6 tries misfile more than 5, because the band begins to bite."
        ),
        not_yet="Not yet: look where the dashed line stands at your number of tries.",
        page=page,
    )
    idle = course.Challenge(
        "03.idle_edge",
        "At four tries, move the top edge away from 80 % so that the same outcomes are kept.",
        check=lambda now: now["repeats"] == 4 and now["band_high"] in filed.idle_tops(),
        hint="Which rates can four tries show? An edge matters only when it crosses one of them.",
        solution=lambda: (
            f"Any of {', '.join(map(str, filed.idle_tops()))} %: three of four is "
            "75 %, and four of four leaves anyway, because its tries agree."
        ),
        not_yet="Not yet: set four tries, and a top edge that crosses none of the rates in the "
        "bottom row of “What the band throws away”.",
        page=page,
    )
    mo.Html(
        '<div class="wc-prose"><h2 id="try-it">Try it</h2></div>'
        f"{mo.as_html(enough)}{mo.as_html(idle)}"
    )
    return


@app.cell(hide_code=True)
def closing(page):
    mo.Html(
        f"""<div class="wc-prose"><p class="wc-takeaway">{page.place("takeaway")}</p>
<h2 id="covered-and-not-covered">Covered and not covered</h2>
<p>Covered: how a band sorts tasks by measured rates when tries are independent and true rates stand
still. Not covered: whether training on the middle helps, and that true rates move while a model
learns. The start {course.term("seed")} was chosen because its run is typical: true rates spread
evenly, about as many misfiled as in the mean of 100 seeds. The shade shows the others.
{course.term("duplicate", "Copies")} and broken rows stay in here, so that only the band acts.</p>
<h2 id="sources">Sources</h2>
<ol class="wc-sources">
<li>Lambert 2025, <a href="https://arxiv.org/abs/2504.12501">arXiv:2504.12501</a>, chapter on
reasoning: keep tasks solved 20 to 80&nbsp;% of the time, from for example 16 tries. A rule of thumb
there; here its price is counted.</li>
<li>Wilson 1927, the interval for a rate. It is meant for one task at a time, as used here.</li>
</ol></div>"""
    )
    return


@app.cell(hide_code=True)
def foot(page):
    notes = page.teacher.notes(
        aim="The room can say why a band from four tries repeats what agreement already did, and "
        "about how many tries filing takes.",
        minutes=12,
        votes={
            "mostly right": "Ask for the top edges that would change something at four tries, then "
            "show the true rates.",
            "split": "Let pairs write down all rates that four tries can show and mark the band on "
            "them.",
            "one wrong option": "Five: the room reads true rates off the scale. Point at the ticks "
            "over the strip: there is no measured rate between 0 and 25 %.",
        },
        cut="The ladder. Keep the strip with the true rates.",
        questions={
            "So should we not use a band?": "It saves tries on tasks that give little signal. At "
            "few tries it saves nothing, and it always files some tasks wrongly.",
            "Why is six worse than five?": "At six, one of six falls under 20 %, so tasks just "
            "over the edge begin to be dropped. The share is not monotone.",
            "Why does the random pick equal the band at four tries?": "Both take all mixed tasks: "
            "there is nothing left to choose.",
        },
    )
    mo.vstack([course.glossary(), course.Progress(), course.foot(STEM, page.teacher), notes])
    return


if __name__ == "__main__":
    app.run()
