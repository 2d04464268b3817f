# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Keep the passes.

question: What does SFT copy?
minutes: 7
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="Keep the passes", css_file="lesson.css")

with app.setup(hide_code=True):
    import marimo as mo

    from whilecore import course
    from whilecore.charts import copied, picks, reach, rules
    from whilecore.charts.live import LiveBoard
    from whilecore.course import keeping
    from whilecore.rejection import at_least_one, expected_best, rejection_sample

    STEM = "07_keep_the_passes"


@app.cell(hide_code=True)
def page_state():
    page = course.Page(keeping.SETTINGS, mo.query_params())
    page_element = mo.ui.anywidget(page)
    course.head(STEM, page_element, page.teacher)
    return page, page_element


@app.cell(hide_code=True)
def pictures():
    board = LiveBoard()
    copied_chart = board.chart("copied", copied.picture(), title_lines=2)
    picks_chart = board.chart("picks", picks.picture(), title_lines=2)
    quality_chart = board.chart("quality", picks.quality(), title_lines=2)
    rules_chart = board.chart("rules", rules.picture(), title_lines=2)
    reach_chart = board.chart("reach", reach.picture(), title_lines=2)
    return (
        board,
        copied_chart,
        picks_chart,
        quality_chart,
        reach_chart,
        rules_chart,
    )


@app.cell(hide_code=True)
def controls(page_element):
    completions_slider = page_element.control("completions")
    noise_slider = page_element.control("noise")
    rule_dropdown = page_element.control("rule")
    seed_box = page_element.control("seed")
    course.bar([completions_slider, noise_slider, rule_dropdown], [seed_box])
    return completions_slider, noise_slider, rule_dropdown, seed_box


@app.cell(hide_code=True)
def questions(page):
    kept = course.Prediction(
        "07.copied",
        "64 rows, 16 tasks, four tries each. 43 rows passed, and every task has a pass. How many "
        "rows does SFT keep?",
        keeping.copied(),
        revealed=page.teacher.reveal,
    )
    kept_element = mo.ui.anywidget(kept)
    coarse = course.Prediction(
        "07.coarse",
        "The judge says only pass or fail. How far above a random pass does the best of 10 lie, in "
        "spreads of quality?",
        keeping.coarse(),
        revealed=page.teacher.reveal,
    )
    coarse_element = mo.ui.anywidget(coarse)
    reached = course.Prediction(
        "07.reach",
        "A task passes 10 % of its tries. You take ten completions. What is the chance that at "
        "least one passes?",
        keeping.reaching(),
        revealed=page.teacher.reveal,
    )
    reached_element = mo.ui.anywidget(reached)
    return coarse, coarse_element, kept, kept_element, reached, reached_element


