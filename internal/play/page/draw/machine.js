// The picture of the machine: links, PEs with their states and queues, packets. Packets are dots on
// their links, rings where they wait, diamonds that search.
import {room} from "./callouts.js";
import {Geometry, onLink} from "./geometry.js";
import {drawLens, drawMap, many, place} from "./large.js";
import {states} from "./pen.js";

// pixels of a PE that says its state and shows its FIFO's packets
const roomy = {w: 104, h: 44};
export const glowing = 400; // milliseconds for which a link glows when its packet has left it

export class Picture extends Geometry {
  pe = 0;
  /** @type {import("./callouts.js").Callouts} of the first sight */ callouts = null;
  mode = "state";
  /** @type {Set<number>} */ stopped = new Set(); // that have come to a stop
  /** @type {(pe: number) => boolean} */ differs = null; // from that of the other run
  /** @type {number[]} */ called = null; // of all PEs, by the chosen one
  /** @type {Lens} of a large machine */ lens = null;
  near = 0; // the PE whose groups it shows
  zoom = 1;
  x = 0;
  y = 0;
  part = 1; // of the way of packets since the clock before
  /** @type {Map<number, number>} links that glow: when a packet was on them */ glow = new Map();
  /** @type {[number, number, Emsim.Moving][]} */ spots = []; // where packets are
  /** @type {Pen} */ pen = null;

  constructor(/** @type {Shows} */ run) {
    super();
    this.run = run;
  }

  get frame() { return this.run.frame; }

  // opened is whether the chosen PE is marked.
  get opened() { return this.run.opened !== null; }

  // scaled are the pictures that have one scale of amounts with this one.
  get scaled() { return [/** @type {Picture} */ (this)]; }

  paint(/** @type {Pen} */ pen) {
    const {ctx, w, h} = this.pen = pen, large = this.net?.next.length >= many;
    if (!this.net || !this.frame || w < 40 || h < 40) return;
    this.stopped = new Set(this.run.stops.flatMap(s => s.pes));
    const aside = this.callouts ? room(w) : 0, n = this.frame.state.length;
    Object.assign(this, {lens: null,
      ...large ? place(this.net, w, h) : {g: this.geometry(w - aside, h, pen.scale)}});
    this.dot = Math.max(1.6, Math.min(7, this.g.tall * 0.16));
    this.fine = this.g.tall * this.zoom >= 11 && this.g.box * this.zoom >= (large ? 40 : 22);
    if (this.mode !== "state") this.scaleOf = this.measure();
    ctx.save();
    ctx.translate(this.x, this.y);
    ctx.scale(this.zoom, this.zoom);
    if (this.woven) this.drawCircuits();
    if (!large) this.drawLinks();
    if (this.fine && !this.woven && !large) this.drawHeads();
    for (let i = 0; i < n; i++) this.drawPE(i);
    for (let i = 0; i < n; i++) this.drawMarks(i);
    if (large) drawMap(this);
    this.drawPackets(large);
    ctx.restore();
    if (this.lens) drawLens(this);
    if (aside) this.callouts.draw(this, w - aside + 14, aside - 20);
  }

  /** spot is the place of a PE. @param {number} i @returns {Spot} */
  spot(i) {
    const [x, y] = this.corner(i), {box: w, tall: h} = this.g;
    return {x, y, w, h};
  }

  drawHeads() {
    const {box, tall, pitchX, rows, wide, right, again, left, top} = this.g, {pen} = this;
    const {groups, members} = this.net;
    pen.type(12, "", "alphabetic");
    for (let g = 0; g < groups; g += rows) {
      for (let c = 0; c < members; c++) {
        const name = pitchX < 90 * pen.scale ? `${c}` : `member ${c}`;
        pen.write(name, this.corner(g * members + c)[0] + box / 2, top - 11, "center", "faint");
      }
      const x = this.again(g * members + members - 1);
      const first = pitchX < 110 * pen.scale ? "0" : "0 again";
      if (right >= 10 && again > 20) pen.write(first, x, top - 11, "left", "faint");
    }
    if (right < 10) return; // blocks without room for labels
    pen.type(12, "", "middle");
    for (let g = 0; g < groups; g++) {
      const i = g * members + members - 1, [, y] = this.corner(i), x = this.again(i);
      const middle = y + tall / 2 + 0.5;
      // What is spilled stands between it and the PE.
      pen.write(`${g}`, Math.floor(g / rows) * wide + left - 25, middle, "right", "faint");
      this.round({x, y, w: again, h: tall}).fill(this.fill(g * members)[0], 0.4).stroke("line");
      if (again > 30) pen.write(`${g},0`, x + again / 2, middle, "center", "faint");
    }
  }

