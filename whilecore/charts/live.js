// The browser half of LiveChart: draw a picture once, then only replace its data.
// RUNTIME is filled in by live.py: an address on this server, or the whole bundle as text.
const RUNTIME = /*RUNTIME*/ null;
const LIGHT = "whilecore:light";
// A picture further than this from what is seen waits until it comes near.
const NEAR = "25% 0px";

async function loadEmbed() {
  const address = RUNTIME.path
    ? new URL(RUNTIME.path, globalThis.location.origin).href
    : URL.createObjectURL(new Blob([RUNTIME.source], { type: "text/javascript" }));
  try {
    return (await import(address)).vegaEmbed;
  } catch (error) {
    console.warn("whilecore: the chart runtime did not load", error);
    return null;
  }
}
const embedLoading = loadEmbed();

// One observer of the page's theme for all charts.
const isDark = () => document.body.classList.contains("dark");
const themeWatchers = new Set();
new MutationObserver(() => themeWatchers.forEach((tell) => tell(isDark()))).observe(document.body, {
  attributes: true,
  attributeFilter: ["class"],
});

const styles = new CSSStyleSheet();
styles.replaceSync(`
  .wc-chart { --wc-surface: #ffffff; --wc-ink: #1c2024; --wc-muted: #5a6169; --wc-line: #c9ced4; --wc-focus: #005fcc;
    container-type: inline-size; position: relative; margin: 0; color: var(--wc-ink);
    font: 14px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
  .wc-chart.dark { --wc-surface: #23282c; --wc-ink: #eceef0; --wc-muted: #a6adb5; --wc-line: #4a5159; --wc-focus: #7ab8ff; }
  .wc-tip { position: absolute; z-index: 5; pointer-events: none; max-width: 22em; padding: 3px 8px;
    border: 1px solid var(--wc-line); border-radius: 4px; background: var(--wc-surface);
    font-size: 0.9em; }
  .wc-tip[hidden] { display: none; }
  .wc-title { font-size: 1.0625em; font-weight: 600; margin: 0;
    min-height: calc(1.4em * var(--wc-lines)); }
  .wc-summary { margin: 0.15em 0 0; color: var(--wc-muted); }
  .wc-unseen { position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0;
    overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .wc-canvas { display: block; width: 100%; margin-top: 0.4em; overflow: hidden; }
  .wc-canvas > div { display: block; width: 100%; }
  .wc-canvas canvas { display: block; }
  .wc-chart details { margin-top: 0.2em; }
  .wc-chart summary { box-sizing: border-box; cursor: pointer; display: list-item; min-height: 24px;
    list-style-position: inside; padding: 2px 0; width: fit-content; color: var(--wc-muted); }
  .wc-chart summary:focus-visible, .wc-scroll:focus-visible { outline: 2px solid var(--wc-focus);
    outline-offset: 2px; border-radius: 2px; }
  .wc-scroll { max-height: 22em; max-width: 100%; overflow: auto; }
  .wc-chart table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  .wc-chart th, .wc-chart td { border-bottom: 1px solid var(--wc-line); padding: 2px 10px 2px 0;
    text-align: left; font-weight: normal; vertical-align: top; }
  .wc-chart thead th { font-weight: 600; }
  .wc-chart td.wc-number { text-align: right; }
  @container (max-width: 520px) { .wc-title { min-height: calc(1.4em * var(--wc-lines) * 2); } }
`);

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function skeleton(name, look) {
  const id = `wc-${name}`;
  const title = make("div", { class: "wc-title", id: `${id}-title`, role: "heading",
    "aria-level": String(look.level) });
  const summary = make("p", { class: look.show_summary ? "wc-summary" : "wc-unseen",
    id: `${id}-summary` });
  const host = make("div");
  const canvas = make("div", { class: "wc-canvas", role: "img", "aria-labelledby": `${id}-title`,
    "aria-describedby": `${id}-summary`, style: `min-height: ${look.min_height}px` }, host);
  const scroll = make("div", { class: "wc-scroll", tabindex: "0", role: "region",
    "aria-labelledby": `${id}-title` });
  const details = make("details", {}, make("summary", {}, "Numbers as a table"), scroll);
  const tip = make("div", { class: "wc-tip", "aria-hidden": "true", hidden: "" });
  const figure = make("figure", { class: "wc-chart", "data-livechart": name,
    "aria-labelledby": `${id}-title`, style: `--wc-lines: ${look.title_lines}` },
    make("figcaption", {}, title, summary), canvas, details, tip);
  return { figure, title, summary, canvas, host, details, scroll, tip };
}

