// The browser side of Change: the same ideas before the course and after lesson 6. progress.js
// holds the answers: it marks those from before by the right answers it is sent
// ("whilecore:key"), and says what it holds ("whilecore:gain", asked for by "whilecore:compare").

function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function mark(right) {
  return right ? "✓ right" : "✗ not right";
}

function table(ideas, checks) {
  const rows = Object.entries(ideas).map(([idea, words]) => {
    const row = make("tr");
    const head = make("th", "", words);
    head.scope = "row";
    const cell = (name) => make("td", "", checks[name] ? mark(checks[name].right) : "not asked");
    row.append(head, cell(`entry.${idea}`), cell(`exit.${idea}`));
    return row;
  });
  const heads = ["idea", "before the course", "now"].map((text) => {
    const head = make("th", "", text);
    head.scope = "col";
    return head;
  });
  const top = make("tr");
  top.append(...heads);
  const thead = make("thead");
  thead.append(top);
  const body = make("tbody");
  body.append(...rows);
  const whole = make("table");
  whole.append(thead, body);
  const box = make("div", "wc-table");
  box.append(whole);
  return box;
}

function render({ model, el }) {
  const stop = new AbortController();
  const tell = (type, detail) => dispatchEvent(new CustomEvent(`whilecore:${type}`, { detail }));
  const on = (type, run) => addEventListener(`whilecore:${type}`, run, { signal: stop.signal });
  let held = { text: "", checks: {} };

  function draw() {
    const told = Object.keys(model.get("labels")).length > 0;
    const asked = Object.keys(held.checks).filter((name) => name.startsWith("exit."));
    const first = Object.keys(held.checks).some((name) => name.startsWith("entry."));
    const right = asked.filter((name) => held.checks[name].right).length;
    const line = make("p", "wc-gain");
    const parts = [line];
    if (!told) line.textContent = "After the third answer: what has changed since the home page.";
    else if (held.text) {
      line.textContent = held.text;
      parts.push(table(model.get("ideas"), held.checks));
    } else if (!first && asked.length)
      line.textContent =
        `${right} of ${asked.length} right. This browser holds no answers from before the ` +
        "course, so there is nothing to compare them with.";
    else line.textContent = "No answers to compare yet.";
    el.replaceChildren(...parts);
  }

  const key = () => tell("key", { labels: model.get("labels") });
  on("gain", (event) => ((held = event.detail), draw()));
  on("roll-call", key);
  const changed = () => (key(), draw());
  model.on("change:labels", changed);
  stop.signal.addEventListener("abort", () => model.off("change:labels", changed));
  el.classList.add("wc-change-since");
  el.setAttribute("role", "status");
  draw();
  key();
  tell("compare", {});
  return () => stop.abort();
}

export default { render };