@app.cell(hide_code=True)
def exhibit(copied_chart, kept_element, page):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose"><h1 id="keep-the-passes">Keep the passes</h1>
<p class="wc-meta">Lesson 7 · 7 minutes · first the rows of the course page, then simulated
replies</p>
<p class="wc-lead">You want to teach by example: show the model good replies and let it copy them.
It writes them itself. You try each {course.term("task")} several times, and a
{course.term("judge")} says which replies passed. What do you copy?</p>
{mo.as_html(copied_chart)}<p class="wc-legend">A column per task: ● pass, ■ fail. After the answer
only what is copied stays filled; · is a pass that is not.</p>
<p class="wc-reading-line">{page.place("copied_reading")}</p></div>
<div class="wc-prose"><p>First, one task and four tries: pass, pass, fail, pass. Copying the fail
would teach the mistake, so it goes. Of the passes one is an example. The second and third say the
same again, and a task that always passes would say it most often.</p>
<p>Copying chosen replies is called supervised fine-tuning, {course.term("SFT")}. Getting the
replies by trying several times and keeping passes is {course.term("rejection sampling")} [1].</p>
{kept_element}</div></div>"""
    )
    return


@app.cell
def simulate(
    board,
    coarse,
    coarse_element,
    completions_slider,
    copied_chart,
    kept,
    kept_element,
    noise_slider,
    page,
    picks_chart,
    quality_chart,
    reach_chart,
    reached,
    reached_element,
    rule_dropdown,
    rules_chart,
    seed_box,
):
    now = page.settle(
        completions=completions_slider.value,
        noise=noise_slider.value,
        rule=rule_dropdown.value,
        seed=seed_box.value,
    )
    completions, noise = now["completions"], now["noise"] / 100
    rule, seed = keeping.RULES[now["rule"]], now["seed"]
    run = rejection_sample(keeping.RATES, completions, noise=noise, seed=seed)
    compared, compared_tasks = keeping.rules(completions, noise, seed)
    if mo.app_meta().mode == "script":
        print(run)
    kept_element, coarse_element, reached_element
    told = [kept.revealed, coarse.revealed, reached.revealed]
    about = keeping.about(completions, noise, seed)
    first = completions == keeping.AT_FIRST
    with board.together():
        copied_chart.push(
            **copied.push(
                keeping.printed()[0], told[0], "the course page's rows", keeping.guess(kept)
            )
        )
        picks_chart.push(**picks.push(run, keeping.RATES, rule, told[0], about))
        quality_chart.push(**picks.push_quality(run, rule, told[0], about))
        rules_chart.push(
            **rules.push(
                compared,
                compared_tasks,
                told[1],
                about,
                keeping.guess(coarse) if first else None,
            )
        )
        reach_chart.push(
            **reach.push(completions, told[2], keeping.guess(reached) if first else None)
        )
    page.show(**keeping.places(page, run, rule, noise, told))
    return (run,)


@app.cell(hide_code=True)
def by_score(page, picks_chart, quality_chart):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="one-pick-per-task">One pick per task</h2>
<p>Twelve tasks, each at its true {course.term("pass rate")}. Every reply has a true quality, and it
is right from 0 up. The judge sees that quality with an error; the noise says how large,
against the spread of one task's replies. What it sees at 0 or higher, it passes. Then one of the
passes is picked.</p></div>
<div class="wc-exhibit">{mo.as_html(picks_chart)}<p class="wc-legend">● truly right, ■ truly wrong;
a ring marks the pick. Dashed: the judge passes from here on. At the left, true pass rates.</p>
<div style="margin-top: 1.5rem">{mo.as_html(quality_chart)}</div>
<p class="wc-legend">The same picks: as seen across, true quality up. Under the line at 0 a pick is
wrong. Thin bars: how far it is from what it seemed.</p>
<p class="wc-reading-line">{page.place("picks_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def filter_or_choice(coarse_element, page, rules_chart):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="a-filter-or-a-choice">A filter or a choice</h2>
<p>Many judges grade: 0.2, 0.7, 0.9. Others only say 1 or 0, a test that passes or not. Then
“keep the best” still runs, but nothing ranks the passes. Its control is a random pick among all
replies: a rule is worth what it does better than that. All rules are compared on the same tasks,
because a rule that skips hard tasks looks better by that alone.</p></div>
<div class="wc-pair"><div>{mo.as_html(rules_chart)}<p class="wc-legend">Dot: mean true quality of
the picks, the twelve tasks drawn 100 times. Wide bar: 95&nbsp;% {course.term("interval")}.</p>
<p class="wc-reading-line">{page.place("rules_reading")}</p></div>
<div>{coarse_element}<p class="wc-legend">What the program prints for the course page's rows, whose
rewards are 0 and 1, once both questions are answered or skipped:</p>{page.place("ran", "div")}
</div></div>"""
    )
    return


