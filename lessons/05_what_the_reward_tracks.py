# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""What the reward tracks.

question: The job, or the word count?
minutes: 8
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="full", app_title="What the reward tracks", css_file="lesson.css")

with app.setup(hide_code=True):
    import marimo as mo

    import whilecore as wc
    from whilecore import course
    from whilecore.charts import bench, claims, scatter, shuffles, tracking
    from whilecore.charts.live import LiveBoard
    from whilecore.course import tracked
    from whilecore.judges import LONG
    from whilecore.reward_scan import shuffle_feature

    STEM, TASKS = "05_what_the_reward_tracks", tracked.TASKS
    PANELS = (
        "display: grid; gap: 1rem 2rem; "
        "grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr))"
    )


@app.function(hide_code=True)
@wc.tool
def get_order(order_id: str) -> dict:
    """Look up an order by id."""


@app.cell(hide_code=True)
def page_state():
    page = course.Page(tracked.SETTINGS, mo.query_params())
    page_element = mo.ui.anywidget(page)
    course.head(STEM, page_element, page.teacher)
    return page, page_element


@app.cell(hide_code=True)
def pictures():
    board = LiveBoard()
    tracking_chart = board.chart("tracking", tracking.picture(), title_lines=2)
    claims_chart = board.chart("claims", claims.picture())
    pooled_chart = board.chart("pooled", scatter.picture(False), title_lines=2)
    within_chart = board.chart("within", scatter.picture(True), title_lines=2)
    shuffles_chart = board.chart("shuffles", shuffles.picture(), title_lines=2)
    bench_chart = board.chart("bench", bench.picture(6))
    return (
        bench_chart,
        board,
        claims_chart,
        pooled_chart,
        shuffles_chart,
        tracking_chart,
        within_chart,
    )


@app.cell(hide_code=True)
def controls(page_element):
    judge_dropdown = page_element.control("judge")
    judge_share_slider = page_element.control("judge_share")
    repeats_slider = page_element.control("repeats")
    feature_dropdown = page_element.control("feature")
    rows_dropdown = page_element.control("rows")
    seed_number = page_element.control("seed")
    drawn_slider = page_element.control("shuffles")  # the link's number; the buttons add to it
    course.bar([judge_dropdown, judge_share_slider, repeats_slider], [seed_number])
    return (
        drawn_slider,
        feature_dropdown,
        judge_dropdown,
        judge_share_slider,
        repeats_slider,
        rows_dropdown,
        seed_number,
    )


@app.cell(hide_code=True)
def buttons(drawn_slider):
    once_button = mo.ui.button(
        value=drawn_slider.value, on_click=lambda drawn: drawn + 1, label="Shuffle once"
    )
    often_button = mo.ui.button(
        value=0, on_click=lambda drawn: drawn + 100, label="Shuffle 100 times"
    )
    return often_button, once_button


@app.cell(hide_code=True)
def prediction_state(page):
    coin = course.Prediction(
        "05.coin",
        "A coin judges: every try passes or fails by a toss. 16 tasks, 8 tries each. What is kept "
        "for RL, and does the scan warn?",
        tracked.coin_options(),
        revealed=page.teacher.reveal,
    )
    coin_element = mo.ui.anywidget(coin)
    survives = course.Prediction(
        "05.survives",
        "Three correlations, all inside tasks, as three reports print them. Which one do shuffled "
        "rewards seldom reach?",
        tracked.claim_options(),
        revealed=page.teacher.reveal,
    )
    survives_element = mo.ui.anywidget(survives)
    return coin, coin_element, survives, survives_element


