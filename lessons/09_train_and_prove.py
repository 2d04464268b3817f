# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Train and prove.

question: Did training move the held-out score?
minutes: 8
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="Train and prove", css_file="lesson.css")

with app.setup(hide_code=True):
    import marimo as mo

    import whilecore as wc
    from whilecore import course
    from whilecore.charts import leads, learning, paired
    from whilecore.charts.live import LiveBoard
    from whilecore.course import train_prove
    from whilecore.power import tasks_needed

    STEM = "09_train_and_prove"


@app.cell(hide_code=True)
def page_state():
    page = course.Page(train_prove.SETTINGS, mo.query_params())
    page_element = mo.ui.anywidget(page)
    course.head(STEM, page_element, page.teacher)
    return page, page_element


@app.cell(hide_code=True)
def pictures():
    board = LiveBoard()
    curves_chart = board.chart("curves", learning.picture(), title_lines=2)
    quiet_chart = board.chart("quiet", learning.picture(0, 1, "silent groups"), title_lines=2)
    leads_chart = board.chart("leads", leads.picture(), title_lines=2)
    paired_chart = board.chart("paired", paired.picture(), title_lines=2)
    return board, curves_chart, leads_chart, paired_chart, quiet_chart


@app.cell(hide_code=True)
def controls(page_element):
    pool_dropdown = page_element.control("pool")
    match_dropdown = page_element.control("match")
    by_dropdown = page_element.control("by")
    skill_dropdown = page_element.control("skill")
    seed_box = page_element.control("seed")
    stop_slider = page_element.control("stop")
    held_slider = page_element.control("held")
    leak_dropdown = page_element.control("leak")
    course.bar([pool_dropdown, match_dropdown, by_dropdown], [skill_dropdown, seed_box])
    return (
        by_dropdown,
        held_slider,
        leak_dropdown,
        match_dropdown,
        pool_dropdown,
        seed_box,
        skill_dropdown,
        stop_slider,
    )


@app.cell(hide_code=True)
def questions(page):
    highest = course.Prediction(
        "09.highest",
        "Same step size, 60 steps, mean of 20 runs. Which pool ends highest on tasks nobody "
        "trained on?",
        train_prove.highest(),
        revealed=page.teacher.reveal,
    )
    highest_element = mo.ui.anywidget(highest)
    left = course.Prediction(
        "09.left",
        "Now scale each step so that the expected push on the skill is that of “all”. Of the pool "
        "that ended highest above: how much of its lead over “all” is left?",
        train_prove.left(),
        revealed=page.teacher.reveal,
    )
    left_element = mo.ui.anywidget(left)
    needed = course.Prediction(
        "09.needed",
        f"To show a gain of 0.10 from 0.60, four times in five, takes "
        f"{tasks_needed(train_prove.GAIN, train_prove.BASE, train_prove.TRIES)} tasks at four "
        "tries each. How many for a gain of 0.05?",
        train_prove.half_the_gain(),
        revealed=page.teacher.reveal,
    )
    needed_element = mo.ui.anywidget(needed)
    return highest, highest_element, left, left_element, needed, needed_element


