// The end of a comparison, in the place of the machines: who won, maps of the calls on every PE
// with their difference, and how much work was done when.
import {step} from "../draw/timeline.js";
import {pane} from "../state/store.js";
import {count, el, get, percent} from "../util.js";
import {times} from "./compared.js";
import {svg, text} from "./svg.js";

const gap = 2; // between the cells of a map, in pixels

/** part is a colour between two others. @param {string} of @param {number} share 0..1
 * @param {string} to */
const part = (of, share, to) => `color-mix(in srgb, ${of} ${Math.round(100 * share)}%, ${to})`;

/** blue is the colour of an amount. @param {number} share 0..1 */
const blue = share => part("var(--runs)", Math.sqrt(share), "var(--idle)");

/** signed is that of a difference, from the green of B to the brown of A.
 * @param {number} share -1..1 */
const signed = share => part(`var(--run-${share < 0 ? "b" : "a"})`, Math.abs(share), "var(--idle)");

/**
 * map draws a number for every PE: groups are rows, members columns; and below a bar of colours.
 * @param {string} title @param {string} about @param {number[]} list @param {number} members
 * @param {{w: number, h: number, low: number, most: number, name?: (n: number) => string,
 *   paint: (share: number) => string, dark: number}} look dark is the share from which words are
 *   in paper
 */
function map(title, about, list, members, {w, h, low, most, name = String, paint, dark}) {
  const groups = list.length / members, left = 28, top = 8, foot = 34;
  const wide = (w - left) / members, tall = (h - top - foot) / groups;
  const fits = tall >= 13 && wide >= 26, at = h - foot + 8;
  const cells = list.flatMap((n, i) => {
    const x = left + i % members * wide, y = top + Math.floor(i / members) * tall, share = n / most;
    const ink = `var(--${Math.abs(share) > dark ? "paper" : "ink"})`;
    return [
      svg("rect", {
        x, y, width: Math.max(1, wide - gap), height: Math.max(1, tall - (tall > 6 ? gap : 0)),
        rx: Math.min(3, tall / 5), fill: paint(share),
      }),
      fits && n !== 0 ? text(x + (wide - gap) / 2, y + tall / 2 + 3, name(n),
        {"text-anchor": "middle", fill: ink}) : null,
    ];
  });
  const every = Math.max(1, Math.ceil(14 / tall));
  const rows = [...Array(groups).keys()].filter(g => g % every === 0).map(g =>
    text(left - 6, top + g * tall + tall / 2 + 3, `${g}`, {"text-anchor": "end"}));
  const bar = [...Array(20).keys()].map(k => svg("rect", {
    x: left + k * (w - left - gap) / 20, y: at, width: (w - left - gap) / 20 + 0.3, height: 9,
    fill: paint(low + (1 - low) * (k + 0.5) / 20),
  }));
  return el("figure", {}, el("h3", {}, title), el("p", {}, about), svg("svg", {
    width: w, height: h, role: "img", "aria-label": `${title}, ${about}`,
  }, ...cells, ...rows, ...bar, text(left, at + 22, name(low * most)),
  text(w - gap, at + 22, name(most), {"text-anchor": "end"})));
}

/** curves draws the work that was done up to every clock. @param {Done[]} two
 * @param {number} w @param {number} h */
function curves(two, w, h) {
  const left = 52, right = 128, top = 34, foot = 24;
  const last = Math.max(...two.map(c => c.clocks));
  const most = Math.max(...two.map(c => c.work.at(-1)[1]));
  const x = (/** @type {number} */ clock) => left + clock / last * (w - left - right);
  const y = (/** @type {number} */ work) => h - foot - work / most * (h - top - foot);
  const marks = [], byX = step(last, (w - left - right) / 60), byY = step(most, 4);
  for (let n = 0; n <= most; n += byY) {
    marks.push(svg("path", {d: `M${left} ${y(n)}H${w - right}`, stroke: "var(--line)"}),
      text(left - 6, y(n) + 4, count(n), {"text-anchor": "end"}));
  }
  for (let n = 0; n <= last; n += byX) {
    marks.push(text(x(n), h - 8, count(n), {"text-anchor": "middle"}));
  }
  marks.push(text(w - right + 30, h - 8, "clocks"));
  const ends = two.map(c => ({x: x(c.clocks), y: y(c.work.at(-1)[1])})), [a, b] = ends;
  const apart = Math.abs(a.x - b.x) > 32;
  if (!apart && Math.abs(a.y - b.y) < 32) (a.y < b.y ? b : a).y += 32;
  const drawn = two.flatMap((c, k) => {
    const line = c.work.map(([clock, work]) => `${x(clock).toFixed(1)} ${y(work).toFixed(1)}`);
    const ink = `var(--run-${"ab"[k]})`, end = x(c.clocks), high = y(c.work.at(-1)[1]);
    // The curve of the other run goes on beside the end of the first; above it is room.
    const first = apart && end < x(last), where = first
      ? {at: end + 4, up: 30, anchor: "end"} : {at: end + 9, up: 0, anchor: "start"};
    return [
      svg("path", {d: "M" + line.join("L"), fill: "none", stroke: ink, "stroke-width": 2.4}),
      k === 0 ? svg("circle", {cx: end, cy: high, r: 4.5, fill: ink})
        : svg("rect", {x: end - 4, y: high - 4, width: 8, height: 8, fill: ink}),
      text(where.at, ends[k].y + 4 - where.up, `${"AB"[k]}: done at ${count(c.clocks)}`,
        {class: "end", "font-weight": 700, fill: ink, "text-anchor": where.anchor}),
      text(where.at, ends[k].y + 18 - where.up, `${percent(c.used)} used`,
        {class: "end", "text-anchor": where.anchor}),
    ];
  });
  return el("figure", {}, el("h3", {}, "Work done so far"),
    el("p", {}, "clocks in which a PE was at work, all PEs together"),
    svg("svg", {width: w, height: h, role: "img",
      "aria-label": two.map((c, k) => `${"AB"[k]}: done at ${count(c.clocks)}`).join(", ")},
    ...marks, ...drawn));
}

