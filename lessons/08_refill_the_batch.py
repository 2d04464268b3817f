# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Refill the batch.

question: What does a full batch cost?
minutes: 6
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="Refill the batch", css_file="lesson.css")

with app.setup(hide_code=True):
    import marimo as mo

    from whilecore import course
    from whilecore.charts import costs, lanes, patience
    from whilecore.charts.live import LiveBoard
    from whilecore.course import refilling
    from whilecore.refill import refill_factor, rollouts_per_live_group

    STEM = "08_refill_the_batch"


@app.cell(hide_code=True)
def page_state():
    page = course.Page(refilling.SETTINGS, mo.query_params())
    page_element = mo.ui.anywidget(page)
    course.head(STEM, page_element, page.teacher)
    return page, page_element


@app.cell(hide_code=True)
def pictures():
    board = LiveBoard()
    lanes_chart = board.chart("lanes", lanes.picture(), title_lines=2)
    costs_chart = board.chart("costs", costs.picture())
    patience_chart = board.chart("patience", patience.picture(), title_lines=2)
    return board, costs_chart, lanes_chart, patience_chart


@app.cell(hide_code=True)
def controls(page_element):
    repeats_slider = page_element.control("repeats")
    rate_slider = page_element.control("rate")
    batch_slider = page_element.control("batch")
    seed_box = page_element.control("seed")
    course.bar([repeats_slider, rate_slider, batch_slider], [seed_box])
    return batch_slider, rate_slider, repeats_slider, seed_box


@app.cell(hide_code=True)
def questions(page):
    climb = course.Prediction(
        "08.climb",
        "Eight tries per group. The model improves, and the true rate climbs from 65 to 95 %. How "
        "many rollouts does the same full batch take?",
        refilling.climbing(),
        revealed=page.teacher.reveal,
    )
    climb_element = mo.ui.anywidget(climb)
    never = course.Prediction(
        "08.never",
        "Tasks so hard that 0.2 % of tries pass. Eight tries per group, a batch of 32, each draw "
        "brings 32 groups, and ten draws are allowed. How often is the batch full?",
        refilling.never(),
        revealed=page.teacher.reveal,
    )
    never_element = mo.ui.anywidget(never)
    return climb, climb_element, never, never_element


@app.cell(hide_code=True)
def exhibit(climb_element, lanes_chart, page):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose">
<h1 id="refill-the-batch">Refill the batch</h1>
<p class="wc-meta">Lesson 8 · 6 minutes · simulated tries, independent of each other</p>
<p class="wc-lead">A {course.term("group")} whose tries all agree pushes nobody, so you throw it
away. But training wants a full batch. You draw another group, and another, until enough differ.
What does that cost?</p>
{mo.as_html(lanes_chart)}<p class="wc-legend">A mark per group, in the order drawn, from top to
bottom: ● live, in the batch; ○ live, left over; – all tries agree. Line: here filling ends.</p>
<p class="wc-reading-line">{page.place("lanes_reading")}</p></div>
<div class="wc-prose"><p>First, two tries at a true {course.term("pass rate")} of 50&nbsp;%. They
agree half of the time: pass and pass, or fail and fail. Call a group that differs live. For a batch
of 16 live groups you draw 32: two groups, four {course.term("rollout", "rollouts")}, for each
place.</p>
<p>In letters: <i>k</i> tries at rate <i>p</i> differ with chance
1 − <i>p</i><sup>k</sup> − (1 − <i>p</i>)<sup>k</sup>. One over that is how many groups you draw for
a live one. Drawing until the batch is full is called dynamic sampling [1].</p>
{climb_element}</div></div>"""
    )
    return


@app.cell
def simulate(
    batch_slider,
    board,
    climb,
    climb_element,
    costs_chart,
    lanes_chart,
    never,
    never_element,
    page,
    patience_chart,
    rate_slider,
    repeats_slider,
    seed_box,
):
    now = page.settle(
        repeats=repeats_slider.value,
        rate=rate_slider.value,
        batch=batch_slider.value,
        seed=seed_box.value,
    )
    repeats, rate = now["repeats"], now["rate"] / 100
    batch, seed = now["batch"], now["seed"]
    fills = [refilling.fill(one, repeats, batch, seed) for one in (refilling.START, rate)]
    if mo.app_meta().mode == "script":
        print(*fills, f"expected groups per live one: {refill_factor(rate, repeats):.2f}", sep="\n")
    climb_element, never_element
    told = [climb.revealed, never.revealed]
    about = f"k = {repeats}, batch {batch}, seed {seed}"
    asked = (now["rate"], repeats) == refilling.ASKED
    with board.together():
        lanes_chart.push(
            **lanes.push(
                fills,
                (refilling.START, rate),
                told[0],
                about,
                refilling.guess_times(climb) if asked else None,
            )
        )
        costs_chart.push(**costs.push(rate, repeats, told[0]))
        patience_chart.push(**patience.push(told[1], refilling.guess_chance(never)))
    page.show(**refilling.places(page, fills, rate, told))
    return (fills,)


@app.cell(hide_code=True)
def per_group(costs_chart, page):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="more-tries-or-more-groups">More tries or more groups?</h2>
<p>More tries make a group live more often, so you draw fewer groups. But each group then costs more
rollouts. What you pay for a live one is <i>k</i> times the groups you draw for it.</p></div>
<div class="wc-exhibit">{mo.as_html(costs_chart)}<p class="wc-legend">A line for each number of
tries; the thick one is yours. Diamond: your rate. Each step up the axis multiplies the cost.</p>
<p class="wc-reading-line">{page.place("costs_reading")}</p></div>
<div class="wc-prose" style="margin-top: 1rem"><p>Small groups are cheap, and that does not make
them good. With few tries the group's average, which every push is measured from, is known
least.</p></div>"""
    )
    return


