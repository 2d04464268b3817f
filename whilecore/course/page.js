// The browser side of Page: places, address, live region, lighting, and the bar's buttons.
// Other widgets talk to it through window events: "whilecore:light" {key, from} and
// "whilecore:say" {text}. Nothing here knows a lesson.

const LIGHT = "whilecore:light";

/** Call `run` some `first` ms after a call, at most every `wait` ms, and once after the last. */
function throttled(run, first, wait) {
  let timer = null;
  let again = false;
  const go = () => {
    timer = null;
    if (again) {
      again = false;
      run();
      timer = setTimeout(go, wait);
    }
  };
  return () => {
    again = true;
    if (timer === null) timer = setTimeout(go, first);
  };
}

// --- Places: what Python put under a name goes into every element with that data-place ---------

// What once took more lines keeps their room until the width changes, so that nothing below moves.
const roomy = new ResizeObserver((entries) => {
  for (const { target, borderBoxSize } of entries) {
    const [{ blockSize, inlineSize }] = borderBoxSize;
    if ((target.wcWidth ?? inlineSize) === inlineSize) {
      target.style.minHeight = `${blockSize}px`;
    } else {
      target.style.minHeight = "";
      requestAnimationFrame(() => (target.style.minHeight = `${target.offsetHeight}px`));
    }
    target.wcWidth = inlineSize;
  }
});

function fill(place, slots) {
  const html = slots[place.dataset.place];
  if (html === undefined || place.wcHtml === html) return;
  const focused = place.contains(document.activeElement) && document.activeElement.dataset.link;
  place.wcHtml = html;
  place.innerHTML = html;
  if (place.matches("div:not(.wc-reading), .wc-reading-line > *")) roomy.observe(place.closest("div, p"));
  if (focused) place.querySelector(`[data-link="${CSS.escape(focused)}"]`)?.focus();
}

// --- Address: the settings as parameters, everything else in it untouched --------------------

function address(model) {
  const url = new URL(location.href);
  for (const name of model.get("owned")) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(model.get("link"))) url.searchParams.set(name, value);
  return url;
}

function writeAddress(model) {
  const url = address(model);
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = document.createElement("textarea");
    box.value = text;
    box.style.cssText = "position:fixed;opacity:0";
    document.body.append(box);
    const back = document.activeElement;
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    back?.focus?.();
    return done;
  }
}

// --- Live region: one for the page, said after the last change ------------------------------

function liveRegion() {
  let region = document.getElementById("wc-live");
  if (!region) {
    region = document.createElement("div");
    region.id = "wc-live";
    region.className = "wc-sr";
    region.setAttribute("role", "status");
    region.setAttribute("aria-live", "polite");
    document.body.append(region);
  }
  return region;
}

// --- Lighting: what is hovered or focused, here and in the pictures -------------------------

function everywhere(root, selector, found = []) {
  found.push(...root.querySelectorAll(selector));
  for (const node of root.querySelectorAll("*")) {
    if (node.shadowRoot) everywhere(node.shadowRoot, selector, found);
  }
  return found;
}

const linkOf = (event) =>
  event.composedPath().find((node) => node.dataset?.link)?.dataset.link ?? null;

function lighting(signal) {
  const at = { hover: null, focus: null };
  let lit = null;
  const tell = () => {
    const key = at.hover ?? at.focus;
    if (key === lit) return;
    lit = key;
    dispatchEvent(new CustomEvent(LIGHT, { detail: { key, from: "text" } }));
  };
  const on = (type, run) => document.addEventListener(type, run, { signal });
  on("pointerover", (event) => ((at.hover = linkOf(event)), tell()));
  on("pointerout", (event) => event.relatedTarget || ((at.hover = null), tell()));
  on("focusin", (event) => ((at.focus = linkOf(event)), tell()));
  on("focusout", () => ((at.focus = null), tell()));
  on("click", (event) => ((at.focus = linkOf(event)), tell()));
  on("keydown", (event) => {
    if (event.key === "Escape") (at.hover = at.focus = null), tell();
  });
  addEventListener(
    LIGHT,
    (event) => {
      lit = event.detail.key;
      for (const node of everywhere(document, "[data-link], [data-why]")) {
        const key = node.dataset.link ?? node.dataset.why;
        node.classList.toggle("lit", key === lit);
      }
    },
    { signal },
  );
}

