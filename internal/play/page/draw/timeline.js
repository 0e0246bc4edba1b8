// The time line: what the PEs do over the whole run, with an axis, and where the page is. What
// is past has its full colours.
import {colour, count, fit} from "../util.js";

const bands = ["s0", "s1", "s2"]; // at work, only the IBU, waiting for the network
const left = 6, right = 46, top = 9, foot = 20; // pixels around the picture
export const margins = {left, right}; // for what stands above it

/** @typedef {{from: number, to: number, parts: number[]}} Bin a stretch of clocks and the shares of the bands */

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

  /** @param {HTMLCanvasElement} canvas @param {HTMLInputElement} slider @param {(clock: number) => void} go */
  constructor(canvas, slider, go) {
    this.canvas = canvas;
    this.slider = slider;
    slider.addEventListener("input", () => go(Number(slider.value)));
    const seek = (/** @type {PointerEvent} */ e) => {
      const part = (e.offsetX - left) / (canvas.clientWidth - left - right);
      go(Math.max(0, Math.min(this.end, Math.round(part * this.end))));
    };
    canvas.addEventListener("pointerdown", e => { canvas.setPointerCapture(e.pointerId); seek(e); });
    canvas.addEventListener("pointermove", e => { if (e.buttons & 1) seek(e); });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** show shows so many clocks, and where the slider is.
   * @param {Emsim.Frame} frame @param {number} span */
  show(frame, span, clock = frame.clock) {
    Object.assign(this, {clock: frame.clock, end: span, pes: frame.state.length});
    this.slider.max = String(span);
    this.slider.value = String(clock);
    this.slider.setAttribute("aria-valuetext", this.length && clock > this.length ? "after the end" : `clock ${clock}`);
    this.draw();
  }

  // length is that of the run up to its result; 0: not known.
  get length() { return this.whole?.length ?? 0; }

  // reach is the last clock that is known of.
  get reach() { return this.whole?.clocks.at(-1) ?? 0; }

  // known is what is known of most clocks.
  get known() { return this.series && this.series.clocks.at(-1) > this.reach ? this.series : this.whole; }

  clear() {
    this.series = this.whole = null;
    this.draw();
  }

  /** bins are the series in stretches of some pixels. @param {number} w @returns {Bin[]} */
  bins(w) {
    const {clocks, states} = this.known, bins = [], most = this.end / w * 3;
    for (let i = 1, from = 0; i < clocks.length; i++) {
      if (clocks[i] - clocks[from] < most && i < clocks.length - 1) continue;
      const part = states[i].map((n, k) => n - states[from][k]), sum = part.reduce((a, b) => a + b, 0) || 1;
      bins.push({from: clocks[from], to: clocks[i], parts: part.slice(0, bands.length).map(n => n / sum)});
      from = i;
    }
    return bins;
  }

  draw() {
    const {ctx, w: wide, h: tall} = fit(this.canvas), w = wide - left - right, h = tall - top - foot;
    if (w < 10 || h < 4) return;
    const at = (/** @type {number} */ clock) => left + clock / this.end * w;
    ctx.fillStyle = colour("pale");
    ctx.fillRect(left, top, w, h);
    for (const {from, to, parts} of this.known ? this.bins(w) : []) {
      for (let k = 0, y = top + h; k < bands.length; k++) {
        ctx.fillStyle = colour(bands[k]);
        y -= parts[k] * h;
        ctx.fillRect(at(from), y, at(to) - at(from) + 0.4, parts[k] * h);
      }
    }
    const now = Math.max(left, Math.min(left + w, at(this.clock)));
    ctx.globalAlpha = 0.58; // what is to come is pale
    ctx.fillStyle = colour("paper");
    ctx.fillRect(now, top, left + w - now, h);
    ctx.globalAlpha = 1;
    if (this.length && this.length < this.end) this.rests(ctx, at(this.length), left + w, h);
    this.axes(ctx, at, w, h);
    ctx.fillStyle = ctx.strokeStyle = colour("here");
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(now, top - 1);
    ctx.lineTo(now, top + h);
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(now, top - 2, 5.5, 0, 7);
    ctx.fill();
  }

  /** axes draws the clocks below, the PEs at the right, and the line of half of them.
   * @param {CanvasRenderingContext2D} ctx @param {(clock: number) => number} at @param {number} w @param {number} h */
  axes(ctx, at, w, h) {
    const last = this.length || this.end, by = step(last, w / 85), y = top + h;
    ctx.strokeStyle = colour("line");
    ctx.lineWidth = 1;
    ctx.setLineDash([2, 4]);
    ctx.beginPath();
    ctx.moveTo(left, top + h / 2);
    ctx.lineTo(left + w, top + h / 2);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.strokeStyle = colour("edge");
    ctx.fillStyle = colour("faint");
    ctx.font = `12px ${colour("font")}`;
    ctx.textBaseline = "alphabetic";
    ctx.beginPath();
    ctx.moveTo(left, y + 0.5);
    ctx.lineTo(left + w, y + 0.5);
    const end = `${count(last)} clocks`, room = at(last) - ctx.measureText(end).width - 14;
    for (let clock = 0; clock <= last; clock += by) {
      const words = count(clock), wide = ctx.measureText(words).width;
      if (this.length && at(clock) + wide / 2 > room) break;
      ctx.moveTo(at(clock), y);
      ctx.lineTo(at(clock), y + 4);
      ctx.textAlign = clock === 0 ? "left" : "center";
      ctx.fillText(words, clock === 0 ? left - 3 : at(clock), y + 16);
    }
    if (this.length) {
      ctx.moveTo(at(last), y);
      ctx.lineTo(at(last), y + 4);
      ctx.textAlign = "right";
      ctx.fillText(end, at(last) + 4, y + 16);
    }
    ctx.stroke();
    ctx.textAlign = "left";
    for (const [words, height] of /** @type {[string, number][]} */ ([[count(this.pes), top + 9], ["half", top + h / 2 + 4], ["0 PEs", y]])) {
      if (h > 34 || height !== top + h / 2 + 4) ctx.fillText(words, left + w + 8, height);
    }
    if (!this.name) return;
    ctx.fillStyle = colour("paper");
    ctx.fillRect(left, top, 15, 15);
    ctx.fillStyle = colour("ink");
    ctx.font = `bold 12px ${colour("font")}`;
    ctx.fillText(this.name, left + 3, top + 12);
  }

  /** rests hatches what follows the result, until the machine is at rest.
   * @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} to @param {number} h */
  rests(ctx, x, to, h) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(x, top, to - x, h);
    ctx.clip();
    ctx.fillStyle = colour("pale");
    ctx.fillRect(x, top, to - x, h);
    ctx.strokeStyle = colour("faint");
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (let i = x - h; i < to; i += 5) { ctx.moveTo(i, top + h); ctx.lineTo(i + h, top); }
    ctx.stroke();
    ctx.restore();
  }
}
