// The home page's questions: one at a time, kept and not judged. progress.js keeps the answers;
// lesson 6 asks their like and marks both. `#wc-entry` holds the questions as JSON.

import { button, gain, load, make, mount } from "./progress.js";

const questions = JSON.parse(document.getElementById("wc-entry-questions").textContent);
const el = document.getElementById("wc-entry");
const tell = (type, detail) => dispatchEvent(new CustomEvent(`whilecore:${type}`, { detail }));

let checks = load()?.checks ?? {};

function keep(name, state, choice) {
  checks = { ...checks, [name]: { state, choice, right: null } };
  if (state === "open") delete checks[name];
  tell("check", { name, state, choice, right: null });
}

function form({ name, question, labels }, number) {
  const fieldset = make("fieldset", "wc-options");
  fieldset.append(make("legend", "wc-question", question));
  for (const label of labels) {
    const row = make("label", "wc-option");
    const input = make("input");
    Object.assign(input, { type: "radio", name, value: label });
    row.append(input, make("span", "", label));
    fieldset.append(row);
  }
  const hint = make("p", "wc-hint");
  hint.setAttribute("role", "alert");
  const next = (state, choice) => {
    keep(name, state, choice);
    draw(true);
  };
  const kept = () => {
    const chosen = fieldset.querySelector("input:checked");
    if (chosen) return next("answered", chosen.value);
    hint.textContent = "Choose an answer first.";
    fieldset.querySelector("input").focus();
  };
  const buttons = make("div", "wc-actions");
  buttons.append(
    button("Keep my answer", kept),
    button("I do not know", () => next("skipped", "")),
  );
  buttons.firstChild.classList.add("wc-primary");
  const head = make(
    "p",
    "wc-eyebrow",
    `Before you start: question ${number} of ${questions.length}. Nothing is marked now: you will ` +
      "see these again after lesson 6, with other numbers.",
  );
  return [head, fieldset, hint, buttons];
}

function end() {
  const asked = questions.filter(({ name }) => checks[name]);
  const change = gain(checks);
  const after = Object.keys(checks).some((name) => name.startsWith("exit."));
  const line = make("p", "wc-gain");
  line.tabIndex = -1;
  if (change) line.textContent = change;
  else if (!asked.length)
    line.textContent =
      "You have answered the questions after lesson 6, so the same ideas are not asked here.";
  else
    line.textContent =
      "Your answers are kept. You will see these questions again after lesson 6, with other " +
      "numbers, and then what has changed.";
  if (change || after) return [line];
  const again = button("Answer again", () => {
    for (const { name } of questions) keep(name, "open", "");
    draw(true);
  });
  return [line, again];
}

function draw(byLearner = false) {
  const at = questions.findIndex(({ name }) => !checks[name]);
  const after = Object.keys(checks).some((name) => name.startsWith("exit."));
  const open = at >= 0 && !after;
  el.replaceChildren(...(open ? form(questions[at], at + 1) : end()));
  el.dataset.state = open ? "open" : "kept";
  el.hidden = false;
  if (byLearner) el.querySelector(open ? "input" : ".wc-gain").focus();
}

// What another tab, an import or the delete button changed; our own answers are drawn already.
addEventListener("whilecore:gain", (event) => {
  const told = (all) => JSON.stringify(Object.entries(all).map(([name, { state, choice, right }]) =>
    [name, state, choice, right]));
  const same = told(checks) === told(event.detail.checks);
  checks = event.detail.checks;
  if (!same) draw();
});
draw();
mount(document.getElementById("wc-progress"));
for (const { name } of questions) tell("hello", { name });
