// The browser side of Challenge: question, Check, Hint, Solution. What the buttons bring comes from
// Python when they are pressed; progress.js remembers whether it was solved.

let count = 0;

function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function render({ model, el }) {
  const stop = new AbortController();
  const name = model.get("name");
  const id = `wc-challenge-${(count += 1)}`;
  const tell = (type, detail) => dispatchEvent(new CustomEvent(`whilecore:${type}`, { detail }));
  const ask = (kind) => model.send({ kind, value: box?.value ?? "" });
  const button = (text, className, kind) => {
    const node = make("button", `wc-button ${className}`.trim(), text);
    node.type = "button";
    node.addEventListener("click", () => ask(kind));
    return node;
  };

  const head = make("p", "wc-eyebrow", "Challenge");
  const question = make("p", "wc-question", model.get("question"));
  const buttons = make("div", "wc-actions");
  let box = null;
  if (model.get("field")) {
    const label = make("label", "wc-field", model.get("field"));
    label.htmlFor = id;
    box = make("input");
    Object.assign(box, { id, type: "text", inputMode: "decimal", autocomplete: "off" });
    box.addEventListener("keydown", (event) => event.key === "Enter" && ask("check"));
    label.append(box);
    buttons.append(label);
  }
  buttons.append(
    button(box ? "Check" : "Check my settings", "wc-primary", "check"),
    button("Hint", "", "hint"),
    button("Show the solution", "", "solution"),
  );
  // One line for each kind of reply, so that a check does not wipe a hint away.
  const lines = Object.fromEntries(
    ["check", "hint", "solution"].map((kind) => [kind, make("p", `wc-reply wc-reply-${kind}`)]),
  );
  el.classList.add("wc-check");
  el.replaceChildren(head, question, buttons, ...Object.values(lines));

  const show = ({ kind, state, text }) => {
    lines[kind].textContent = text;
    tell("say", { text });
    if (kind === "check") el.dataset.state = state;
    const known = { name, choice: box?.value ?? "" };
    if (state === "solved") tell("check", { ...known, state: "answered", right: true });
    else if (kind === "solution" && el.dataset.state !== "solved") {
      tell("check", { ...known, state: "skipped", right: null });
    }
  };
  model.on("msg:custom", show);
  stop.signal.addEventListener("abort", () => model.off("msg:custom", show));

  const restore = (event) => {
    const solved = event.detail.checks[name]?.state === "answered";
    if (solved) el.dataset.state = "solved";
    else if (event.detail.cleared) delete el.dataset.state;
    head.textContent = solved ? "Challenge, solved" : "Challenge";
  };
  addEventListener("whilecore:progress", restore, { signal: stop.signal });
  addEventListener("whilecore:roll-call", () => tell("hello", { name }), { signal: stop.signal });
  tell("hello", { name });
  return () => stop.abort();
}

export default { render };
