// The browser side of Prediction: a fieldset of radio buttons, Check, Skip, and afterwards the
// reasons. It remembers nothing itself: progress.js does, over the window events
// "whilecore:hello" (a check is on the page), "whilecore:check" (it was answered) and
// "whilecore:progress" (what the browser remembers).

let count = 0;

function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function button(text, className, run) {
  const node = make("button", `wc-button ${className}`.trim(), text);
  node.type = "button";
  node.addEventListener("click", run);
  return node;
}

function form(model, id, send) {
  const fieldset = make("fieldset", "wc-options");
  const legend = make("legend", "wc-question", model.get("question"));
  fieldset.append(legend);
  for (const label of model.get("labels")) {
    const row = make("label", "wc-option");
    const input = make("input");
    Object.assign(input, { type: "radio", name: id, value: label });
    row.append(input, make("span", "", label));
    fieldset.append(row);
  }
  const hint = make("p", "wc-hint");
  hint.setAttribute("role", "alert");
  const check = () => {
    const chosen = fieldset.querySelector("input:checked");
    if (chosen) return send({ choice: chosen.value, state: "answered" });
    hint.textContent = "Choose an answer first, or skip.";
    fieldset.querySelector("input").focus();
  };
  const buttons = make("div", "wc-actions");
  buttons.append(
    button("Check", "wc-primary", check),
    button("Skip and show", "", () => send({ choice: "", state: "skipped" })),
  );
  return [fieldset, hint, buttons];
}

function reasons(model, send) {
  const { choice } = model.get("answer");
  const feedback = model.get("feedback");
  const right = feedback.find((option) => option.right);
  const verdict = make("p", "wc-verdict");
  verdict.tabIndex = -1;
  if (!choice) verdict.textContent = `Answer: ${right.label}.`;
  else if (choice === right.label) verdict.textContent = `Right: ${right.label}.`;
  else verdict.textContent = `Not this time. You said ${choice}; the answer is ${right.label}.`;
  const list = make("ul", "wc-reasons");
  const others = make("ul", "wc-reasons");
  for (const option of feedback) {
    const row = make("li", option.right ? "wc-right" : "wc-wrong");
    const head = make("p", "wc-reason-head");
    const mark = make("span", "wc-mark", option.right ? "✓" : "✗");
    mark.setAttribute("aria-hidden", "true");
    head.append(mark, make("b", "", option.label));
    head.append(make("span", "wc-sr", option.right ? " (right)" : " (not right)"));
    if (option.label === choice) head.append(make("span", "wc-yours", "your answer"));
    if (option.misconception) head.append(make("em", "", `You may have thought: ${option.misconception}`));
    row.append(head, make("p", "", option.why));
    (option.right || option.label === choice ? list : others).append(row);
  }
  const more = make("details", "wc-others");
  more.append(make("summary", "", "Why not the others"), others);
  const buttons = make("div", "wc-actions");
  buttons.append(button("Try again", "", () => send({ choice: "", state: "open" })));
  return [make("p", "wc-question", model.get("question")), verdict, list, more, buttons];
}

function render({ model, el }) {
  const stop = new AbortController();
  const id = `wc-predict-${(count += 1)}`;
  const name = model.get("name");
  let mine = false; // whether the learner pressed the button, here and now
  const tell = (type, detail) => dispatchEvent(new CustomEvent(`whilecore:${type}`, { detail }));
  const send = (answer, byLearner = true) => {
    mine = byLearner;
    model.set("answer", answer);
    model.save_changes();
    if (answer.state === "open") draw();
  };
  el.classList.add("wc-check");

  let drawn = "";
  function draw() {
    const { state, choice } = model.get("answer");
    const told = state !== "open" && model.get("feedback").length > 0;
    const shown = [model.get("question"), told ? model.get("feedback") : model.get("labels")];
    const next = JSON.stringify([told ? state : "open", told ? choice : "", ...shown]);
    if (next === drawn) return; // a redraw would take the focus away
    drawn = next;
    const parts = told ? reasons(model, send) : form(model, id, send);
    el.replaceChildren(make("p", "wc-eyebrow", model.get("eyebrow")), ...parts);
    el.dataset.state = told ? state : "open";
    if (!mine || (state !== "open" && !told)) return;
    mine = false;
    el.querySelector(told ? ".wc-verdict" : "input").focus({ preventScroll: told });
    const right = told && choice ? choice === model.get("feedback").find((o) => o.right).label : null;
    tell("check", { name, state, choice, right });
  }

  const restore = (event) => {
    const kept = event.detail.checks[name];
    const now = model.get("answer");
    const state = kept?.state ?? (event.detail.cleared ? "open" : now.state);
    const choice = kept?.choice ?? "";
    if (state === now.state && (choice === now.choice || !kept)) return;
    // An answer to other settings stays an answer: the numbers are told, only the choice is not.
    if (state === "answered" && !model.get("labels").includes(choice)) {
      if (now.state === "open") send({ choice: "", state: "skipped" }, false);
      return;
    }
    send({ choice, state }, false);
  };
  addEventListener("whilecore:progress", restore, { signal: stop.signal });
  addEventListener("whilecore:roll-call", () => tell("hello", { name }), { signal: stop.signal });
  const listen = (key) => {
    model.on(`change:${key}`, draw);
    stop.signal.addEventListener("abort", () => model.off(`change:${key}`, draw));
  };
  listen("feedback");
  listen("labels");
  listen("question");
  draw();
  tell("hello", { name });
  return () => stop.abort();
}

export default { render };