/** calls says on how many PEs calls were. @param {number[]} list */
function calls(list) {
  const n = list.filter(Boolean).length;
  return `on ${n === list.length ? "all" : `${n} of`} ${list.length} PEs`;
}

/** @param {Run} r @param {Emsim.SeriesAnswer} s @returns {Done} */
function curve({frame: {result}}, s) {
  const {clocks} = result, end = s.clocks.findIndex(c => c >= clocks);
  const upTo = end < 0 ? s.clocks.length : end + 1;
  const work = s.clocks.slice(0, upTo).map((c, i) => /** @type {[number, number]} */ (
    [Math.min(c, clocks), s.states[i][0] + s.states[i][1]]));
  return {work, clocks, used: result.pe_utilisation};
}

export class Ends {
  /** @type {{runs: Run[], series: Emsim.SeriesAnswer[]}} */ shown = null;

  constructor() {
    new ResizeObserver(() => this.draw()).observe(get("ends"));
    pane({leave: () => {
      this.shown = null;
      get("ends").replaceChildren();
    }});
  }

  /** show shows the ends of A and B. @param {Run[]} runs @param {Emsim.SeriesAnswer[]} series */
  show(runs, series) {
    this.shown = {runs, series};
    this.draw();
  }

  draw() {
    const place = get("ends"), {clientWidth: w, clientHeight: h} = place;
    if (!this.shown || w < 40) return;
    const {runs, series} = this.shown, lists = runs.map(r => r.frame.calls);
    const [a, b] = runs.map(r => r.frame.result.clocks), [x, y] = lists;
    const most = Math.max(1, ...x, ...y), same = x.length === y.length;
    const more = same ? x.map((n, i) => n - y[i]) : [], maps = same ? 3 : 2;
    const high = h - 9.5 * parseFloat(getComputedStyle(place).fontSize); // below the words
    const wide = Math.max(100, Math.min(210, w / 2 / maps - 20));
    const beside = w - maps * (wide + 18) - 44, below = beside < 380;
    const look = {w: wide, h: Math.max(180, Math.min(below ? 200 : 480, high))};
    const clocks = a === b ? `${count(a)} clocks each`
      : `${count(Math.min(a, b))} clocks, not ${count(Math.max(a, b))}`;
    const spills = runs.map(r => count(r.frame.spilled.reduce((p, q) => p + q, 0)));
    place.replaceChildren(
      el("h2", {}, times(a, b)),
      el("p", {}, `${clocks}; the busiest PE got ${count(Math.max(...x))} calls in A, `
        + `${count(Math.max(...y))} in B; `
        + `A spilled ${spills[0]} packets, B ${spills[1]}`),
      el("div", {}, ...lists.map((list, k) => map(`Calls in ${"AB"[k]}`, calls(list), list,
        runs[k].net.members, {...look, low: 0, most, paint: blue, dark: 0.45})),
      same && map("A − B", "more in A: brown", more, runs[0].net.members, {
        ...look, low: -1, most, name: n => (n > 0 ? "+" : n < 0 ? "−" : "") + Math.abs(n),
        paint: signed, dark: 0.75,
      }),
      curves(runs.map((r, k) => curve(r, series[k])),
        below ? Math.max(260, w - 44) : beside, look.h)));
    place.setAttribute("aria-label", `the end of both runs: ${times(a, b)}`);
  }
}