// {column: [values]} to [{column: value}], the form in which Vega takes rows.
function rowsOf(columns) {
  const names = Object.keys(columns);
  const count = names.length ? columns[names[0]].length : 0;
  const rows = new Array(count);
  for (let i = 0; i < count; i++) {
    const row = {};
    for (const name of names) row[name] = columns[name][i];
    rows[i] = row;
  }
  return rows;
}

function tableOf(columns) {
  const names = Object.keys(columns);
  const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)));
  const body = rowsOf(columns).map((row) =>
    make("tr", {}, ...names.map((name, at) => {
      const value = row[name];
      const text = value === null || value === undefined ? "–" : String(value);
      if (at === 0) return make("th", { scope: "row" }, text);
      return make("td", typeof value === "number" ? { class: "wc-number" } : {}, text);
    })));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
}

class Picture {
  constructor(model, feed, key, parts, signal) {
    Object.assign(this, { model, feed, key, parts, signal, view: null, shown: {}, lit: "", sent: {},
      loaded: null, near: true, stale: false, saying: 0 });
    feed.on(`change:${key}`, () => this.show());
    parts.details.addEventListener("toggle", () => this.tabulate());
    const tell = (dark) => this.recolour(dark);
    themeWatchers.add(tell);
    signal.addEventListener("abort", () => { themeWatchers.delete(tell); this.view?.finalize(); });
    // A title that once took two lines keeps their room, so that nothing below it moves. The
    // observer hears of it after the layout; asking for the height here would force one.
    const taller = new ResizeObserver(([{ borderBoxSize: [box] }]) => {
      parts.title.style.minHeight = `${box.blockSize}px`;
    });
    taller.observe(parts.title);
    signal.addEventListener("abort", () => taller.disconnect());
    window.addEventListener(LIGHT, (event) => this.light(event.detail?.key), { signal });
    window.addEventListener("beforeprint", () => { this.say(); this.catchUp(); }, { signal });
    const sight = new IntersectionObserver(([entry]) => {
      this.near = entry.isIntersecting;
      if (this.near) this.catchUp();
    }, { rootMargin: NEAR, scrollMargin: NEAR }); // marimo scrolls a box inside the window
    sight.observe(parts.figure);
    signal.addEventListener("abort", () => sight.disconnect());
    this.recolour(isDark());
    this.show();
  }

  // Read the latest push. Once the picture is up, its words wait for the frame it appears in:
  // written earlier, they would have the canvas lay out the page in the middle of its drawing.
  show() {
    const text = this.feed.get(this.key);
    this.shown = text ? JSON.parse(text) : {};
    if (!this.view || document.hidden) this.say();
    else this.saying ||= requestAnimationFrame(() => this.say());
    this.redraw();
  }

  say() {
    this.saying = 0;
    const { title, summary, details } = this.parts;
    if (title.textContent !== (this.shown.title ?? "")) title.textContent = this.shown.title ?? "";
    summary.textContent = this.shown.summary ?? "";
    details.hidden = !this.shown.table;
    this.tabulate();
  }

  // What is pointed at, or "" where nothing here belongs to it: then nothing here fades.
  partner() {
    const columns = Object.values(this.shown.data ?? {});
    return this.lit && columns.some(({ link }) => link?.includes(this.lit)) ? this.lit : "";
  }

  load() {
    if (this.loaded === this.shown) return;
    this.loaded = this.shown;
    for (const [name, columns] of Object.entries(this.shown.data ?? {})) {
      const text = JSON.stringify(columns);
      if (this.sent[name] === text) continue;
      this.sent[name] = text;
      this.view.data(name, rowsOf(columns));
    }
  }

  // Bring the picture up to date now, or when it comes near the part of the page that is seen.
  redraw() {
    this.stale = true;
    if (this.near) return this.catchUp();
  }

  catchUp() {
    if (!this.stale || !this.view) return;
    this.stale = false;
    this.load();
    this.set("dark", isDark());
    this.set("lit", this.partner());
    return this.view.runAsync().catch((error) => console.error("whilecore: chart", error));
  }

  tabulate() {
    if (this.parts.details.open && this.shown.table)
      this.parts.scroll.replaceChildren(tableOf(this.shown.table));
  }

  set(name, value) {
    if (this.signals.has(name)) this.view.signal(name, value);
  }

