// The callouts of the first sight: lines from real PEs, and from a packet, to words at the
// right of the machine.
import {states} from "./appearance.js";
import {onLink} from "./geometry.js";
import {disc, fill, line, scale, stroke, type, write} from "./pen.js";

/** @type {CallKind[]} */
const kinds = [
  {state: "W", rows: [0, 0.25], why: "the link ahead is taken"},
  {state: "packet", rows: [0.25, 0.5]},
  {state: "S", rows: [0.5, 0.8], why: "more packets than its buffer holds go there"},
  {state: "M", rows: [0.8, 0.95], why: "an operand has found its partner"},
];

/** room is the width that callouts need. @param {number} w of the whole picture */
export const room = w => (w < 880 ? 0 : w < 1250 ? 160 : 250);

/** lines breaks words. @param {Pen} ctx @param {string} words @param {number} most */
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

  /** pe chooses one that is in a state, in the two columns beside the words; rather near the
   * rows of the state's words. @param {Drawing} m @param {CallKind} kind */
  pe(m, {state, rows: [from, to]}) {
    const {net: {groups, members}, frame: f} = m, before = this.shown.get(state);
    if (before !== undefined && f.state[before] === state) return before;
    const far = (/** @type {number} */ i) => {
      const row = Math.floor(i / members) - groups * (from + to) / 2;
      return Math.abs(row) + members - i % members;
    };
    const list = [...f.state].map((_, i) => i)
      .filter(i => f.state[i] === state && i % members >= members - 2);
    list.sort((i, j) => far(i) - far(j) || i - j);
    if (list.length) this.shown.set(state, list[0]);
    return list[0];
  }

  /** at is where a line begins, at which height it goes on, and what it says.
   * @param {Drawing} m @param {CallKind} kind @param {number} h */
  at(m, kind, h) {
    const {box, tall, pitchY, top} = m.g, {state, rows, why} = kind;
    if (state === "packet") { // one on a link, far at the right
      const near = m.corner(m.net.members - 2)[0];
      const spot = m.spots.filter(([x, y, p]) => p.kind === "data" && onLink(p) && x > near
        && y > rows[0] * h && y < rows[1] * h).sort((one, other) => other[0] - one[0])[0];
      if (!spot) return null;
      const [left, high, {pe: to, in: by, to: aim}] = spot;
      const words = `takes an operand from ${m.address(m.from[to][by])} to ${m.address(aim)}`;
      const below = top + (Math.floor((high - top) / pitchY) + 1) * pitchY;
      return {x: left, y: high, gap: below, does: "A packet", why: words};
    }
    const pe = this.pe(m, kind);
    if (pe === undefined) return null;
    const corner = m.corner(pe), foot = corner[1] + tall, gap = foot + (pitchY - tall) / 2;
    const does = `${m.address(pe)} ${states[state].does}`;
    return {x: corner[0] + box - 9, y: foot - 3, gap, does, why};
  }

  /** draw draws them from a place on: from the lowest up, so that none covers another.
   * @param {Pen} ctx @param {Drawing} m @param {number} from @param {number} most their width
   * @param {number} h */
  draw(ctx, m, from, most, h) {
    const pitch = 17 * scale();
    let foot = h; // below which there is no room
    const list = kinds.map(kind => this.at(m, kind, h)).filter(Boolean);
    for (const told of list.sort((one, other) => other.gap - one.gap)) {
      const {x, y, gap, does, why} = told;
      line(ctx, x, y, x + 6, gap, from - 5, gap);
      stroke(ctx, "paper", 4);
      stroke(ctx, "ink", 1.2);
      disc(ctx, x, y, 3.5);
      fill(ctx, "paper");
      stroke(ctx, "ink", 1.2);
      type(ctx, 14, "bold", "middle");
      const heads = lines(ctx, does, most);
      type(ctx, 14);
      const all = [...heads, ...lines(ctx, why, most)];
      const high = Math.min(gap, foot - pitch * (all.length - 0.4));
      foot = high - pitch * 0.6;
      all.forEach((words, i) => {
        const head = i < heads.length;
        type(ctx, 14, head ? "bold" : "");
        write(ctx, words, from, high + i * pitch, "left", head ? "ink" : "faint");
      });
    }
  }
}
