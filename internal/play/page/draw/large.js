// A large machine: a map of all PEs without links, in blocks of groups side by side, and a lens
// that shows some groups of it with their members, queues and spilled packets. Next to the map,
// bars show how many PEs of each member work.
import {count} from "./pen.js";

export const many = 400; // PEs of a large machine: links have no room from here on [chosen]
const shown = 8; // groups in the lens [chosen: with 32 rows in a block a quarter of it]

/** spread measures the map for a canvas of a size: a high one has fewer blocks.
 * @param {Emsim.Network} net @param {number} w @param {number} h @returns {Measures} */
function spread({groups, members}, w, h) {
  const rows = Math.min(groups, w < 600 && h > 300 ? 64 : 32), blocks = groups / rows;
  const left = 34, top = 26, wide = w / blocks;
  const pitchX = (wide - left - 4) / members, pitchY = (h - top - 6) / rows;
  return {rows, wide, left, right: 4, top, pitchX, pitchY, again: 0, worth: 0,
    box: pitchX - Math.min(2, pitchX * 0.2), tall: pitchY - Math.min(2, pitchY * 0.2)};
}

/** place divides a canvas into the map and the lens: at its right, or below it. On a low one there
 * is the map alone. @param {Emsim.Network} net @param {number} w @param {number} h */
export function place(net, w, h) {
  if (w < 700 && h < 300) return {lens: null, g: spread(net, w, h)};
  const aside = w < 700 ? 0 : Math.max(230, Math.min(380, w * 0.27)), below = aside ? 0 : 190;
  const tall = aside ? Math.min(36, (h * 0.56 - 40) / shown) : 20;
  /** @type {Lens} */
  const lens = aside ? {x: w - aside + 10, y: 8, w: aside - 20, h: tall * shown + 38, tall}
    : {x: 6, y: h - below + 4, w: w - 12, h: below - 8, tall: (below - 38) / shown};
  return {lens, g: spread(net, w - aside, h - below)};
}

// first returns the first group in the lens: the groups around a PE, of one block.
export function first(/** @type {Drawing} */ {near, net, g: {rows}}) {
  const group = Math.floor(near / net.members), block = group - group % rows;
  return Math.max(block, Math.min(block + rows - shown, group - shown / 2 + 1));
}

/** cells are PEs in the lens, with their places.
 * @param {Drawing} m @returns {[number, Spot][]} */
function cells(m) {
  const {lens: {x, y, w, tall}, net: {members}} = m, each = (w - 44) / members;
  return Array.from({length: shown * members}, (_, i) => [first(m) * members + i, {
    x: x + 38 + i % members * each, y: y + 30 + Math.floor(i / members) * tall,
    w: each - 12, h: tall - 6}]);
}

const inside = (/** @type {Spot} */ {x, y, w, h}, /** @type {Point} */ [a, b]) =>
  a >= x && a <= x + w && b >= y && b <= y + h;

/** within returns the PE of the lens at a place, -1 between its PEs, or undefined outside of
 * the lens. @param {Drawing} m @param {Point} at */
export const within = (m, ...at) =>
  (inside(m.lens, at) ? cells(m).find(([, spot]) => inside(spot, at))?.[0] ?? -1 : undefined);

/** drawMap draws what stands around and on the PEs of the map. @param {Drawing} m */
export function drawMap(m) {
  const {net: {groups, members, fifo_words: most}, g, pen} = m;
  const {rows, wide, left, tall, pitchX, pitchY} = g;
  const by = 8 * Math.ceil(13 / (8 * pitchY)); // as far apart as numbers are high
  for (let group = 0; group < groups; group += by) {
    const [x, y] = m.corner(group * members), last = group + rows - 1;
    pen.type(12, "", "alphabetic");
    if (group % rows === 0) {
      pen.write(`${wide > 150 ? "groups " : ""}${group}–${last}`, x, 16, "left", "faint");
    }
    pen.type(12, "", "middle");
    pen.write(`${group}`, x - left + 28, y + tall / 2, "right", "faint");
  }
  m.frame.fifo.forEach((n, i) => {
    if (n === 0 || tall < 8 || m.fine || m.mode !== "state") return;
    const [x, y] = m.corner(i), long = Math.max(2, (g.box - 4) * Math.min(1, n / most));
    pen.bar(m.fill(i)[1], x + 2, y + tall - 4, long, 2);
  });
  if (!m.lens) return;
  const [frameX, frameY] = m.corner(first(m) * members);
  pen.box(frameX - 4, frameY - 3, members * pitchX + 6, shown * pitchY + 4).stroke("here", 2);
}

/** drawLens draws the lens, and the bars below it. @param {Drawing} m */
export function drawLens(m) {
  const {lens, net: {members}, pen} = m, from = first(m), list = cells(m);
  pen.bar("paper", lens.x - 10, lens.x > 10 ? 0 : lens.y - 4, pen.w, pen.h);
  pen.box(lens.x, lens.y, lens.w, lens.h).stroke("here", 2);
  pen.type(14, "bold", "middle");
  const title = `Groups ${from}–${from + shown - 1}`, hint = "drag the frame to look elsewhere";
  pen.write(title, lens.x + 10, lens.y + 16, "left", "ink");
  const free = lens.w - pen.wide(title) - 24;
  pen.type(12);
  if (pen.wide(hint) < free) pen.write(hint, lens.x + lens.w - 8, lens.y + 16, "right", "faint");
  for (const [pe, spot] of list) {
    if (pe % members === 0) {
      pen.type(12);
      pen.write(`${pe / members}`, lens.x + 28, spot.y + spot.h / 2, "right", "faint");
    }
    m.drawPE(pe, spot, String(pe % members), true);
  }
  for (const [pe, spot] of list) m.drawMarks(pe, spot);
  if (lens.x > 10) bars(m, lens.y + lens.h + 26);
}

/** bars draws how many PEs of each member do something, from zero. @param {Drawing} m
 * @param {number} top */
function bars({lens, net: {groups, members}, frame: {state}, pen}, top) {
  const each = (lens.w - 8) / members, foot = pen.h - 26, high = foot - top - 34;
  if (high < 30) return;
  pen.type(13, "bold", "alphabetic");
  const title = `PEs that do something, by member, of ${count(groups)}`;
  pen.write(title, lens.x, top, "left", "ink", lens.w);
  pen.type(12);
  for (let c = 0; c < members; c++) {
    const n = [...state].filter((s, i) => i % members === c && "RMSW".includes(s)).length;
    const tall = high * n / groups, x = lens.x + c * each + 4;
    pen.bar("pale", x, foot - high, each - 8, high);
    pen.bar("runs", x, foot - tall, each - 8, tall);
    pen.write(count(n), x + each / 2 - 4, foot - tall - 4, "center", "ink");
    pen.write(`${c}`, x + each / 2 - 4, foot + 15, "center", "faint");
  }
}
