"""What the tests of lesson 6 compute with the core, and what they read off its page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

import whilecore as wc
from tests.browser import helpers
from tests.running import Course
from whilecore import course

STEM = "06_which_rows_to_train_on"
START: dict[str, Any] = {
    "repeats": 4, "band_low": 20, "band_high": 80, "judge": "answer_key", "judge_share": 0,
    "seed": 0, "hold": "tasks", "source": "simulated",
}  # fmt: skip
Account = Mapping[str, Any]


@wc.tool
def get_order(order_id: str) -> dict:
    """Look up an order by id."""


def scored(**settings: Any) -> wc.Rollouts:
    """Return the graded rows of some settings, made with the core alone."""
    now = START | settings
    if now["source"] == "printed":
        return wc.printed_run()
    tries = wc.simulate(
        wc.seeded_agent([get_order]), tools=[get_order],
        system_prompt="Help customers with orders.", repeats=now["repeats"], seed=now["seed"],
        budget=16 * now["repeats"] if now["hold"] == "tasks" else 64,
    )  # fmt: skip
    judge = wc.judges.blend(
        wc.judges.named(now["judge"]), wc.judges.long_reply, now["judge_share"] / 100,
        seed=now["seed"],
    )  # fmt: skip
    return tries.grade(judge, seed=now["seed"])


@lru_cache(maxsize=128)
def _account(settings: tuple[tuple[str, Any], ...]) -> Account:
    now = dict(settings)
    rows = scored(**now)
    band = (now["band_low"] / 100, now["band_high"] / 100)
    rl = rows.select(mode="rl", band=band, seed=now["seed"])
    return {
        "rl": rl.report,
        "sft": rows.select(mode="sft", seed=now["seed"]).report,
        "pass_at": rows.pass_at,
        "selection": rl,
    }


def account(**settings: Any) -> Account:
    """Return reports, pass rates and the RL selection of some settings."""
    return _account(tuple((START | settings).items()))


def value_of(name: str, told: Account) -> Any:
    """Return the number behind a dotted name of the page, from the core."""
    head, _, rest = name.partition(".")
    if head == "pass_at":
        measure, _, end = rest.partition(".")
        value = getattr(told["pass_at"], f"{measure}_interval" if end else measure)
        if end:
            value = None if value is None else value[end == "high"]
        return None if value != value else value
    if head in ("rl", "sft"):
        value = told[head]
        for key in rest.split("."):
            value = value[key]
        return value
    rl = told["selection"]
    passed = rl.source.scored & (rl.source.reward >= rl.report["pass_at_least"])
    copies = rl.fate_names == "duplicate"
    return {
        "tries": rl.report["rows"] / max(rl.report["tasks"], 1),
        "copies_passing": passed[copies].sum(),
        "pass_rate_drawn": passed.sum() / rl.source.scored.sum(),
        "pass_rate_kept": passed[rl.kept].mean() if len(rl.kept) else None,
    }[name]


def same(text: str, value: Any) -> bool:
    """Tell whether a number as printed is a value, to the digits printed."""
    if text in ("n/a", "–"):
        return value is None
    plain = text.replace("−", "-").removesuffix("%")
    unit = 0.5 / 10 ** len(plain.partition(".")[2])
    return value is not None and abs(float(plain) - value * (100 if "%" in text else 1)) <= (
        unit + 1e-9
    )


def assert_told(page: Page, **settings: Any) -> None:
    """Hold every named number of the page to the core's report for some settings."""
    told = account(**settings)
    pairs = named(page)
    names = {name for name, _ in pairs}
    assert {"rl.kept", "rl.groups_kept", "sft.kept", "pass_at.pass_at_1"} <= names
    wrong = [
        (name, text, value_of(name, told))
        for name, text in pairs
        if not name.startswith(("page.", "seeds.")) and not same(text, value_of(name, told))
    ]
    assert wrong == [], settings
    report = told["rl"]
    assert helpers.chart_text(page, "grid")["title"].startswith(
        f"{report['kept']} of {report['rows']} tries are left, in {report['groups_kept']} of "
    )
    assert sum(row["full"] for row in helpers.view_data(page, "grid", "tries")) == report["kept"]


def wait_ready(page: Page) -> None:
    """Wait until the page is idle and its widgets have loaded."""
    helpers.wait_idle(page)
    expect(page.locator(".wc-kept")).to_be_visible()
    expect(page.locator(".wc-count")).to_be_attached()


def open_lesson(page: Page, server: Course, **query: Any) -> Page:
    """Open the lesson and wait until it is ready."""
    helpers.open_lesson(page, server, STEM, urlencode(query))
    wait_ready(page)
    return page


def open_told(page: Page, server: Course, **settings: Any) -> Page:
    """Open the lesson with everything revealed."""
    return open_lesson(page, server, reveal="all", **settings)


