// The callouts of the first sight: lines from real PEs, and from a packet, to words at the
// right of the machine.
import {colour, type, write} from "../util.js";

/** @typedef {{state: string, rows: [number, number], does: string, why: string}} Kind rows are
 * parts of the height */

/** @type {Kind[]} */
const kinds = [
  {state: "W", rows: [0, 0.25], does: "waits for the network", why: "the link ahead is taken"},
  {state: "packet", rows: [0.25, 0.5], does: "A packet", why: ""},
  {state: "S", rows: [0.5, 0.8], does: "spills",
    why: "more packets than its buffer holds go to its memory"},
  {state: "M", rows: [0.8, 0.95], does: "matches", why: "an operand has found its partner"},
];

/** room is the width that callouts need. @param {number} w of the whole picture */
export const room = w => (w < 880 ? 0 : w < 1250 ? 160 : 250);

/** lines breaks words. @param {CanvasRenderingContext2D} ctx @param {string} words
 * @param {number} most */
function lines(ctx, words, most) {
  const list = [""];
  for (const word of words.split(" ")) {
    const longer = `${list.at(-1)} ${word}`.trim();
    if (ctx.measureText(longer).width <= most || list.at(-1) === "") list[list.length - 1] = longer;
    else list.push(word);
  }
  return list;
}

export class Callouts {
  /** @type {Map<string, number>} the PE of a state, as long as it is in it */ shown = new Map();

  /** pe chooses one that is in a state, far at the right.
   * @param {import("./machine.js").Picture} m @param {Kind} kind */
  pe(m, {state, rows: [from, to]}) {
    const {net: {groups, members}, frame: f} = m, before = this.shown.get(state);
    if (before !== undefined && f.state[before] === state) return before;
    const row = (/** @type {number} */ i) => Math.floor(i / members) / groups;
    const list = [...f.state].map((_, i) => i)
      .filter(i => f.state[i] === state && row(i) >= from && row(i) < to);
    list.sort((i, j) => j % members - i % members || i - j);
    if (list.length) this.shown.set(state, list[0]);
    return list[0];
  }

  /** at is where a line begins, at which height it goes on, and what it says.
   * @param {import("./machine.js").Picture} m @param {Kind} kind @param {number} h
   * @returns {{at: [number, number], gap: number, does: string, why: string}} */
  at(m, kind, h) {
    const {box, tall, pitchY, top} = m.g, {state, rows, does, why} = kind;
    if (state === "packet") { // one on a link, far at the right
      const spot = (m.spots ?? []).filter(([, y, p]) => p.kind === "data" && p.in < 2 && p.left > 0
        && y > rows[0] * h && y < rows[1] * h).sort((one, other) => other[0] - one[0])[0];
      if (!spot) return null;
      const [left, high, {pe: to, in: by, to: aim}] = spot;
      const words = `takes an operand from ${m.address(m.from[to][by])} to ${m.address(aim)}`;
      const below = top + (Math.floor((high - top) / pitchY) + 1) * pitchY;
      return {at: [left, high], gap: below, does, why: words};
    }
    const pe = this.pe(m, kind);
    if (pe === undefined) return null;
    const corner = m.corner(pe), foot = corner[1] + tall, gap = foot + (pitchY - tall) / 2;
    return {at: [corner[0] + box - 9, foot - 3], gap, does: `${m.address(pe)} ${does}`, why};
  }

  /** draw draws them from x on. @param {CanvasRenderingContext2D} ctx
   * @param {import("./machine.js").Picture} m @param {number} x @param {number} most their width
   * @param {number} h */
  draw(ctx, m, x, most, h) {
    for (const kind of kinds) {
      const told = this.at(m, kind, h);
      if (!told) continue;
      const {at, gap, does, why} = told;
      for (const [ink, width] of /** @type {[string, number][]} */ ([["paper", 4], ["ink", 1.2]])) {
        ctx.strokeStyle = colour(ink);
        ctx.lineWidth = width;
        ctx.beginPath();
        ctx.moveTo(...at);
        ctx.lineTo(at[0] + 6, gap);
        ctx.lineTo(x - 5, gap);
        ctx.stroke();
      }
      ctx.beginPath();
      ctx.arc(...at, 3.5, 0, 7);
      ctx.fillStyle = colour("paper");
      ctx.fill();
      ctx.stroke();
      ctx.textBaseline = "middle";
      type(ctx, 14, "bold");
      const heads = lines(ctx, does, most);
      heads.forEach((line, i) => write(ctx, line, x, gap + i * 17, "left", colour("ink")));
      type(ctx, 14);
      lines(ctx, why, most).forEach((line, i) =>
        write(ctx, line, x, gap + (heads.length + i) * 17, "left", colour("faint")));
    }
  }
}
