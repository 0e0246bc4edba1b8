// The callouts of the first sight: lines from real PEs, and from a packet, to words at the
// right of the machine.
import {colour} from "../util.js";

/** @typedef {{state: string, rows: [number, number], does: string, why: string}} Kind rows are parts of the height */

/** @type {Kind[]} */
const kinds = [
  {state: "W", rows: [0, 0.25], does: "waits for the network", why: "the link ahead is taken"},
  {state: "packet", rows: [0.25, 0.5], does: "A packet", why: ""},
  {state: "S", rows: [0.5, 0.8], does: "spills", why: "more packets than its buffer holds go to its memory"},
  {state: "M", rows: [0.8, 0.95], does: "matches", why: "an operand has found its partner"},
];

/** room is the width that callouts need. @param {number} w of the whole picture */
export const room = w => (w < 880 ? 0 : w < 1250 ? 160 : 250);

/** lines breaks words. @param {CanvasRenderingContext2D} ctx @param {string} words @param {number} most */
function lines(ctx, words, most) {
  /** @type {string[]} */
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

  /** pe chooses one that is in a state, far at the right. @param {import("./machine.js").Picture} m @param {Kind} kind */
  pe(m, {state, rows}) {
    const {groups, members} = m.net, f = m.frame, before = this.shown.get(state);
    if (before !== undefined && f.state[before] === state) return before;
    const list = [...f.state].map((_, i) => i).filter(i => f.state[i] === state && Math.floor(i / members) >= rows[0] * groups && Math.floor(i / members) < rows[1] * groups);
    list.sort((i, j) => j % members - i % members || i - j);
    if (list.length) this.shown.set(state, list[0]);
    return list[0];
  }

  /** packet chooses one on a link, far at the right. @param {import("./machine.js").Picture} m @param {Kind} kind @param {number} h */
  packet(m, {rows}, h) {
    const list = (m.spots ?? []).filter(([, y, p]) => p.kind === "data" && p.in < 2 && p.left > 0 && y > rows[0] * h && y < rows[1] * h);
    return list.sort((a, b) => b[0] - a[0])[0];
  }

  /** draw draws them from x on. @param {CanvasRenderingContext2D} ctx @param {import("./machine.js").Picture} m @param {number} x @param {number} most their width @param {number} h */
  draw(ctx, m, x, most, h) {
    const {box, tall, pitchY} = m.g;
    for (const kind of kinds) {
      /** @type {[number, number]} */
      let at;
      let {does, why} = kind, gap = 0;
      if (kind.state === "packet") {
        const spot = this.packet(m, kind, h);
        if (!spot) continue;
        const [a, b, p] = spot;
        at = [a, b];
        gap = m.g.top + (Math.floor((b - m.g.top) / pitchY) + 1) * pitchY;
        why = `takes an operand from ${m.address(m.from[p.pe][p.in])} to ${m.address(p.to)}`;
      } else {
        const pe = this.pe(m, kind);
        if (pe === undefined) continue;
        const [a, b] = m.corner(pe);
        at = [a + box - 9, b + tall - 3];
        gap = b + tall + (pitchY - tall) / 2;
        does = `${m.address(pe)} ${does}`;
      }
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
      ctx.textAlign = "left";
      ctx.textBaseline = "middle";
      ctx.fillStyle = colour("ink");
      ctx.font = `bold 14px ${colour("font")}`;
      const heads = lines(ctx, does, most);
      heads.forEach((line, i) => ctx.fillText(line, x, gap + i * 17));
      ctx.fillStyle = colour("faint");
      ctx.font = `14px ${colour("font")}`;
      lines(ctx, why, most).forEach((line, i) => ctx.fillText(line, x, gap + (heads.length + i) * 17));
    }
  }
}
