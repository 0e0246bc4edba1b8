// Packets: dots on their links, rings where they wait, diamonds that search.
import {box, disc, fill, line, stroke, type, write} from "./pen.js";

/** drawPackets draws all of a machine, and remembers where; of a large one that which is followed.
 * @param {Drawing} m @param {Pen} ctx */
export function drawPackets(m, ctx) {
  const seen = new Map(), size = m.dot;
  m.spots = [];
  for (const p of m.frame.packets) {
    if (m.lens && p.id !== m.run.packet) continue;
    let [x, y] = m.place(p, seen);
    const was = m.before.get(p.id);
    if (was && m.part < 1 && Math.abs(was[0] - x) < m.g.pitchX * 1.2) {
      x = was[0] + (x - was[0]) * m.part;
      y = was[1] + (y - was[1]) * m.part;
    }
    m.spots.push([x, y, p]);
    if (p.kind === "mlpe") drawSearch(m, ctx, x, y, p);
    else {
      if (p.kind === "host") box(ctx, x - size, y - size, 2 * size, 2 * size, 0);
      else disc(ctx, x, y, size);
      fill(ctx, p.wait ? "paper" : "dot"); // one that waits is a ring
      stroke(ctx, p.wait ? "dot" : "paper", p.wait ? Math.max(1.6, size * 0.4) : 1.2);
    }
    if (p.id !== m.run.packet) continue;
    disc(ctx, x, y, size * 2.2 + 3);
    stroke(ctx, "here", 2);
  }
}

/** drawSearch draws an MLPE packet, a diamond with the least load so far.
 * @param {Drawing} m @param {Pen} ctx @param {number} x @param {number} y
 * @param {Emsim.Moving} p */
function drawSearch(m, ctx, x, y, p) {
  const r = Math.max(m.dot * 2.1, m.fine ? 10 : 2.4);
  line(ctx, x, y - r, x + r, y, x, y + r, x - r, y, x, y - r);
  fill(ctx, "dot");
  stroke(ctx, "paper", 1.2);
  if (!m.fine) return;
  type(ctx, Math.max(11, r), "bold", "middle");
  write(ctx, p.load.toString(16).toUpperCase(), x, y + 0.5, "center", "paper");
}