@app.cell(hide_code=True)
def exhibit(coin_element, page, tracking_chart):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose">
<h1 id="what-the-reward-tracks">What the reward tracks</h1>
<p class="wc-meta">Lesson 5 · 8 minutes · simulated rows, six judges to choose from</p>
<p class="wc-lead">A model learns whatever gets the {course.term("reward")} [1]. A
{course.term("judge")} means to pay for the job. Does it, or does it pay for the word count?</p>
{mo.as_html(tracking_chart)}
<p class="wc-legend">Filled: correlation inside tasks. Ring: pooled over the same rows. Shade: the
{course.term("noise floor")} of these rows. Triangle: over the floor. In the bar, <i>by length</i>
hands so many of the judge's verdicts to a judge that pays for long replies.</p>
<p class="wc-reading-line">{page.place("tracking_reading")} {page.place("uncover")}</p></div>
<div class="wc-prose"><p>Ask of every feature of a reply, such as its length: does it go along with
the reward? Two
{course.term("task", "tasks")}, three tries each, ● pass and ■ fail:</p>
{tracked.worked()}
<p>The hard task has long replies and few passes. That is no taste of the judge. So take each task's
average away first: the {course.term("reward correlation")} is the one inside tasks. A scan does
this for seven features and warns of a correlation larger than 95 of 100 shuffles of the rewards
make it.</p>
{coin_element}</div></div>"""
    )
    return


@app.cell
def simulate(
    bench_chart,
    board,
    claims_chart,
    coin,
    coin_element,
    feature_dropdown,
    judge_dropdown,
    judge_share_slider,
    often_button,
    once_button,
    page,
    pooled_chart,
    repeats_slider,
    rows_dropdown,
    seed_number,
    shuffles_chart,
    survives,
    survives_element,
    tracking_chart,
    within_chart,
):
    now = page.settle(
        judge=judge_dropdown.value,
        judge_share=judge_share_slider.value,
        repeats=repeats_slider.value,
        feature=feature_dropdown.value,
        rows=rows_dropdown.value,
        shuffles=once_button.value + often_button.value,
        seed=seed_number.value,
    )
    repeats, seed, drawn = now["repeats"], now["seed"], now["shuffles"]
    tries = wc.simulate(
        wc.seeded_agent([get_order]),
        tools=[get_order],
        repeats=repeats,
        budget=TASKS * repeats,
        seed=seed,
    )
    judge = wc.judges.blend(
        wc.judges.named(now["judge"]),
        wc.judges.long_reply,
        now["judge_share"] / 100,
        seed=seed,
    )
    rl = tries.grade(judge, seed=seed).select(mode="rl", seed=seed)
    rollouts, rows, preset = tracked.rows_of(now["rows"], rl, seed)
    name = tracked.feature_of(rollouts, now["feature"])
    found = (preset.correlations if preset else rl.report["correlations"])[name]
    shuffled = shuffle_feature(rollouts, rows, name, seed=seed)
    coin_element.value, survives_element.value
    seen, measured = coin.revealed, survives.revealed
    covered = not seen and tracked.covers(page)
    about = f"{tracked.judge_words(page)}, seed {seed}"
    which = f"{len(rows)} rows, seed {seed}"
    with board.together():
        tracking_chart.push(**(tracking.blank() if covered else tracking.push(rl, about)))
        for chart, centred in ((pooled_chart, False), (within_chart, True)):
            chart.push(
                **scatter.blank(centred)
                if covered
                else scatter.push(
                    rollouts, rows, name, found, centred, which, shuffled, drawn * measured
                )
            )
        shuffles_chart.push(
            **shuffles.push(shuffled, drawn, name, found, measured and not covered, which)
        )
        claims_chart.push(**claims.push(tracked.printed_three(), measured, survives.choice))
        bench_chart.push(
            **bench.push(
                tracked.side_by_side(repeats, seed),
                seen,
                f"{repeats} tries, seed {seed}",
                tracked.at_work(page),
                tracked.coin_answer(coin, page),
            )
        )
    page.show(**tracked.places(page, rl, found, shuffled, seen, measured))
    return found, name, rl, rollouts, rows, shuffled


@app.cell(hide_code=True)
def luck(claims_chart, survives_element):
    mo.Html(
        f"""<div class="wc-pair"><div class="wc-prose">
<h2 id="how-far-does-luck-get">How far does luck get?</h2>
<p>Take a task's rewards and deal them out anew among its tries. Nothing can follow the reward now,
and still a correlation comes out. Do it many times. The noise floor is the value
that 95 of 100 such shuffles stay under, with the largest of all features: who looks at seven
features has seven chances to be fooled.</p>
{mo.as_html(claims_chart)}</div><div>{survives_element}</div></div>"""
    )
    return


@app.cell(hide_code=True)
def panels(
    feature_dropdown,
    often_button,
    once_button,
    page,
    pooled_chart,
    rows_dropdown,
    shuffles_chart,
    within_chart,
):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="pooled-inside-shuffled">Pooled, inside, shuffled</h2>
<p>Left: the rows thrown together. Middle: each about the mean of its task. Right: what shuffles
make of it. Choose <i>hard tasks, long replies</i> to see a file whose pooled line points the wrong
way.</p></div>
<div class="wc-actions" style="margin: 1rem 0; align-items: end">{rows_dropdown}{feature_dropdown}
{once_button}{often_button}</div>
<div style="{PANELS}"><div>{mo.as_html(pooled_chart)}</div><div>{mo.as_html(within_chart)}</div>
<div>{mo.as_html(shuffles_chart)}</div></div>
<p class="wc-legend">● pass · ■ fail, moved apart a little where they would cover each other.
Thick line: the trend of what is shown; thin lines: the trend inside each task. ◇ the rewards of the
last shuffle. Right: a mark per shuffle, the last one filled; shade: the floor; dashed: as
judged.</p>
<p class="wc-reading-line">{page.place("panels_reading")}</p>
<p class="wc-reading-line">{page.place("floor_reading")}</p>"""
    )
    return


