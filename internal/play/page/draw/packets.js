// Packets: dots on their links, rings where they wait, diamonds that search.
import {colour, type, write} from "../util.js";

/** drawPackets draws all of a machine, and remembers where; of a large one that which is followed.
 * @param {import("./machine.js").Picture} m @param {CanvasRenderingContext2D} ctx */
export function drawPackets(m, ctx) {
  const seen = new Map(), size = m.dot;
  m.spots = [];
  for (const p of m.frame.packets) {
    if (m.lens && p.id !== m.followed) continue;
    let [x, y] = m.place(p, seen);
    const was = m.before.get(p.id);
    if (was && m.part < 1 && Math.abs(was[0] - x) < m.g.pitchX * 1.2) {
      x = was[0] + (x - was[0]) * m.part;
      y = was[1] + (y - was[1]) * m.part;
    }
    m.spots.push([x, y, p]);
    ctx.beginPath();
    ctx.lineWidth = 1.2;
    ctx.strokeStyle = colour("paper");
    if (p.kind === "mlpe") drawSearch(m, ctx, x, y, p);
    else {
      if (p.kind === "host") ctx.rect(x - size, y - size, 2 * size, 2 * size);
      else ctx.arc(x, y, size, 0, 7);
      ctx.fillStyle = colour(p.wait ? "paper" : "dot");
      ctx.fill();
      if (p.wait) { // a ring
        ctx.strokeStyle = colour("dot");
        ctx.lineWidth = Math.max(1.6, size * 0.4);
      }
      ctx.stroke();
    }
    if (p.id !== m.followed) continue;
    ctx.beginPath();
    ctx.arc(x, y, size * 2.2 + 3, 0, 7);
    ctx.strokeStyle = colour("here");
    ctx.lineWidth = 2;
    ctx.stroke();
  }
}

/** drawSearch draws an MLPE packet, a diamond with the least load so far.
 * @param {import("./machine.js").Picture} m @param {CanvasRenderingContext2D} ctx
 * @param {number} x @param {number} y @param {Emsim.Moving} p */
function drawSearch(m, ctx, x, y, p) {
  const r = Math.max(m.dot * 2.1, m.fine ? 10 : 2.4);
  for (const [a, b] of [[0, -r], [r, 0], [0, r], [-r, 0]]) ctx.lineTo(x + a, y + b);
  ctx.closePath();
  ctx.fillStyle = colour("dot");
  ctx.fill();
  ctx.stroke();
  if (!m.fine) return;
  type(ctx, Math.max(11, r), "bold");
  ctx.textBaseline = "middle";
  write(ctx, p.load.toString(16).toUpperCase(), x, y + 0.5, "center", colour("paper"));
}
