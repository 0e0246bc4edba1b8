// What all pictures on a canvas are drawn with. An ink is the name of a colour of the page, or
// another colour.

// colour returns a colour of the page; a large machine asks thousands of times a picture. forget
// is called when the colours change.
/** @type {Map<string, string>} */
const colours = new Map();
/** @type {Map<string, number[]>} */
const parts = new Map();
export const forget = () => { colours.clear(); parts.clear(); };
/** @param {string} name */
export function colour(name) {
  const known = colours.get(name);
  if (known) return known;
  const of = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  colours.set(name, of || name);
  return of || name;
}

/** bytes returns the red, green and blue of a colour. @param {string} name */
export function bytes(name) {
  if (!parts.has(name)) {
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    pen.fillStyle = colour(name);
    const hex = String(pen.fillStyle);
    parts.set(name, [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)));
  }
  return parts.get(name);
}

/** mixed returns a share of one colour with the rest of another, and black or white, whichever can
 * be read on it. @param {string} one @param {string} other @param {number} share
 * @returns {[string, string]} */
export function mixed(one, other, share) {
  const [a, b] = [one, other].map(bytes), all = a.map((x, i) => x * share + b[i] * (1 - share));
  const [red, green, blue] = all.map(x => ((x / 255 + 0.055) / 1.055) ** 2.4); // as sRGB is defined
  const bright = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
  return [`rgb(${all.map(Math.round)})`, bright ? "#000" : "#fff"];
}

// scale is how many times as large letters are, as in a lecture.
export const scale = () => Number(colour("scale")) || 1;

/** type chooses the letters. @param {Pen} ctx @param {number} size in pixels, without that of a
 * lecture @param {string} [weight] @param {CanvasTextBaseline} [base] */
export function type(ctx, size, weight = "", base = ctx.textBaseline) {
  ctx.font = `${weight} ${(size * scale()).toFixed(1)}px ${colour("font")}`;
  ctx.textBaseline = base;
}

/** write writes words. @param {Pen} ctx @param {string} words @param {number} x @param {number} y
 * @param {CanvasTextAlign} align @param {string} ink @param {number} [most] their width */
export function write(ctx, words, x, y, align, ink, most) {
  ctx.textAlign = align;
  ctx.fillStyle = colour(ink);
  ctx.fillText(words, x, y, most);
}

/** stroke draws the lines of the path. @param {Pen} ctx @param {string} ink */
export function stroke(ctx, ink, width = 1, /** @type {number[]} */ dash = []) {
  ctx.strokeStyle = colour(ink);
  ctx.lineWidth = width;
  ctx.setLineDash(dash);
  ctx.stroke();
}

/** fill fills the path. @param {Pen} ctx @param {string} ink */
export function fill(ctx, ink) {
  ctx.fillStyle = colour(ink);
  ctx.fill();
}

/** bar fills a rectangle. @param {Pen} ctx @param {string} ink
 * @param {[number, number, number, number]} place */
export function bar(ctx, ink, ...place) {
  ctx.fillStyle = colour(ink);
  ctx.fillRect(...place);
}

/** line makes a path through points, each an x and a y. @param {Pen} ctx
 * @param {number[]} points */
export function line(ctx, ...points) {
  ctx.beginPath();
  for (let i = 0; i < points.length; i += 2) ctx.lineTo(points[i], points[i + 1]);
}

/** disc makes the path of a circle. @param {Pen} ctx @param {number} x @param {number} y
 * @param {number} r */
export function disc(ctx, x, y, r) {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
}

/** box makes the path of a rectangle with round corners. @param {Pen} ctx
 * @param {[number, number, number, number, number]} place and the radius of its corners */
export function box(ctx, ...place) {
  ctx.beginPath();
  ctx.roundRect(...place);
}

/** hatch hatches the path, whose rectangle is given. @param {Pen} ctx @param {string} ink
 * @param {number} x @param {number} y @param {number} w @param {number} h */
export function hatch(ctx, ink, x, y, w, h) {
  ctx.save();
  ctx.clip();
  ctx.globalAlpha = 0.4;
  ctx.beginPath();
  for (let k = -h; k < w; k += 6) {
    ctx.moveTo(x + k, y + h);
    ctx.lineTo(x + k + h, y);
  }
  stroke(ctx, ink);
  ctx.restore();
}

/** fit gives a canvas the pixels of its place on the screen, and returns its context in units of
 * the page. @param {HTMLCanvasElement} canvas */
export function fit(canvas) {
  const dpr = window.devicePixelRatio || 1, {clientWidth: w, clientHeight: h} = canvas;
  const wide = Math.round(w * dpr), high = Math.round(h * dpr), ctx = canvas.getContext("2d");
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas,
    {width: wide, height: high});
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  ctx.clearRect(0, 0, w, h);
  return {ctx, w, h};
}
