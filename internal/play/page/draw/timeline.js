// The time line: what the PEs do over the whole run, with an axis, and where the page is. What
// is past has its full colours. Two of them show the same stretch of clocks.
import {key, listen, sides} from "../state/keys.js";
import {page} from "../state/page.js";
import {count} from "../util.js";
import {bar, box, disc, fill, fit, hatch, line, scale, stroke, type, write} from "./pen.js";

const bands = ["runs", "spills", "waits"]; // at work, only the IBU, waiting for the network
const pull = 20; // pixels above the time line, to open the strip of every PE [chosen]
const left = 6, right = 58, top = 9, foot = 20; // pixels around the picture
export const margins = {left, right}; // for what stands above it

/** What is shown: a part of the clocks up to the end, which two runs share. */
export const seen = {from: 0, to: 1, end: 1};

/** reach is where a clock is in what is shown: 0..1. @param {number} clock */
export const reach = clock => (clock / seen.end - seen.from) / (seen.to - seen.from);

/** clockAt is the clock at a place of what is shown. @param {MouseEvent} e */
export function clockAt(e) {
  const {clientWidth: w} = /** @type {Element} */ (e.currentTarget);
  const part = seen.from + (e.offsetX - left) / (w - left - right) * (seen.to - seen.from);
  return Math.max(0, Math.min(seen.end, Math.round(part * seen.end)));
}

/** step is a round distance of marks on an axis. @param {number} span @param {number} most */
export function step(span, most) {
  const rough = Math.max(1, span / Math.max(1, most)), power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map(n => n * power).find(n => n >= rough);
}

export class Timeline {
  /** @type {Emsim.Ahead} */ whole = null; // the whole run, as far as it is found

