// The time line: what the PEs do over the whole run, with an axis, and where the page is. What
// is past has its full colours. Two of them show the same stretch of clocks.
import {listen} from "../state/keys.js";
import {page} from "../state/page.js";
import {colour, count, fit, type, write} from "../util.js";

const bands = ["s0", "s1", "s2"]; // at work, only the IBU, waiting for the network
const pull = 20; // pixels above the time line, to open the strip of every PE [chosen]
const left = 6, right = 58, top = 9, foot = 20; // pixels around the picture
export const margins = {left, right}; // for what stands above it

const seen = {from: 0, to: 1}; // the part of the run that is shown

export const view = () => seen;

/** reach is where a part 0..1 of the run is in what is shown. @param {number} part */
export const reach = part => (part - seen.from) / (seen.to - seen.from);

/** @typedef {{from: number, to: number, parts: number[]}} Bin a stretch of clocks and the shares of
 * the bands */

/** step is a round distance of marks on an axis. @param {number} span @param {number} most */
export function step(span, most) {
  const rough = Math.max(1, span / Math.max(1, most)), power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map(n => n * power).find(n => n >= rough);
}

export class Timeline {
  /** @type {Emsim.SeriesAnswer} */ series = null; // up to where the page has come
  /** @type {Emsim.Ahead} */ whole = null; // the whole run, as far as it is found
  clock = 0;
  end = 1;
  pes = 0;
  name = ""; // of the run, if there are two