  // drawCircuits draws groups and reverse circuits as lines, the chosen PE's two in rose, and their
  // names.
  drawCircuits() {
    const {net: {groups, members}, circuit, pen, g: {box, tall, pitchX, pitchY, left, top}} = this;
    const mine = [Math.floor(this.pe / members), circuit[this.pe]];
    for (let n = 0; n < groups; n++) for (const port of [0, 1]) {
      const ends = circuit.map((_, i) => i)
        .filter(i => (port ? circuit[i] : Math.floor(i / members)) === n).map(i => this.corner(i));
      const here = this.opened && mine[port] === n, near = Math.abs(n - mine[port]);
      const [a, b] = [Math.min, Math.max].map(f =>
        [f(...ends.map(p => p[0])) + box / 2, f(...ends.map(p => p[1])) + tall / 2]);
      pen.line(...a, ...b)
        .stroke(here ? "here" : "link", here ? 2 : 1, here && port ? [5, 4] : []);
      pen.type(12, here ? "bold" : "", "middle");
      const every = Math.ceil(port ? (pen.wide("00") + 4) / pitchX : 14 / pitchY);
      if (!here && (n % every || this.opened && near < every)) continue; // it would touch another
      const ink = here ? "here" : "faint";
      if (port) pen.write(pitchX < 90 ? `${n}` : `circuit ${n}`, a[0], top - 15, "center", ink);
      else pen.write(left < 60 ? `${n}` : `group ${n}`, left - 6, a[1], "right", ink);
    }
  }

  drawLinks() {
    const busy = new Map(), n = this.frame.state.length, {next} = this.net, {pen} = this;
    const now = performance.now();
    for (const p of this.frame.packets) if (onLink(p)) {
      const key = this.from[p.pe][p.in] * 2 + p.in;
      busy.set(key, p.kind === "mlpe" ? "mlpe" : busy.get(key) ?? "data");
    }
    const circle = new Set(this.frame.circle ?? []), here = this.circuits(this.pe);
    for (let i = 0; i < n; i++) for (const port of [0, 1]) {
      const kind = busy.get(i * 2 + port), hot = circle.has(i) && circle.has(next[i][port]);
      const mine = this.opened && here.has(i * 2 + port);
      const glows = now - this.glow.get(i * 2 + port) < glowing;
      if (!hot && !kind && (!this.fine || this.woven && !glows)) continue; // at rest they are lines
      const l = this.link(i, port), plain = kind ? this.fine ? "ink" : "faint"
        : glows ? "edge" : "link";
      pen.line(l[0], l[1]).ctx.bezierCurveTo(l[2], l[3], l[4], l[5], l[6], l[7]);
      pen.stroke(hot ? "failed" : mine ? "here" : plain,
        hot ? 2.4 : !this.fine ? 0.5 : kind || glows ? 1.7 : mine ? 1.4 : 1,
        port && mine && !kind ? [4, 3] : []);
    }
  }

  // measure returns what the colours show, if not the state: a number of every PE, and
  // the one with the strongest colour.
  measure() {
    const all = this.scaled.flatMap(m => m.numbers());
    return {list: this.numbers(), most: this.mode === "load" ? 15 : Math.max(1, ...all)};
  }

  /** @returns {number[]} */
  numbers() {
    const {load, operands, calls, fifo: queue, mib} = this.frame;
    const fifo = queue.map((n, i) => n + mib[i]), policy = this.called ?? queue.map(() => 0);
    return {load, operands, calls, fifo, policy}[this.mode];
  }

  /** fill returns colour and ink of a PE, and the number that it shows.
   * @param {number} i @returns {[string, string, number?]} */
  fill(i) {
    const state = this.frame.state[i], {ink} = states[state];
    if (this.mode === "state" || state === "!") return [ink, "on-" + ink];
    const {list, most} = this.scaleOf;
    return [...this.pen.mixed("runs", "idle", Math.sqrt(list[i] / most)), list[i]];
  }

  /** drawPE draws a PE: at its place in the picture, or elsewhere with another name.
   * @param {number} i @param {Spot} at */
  drawPE(i, at = this.spot(i), name = this.address(i).slice(1, -1), fine = this.fine) {
    const {x, y, h} = at, state = this.frame.state[i], [under, ink, value] = this.fill(i);
    if (fine) this.drawSpilled(i, at);
    const waits = fine && value === undefined && state === "o", round = this.round(at).fill(under);
    if (waits || fine && (value !== undefined || state === ".")) {
      round.stroke(waits ? "edge" : "line");
    }
    if (waits) round.hatch("edge", at);
    if (this.differs?.(i)) {
      const size = Math.min(h, Math.max(5, h * 0.4));
      this.pen.line(x - 1, y - 1, x + size, y - 1, x - 1, y + size).fill("ink").stroke("paper");
    }
    if (fine) this.drawWords(i, at, name, ink, value);
  }

  /** drawMarks draws what stands around a PE: that it waits in a circle, has come to a stop, or is
   * the chosen one. They come after all PEs, as neighbours would cover them.
   * @param {number} i @param {Spot} at */
  drawMarks(i, at = this.spot(i)) {
    const {circle} = this.frame;
    if (circle?.includes(i)) this.round(at, 2).stroke("failed", 4, [7, 4]);
    if (!this.stopped.has(i) && !(i === this.pe && this.opened)) return;
    this.round(at, circle ? 6 : 3.5).stroke("here", 2.5, i === this.pe ? [] : [7, 4]);
  }

