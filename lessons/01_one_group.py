# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""One group.

question: Which try gets the strongest push?
minutes: 8
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="One group", css_file="lesson.css")

with app.setup(hide_code=True):
    import marimo as mo
    import numpy as np

    from whilecore import course
    from whilecore.charts import baseline, batch, recipes
    from whilecore.charts.live import LiveBoard
    from whilecore.course import one_group
    from whilecore.course.flips import Flips, Pattern
    from whilecore.groups import advantages

    STEM = "01_one_group"
    TRIES = Pattern("tries", "11101011")
    SETTINGS = (TRIES, one_group.REPEATS, one_group.EASE)


@app.cell(hide_code=True)
def page_state():
    page = course.Page(SETTINGS, mo.query_params())
    page_element = mo.ui.anywidget(page)
    course.head(STEM, page_element, page.teacher)
    return page, page_element


@app.cell(hide_code=True)
def pictures():
    board = LiveBoard()
    group_chart = board.chart("group", baseline.picture())
    group_element = mo.ui.anywidget(group_chart)
    recipes_chart = board.chart("recipes", recipes.picture())
    close_chart = board.chart("close", recipes.picture(), title_lines=2)
    batch_chart = board.chart("batch", batch.picture(), title_lines=2)
    return (
        batch_chart,
        board,
        close_chart,
        group_chart,
        group_element,
        recipes_chart,
    )


@app.cell(hide_code=True)
def marks(group_chart, page):
    flips = Flips(page.values["tries"], place=(baseline.LEFT, baseline.SLOTS + baseline.RIGHT))
    flips_element = mo.ui.anywidget(flips)
    flips.follow(group_chart)
    page.observe(lambda change: setattr(flips, "tries", TRIES.default), "resets")
    return flips, flips_element


@app.cell(hide_code=True)
def controls(page_element):
    repeats_slider = page_element.control("repeats")
    easy_slider = page_element.control("easy")
    course.bar([repeats_slider])
    return easy_slider, repeats_slider


@app.cell(hide_code=True)
def questions(page):
    strongest = course.Prediction(
        "01.strongest",
        "Rewards 1, 1, 1, 0. Which try gets the strongest push?",
        one_group.strongest(),
        revealed=page.teacher.reveal,
    )
    strongest_element = mo.ui.anywidget(strongest)
    divided = course.Prediction(
        "01.divided",
        "Rewards 0.501, 0.5, 0.5, 0.5. Each distance is divided by the group's spread. "
        "How strong is the push on the first try?",
        one_group.divided(),
        revealed=page.teacher.reveal,
    )
    divided_element = mo.ui.anywidget(divided)
    shared = course.Prediction(
        "01.shared",
        "An easy task passes 4 of 4, a hard one 1 of 4. Now one average, of all eight tries, "
        "stands in for both. What does that do to the easy task?",
        one_group.shared(),
        revealed=page.teacher.reveal,
    )
    shared_element = mo.ui.anywidget(shared)
    return (
        divided,
        divided_element,
        shared,
        shared_element,
        strongest,
        strongest_element,
    )


