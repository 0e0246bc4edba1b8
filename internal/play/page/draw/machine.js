// The picture of the machine, on a canvas: links, PEs with their states and queues, packets.
import {page} from "../state/page.js";
import {states} from "./appearance.js";
import {room} from "./callouts.js";
import {drawCircuits} from "./circuits.js";
import {Geometry, onLink} from "./geometry.js";
import {drawLens, drawMap, many, place} from "./large.js";
import {drawPackets} from "./packets.js";
import {
  bar, box as path, fill, fit, hatch, line, mixed, scale, stroke, type, write,
} from "./pen.js";

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
  w = 0; // its width and height
  h = 0;
  x = 0;
  y = 0;
  part = 1; // of the way of packets since the clock before
  /** @type {Map<number, number>} links that glow: when a packet was on them */ glow = new Map();
  /** @type {[number, number, Emsim.Moving][]} */ spots = []; // where packets are

  /** @param {HTMLCanvasElement} canvas @param {Run} run */
  constructor(canvas, run) {
    super();
    this.canvas = canvas;
    this.run = run;
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  get frame() { return this.run.frame; }

  // opened is whether the chosen PE is marked.
  get opened() { return this.run.opened !== null; }

  draw() {
    const {ctx, w, h} = fit(this.canvas);
    const large = this.net?.next.length >= many;
    if (!this.net || !this.frame || w < 40 || h < (large ? 220 : 40)) return;
    this.stopped = new Set(this.run.stops.flatMap(s => s.pes));
    const aside = this.callouts ? room(w) : 0;
    Object.assign(this, {w, h, lens: null,
      ...large ? place(this.net, w, h) : {g: this.geometry(w - aside, h)}});
    this.dot = Math.max(1.6, Math.min(7, this.g.tall * 0.16));
    ctx.save();
    ctx.translate(this.x, this.y);
    ctx.scale(this.zoom, this.zoom);
    this.fine = this.g.tall * this.zoom >= 11 && this.g.box * this.zoom >= (large ? 40 : 22);
    if (this.woven) drawCircuits(this, ctx);
    if (!large) this.drawLinks(ctx);
    const n = this.frame.state.length;
    if (this.mode !== "state") this.scaleOf = this.measure();
    if (this.fine && !this.woven && !large) this.drawHeads(ctx);
    for (let i = 0; i < n; i++) this.drawPE(ctx, i);
    for (let i = 0; i < n; i++) this.drawMarks(ctx, i);
    if (large) drawMap(this, ctx);
    drawPackets(this, ctx);
    ctx.restore();
    if (large) drawLens(this, ctx);
    if (aside) this.callouts.draw(ctx, this, w - aside + 14, aside - 20, h);
  }

  /** spot is the place of a PE. @param {number} i @returns {Spot} */
  spot(i) {
    const [x, y] = this.corner(i), {box: w, tall: h} = this.g;
    return {x, y, w, h};
  }

  /** @param {Pen} ctx */
  drawHeads(ctx) {
    const {box, tall, pitchX, rows, wide, right, again, left, top} = this.g;
    const {groups, members} = this.net;
    type(ctx, 12, "", "alphabetic");
    for (let g = 0; g < groups; g += rows) {
      for (let c = 0; c < members; c++) {
        const name = pitchX < 90 * scale() ? `${c}` : `member ${c}`;
        write(ctx, name, this.corner(g * members + c)[0] + box / 2, top - 11, "center", "faint");
      }
      const x = this.again(g * members + members - 1);
      const first = pitchX < 110 * scale() ? "0" : "0 again";
      if (right >= 10 && again > 20) write(ctx, first, x, top - 11, "left", "faint");
    }
    if (right < 10) return; // blocks without room for labels
    type(ctx, 12, "", "middle");
    for (let g = 0; g < groups; g++) {
      const i = g * members + members - 1, [, y] = this.corner(i), x = this.again(i);
      const middle = y + tall / 2 + 0.5;
      // What is spilled stands between it and the PE.
      write(ctx, `${g}`, Math.floor(g / rows) * wide + left - 25, middle, "right", "faint");
      ctx.globalAlpha = 0.4;
      round(ctx, {x, y, w: again, h: tall});
      fill(ctx, this.fill(g * members)[0]);
      ctx.globalAlpha = 1;
      stroke(ctx, "line");
      if (again > 30) write(ctx, `${g},0`, x + again / 2, middle, "center", "faint");
    }
  }

  /** @param {Pen} ctx */
  drawLinks(ctx) {
    const busy = new Map(), n = this.frame.state.length, {next} = this.net;
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
      if (!hot && !kind && !glows && this.woven) continue; // at rest they are lines
      if (!hot && !this.fine && !kind) continue;
      const l = this.link(i, port), rest = glows ? "edge" : "link";
      const plain = kind ? this.fine ? "ink" : "faint" : rest;
      line(ctx, l[0], l[1]);
      ctx.bezierCurveTo(l[2], l[3], l[4], l[5], l[6], l[7]);
      stroke(ctx, hot ? "failed" : mine ? "here" : plain,
        hot ? 2.4 : !this.fine ? 0.5 : kind || glows ? 1.7 : mine ? 1.4 : 1,
        port && mine && !kind ? [4, 3] : []);
    }
  }

  // measure returns what the colours show, if not the state: a number of every PE, and
  // the one with the strongest colour.
  measure() {
    const all = page.pair.flatMap(r => (r.frame ? r.machine.numbers() : [])); // two: one scale
    return {list: this.numbers(), most: this.mode === "load" ? 15 : Math.max(1, ...all)};
  }

  /** @returns {number[]} */
  numbers() {
    const {load, operands, calls, fifo: queue, mib} = this.run.frame;
    const fifo = queue.map((n, i) => n + mib[i]), policy = this.called ?? queue.map(() => 0);
    return {load, operands, calls, fifo, policy}[this.mode];
  }

  /** fill returns colour and ink of a PE, and the number that it shows.
   * @param {number} i @returns {[string, string, number?]} */
  fill(i) {
    const state = this.frame.state[i];
    if (this.mode === "state" || state === "!") {
      const {ink} = states[state] ?? states["."];
      return [ink, "on-" + ink];
    }
    const {list, most} = this.scaleOf;
    return [...mixed("runs", "idle", Math.sqrt(list[i] / most)), list[i]];
  }

  /** drawPE draws a PE: at its place in the picture, or elsewhere with another name.
   * @param {Pen} ctx @param {number} i @param {Spot} at */
  drawPE(ctx, i, at = this.spot(i), name = this.address(i).slice(1, -1), fine = this.fine) {
    const {x, y, w, h} = at, state = this.frame.state[i], [under, ink, value] = this.fill(i);
    if (fine) this.drawSpilled(ctx, i, at);
    round(ctx, at);
    fill(ctx, under);
    const waits = value === undefined && state === "o";
    if (fine && (waits || value !== undefined || state === ".")) {
      stroke(ctx, waits ? "edge" : "line");
    }
    if (waits && fine) hatch(ctx, "edge", x, y, w, h);
    if (this.differs?.(i)) {
      const size = Math.max(5, h * 0.4);
      line(ctx, x - 1, y - 1, x + size, y - 1, x - 1, y + size);
      fill(ctx, "ink");
      stroke(ctx, "paper");
    }
    if (fine) this.drawWords(ctx, i, at, name, ink, value);
  }

  /** drawMarks draws what stands around a PE: that it waits in a circle, has come to a stop, or is
   * the chosen one. They come after all PEs, as neighbours would cover them.
   * @param {Pen} ctx @param {number} i @param {Spot} at */
  drawMarks(ctx, i, at = this.spot(i)) {
    const {circle} = this.frame;
    if (circle?.includes(i)) {
      round(ctx, at, 2);
      stroke(ctx, "failed", 4, [7, 4]);
    }
    if (!this.stopped.has(i) && !(i === this.pe && this.opened)) return;
    round(ctx, at, circle ? 6 : 3.5);
    stroke(ctx, "here", 2.5, i === this.pe ? [] : [7, 4]);
  }

  /** drawWords draws the name of a PE, its state or the number that it shows, and its FIFO.
   * @param {Pen} ctx @param {number} i @param {Spot} at @param {string} name @param {string} ink
   * @param {number} [value] */
  drawWords(ctx, i, {x, y, w, h}, name, ink, value) {
    const {state, fifo} = this.frame, {fifo_words: most} = this.net;
    const large = w >= roomy.w && h >= roomy.h, full = Math.min(1, fifo[i] / most);
    const low = !large && h > 15 && full > 0, weight = ".o".includes(state[i]) ? "" : "bold";
    type(ctx, Math.max(11, Math.min(16, h * 0.44)), weight, "middle");
    const middle = large ? y + h * 0.34 : y + h / 2 - (low ? h * 0.06 : 0) + 0.5;
    const shown = value !== undefined && w < 60 ? String(value) : name;
    if (ctx.measureText(shown).width > w - 4) type(ctx, 11);
    const {width} = ctx.measureText(shown), left = x + Math.min(8, (w - width) / 2);
    if (width < w - 1) write(ctx, shown, left, middle, "left", ink);
    type(ctx, 13);
    const said = value === undefined ? large && states[state[i]].word : w >= 60 && String(value);
    // A wide font may leave no room for both.
    if (said && ctx.measureText(said).width + width < w - 22) {
      write(ctx, said, x + w - 8, middle, "right", ink);
    }
    if (large) {
      const all = Math.max(1, most / 2), each = (w - 14) / all, there = Math.round(full * all);
      for (let k = 0; k < all; k++) {
        ctx.globalAlpha = k < there ? 0.95 : 0.16;
        bar(ctx, ink, x + 7 + k * each, y + h - 19, Math.max(0.5, each - 1.6), 12);
      }
    } else if (low) {
      const high = Math.max(2.4, h * 0.12), wide = w - 8;
      for (const [alpha, part] of [[0.22, wide], [0.95, Math.max(high, wide * full)]]) {
        ctx.globalAlpha = alpha;
        bar(ctx, ink, x + 4, y + h - high - 2.5, part, high);
      }
    }
    ctx.globalAlpha = 1;
  }

  /** drawSpilled draws what a PE has in its memory: it stands outside at its left, a stroke for
   * every part of a FIFO. @param {Pen} ctx @param {number} i @param {Spot} at */
  drawSpilled(ctx, i, {x, y, h}) {
    const part = Math.min(1, this.frame.mib[i] / this.net.fifo_words);
    const free = this.woven ? (this.g.pitchX - this.g.box) / 3.7 : this.lens ? 2 : 6;
    for (let k = 0; k < Math.max(1, Math.min(6, free)) * part; k++) {
      bar(ctx, "spills", x - 4 - k * 3.7, y + h * 0.18, 2.6, h * 0.64);
    }
  }
}

/** round makes the path of a PE's frame, or of one around it. @param {Pen} ctx @param {Spot} at */
function round(ctx, {x, y, w, h}, off = 0) {
  path(ctx, x - off, y - off, w + 2 * off, h + 2 * off, Math.min(6, h / 5) + off);
}