  /** drawWords draws the name of a PE, its state or the number that it shows, and its FIFO.
   * @param {number} i @param {Spot} at @param {string} name @param {string} ink
   * @param {number} [value] */
  drawWords(i, {x, y, w, h}, name, ink, value) {
    const {state, fifo} = this.frame, {fifo_words: most} = this.net, {pen} = this;
    const large = w >= roomy.w && h >= roomy.h, full = Math.min(1, fifo[i] / most);
    const low = !large && h > 15 && full > 0, weight = ".o".includes(state[i]) ? "" : "bold";
    pen.type(Math.max(11, Math.min(16, h * 0.44)), weight, "middle");
    const middle = large ? y + h * 0.34 : y + h / 2 - (low ? h * 0.06 : 0) + 0.5;
    const shown = value !== undefined && w < 60 ? String(value) : name;
    if (pen.wide(shown) > w - 4) pen.type(11);
    const width = pen.wide(shown), left = x + Math.min(8, (w - width) / 2);
    if (width < w - 1) pen.write(shown, left, middle, "left", ink);
    pen.type(13);
    const said = value === undefined ? large && states[state[i]].word : w >= 60 && String(value);
    // A wide font may leave no room for both.
    if (said && pen.wide(said) + width < w - 22) pen.write(said, x + w - 8, middle, "right", ink);
    if (large) {
      const all = Math.max(1, most / 2), each = (w - 14) / all, there = Math.round(full * all);
      for (let k = 0; k < all; k++) {
        const alpha = k < there ? 0.95 : 0.16;
        pen.bar(ink, x + 7 + k * each, y + h - 19, Math.max(0.5, each - 1.6), 12, alpha);
      }
    } else if (low) {
      const high = Math.max(2.4, h * 0.12), foot = y + h - high - 2.5, wide = w - 8;
      pen.bar(ink, x + 4, foot, wide, high, 0.22);
      pen.bar(ink, x + 4, foot, Math.max(high, wide * full), high, 0.95);
    }
  }

  /** drawSpilled draws what a PE has in its memory: it stands outside at its left, a stroke for
   * every part of a FIFO. @param {number} i @param {Spot} at */
  drawSpilled(i, {x, y, h}) {
    const part = Math.min(1, this.frame.mib[i] / this.net.fifo_words);
    const free = this.woven ? (this.g.pitchX - this.g.box) / 3.7 : this.lens ? 2 : 6;
    for (let k = 0; k < Math.max(1, Math.min(6, free)) * part; k++) {
      this.pen.bar("spills", x - 4 - k * 3.7, y + h * 0.18, 2.6, h * 0.64);
    }
  }

  // drawPackets draws all packets, and remembers where; of a large machine one that is followed.
  drawPackets(/** @type {boolean} */ large) {
    const seen = new Map(), size = this.dot, ago = 1 - this.part, {pen} = this;
    this.spots = [];
    for (const p of this.frame.packets) {
      if (large && p.id !== this.run.packet) continue;
      const [x, y] = this.place(p, seen, ago);
      this.spots.push([x, y, p]);
      if (ago > 0 && onLink(p)) { // a tail where it was shortly before
        pen.ctx.globalAlpha = 0.35;
        pen.line(...[0, 0.25, 0.5, 0.75].flatMap(more => this.onLink(p, ago + more)));
        pen.stroke("dot", size).ctx.globalAlpha = 1;
      }
      if (p.kind === "mlpe") this.drawSearch(x, y, p.load);
      else { // one that waits is a ring
        if (p.kind === "host") pen.box(x - size, y - size, 2 * size, 2 * size);
        else pen.disc(x, y, size);
        pen.fill(p.wait ? "paper" : "dot")
          .stroke(p.wait ? "dot" : "paper", p.wait ? Math.max(1.6, size * 0.4) : 1.2);
      }
      if (p.id === this.run.packet) pen.disc(x, y, size * 2.2 + 3).stroke("here", 2);
    }
  }

  /** drawSearch draws an MLPE packet, a diamond with the least load so far.
   * @param {number} x @param {number} y @param {number} load */
  drawSearch(x, y, load) {
    const r = Math.max(this.dot * 2.1, this.fine ? 10 : 2.4), {pen} = this;
    pen.line(x, y - r, x + r, y, x, y + r, x - r, y, x, y - r).fill("dot").stroke("paper", 1.2);
    if (!this.fine) return;
    pen.type(Math.max(11, r), "bold", "middle");
    pen.write(load.toString(16).toUpperCase(), x, y + 0.5, "center", "paper");
  }

  /** round makes the path of a PE's frame, or of one around it. @param {Spot} at */
  round({x, y, w, h}, off = 0) {
    const corners = Math.min(6, h / 5) + off;
    return this.pen.box(x - off, y - off, w + 2 * off, h + 2 * off, corners);
  }
}