@app.cell(hide_code=True)
def judges(bench_chart, page):
    mo.Html(
        f"""<div class="wc-prose"><h2 id="six-judges-one-run">Six judges, one run</h2>
<p>The answer key knows the planted mistakes. Its reward falls with length, and rightly: here
mistakes add words. Whether a correlation is a fault is for you to say; the scan tells you where to
look.</p>
<p><i>Looked up and led</i> wants the customer's number looked up, named first, and nothing claimed
beside it. <i>Names the order</i> wants the number named. <i>Long</i> and <i>short reply</i> count
to
{LONG} characters.</p></div>
<div class="wc-exhibit">{mo.as_html(bench_chart)}
<p class="wc-legend">Rows kept for RL. ▲ some feature clears the noise floor. In the table, SFT
picks are the replies that fine-tuning would copy, one passing reply per task.</p>
{page.place("bench", "div")}
<p class="wc-reading-line">{page.place("six")}</p>
<p class="wc-reading-line">{page.place("conflicts")}</p>
<p class="wc-reading-line">{page.place("coin_seeds")}</p></div>"""
    )
    return


@app.cell(hide_code=True)
def challenges(page):
    clears = course.Challenge(
        "05.first_clear",
        "Let the coin judge, at 8 tries and seed 0. Which is the smallest share of verdicts "
        "decided by the longer reply at which reply length clears the floor? Set it, then check.",
        check=lambda now: (
            (now["judge"], now["repeats"], now["seed"]) == ("coin", 8, 0)
            and now["judge_share"] == tracked.first_clear()
        ),
        hint="Watch for the triangle in the line of reply length. It takes more than half.",
        solution=lambda: f"{tracked.first_clear()} %. Up to there luck could have done as much.",
        not_yet="Not yet: just below the right share there is no triangle, at it there is.",
        page=page,
    )
    noise = course.Challenge(
        "05.noise",
        "Which column of the table shows a judge that does not go by the reply? Type its number "
        "for the coin, at the present repeats and seed.",
        check=lambda given: given["answer"] == tracked.coin_conflicts(page.values),
        hint="A judge that reads the reply must give equal replies equal rewards.",
        solution=lambda: (
            f"Copies judged differently: {tracked.coin_conflicts(page.values)}. For every judge "
            "that reads the reply it is 0."
        ),
        field="Number",
        not_yet="Not yet: look for a column that is 0 for every other judge.",
    )
    mo.Html(
        '<div class="wc-prose"><h2 id="try-it">Try it</h2></div>'
        f"{mo.as_html(clears)}{mo.as_html(noise)}"
    )
    return


@app.cell(hide_code=True)
def closing():
    mo.Html(
        f"""<div class="wc-prose"><p class="wc-takeaway">Take each task's average away, ask how far
luck would get, and look at the judge before you train on its reward.</p>
<h2 id="covered-and-not-covered">Covered and not covered</h2>
<p>Covered: one feature at a time, straight lines, exact {course.term("duplicate", "copies")}. Not
covered: faults that no scanned feature shows, and what training on a wrong judge does. The long
judge here counts characters and nothing else; real ones lean to length by degrees [2]. The answer
key exists only because the mistakes are planted.</p>
<h2 id="sources">Sources</h2>
<ol class="wc-sources">
<li>Gao and others 2023, <a href="https://arxiv.org/abs/2210.10760">arXiv:2210.10760</a>: a policy
learns what the proxy pays for. There with a learned reward model and many steps; here one look
before the first.</li>
<li>Singhal and others 2023, <a href="https://arxiv.org/abs/2310.03716">arXiv:2310.03716</a>: length
explains much of what reward models pay for. There across prompts and within; here inside
tasks.</li>
<li>Westfall and Young 1993: the largest of many statistics under shuffling. Here over the scanned
features, shuffled inside tasks.</li>
</ol></div>"""
    )
    return


@app.cell(hide_code=True)
def foot(page):
    notes = page.teacher.notes(
        aim="The room can say why a correlation is taken inside tasks, what it is held "
        "against, and which line shows noise.",
        minutes=13,
        votes={
            "mostly right": "Ask what would change with more tries: the floor sinks, and a coin "
            "still follows nothing.",
            "split": "Toss a coin for the tries of one task on the board and count passes and "
            "fails.",
            "one wrong option": "No rows kept: the room takes noise for no contrast. Have them "
            "count mixed tasks under the coin.",
        },
        cut="The figures of another run. Keep the coin.",
        questions={
            "Is a correlation with length always bad?": "No. Here mistakes add words, so the right "
            "judge pays for brevity. The scan says where to look, not what to think.",
            "Why not shuffle over the whole file?": "That would mix hard and easy tasks and count "
            "their difference as luck.",
            "A game for the room?": "Send a link with hide=judge: the room sees all that the judge "
            "did and guesses which of the six it was.",
        },
    )
    mo.vstack([course.glossary(), course.Progress(), course.foot(STEM, page.teacher), notes])
    return


if __name__ == "__main__":
    app.run()
