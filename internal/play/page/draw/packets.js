// Packets: dots on their links, rings where they wait, diamonds that search.
import {onLink} from "./geometry.js";
import {box, disc, fill, line, stroke, type, write} from "./pen.js";

/** drawPackets draws all of a machine, and remembers where; of a large one that which is followed.
 * @param {Drawing} m @param {Pen} ctx */
export function drawPackets(m, ctx) {
  const seen = new Map(), size = m.dot, ago = 1 - m.part;
  m.spots = [];
  for (const p of m.frame.packets) {
    if (m.lens && p.id !== m.run.packet) continue;
    const [x, y] = m.place(p, seen, ago);
    m.spots.push([x, y, p]);
    if (ago > 0 && onLink(p)) drawTail(m, ctx, p, ago);
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

/** drawTail draws where a packet was shortly before. @param {Drawing} m @param {Pen} ctx
 * @param {Emsim.Moving} p @param {number} ago */
function drawTail(m, ctx, p, ago) {
  line(ctx, ...[0, 0.25, 0.5, 0.75].flatMap(more => m.onLink(p, ago + more)));
  ctx.globalAlpha = 0.35;
  stroke(ctx, "dot", m.dot);
  ctx.globalAlpha = 1;
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