def named(page: Page) -> list[tuple[str, str]]:
    """Return every named number of the page; a name that stands twice is twice in the list."""
    pairs = page.evaluate(
        "() => window.__deep('[data-name]').map((one) => [one.dataset.name, one.textContent])"
    )
    return [(name, text.strip()) for name, text in pairs]


def words(page: Page) -> list[str]:
    """Return each piece of text that is seen or read out, table cells and field values too."""
    page.evaluate("() => window.__deep('details').forEach((one) => { one.open = true; })")
    page.wait_for_timeout(100)
    pieces: list[str] = page.evaluate(
        """() => window.__deep("*").filter((node) => !node.matches("script, style")).flatMap(
          (node) => [
            ...[...node.childNodes].filter((one) => one.nodeType === 3).map((one) => one.data),
            ...[...node.attributes].filter(({ name }) => /^aria-|^(title|alt)$/.test(name))
              .map((one) => one.value),
            ...(node.matches("input, option") ? [node.value] : []),
          ]).map((text) => text.trim()).filter(Boolean)"""
    )
    return pieces


def all_data(page: Page) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Return the rows of every dataset of every chart, read from the views."""
    helpers.draw_all(page)
    data: dict[str, dict[str, list[dict[str, Any]]]] = page.evaluate(
        """() => {
          const plain = (row) => Object.fromEntries(
            Object.entries(row).filter(([, value]) => typeof value !== "object"));
          return Object.fromEntries(window.__deep("[data-livechart]").map((figure) => [
            figure.dataset.livechart,
            Object.fromEntries(Object.keys(figure.liveView._runtime.data)
              .filter((name) => name !== "root")
              .map((name) => [name, (figure.liveView.data(name) ?? []).map(plain)])),
          ]));
        }"""
    )
    return data


def pushed(frames: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the chart states in the server's messages: chart name and what was pushed."""

    def walk(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key.startswith("chart_") and isinstance(inner, str) and inner:
                    yield key.removeprefix("chart_"), json.loads(inner)
                else:
                    yield from walk(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner)

    for frame in frames:
        yield from walk(json.loads(frame))


def listen(page: Page) -> list[str]:
    """Return a list that fills with every message the server sends from now on."""
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda one: frames.append(one)))
    return frames


def parameters(page: Page) -> dict[str, str]:
    """Return the parameters of the address, once it has been written."""
    page.wait_for_timeout(600)
    pairs = page.evaluate("() => [...new URL(location.href).searchParams]")
    return {name: value for name, value in pairs}


def to_end(page: Page, name: str | re.Pattern[str], key: str) -> None:
    """Press Home or End on a slider."""
    thumb = helpers.slider(page, name)
    thumb.focus()
    with helpers.one_run(page):
        thumb.press(key)


def open_more(page: Page) -> None:
    """Open More, on a narrow screen Controls, where it is shut."""
    more = page.get_by_role("button", name=re.compile("^(More|Controls)$"))
    if more.get_attribute("aria-expanded") == "false":
        more.click()


def seed_to(page: Page, seed: object) -> None:
    """Type a seed, or what is none."""
    open_more(page)
    box = page.get_by_label("seed", exact=True)
    box.fill(str(seed))
    with helpers.one_run(page):
        box.press("Enter")


class Kernel:
    """The address to which a page posts the values of its controls, and what it sends along."""

    def __init__(self, page: Page) -> None:
        """Learn both from one move of a slider."""
        self.page = page
        thumb = helpers.slider(page, "repeats")
        key = "ArrowLeft" if helpers.position(thumb) > 2 else "ArrowRight"
        with helpers.one_run(page), page.expect_request("**/set_ui_element_value") as caught:
            thumb.press(key)
        self.url, self.headers = caught.value.url, caught.value.headers
        ids = page.evaluate(
            """() => [...document.querySelectorAll(".wc-control marimo-ui-element")]
              .map((one) => one.getAttribute("object-id"))"""
        )
        self.ids = dict(zip(START, ids, strict=True))
        assert caught.value.post_data_json["objectIds"] == [self.ids["repeats"]]

    def post(self, **values: Any) -> None:
        """Post values in one request, in the form in which the page's controls send them."""
        menus = {"judge": course.JUDGE, "hold": course.HOLD, "source": course.SOURCE}
        sent = [
            [menus[name].choices.get(value, value)] if name in menus else
            str(value) if name == "seed" else value
            for name, value in values.items()
        ]  # fmt: skip
        data = {"objectIds": [self.ids[name] for name in values], "values": sent}
        with helpers.one_run(self.page):
            answered = self.page.request.post(self.url, headers=self.headers, data=data)
        assert answered.ok, answered.text()
