// Colours of the page, and what they mean.
import {all, el, forget, get} from "../util.js";

/** theme chooses dark or light. @param {string} name */
export function theme(name) {
  document.documentElement.dataset.theme = name;
  forget();
  get("theme").textContent = name === "dark" ? "☀" : "☾";
  get("theme").ariaLabel = name === "dark" ? "light colours" : "dark colours";
}

/** @type {Record<string, [string, string]>} by state: its class, and what so many PEs do */
const states = {
  R: ["st-R", "run a block"], M: ["st-M", "match operands"], S: ["st-S", "spill to memory"],
  W: ["st-W", "wait for the network"], o: ["st-o", "wait for a partner"],
  ".": ["st-none", "have no work"], "!": ["st-fail", "have failed"],
};

/** @param {string} c @param {string} words */
const item = (c, words, data = {}) => el("span", data, el("i", {className: "swatch " + c}), words);

/** legend explains the colours of the machine. @param {string} mode */
export function legend(mode) {
  const none = mode === "policy" ? "no call from the opened PE" : "none";
  const most = mode === "load" ? "15, the highest load value" : "the most of all PEs";
  const list = mode !== "state" ? [item("st-none", none), item("st-R", most)]
    : Object.entries(states).map(([letter, [c, words]]) => item(c, words, {"data-state": letter}));
  get("legend").replaceChildren(...list, item("round st-dot", "packet"),
    item("round st-wait", "held up"),
    item("st-mlpe", "search"));
}

/** tally writes into the legend how many PEs are in each state. @param {Emsim.Frame} frame */
export function tally({state, packets}) {
  const search = get("legend").querySelector(".st-mlpe").parentElement;
  search.hidden = !packets.some(p => p.kind === "mlpe");
  for (const e of all("[data-state]", get("legend"))) {
    const n = [...state].filter(x => x === e.dataset.state).length;
    e.firstElementChild.textContent = String(n);
    e.hidden = n === 0 && e.dataset.state === "!";
  }
}
