// What the PEs did over the run: a picture of the four states, and a slider over
// all clocks.
import {colour, fit} from "./util.js";

const states = ["s0", "s1", "s2", "s3"]; // at work, only the IBU, waiting for the network, idle

export class Timeline {
  /** @type {Emsim.SeriesAnswer} */ series = null;
  clock = 0;
  start = 0;
  end = 1;
  name = ""; // of the run, if there are two

  /** @param {HTMLCanvasElement} canvas @param {HTMLInputElement} slider @param {(clock: number) => void} go */
  constructor(canvas, slider, go) {
    this.canvas = canvas;
    this.slider = slider;
    slider.addEventListener("input", () => go(Number(slider.value)));
    canvas.addEventListener("click", e => go(Math.round(this.start + (e.offsetX / canvas.clientWidth) * (this.end - this.start))));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** show shows so many clocks from the start, and where the slider is.
   * @param {Emsim.Frame} frame @param {number} start @param {number} span */
  show(frame, start, span, clock = frame.clock) {
    this.clock = frame.clock;
    this.start = start;
    this.end = start + span;
    this.slider.min = String(start);
    this.slider.max = String(this.end);
    this.slider.value = String(clock);
    this.slider.setAttribute("aria-valuetext", `clock ${clock}, ${clock - start} of the run`);
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
    if (!this.name) return;
    ctx.fillStyle = colour("paper");
    ctx.fillRect(0, 0, 15, 15);
    ctx.fillStyle = colour("ink");
    ctx.font = "bold 12px Helvetica, Arial, sans-serif";
    ctx.fillText(this.name, 3, 12);
  }
}
