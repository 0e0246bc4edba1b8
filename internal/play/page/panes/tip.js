// Words beside the pointer: what the PE or the packet under it does.
import {get} from "../util.js";

/** @typedef {{packet?: Emsim.Moving, pe?: number, x?: number, y?: number}} Over what is under the
 * pointer, which is at x and y */

/** @type {Record<string, string>} */
const does = {
  R: "runs a block", M: "matches operands", S: "spills to memory", W: "waits for the network",
  o: "waits for a partner", ".": "has no work", "!": "has failed",
};

/** @param {number} n @param {string} thing */
const some = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

/** words says what is under the pointer.
 * @param {import("./machine.js").Machine} m @param {Over} over */
function words(m, {packet: p, pe}) {
  const {frame: f, net} = m;
  if (p) {
    const to = p.kind === "host" ? "the host" : m.address(p.to);
    const held = p.wait ? "; it cannot go on" : "";
    if (p.kind !== "mlpe") return `packet ${p.id} to ${to}${held}`;
    const load = p.load.toString(16).toUpperCase();
    return `search ${p.id}: least load so far ${load}, of ${m.address(p.best)}${held}`;
  }
  return [`${m.address(pe)} ${does[f.state[pe]]}`,
    f.fifo[pe] > 0 && `${some(f.fifo[pe] / 2, "packet")} of ${net.fifo_words / 2} in its buffer`,
    f.mib[pe] > 0 && `${some(f.mib[pe] / 2, "packet")} in its memory`,
    f.operands[pe] > 0 && `${some(f.operands[pe], "operand")} for a partner`,
  ].filter(Boolean).join("; ");
}

/** tip shows it, or nothing. @param {import("./machine.js").Machine} m @param {Over} over */
export function tip(m, over) {
  const place = get("tip"), none = !over.packet && over.pe === undefined;
  place.hidden = none;
  if (none) return;
  place.textContent = words(m, over);
  const {clientWidth: w} = place.parentElement, {offsetWidth: wide, offsetHeight: high} = place;
  place.style.left = `${Math.max(4, Math.min(w - wide - 4, over.x + 12))}px`;
  place.style.top = `${over.y + (over.y > high + 24 ? -high - 12 : 18)}px`;
}
