# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""When the judge is wrong.

question: What happens to the true score while the reward climbs?
minutes: 7
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="When the judge is wrong", css_file="lesson.css")

with app.setup(hide_code=True):
    import marimo as mo

    from whilecore import course
    from whilecore.charts import brake, climb, distance, forms, warning
    from whilecore.charts.live import LiveBoard
    from whilecore.course import wrong_judge
    from whilecore.overoptimise import best_of_n_curve

    STEM = "10_when_the_judge_is_wrong"


@app.cell(hide_code=True)
def page_state():
    page = course.Page(wrong_judge.SETTINGS, mo.query_params())
    page_element = mo.ui.anywidget(page)
    course.head(STEM, page_element, page.teacher)
    return page, page_element


@app.cell(hide_code=True)
def pictures():
    board = LiveBoard()
    climb_chart = board.chart("climb", climb.picture(), title_lines=2)
    warning_chart = board.chart("warning", warning.picture(), title_lines=2)
    brake_chart = board.chart("brake", brake.picture(), title_lines=2)
    distance_chart = board.chart("distance", distance.picture(), title_lines=2)
    forms_chart = board.chart("forms", forms.picture(), title_lines=2)
    return (
        board,
        brake_chart,
        climb_chart,
        distance_chart,
        forms_chart,
        warning_chart,
    )


@app.cell(hide_code=True)
def controls(page_element):
    bias_slider = page_element.control("bias")
    pull_slider = page_element.control("pull")
    best_of_dropdown = page_element.control("best_of")
    seed_box = page_element.control("seed")
    course.bar([bias_slider, pull_slider], [seed_box])
    return best_of_dropdown, bias_slider, pull_slider, seed_box


@app.cell(hide_code=True)
def questions(page):
    curve = course.Prediction(
        "10.curve",
        "The judge pays half for being right and half for being long. Over 60 steps its reward "
        "climbs, as drawn. Which way goes the true rate, the share of right replies?",
        wrong_judge.curve(),
        revealed=page.teacher.reveal,
    )
    curve_element = mo.ui.anywidget(curve)
    same = course.Prediction(
        "10.same",
        "Two runs, one with a pull to the start and one without. Compare them at the moment each "
        "has reached the same reward. What is the true rate of the pulled run?",
        wrong_judge.brake(),
        revealed=page.teacher.reveal,
    )
    same_element = mo.ui.anywidget(same)
    return curve, curve_element, same, same_element


