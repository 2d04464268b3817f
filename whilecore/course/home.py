"""The home page: the course in one paragraph, three questions, the lessons that exist, the words.

One file that reads on a phone and on a projector, light and dark. Its one script asks the questions
and keeps the answers; without it the page lacks only those.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from whilecore.course import entry
from whilecore.course.catalogue import Lesson
from whilecore.course.glossary import definitions

_HERE: Final = Path(__file__).parent
_SCRIPTS: Final = ("progress.js", "entry.js")
PICTURES: Final = _HERE / "pictures"

ICON: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<circle cx="9" cy="9" r="6" fill="#0072B2"/><circle cx="23" cy="9" r="6" fill="#0072B2"/>'
    '<circle cx="9" cy="23" r="6" fill="#0072B2"/>'
    '<rect x="17.5" y="17.5" width="11" height="11" fill="#D55E00"/></svg>'
)

ABOUT: Final = (
    "An agent tries each task several times, and a judge gives every try a reward. "
    "Most of those rows teach a model nothing: copies, tasks where every try got the same reward, "
    "tasks that are far too easy or too hard, rewards that follow the length of a reply instead of "
    "the job. In this course you move the controls yourself, say what you expect, and see which "
    "rows are left to train on, and why. Everything runs on this computer: the agent is a stand-in "
    "that makes known mistakes, so nothing needs a key or the internet, and every number is "
    "computed while you watch."
)

_PAGE: Final = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>whilecore: which rollouts are worth training on</title>
<link rel="icon" type="image/svg+xml" href="$icon">
<style>
:root { color-scheme: light dark; --ink: #1c2024; --muted: #5a6169; --line: #d5d9de;
  --edge: #8a9199; --paper: #ffffff; --card: #f7f8fa; --link: #005a8e; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceef0; --muted: #a6adb5; --line: #3d444b;
  --edge: #7d858d; --paper: #181c1a; --card: #212629; --link: #7cc4f0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
h1 { font-size: clamp(1.5rem, 1.2rem + 1.6vw, 2.25rem); line-height: 1.2; margin: 0 0 0.75rem;
  text-wrap: balance; }
main > p { max-width: 44rem; margin: 0 0 1.25rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 0.75rem; }
ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); }
li { position: relative; display: flex; flex-direction: column; border: 1px solid var(--line);
  border-radius: 8px; background: var(--card); overflow: hidden; }
li img { display: block; width: 100%; height: auto; aspect-ratio: 16 / 9; object-fit: contain;
  background: var(--paper); border-bottom: 1px solid var(--line); }
li div { padding: 0.9rem 1.1rem 1.1rem; }
h3 { font-size: 1.125rem; line-height: 1.35; margin: 0; }
li a { color: var(--link); text-underline-offset: 0.15em; }
li a::after { content: ""; position: absolute; inset: 0; }
li:hover { border-color: var(--link); }
a:focus-visible { outline: none; }
li:focus-within { outline: 3px solid var(--link); outline-offset: 2px; }
li p { margin: 0.35rem 0 0; }
#wc-entry { max-width: 44rem; margin: 1.5rem 0 0; padding: 1rem 1.25rem 1.25rem;
  border: 1px solid var(--line); border-top: 3px solid var(--link);
  border-radius: 2px 2px 8px 8px; }
#wc-entry p { margin: 0; }
.wc-options { min-width: 0; margin: 0; padding: 0; border: 0; }
.wc-eyebrow, .wc-note { color: var(--muted); font-size: 0.9375rem; }
.wc-question { padding: 0; margin: 0.6rem 0 0.4rem; font-size: 1.125rem; font-weight: 600;
  text-wrap: pretty; }
.wc-option { display: flex; align-items: center; gap: 0.6rem; min-height: 2.25rem;
  cursor: pointer; }
.wc-option input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0;
  accent-color: var(--link); }
#wc-entry .wc-hint { min-height: 1.55em; color: var(--muted); }
#wc-entry .wc-gain + .wc-button { margin-top: 0.6rem; }
.wc-actions { display: flex; flex-wrap: wrap; gap: 0.6rem; }
.wc-button { font: inherit; font-size: 1rem; min-height: 2.25rem; padding: 0.2rem 0.9rem;
  border: 1px solid var(--edge); border-radius: 6px; background: var(--paper); color: var(--ink);
  cursor: pointer; }
.wc-primary { background: var(--link); border-color: var(--link); color: var(--paper); }
.wc-progress p { margin: 0.6rem 0; }
:is(.wc-button, summary, input):focus-visible { outline: 3px solid var(--link);
  outline-offset: 2px; }
dl { display: grid; gap: 0.15rem 1.25rem; margin: 0; max-width: 62rem; }
@media (min-width: 40rem) { dl { grid-template-columns: max-content 1fr; row-gap: 0.4rem; } }
dt { font-weight: 600; }
dd { margin: 0; }
.minutes, footer { color: var(--muted); font-size: 0.9375rem; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem;
  max-width: 44rem; }
</style>
</head>
<body>
<main>
<h1>Which rollouts are worth training on?</h1>
<p>$about</p>
<section id="wc-entry" aria-label="Before you start" hidden></section>
<h2>$heading</h2>
<ol>
$items
</ol>
<h2>Words used in this course</h2>
$words
<footer><p>Lessons are read with mouse, finger or keyboard. What you answer stays in your
browser.</p><div id="wc-progress"></div></footer>
</main>
<script type="application/json" id="wc-entry-questions">$questions</script>
<script type="module">
$script</script>
</body>
</html>
""")


def page(course: Sequence[Lesson], pictures: str, icon: str) -> str:
    """Return the home page as HTML.

    Args:
        course: The lessons in their order.
        pictures: Address of the folder that serves ``PICTURES``.
        icon: Address of the icon.
    """
    minutes = sum(lesson.minutes for lesson in course)
    heading = {0: "No lesson yet", 1: f"One lesson, about {minutes} minutes"}.get(
        len(course), f"{len(course)} lessons, about {minutes} minutes in all"
    )
    items = "\n".join(_item(lesson, pictures) for lesson in course)
    return _PAGE.substitute(
        icon=escape(icon),
        about=ABOUT,
        heading=heading,
        items=items,
        words=definitions(),
        questions=json.dumps(entry.asked_before(), ensure_ascii=False).replace("<", "\\u003c"),
        script=script(),
    )


def script() -> str:
    """Return the page's script: what keeps the answers and what asks, joined to one module."""
    keeps, asks = ((_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    joined = re.sub(
        r'^import {[^}]*} from "./progress.js";\n', "", asks, count=1, flags=re.MULTILINE
    )
    return f"{keeps}\n{joined}"


def _item(lesson: Lesson, pictures: str) -> str:
    """Return one lesson of the list; its picture repeats the text, so it has no name of its own."""
    file = f"{lesson.stem}.svg"
    seen = (PICTURES / file).is_file()
    picture = (
        f'<img src="{escape(pictures)}/{file}" alt="" width="640" height="360">' if seen else ""
    )
    return (
        f"<li>{picture}<div><h3>"
        f'<a href="{escape(lesson.stem)}/">{lesson.number}. {escape(lesson.title)}</a></h3>'
        f"<p>{escape(lesson.question)}</p>"
        f'<p class="minutes">{lesson.minutes} minutes</p></div></li>'
    )
