// The machine as its circuits: a row is a group, a column a reverse circuit, and a PE stands
// where its two cross. Searches and ring calls go down a column.
import {line, scale, stroke, type, write} from "./pen.js";

export const most = 80; // PEs that have room for their addresses

/** number returns the number of every PE's reverse circuit: that of the group whose first
 * member lies on it. @param {Emsim.Network} net */
export function number({groups, members, next}) {
  const circuit = next.map(() => -1);
  for (let g = 0; g < groups; g++) {
    for (let i = g * members; circuit[i] < 0; i = next[i][1]) circuit[i] = g;
  }
  return circuit;
}

/** weave measures the picture for a canvas of a size. @param {Emsim.Network} net
 * @param {number} w @param {number} h @returns {Measures} */
export function weave({groups: rows}, w, h) {
  const left = (w < 700 ? 26 : 64) * scale(), top = 30 * scale(), right = 10;
  const pitchX = (w - left - right) / rows, pitchY = (h - top - 8) / rows;
  return {rows, wide: w, left, right, top, pitchX, pitchY, again: 0, worth: 0,
    box: Math.min(pitchX * (pitchX < 50 ? 0.86 : 0.76), 124), tall: Math.min(pitchY * 0.64, 84)};
}

/** wovenCorner returns the upper left corner of a PE. @param {Geometry} m @param {number} i
 * @returns {Point} */
export function wovenCorner({circuit, net, g: {left, top, pitchX, pitchY, box, tall}}, i) {
  const x = left + circuit[i] * pitchX, y = top + Math.floor(i / net.members) * pitchY;
  return [x + (pitchX - box) / 2, y + (pitchY - tall) / 2];
}

/** bulge returns how far a link bends aside, in distances of PEs: little to the next PE.
 * @param {number} far its length, in distances of PEs */
const bulge = far => Math.sign(far) * (Math.abs(far) < 1.5 ? 0.15 : 0.58);

/** wovenLink returns the curve from a PE by an output: along its row, or in its column, past the
 * PEs between. @param {Geometry} m @param {number} i @param {number} port @returns {Curve} */
export function wovenLink(m, i, port) {
  const {box, tall, pitchX, pitchY} = m.g, [x, y] = wovenCorner(m, i);
  const [toX, toY] = wovenCorner(m, m.net.next[i][port]);
  if (port) {
    const down = toY > y, y1 = down ? y + tall : y, y2 = down ? toY : toY + tall;
    const bend = bulge((toY - y) / pitchY) * pitchX;
    const middle = x + box / 2, by = (y2 - y1) * 0.2, far = middle + bend;
    return [middle, y1, far, y1 + by, far, y2 - by, middle, y2];
  }
  const right = toX > x, x1 = right ? x + box : x, x2 = right ? toX : toX + box;
  const half = y + tall / 2, beside = (x2 - x1) * 0.2;
  const high = half - bulge((toX - x) / pitchX) * pitchY;
  return [x1, half, x1 + beside, high, x2 - beside, high, x2, half];
}

/** drawCircuits draws groups and reverse circuits as lines, the chosen PE's two in rose, and their
 * names. @param {Drawing} m @param {Pen} ctx */
export function drawCircuits(m, ctx) {
  const {net: {groups, members}, circuit, g: {box, tall, pitchX, pitchY, left}} = m;
  const mine = [Math.floor(m.pe / members), circuit[m.pe]];
  for (let n = 0; n < groups; n++) for (const port of [0, 1]) {
    const on = circuit.map((_, i) => i)
      .filter(i => (port ? circuit[i] : Math.floor(i / members)) === n);
    const ends = on.map(i => m.corner(i)), here = m.opened && mine[port] === n;
    const middle = ends.map(([x, y]) => [x + box / 2, y + tall / 2]);
    const [a, b] = [Math.min, Math.max].map(f => [0, 1].map(k => f(...middle.map(p => p[k]))));
    line(ctx, ...a, ...b);
    stroke(ctx, here ? "here" : "link", here ? 2 : 1, here && port ? [5, 4] : []);
    type(ctx, 12, here ? "bold" : "", "middle");
    const ink = here ? "here" : "faint", near = Math.abs(n - mine[port]);
    const every = Math.ceil(port ? (ctx.measureText("00").width + 4) / pitchX : 14 / pitchY);
    if (!here && (n % every || m.opened && near < every)) continue; // it would touch another one
    if (port) write(ctx, pitchX < 90 ? `${n}` : `circuit ${n}`, a[0], m.g.top - 15, "center", ink);
    else write(ctx, left < 60 ? `${n}` : `group ${n}`, left - 6, a[1], "right", ink);
  }
}