@app.cell(hide_code=True)
def exhibit(climb_chart, curve_element, page):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose">
<h1 id="when-the-judge-is-wrong">When the judge is wrong</h1>
<p class="wc-meta">Lesson 10 · 7 minutes · a toy policy of two numbers, trained with real group
updates</p>
<p class="wc-lead">Training raises what the {course.term("judge")} pays. If the judge also pays for
length, the {course.term("reward")} climbs. And the job?</p>
{mo.as_html(climb_chart)}<p class="wc-legend">Dashed, ■: the judge's mean reward. After the answer
also: thick, ●: true rate, as expected; thin: 20 runs; dotted: share of long replies.</p>
<p class="wc-reading-line" style="min-height: 4.7em">{page.place("climb_reading")}</p></div>
<div class="wc-prose"><p>First, one {course.term("task")} and two replies. A short right one, a
long wrong one. A judge that looks at nothing but the job pays 1 and 0. A judge that gives half of
its verdict to length pays 0.5 and 0.5. To it the two are worth the same.</p>
<p>Its verdict is a stand-in for the truth, a <i>proxy</i>. The toy has two things to learn: how to
be right, and how often to be long.</p>{curve_element}</div></div>"""
    )
    return


@app.cell
def simulate(
    best_of_dropdown,
    bias_slider,
    board,
    brake_chart,
    climb_chart,
    curve,
    curve_element,
    distance_chart,
    forms_chart,
    page,
    pull_slider,
    same,
    same_element,
    seed_box,
    warning_chart,
):
    now = page.settle(
        bias=bias_slider.value,
        pull=pull_slider.value,
        best_of=best_of_dropdown.value,
        seed=seed_box.value,
    )
    bias, pull = now["bias"] / 100, now["pull"] / 100
    best_of, seed = int(now["best_of"]), now["seed"]
    runs = wrong_judge.trained(bias, pull, seed)
    exact = wrong_judge.expected(bias, pull)  # every group replaced by its expectation
    picks = best_of_n_curve(runs.world, bias, wrong_judge.DRAWS)
    if mo.app_meta().mode == "script":
        print(f"reward {exact.proxy[0, 0]:.3f} → {exact.proxy[0, -1]:.3f} as expected")
        print(runs)
    curve_element, same_element
    told = [curve.revealed, same.revealed]
    about = f"{now['bias']} % for length, pull {pull:.2f}"
    at_first = (now["bias"], now["pull"]) == wrong_judge.AT_FIRST
    said = wrong_judge.sketch(curve) if at_first else None
    r, floor = runs.length_correlation
    with board.together():
        climb_chart.push(**climb.push(runs, exact, told[0], about, said))
        warning_chart.push(**warning.push(r[0], floor[0], told[0], f"{about}; run 1, seed {seed}"))
        brake_chart.push(
            **brake.push(
                wrong_judge.paths(bias),
                pull,
                (exact.proxy[0], exact.held_out[0]),
                told[1],
                f"{now['bias']} % for length; as expected",
                wrong_judge.over(same) if now["bias"] == wrong_judge.AT_FIRST[0] else None,
            )
        )
        distance_chart.push(**distance.push(exact, picks, best_of, told[0], about))
        forms_chart.push(**forms.push(best_of, wrong_judge.ALPHA, wrong_judge.BETA, told[0]))
    page.show(**wrong_judge.places(page, runs, exact, told))
    return exact, picks, runs


@app.cell(hide_code=True)
def early_warning(page, warning_chart):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="the-early-warning">The early warning</h2>
<p>On your own runs there is no true rate to plot. There is something else: within each task, does
the longer try get more? That is the {course.term("reward correlation")} of lesson 5, here of each
step's batch, beside its {course.term("noise floor")}. Below 0 is no alarm about the judge: long
replies are less often right in this toy, so an honest judge pays them less.</p></div>
<div class="wc-exhibit">{mo.as_html(warning_chart)}<p class="wc-legend">Shade: within the noise
floor. ▲ outside it, ○ inside. Above 0, longer is paid more. No mark: nothing varied within a
task.</p>
<p class="wc-reading-line" style="min-height: 4.7em">{page.place("warning_reading")}</p></div>
<div class="wc-prose"><h2 id="what-was-put-in-by-hand">What was put in by hand</h2>
<p style="min-height: 10em">{page.place("assumed_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def pull_to_start(brake_chart, page, same_element):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="a-pull-to-the-start">A pull to the start</h2>
<p>Training can be held near its start: each step also pulls back, by β times how fast the distance
grows. That distance is the <i>KL divergence</i>, 0 for a policy that has not moved. The control
shows β × 100. After the answer a ring shows where you put the run with a pull of 0.2.</p></div>
<div class="wc-pair"><div>{mo.as_html(brake_chart)}<p class="wc-legend">■ start. Lines: five runs as
expected, with a pull of 0, 0.1, 0.2, 0.3 and 0.5. ○ where each stands after 60 steps. ◆ yours.</p>
<p class="wc-reading-line" style="min-height: 4.7em">{page.place("brake_reading")}</p></div>
<div>{same_element}</div></div>"""
    )
    return


@app.cell(hide_code=True)
def best_of_n(best_of_dropdown, distance_chart, forms_chart, page):
    mo.Html(
        f"""<div class="wc-prose">
<h2 id="best-of-n-without-training">Best of n, without training</h2>
<p>Instead of training, draw <i>n</i> replies and keep the one the judge likes best. How far does
that move the policy? By at most log <i>n</i> − (<i>n</i> − 1)/<i>n</i> [2]; the distance <i>d</i>
is the square root of the KL, as in [1].</p></div>
<div class="wc-exhibit">{best_of_dropdown}</div>
<div class="wc-pair"><div>{mo.as_html(distance_chart)}<p class="wc-legend">The toy. Line, ●:
training and its end. □ best of 1, 2, 4, 8, 16, 32, ■ yours.</p>
<p class="wc-reading-line" style="min-height: 4.7em">{page.place("picks_reading")}</p></div>
<div>{mo.as_html(forms_chart)}<p class="wc-legend">Forms fitted to language models [1]. Dashed:
best-of-n, <i>d</i>(α − β<i>d</i>). Solid: RL, <i>d</i>(α − β log <i>d</i>), not meant near
<i>d</i> = 0. ■ your n.</p><p class="wc-reading-line">{page.place("forms_reading")}</p></div></div>
<div class="wc-prose"><p>The two pictures need not agree. The toy's judge errs about length alone;
the judges of [1] also err about what is right, so picking harder finds their errors. And [1] fits α
and β to each method; here both forms get the same, so compare shapes, not heights.</p></div>"""
    )
    return