  /** @param {HTMLCanvasElement} canvas @param {(clock: number) => any} go */
  constructor(canvas, go) {
    this.canvas = canvas;
    const seek = (/** @type {PointerEvent} */ e) => {
      const part = seen.from + (e.offsetX - left) / this.w * (seen.to - seen.from);
      go(Math.max(0, Math.min(this.end, Math.round(part * this.end))));
    };
    canvas.addEventListener("pointerdown",
      e => { canvas.setPointerCapture(e.pointerId); seek(e); });
    canvas.addEventListener("pointermove", e => {
      if (e.buttons & 1) seek(e);
      if (e.buttons & 1 && e.offsetY < -pull) page.strip.show(true);
    });
    canvas.addEventListener("dblclick", () => this.zoom(0));
    canvas.addEventListener("wheel", e => {
      e.preventDefault();
      this.zoom(e.deltaY < 0 ? 1.25 : 0.8);
    }, {passive: false});
    const by = (/** @type {string} */ key, n = 1) => {
      go(Math.max(0, page.versus.now + (key.endsWith("Right") ? n : -n)));
    };
    listen(canvas, "timeline", {
      step: key => by(key), ten: key => by(key, 10),
      zoom: key => this.zoom({"+": 1.5, "-": 1 / 1.5}[key] ?? 0),
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  get w() { return this.canvas.clientWidth - left - right; }

  /** zoom shows a shorter or longer part around the play head; 0: all. @param {number} by */
  zoom(by) {
    const now = Math.min(1, this.clock / this.end), {from, to} = seen;
    const wide = by ? Math.min(1, Math.max(20 / this.end, (to - from) / by)) : 1;
    const at = Math.max(0, Math.min(1, reach(now)));
    seen.from = Math.max(0, Math.min(1 - wide, now - at * wide));
    seen.to = seen.from + wide;
    page.versus.draw();
  }

  /** show shows so many clocks, and where the page is.
   * @param {Emsim.Frame} frame @param {number} span */
  show(frame, span, clock = frame.clock) {
    Object.assign(this, {clock: frame.clock, end: span, pes: frame.state.length});
    const words = this.length && clock > this.length ? "after the end" : `clock ${clock}`;
    const aria = {ariaValueMin: 0, ariaValueMax: span, ariaValueNow: clock, ariaValueText: words};
    if (this.canvas.role === "slider") Object.assign(this.canvas, aria);
    this.draw();
  }

  // length is that of the run up to its result; 0: not known.
  get length() { return this.whole?.length ?? 0; }

  // reach is the last clock that is known of.
  get reach() { return this.whole?.clocks.at(-1) ?? 0; }

  // known is what is known of most clocks.
  get known() {
    return this.series && this.series.clocks.at(-1) > this.reach ? this.series : this.whole;
  }

  clear() {
    this.series = this.whole = null;
    Object.assign(seen, {from: 0, to: 1});
    this.draw();
  }

  /** bins are the series in stretches of some pixels. @param {number} w @returns {Bin[]} */
  bins(w) {
    const {clocks, states} = this.known, bins = [], most = this.end * (seen.to - seen.from) / w * 3;
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
    const at = (/** @type {number} */ clock) => left + reach(clock / this.end) * w;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, w, h);
    ctx.clip();
    ctx.fillStyle = colour("pale");
    ctx.fillRect(left, top, w, h);
    for (const {from, to, parts} of this.known ? this.bins(w) : []) {
      for (let k = 0, y = top + h; k < bands.length; k++) {
        ctx.fillStyle = colour(bands[k]);
        y -= parts[k] * h;
        ctx.fillRect(at(from), y, at(to) - at(from) + 0.4, parts[k] * h);
      }
    }
    const now = at(this.clock);
    ctx.globalAlpha = 0.58; // what is to come is pale
    ctx.fillStyle = colour("paper");
    ctx.fillRect(now, top, Math.max(0, left + w - now), h);
    ctx.globalAlpha = 1;
    if (this.length && this.length < this.end) this.rests(ctx, at(this.length), left + w, h);
    ctx.restore();
    this.axes(ctx, at, w, h);
    if (this === page.timeline) page.strip?.draw();
    ctx.fillStyle = ctx.strokeStyle = colour("here");
    const part = seen.to - seen.from;
    if (part < 1) ctx.fillRect(left + seen.from * w, 0, part * w, 3);
    if (now < left - 1 || now > left + w + 1) return;
    ctx.fillRect(now - 1, top - 1, 2, h + 1);
    ctx.beginPath();
    ctx.arc(now, top - 2, 5.5, 0, 7);
    ctx.fill();
  }

  /** axes draws the clocks below, the PEs at the right, and the line of half of them.
   * @param {CanvasRenderingContext2D} ctx @param {(clock: number) => number} at
   * @param {number} w @param {number} h */
  axes(ctx, at, w, h) {
    const last = this.length || this.end, y = top + h, faint = colour("faint");
    const by = step(this.end * (seen.to - seen.from), w / 85);
    const from = Math.ceil(seen.from * this.end / by) * by;
    ctx.strokeStyle = colour("line");
    ctx.lineWidth = 1;
    ctx.setLineDash([2, 4]);
    ctx.beginPath();
    ctx.moveTo(left, top + h / 2);
    ctx.lineTo(left + w, top + h / 2);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.strokeStyle = colour("edge");
    type(ctx, 12);
    ctx.textBaseline = "alphabetic";
    ctx.beginPath();
    ctx.moveTo(left, y + 0.5);
    ctx.lineTo(left + w, y + 0.5);
    const end = `${count(last)} clocks`, ends = this.length && at(last) <= left + w;
    const room = ends ? at(last) - ctx.measureText(end).width - 14 : left + w;
    for (let clock = from; clock <= last; clock += by) {
      const words = count(clock), wide = ctx.measureText(words).width;
      const first = at(clock) < left + wide / 2;
      if (at(clock) + wide / 2 > room) break;
      ctx.moveTo(at(clock), y);
      ctx.lineTo(at(clock), y + 4);
      write(ctx, words, first ? left - 3 : at(clock), y + 16, first ? "left" : "center", faint);
    }
    if (ends) {
      ctx.moveTo(at(last), y);
      ctx.lineTo(at(last), y + 4);
      write(ctx, end, at(last) + 4, y + 16, "right", faint);
    }
    ctx.stroke();
    const x = left + w + 8, half = top + h / 2 + 4;
    for (const [words, height] of /** @type {[string, number][]} */ (
      [[count(this.pes), top + 9], ["half", half], ["0 PEs", y]])) {
      if (h > 34 || height !== half) write(ctx, words, x, height, "left", faint);
    }
    if (!this.name) return;
    ctx.fillStyle = colour("paper");
    ctx.fillRect(left, top, 15, 15);
    type(ctx, 12, "bold");
    write(ctx, this.name, left + 3, top + 12, "left", colour("ink"));
  }

  /** rests hatches what follows the result, until the machine is at rest.
   * @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} to @param {number} h */
  rests(ctx, x, to, h) {
    ctx.fillStyle = colour("pale");
    ctx.fillRect(x, top, to - x, h);
    ctx.beginPath();
    ctx.rect(x, top, to - x, h);
    ctx.clip();
    ctx.strokeStyle = colour("faint");
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (let i = x - h; i < to; i += 5) { ctx.moveTo(i, top + h); ctx.lineTo(i + h, top); }
    ctx.stroke();
  }
}
