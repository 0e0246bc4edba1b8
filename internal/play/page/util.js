// Small helpers.

/**
 * get returns an element that the page always has.
 * @template {keyof Emsim.Elements} K
 * @param {K} id
 * @returns {Emsim.Elements[K]}
 */
export const get = id => /** @type {any} */ (document.getElementById(id));

/**
 * el makes an element: el("p", {className: "x", onclick: f}, "text", child).
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, any>} properties
 * @param {(Node | string | number | false)[]} children null, "" and false are left out
 */
export function el(name, properties = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") e.setAttribute(key, value);
    else /** @type {any} */ (e)[key] = value;
  }
  e.append(...children.filter(c => c !== null && c !== undefined && c !== false && c !== "").map(c => (c instanceof Node ? c : String(c))));
  return e;
}

/** near is the element, from an event's target outwards, that matches.
 * @param {Event} e @param {string} selector @returns {HTMLElement} */
export const near = (e, selector) => /** @type {Element} */ (e.target).closest(selector);

// calm is whether the user prefers less motion.
export const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {number} n */
export const count = n => n.toLocaleString("en-US");

/** clockOf is the clock that a frame is shown with: a run ends with its result.
 * @param {Emsim.Frame} f */
export const clockOf = f => (f.length ? Math.min(f.clock, f.length) : f.clock);

/** @param {number} x */
export const percent = x => (100 * x).toFixed(1) + " %";

// colour returns a colour of the page; a large machine asks thousands of times a
// picture. forget is called when the colours change.
/** @type {Map<string, string>} */
const colours = new Map();
export const forget = () => colours.clear();
/** @param {string} name */
export function colour(name) {
  if (!colours.has(name)) colours.set(name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
  return colours.get(name);
}

/**
 * fit gives a canvas the pixels of its place on the screen, and returns its context in
 * units of the page.
 * @param {HTMLCanvasElement} canvas
 */
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
