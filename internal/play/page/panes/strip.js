// Every PE over the whole run, above the time line: a row is a PE, and time goes to the right as
// in the time line. It opens by its button, its key, or a pull from the time line upwards.
import {states} from "../draw/machine.js";
import {margins, view} from "../draw/timeline.js";
import {page} from "../state/page.js";
import {colour, fit, get, type, write} from "../util.js";

const patience = 700; // milliseconds between two questions about an unfinished run [chosen]

/** bytes returns the red, green and blue of a colour. @param {string} name */
function bytes(name) {
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.fillStyle = colour(name);
  const hex = String(pen.fillStyle);
  return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
}

export class Strip {
  canvas = get("strip");
  /** @type {Emsim.Strip} */ known = null;
  /** @type {Emsim.Ahead} */ of = null; // what is known of
  side = 0; // whose run it is
  asked = 0;
  /** @type {OffscreenCanvas} a pixel for a PE and a clock */ pixels = null;
  theme = "";

  constructor() {
    get("strip-open").onclick = () => this.show(Boolean(this.canvas.hidden));
    this.canvas.onclick = e => {
      const {clock, pe} = this.at(e);
      page.travel(clock).then(() => page.inspect.choose(pe));
    };
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** show opens or closes it. @param {boolean} open */
  show(open) {
    this.canvas.hidden = !open;
    get("strip-open").ariaExpanded = String(open);
    this.draw();
  }

  /** at returns the clock and the PE at a place. @param {MouseEvent} e */
  at(e) {
    const {clientWidth: w, clientHeight: h} = this.canvas, {from, to} = view(), n = this.rows;
    const part = from + (e.offsetX - margins.left) / (w - margins.left - margins.right) * (to - from);
    const clock = Math.max(0, Math.min(page.timeline.end, Math.round(part * page.timeline.end)));
    return {clock, pe: Math.max(0, Math.min(n - 1, Math.floor(e.offsetY / h * n)))};
  }

  get rows() { return page.net.next.length; }

  // learn asks what the PEs have done, if more is known of the run than before.
  async learn() {
    const {whole} = page.timeline;
    if (!whole || whole === this.of) return;
    if (!whole.ended && performance.now() - this.asked < patience) return;
    Object.assign(this, {of: whole, asked: performance.now()});
    const known = await page.ask("strip");
    if (!known || page.timeline.whole !== whole && whole.ended) return;
    this.known = known;
    this.paint();
    this.draw();
  }

  // paint makes the pixels.
  paint() {
    const {clocks, states: list} = this.known, wide = clocks.length, high = list[0]?.length ?? 0;
    this.theme = document.documentElement.dataset.theme;
    this.pixels = null;
    if (wide < 2 || high !== this.rows) return;
    const image = new ImageData(wide, high), known = new Map(Object.entries(states)
      .map(([letter, name]) => [letter, bytes(name)]));
    list.forEach((row, x) => [...row].forEach((letter, y) =>
      image.data.set([...known.get(letter), 255], (y * wide + x) * 4)));
    this.pixels = new OffscreenCanvas(wide, high);
    this.pixels.getContext("2d").putImageData(image, 0, 0);
  }

  draw() {
    if (this.canvas.hidden || page.stale) return;
    if (!page.timeline.whole || this.side !== page.engine.side) { // another run
      Object.assign(this, {pixels: null, of: null, side: page.engine.side});
    }
    this.learn();
    const {ctx, w: wide, h} = fit(this.canvas), {left, right} = margins, w = wide - left - right;
    if (this.pixels && this.theme !== document.documentElement.dataset.theme) this.paint();
    const {from, to} = view(), {end, clock} = page.timeline;
    ctx.fillStyle = colour("idle");
    ctx.fillRect(left, 0, w, h);
    if (this.pixels) {
      const {clocks} = this.known, every = clocks[1] - clocks[0], last = clocks.at(-1) / end;
      const part = Math.max(0, Math.min(1, (last - from) / (to - from)));
      ctx.imageSmoothingEnabled = false;
      ctx.drawImage(this.pixels, from * end / every, 0, part * (to - from) * end / every,
        this.pixels.height, left, 0, part * w, h);
    }
    this.lines(ctx, w, h);
    const now = left + (clock / end - from) / (to - from) * w;
    ctx.fillStyle = colour("here");
    if (now >= left && now <= left + w) ctx.fillRect(now - 1, 0, 2, h);
  }

  /** lines draws a line between two groups, and their numbers.
   * @param {CanvasRenderingContext2D} ctx @param {number} w @param {number} h */
  lines(ctx, w, h) {
    const {groups} = page.net, tall = h / groups, by = Math.ceil(13 / tall);
    type(ctx, 12);
    ctx.textBaseline = "middle";
    for (let g = 0; g < groups; g++) {
      ctx.fillStyle = colour("paper");
      if (tall > 8) ctx.fillRect(margins.left, g * tall - 0.75, w, 1.5);
      if (g % by > 0) continue;
      write(ctx, g ? `${g}` : "group 0", margins.left + w + 6, (g + 0.5) * tall, "left", colour("faint"));
    }
  }
}
