// Words beside the pointer: what the PE or the packet under it does.
import {states} from "../draw/appearance.js";
import {get, some} from "../util.js";

/** words says what is under the pointer.
 * @param {Drawing} m @param {Over} over */
function words(m, {packet: p, pe}) {
  const {frame: f, net} = m;
  if (p) {
    const to = p.kind === "host" ? "the host" : m.address(p.to);
    const held = p.wait ? "; it cannot go on" : "";
    if (p.kind !== "mlpe") return `packet ${p.id} to ${to}${held}`;
    const load = p.load.toString(16).toUpperCase();
    return `search ${p.id}: least load so far ${load}, of ${m.address(p.best)}${held}`;
  }
  return [`${m.address(pe)} ${states[f.state[pe]].does}`,
    f.fifo[pe] > 0 && `${some(f.fifo[pe] / 2, "packet")} of ${net.fifo_words / 2} in its buffer`,
    f.mib[pe] > 0 && `${some(f.mib[pe] / 2, "packet")} in its memory`,
    f.operands[pe] > 0 && `${some(f.operands[pe], "operand")} for a partner`,
  ].filter(Boolean).join("; ");
}

/** tip shows it, or nothing. @param {import("./machine.js").Machine} m
 * @param {MouseEvent} e where it points; null: nowhere */
export function tip(m, e) {
  const place = get("tip"), over = e ? m.under(e) : {};
  place.hidden = !over.packet && over.pe === undefined;
  if (place.hidden) return;
  place.textContent = words(m, over);
  const {clientWidth: w} = place.parentElement, {offsetWidth: wide, offsetHeight: high} = place;
  const {offsetLeft, offsetTop} = m.canvas, x = offsetLeft + e.offsetX, y = offsetTop + e.offsetY;
  place.style.left = `${Math.max(4, Math.min(w - wide - 4, x + 12))}px`;
  place.style.top = `${y + (y > high + 24 ? -high - 12 : 18)}px`;
}
