// What the colours of the page mean.
import {all, el, get} from "../util.js";

/** theme chooses dark or light. @param {string} name */
export function theme(name) {
  document.documentElement.dataset.theme = name;
  get("theme").textContent = name === "dark" ? "☀" : "☾";
  get("theme").ariaLabel = name === "dark" ? "light colours" : "dark colours";
}

/** @type {Record<string, {ink: string, word: string, does: string, all: string}>} by state: its
 * colour, a word in a PE, what a PE does, and what many do */
export const states = {
  R: {ink: "runs", word: "runs", does: "runs a block", all: "run a block"},
  M: {ink: "matches", word: "matches", does: "matches operands", all: "match operands"},
  S: {ink: "spills", word: "spills", does: "spills to memory", all: "spill to memory"},
  W: {ink: "waits", word: "net wait", does: "waits for the network", all: "wait for the network"},
  o: {ink: "partner", word: "no partner", does: "waits for a partner", all: "wait for a partner"},
  ".": {ink: "idle", word: "no work", does: "has no work", all: "have no work"},
  "!": {ink: "failed", word: "failed", does: "has failed", all: "have failed"},
};

/** swatch is a sample of a colour. @param {string} ink */
export function swatch(ink) {
  const e = el("i", {className: "swatch"});
  Object.assign(e.style, {background: `var(--${ink})`, color: `var(--on-${ink})`});
  return e;
}

/** legend explains the colours of the machine. @param {string} mode */
export function legend(mode) {
  /** @type {[string, string][]} */
  const amounts = [["idle", mode === "policy" ? "no call from the opened PE" : "none"],
    ["runs", mode === "load" ? "15, the highest load value" : "the most of all PEs"]];
  const list = mode === "state"
    ? Object.entries(states).map(([letter, {ink, all: words}]) =>
      el("span", {"data-state": letter}, swatch(ink), words))
    : amounts.map(([ink, words]) => el("span", {}, swatch(ink), words));
  get("legend-colours").replaceChildren(...list);
}

/** tally writes into the legend how many PEs are in each state. @param {Emsim.Frame} frame */
export function tally({state, packets}) {
  get("searches").hidden = !packets.some(p => p.kind === "mlpe");
  for (const e of all("[data-state]", get("legend-colours"))) {
    const n = [...state].filter(x => x === e.dataset.state).length;
    e.firstElementChild.textContent = String(n);
    e.hidden = n === 0 && e.dataset.state === "!";
  }
}
