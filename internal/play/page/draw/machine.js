// The picture of the machine, painted on a canvas: links, PEs with their states and queues, packets.
import {colour, fit} from "../util.js";
import {room} from "./callouts.js";
import {Geometry} from "./geometry.js";

/** @typedef {import("./geometry.js").Point} Point */

/** @type {Record<string, string>} */
const states = {R: "runs", M: "matches", S: "spills", W: "waits", o: "partner", ".": "idle", "!": "failed"};
/** @type {Record<string, string>} */
const words = {R: "runs", M: "matches", S: "spills", W: "net wait", o: "no partner", ".": "no work", "!": "failed"};
const many = 400; // PEs from which on their links are not drawn, unless they are near
const roomy = {box: 104, tall: 44}; // pixels of a PE that says its state and shows every packet of its FIFO

export class Picture extends Geometry {
  pe = 0;
  opened = true; // the chosen PE is marked
  /** @type {import("./callouts.js").Callouts} */ callouts = null; // words at the right, of the first sight
  mode = "state";
  /** @type {Picture} */ beside = null; // the other one of two, which has the same colours
  /** @type {(pe: number) => boolean} */ differs = null; // from it
  /** @type {string} */ followed = null; // a packet
  /** @type {number[]} */ called = null; // of all PEs, by the chosen one
  zoom = 1;
  x = 0;
  y = 0;
  /** @type {Map<string, Point>} */ before = new Map(); // where packets were
  part = 1; // of their way to where they are

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    super();
    this.canvas = canvas;
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  draw() {
    const {ctx, w, h} = fit(this.canvas);
    if (!this.net || !this.frame || w < 40 || h < 40) return;
    const aside = this.callouts ? room(w) : 0;
    this.g = this.geometry(w - aside, h);
    this.w = w; this.h = h;
    this.dot = Math.max(1.6, Math.min(7, this.g.tall * 0.16));
    ctx.translate(this.x, this.y);
    ctx.scale(this.zoom, this.zoom);
    this.fine = this.g.tall * this.zoom >= 11 && this.g.box * this.zoom >= 22;
    this.drawLinks(ctx);
    const n = this.frame.state.length;
    if (this.mode !== "state") this.scaleOf = this.measure();
    if (this.fine) this.drawHeads(ctx);
    for (let i = 0; i < n; i++) this.drawPE(ctx, i);
    this.drawPackets(ctx);
    if (aside) this.callouts.draw(ctx, this, w - aside + 14, aside - 20, h);
  }

  /** @param {CanvasRenderingContext2D} ctx */
  drawHeads(ctx) {
    const {box, tall, pitchX, rows, wide, right, again, left} = this.g, {groups, members} = this.net;
    ctx.font = `12px ${colour("font")}`;
    ctx.textBaseline = "alphabetic";
    for (let g = 0; g < groups; g += rows) {
      ctx.fillStyle = colour("faint");
      ctx.textAlign = "center";
      for (let c = 0; c < members; c++) ctx.fillText(pitchX < 90 ? `${c}` : `member ${c}`, this.corner(g * members + c)[0] + box / 2, 15);
      ctx.textAlign = "left";
      if (right >= 10 && again > 20) ctx.fillText(pitchX < 110 ? "0" : "0 again", this.again(g * members + members - 1), 15);
    }
    if (right < 10) return; // blocks without room for labels
    ctx.textBaseline = "middle";
    for (let g = 0; g < groups; g++) {
      const i = g * members + members - 1, [, y] = this.corner(i), x = this.again(i), [fill] = this.fill(g * members);
      ctx.textAlign = "right";
      ctx.fillStyle = colour("faint");
      ctx.fillText(`${g}`, Math.floor(g / rows) * wide + left - 14, y + tall / 2 + 0.5);
      ctx.globalAlpha = 0.4;
      ctx.beginPath();
      ctx.roundRect(x, y, again, tall, Math.min(6, tall / 5));
      ctx.fillStyle = fill;
      ctx.fill();
      ctx.globalAlpha = 1;
      ctx.strokeStyle = colour("line");
      ctx.lineWidth = 1;
      ctx.stroke();
      ctx.textAlign = "center";
      ctx.fillStyle = colour("faint");
      if (again > 30) ctx.fillText(`${g},0`, x + again / 2, y + tall / 2 + 0.5);
    }
  }