  /** @param {HTMLCanvasElement} canvas @param {Run} run */
  constructor(canvas, run) {
    this.canvas = canvas;
    this.run = run;
    canvas.addEventListener("pointerdown", e => canvas.setPointerCapture(e.pointerId));
    for (const on of ["pointerdown", "pointermove"]) canvas.addEventListener(on, event => {
      const e = /** @type {PointerEvent} */ (event);
      if (!(e.buttons & 1)) return;
      page.travel(clockAt(e));
      if (e.offsetY < -pull) page.strip.show(true);
    });
    canvas.addEventListener("dblclick", () => this.zoom(0));
    canvas.addEventListener("wheel", e => {
      e.preventDefault();
      this.zoom(e.deltaY < 0 ? 1.25 : 0.8);
    }, {passive: false});
    const by = (/** @type {number} */ clocks) => (/** @type {string} */ name) => {
      page.travel(Math.max(0, page.versus.now + (name.endsWith("Right") ? clocks : -clocks)));
    };
    listen(canvas, "timeline", "On the time line", [
      key("step", sides, "one clock; with Shift ten", by(1)),
      key("ten", "Shift+ArrowLeft Shift+ArrowRight", "ten clocks", by(10)),
      key("zoom", "+ - 0", "nearer, farther, all",
        name => this.zoom({"+": 1.5, "-": 1 / 1.5}[name] ?? 0)),
    ]);
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** zoom shows a shorter or longer part around the play head; 0: all. @param {number} by */
  zoom(by) {
    const now = Math.min(1, this.clock / seen.end), {from, to, end} = seen;
    const wide = by ? Math.min(1, Math.max(20 / end, (to - from) / by)) : 1;
    const at = Math.max(0, Math.min(1, reach(this.clock)));
    seen.from = Math.max(0, Math.min(1 - wide, now - at * wide));
    seen.to = seen.from + wide;
    page.versus.draw();
  }

  // show shows where the run is.
  show() {
    const {canvas, run: {length}} = this, {now} = page.versus;
    const ariaValueText = length && now > length ? "after the end" : `clock ${now}`;
    Object.assign(canvas, {ariaValueMax: seen.end, ariaValueNow: now, ariaValueText});
    this.draw();
  }

  get clock() { return this.run.stale ? 0 : this.run.frame.clock; }

  get end() { return seen.end; }

  clear() {
    this.whole = null;
    Object.assign(seen, {from: 0, to: 1}, !page.versus?.on && {end: 1});
    this.draw();
  }

  /** bins are the activities in stretches of some pixels. @param {number} w */
  bins(w) {
    const {clocks, states} = this.whole, bins = [], most = seen.end * (seen.to - seen.from) / w * 3;
    for (let i = 1, from = 0; i < clocks.length; i++) {
      if (clocks[i] - clocks[from] < most && i < clocks.length - 1) continue;
      const part = states[i].map((n, k) => n - states[from][k]);
      const sum = part.reduce((a, b) => a + b, 0) || 1;
      const parts = part.slice(0, bands.length).map(n => n / sum);
      bins.push({from: clocks[from], to: clocks[i], parts});
      from = i;
    }
    return bins;
  }

  draw() {
    const {ctx, w: wide, h: tall} = fit(this.canvas), w = wide - left - right;
    const h = tall - top - foot;
    if (w < 10 || h < 4) return;
    const at = (/** @type {number} */ clock) => left + reach(clock) * w;
    ctx.save();
    box(ctx, left, top, w, h, 0);
    ctx.clip();
    fill(ctx, "pale");
    for (const {from, to, parts} of this.whole ? this.bins(w) : []) {
      for (let k = 0, y = top + h; k < bands.length; k++) {
        y -= parts[k] * h;
        bar(ctx, bands[k], at(from), y, at(to) - at(from) + 0.4, parts[k] * h);
      }
    }
    const now = at(this.clock), {length} = this.run;
    ctx.globalAlpha = 0.58; // what is to come is pale
    bar(ctx, "paper", now, top, Math.max(0, left + w - now), h);
    ctx.globalAlpha = 1;
    if (length && length < seen.end) { // until the machine is at rest
      const rest = at(length), long = at(this.whole?.clocks.at(-1) ?? length) - rest;
      box(ctx, rest, top, long, h, 0);
      fill(ctx, "pale");
      hatch(ctx, "ink", rest, top, long, h);
    }
    ctx.restore();
    this.axes(ctx, at, w, h);
    const part = seen.to - seen.from;
    if (part < 1) bar(ctx, "here", left + seen.from * w, 0, part * w, 3);
    if (now < left - 1 || now > left + w + 1) return;
    bar(ctx, "here", now - 1, top - 1, 2, h + 1);
    disc(ctx, now, top - 2, 5.5);
    fill(ctx, "here");
  }

  /** axes draws the clocks below, the PEs at the right, and the line of half of them.
   * @param {Pen} ctx @param {(clock: number) => number} at @param {number} w @param {number} h */
  axes(ctx, at, w, h) {
    const {length} = this.run, last = length || seen.end, y = top + h;
    const by = step(seen.end * (seen.to - seen.from), w / 85);
    const from = Math.ceil(seen.from * seen.end / by) * by;
    line(ctx, left, top + h / 2, left + w, top + h / 2);
    stroke(ctx, "line", 1, [2, 4]);
    type(ctx, 12, "", "alphabetic");
    bar(ctx, "edge", left, y, w, 1);
    const two = page.versus?.on, end = two && length ? `done at ${count(last)}`
      : `${count(last)} clocks`, ends = length && at(last) <= left + w;
    const {width} = ctx.measureText(end), room = ends ? at(last) - width - 14 : left + w;
    for (let clock = from; clock <= last; clock += by) {
      const words = count(clock), wide = ctx.measureText(words).width;
      const first = at(clock) < left + wide / 2;
      if (at(clock) + wide / 2 > room) break;
      bar(ctx, "edge", at(clock) - 0.5, y, 1, 4);
      write(ctx, words, first ? left - 3 : at(clock), y + 16, first ? "left" : "center", "faint");
    }
    if (ends) {
      bar(ctx, "edge", at(last) - 0.5, y, 1, 4);
      write(ctx, end, Math.max(at(last), width) + 4, y + 16, "right", "faint");
    }
    const x = left + w + 8;
    write(ctx, count(this.run.net?.next.length ?? 0), x, top + 9, "left", "faint");
    if (h > 34 * scale()) write(ctx, "half", x, top + h / 2 + 4, "left", "faint");
    write(ctx, "0 PEs", x, y, "left", "faint");
    if (!two) return;
    bar(ctx, "paper", left, top, 15, 15);
    type(ctx, 12, "bold");
    write(ctx, this.run.name, left + 3, top + 12, "left", `run-${this.run.name.toLowerCase()}`);
  }
}