@app.cell(hide_code=True)
def challenges(page):
    level = course.Challenge(
        "10.level_pull",
        "The judge pays 50 % for length. With which pull does the run end nearest to the true rate "
        "it started with?",
        check=wrong_judge.is_level,
        hint="The first number under the first picture is the start; move the pull until the last "
        "comes near.",
        solution=lambda: (
            f"β = {wrong_judge.level_pull() / 100:.2f}. A weaker pull lets it fall below, a "
            "stronger one stops it above. The same pull would also hold back a run whose judge is "
            "right."
        ),
        not_yet="Not yet: 50 % for length, and try the neighbours.",
        page=page,
    )
    largest = course.Challenge(
        "10.largest_bias",
        "No pull. For which shares for length does the run end above its start? Set the largest.",
        check=wrong_judge.is_largest,
        hint="Compare the first and the last number under the first picture.",
        solution=lambda: (
            f"{wrong_judge.largest_bias()} %. With more, being long gains the judge's favour "
            "faster than its lost accuracy costs it."
        ),
        not_yet="Not yet: is the pull at 0, and would 10 % more still do?",
        page=page,
    )
    draws = course.Challenge(
        "10.best_draws",
        "By the form for best-of-n with these α and β: of 1, 2, 4, 8, 16 and 32 draws, which gains "
        "the most true reward?",
        check=lambda now: int(now["best_of"]) == wrong_judge.best_draws(),
        hint="The menu moves the filled square along the dashed curve.",
        solution=lambda: (
            f"{wrong_judge.best_draws()}: the square nearest to the peak, d = α/2β = "
            f"{wrong_judge.ALPHA / 2 / wrong_judge.BETA:.2f}."
        ),
        not_yet="Not yet: compare the last number under the two pictures.",
        page=page,
    )
    mo.Html(
        '<div class="wc-prose"><h2 id="try-it">Try it</h2></div>'
        + "".join(mo.as_html(one).text for one in (level, largest, draws))
    )
    return


@app.cell(hide_code=True)
def closing(page):
    mo.Html(
        f"""<div class="wc-prose"><p class="wc-takeaway">A climbing reward shows that the judge is
pleased. {page.place("takeaway")}</p>
<h2 id="covered-and-not-covered">Covered and not covered</h2>
<p>Covered: one known flaw, length, in a toy whose truth is known at every step. Not covered: flaws
nobody thought of, judges that learn, and how large any of this is for a real model. All tasks of
the toy are alike, and one step size, 2 logits, serves every run. Lesson 11 takes your own
{course.term("rollout", "rollouts")}.</p>
<h2 id="sources">Sources</h2>
<ol class="wc-sources">
<li>Gao and others 2023, <a href="https://arxiv.org/abs/2210.10760">arXiv:2210.10760</a>: the two
forms and the distance. There fitted to runs against a large reward model that stands in for people;
here α and β are chosen to be seen.</li>
<li>Beirami and others 2024, <a href="https://arxiv.org/abs/2401.01879">arXiv:2401.01879</a>: that
the distance of best-of-n is a bound. Here the exact distance stands beside it.</li>
<li>Singhal and others 2023, <a href="https://arxiv.org/abs/2310.03716">arXiv:2310.03716</a>: real
judges that pay for length. There much of the gain in reward is length; here its cost is
assumed.</li>
</ol></div>"""
    )
    return


@app.cell(hide_code=True)
def foot(page):
    notes = page.teacher.notes(
        aim="The room can say why a climbing reward proves nothing about the job, and what to "
        "watch instead.",
        minutes=12,
        votes={
            "mostly right": "Ask what makes it fall. Then show the two assumptions; without them "
            "it does not.",
            "split": "Set the length share to 0, then to 100 %, before returning to 50 %.",
            "one wrong option": "Usually that it stays where it is. Ask what is left to gain once "
            "the skill is at its ceiling.",
        },
        cut="Best of n, then the third challenge.",
        questions={
            "So is a pull useless?": "No: it stops the run earlier, and earlier was better here. "
            "It does not make the same reward worth more.",
            "Would a better judge do?": "It is the only thing that moves the curve. Lower the "
            "share for length and look at the second picture.",
            "Can the warning come too late?": "Yes: at 30 % it comes after the peak. And it only "
            "knows the features it looks at.",
        },
    )
    mo.vstack([course.glossary(), course.Progress(), course.foot(STEM, page.teacher), notes])
    return


if __name__ == "__main__":
    app.run()
