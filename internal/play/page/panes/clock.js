// The clock in words, in the dock and in the prompt of the console.
import {page} from "../state/page.js";
import {pane, effect} from "../state/store.js";
import {clockOf, count, el, get} from "../util.js";

/** told is a clock in words. A run ends with its result: what follows has no number.
 * @param {number} clock @param {number} length 0: not known yet */
function told(clock, length) {
  const rest = !length ? "" : clock > length ? " the end, then rest" : ` of ${count(length)}`;
  const shown = count(length ? Math.min(clock, length) : clock);
  return [el("small", {}, "clock "), el("b", {}, shown), el("small", {}, rest)];
}

pane(run => effect(() => {
  if (!run.shown.value) return;
  const {now, length} = run.shown.value;
  get("clock").replaceChildren(...told(now, length));
  return () => get("clock").replaceChildren();
}));

// prompt says which clock and PE the console speaks of: those of the page.
export const prompt = () => pane(run => effect(() => {
  const {frame, pe} = run.shown.value ?? {};
  get("prompt").textContent = frame ? `(${clockOf(frame)} ${page.machine.address(pe)})` : ">";
}));
