// What all pictures are drawn with. An ink is the name of a colour of the page, or another colour.

export const count = (/** @type {number} */ n) => n.toLocaleString("en-US");

/** @type {Record<string, {ink: string, word: string, does: string, all: string}>} by state: its
 * colour, a word in a PE, what a PE does, and what many do */
export const states = {
  R: {ink: "runs", word: "runs", does: "runs a block", all: "run a block"},
  M: {ink: "matches", word: "matches", does: "matches operands", all: "match operands"},
  S: {ink: "spills", word: "spills", does: "spills to memory", all: "spill to memory"},
  W: {ink: "waits", word: "net wait", does: "waits for the network", all: "wait for the network"},
  o: {ink: "partner", word: "no partner", does: "waits for a partner", all: "wait for a partner"},
  ".": {ink: "idle", word: "no work", does: "has no work", all: "have no work"},
  "!": {ink: "failed", word: "failed", does: "has failed", all: "have failed"},
};

// Pen draws on a canvas of a size. A path is made first (line, disc, box), then it is filled,
// hatched or stroked.
export class Pen {
  /** @param {CanvasRenderingContext2D} ctx @param {number} w @param {number} h
   * @param {(name: string) => string} style finds the page's colours, font and scale */
  constructor(ctx, w, h, style) {
    this.ctx = ctx;
    this.w = w;
    this.h = h;
    this.style = style;
    // scale is how many times as large letters are, as in a lecture.
    this.scale = Number(style("scale")) || 1;
  }

  /** bytes returns the red, green and blue of a colour. @param {string} ink */
  bytes(ink) {
    this.ctx.fillStyle = this.style(ink);
    const hex = String(this.ctx.fillStyle);
    return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
  }

  /** mixed returns a share of one colour with the rest of another, and black or white, whichever
   * can be read on it. @param {string} one @param {string} other @param {number} share
   * @returns {[string, string]} */
  mixed(one, other, share) {
    const [a, b] = [one, other].map(x => this.bytes(x));
    const all = a.map((x, i) => x * share + b[i] * (1 - share));
    const [red, green, blue] = all.map(x => ((x / 255 + 0.055) / 1.055) ** 2.4); // as in sRGB
    const bright = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
    return [`rgb(${all.map(Math.round)})`, bright ? "#000" : "#fff"];
  }

  /** type chooses the letters; size is in pixels outside of a lecture. @param {number} size
   * @param {string} [weight] @param {CanvasTextBaseline} [base] */
  type(size, weight = "", base = this.ctx.textBaseline) {
    this.ctx.font = `${weight} ${(size * this.scale).toFixed(1)}px ${this.style("font")}`;
    this.ctx.textBaseline = base;
  }

  wide(/** @type {string} */ words) { return this.ctx.measureText(words).width; }

  /** write writes words. @param {string} words @param {number} x @param {number} y
   * @param {CanvasTextAlign} align @param {string} ink @param {number} [most] their width */
  write(words, x, y, align, ink, most) {
    this.ctx.textAlign = align;
    this.ctx.fillStyle = this.style(ink);
    this.ctx.fillText(words, x, y, most);
  }

  /** bar fills a rectangle. @param {string} ink @param {number} x @param {number} y
   * @param {number} w @param {number} h */
  bar(ink, x, y, w, h, alpha = 1) {
    this.ctx.globalAlpha = alpha;
    this.ctx.fillStyle = this.style(ink);
    this.ctx.fillRect(x, y, w, h);
    this.ctx.globalAlpha = 1;
  }

  /** line makes a path through points, each an x and a y. @param {number[]} points */
  line(...points) {
    this.ctx.beginPath();
    for (let i = 0; i < points.length; i += 2) this.ctx.lineTo(points[i], points[i + 1]);
    return this;
  }

  /** disc makes the path of a circle. @param {number} x @param {number} y @param {number} r */
  disc(x, y, r) {
    this.ctx.beginPath();
    this.ctx.arc(x, y, r, 0, 7);
    return this;
  }

  /** box makes the path of a rectangle. @param {[number, number, number, number, number?]} place
   * with the radius of its corners */
  box(...place) {
    this.ctx.beginPath();
    this.ctx.roundRect(...place);
    return this;
  }

  stroke(/** @type {string} */ ink, width = 1, /** @type {number[]} */ dash = []) {
    this.ctx.strokeStyle = this.style(ink);
    this.ctx.lineWidth = width;
    this.ctx.setLineDash(dash);
    this.ctx.stroke();
    return this;
  }

  fill(/** @type {string} */ ink, alpha = 1) {
    this.ctx.globalAlpha = alpha;
    this.ctx.fillStyle = this.style(ink);
    this.ctx.fill();
    this.ctx.globalAlpha = 1;
    return this;
  }

  /** hatch hatches the path, whose rectangle is given. @param {string} ink @param {Spot} spot */
  hatch(ink, {x, y, w, h}) {
    this.ctx.save();
    this.ctx.clip();
    this.ctx.globalAlpha = 0.4;
    this.ctx.beginPath();
    for (let k = -h; k < w; k += 6) {
      this.ctx.moveTo(x + k, y + h);
      this.ctx.lineTo(x + k + h, y);
    }
    this.stroke(ink);
    this.ctx.restore();
  }
}
