// What the pictures of two runs have in common, and what not.
import {count, el, named} from "../util.js";

/** deeds are what the picture shows of every PE. @param {Emsim.Frame} f */
export function deeds(f) {
  const list = [...f.state].map((s, i) =>
    [s, f.load[i], f.fifo[i], f.mib[i], f.operands[i]].join());
  for (const p of f.packets) list[p.pe] += ` ${p.in} ${p.out} ${p.kind} ${p.to} ${p.left}`;
  return list;
}

/** caption says which run a machine shows. @param {HTMLElement} place @param {number} side
 * @param {Pick<Emsim.Page, "setup" | "frame" | "stale">} run */
export function caption(place, side, {stale, frame, setup}) {
  const f = stale ? null : frame, busy = f?.state.replace(/[^RMSW]/g, "").length;
  const end = !f ? "" : !f.ended ? `${busy} of ${f.state.length} PEs do something: `
    : f.failure ? "failed: "
      : `${f.all_words === 0 ? "no result" : f.answer} after ${count(f.result.clocks)} clocks: `;
  const what = setup ? named(setup) : "";
  place.replaceChildren(el("b", {}, "AB"[side]), " ", el("b", {}, end), what);
}
