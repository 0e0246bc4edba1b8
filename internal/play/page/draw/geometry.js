// Where everything of the machine stands, as in the paper's figure 1: groups are rows, members
// columns; the links of the last column lead to the first, which stands at the right again,
// pale. The many groups of a large machine stand in several blocks, side by side. Packets are
// where they are at their clock: on a link, before a switch, or at the PE that made them.

import {number, weave, wovenCorner, wovenLink} from "./circuits.js";
import {scale} from "./pen.js";

const ghost = 0.66; // distance of the pale column from the last one, in those of two columns

export class Geometry {
  /** @type {Emsim.Network} */ net = null;
  /** @type {Measures} */ g = null;
  woven = false; // rows are groups and columns reverse circuits: circuits.js
  /** @type {number[]} */ circuit = []; // of every PE
  /** @type {Point[]} */ from = []; // the PE before each input
  dot = 1; // half a packet, in pixels

  /** connect begins with another network. @param {Emsim.Network} net */
  connect(net) {
    this.net = net;
    this.from = net.next.map(() => /** @type {Point} */ ([0, 0]));
    this.circuit = number(net);
    net.next.forEach((to, i) => to.forEach((j, port) => { this.from[j][port] = i; }));
  }

  /** @param {number} i */
  address(i) { return `[${Math.floor(i / this.net.members)},${i % this.net.members}]`; }

  /** number is the number of a PE. @param {string} address */
  number(address) {
    const [g, c] = JSON.parse(address);
    return g * this.net.members + c;
  }

  /** geometry measures the picture for a canvas of a size: with as many blocks as make the
   * PEs large, but rather one, as in the paper. @param {number} w @param {number} h
   * @returns {Measures} */
  geometry(w, h) {
    const {groups, members} = this.net, bottom = 8;
    if (this.woven) return weave(this.net, w, h);
    let best = null;
    const top = 26 * scale();
    for (let blocks = 1; blocks <= (groups > 16 ? groups : 1); blocks *= 2) {
      const rows = groups / blocks, wide = w / blocks;
      const left = [25 + 15 * scale(), 34][blocks - 1] ?? 10; // numbers, and what is spilled
      const right = blocks < 3 ? 10 : 4, again = blocks < 3 ? 0.36 : 0.1;
      const pitchX = (wide - left - right) / (members - 1 + ghost + again);
      const pitchY = (h - top - bottom) / rows, box = Math.min(pitchX * 0.5, 230);
      const most = Math.min(box * (box < 22 ? 0.8 : 0.5), rows <= 4 ? 78 : 44);
      const tall = Math.min(pitchY * 0.72, most), worth = Math.min(box, 2 * tall);
      if (best && worth <= 1.25 * best.worth) continue;
      const high = Math.min(pitchY, Math.max(tall * 2.6, 14));
      best = {worth, rows, wide, left, right, top, pitchX, pitchY: high, box, tall,
        again: pitchX * again};
    }
    return best;
  }

  /** @param {number} i @returns {Point} */
  corner(i) {
    if (this.woven) return wovenCorner(this, i);
    const {rows, wide, left, top, pitchX, pitchY, tall} = this.g, m = this.net.members;
    const group = Math.floor(i / m), x = Math.floor(group / rows) * wide + left + (i % m) * pitchX;
    return [x, top + (group % rows) * pitchY + (pitchY - tall) / 2];
  }

  /** link returns the four points of the curve from a PE by an output.
   * @param {number} i @param {number} port @returns {Curve} */
  link(i, port) {
    if (this.woven) return wovenLink(this, i, port);
    const {box, tall} = this.g, [x, y] = this.corner(i), m = this.net.members;
    const [toX, toY] = this.corner(this.net.next[i][port]), high = tall * (port ? 0.68 : 0.32);
    const x1 = x + box, x2 = i % m === m - 1 ? this.again(i) : toX, bend = (x2 - x1) * 0.45;
    const y1 = y + high, y2 = toY + high;
    return [x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2];
  }

  /** again is where the first PE of a row stands a second time. @param {number} i of its last */
  again(i) { return this.corner(i)[0] + this.g.pitchX * ghost; }

  /** onLink returns where a packet on a link is, or was some clocks ago: it never waits there.
   * @param {Emsim.Moving} p @returns {Point} */
  onLink(p, ago = 0) {
    const t = Math.max(0, 1 - (p.left + ago) / (this.net.hop_clocks + 0.5));
    return along(this.link(this.from[p.pe][p.in], p.in), t);
  }

  /** place returns where a packet is drawn, on a link where it was some clocks ago. seen counts
   * the packets at a place. @param {Emsim.Moving} p @param {Map<string, number>} seen
   * @param {number} ago @returns {Point} */
  place(p, seen, ago) {
    const {box, tall} = this.g, [x, y] = this.corner(p.pe), size = this.dot;
    if (onLink(p)) return this.onLink(p, ago);
    if (p.in < 2) {
      const key = `${p.pe}.${p.in}`, n = seen.get(key) ?? 0;
      seen.set(key, n + 1);
      return [x - size * 1.1 - n * size * 1.7, y + tall * (p.in ? 0.68 : 0.32)];
    }
    if (p.in === 2) return [x + box - size * 0.2, y + tall * 0.5];
    return [x - size * 0.3, y + tall * 0.5];
  }

  /** circuits are the links of the group and of the reverse circuit of a PE, where its searches
   * and its ring calls go: two numbers a PE and one for the output. @param {number} pe */
  circuits(pe) {
    const links = new Set(), {next} = this.net;
    for (const port of [0, 1]) {
      for (let i = pe; !links.has(i * 2 + port); i = next[i][port]) links.add(i * 2 + port);
    }
    return links;
  }
}

/** onLink is whether a packet is on a link. @param {Emsim.Moving} p */
export const onLink = p => p.in < 2 && p.left > 0;

/** along returns the point of a curve at a part 0..1 of its way.
 * @param {Curve} curve @param {number} t @returns {Point} */
function along([x0, y0, x1, y1, x2, y2, x3, y3], t) {
  const s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
  return [a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3];
}
