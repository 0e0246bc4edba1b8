// Small helpers.

export const get = id => document.getElementById(id);

// el makes an element: el("p", {className: "x", onclick: f}, "text", child).
export function el(name, properties = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") e.setAttribute(key, value);
    else e[key] = value;
  }
  e.append(...children.filter(c => c !== null && c !== undefined && c !== false));
  return e;
}

// tabs makes a bar of tabs choose among panels: choose is called with the name of the one
// that the user wants. What it returns shows a panel.
export function tabs(bar, choose) {
  const all = [...bar.querySelectorAll("[role=tab]")];
  for (const b of all) b.onclick = () => choose(b.dataset.tab);
  bar.onkeydown = e => {
    const by = {ArrowRight: 1, ArrowLeft: -1}[e.key];
    if (!by) return;
    const b = all[(all.indexOf(document.activeElement) + by + all.length) % all.length];
    b.focus();
    choose(b.dataset.tab);
  };
  return name => {
    for (const b of all) {
      const on = b.dataset.tab === name;
      b.setAttribute("aria-selected", on);
      b.tabIndex = on ? 0 : -1;
      get(b.dataset.tab).hidden = !on;
    }
  };
}

export const count = n => n.toLocaleString("en-US");
export const percent = x => (100 * x).toFixed(1) + " %";

// colour returns a colour of the page; a large machine asks thousands of times a
// picture. forget is called when the colours change.
const colours = new Map();
export const forget = () => colours.clear();
export function colour(name) {
  if (!colours.has(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
  return colours.get(name);
}

// fit gives a canvas the pixels of its place on the screen, and returns its
// context in units of the page.
export function fit(canvas) {
  const dpr = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * dpr) || canvas.height !== Math.round(h * dpr)) {
    canvas.width = Math.round(w * dpr);
    canvas.height = Math.round(h * dpr);
  }
  const ctx = canvas.getContext("2d");
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  ctx.clearRect(0, 0, w, h);
  return {ctx, w, h};
}