  /** @param {CanvasRenderingContext2D} ctx */
  drawLinks(ctx) {
    const busy = new Map(), n = this.frame.state.length;
    for (const p of this.frame.packets) if (p.in < 2 && p.left > 0) {
      const key = this.from[p.pe][p.in] * 2 + p.in;
      busy.set(key, p.kind === "mlpe" ? "mlpe" : busy.get(key) ?? "data");
    }
    const circle = new Set(this.frame.circle ?? []), here = this.circuits(this.pe);
    for (let i = 0; i < n; i++) for (const port of [0, 1]) {
      const kind = busy.get(i * 2 + port), hot = circle.has(i) && circle.has(this.net.next[i][port]), mine = this.opened && here.has(i * 2 + port);
      if (!hot && !this.fine && (!kind || n >= many)) continue;
      const l = this.link(i, port);
      ctx.strokeStyle = colour(hot ? "failed" : mine ? "here" : !kind ? "link" : this.fine ? "ink" : "faint");
      ctx.lineWidth = hot ? 2.4 : !this.fine ? 0.5 : kind ? 1.7 : mine ? 1.4 : 1;
      ctx.setLineDash(port && mine && !kind ? [4, 3] : []);
      ctx.beginPath();
      ctx.moveTo(l[0], l[1]);
      ctx.bezierCurveTo(l[2], l[3], l[4], l[5], l[6], l[7]);
      ctx.stroke();
    }
    ctx.setLineDash([]);
  }

  // measure returns what the colours show, if not the state: a number of every PE, and
  // the one with the strongest colour.
  measure() {
    const list = this.numbers(this.mode), others = this.beside?.frame ? this.beside.numbers(this.mode) : [];
    return {list, most: this.mode === "load" ? 15 : Math.max(1, ...list, ...others)};
  }

  /** @param {string} mode */
  numbers(mode) {
    const f = this.frame;
    const lists = {load: f.load, operands: f.operands, calls: f.calls, fifo: f.fifo.map((n, k) => n + f.mib[k]), policy: this.called ?? f.fifo.map(() => 0)};
    return lists[/** @type {keyof typeof lists} */ (mode)];
  }

  /** fill returns colour and ink of a PE, and the number that it shows.
   * @param {number} i @returns {[string, string, number?]} */
  fill(i) {
    const f = this.frame;
    if (this.mode === "state" || f.state[i] === "!") {
      const name = states[f.state[i]] ?? "idle";
      return [colour(name), colour("on-" + name)];
    }
    const {list, most} = this.scaleOf, part = list[i] / most;
    return [`color-mix(in srgb, ${colour("runs")} ${Math.round(100 * Math.sqrt(part))}%, ${colour("idle")})`, colour(part > 0.2 ? "on-runs" : "on-idle"), list[i]];
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} i */
  drawPE(ctx, i) {
    const {box, tall} = this.g, [x, y] = this.corner(i), f = this.frame, [fill, ink, value] = this.fill(i), round = Math.min(6, tall / 5);
    if (this.fine && f.mib[i] > 0) this.drawSpilled(ctx, i, x, y);
    ctx.beginPath();
    ctx.roundRect(x, y, box, tall, round);
    ctx.fillStyle = fill;
    ctx.fill();
    const waits = value === undefined && f.state[i] === "o";
    if (waits && this.fine) hatch(ctx, x, y, box, tall);
    if (this.fine && (waits || value !== undefined || f.state[i] === ".")) {
      ctx.strokeStyle = colour(waits ? "edge" : "line");
      ctx.lineWidth = 1;
      ctx.stroke();
    }
    const circle = f.circle?.includes(i);
    if (circle || i === this.pe && this.opened) {
      const off = circle ? 2 : 3.5;
      ctx.beginPath();
      ctx.roundRect(x - off, y - off, box + 2 * off, tall + 2 * off, round + off);
      ctx.strokeStyle = colour(circle ? "failed" : "here");
      ctx.lineWidth = circle ? 4 : 2.5;
      ctx.setLineDash(circle ? [7, 4] : []);
      ctx.stroke();
      ctx.setLineDash([]);
    }
    if (this.differs?.(i)) {
      const size = Math.max(5, tall * 0.4);
      ctx.beginPath();
      ctx.moveTo(x - 1, y - 1);
      ctx.lineTo(x + size, y - 1);
      ctx.lineTo(x - 1, y + size);
      ctx.fillStyle = colour("ink");
      ctx.fill();
      ctx.strokeStyle = colour("paper");
      ctx.lineWidth = 1;
      ctx.stroke();
    }
    if (this.fine) this.drawWords(ctx, i, x, y, ink, value);
  }

