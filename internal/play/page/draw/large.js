// A large machine: a map of all PEs without links, in blocks of groups side by side, and a lens
// that shows some groups of it with their members, queues and spilled packets. Next to the map,
// bars show how many PEs of each member work.
import {count} from "../util.js";
import {bar, box, stroke, type, write} from "./pen.js";

export const many = 400; // PEs of a large machine: links have no room from here on [chosen]
const shown = 8; // groups in the lens [chosen: with 32 rows in a block a quarter of it]

/** spread measures the map for a canvas of a size. @param {Emsim.Network} net @param {number} w
 * @param {number} h @returns {Measures} */
function spread({groups, members}, w, h) {
  const rows = Math.min(groups, w < 600 ? 64 : 32), blocks = groups / rows, left = 34, top = 26;
  const wide = w / blocks, pitchX = (wide - left - 4) / members, pitchY = (h - top - 6) / rows;
  return {rows, wide, left, right: 4, top, pitchX, pitchY, again: 0, worth: 0,
    box: pitchX - Math.min(2, pitchX * 0.2), tall: pitchY - Math.min(2, pitchY * 0.2)};
}

/** place divides a canvas into the map and the lens: at its right, or below it.
 * @param {Emsim.Network} net @param {number} w @param {number} h */
export function place(net, w, h) {
  const aside = w < 700 ? 0 : Math.max(230, Math.min(380, w * 0.27)), below = aside ? 0 : 190;
  const tall = aside ? Math.min(36, (h * 0.56 - 40) / shown) : 20;
  /** @type {Lens} */
  const lens = aside ? {x: w - aside + 10, y: 8, w: aside - 20, h: tall * shown + 38, tall}
    : {x: 6, y: h - below + 4, w: w - 12, h: below - 8, tall: (below - 38) / shown};
  return {lens, g: spread(net, w - aside, h - below)};
}

/** first returns the first group in the lens: the groups around a PE, of one block.
 * @param {Drawing} m */
export function first(m) {
  const {rows} = m.g, group = Math.floor(m.near / m.net.members), block = group - group % rows;
  return Math.max(block, Math.min(block + rows - shown, group - shown / 2 + 1));
}

/** cell returns the place of a PE in the lens. @param {Drawing} m @param {number} i of the lens
 * @returns {Spot} */
function cell(m, i) {
  const {lens: {x, y, w, tall}, net: {members}} = m, each = (w - 44) / members;
  return {x: x + 38 + i % members * each, y: y + 30 + Math.floor(i / members) * tall,
    w: each - 12, h: tall - 6};
}

/** within returns the PE of the lens at a place, -1 between its PEs, or undefined outside of
 * the lens. @param {Drawing} m @param {number} x @param {number} y */
export function within(m, x, y) {
  const {lens, net: {members}} = m;
  if (x < lens.x || x > lens.x + lens.w || y < lens.y || y > lens.y + lens.h) return undefined;
  for (let i = 0; i < shown * members; i++) {
    const c = cell(m, i);
    if (x >= c.x && x <= c.x + c.w && y >= c.y && y <= c.y + c.h) return first(m) * members + i;
  }
  return -1;
}

/** drawMap draws what stands around and on the PEs of the map. @param {Drawing} m
 * @param {Pen} ctx */
export function drawMap(m, ctx) {
  const {net: {groups, members, fifo_words: most}, g} = m;
  const {rows, wide, left, tall, pitchX, pitchY} = g;
  const by = 8 * Math.ceil(13 / (8 * pitchY)); // as far apart as numbers are high
  for (let group = 0; group < groups; group += by) {
    const [x, y] = m.corner(group * members), last = group + rows - 1;
    type(ctx, 12, "", "alphabetic");
    if (group % rows === 0) {
      write(ctx, `${wide > 150 ? "groups " : ""}${group}–${last}`, x, 16, "left", "faint");
    }
    type(ctx, 12, "", "middle");
    write(ctx, `${group}`, x - left + 28, y + tall / 2, "right", "faint");
  }
  m.frame.fifo.forEach((n, i) => {
    if (n === 0 || tall < 8 || m.fine || m.mode !== "state") return;
    const [x, y] = m.corner(i), long = Math.max(2, (g.box - 4) * Math.min(1, n / most));
    bar(ctx, m.fill(i)[1], x + 2, y + tall - 4, long, 2);
  });
  const [frameX, frameY] = m.corner(first(m) * members);
  box(ctx, frameX - 4, frameY - 3, members * pitchX + 6, shown * pitchY + 4, 0);
  stroke(ctx, "here", 2);
}

/** drawLens draws the lens, and the bars below it. @param {Drawing} m @param {Pen} ctx */
export function drawLens(m, ctx) {
  const {lens, net: {members}} = m, from = first(m);
  bar(ctx, "paper", lens.x - 10, lens.x > 10 ? 0 : lens.y - 4, m.w, m.h);
  box(ctx, lens.x, lens.y, lens.w, lens.h, 0);
  stroke(ctx, "here", 2);
  type(ctx, 14, "bold", "middle");
  const title = `Groups ${from}–${from + shown - 1}`, hint = "drag the frame to look elsewhere";
  write(ctx, title, lens.x + 10, lens.y + 16, "left", "ink");
  const free = lens.w - ctx.measureText(title).width - 24;
  type(ctx, 12);
  if (ctx.measureText(hint).width < free) {
    write(ctx, hint, lens.x + lens.w - 8, lens.y + 16, "right", "faint");
  }
  for (let i = 0; i < shown * members; i++) {
    const pe = from * members + i, c = cell(m, i);
    if (i % members === 0) {
      type(ctx, 12);
      write(ctx, `${from + i / members}`, lens.x + 28, c.y + c.h / 2, "right", "faint");
    }
    m.drawPE(ctx, pe, c, String(i % members), true);
  }
  for (let i = 0; i < shown * members; i++) m.drawMarks(ctx, from * members + i, cell(m, i));
  if (lens.x > 10) bars(m, ctx, lens.y + lens.h + 26);
}

/** bars draws how many PEs of each member do something, from zero. @param {Drawing} m
 * @param {Pen} ctx @param {number} top */
function bars(m, ctx, top) {
  const {lens, net: {groups, members}, frame: {state}} = m;
  const each = (lens.w - 8) / members, foot = m.h - 26, high = foot - top - 34;
  if (high < 30) return;
  type(ctx, 13, "bold", "alphabetic");
  const title = `PEs that do something, by member, of ${count(groups)}`;
  write(ctx, title, lens.x, top, "left", "ink", lens.w);
  type(ctx, 12);
  for (let c = 0; c < members; c++) {
    const n = [...state].filter((s, i) => i % members === c && "RMSW".includes(s)).length;
    const tall = high * n / groups, x = lens.x + c * each + 4;
    bar(ctx, "pale", x, foot - high, each - 8, high);
    bar(ctx, "runs", x, foot - tall, each - 8, tall);
    write(ctx, count(n), x + each / 2 - 4, foot - tall - 4, "center", "ink");
    write(ctx, `${c}`, x + each / 2 - 4, foot + 15, "center", "faint");
  }
}