@app.cell(hide_code=True)
def exhibit(flips_element, group_element, page, strongest_element):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose"><h1 id="one-group">One group</h1>
<p class="wc-meta">Lesson 1 · 8 minutes · nothing on this page is random</p>
<p class="wc-lead">An agent tries the same {course.term("task")} four times. Three tries pass and
one fails. Training pushes each try: up, so that it comes more often, or down. Which try gets the
strongest push?</p>
<p>First, two tries. One passes: {course.term("reward")} 1. One fails: reward 0. Their average is
0.5. Each is pushed by its distance from that average: the pass by +0.5, the fail by −0.5. The two
pushes sum to 0. The tries of one task are its {course.term("group")}, the distance is the try's
{course.term("advantage")}, and training with it is called {course.term("GRPO")}. In the paper that
named it the distance is also divided by the group's spread [1]; that comes further down.</p>
<p class="wc-legend">Press a mark to flip it: ● pass, ■ fail. In the bar on top (on a phone: under
Controls) <i>tries, k</i> is how many tries the group has.</p>{flips_element}{group_element}
<p class="wc-legend">Line: the average. Bar: the push, from the average to the try's reward. An
outline with – is a try that is not pushed.</p></div>
<div>{strongest_element}<p class="wc-reading-line">{page.place("push_reading")}</p></div></div>"""
    )
    return


@app.cell
def push(
    batch_chart,
    board,
    close_chart,
    divided,
    divided_element,
    easy_slider,
    flips,
    flips_element,
    group_chart,
    group_element,
    page,
    recipes_chart,
    repeats_slider,
    shared,
    shared_element,
    strongest,
    strongest_element,
):
    flips_element, group_element
    now = page.settle(
        tries=flips.tries,
        repeats=repeats_slider.value,
        easy=easy_slider.value,
    )
    flips.shown = now["repeats"]
    rewards = one_group.rewards_of(now["tries"], now["repeats"])
    pushes = advantages(rewards)
    assert abs(pushes.sum()) < 1e-12
    if mo.app_meta().mode == "script":
        print(f"rewards {rewards}: pushes {np.round(pushes, 3)}, sum {pushes.sum():.0f}")
    strongest_element, divided_element, shared_element
    told = [strongest.revealed, divided.revealed, shared.revealed]
    ringed = one_group.ringed(strongest.choice) if rewards == one_group.FIRST else ()
    two_tasks = one_group.two_tasks(now["easy"])
    with board.together():
        group_chart.push(**baseline.push(rewards, told[0], ringed))
        recipes_chart.push(**recipes.push(rewards, one_group.about(rewards), told[0]))
        close_chart.push(**one_group.close(divided))
        batch_chart.push(**batch.push(two_tasks, told[0], told[2], one_group.said_of(shared)))
    page.show(**one_group.places(page, rewards, told))
    return (pushes,)


@app.cell(hide_code=True)
def agree(page):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="flip-the-fail">Flip the fail</h2>
<p>From the start group, three passes and a fail, flip try 4 and every bar collapses. The group is
then {course.term("unanimous")}: all its tries lie on their average, and there is no reward signal,
however good they are.</p>
<p class="wc-reading-line">{page.place("silent_reading")}</p>
<p>No signal is not the same as no update. Where training also holds the model near its start, with
a penalty for moving away (the KL term), that penalty still pulls.</p>
<h2 id="how-far-the-task-moves">How far the task moves</h2>
<p>A pass pushed up and a fail pushed down both make passing more likely. Together they move the
task by the mean of push × reward. That is a strength, not a rise in the
{course.term("pass rate")}: how far the rate rises depends on the size of the training step too.</p>
<p class="wc-reading-line">{page.place("update_reading")}</p>
<p>{page.place("expected_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def four_recipes(close_chart, divided_element, page, recipes_chart):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="divided-by-the-spread">Divided by the spread</h2>
<p>So far a push was the distance alone. The paper that named GRPO divides it by the group's spread,
its standard deviation [1]. A later one leaves that out again [2]. A third way compares a try with
the average of the <i>others</i> only [3]. All agree on who goes up and who goes down. They differ
in how far.</p></div>
<div class="wc-pair"><div>{mo.as_html(recipes_chart)}<p class="wc-legend">Your group from above. ●
tries that pass, ■ tries that fail, each at its push; “2 × +0.50” reads: two tries, each pushed by
+0.50. Total: the sizes of all pushes, added.</p>
<p class="wc-reading-line">{page.place("recipe_reading")}</p>
<div class="wc-exhibit">{mo.as_html(close_chart)}</div></div>
<div>{divided_element}</div></div>"""
    )
    return


@app.cell(hide_code=True)
def code_bases(page):
    mo.Html(
        f"""<div class="wc-prose"><p>Public code differs in more than that: in which spread, in
what is added to it so that nothing is divided by 0, and in what a group of <i>one</i> try gets,
which has nobody to be compared with. Six code bases give it four different answers.</p></div>
<div class="wc-exhibit">{page.place("conventions", "div")}<p class="wc-legend">1 pass in 8: the push
on the pass. .501 among .5: on the .501. A group of one: what a single try with reward 0.7 gets, as
read in that code. The population spread divides by k, the sample spread by k − 1.</p></div>"""
    )
    return


