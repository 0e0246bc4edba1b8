// The time line: what the PEs do over the whole run, with an axis, and where the page is. What
// is past has its full colours. Two of them show the same stretch of clocks.
import {count, states} from "./pen.js";

const bands = ["runs", "spills", "waits"]; // at work, only the IBU, waiting for the network
const left = 6, right = 58, top = 9, foot = 20; // pixels around the picture

/** What is shown: a part of the clocks up to the end, which two runs share. */
export const seen = {from: 0, to: 1, end: 1};

/** reach is where a clock is in what is shown: 0..1. @param {number} clock */
export const reach = clock => (clock / seen.end - seen.from) / (seen.to - seen.from);

/** clockAt is the clock at a place of a picture. @param {number} x @param {number} w its width */
export function clockAt(x, w) {
  const part = seen.from + (x - left) / (w - left - right) * (seen.to - seen.from);
  return Math.max(0, Math.min(seen.end, Math.round(part * seen.end)));
}

/** step is a round distance of marks on an axis. @param {number} span @param {number} most */
export function step(span, most) {
  const rough = Math.max(1, span / Math.max(1, most)), power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map(n => n * power).find(n => n >= rough);
}

/** bins are the activities in stretches of some pixels. @param {Emsim.Ahead} whole
 * @param {number} w */
function bins({clocks, states: sums}, w) {
  const list = [], most = seen.end * (seen.to - seen.from) / w * 3;
  for (let i = 1, from = 0; i < clocks.length; i++) {
    if (clocks[i] - clocks[from] < most && i < clocks.length - 1) continue;
    const part = sums[i].map((n, k) => n - sums[from][k]);
    const sum = part.reduce((a, b) => a + b, 0) || 1;
    list.push({from: clocks[from], to: clocks[i], parts: bands.map((_, k) => part[k] / sum)});
    from = i;
  }
  return list;
}

/** drawTime draws the time line of a run. @param {Pen} pen @param {Timed} run */
export function drawTime(pen, run) {
  const w = pen.w - left - right, h = pen.h - top - foot, {whole, length} = run;
  if (w < 10 || h < 4) return;
  const at = (/** @type {number} */ clock) => left + reach(clock) * w, now = at(run.clock);
  pen.ctx.save();
  pen.box(left, top, w, h).fill("pale").ctx.clip();
  for (const {from, to, parts} of whole ? bins(whole, w) : []) {
    for (let k = 0, y = top + h; k < bands.length; k++) {
      y -= parts[k] * h;
      pen.bar(bands[k], at(from), y, at(to) - at(from) + 0.4, parts[k] * h);
    }
  }
  pen.bar("paper", now, top, Math.max(0, left + w - now), h, 0.58); // what is to come is pale
  if (length && length < seen.end) { // until the machine is at rest
    const rest = at(length), long = at(whole?.clocks.at(-1) ?? length) - rest;
    pen.box(rest, top, long, h).fill("pale").hatch("ink", {x: rest, y: top, w: long, h});
  }
  pen.ctx.restore();
  axes(pen, run, at, w, h);
  const part = seen.to - seen.from;
  if (part < 1) pen.bar("here", left + seen.from * w, 0, part * w, 3);
  if (now < left - 1 || now > left + w + 1) return;
  pen.bar("here", now - 1, top - 1, 2, h + 1);
  pen.disc(now, top - 2, 5.5).fill("here");
}

/** axes draws the clocks below, the PEs at the right, and the line of half of them.
 * @param {Pen} pen @param {Timed} run @param {(clock: number) => number} at @param {number} w
 * @param {number} h */
function axes(pen, {length, pes, name}, at, w, h) {
  const last = length || seen.end, y = top + h, x = left + w + 8;
  const by = step(seen.end * (seen.to - seen.from), w / 85);
  pen.line(left, top + h / 2, left + w, top + h / 2).stroke("line", 1, [2, 4]);
  pen.type(12, "", "alphabetic");
  pen.bar("edge", left, y, w, 1);
  const end = name && length ? `done at ${count(last)}` : `${count(last)} clocks`;
  const ends = length && at(last) <= left + w, width = pen.wide(end);
  const free = ends ? at(last) - width - 14 : left + w;
  for (let clock = Math.ceil(seen.from * seen.end / by) * by; clock <= last; clock += by) {
    const words = count(clock), half = pen.wide(words) / 2, first = at(clock) < left + half;
    if (at(clock) + half > free) break;
    pen.bar("edge", at(clock) - 0.5, y, 1, 4);
    pen.write(words, first ? left - 3 : at(clock), y + 16, first ? "left" : "center", "faint");
  }
  if (ends) {
    pen.bar("edge", at(last) - 0.5, y, 1, 4);
    pen.write(end, Math.max(at(last), width) + 4, y + 16, "right", "faint");
  }
  pen.write(count(pes), x, top + 9, "left", "faint");
  if (h > 34 * pen.scale) pen.write("half", x, top + h / 2 + 4, "left", "faint");
  pen.write("0 PEs", x, y, "left", "faint");
  if (!name) return;
  pen.bar("paper", left, top, 15, 15);
  pen.type(12, "bold");
  pen.write(name, left + 3, top + 12, "left", `run-${name.toLowerCase()}`);
}

/** grain returns a picture of what every PE has done: a pixel for a PE and a clock.
 * @param {Pen} pen @param {string[]} letters of all PEs, by clock */
export function grain(pen, letters) {
  const wide = letters.length, high = letters[0]?.length ?? 0;
  if (wide < 2) return null;
  const image = new ImageData(wide, high), known = new Map(Object.entries(states)
    .map(([letter, {ink}]) => [letter, pen.bytes(ink)]));
  letters.forEach((row, x) => [...row].forEach((letter, y) =>
    image.data.set([...known.get(letter), 255], (y * wide + x) * 4)));
  const pixels = new OffscreenCanvas(wide, high);
  pixels.getContext("2d").putImageData(image, 0, 0);
  return pixels;
}

/** drawStrip draws what every PE does: a row is a PE, and time goes to the right as in the time
 * line. Lines stand between the groups, whose numbers are at the right.
 * @param {Pen} pen @param {Timed & {groups: number}} run @param {OffscreenCanvas} pixels
 * @param {number[]} clocks of the pixels */
export function drawStrip(pen, {clock, groups}, pixels, clocks) {
  const w = pen.w - left - right, {h} = pen, {from, to, end} = seen, tall = h / groups;
  pen.bar("idle", left, 0, w, h);
  if (pixels) {
    const every = clocks[1] - clocks[0], part = Math.max(0, Math.min(1, reach(clocks.at(-1))));
    pen.ctx.imageSmoothingEnabled = false;
    pen.ctx.drawImage(pixels, from * end / every, 0, part * (to - from) * end / every,
      pixels.height, left, 0, part * w, h);
  }
  pen.type(12, "", "middle");
  for (let g = 0; g < groups; g++) {
    if (tall > 8) pen.bar("paper", left, g * tall - 0.75, w, 1.5);
    if (g % Math.ceil(13 / tall)) continue;
    pen.write(g ? `${g}` : "group 0", left + w + 6, (g + 0.5) * tall, "left", "faint");
  }
  const now = reach(clock);
  if (now >= 0 && now <= 1) pen.bar("here", left + now * w - 1, 0, 2, h);
}
