// The keys of the page: who listens says in words what they do, and the help shows it.
import {el, get} from "../util.js";

/** @type {Record<string, Point>} how far arrows lead to the right, and down */
export const arrows = {
  ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1],
};
export const everyArrow = Object.keys(arrows).join(" ");
export const sides = "ArrowLeft ArrowRight";

/** @type {Record<string, {title: string, list: Key[]}>} by place, in the order of the help */
export const keys = {page: null, typing: null};

/** key is an entry: its keys stand in a row. An act that answers false leaves the key to others.
 * @param {string} does @param {string} list @param {string} words @param {Key["act"]} act
 * @returns {Key} */
export const key = (does, list, words, act) => ({does, keys: list.split(" "), words, act});

/** @param {KeyboardEvent} e */
const pressed = e => (e.altKey ? "Alt+" : "") + (e.ctrlKey || e.metaKey ? "Ctrl+" : "")
  + (e.shiftKey && e.key.length > 1 ? "Shift+" : "") + e.key;

/** listen lets the keys of a place act. @param {EventTarget} target @param {string} place
 * @param {string} title @param {Key[]} list */
export function listen(target, place, title, list) {
  keys[place] = {title, list};
  target.addEventListener("keydown", event => {
    const e = /** @type {KeyboardEvent} */ (event), name = pressed(e);
    const found = list.find(k => k.keys.includes(name));
    if (!found || found.act(name, e) === false) return;
    e.preventDefault();
    e.stopPropagation();
  });
}

/** @type {Record<string, string>} */
const shown = {
  " ": "Space", ArrowLeft: "←", ArrowUp: "↑", ArrowRight: "→", ArrowDown: "↓",
  "Shift+ArrowLeft": "Shift ←", "Shift+ArrowRight": "Shift →", Escape: "Esc",
};

// help shows the list of keys.
export function help() {
  get("help-body").replaceChildren(...Object.values(keys).map(({title, list}) => el("div",
    {className: "keys"}, title && el("h3", {}, title), ...list.flatMap(k => [
      el("span", {}, ...k.keys.flatMap(name => [el("kbd", {}, shown[name] ?? name), " "])),
      el("span", {}, k.words),
    ]))));
  get("help").showModal();
  get("help").scrollTop = 0; // its button below has the focus
}
