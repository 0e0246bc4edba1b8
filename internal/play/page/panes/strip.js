// Every PE over the whole run, above the time line: a row is a PE, and time goes to the right as
// in the time line. It opens by its button, its key, or a pull from the time line upwards.
import {states} from "../draw/appearance.js";
import {bar, bytes, fit, type, write} from "../draw/pen.js";
import {clockAt, margins, reach, seen} from "../draw/timeline.js";
import {page} from "../state/page.js";
import {get} from "../util.js";

const patience = 700; // milliseconds between two questions about an unfinished run [chosen]

export class Strip {
  canvas = get("strip");
  /** @type {Emsim.Strip} */ known = null;
  /** @type {Emsim.Ahead} */ of = null; // what is known of
  /** @type {Run} */ run = null; // that is shown
  asked = 0;
  /** @type {OffscreenCanvas} a pixel for a PE and a clock, of a long run for several clocks */
  pixels = null;

  constructor() {
    this.canvas.onclick = e => {
      const row = Math.floor(e.offsetY / this.canvas.clientHeight * this.rows);
      const pe = Math.max(0, Math.min(this.rows - 1, row));
      page.travel(clockAt(e)).then(() => page.inspect.choose(pe));
    };
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** show opens or closes it. @param {boolean} open */
  show(open) {
    this.canvas.hidden = !open;
    get("strip-open").ariaExpanded = String(open);
    this.draw();
  }

  get rows() { return page.run.net.next.length; }

  // learn asks what the PEs have done, if more is known of the run than before.
  async learn() {
    const {whole} = page.run.timeline;
    if (!whole || whole === this.of) return;
    if (!whole.ended && performance.now() - this.asked < patience) return;
    Object.assign(this, {of: whole, asked: performance.now()});
    const known = await page.ask("strip");
    if (!known || page.run.timeline.whole !== whole && whole.ended) return;
    this.known = known;
    this.paint();
    this.draw();
  }

  // paint makes the pixels.
  paint() {
    const {clocks, states: list} = this.known, wide = clocks.length, high = list[0]?.length ?? 0;
    this.pixels = null;
    if (wide < 2 || high !== this.rows) return;
    const image = new ImageData(wide, high), known = new Map(Object.entries(states)
      .map(([letter, {ink}]) => [letter, bytes(ink)]));
    list.forEach((row, x) => [...row].forEach((letter, y) =>
      image.data.set([...known.get(letter), 255], (y * wide + x) * 4)));
    this.pixels = new OffscreenCanvas(wide, high);
    this.pixels.getContext("2d").putImageData(image, 0, 0);
  }

  draw() {
    if (this.canvas.hidden || page.run.stale) return;
    if (!page.run.timeline.whole || this.run !== page.run) { // another run
      Object.assign(this, {pixels: null, of: null, run: page.run});
    }
    this.learn();
    const {ctx, w: wide, h} = fit(this.canvas), {left, right} = margins, w = wide - left - right;
    const {from, to, end} = seen;
    bar(ctx, "idle", left, 0, w, h);
    if (this.pixels) {
      const {clocks} = this.known, every = clocks[1] - clocks[0];
      const part = Math.max(0, Math.min(1, reach(clocks.at(-1))));
      ctx.imageSmoothingEnabled = false;
      ctx.drawImage(this.pixels, from * end / every, 0, part * (to - from) * end / every,
        this.pixels.height, left, 0, part * w, h);
    }
    this.lines(ctx, w, h);
    const now = reach(page.run.timeline.clock);
    if (now >= 0 && now <= 1) bar(ctx, "here", left + now * w - 1, 0, 2, h);
  }

  /** lines draws a line between two groups, and their numbers.
   * @param {Pen} ctx @param {number} w @param {number} h */
  lines(ctx, w, h) {
    const {groups} = page.run.net, tall = h / groups, by = Math.ceil(13 / tall);
    type(ctx, 12, "", "middle");
    for (let g = 0; g < groups; g++) {
      if (tall > 8) bar(ctx, "paper", margins.left, g * tall - 0.75, w, 1.5);
      if (g % by > 0) continue;
      const words = g ? `${g}` : "group 0";
      write(ctx, words, margins.left + w + 6, (g + 0.5) * tall, "left", "faint");
    }
  }
}
