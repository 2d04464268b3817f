# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Every shared piece on one page.

question: Do the shared pieces work together?
minutes: 3
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="full",
    app_title="Shared pieces",
    css_file="../../../lessons/lesson.css",
)

with app.setup(hide_code=True):
    import marimo as mo

    from whilecore import course

    STEM = "01_course"
    SETTINGS = (
        course.REPEATS,
        course.BAND_LOW,
        course.BAND_HIGH,
        course.JUDGE,
        course.JUDGE_SHARE,
        course.SEED,
        course.SOURCE,
        course.HOLD,
    )
    LINES = (
        course.Line("rl selection: kept {rl.kept} of {rl.rows} rows", "kept", "What is left."),
        course.Line(
            "  band {rl.low}%..{rl.high}%: {rl.dropped} asks dropped (0 too easy, 0 too hard)",
            "band",
            "Tasks passed too rarely or too often. At {rl.repeats} tries few rates can occur.",
        ),
        course.Line(
            "  duplicates dropped: {rl.duplicates}",
            "duplicate",
            "Rows that repeat an earlier row of their task word for word.",
        ),
        course.Line(
            "  warning: reward punishes reply length (within {rl.within:+.2f}); check the judge",
            "length",
            "Shorter replies score higher within a task, further than 95 of 100 shuffles do.",
        ),
    )


@app.cell(hide_code=True)
def page_state():
    page = course.Page(SETTINGS, mo.query_params(), version=2)
    page_element = mo.ui.anywidget(page)
    course.head(STEM, page_element, page.teacher)
    return page, page_element


@app.cell(hide_code=True)
def title():
    mo.md(f"""
    # Sixty-four tries went in. How many are worth training on?

    <div class="wc-lead">A model tries sixteen tasks four times each, and a judge marks every try.
    Before training, most of the rows leave again. The report says which, and why.</div>

    <div class="wc-meta">Lesson 1 · 3 minutes · made-up numbers, to try the shared pieces</div>

    Each try is a {course.term("rollout")}. The tries of one task are its {course.term("group")}.
    Take the group's average away from each score. The tries above it are pushed up, the ones below
    are pushed down. If all scored the same, every difference is zero and nothing is learned.
    """)
    return


@app.cell(hide_code=True)
def controls(page_element):
    repeats_slider = page_element.control("repeats")
    band_low_slider = page_element.control("band_low")
    band_high_slider = page_element.control("band_high")
    judge_dropdown = page_element.control("judge")
    judge_share_slider = page_element.control("judge_share")
    seed_box = page_element.control("seed")
    source_dropdown = page_element.control("source")
    hold_dropdown = page_element.control("hold")
    course.bar(
        [repeats_slider, band_low_slider, band_high_slider, judge_dropdown],
        [judge_share_slider, seed_box, source_dropdown, hold_dropdown],
    )
    return (
        band_high_slider,
        band_low_slider,
        hold_dropdown,
        judge_dropdown,
        judge_share_slider,
        repeats_slider,
        seed_box,
        source_dropdown,
    )


@app.cell(hide_code=True)
def uncover(page_element):
    mo.Html(page_element.uncover("judge", "Show the judge"))
    return


@app.cell(hide_code=True)
def question(page):
    kept_guess = course.Prediction(
        "01.kept",
        "64 rows went in, 27 of them copies, and five groups agree throughout. How many rows are"
        " left to train on?",
        (
            course.Option("17", "The copies had left already.", "Each such group has four rows."),
            course.Option("29", "64 − 3 − 27 − 5 = 29.", right=True),
            course.Option("32", "Three rows leave at an unprinted gate.", "All is printed."),
            course.Option("43", "43 rows passed. RL keeps contrast.", "RL keeps the passes."),
        ),
        revealed=page.teacher.reveal,
    )
    kept_element = mo.ui.anywidget(kept_guess)
    kept_element
    return kept_element, kept_guess


