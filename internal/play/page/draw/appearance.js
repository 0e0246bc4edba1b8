// What the colours of the page mean.
import {page} from "../state/page.js";
import {all, count, el, get} from "../util.js";

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
  const list = mode === "state"
    ? Object.entries(states).map(([letter, {ink, all: words}]) =>
      el("span", {"data-state": letter}, swatch(ink), words))
    : [el("span", {}, "0", el("i", {className: "swatch ramp"}), el("b", {"data-most": ""}),
      mode === "load" ? "" : " on the PE that has the most")];
  get("legend-colours").replaceChildren(...list);
}

/** tally writes into the legend how many PEs are in each state, or the largest amount.
 * @param {Drawing} machine */
export function tally(machine) {
  const {state, packets} = machine.frame;
  for (const e of all("[data-most]")) e.textContent = count(machine.measure().most);
  get("legend-run").hidden = !page.versus.on;
  get("legend-run").textContent = page.run.name;
  get("legend-run").className = `run-${page.run.name.toLowerCase()}`;
  get("searches").hidden = !packets.some(p => p.kind === "mlpe");
  for (const e of all("[data-state]", get("legend-colours"))) {
    const n = [...state].filter(x => x === e.dataset.state).length;
    e.firstElementChild.textContent = String(n);
    e.hidden = n === 0 && e.dataset.state === "!";
  }
}
