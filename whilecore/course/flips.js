// The browser side of Flips: one toggle button for each try, in the columns of the chart below.
// A pressed button is a pass (a circle), one that is not pressed a fail (a square).

const SHAPES = {
  1: '<circle cx="12" cy="12" r="9"/>',
  0: '<rect x="4" y="4" width="16" height="16"/>',
};

function make(tag, attributes, html = "") {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.innerHTML = html;
  return node;
}

function render({ model, el }) {
  const group = make("div", { class: "wc-flips", role: "group", "aria-label": "Flip a try" });
  const [from, to] = model.get("place");
  const tries = () => model.get("tries");
  const buttons = [...tries()].map((_, at) => {
    const button = make("button", { type: "button", "aria-label": `try ${at + 1} passes` });
    button.addEventListener("click", () => {
      const now = [...tries()];
      now[at] = now[at] === "1" ? "0" : "1";
      model.set("tries", now.join(""));
      model.save_changes();
    });
    return button;
  });
  group.style.gridTemplateColumns = `${-from}fr repeat(${buttons.length}, 1fr) ${to - buttons.length}fr`;
  group.append(make("span", { "aria-hidden": "true" }), ...buttons);

  const draw = () => {
    buttons.forEach((button, at) => {
      const mark = tries()[at];
      if (button.dataset.mark !== mark) {
        button.dataset.mark = mark;
        button.innerHTML =
          `<svg viewBox="0 0 24 24" aria-hidden="true">${SHAPES[mark]}</svg>` +
          `<span aria-hidden="true">${at + 1}</span>`;
      }
      button.setAttribute("aria-pressed", String(mark === "1"));
      button.hidden = at >= model.get("shown");
    });
  };
  for (const name of ["tries", "shown"]) model.on(`change:${name}`, draw);
  draw();
  el.append(group);
  return () => {
    for (const name of ["tries", "shown"]) model.off(`change:${name}`, draw);
  };
}

export default { render };
