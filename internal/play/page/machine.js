// The picture of the machine, as in the paper's figure 1: groups are rows, members
// columns; the links of the last column lead to the first, which stands at the right again,
// pale. The many groups of a large machine stand in several blocks, side by side. Packets are
// where they are at their clock: on a link, before a switch, or at the PE that made them.
import {room} from "./callouts.js";
import {listen} from "./keys.js";
import {calm, colour, fit} from "./util.js";

/** @type {Record<string, string>} */
const states = {R: "runs", M: "matches", S: "spills", W: "waits", o: "partner", ".": "idle", "!": "failed"};
/** @type {Record<string, string>} */
const words = {R: "runs", M: "matches", S: "spills", W: "net wait", o: "no partner", ".": "no work", "!": "failed"};
const ghost = 0.66; // distance of the pale column from the last one, in those of two columns
const many = 400; // PEs from which on their links are not drawn, unless they are near
const roomy = {box: 104, tall: 44}; // pixels of a PE that says its state and shows every packet of its FIFO

/** @typedef {[number, number]} Point */
/** @typedef {[number, number, number, number, number, number, number, number]} Curve */

export class Machine {
  /** @type {Emsim.Network} */ net = null;
  /** @type {Emsim.Frame} */ frame = null;
  pe = 0;
  opened = true; // the chosen PE is marked
  /** @type {PointerEvent} */ pointer = null; // where it rests on the picture
  /** @type {import("./callouts.js").Callouts} */ callouts = null; // words at the right, of the first sight
  mode = "state";
  /** @type {Machine} */ beside = null; // the other one of two, which has the same colours
  /** @type {(pe: number) => boolean} */ differs = null; // from it
  /** @type {string} */ followed = null; // a packet
  /** @type {number[]} */ called = null; // of all PEs, by the chosen one
  zoom = 1;
  x = 0;
  y = 0;
  /** @type {Map<string, Point>} */ before = new Map(); // where packets were
  part = 1; // of their way to where they are
  /** @type {Map<number, Point>} */ fingers = new Map(); // on the picture

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{opened: (pe: number) => Promise<void>, packet: (p: Emsim.Moving) => Promise<any>, over?: (what: import("./tip.js").Over) => void}} tell what the user chose, or points at
   */
  constructor(canvas, tell) {
    this.canvas = canvas;
    this.tell = tell;
    new ResizeObserver(() => this.draw()).observe(canvas);
    canvas.addEventListener("click", e => this.click(e));
    listen(canvas, "machine", {
      go: key => this.go(key),
      open: () => this.act(() => this.choose(this.pe)),
      zoom: key => this.act(() => this.scale({"+": 1.3, "-": 1 / 1.3}[key] ?? 0)),
    });
    canvas.addEventListener("wheel", e => { e.preventDefault(); this.scale(e.deltaY < 0 ? 1.15 : 1 / 1.15, e.offsetX, e.offsetY); }, {passive: false});
    canvas.addEventListener("pointerdown", e => {
      this.drag = {x: e.clientX, y: e.clientY, far: false};
      if (e.pointerType === "touch") this.fingers.set(e.pointerId, [e.offsetX, e.offsetY]);
    });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, e => { this.drag = null; this.fingers.delete(/** @type {PointerEvent} */ (e).pointerId); });
    canvas.addEventListener("pointermove", e => { if (!this.pinch(e)) this.pan(e); this.hover(e); });
    canvas.addEventListener("pointerleave", () => this.hover(null));
  }

  /** reset begins with another machine. @param {Emsim.Network} net */
  reset(net) {
    Object.assign(this, {net, frame: null, zoom: 1, x: 0, y: 0, followed: null, called: null, before: new Map()});
    if (this.pe >= net.groups * net.members) this.pe = 0;
    this.from = net.next.map(() => /** @type {Point} */ ([0, 0])); // the PE behind each input
    net.next.forEach((to, i) => to.forEach((j, port) => { this.from[j][port] = i; }));
  }

  /** show draws a frame; packets move to their places when it is a few clocks later, and
   * the picture is fine enough to see it. @param {Emsim.Frame} frame */
  show(frame) {
    const near = this.frame && Math.abs(frame.clock - this.frame.clock) <= 4;
    const still = calm.matches || !near || !this.fine || frame.packets.length > 400;
    this.before = still ? new Map() : this.places();
    this.frame = frame;
    cancelAnimationFrame(this.tick);
    const begin = performance.now(), length = still ? 0 : 160;
    const move = (/** @type {number} */ now) => {
      this.part = length ? Math.min(1, Math.max(0, now - begin) / length) : 1;
      this.draw();
      if (this.part < 1) this.tick = requestAnimationFrame(move);
      else this.point();
    };
    move(begin);
  }

  /** @param {number} i */
  address(i) { return `[${Math.floor(i / this.net.members)},${i % this.net.members}]`; }

  /** geometry measures the picture for a canvas of a size: with as many blocks as make the
   * PEs large, but rather one, as in the paper. @param {number} w @param {number} h */
  geometry(w, h) {
    const {groups, members} = this.net, bottom = 8;
    let best = null;
    for (let blocks = 1; blocks <= (groups > 16 ? groups : 1); blocks *= 2) {
      const rows = groups / blocks, wide = w / blocks, left = [40, 34][blocks - 1] ?? 10, right = blocks < 3 ? 10 : 4, top = 26, again = blocks < 3 ? 0.36 : 0.1;
      const pitchX = (wide - left - right) / (members - 1 + ghost + again), pitchY = (h - top - bottom) / rows, box = Math.min(pitchX * 0.5, 230);
      const tall = Math.min(pitchY * 0.72, box * (box < 22 ? 0.8 : 0.5), rows <= 4 ? 78 : 44), worth = Math.min(box, 2 * tall);
      if (!best || worth > 1.25 * best.worth) best = {worth, rows, wide, left, right, top, pitchX, pitchY: Math.min(pitchY, Math.max(tall * 2.6, 14)), box, tall, again: pitchX * again};
    }
    return best;
  }

  /** @param {number} i @returns {Point} */
  corner(i) {
    const {rows, wide, left, top, pitchX, pitchY, tall} = this.g, m = this.net.members, group = Math.floor(i / m);
    return [Math.floor(group / rows) * wide + left + (i % m) * pitchX, top + (group % rows) * pitchY + (pitchY - tall) / 2];
  }

  /** link returns the four points of the curve from a PE by an output.
   * @param {number} i @param {number} port @returns {Curve} */
  link(i, port) {
    const {box, tall} = this.g, [x, y] = this.corner(i), j = this.net.next[i][port], m = this.net.members;
    const [toX, toY] = this.corner(j), x1 = x + box, back = i % m === m - 1, x2 = back ? this.again(i) : toX;
    const y1 = y + tall * (port ? 0.68 : 0.32), y2 = toY + tall * (port ? 0.68 : 0.32), bend = (x2 - x1) * 0.45;
    return [x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2];
  }

  /** again is where the first PE of a row stands a second time. @param {number} i of its last */
  again(i) { return this.corner(i)[0] + this.g.pitchX * ghost; }

  /** place returns where a packet is drawn. seen counts the packets at a place.
   * @param {Emsim.Moving} p @param {Map<string, number>} seen @returns {Point} */
  place(p, seen) {
    const {box, tall} = this.g, [x, y] = this.corner(p.pe);
    const nth = (/** @type {string} */ key) => { const n = seen.get(key) ?? 0; seen.set(key, n + 1); return n; };
    const size = this.dot;
    if (p.in < 2) {
      if (p.left > 0) {
        const l = this.link(this.from[p.pe][p.in], p.in), t = Math.max(0, Math.min(1, 1 - p.left / (this.net.hop_clocks + 0.5)));
        return along(l, t);
      }
      return [x - size * 1.1 - nth(`${p.pe}.${p.in}`) * size * 1.7, y + tall * (p.in ? 0.68 : 0.32)];
    }
    if (p.in === 2) return [x + box - size * 0.2, y + tall * 0.5];
    return [x - size * 0.3, y + tall * 0.5];
  }

  places() {
    /** @type {Map<string, Point>} */
    const at = new Map(), seen = new Map();
    if (this.g) for (const p of this.frame?.packets ?? []) at.set(p.id, this.place(p, seen));
    return at;
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

  /** circuits are the links of the group and of the reverse circuit of a PE, where its searches
   * and its ring calls go: two numbers a PE and one for the output. @param {number} pe */
  circuits(pe) {
    const links = new Set();
    for (const port of [0, 1]) for (let i = pe; !links.has(i * 2 + port); i = this.net.next[i][port]) links.add(i * 2 + port);
    return links;
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

  /** @param {MouseEvent} e */
  at(e) { return [(e.offsetX - this.x) / this.zoom, (e.offsetY - this.y) / this.zoom]; }

  /** @param {MouseEvent} e */
  click(e) {
    if (this.panned) return;
    const {packet, pe} = this.under(e);
    if (packet) this.tell.packet(packet);
    else if (pe !== undefined) this.choose(pe);
  }

  /** hover tells what is under the pointer. @param {PointerEvent} e null: it has gone */
  hover(e) {
    this.pointer = e && e.pointerType !== "touch" && e.buttons === 0 ? e : null; // a finger covers it
    this.point();
  }

  // point tells what is under the pointer now.
  point() {
    const e = this.pointer;
    this.tell.over?.(e ? {...this.under(e), x: e.offsetX, y: e.offsetY} : {});
  }

  /** under is the packet or the PE at a place. @param {MouseEvent} e @returns {{packet?: Emsim.Moving, pe?: number}} */
  under(e) {
    if (!this.frame) return {};
    const [x, y] = this.at(e), reach = Math.max(/** @type {PointerEvent} */ (e).pointerType === "touch" ? 14 : 6, this.dot + 3) / this.zoom;
    const spot = (this.spots ?? []).find(([a, b]) => Math.hypot(a - x, b - y) < reach);
    if (spot) return {packet: spot[2]};
    const {box, tall} = this.g;
    for (let i = 0; i < this.frame.state.length; i++) {
      const [a, b] = this.corner(i);
      if (x >= a && x <= a + box && y >= b - 1 && y <= b + tall + 1) return {pe: i};
    }
    return {};
  }

  /** @param {number} i */
  choose(i) {
    this.pe = i;
    this.draw();
    this.tell.opened(i);
  }

  /** act does what a key says, if there is a machine. @param {() => void} does */
  act(does) {
    if (!this.frame) return false;
    does();
    this.reveal();
  }

  /** @param {string} key */
  go(key) {
    const by = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[key];
    return this.act(() => {
      const {groups, members} = this.net, g = Math.floor(this.pe / members) + by[0], c = this.pe % members + by[1];
      this.choose((g + groups) % groups * members + (c + members) % members);
    });
  }

  /** scale zooms around a point; 0 shows all. @param {number} by */
  scale(by, x = this.w / 2, y = this.h / 2) {
    const zoom = by ? Math.min(24, Math.max(1, this.zoom * by)) : 1, f = zoom / this.zoom;
    this.x = zoom === 1 ? 0 : x - (x - this.x) * f;
    this.y = zoom === 1 ? 0 : y - (y - this.y) * f;
    this.zoom = zoom;
    this.canvas.style.touchAction = zoom > 1 ? "none" : "pan-x pan-y"; // a finger moves the picture, or the page
    this.draw();
  }

  /** pinch zooms with two fingers. @param {PointerEvent} e */
  pinch(e) {
    if (!this.fingers.has(e.pointerId)) return false;
    const at = () => { const [[a, b], [c, d]] = this.fingers.values(); return {far: Math.hypot(a - c, b - d) || 1, x: (a + c) / 2, y: (b + d) / 2}; };
    const before = this.fingers.size === 2 && at().far;
    this.fingers.set(e.pointerId, [e.offsetX, e.offsetY]);
    if (!before) return false;
    const {far, x, y} = at();
    this.scale(far / before, x, y);
    return this.panned = true;
  }

  // reveal moves the picture so that the chosen PE can be seen.
  reveal() {
    const [x, y] = this.corner(this.pe), a = x * this.zoom + this.x, b = y * this.zoom + this.y;
    const w = this.g.box * this.zoom, h = this.g.tall * this.zoom;
    this.x += a < 0 ? 10 - a : a + w > this.w ? this.w - 10 - a - w : 0;
    this.y += b < 0 ? 10 - b : b + h > this.h ? this.h - 10 - b - h : 0;
    this.draw();
  }

  /** @param {PointerEvent} e */
  pan(e) {
    if (!this.drag || this.zoom === 1) { this.panned = false; return; }
    const dx = e.clientX - this.drag.x, dy = e.clientY - this.drag.y;
    if (Math.hypot(dx, dy) < 3 && !this.drag.far) return;
    this.panned = true;
    this.drag = {x: e.clientX, y: e.clientY, far: true};
    this.x += dx;
    this.y += dy;
    this.draw();
  }
}

/** along returns the point of a curve at a part 0..1 of its way.
 * @param {Curve} curve @param {number} t @returns {Point} */
function along([x0, y0, x1, y1, x2, y2, x3, y3], t) {
  const s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
  return [a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3];
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
