# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Unanimous groups.

question: How often do all tries agree, by luck alone?
minutes: 8
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="Unanimous groups", css_file="lesson.css")

with app.setup(hide_code=True):
    import marimo as mo

    from whilecore import course
    from whilecore.charts import luck, mixtures, odds, silence
    from whilecore.charts.live import LiveBoard
    from whilecore.course import agreeing
    from whilecore.groups import advantages, unanimous_probability

    STEM = "02_unanimous_groups"


@app.cell(hide_code=True)
def page_state():
    page = course.Page(agreeing.SETTINGS, mo.query_params())
    page_element = mo.ui.anywidget(page)
    course.head(STEM, page_element, page.teacher)
    return page, page_element


@app.cell(hide_code=True)
def pictures():
    board = LiveBoard()
    silence_chart = board.chart("silence", silence.picture(), title_lines=2)
    luck_chart = board.chart("luck", luck.picture(), title_lines=2)
    odds_chart = board.chart("odds", odds.picture())
    mixtures_chart = board.chart("mixtures", mixtures.picture(), title_lines=2)
    return board, luck_chart, mixtures_chart, odds_chart, silence_chart


@app.cell(hide_code=True)
def controls(page_element):
    rate_slider = page_element.control("rate")
    repeats_slider = page_element.control("repeats")
    spread_slider = page_element.control("spread")
    seed_box = page_element.control("seed")
    course.bar([rate_slider, repeats_slider], [seed_box])
    return rate_slider, repeats_slider, seed_box, spread_slider


@app.cell(hide_code=True)
def questions(page):
    lucky = course.Prediction(
        "02.lucky",
        "True pass rate 65 %, four tries each, 100 groups. About how many are unanimous?",
        agreeing.lucky(),
        revealed=page.teacher.reveal,
    )
    lucky_element = mo.ui.anywidget(lucky)
    apart = course.Prediction(
        "02.apart",
        "Half the tasks pass 10 % of the time, half 90 %: 50 % on average. Four tries each, 100 "
        "groups. About how many are unanimous?",
        agreeing.apart(),
        revealed=page.teacher.reveal,
    )
    apart_element = mo.ui.anywidget(apart)
    return apart, apart_element, lucky, lucky_element


@app.cell(hide_code=True)
def exhibit(luck_chart, lucky_element, page, silence_chart):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose">
<h1 id="unanimous-groups">Unanimous groups</h1>
<p class="wc-meta">Lesson 2 · 8 minutes · simulated tries, independent of each other</p>
<p class="wc-lead">All four tries of a {course.term("task")} pass. Has the agent mastered it? Or
was it lucky four times? Either way the {course.term("group")} agrees, and a group that agrees
pushes no try.</p>
<p>First, two tries of a task the agent passes half the time. Four endings are
equally likely: pass and pass, pass and fail, fail and pass, fail and fail. Two of the four agree.
In letters: with true {course.term("pass rate")} <i>p</i> all <i>k</i> tries agree with chance
<i>p</i><sup>k</sup> + (1 − <i>p</i>)<sup>k</sup>, here 0.5² + 0.5² = 0.5. Such a group is
{course.term("unanimous")}.</p>
{mo.as_html(silence_chart)}<p class="wc-legend">Each block is one group: ● pass, ■ fail. After the
answer a group that agrees is framed, its tries emptied: <span data-link="all_pass">all pass</span>
or <span data-link="all_fail">all fail</span>.</p></div>
<div>{lucky_element}{mo.as_html(luck_chart)}<p class="wc-legend">A {course.term("seed")} fixes what
chance draws; the blocks show one. Bars: how many of 100 seeds end at each count. Dot: the seed in
blocks. Line: what chance predicts.</p>
<p class="wc-reading-line">{page.place("luck_reading")}</p></div></div>"""
    )
    return


@app.cell
def simulate(
    apart,
    apart_element,
    board,
    luck_chart,
    lucky,
    lucky_element,
    mixtures_chart,
    odds_chart,
    page,
    rate_slider,
    repeats_slider,
    seed_box,
    silence_chart,
    spread_slider,
):
    now = page.settle(
        rate=rate_slider.value,
        repeats=repeats_slider.value,
        spread=spread_slider.value,
        seed=seed_box.value,
    )
    rate, spread = now["rate"] / 100, now["spread"]
    repeats, seed = now["repeats"], now["seed"]
    passed = agreeing.draw(rate, repeats, seed)
    silent = (advantages(passed) == 0).all(axis=1)
    predicted = 100 * float(unanimous_probability(rate, repeats))
    if mo.app_meta().mode == "script":
        print(f"{silent.sum()} of 100 groups agree, seed {seed}; chance predicts {predicted:.1f}")
    lucky_element, apart_element
    told = [lucky.revealed, apart.revealed]
    about = f"{odds.per_cent(rate)}, {repeats} tries each"
    mine = agreeing.guess(lucky) if (now["rate"], repeats) == agreeing.AT_FIRST else None
    other = agreeing.guess(apart) if (spread, repeats) == agreeing.APART else None
    with board.together():
        silence_chart.push(**silence.push(passed, told[0], f"{about}, seed {seed}"))
        luck_chart.push(
            **luck.push(
                agreeing.over_seeds(rate, repeats),
                int(silent.sum()),
                predicted,
                told[0],
                about,
                mine,
            )
        )
        odds_chart.push(**odds.push(rate, repeats, told[0]))
        mixtures_chart.push(
            **mixtures.push(spread / 100, repeats, told[1], None if other is None else other / 100)
        )
    page.show(**agreeing.places(page, passed, told, rate, seed))
    return predicted, silent


@app.cell(hide_code=True)
def not_knowledge(page):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="luck-not-knowledge">Luck, not knowledge</h2>
<p>{page.place("known_reading")}</p>
<p>Luck shows in real models too: in one study 35.3&nbsp;% of the training questions were answered
right in all of 4 tries; with 256 tries of each, 10.2&nbsp;% were [1].</p></div>"""
    )
    return


