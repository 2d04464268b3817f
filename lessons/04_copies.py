# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Copies.

question: Is removing duplicates neutral?
minutes: 7
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="Copies", css_file="lesson.css")

with app.setup(hide_code=True):
    import marimo as mo

    import whilecore as wc
    from whilecore import course, survivors
    from whilecore.charts import cards, slopes, twoways
    from whilecore.charts.live import LiveBoard
    from whilecore.course import copied

    STEM, TASKS = "04_copies", copied.TASKS


@app.function(hide_code=True)
@wc.tool
def get_order(order_id: str) -> dict:
    """Look up an order by id."""


@app.cell(hide_code=True)
def page_state():
    page = course.Page(copied.SETTINGS, mo.query_params())
    page_element = mo.ui.anywidget(page)
    course.head(STEM, page_element, page.teacher)
    return page, page_element


@app.cell(hide_code=True)
def pictures():
    board = LiveBoard()
    cards_chart = board.chart("cards", cards.picture(), title_lines=2)
    slopes_chart = board.chart("slopes", slopes.picture(), title_lines=2)
    twoways_chart = board.chart("twoways", twoways.picture())
    return board, cards_chart, slopes_chart, twoways_chart


@app.cell(hide_code=True)
def controls(page_element):
    variety_slider = page_element.control("variety")
    mistakes_slider = page_element.control("mistakes")
    repeats_slider = page_element.control("repeats")
    seed_number = page_element.control("seed")
    course.bar([variety_slider, mistakes_slider, repeats_slider], [seed_number])
    return mistakes_slider, repeats_slider, seed_number, variety_slider


@app.cell(hide_code=True)
def prediction_state(page):
    goes = course.Prediction(
        "04.goes",
        "Tries that repeat an earlier try of their task word for word are removed. What are they?",
        copied.what_goes(),
        revealed=page.teacher.reveal,
    )
    goes_element = mo.ui.anywidget(goes)
    follows = course.Prediction(
        "04.follows",
        "You go from 4 to 32 tries per task, remove the copies, and measure the band on what "
        "survives. How many rows are kept, against 4 tries?",
        copied.what_follows(),
        revealed=page.teacher.reveal,
    )
    follows_element = mo.ui.anywidget(follows)
    return follows, follows_element, goes, goes_element


@app.cell(hide_code=True)
def exhibit(cards_chart, goes_element, page):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose"><h1 id="copies">Copies</h1>
<p class="wc-meta">Lesson 4 · 7 minutes · simulated rows, judged by the answer key</p>
<p class="wc-lead">Some tries of a {course.term("task")} read word for word the same. Before
training, all but the first are removed. It sounds like tidying up. Is it neutral?</p>
{mo.as_html(cards_chart)}
<p class="wc-legend">In the bar: variety is how often a try is worded afresh, mistakes how often it
goes wrong, repeats the tries per task. ● pass · ■ fail, a row per task. After the answer: tries
with the same words lie in a stack; filled stays, an outline is a copy and goes, × recites the
answer key and goes.</p>
<p class="wc-reading-line">{page.place("cards_reading")} {page.place("printed")}</p></div>
<div class="wc-prose"><p>Two tasks, four tries each. One gets three passes
that read the same, and a fail. The other gets a pass, and three fails that read the same. Whatever
repeats an earlier try is a {course.term("duplicate", "copy")}. Take the copies out, and look at the
{course.term("pass rate")} and at the push each try gets, its {course.term("advantage")} [1].</p>
{copied.pushes()}
<p>Now the two cannot be told apart. Three equal tries of four said how often this reply comes.
Copies carry probability.</p>
{goes_element}</div></div>"""
    )
    return


@app.cell
def simulate(
    board,
    cards_chart,
    follows,
    follows_element,
    goes,
    goes_element,
    mistakes_slider,
    page,
    repeats_slider,
    seed_number,
    slopes_chart,
    twoways_chart,
    variety_slider,
):
    now = page.settle(
        variety=variety_slider.value,
        mistakes=mistakes_slider.value,
        repeats=repeats_slider.value,
        seed=seed_number.value,
    )
    variety, mistakes = now["variety"], now["mistakes"]
    repeats, seed = now["repeats"], now["seed"]
    tries = wc.simulate(
        wc.seeded_agent([get_order], rate=mistakes / 100, variety=variety / 100),
        tools=[get_order],
        repeats=repeats,
        budget=TASKS * repeats,
        seed=seed,
    )
    scored = tries.grade(wc.judges.answer_key)
    rl = scored.select(mode="rl", measure_on="scored", seed=seed)
    other = scored.select(mode="rl", measure_on="surviving", seed=seed)
    moved = survivors.shift(scored)
    goes_element.value, follows_element.value
    about = f"{TASKS} tasks, variety {variety} %, seed {seed}"
    kept = copied.by_tries(variety, mistakes, seed)
    said = copied.answer(goes, page, "variety", "mistakes")
    claim = copied.answer(follows, page, "variety", "mistakes")
    with board.together():
        cards_chart.push(**cards.push(rl, goes.revealed, about, said))
        slopes_chart.push(**slopes.push(moved, follows.revealed, f"{repeats} tries, {about}"))
        twoways_chart.push(**twoways.push(kept, repeats, follows.revealed, about, claim))
    page.show(**copied.places(page, rl, other, moved, goes.revealed, follows.revealed))
    return moved, other, rl


@app.cell(hide_code=True)
def what_is_left(follows_element, page, slopes_chart):
    mo.Html(
        f"""<div class="wc-pair"><div>{mo.as_html(slopes_chart)}