@app.cell(hide_code=True)
def how_many(page, reach_chart, reached_element):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="how-many-completions">How many completions?</h2>
<p>A task without a pass gives nothing to copy. Hard tasks are the ones you want examples of, and
they are the ones that come out empty. With true rate <i>p</i> at least one of <i>n</i> passes with
chance 1 − (1 − <i>p</i>)<sup>n</sup>. Practice is 10 to 30 completions per task [2].</p></div>
<div class="wc-pair"><div>{mo.as_html(reach_chart)}<p class="wc-legend">A line for each true rate;
shaded, 10 to 30 completions. Diamond: your n.</p>
<p class="wc-reading-line">{page.place("reach_reading")}</p></div><div>{reached_element}</div></div>
<div class="wc-prose"><h2 id="does-it-help-a-real-model">Does it help a real model?</h2>
<p>On school mathematics, per cent solved after training [1]. The larger the model, the less its
own passes add; passes of several models still add something, because they differ.</p></div>
<div class="wc-exhibit">{keeping.yuan()}</div>"""
    )
    return


@app.cell(hide_code=True)
def challenges(page):
    enough = course.Challenge(
        "07.enough",
        "At a true rate of 10 %, what is the smallest number of completions with at least an 80 % "
        "chance of a pass? Set it, then check.",
        check=keeping.is_enough,
        hint="Follow the line of 10 % until it crosses 80 %, or open the table of that picture.",
        solution=lambda: (
            f"{keeping.fewest_for_chance(0.1, 0.8)}: "
            f"{float(at_least_one(0.1, keeping.fewest_for_chance(0.1, 0.8))):.1%}."
        ),
        not_yet="Not yet: read the chance under the picture for your number of completions.",
        page=page,
    )
    best = course.Challenge(
        "07.best",
        "Set the judge noise to 0. What is the smallest number of completions whose best lies, in "
        "theory, 1.5 spreads above a random one?",
        check=keeping.is_best,
        hint="The last sentence under “A filter or a choice” says how far it lies.",
        solution=lambda: (
            f"{keeping.fewest_for_spread(1.5)}: "
            f"{expected_best(keeping.fewest_for_spread(1.5)):.2f} spreads. "
            f"Three times as many add only {expected_best(30) - expected_best(10):.2f}."
        ),
        not_yet="Not yet: set the noise to 0 and move the completions.",
        page=page,
    )
    mo.Html(
        '<div class="wc-prose"><h2 id="try-it">Try it</h2></div>'
        f"{mo.as_html(enough)}{mo.as_html(best)}"
    )
    return


@app.cell(hide_code=True)
def closing(page):
    mo.Html(
        f"""<div class="wc-prose"><p class="wc-takeaway">SFT copies what passed, one reply per
task. {page.place("takeaway")}</p>
<h2 id="covered-and-not-covered">Covered and not covered</h2>
<p>Covered: which replies are kept, and how good they are. Not covered: what training on them does,
and judges whose error has a direction, such as a liking for length: lessons 5 and 10. That quality
is spread like a bell around each task's mean is our assumption; the filter's result does not need
it.</p>
<h2 id="sources">Sources</h2>
<ol class="wc-sources">
<li>Yuan and others 2023, <a href="https://arxiv.org/abs/2308.01825">arXiv:2308.01825</a>: the
table, and the filter by a pass-or-fail check. There several different passes of a question are
copied; here one.</li>
<li>Llama 3, 2024, <a href="https://arxiv.org/abs/2407.21783">arXiv:2407.21783</a>, section 4.2.2:
“typically between 10 and 30” completions, the best by a reward model. There the judge is learned;
here its error is a bell of your choosing.</li>
</ol></div>"""
    )
    return


@app.cell(hide_code=True)
def foot(page):
    notes = page.teacher.notes(
        aim="The room can say what SFT copies, and why best of n with a pass-or-fail judge is a "
        "random pick among the passes.",
        minutes=10,
        votes={
            "mostly right": "Go straight to the second question; few rooms get that one.",
            "split": "Let pairs argue for 43 and for 16 with one task that passes four of four.",
            "one wrong option": "Usually 43. Ask how often the easiest task would then be copied, "
            "and the hardest.",
        },
        cut="The table of published figures, then the second challenge.",
        questions={
            "Why not copy all different passes?": "People do, and variety helps; the first source "
            "does. One per task is this course's rule, the simplest that keeps tasks even.",
            "Is a random pick among passes bad, then?": "No. It is as good as the judge allows, "
            "and far better than a random reply.",
            "Why compare on the same tasks?": "The filter skips tasks without a pass. Those are "
            "hard, so skipping them lifts any mean.",
        },
    )
    mo.vstack([course.glossary(), course.Progress(), course.foot(STEM, page.teacher), notes])
    return


if __name__ == "__main__":
    app.run()
