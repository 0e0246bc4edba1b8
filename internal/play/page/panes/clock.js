// The clock in words, in the dock and in the prompt of the console.
import {pane, effect} from "../state/store.js";
import {clockOf, count, el, get} from "../util.js";

/** told is a clock in words. A run ends with its result: what follows has no number.
 * @param {number} clock @param {number} length 0: not known yet */
function told(clock, length) {
  if (!length) return [`clock ${count(clock)}`];
  const rest = clock > length ? " the end, then rest" : ` of ${count(length)}`;
  return [`clock ${count(Math.min(clock, length))}`, el("small", {}, rest)];
}

pane(run => effect(() => {
  if (!run.shown.value) return;
  const {now, length} = run.shown.value;
  get("clock").replaceChildren(...told(now, length));
  return () => get("clock").replaceChildren();
}));

/** prompt says which clock and PE the console speaks of: those of the page.
 * @param {import("./machine.js").Machine} machine */
export const prompt = machine => pane(run => effect(() => {
  const {frame, pe} = run.shown.value ?? {};
  get("prompt").textContent = frame ? `(${clockOf(frame)} ${machine.address(pe)})` : ">";
}));