@app.cell(hide_code=True)
def settings(
    band_high_slider,
    band_low_slider,
    hold_dropdown,
    judge_dropdown,
    judge_share_slider,
    page,
    repeats_slider,
    seed_box,
    source_dropdown,
):
    now = page.settle(
        repeats=repeats_slider.value,
        band_low=band_low_slider.value,
        band_high=band_high_slider.value,
        judge=judge_dropdown.value,
        judge_share=judge_share_slider.value,
        seed=seed_box.value,
        source=source_dropdown.value,
        hold=hold_dropdown.value,
    )
    repeats, band_low, band_high = now["repeats"], now["band_low"], now["band_high"]
    return band_high, band_low, repeats


@app.cell
def show(band_high, band_low, kept_element, kept_guess, page, repeats):
    kept_element.value
    told = kept_guess.revealed
    kept = 25 + repeats - max(0, band_low - 20) // 5
    numbers = {
        "rl.kept": kept,
        "rl.rows": 16 * repeats,
        "rl.low": band_low,
        "rl.high": band_high,
        "rl.dropped": 0,
        "rl.repeats": repeats,
        "rl.duplicates": 27,
        "rl.within": -0.75,
    }
    cause = course.cause_of(page.moved, page.settings)
    before = page.before("kept", kept)
    if page.moved and kept == before:
        cause = "no task lies between the old edge and the new one"
    page.show(
        say=f"{kept} of {16 * repeats} rows kept." if told else "",
        reading=course.reading("rl.kept", kept if told else None, 16 * repeats, before, cause),
        report=course.block(LINES, numbers, () if told else {"rl.kept"}),
        rl__kept=course.num("rl.kept", kept) if told else course.masked("rl.kept"),
    )
    return


@app.cell(hide_code=True)
def report(page):
    mo.md(f"""
    ## What the report prints

    Of the rows, {page.place("rl.kept")} are left.
    <span data-link="duplicate" tabindex="0">The copies</span> leave first.

    {page.place("report", "div")}
    """)
    return


@app.cell(hide_code=True)
def challenges(page):
    edge = course.Challenge(
        "01.edge",
        "Find the fewest repeats with which 30 rows or more are kept.",
        check=lambda now: now["repeats"] == 5,
        hint="Move the repeats one at a time, with the band where it was.",
        solution=lambda: f"Five repeats: {25 + 5} rows.",
        page=page,
        not_yet="Not yet: fewer repeats do it, or more are needed.",
    )
    silent = course.Challenge(
        "01.silent",
        "In how many of the 16 ways to score four tries is nothing pushed?",
        check=lambda given: given["answer"] == 2,
        hint="Every try has to score the same.",
        solution=lambda: "2 of 16: all pass, or all fail.",
        field="Ways",
    )
    mo.vstack([edge, silent])
    return


@app.cell(hide_code=True)
def takeaway():
    mo.md("""
    ## What the reward is tracking

    A model learns whatever gets the score. If longer replies happen to score higher, it learns to
    be long. The scan checks each reward against features like length and hedging, within each task,
    and warns when one of them predicts the reward beyond what shuffling would give.

    - First look at the judge.
    - Then train.

    ### Covered, not covered

    Sixty-four rows are a lesson and not a training set. Everything here is made up, so that the
    pieces can be tried without the core.
    """)
    return


@app.cell(hide_code=True)
def end(page):
    notes = page.teacher.notes(
        aim="Everyone can say why a group that agrees teaches nothing.",
        minutes=10,
        votes={
            "mostly right": "Ask one of them for the arithmetic, and go on.",
            "split": "Let neighbours argue for two minutes, then vote again.",
            "one wrong option": "Name the misconception and let the room find the three rows.",
        },
        cut="The second challenge.",
        questions={"Why is 0 of 4 not worth keeping?": "There is no good try to push toward."},
    )
    mo.Html(
        notes.text
        + mo.as_html(course.Progress()).text
        + course.glossary().text
        + course.foot(STEM, page.teacher).text
    )
    return


if __name__ == "__main__":
    app.run()
