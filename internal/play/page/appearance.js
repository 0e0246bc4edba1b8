// Colours of the page, and what they mean.
import {el, forget, get} from "./util.js";

/** theme chooses dark or light. @param {string} name */
export function theme(name) {
  document.documentElement.dataset.theme = name;
  forget();
  get("theme").textContent = name === "dark" ? "☀" : "☾";
  get("theme").setAttribute("aria-label", name === "dark" ? "light colours" : "dark colours");
}

/** legend explains the colours of the machine. @param {string} mode @param {Emsim.State[]} states */
export function legend(mode, states) {
  /** @param {string} c @param {string} words */
  const item = (c, words, letter = "") => el("span", {}, el("i", {className: "swatch " + c}, letter), words);
  /** @type {Record<string, string>} */
  const classes = {".": "st-none", "!": "st-fail"};
  const list = mode === "state" ? states.map(s => item(classes[s.letter] ?? "st-" + s.letter, s.doc.split(":")[0], s.letter === "." ? "" : s.letter))
    : [item("st-none", mode === "policy" ? "no call from the opened PE" : "none"), item("st-R", mode === "load" ? "15, the highest load value" : "the most of all PEs")];
  get("legend").replaceChildren(...list, item("round st-dot", "packet"), item("round st-wait", "packet that waits"), item("st-mlpe", "MLPE packet and its load"), el("span", {}, "time line, from below: at work, the IBU alone, waiting for the network"));
}
