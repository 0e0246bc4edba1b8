// Small helpers, and what the page tells its user.
import {Pen} from "./draw/pen.js";

/** get returns an element that the page always has.
 * @template {keyof Emsim.Elements} K @param {K} id @returns {Emsim.Elements[K]} */
export const get = id => /** @type {any} */ (document.getElementById(id));

/** el makes an element: el("p", {className: "x", onclick: f}, "text", child).
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Record<string, any>} properties
 * @param {(Node | string | false)[]} children null, "" and false are left out */
export function el(name, properties = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") e.setAttribute(key, value);
    else /** @type {any} */ (e)[key] = value;
  }
  e.append(.../** @type {Node[]} */ (children).filter(Boolean));
  return e;
}

/** near is the element, from an event's target outwards, that matches.
 * @param {Event} e @param {string} selector @returns {HTMLElement} */
export const near = (e, selector) => /** @type {Element} */ (e.target).closest(selector);

/** all are the elements that match. @param {string} selector @param {ParentNode} [within]
 * @returns {HTMLElement[]} */
export const all = (selector, within = document) => [.../** @type {any} */ (
  within.querySelectorAll(selector))];

/** fill shows in a place what the engine has laid out; what was unfolded there stays so.
 * @param {HTMLElement} place @param {string} html */
export function fill(place, html) {
  const open = all("details[open]", place).map(d => d.className);
  place.innerHTML = html;
  for (const d of all("details", place)) d.toggleAttribute("open", open.includes(d.className));
}

// calm is whether the user prefers less motion.
export const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** some is a number of things. @param {number} n @param {string} thing */
export const some = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

/** clockOf is the clock that a frame is shown with: a run ends with its result.
 * @param {Emsim.Frame} f */
export const clockOf = f => (f.length ? Math.min(f.clock, f.length) : f.clock);

/** named says what runs. @param {Emsim.Setup} s */
export const named = ({main, args, pes, params, sets, seed}) => [
  `${[main.replace(/\.s$/, ""), ...args ?? []].join(" ")} on ${pes || 80} PEs`,
  ...Object.entries({...params, ...sets}).map(([k, v]) => `${k}=${v}`), seed > 1 && `seed=${seed}`,
].filter(Boolean).join(", ");

/** say shows a message. @param {string} words @param {boolean} bad */
export function say(words, bad = false) {
  get("message").textContent = words;
  get("message").classList.toggle("bad", bad);
}

// veil covers the picture when it would show another program than the editor; "" takes it away.
export function veil(/** @type {string} */ words) {
  get("veil").hidden = !words;
  get("veil").textContent = words;
}

/** @type {Map<string, string>} properties of the page's style */
const known = new Map();

// forget is called when they change.
export const forget = () => known.clear();

/** style finds a colour, the font or the scale; a large machine asks thousands of times a picture.
 * @param {string} name @returns {string} the name itself if there is none */
function style(name) {
  const of = () => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  if (!known.has(name)) known.set(name, of() || name);
  return known.get(name);
}

/** brush gives a canvas the pixels of its place on the screen, and returns a pen for it in units of
 * the page. @param {HTMLCanvasElement} canvas */
export function brush(canvas) {
  const dpr = window.devicePixelRatio || 1, {clientWidth: w, clientHeight: h} = canvas;
  const width = Math.round(w * dpr), height = Math.round(h * dpr), ctx = canvas.getContext("2d");
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  ctx.clearRect(0, 0, w, h);
  return new Pen(ctx, w, h, style);
}