@app.cell(hide_code=True)
def exhibit(curves_chart, highest_element, page):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose"><h1 id="train-and-prove">Train and prove</h1>
<p class="wc-meta">Lesson 9 · 8 minutes · a toy policy, trained with real group updates</p>
<p class="wc-lead">Some {course.term("group", "groups")} agree and teach nothing. So is it better to
train on {course.term("task", "tasks")} in the middle only? And how would you know?</p>
{mo.as_html(curves_chart)}<p class="wc-legend">● all, ■ middle once, ▲ middle re-measured, ◆ oracle,
as expected over 20 worlds. Thin: 20 runs of the pool in the bar.</p>
<p class="wc-reading-line" style="min-height: 6.3em">{page.place("curves_reading")}</p></div>
<div class="wc-prose"><p>First, one step. An agent passes one task half of the time and another
always. Eight tries each: the first group has passes and fails and pushes the skill up. The second
agrees and pushes nothing.</p>
<p>Four pools. <b>All</b>: every task, always. <b>Middle once</b>: tasks that pass 20 to
80&nbsp;% of eight tries before training, and no others. <b>Middle re-measured</b>: measured
anew every 10 steps.
<b>Oracle</b>: true rates known at every step, for free; nobody has it.</p>
<p>The toy has a general skill and one for each of eight topics. Half of each push goes to either. A
step is 16 groups of 8 tries.</p>{highest_element}</div></div>"""
    )
    return


@app.cell
def simulate(
    board,
    by_dropdown,
    curves_chart,
    held_slider,
    highest,
    highest_element,
    leads_chart,
    leak_dropdown,
    left,
    left_element,
    match_dropdown,
    needed,
    needed_element,
    page,
    paired_chart,
    pool_dropdown,
    quiet_chart,
    seed_box,
    skill_dropdown,
    stop_slider,
):
    now = page.settle(
        pool=pool_dropdown.value,
        match=match_dropdown.value,
        by=by_dropdown.value,
        skill=skill_dropdown.value,
        stop=stop_slider.value,
        held=held_slider.value,
        leak=leak_dropdown.value,
        seed=seed_box.value,
    )
    pool, match, by, skill = now["pool"], now["match"], now["by"], now["skill"]
    stop, held, seed = now["stop"], now["held"], now["seed"]
    runs = train_prove.trained(pool, match, skill, seed)
    before, after = train_prove.evaluated(runs, stop, held)
    shown = wc.compare(before, after)
    true = train_prove.true_change(before, after)
    if mo.app_meta().mode == "script":
        print(runs)
        print(f"after {stop} steps: {shown}")
    highest_element, left_element, needed_element
    told = [highest.revealed, highest.revealed and left.revealed, needed.revealed]
    open_curves = told[1] if match != "no" else told[0]
    about = "steps matched" if match != "no" else "same step size"
    lines = train_prove.all_expected(match, skill)
    floor = train_prove.floor(skill, seed, held)
    first = 10 if match == "no" else 0
    mine = highest.choice if (match, skill) == ("no", "half") else ""
    with board.together():
        curves_chart.push(**learning.push(lines, runs, by, open_curves, about, mine, first))
        quiet_chart.push(**learning.quiet(lines, by, open_curves, f"{about}, as expected"))
        leads_chart.push(
            **leads.push(
                train_prove.leads() if told[1] else {},
                told[1],
                "20 worlds, seed 0",
                train_prove.left_said(left),
            )
        )
        paired_chart.push(
            **paired.push(
                shown, true, floor, f"steps 0 and {stop}, {train_prove.TRIES} tries, seed {seed}"
            )
        )
    page.show(**train_prove.places(page, runs, shown, true, told, needed.choice))
    return runs, shown


@app.cell(hide_code=True)
def silence(quiet_chart):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="who-falls-silent">Who falls silent</h2>
<p>As the agent learns, tasks get easy, and groups of easy tasks agree. Each pool deals with that in
its own way.</p></div>
<div class="wc-exhibit">{mo.as_html(quiet_chart)}<p class="wc-legend">Share of the groups drawn in a
step whose tries all agree. ● all, ■ middle once, ▲ middle re-measured, ◆ oracle. A line ends where
the pool is empty.</p></div>"""
    )
    return


@app.cell(hide_code=True)
def same_push(leads_chart, left_element, page):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="choice-or-speed">Choice, or speed?</h2>
<p>A task in the middle pushes harder than one that nearly always passes. To compare the
<i>choice</i> of tasks alone, let every pool take steps of the same expected size.</p></div>
<div class="wc-pair"><div>{mo.as_html(leads_chart)}<p class="wc-legend">■ middle once, ▲ middle
re-measured, ◆ oracle; bars: 95&nbsp;% {course.term("interval")} over 20 worlds. “Same rollouts”:
each stops where the rollouts of “all” are spent, measuring included.</p>
<p class="wc-reading-line" style="min-height: 8em">{page.place("leads_reading")}</p></div>
<div>{left_element}</div></div>"""
    )
    return


@app.cell(hide_code=True)
def proof(held_slider, needed_element, page, paired_chart, stop_slider):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="did-it-move">Did it move?</h2>
<p>In the toy the true rate is known. On a real model you try tasks that were held out of training,
before and after. The <i>same</i> tasks: the difference of each task cancels how hard it is
[1].</p></div>
<div class="wc-pair"><div>{stop_slider}{held_slider}{mo.as_html(paired_chart)}
<p class="wc-legend">One dot per task, world 1. ■ their mean with its 95&nbsp;% interval; ◇ the true
change. Shade: what two evaluations of the <i>untrained</i> policy differ by, 19 times in 20, from
ten repetitions.</p><p class="wc-reading-line" style="min-height: 6.3em">
{page.place("proof_reading")}</p></div>
<div>{needed_element}<p class="wc-reading-line" style="min-height: 4.7em">
{page.place("needed_reading")}</p></div></div>
<div class="wc-prose"><p>An interval that touches zero does not show that nothing moved. It says:
not shown to have moved.</p></div>"""
    )
    return