  /** drawWords draws the address of a PE, its state or the number that it shows, and its FIFO.
   * @param {CanvasRenderingContext2D} ctx @param {number} i @param {number} x @param {number} y @param {string} ink @param {number} [value] */
  drawWords(ctx, i, x, y, ink, value) {
    const {box, tall} = this.g, f = this.frame, large = box >= roomy.box && tall >= roomy.tall, name = this.address(i).slice(1, -1), full = Math.min(1, f.fifo[i] / this.net.fifo_words);
    const size = Math.max(11, Math.min(16, tall * 0.44)), weight = ".o".includes(f.state[i]) ? "" : "bold ", low = !large && tall > 15 && full > 0;
    ctx.fillStyle = ink;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    ctx.font = `${weight}${size.toFixed(1)}px ${colour("font")}`;
    const middle = large ? y + tall * 0.34 : y + tall / 2 - (low ? tall * 0.06 : 0) + 0.5, shown = value !== undefined && box < 60 ? String(value) : name;
    if (ctx.measureText(shown).width > box - 4) ctx.font = `11px ${colour("font")}`;
    if (ctx.measureText(shown).width < box - 1) ctx.fillText(shown, x + Math.min(8, (box - ctx.measureText(shown).width) / 2), middle);
    ctx.textAlign = "right";
    ctx.font = `13px ${colour("font")}`;
    if (value !== undefined && box >= 60) ctx.fillText(String(value), x + box - 8, middle);
    else if (value === undefined && large) ctx.fillText(words[f.state[i]], x + box - 9, middle);
    ctx.textAlign = "left";
    if (large) {
      const all = Math.max(1, this.net.fifo_words / 2), each = (box - 14) / all;
      for (let k = 0; k < all; k++) {
        ctx.globalAlpha = k < Math.round(full * all) ? 0.95 : 0.16;
        ctx.fillRect(x + 7 + k * each, y + tall - 19, Math.max(0.5, each - 1.6), 12);
      }
      ctx.globalAlpha = 1;
    } else if (low) {
      const high = Math.max(2.4, tall * 0.12), wide = box - 8;
      ctx.globalAlpha = 0.22;
      ctx.fillRect(x + 4, y + tall - high - 2.5, wide, high);
      ctx.globalAlpha = 0.95;
      ctx.fillRect(x + 4, y + tall - high - 2.5, Math.max(high, wide * full), high);
      ctx.globalAlpha = 1;
    }
  }

  /** drawSpilled draws what a PE has in its memory: it stands outside at its left, a stroke
   * for every part of a FIFO. @param {CanvasRenderingContext2D} ctx @param {number} i @param {number} x @param {number} y */
  drawSpilled(ctx, i, x, y) {
    const {tall} = this.g, most = 6, part = Math.min(1, this.frame.mib[i] / this.net.fifo_words);
    ctx.fillStyle = colour("spills");
    for (let k = 0; k < Math.ceil(part * most); k++) ctx.fillRect(x - 5 - k * 4.2, y + tall * 0.18, 3, tall * 0.64);
  }

  /** @param {CanvasRenderingContext2D} ctx */
  drawPackets(ctx) {
    const seen = new Map(), size = this.dot;
    /** @type {[number, number, Emsim.Moving][]} */
    this.spots = [];
    for (const p of this.frame.packets) {
      let [x, y] = this.place(p, seen);
      const was = this.before.get(p.id);
      if (was && this.part < 1 && Math.abs(was[0] - x) < this.g.pitchX * 1.2) {
        x = was[0] + (x - was[0]) * this.part;
        y = was[1] + (y - was[1]) * this.part;
      }
      this.spots.push([x, y, p]);
      ctx.beginPath();
      ctx.lineWidth = 1.2;
      ctx.strokeStyle = colour("paper");
      if (p.kind === "mlpe") {
        const r = Math.max(size * 2.1, this.fine ? 10 : 2.4); // a diamond
        ctx.moveTo(x, y - r);
        ctx.lineTo(x + r, y);
        ctx.lineTo(x, y + r);
        ctx.lineTo(x - r, y);
        ctx.closePath();
        ctx.fillStyle = colour("dot");
        ctx.fill();
        ctx.stroke();
        if (this.fine) {
          ctx.fillStyle = colour("paper");
          ctx.font = `bold ${Math.max(11, r).toFixed(1)}px ${colour("font")}`;
          ctx.textAlign = "center";
          ctx.textBaseline = "middle";
          ctx.fillText(p.load.toString(16).toUpperCase(), x, y + 0.5);
        }
      } else {
        if (p.kind === "host") ctx.rect(x - size, y - size, 2 * size, 2 * size);
        else ctx.arc(x, y, size, 0, 7);
        ctx.fillStyle = colour(p.wait ? "paper" : "dot");
        ctx.fill();
        if (p.wait) { ctx.strokeStyle = colour("dot"); ctx.lineWidth = Math.max(1.6, size * 0.4); } // a ring
        ctx.stroke();
      }
      if (p.id === this.followed) {
        ctx.beginPath();
        ctx.arc(x, y, size * 2.2 + 3, 0, 7);
        ctx.strokeStyle = colour("here");
        ctx.lineWidth = 2;
        ctx.stroke();
      }
    }
  }
}

/** hatch hatches a rectangle. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} w @param {number} h */
function hatch(ctx, x, y, w, h) {
  ctx.save();
  ctx.clip();
  ctx.globalAlpha = 0.4;
  ctx.strokeStyle = colour("edge");
  ctx.lineWidth = 0.8;
  const lines = new Path2D();
  for (let k = -h; k < w; k += 6) {
    lines.moveTo(x + k, y + h);
    lines.lineTo(x + k + h, y);
  }
  ctx.stroke(lines);
  ctx.restore();
}
