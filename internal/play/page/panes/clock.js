// The clock in words, in the dock and in the prompt of the console.
import {page} from "../state/page.js";
import {pane} from "../state/store.js";
import {clockOf, count, el, get} from "../util.js";

/** told is a clock in words. A run ends with its result: what follows has no number.
 * @param {number} clock @param {number} length 0: not known yet */
function told(clock, length) {
  const rest = !length ? "" : clock > length ? " the end, then rest" : ` of ${count(length)}`;
  const shown = count(length ? Math.min(clock, length) : clock);
  return [el("small", {}, "clock "), el("b", {}, shown), el("small", {}, rest)];
}

pane({
  show({frame, pe, now, length}) {
    get("clock").replaceChildren(...told(now, length));
    get("prompt").textContent = `(${clockOf(frame)} ${page.machine.address(pe)})`;
  },
  leave() {
    get("clock").replaceChildren();
    get("prompt").textContent = ">";
  },
});