<p class="wc-legend">A line per pair of rates, as wide as the tasks that share it; numbers count
tasks. Shade: the band. Solid with ▼: the tasks end on the other side of an edge.</p>
<p class="wc-reading-line">{page.place("slopes_reading")}</p></div>
<div class="wc-prose"><h2 id="the-rate-that-is-left">The rate that is left</h2>
<p>The {course.term("band")} keeps tasks that pass 20 to 80&nbsp;% of the time [3]. Of the time:
that is a share of tries. So there are two ways to measure it. On all scored tries, and remove
copies afterwards. Or on what survives, as some tools do. Both then train on the same distinct
tries.</p>
{follows_element}</div></div>"""
    )
    return


@app.cell(hide_code=True)
def two_ways(page, twoways_chart):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="two-ways-to-measure">Two ways to measure</h2>
<p>Now move the {course.term("repeats")}. Each further try of a task adds another copy of a reply
that is there, or a new one.</p></div>
<div class="wc-exhibit">{mo.as_html(twoways_chart)}
<p class="wc-legend">● band measured on all scored tries · ▼ on what survives; the same seed at
every number of tries. Upright line: your number of tries.</p>
{page.place("two_ways", "div")}
<p class="wc-reading-line">{page.place("variety")}</p>
<p class="wc-reading-line">{page.place("seeds")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def challenges(page):
    silent = course.Challenge(
        "04.silent",
        "Set variety and mistakes to 0 %, at four tries. How many of the 64 rows are kept, and "
        "which gate takes the most? Type how many rows that gate takes.",
        check=lambda given: given["answer"] == max(copied.silent().values()),
        hint="All four tries of a task are the same reply. Which three of them leave, and what is "
        "left to compare the fourth with?",
        solution=lambda: (
            "{kept} are kept: {duplicate} leave as copies, and the {unanimous} that are left have "
            "nothing to differ from.".format(**copied.silent())
        ),
        field="Rows that the gate takes",
        not_yet="Not yet: three of the four tries of each task repeat the first.",
    )
    agree = course.Challenge(
        "04.agree",
        "With 32 tries and 35 % mistakes, find a variety at which both ways of measuring keep the "
        "same rows, and more than none.",
        check=lambda now: now["repeats"] == 32 and now["mistakes"] == 35 and copied.same_kept(now),
        hint="The more words a right answer has, the fewer copies there are to lose.",
        solution=lambda: (
            f"At seed 0 any variety from {copied.agreeing()[0]} to {copied.agreeing()[-1]} %. "
            "Below, too many passes are lost as copies. Above, one task crosses 80 % because a try "
            "that recites the key has left it."
        ),
        not_yet="Not yet: look at the two rows of the table.",
        page=page,
    )
    mo.Html(
        '<div class="wc-prose"><h2 id="try-it">Try it</h2></div>'
        f"{mo.as_html(silent)}{mo.as_html(agree)}"
    )
    return


@app.cell(hide_code=True)
def closing():
    mo.Html(
        """<div class="wc-prose"><p class="wc-takeaway">Measure a task on all its tries, train on
the distinct ones, and say which was which.</p>
<h2 id="covered-and-not-covered">Covered and not covered</h2>
<p>Covered: what removing exact repeats does to a pass rate and to the band. Not covered: near
copies, and whether weighting a reply by its copies trains better than showing it once. Tries that
recite the answer key leave first, so not every change of a rate is a copy's doing.</p>
<h2 id="sources">Sources</h2>
<ol class="wc-sources">
<li>Shao and others 2024, <a href="https://arxiv.org/abs/2402.03300">arXiv:2402.03300</a>: the
push is the distance from the group's average. There all samples of a group count, copies too.</li>
<li>Yuan and others 2023, <a href="https://arxiv.org/abs/2308.01825">arXiv:2308.01825</a>: distinct
passing replies make better fine-tuning data. There for copying; here for comparing.</li>
<li>Lambert 2025, <a href="https://arxiv.org/abs/2504.12501">arXiv:2504.12501</a>: the band, a share
of sampled tries there too.</li>
</ol></div>"""
    )
    return


@app.cell(hide_code=True)
def foot(page):
    notes = page.teacher.notes(
        aim="The room can say why a pass rate is measured before copies go, and what happens with "
        "many tries if it is not.",
        minutes=11,
        votes={
            "mostly right": "Ask for a task with eleven passes of sixteen: what is its rate once "
            "the copies are gone? (1 of 6.)",
            "split": "Let pairs take one row of the picture and cross the copies out by hand.",
            "one wrong option": "More: the room counts tries, not distinct replies. Have them "
            "count the passes left in one row at 32 tries.",
        },
        cut="The second challenge.",
        questions={
            "Why remove copies at all?": "A reply shown eleven times is pushed eleven times. One "
            "of each still shows every difference and costs less training, but the pushes are "
            "others, as the first table shows. That is a choice about training, not about "
            "measuring.",
            "Is variety temperature?": "It stands in for it: the chance that a right answer is "
            "worded afresh.",
        },
    )
    mo.vstack([course.glossary(), course.Progress(), course.foot(STEM, page.teacher), notes])
    return


if __name__ == "__main__":
    app.run()
