// Answers stay in this browser: one entry of local storage for the whole course,
//   {"version": 1, "checks": {"06.kept": {"state", "choice", "right", "when"}}}
// A check named "entry.…" has no `right` until lesson 6 tells the answers ("whilecore:key").
// Checks announce themselves with "whilecore:hello" and report with "whilecore:check"; they are
// told what is remembered with "whilecore:progress". The home page imports `mount` on its own.

export const KEY = "whilecore.progress";
const VERSION = 1;
const STATES = ["answered", "skipped"];

/** Keep only what has the form of progress; null where the whole is something else. */
function sound(data) {
  if (data?.version !== VERSION || typeof data.checks !== "object" || !data.checks) return null;
  const good = ([name, check]) =>
    /^[\w.-]{1,64}$/.test(name) &&
    STATES.includes(check?.state) &&
    typeof check.choice === "string" &&
    check.choice.length <= 200;
  return { version: VERSION, checks: Object.fromEntries(Object.entries(data.checks).filter(good)) };
}

/** The remembered answers, or null if the browser lets no page remember anything. */
export function load() {
  try {
    const text = localStorage.getItem(KEY);
    return (text && sound(JSON.parse(text))) || { version: VERSION, checks: {} };
  } catch (error) {
    return error instanceof SyntaxError ? { version: VERSION, checks: {} } : null;
  }
}

/** Mark answers by the right ones: {name: label}. */
function judge(data, labels) {
  const marked = Object.entries(data.checks).map(([name, check]) => [
    name,
    name in labels ? { ...check, right: check.choice === labels[name] } : check,
  ]);
  return { ...data, checks: Object.fromEntries(marked) };
}

/** The same ideas before and after: checks named "entry.…" against "exit.…"; "" before that. */
export function gain(checks) {
  const open = ([name, check]) => name.startsWith("entry.") && typeof check.right !== "boolean";
  if (Object.entries(checks).some(open)) return ""; // not marked yet
  const right = (prefix) => {
    const asked = Object.entries(checks).filter(([name]) => name.startsWith(prefix));
    return [asked.filter(([, check]) => check.right).length, asked.length];
  };
  const [before, entry] = right("entry.");
  const [after, exit] = right("exit.");
  if (!entry || !exit) return "";
  return `Before the course ${before} of ${entry} right, after it ${after} of ${exit}.`;
}

function save(data) {
  try {
    localStorage.setItem(KEY, JSON.stringify(data));
    return true;
  } catch {
    return false;
  }
}

function download(data) {
  const blob = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = "whilecore-progress.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

export function button(text, run) {
  const node = make("button", "wc-button", text);
  node.type = "button";
  node.addEventListener("click", run);
  return node;
}

export function mount(el) {
  const stop = new AbortController();
  const here = new Set(); // the checks of this page
  let key = {}; // right answers to what was asked before the course, once lesson 6 tells them
  let memory = load(); // null: the browser remembers nothing, so this page does until it is left
  let data = memory ?? { version: VERSION, checks: {} };
  const tell = (type, detail) => dispatchEvent(new CustomEvent(`whilecore:${type}`, { detail }));
  const on = (type, run) => addEventListener(`whilecore:${type}`, run, { signal: stop.signal });

  const count = make("p", "wc-count");
  const note = make("p", "wc-note");
  const buttons = make("div", "wc-actions");
  const file = make("input", "wc-file");
  Object.assign(file, { type: "file", accept: "application/json,.json", hidden: true });
  file.setAttribute("aria-label", "Progress file");
  el.classList.add("wc-progress");
  el.replaceChildren(count, buttons, file, note);

  function draw(message = "") {
    const states = [...here].map((name) => data.checks[name]?.state);
    const answered = states.filter((state) => state === "answered").length;
    const skipped = states.filter((state) => state === "skipped").length;
    const all = Object.values(data.checks).filter((check) => check.state === "answered").length;
    const page = here.size ? `${answered} of ${here.size} checks on this page answered` : "";
    const left = skipped ? `, ${skipped} skipped` : "";
    const change = gain(data.checks);
    const onPage = page ? `${page}${left}. ` : "";
    count.textContent = `${onPage}${change ? `${change} ` : ""}${all} answered in the whole course.`;
    note.textContent = memory
      ? message || "Your answers are kept in this browser only."
      : "This browser does not let pages remember anything: your answers last until you leave.";
    if (message) tell("say", { text: message });
    compare();
  }

  function compare() {
    tell("gain", { text: gain(data.checks), checks: data.checks });
  }

  function keep(next, message) {
    data = judge(next, key);
    if (memory && !save(data)) memory = null;
    draw(message);
  }

  function share(cleared = false) {
    tell("progress", { checks: data.checks, cleared });
  }

  async function take() {
    const text = file.files[0] && file.files[0].size < 1e6 ? await file.files[0].text() : "";
    file.value = "";
    let next = null;
    try {
      next = sound(JSON.parse(text));
    } catch {
      // Not JSON: said below, like every other wrong file.
    }
    if (!next) return draw("That file holds no progress of this course. Nothing was changed.");
    keep({ ...next, checks: { ...data.checks, ...next.checks } }, "Progress imported.");
    share();
  }

  function usual() {
    buttons.replaceChildren(
      button("Export answers", () => download(data)),
      button("Import", () => file.click()),
      button("Delete", sure),
    );
  }

  function sure() {
    const no = button("Keep them", () => (usual(), buttons.lastChild.focus()));
    const yes = button("Delete all answers", () => {
      usual();
      keep({ version: VERSION, checks: {} }, "All answers deleted.");
      share(true);
      buttons.lastChild.focus();
    });
    buttons.replaceChildren(yes, no);
    no.focus();
  }

  file.addEventListener("change", take);
  on("compare", compare);
  on("key", (event) => {
    key = event.detail.labels;
    if (Object.keys(key).some((name) => data.checks[name])) keep(data);
  });
  on("hello", (event) => {
    here.add(event.detail.name);
    draw();
    if (data.checks[event.detail.name]) share();
  });
  on("check", (event) => {
    const { name, state, choice, right } = event.detail;
    const checks = { ...data.checks };
    if (STATES.includes(state)) {
      checks[name] = { state, choice, right, when: new Date().toISOString() };
    } else delete checks[name];
    keep({ ...data, checks });
  });
  addEventListener(
    "storage",
    (event) => {
      if (event.key !== KEY) return;
      data = judge(load() ?? data, key);
      draw();
    },
    { signal: stop.signal },
  );
  usual();
  draw();
  tell("roll-call", {});
  return () => stop.abort();
}

export default { render: ({ el }) => mount(el) };