@app.cell(hide_code=True)
def never_full(never_element, page, patience_chart):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="a-batch-that-never-fills">A batch that never fills</h2>
<p>Nothing promises that filling ends. A pool of {course.term("task", "tasks")} that are all too
hard, or all learned, gives silent groups for ever, so trainers stop after some draws and raise an
error. Two pools, eight tries, a batch of 32:</p></div>
<div class="wc-pair"><div>{mo.as_html(patience_chart)}<p class="wc-legend">Lines: the chance that
the batch is full by then, at two true rates. Beside each, the draws it takes on average.</p>
<p class="wc-reading-line">{page.place("stuck_reading")}</p></div><div>{never_element}</div>
</div>"""
    )
    return


@app.cell(hide_code=True)
def last_rung(page):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="what-it-brought-once">What it brought once</h2>
<p>DAPO keeps a group only if some of its tries pass and some fail, and refills [1]. Its best known
figure is a step from 42 to 50. That is the last rung of a ladder:</p></div>
<div class="wc-exhibit">{refilling.ladder()}</div>
<div class="wc-prose" style="margin-top: 1rem"><p>Each line adds one change to all those above
it. So the last step says what refilling brought <i>after</i> the others, in one run. Had it come
first, it might have brought more, or less. It is not an effect on its own.</p></div>"""
    )
    return


@app.cell(hide_code=True)
def challenges(page):
    double = course.Challenge(
        "08.double",
        "Eight tries. What is the highest true rate at which refilling at most doubles the cost: "
        "no more than two groups for a live one? Set it, then check.",
        check=refilling.is_double,
        hint="The sentence under the lines says how many groups a live one takes at your rate.",
        solution=lambda: (
            f"{refilling.dearest_at_double(8)} %: "
            f"{refill_factor(refilling.dearest_at_double(8) / 100, 8):.2f} groups. One point more "
            f"takes {refill_factor((refilling.dearest_at_double(8) + 1) / 100, 8):.2f}."
        ),
        not_yet="Not yet: keep eight tries, and read the groups for a live one.",
        page=page,
    )
    cheap = course.Challenge(
        "08.cheapest",
        "At a true rate of 95 %, with how many tries does a live group cost the fewest rollouts?",
        check=lambda now: now["answer"] in refilling.cheapest(),
        hint="Set the rate to 95 % and move the tries; read the rollouts, not the groups.",
        solution=lambda: (
            f"{' or '.join(map(str, refilling.cheapest()))}: "
            f"{rollouts_per_live_group(0.95, 2):.1f} rollouts either way, the cheapest "
            "at any rate. "
            "Cheap, not good."
        ),
        not_yet="Not yet: is it cheaper with more tries, or with fewer?",
        field="Tries",
    )
    mo.Html(
        '<div class="wc-prose"><h2 id="try-it">Try it</h2></div>'
        f"{mo.as_html(double)}{mo.as_html(cheap)}"
    )
    return


@app.cell(hide_code=True)
def closing(page):
    mo.Html(
        f"""<div class="wc-prose"><p class="wc-takeaway">A full batch costs one over the share of
groups that differ. {page.place("takeaway")}</p>
<h2 id="covered-and-not-covered">Covered and not covered</h2>
<p>Covered: the rollouts a full batch takes, where every task of a lane has one true rate. In a pool
of mixed tasks one divides by the mean share of live groups, not by the share at the mean rate.
Not covered: what the batch then teaches, and that refilling draws hard tasks and easy ones less
often than the middle. Time is not counted either: rollouts run side by side.</p>
<h2 id="sources">Sources</h2>
<ol class="wc-sources">
<li>Yu and others 2025 (DAPO), <a href="https://arxiv.org/abs/2503.14476">arXiv:2503.14476</a>,
equation 11 and table 1: the rule and the ladder. There 512 questions with 16 tries each are drawn
at once; here 4 groups at a time, so that little is left over.</li>
</ol></div>"""
    )
    return


@app.cell(hide_code=True)
def foot(page):
    notes = page.teacher.notes(
        aim="The room can say why the same batch gets dearer as the model improves, and why "
        "filling may never end.",
        minutes=10,
        votes={
            "mostly right": "Ask at which rate it would be ten times, then let the room find it.",
            "split": "Let pairs multiply 0.95 by itself eight times, or halve: 0.95⁸ is two "
            "thirds, so one group in three is live.",
            "one wrong option": "Usually 1.5×. Ask what a batch costs when every try passes.",
        },
        cut="The ladder, then the second challenge.",
        questions={
            "Why not fill up with silent groups?": "One can. They cost nothing more, and the step "
            "is then an average over fewer groups that push.",
            "Could one choose tasks instead?": "Yes: measured rates let you skip tasks that are "
            "silent anyway. Measuring costs rollouts too; lesson 9.",
        },
    )
    mo.vstack([course.glossary(), course.Progress(), course.foot(STEM, page.teacher), notes])
    return


if __name__ == "__main__":
    app.run()