@app.cell(hide_code=True)
def map_of_chances(odds_chart, page):
    mo.Html(
        f"""<div class="wc-prose">
<h2 id="every-rate-every-number-of-tries">Every rate, every number of tries</h2>
<p>Each cell says how many of 100 groups agree. The frame is where your controls stand. A task
passed 35&nbsp;% of the time agrees as often as one passed 65&nbsp;%, so each column serves
both.</p></div>
<div class="wc-exhibit">{mo.as_html(odds_chart)}<p class="wc-legend">Columns: true pass rate, in
per cent, or its mirror. Rows: tries. The stronger the shade, the more groups agree.</p>
<p class="wc-reading-line">{page.place("map_reading")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def two_pools(apart_element, mixtures_chart, page, spread_slider):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="same-mean-other-spread">Same mean, other spread</h2>
<p>Real tasks differ. Take two pools that both pass half of their tries. In one every task has a
true rate of 50&nbsp;%; in the other half the tasks lie below it and half above.</p></div>
<div class="wc-pair"><div>{spread_slider}{mo.as_html(mixtures_chart)}<p class="wc-legend">Diamonds:
the tasks of the spread-out pool, below the scale until the answer. Curve: how often
a task of that rate agrees. Filled dot: the whole pool. Ring: a pool with every task at
50&nbsp;%.</p></div><div>{apart_element}
<p class="wc-reading-line">{page.place("pools_reading")}</p></div></div>"""
    )
    return


@app.cell(hide_code=True)
def challenges(page):
    at_90 = course.Challenge(
        "02.fewest_at_90",
        "At a true rate of 90 %, what is the smallest number of tries at which by chance (the map, "
        "not the one run in blocks) fewer than 20 % of groups agree? Set both controls, then "
        "check.",
        check=lambda now: agreeing.is_fewest(now, 90, 0.20),
        hint="Go down the column of 90 % until the number falls under 20.",
        solution=lambda: (
            f"{agreeing.fewest(0.9, 0.20)} tries: "
            f"{unanimous_probability(0.9, agreeing.fewest(0.9, 0.20)):.1%} agree."
        ),
        not_yet=lambda now: agreeing.not_fewest(now, 90, 0.20),
        page=page,
    )
    at_80 = course.Challenge(
        "02.fewest_at_80",
        "At 80 %, what is the smallest number of tries at which by chance fewer than 5 % agree?",
        check=lambda now: now["answer"] == agreeing.fewest(0.8, 0.05),
        hint="Some cells are rounded. Set 80 % and read the sentence under the map.",
        solution=lambda: (
            f"{agreeing.fewest(0.8, 0.05)} tries: "
            f"{unanimous_probability(0.8, agreeing.fewest(0.8, 0.05)):.1%} agree."
        ),
        not_yet="Not yet: one try fewer or more may decide; read the sentence under the map.",
        field="Tries",
    )
    mo.Html(
        '<div class="wc-prose"><h2 id="try-it">Try it</h2></div>'
        + "".join(mo.as_html(one).text for one in (at_90, at_80))
    )
    return


@app.cell(hide_code=True)
def closing(page):
    mo.Html(
        f"""<div class="wc-prose"><p class="wc-takeaway">That all tries agree says little about the
task: luck does it too. {page.place("takeaway")}</p>
<h2 id="covered-and-not-covered">Covered and not covered</h2>
<p>Covered: how often groups agree when tries are independent and each task has one true rate. Not
covered: {course.term("duplicate", "copies")}, which lesson 4 looks at, and
{course.term("judge", "judges")} that err. On a real file nobody knows the true
rates; lesson 3 asks what a few tries say about them.</p>
<h2 id="sources">Sources</h2>
<ol class="wc-sources">
<li>Reinforce-Ada, 2025, <a href="https://arxiv.org/abs/2510.04996">arXiv:2510.04996</a>: the shares
of questions answered right throughout. There the tasks differ; here each picture says how.</li>
<li>Yu and others 2025 (DAPO), <a href="https://arxiv.org/abs/2503.14476">arXiv:2503.14476</a>:
groups that agree are dropped and others drawn instead. Here they are only counted.</li>
</ol></div>"""
    )
    return


@app.cell(hide_code=True)
def foot(page):
    notes = page.teacher.notes(
        aim="The room can say why a group that agrees proves little, and why the mean pass rate of "
        "a pool does not tell how many groups will.",
        minutes=10,
        votes={
            "mostly right": "Ask for the part that all fail, then let the room change the seed and "
            "watch other groups agree.",
            "split": "Let everybody toss a coin four times and count hands; then raise the rate.",
            "one wrong option": "Usually 5. Multiply 0.65 four times aloud: 0.42, 0.27, 0.18.",
        },
        cut="The second challenge, then the map.",
        questions={
            "Can I plug in the mean pass rate of my file?": "It predicts too few whenever tasks "
            "differ, as the second question shows.",
            "Are the tries of a real model independent?": "At low temperature they repeat each "
            "other, and then agreement is commoner still. Lesson 4.",
        },
    )
    mo.vstack([course.glossary(), course.Progress(), course.foot(STEM, page.teacher), notes])
    return


if __name__ == "__main__":
    app.run()
