// The callouts of the first sight: lines from real PEs, and from a packet, to words at the
// right of the machine.
import {onLink} from "./geometry.js";
import {states} from "./pen.js";

/** @type {CallKind[]} */
const kinds = [
  {state: "W", rows: [0, 0.25], why: "the link ahead is taken"},
  {state: "packet", rows: [0.25, 0.5]},
  {state: "S", rows: [0.5, 0.8], why: "more packets than its buffer holds go there"},
  {state: "M", rows: [0.8, 0.95], why: "an operand has found its partner"},
];

/** room is the width that callouts need. @param {number} w of the whole picture */
export const room = w => (w < 880 ? 0 : w < 1250 ? 160 : 250);

/** lines breaks words. @param {Pen} pen @param {string} words @param {number} most */
function lines(pen, words, most) {
  const list = [""];
  for (const word of words.split(" ")) {
    const longer = `${list.at(-1)} ${word}`.trim();
    if (pen.wide(longer) <= most || list.at(-1) === "") list[list.length - 1] = longer;
    else list.push(word);
  }
  return list;
}

export class Callouts {
  /** @type {Map<string, number>} the PE of a state, as long as it is in it */ shown = new Map();

  /** pe chooses one that is in a state, in the two columns beside the words; rather near the
   * rows of the state's words. @param {Drawing} m @param {CallKind} kind */
  pe({net: {groups, members}, frame: f}, {state, rows: [from, to]}) {
    const before = this.shown.get(state);
    if (before !== undefined && f.state[before] === state) return before;
    const far = (/** @type {number} */ i) => members - i % members
      + Math.abs(Math.floor(i / members) - groups * (from + to) / 2);
    const list = [...f.state].map((_, i) => i)
      .filter(i => f.state[i] === state && i % members >= members - 2)
      .sort((i, j) => far(i) - far(j) || i - j);
    if (list.length) this.shown.set(state, list[0]);
    return list[0];
  }

  /** at is where a line begins, at which height it goes on, and what it says.
   * @param {Drawing} m @param {CallKind} kind */
  at(m, kind) {
    const {box, tall, pitchY, top} = m.g, {state, rows, why} = kind, {h} = m.pen;
    if (state === "packet") { // one on a link, far at the right
      const near = m.corner(m.net.members - 2)[0];
      const spot = m.spots.filter(([a, b, p]) => p.kind === "data" && onLink(p) && a > near
        && b > rows[0] * h && b < rows[1] * h).sort((one, other) => other[0] - one[0])[0];
      if (!spot) return null;
      const [left, high, {pe: to, in: by, to: aim}] = spot;
      const words = `takes an operand from ${m.address(m.from[to][by])} to ${m.address(aim)}`;
      const below = top + (Math.floor((high - top) / pitchY) + 1) * pitchY;
      return {x: left, y: high, gap: below, does: "A packet", why: words};
    }
    const pe = this.pe(m, kind);
    if (pe === undefined) return null;
    const [x, y] = m.corner(pe), foot = y + tall, gap = foot + (pitchY - tall) / 2;
    const does = `${m.address(pe)} ${states[state].does}`;
    return {x: x + box - 9, y: foot - 3, gap, does, why};
  }

  /** draw draws them from a place on: from the lowest up, so that none covers another.
   * @param {Drawing} m @param {number} from @param {number} most their width */
  draw(m, from, most) {
    const {pen} = m, pitch = 17 * pen.scale;
    let foot = pen.h; // below which there is no room
    const list = kinds.map(kind => this.at(m, kind)).filter(Boolean);
    for (const {x, y, gap, does, why} of list.sort((one, other) => other.gap - one.gap)) {
      pen.line(x, y, x + 6, gap, from - 5, gap).stroke("paper", 4).stroke("ink", 1.2);
      pen.disc(x, y, 3.5).fill("paper").stroke("ink", 1.2);
      pen.type(14, "bold", "middle");
      const heads = lines(pen, does, most);
      pen.type(14);
      const all = [...heads, ...lines(pen, why, most)];
      const high = Math.min(gap, foot - pitch * (all.length - 0.4));
      foot = high - pitch * 0.6;
      all.forEach((words, i) => {
        const head = i < heads.length;
        pen.type(14, head ? "bold" : "");
        pen.write(words, from, high + i * pitch, "left", head ? "ink" : "faint");
      });
    }
  }
}