  recolour(dark) {
    this.parts.figure.classList.toggle("dark", dark);
    this.redraw();
  }

  light(key) {
    this.lit = key ?? "";
    this.redraw();
  }

  // Embed once, with the data and the theme of this moment already in the specification.
  async draw(embed) {
    const spec = JSON.parse(this.model.get("spec"));
    const now = { dark: isDark(), lit: this.partner() };
    for (const one of spec.signals ?? []) if (one.name in now) one.value = now[one.name];
    for (const [name, columns] of Object.entries(this.shown.data ?? {}))
      Object.assign(spec.data.find((one) => one.name === name), { values: rowsOf(columns) });
    const pushed = this.shown;
    const result = await embed(this.parts.host, spec, { mode: "vega", renderer: "canvas",
      actions: false, defaultStyle: false, tooltip: (...call) => this.tell(...call) });
    if (this.signal.aborted) return result.finalize();
    this.signals = new Set((spec.signals ?? []).map((one) => one.name));
    this.view = this.parts.figure.liveView = result.view;
    this.loaded = pushed;
    this.listen();
    this.follow();
    // What changed while the chart was being embedded.
    this.stale = this.shown !== pushed || now.dark !== isDark() || now.lit !== this.partner();
    await this.catchUp();
  }

  // The tooltip of a mark: text, or one line for each field.
  tell(_, event, __, value) {
    const { tip, figure } = this.parts;
    tip.hidden = value == null || value === "";
    if (tip.hidden) return;
    const lines = typeof value === "object"
      ? Object.entries(value).map(([name, text]) => `${name}: ${text}`) : [String(value)];
    tip.replaceChildren(...lines.map((line) => make("div", {}, line)));
    const box = figure.getBoundingClientRect();
    const left = Math.min(event.clientX - box.left + 12, box.width - tip.offsetWidth);
    tip.style.left = `${Math.max(0, left)}px`;
    tip.style.top = `${event.clientY - box.top + 16}px`;
  }

  // Pointing at a mark lights its partners on the page; clicking one tells the notebook.
  listen() {
    const name = this.parts.figure.dataset.livechart;
    const say = (key) => {
      if ((key ?? "") === this.lit) return;
      window.dispatchEvent(new CustomEvent(LIGHT, { detail: { key, from: name } }));
    };
    this.view.addEventListener("mouseover", (_, item) => {
      if (item?.datum?.link != null) say(String(item.datum.link));
    });
    this.view.addEventListener("mouseout", (_, item) => {
      if (item?.datum?.link != null) say(null);
    });
    this.view.addEventListener("click", (_, item) => {
      if (item?.datum?.key == null) return;
      const n = (this.model.get("clicked")?.n ?? 0) + 1;
      this.model.set("clicked", { key: String(item.datum.key), n });
      this.model.save_changes();
    });
  }

  follow() {
    if (!this.model.get("look").fluid) return;
    let width = this.parts.host.clientWidth;
    const watch = new ResizeObserver(() => {
      const now = this.parts.host.clientWidth;
      if (!now || now === width) return;
      width = now;
      this.parts.title.style.minHeight = "";
      this.view.width(now);
      this.redraw();
    });
    watch.observe(this.parts.host);
    this.signal.addEventListener("abort", () => watch.disconnect());
  }

  fail() {
    this.parts.canvas.style.minHeight = "";
    this.parts.canvas.removeAttribute("role");
    this.parts.host.textContent = this.shown.table
      ? "The chart cannot be drawn here. Its numbers are in the table below."
      : "The chart cannot be drawn here.";
    this.parts.details.open = true;
    this.parts.figure.dataset.failed = "true";
  }
}

async function render({ model, el }) {
  const gone = new AbortController();
  const name = model.get("name");
  const parts = skeleton(name, model.get("look"));
  const root = el.getRootNode();
  if (root.adoptedStyleSheets && !root.adoptedStyleSheets.includes(styles))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles];
  el.append(parts.figure);
  const board = model.get("board");
  const feed = board ? await model.widget_manager.get_model(board) : model;
  const picture = new Picture(model, feed, board ? `chart_${name}` : "chart", parts, gone.signal);
  embedLoading.then((embed) => {
    if (gone.signal.aborted) return;
    if (!embed) return picture.fail();
    return picture.draw(embed).catch((error) => {
      console.error("whilecore: chart", error);
      picture.view = null;
      picture.fail();
    });
  });
  return () => gone.abort();
}

export default { render };