// --- Buttons in the light DOM: data-do="copy | reset | show | skip", data-opens="id" ----------------

function toggle(button, open) {
  button.setAttribute("aria-expanded", String(open));
  document.getElementById(button.dataset.opens)?.toggleAttribute("data-open", open);
}

function openButtons() {
  return document.querySelectorAll('[data-opens][aria-expanded="true"]');
}

function disclosures(signal) {
  document.addEventListener(
    "click",
    (event) => {
      const path = event.composedPath();
      const pressed = path.find((node) => node.dataset?.opens);
      for (const button of openButtons()) {
        const panel = document.getElementById(button.dataset.opens);
        if (button !== pressed && !path.includes(panel)) toggle(button, false);
      }
      if (pressed) toggle(pressed, pressed.getAttribute("aria-expanded") !== "true");
    },
    { signal },
  );
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape") return;
      for (const button of openButtons()) {
        const panel = document.getElementById(button.dataset.opens);
        if (panel?.contains(document.activeElement)) button.focus();
        toggle(button, false);
      }
    },
    { signal },
  );
}

function render({ model, el }) {
  const stop = new AbortController();
  const { signal } = stop;
  const fillAll = () => {
    const slots = model.get("slots");
    for (const place of document.querySelectorAll("[data-place]")) fill(place, slots);
    // What the texts tell of the page as a whole stands on the body, where style rules find it
    // without asking every element what it holds.
    const told = [...document.querySelectorAll("#App [data-tells]")].map((one) => one.dataset.tells);
    if (document.body.dataset.tells !== told.join(" ")) document.body.dataset.tells = told.join(" ");
  };
  // The pictures come first: Chromium takes milliseconds to change an address.
  const write = throttled(() => writeAddress(model), 100, 400);
  const region = liveRegion();
  let speaking = null;
  let unsaid = model.get("notices");
  const say = (text) => {
    clearTimeout(speaking);
    speaking = setTimeout(() => {
      region.textContent = [...unsaid, text].join(" ").trim();
      unsaid = [];
    }, 600);
  };

  const showNotices = () => {
    el.className = "wc-notices";
    el.replaceChildren(
      ...model.get("notices").map((text) => {
        const line = document.createElement("p");
        line.setAttribute("role", "note");
        line.textContent = text;
        return line;
      }),
    );
  };

  const actions = {
    async copy(button) {
      writeAddress(model);
      const done = await copy(address(model).href);
      say(done ? "Link copied." : "The link could not be copied. Copy it from the address bar.");
      button.toggleAttribute("data-done", done);
      setTimeout(() => button.removeAttribute("data-done"), 2000);
    },
    skip: () => document.getElementById("wc-main").focus(), // marimo swallows links to a place
    reset() {
      model.set("resets", model.get("resets") + 1);
      model.save_changes();
    },
    show(button) {
      model.set("shown", [...model.get("shown"), button.dataset.name]);
      model.save_changes();
    },
  };

  const listen = (name, run) => {
    model.on(`change:${name}`, run);
    signal.addEventListener("abort", () => model.off(`change:${name}`, run));
  };
  listen("slots", fillAll);
  listen("link", write);
  listen("owned", write);
  listen("notices", showNotices);
  listen("said", () => say(model.get("said")));
  addEventListener("whilecore:say", (event) => say(event.detail.text), { signal });
  addEventListener("pagehide", () => writeAddress(model), { signal });
  document.addEventListener(
    "click",
    (event) => {
      const button = event.composedPath().find((node) => node.dataset?.do);
      if (button) actions[button.dataset.do]?.(button);
    },
    { signal },
  );
  lighting(signal);
  disclosures(signal);
  // marimo draws the cells one after another: places may come later than their text.
  const arrivals = new MutationObserver(() => {
    const slots = model.get("slots");
    const empty = [...document.querySelectorAll("[data-place]:empty")];
    if (empty.some((place) => slots[place.dataset.place])) fillAll();
  });
  arrivals.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => arrivals.disconnect());
  document.querySelector("#App .flex.flex-col:has(> .marimo-cell)")?.setAttribute("role", "main");
  showNotices();
  if (unsaid.length) say(model.get("said"));
  fillAll();
  write();
  return () => stop.abort();
}

export default { render };
