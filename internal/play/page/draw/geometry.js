// Where everything of the machine stands, as in the paper's figure 1: groups are rows, members
// columns; the links of the last column lead to the first, which stands at the right again,
// pale. The many groups of a large machine stand in several blocks, side by side. Packets are
// where they are at their clock: on a link, before a switch, or at the PE that made them.
// Woven, a row is a group, a column a reverse circuit, and a PE stands where its two cross.

export const most = 80; // PEs whose circuits have room for their addresses
const ghost = 0.66; // distance of the pale column from the last one, in those of two columns

export class Geometry {
  /** @type {Emsim.Network} */ net = null;
  /** @type {Measures} */ g = null;
  woven = false;
  /** @type {number[]} */ circuit = []; // the reverse circuit of every PE
  /** @type {Point[]} */ from = []; // the PE before each input
  dot = 1; // half a packet, in pixels

  /** connect begins with another network. A reverse circuit has the number of the group whose first
   * member lies on it. @param {Emsim.Network} net */
  connect(net) {
    const {groups, members, next} = this.net = net;
    this.from = next.map(() => /** @type {Point} */ ([0, 0]));
    next.forEach((to, i) => to.forEach((j, port) => { this.from[j][port] = i; }));
    this.circuit = next.map(() => -1);
    for (let g = 0; g < groups; g++) {
      for (let i = g * members; this.circuit[i] < 0; i = next[i][1]) this.circuit[i] = g;
    }
  }

  address(/** @type {number} */ i) {
    return `[${Math.floor(i / this.net.members)},${i % this.net.members}]`;
  }

  /** number is the number of a PE. @param {string} address */
  number(address) {
    const [g, c] = JSON.parse(address);
    return g * this.net.members + c;
  }

  /** geometry measures the picture for a canvas of a size: with as many blocks as make the
   * PEs large, but rather one, as in the paper. @param {number} w @param {number} h
   * @returns {Measures} */
  geometry(w, h, scale = 1) {
    const {groups, members} = this.net, bottom = 8;
    if (this.woven) return this.weave(w, h, scale);
    let best = null;
    const top = 26 * scale;
    for (let blocks = 1; blocks <= (groups > 16 ? groups : 1); blocks *= 2) {
      const rows = groups / blocks, wide = w / blocks;
      const left = [25 + 15 * scale, 34][blocks - 1] ?? 10; // numbers, and what is spilled
      const right = blocks < 3 ? 10 : 4, again = blocks < 3 ? 0.36 : 0.1;
      const pitchX = (wide - left - right) / (members - 1 + ghost + again);
      const pitchY = (h - top - bottom) / rows, box = Math.min(pitchX * 0.5, 230);
      const limit = Math.min(box * (box < 22 ? 0.8 : 0.5), rows <= 4 ? 78 : 44);
      const tall = Math.min(pitchY * 0.72, limit), worth = Math.min(box, 2 * tall);
      if (best && worth <= 1.25 * best.worth) continue;
      const high = Math.min(pitchY, Math.max(tall * 2.6, 14));
      best = {worth, rows, wide, left, right, top, pitchX, pitchY: high, box, tall,
        again: pitchX * again};
    }
    return best;
  }

  /** @param {number} w @param {number} h @param {number} scale @returns {Measures} */
  weave(w, h, scale) {
    const rows = this.net.groups, left = (w < 700 ? 26 : 64) * scale, top = 30 * scale, right = 10;
    const pitchX = (w - left - right) / rows, pitchY = (h - top - 8) / rows;
    return {rows, wide: w, left, right, top, pitchX, pitchY, again: 0, worth: 0,
      box: Math.min(pitchX * (pitchX < 50 ? 0.86 : 0.76), 124), tall: Math.min(pitchY * 0.64, 84)};
  }

  /** corner returns the upper left corner of a PE. @param {number} i @returns {Point} */
  corner(i) {
    const {rows, wide, left, top, pitchX, pitchY, box, tall} = this.g, m = this.net.members;
    const group = Math.floor(i / m), y = top + (group % rows) * pitchY + (pitchY - tall) / 2;
    return [this.woven ? left + this.circuit[i] * pitchX + (pitchX - box) / 2
      : Math.floor(group / rows) * wide + left + (i % m) * pitchX, y];
  }

  /** link returns the four points of the curve from a PE by an output.
   * @param {number} i @param {number} port @returns {Curve} */
  link(i, port) {
    if (this.woven) return this.wovenLink(i, port);
    const {box, tall} = this.g, [x, y] = this.corner(i), m = this.net.members;
    const [toX, toY] = this.corner(this.net.next[i][port]), high = tall * (port ? 0.68 : 0.32);
    const x1 = x + box, x2 = i % m === m - 1 ? this.again(i) : toX, bend = (x2 - x1) * 0.45;
    const y1 = y + high, y2 = toY + high;
    return [x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2];
  }

  /** wovenLink returns the curve along a row, or in a column, past the PEs between.
   * @param {number} i @param {number} port @returns {Curve} */
  wovenLink(i, port) {
    const {box, tall, pitchX, pitchY} = this.g, [x, y] = this.corner(i);
    const [toX, toY] = this.corner(this.net.next[i][port]);
    // how far it bends aside, in distances of PEs: little to the next PE
    const bulge = (/** @type {number} */ by) => Math.sign(by) * (Math.abs(by) < 1.5 ? 0.15 : 0.58);
    if (port) {
      const down = toY > y, y1 = down ? y + tall : y, y2 = down ? toY : toY + tall;
      const middle = x + box / 2, along = (y2 - y1) * 0.2;
      const far = middle + bulge((toY - y) / pitchY) * pitchX;
      return [middle, y1, far, y1 + along, far, y2 - along, middle, y2];
    }
    const right = toX > x, x1 = right ? x + box : x, x2 = right ? toX : toX + box;
    const half = y + tall / 2, beside = (x2 - x1) * 0.2;
    const high = half - bulge((toX - x) / pitchX) * pitchY;
    return [x1, half, x1 + beside, high, x2 - beside, high, x2, half];
  }

  /** again is where the first PE of a row stands a second time. @param {number} i of its last */
  again(i) { return this.corner(i)[0] + this.g.pitchX * ghost; }

  /** onLink returns where a packet on a link is, or was some clocks ago: it never waits there.
   * @param {Emsim.Moving} p @returns {Point} */
  onLink(p, ago = 0) {
    const t = Math.max(0, 1 - (p.left + ago) / (this.net.hop_clocks + 0.5)), s = 1 - t;
    const [x0, y0, x1, y1, x2, y2, x3, y3] = this.link(this.from[p.pe][p.in], p.in);
    const a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    return [a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3];
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
    return [p.in === 2 ? x + box - size * 0.2 : x - size * 0.3, y + tall * 0.5];
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
