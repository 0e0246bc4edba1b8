// What the page tells its user.
import {page} from "../state/page.js";
import {clockOf, count, el, get} from "../util.js";

/** say shows a message. @param {string} words @param {boolean} bad */
export function say(words, bad = false) {
  get("message").textContent = words;
  get("message").classList.toggle("bad", bad);
}

/** veil covers the picture when it would show another program than the editor; "" takes it away.
 * @param {string} words */
export function veil(words) {
  get("veil").hidden = !words;
  get("veil").textContent = words;
}

/** clockPane shows the clock in the dock and in the prompt of the console. A run ends with its
 * result: what follows has no number. @type {Emsim.Pane} */
export const clockPane = {
  show({frame, pe, now, length}) {
    const {runs} = page.versus, two = new Set(runs.map(r => r.length)).size > 1;
    const all = two ? runs.map(r => `${count(r.length)} (${r.name})`).join(", ") : count(length);
    const rest = !length ? "" : now > length ? " the end, then rest" : ` of ${all}`;
    const shown = count(Math.min(now, length || now));
    get("clock").replaceChildren(
      el("small", {}, "clock "), el("b", {}, shown), el("small", {}, rest));
    get("prompt").textContent = `(${clockOf(frame)} ${page.run.machine.address(pe)})`;
  },
  leave() {
    get("clock").replaceChildren();
    get("prompt").textContent = ">";
  },
};
