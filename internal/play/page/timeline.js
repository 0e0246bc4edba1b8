// What the PEs did over the run: a picture of the four states, and a slider over
// all clocks.
import {colour, fit} from "./util.js";

const states = ["s0", "s1", "s2", "s3"]; // at work, only the IBU, waiting for the network, idle

export class Timeline {
  /** @type {Emsim.SeriesAnswer} */ series = null;
  clock = 0;
  start = 0;
  end = 1;

  /** @param {HTMLCanvasElement} canvas @param {HTMLInputElement} slider @param {(clock: number) => void} go */
  constructor(canvas, slider, go) {
    this.canvas = canvas;
    this.slider = slider;
    slider.addEventListener("input", () => go(Number(slider.value)));
    canvas.addEventListener("click", e => go(Math.round(this.start + (e.offsetX / canvas.clientWidth) * (this.end - this.start))));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** @param {Emsim.Frame} frame @param {number} start */
  show(frame, start) {
    this.clock = frame.clock;
    this.start = start;
    this.end = Math.max(start + 1, frame.furthest);
    this.slider.min = String(start);
    this.slider.max = String(frame.furthest);
    this.slider.value = String(frame.clock);
    this.slider.setAttribute("aria-valuetext", `clock ${frame.clock}, ${frame.clock - start} of the run`);
    this.draw();
  }

  clear() {
    this.series = null;
    this.draw();
  }

  draw() {
    const {ctx, w, h} = fit(this.canvas), s = this.series;
    if (w < 10) return;
    ctx.fillStyle = colour("s3");
    ctx.fillRect(0, 0, w, h);
    const at = (/** @type {number} */ clock) => (clock - this.start) / (this.end - this.start) * w;
    for (let i = 1; i < (s?.clocks.length ?? 0); i++) {
      const x = at(s.clocks[i - 1]), width = Math.max(0.5, at(s.clocks[i]) - x) + 0.4;
      const part = s.states[i].map((n, k) => n - s.states[i - 1][k]), sum = part.reduce((a, b) => a + b, 0) || 1;
      for (let k = 0, y = h; k < 3; k++) {
        const tall = part[k] / sum * h;
        y -= tall;
        ctx.fillStyle = colour(states[k]);
        ctx.fillRect(x, y, width, tall);
      }
    }
    ctx.strokeStyle = colour("line");
    ctx.lineWidth = 1;
    ctx.strokeRect(0.5, 0.5, w - 1, h - 1);
    const now = Math.max(1, Math.min(w - 1, at(this.clock)));
    ctx.strokeStyle = colour("rust");
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(now, 0);
    ctx.lineTo(now, h);
    ctx.stroke();
  }
}