@app.cell(hide_code=True)
def one_average(batch_chart, easy_slider, page, shared_element):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="whose-average">Whose average?</h2>
<p>The average must be the group's own. Here are two tasks of four tries: in the upper row each has
its own average, in the lower row one average serves both.</p></div>
<div class="wc-pair"><div>{easy_slider}{mo.as_html(batch_chart)}
<p class="wc-reading-line">{page.place("batch_reading")}</p></div><div>{shared_element}</div>
</div>"""
    )
    return


@app.cell(hide_code=True)
def challenges(page):
    ways = course.Challenge(
        "01.silent_ways",
        "Four tries can end in 16 ways. In how many of them is no try pushed?",
        check=lambda now: now["answer"] == one_group.silent_ways(),
        hint="No push needs every try on the average. Flip marks until it happens; how else could "
        "it?",
        solution=lambda: f"{one_group.silent_ways()} of 16: all pass, or all fail.",
        field="Ways",
    )
    loudest = course.Challenge(
        "01.loudest",
        "Four tries: set the marks so that the pushes add up to the largest total, sizes counted "
        "without sign.",
        check=lambda now: one_group.is_loudest(now["tries"], now["repeats"]),
        hint="The first row under “Divided by the spread” shows the total of the group above.",
        solution=lambda: (
            f"{one_group.loudest()} passes and {4 - one_group.loudest()} fails: "
            f"{one_group.totals()[one_group.loudest()]:.1f} in all."
        ),
        not_yet="Not yet: use four tries, and look at the total.",
        page=page,
    )
    grows = course.Challenge(
        "01.grows",
        "Four tries: set a group whose total is multiplied by the largest factor when divided by "
        "the spread.",
        check=lambda now: one_group.grows_most(now["tries"], now["repeats"]),
        hint="The title of the recipes says how many times as long the pushes get.",
        solution=lambda: (
            "Three and one, either way: "
            + ", ".join(f"{n} of 4 pass ×{one:.2f}" for n, one in one_group.growths().items())
            + ". Division favours lopsided groups."
        ),
        not_yet=lambda now: one_group.not_grown(now["tries"], now["repeats"]),
        page=page,
    )
    mo.Html(
        '<div class="wc-prose"><h2 id="try-it">Try it</h2></div>'
        + "".join(mo.as_html(one).text for one in (ways, loudest, grows))
    )
    return


@app.cell(hide_code=True)
def closing(page):
    mo.Html(
        f"""<div class="wc-prose"><p class="wc-takeaway">A try is pushed by how it differs from its
own group. {page.place("takeaway")}</p>
<h2 id="covered-and-not-covered">Covered and not covered</h2>
<p>Covered: the push on each try of one group. Not covered: how a push on a whole reply becomes
a step of the model's weights, clipping (a cap on that step), and the length of replies. Lesson 2
asks how often a group agrees by luck alone.</p>
<h2 id="sources">Sources</h2>
<ol class="wc-sources">
<li>Shao and others 2024, <a href="https://arxiv.org/abs/2402.03300">arXiv:2402.03300</a>: the
group's average as baseline, divided by the spread. There 64 tries per question; here 2 to 8.</li>
<li>Liu and others 2025, <a href="https://arxiv.org/abs/2503.20783">arXiv:2503.20783</a>: why not
to divide. There also the length term, which is not here.</li>
<li>Kool and others 2019, <a href="https://openreview.net/forum?id=r1lgTGL5DE">Buy 4 REINFORCE
samples, get a baseline for free</a>: the average of the others. There for sampled sequences in
general.</li>
</ol></div>"""
    )
    return


@app.cell(hide_code=True)
def foot(page):
    notes = page.teacher.notes(
        aim="The room can compute the push of each try of a group in the head, and say why a "
        "group that agrees pushes nobody.",
        minutes=10,
        votes={
            "mostly right": "Flip the fail at once and ask what is left. Then go to the division "
            "by the spread; few rooms get that one.",
            "split": "Let pairs compute the average and the four distances on paper, then compare.",
            "one wrong option": "Usually “each pass, +1”. Ask what would happen to a task that "
            "always passes if reward itself were the push.",
        },
        cut="The table of code bases, then the shared average.",
        questions={
            "The mean advantage in my log is 0. Is it broken?": "No: it is 0 in every group, "
            "always. Watch the mean of the sizes.",
            "So is dividing by the spread wrong?": "It is a choice: it gives lopsided groups and "
            "tiny differences more weight. Know that you made it.",
            "Is the loss 0 too?": "At the first step its value is, and its gradient is not.",
        },
    )
    mo.vstack([course.glossary(), course.Progress(), course.foot(STEM, page.teacher), notes])
    return


if __name__ == "__main__":
    app.run()