@app.cell(hide_code=True)
def leaks(leak_dropdown, page):
    _on, _rest, _score, _clean = train_prove.leaked_rates()
    mo.Html(
        f"""<div class="wc-prose"><h2 id="a-task-in-both-sets">A task in both sets</h2>
<p>A score on tasks that were trained on proves nothing. Let the toy also remember: 30&nbsp;% of
each push stays with its own task. Put 8 training tasks among the 64 held-out ones, and after 60
steps it passes {course.num("leak.on", _on, ".2f")} of the leaked and
{course.num("leak.rest", _rest, ".2f")} of the others. The score reads
{course.num("leak.score", _score, ".3f")}; had none been put there,
{course.num("leak.clean", _clean, ".3f")}.</p></div>
<div class="wc-exhibit">{leak_dropdown}{page.place("overlap", "div")}
<p class="wc-reading-line">{page.place("leak_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def challenges(page):
    unshown = course.Challenge(
        "09.unshown",
        "Set a comparison that does not show a true gain of at least 0.05.",
        check=train_prove.is_unshown,
        hint="Fewer held-out tasks widen the interval; fewer steps shrink the gain.",
        solution=lambda: (
            "For one, 20 steps and 8 tasks at seed 0: the skill is there, the tasks to show it are "
            "not."
        ),
        not_yet="Not yet: look at the true change and at the verdict.",
        page=page,
    )
    few = course.Challenge(
        "09.fewest_tasks",
        "What is the smallest setting of the held-out tasks with which a gain of 0.20 from 0.60 "
        "shows, four times in five?",
        check=lambda now: now["held"] == train_prove.fewest_held(0.2),
        hint="Answer or skip the third question; the line under it says what your tasks show.",
        solution=lambda: (
            f"{train_prove.fewest_held(0.2)}: it takes "
            f"{tasks_needed(0.2, train_prove.BASE, train_prove.TRIES)}, and the slider goes by 8."
        ),
        page=page,
    )
    hidden = course.Challenge(
        "09.not_found",
        "Leak one task so that the check does not find it.",
        check=lambda now: now["leak"] != "none" and not train_prove.found(str(now["leak"])).pairs,
        hint="Names and texts are compared, not meanings.",
        solution=lambda: (
            "In other words. Only somebody who reads both sets, or a check by meaning, finds it."
        ),
        page=page,
    )
    mo.Html(
        '<div class="wc-prose"><h2 id="try-it">Try it</h2></div>'
        + "".join(mo.as_html(one).text for one in (unshown, few, hidden))
    )
    return


@app.cell(hide_code=True)
def closing(page):
    mo.Html(
        f"""<div class="wc-prose"><p class="wc-takeaway">Prove a gain on the same held-out tasks,
with its interval. {page.place("takeaway")}</p>
<h2 id="covered-and-not-covered">Covered and not covered</h2>
<p>Covered: four pools, their cost, and a paired comparison, in a toy of nine skills. Not covered:
whether the middle helps a real model. The toy never forgets, has no tokens, and its topics cannot
help each other but through the general skill. Where those matter, the pools may differ in ways not
seen here. {page.place("slower")} Lesson 10 asks what happens when the {course.term("judge")} is
wrong.</p>
<h2 id="sources">Sources</h2>
<ol class="wc-sources">
<li>Miller 2024, <a href="https://arxiv.org/abs/2411.00640">arXiv:2411.00640</a>: paired differences
and tasks needed. There with the normal distribution; here Student's t.</li>
<li>Chen and others 2021, <a href="https://arxiv.org/abs/2107.03374">arXiv:2107.03374</a>: pass
rates estimated from several tries. There pass@k; here the plain rate.</li>
<li>Shao and others 2024, <a href="https://arxiv.org/abs/2402.03300">arXiv:2402.03300</a>: the group
update. Here without clipping and without dividing by the spread.</li>
</ol></div>"""
    )
    return


@app.cell(hide_code=True)
def foot(page):
    notes = page.teacher.notes(
        aim="The room can tell a better choice of tasks from a larger step, and a gain that was "
        "shown from one that was not.",
        minutes=15,
        votes={
            "mostly right": "Go straight to the second question; it is the one that surprises.",
            "split": "Let each side say what the silent groups do late in the run, then uncover.",
            "one wrong option": "Usually the oracle. Ask what it trains on when no task is left "
            "between 20 and 80 %.",
        },
        cut="The leaked task, then the third challenge.",
        questions={
            "So is choosing tasks useless?": "It saves rollouts that teach nothing, at the price "
            "of measuring. Here the two about cancel.",
            "Why not just raise the step size?": "Do, in the toy. On a real model larger steps are "
            "not free, and that is a reason to care which pool you step on.",
            "Can I compare on other tasks after?": "Then the tasks' difficulty is in the "
            "difference, and you need many more.",
        },
    )
    train_prove.prepare()  # at the end: the page is there already
    mo.vstack([course.glossary(), course.Progress(), course.foot(STEM, page.teacher), notes])
    return


if __name__ == "__main__":
    app.run()
