// What two runs have in common, and what not: in words and numbers.
import {clockOf, count, el, named, percent} from "../util.js";

/** @param {number[]} list */
const sum = list => list.reduce((a, b) => a + b, 0);

/** used is the part of the machine that was used. @param {Run} r @param {Emsim.SeriesAnswer} s */
function used({frame}, s) {
  if (frame.result) return frame.result.pe_utilisation;
  const states = s?.states[s.clocks.findLastIndex(c => c <= frame.clock)] ?? [0, 0, 0, 0];
  return (states[0] + states[1]) / (sum(states) || 1);
}

/** @type {[string, (r: Run, s: Emsim.SeriesAnswer) => number, (n: number) => string][]} */
const columns = [
  ["clocks", r => r.frame.result?.clocks ?? clockOf(r.frame), count],
  ["utilisation", used, percent],
  ["calls", r => sum(r.frame.calls), count],
  ["PEs with calls", r => r.frame.calls.filter(Boolean).length, count],
  ["most on a PE", r => Math.max(...r.frame.calls), count],
  ["spilled", r => sum(r.frame.spilled), count],
];

/** times says who won, and by how much. @param {number} a @param {number} b clocks */
export const times = (a, b) => (a === b ? "A and B are as fast"
  : `${a < b ? "A" : "B"} is ${(Math.max(a, b) / Math.min(a, b)).toFixed(2)} times as fast`);

/** table has the numbers of both. @param {Run[]} runs @param {number[][]} values by column
 * @param {boolean} ended */
function table(runs, values, ended) {
  const [a, b] = runs.map(r => r.frame.answer);
  return el("table", {className: "sum"},
    el("tr", {}, el("th", {}, "run"), el("th", {}, "result"),
      ...columns.map(([name]) => el("th", {}, name))),
    ...runs.map(({frame: f}, k) => el("tr", {}, el("th", {}, "AB"[k]),
      el("td", {}, f.ended ? f.failed || f.answer : `at clock ${count(f.clock)}`),
      ...columns.map(([,, show], i) => el("td", {}, show(values[i][k]))))),
    el("tr", {className: "none"}, el("th", {}, "B to A"),
      el("td", {}, !ended ? "" : a === b ? "=" : "≠"),
      ...values.map(([x, y]) => el("td", {},
        x === y ? "=" : x ? `× ${(y / x).toFixed(2)}` : "≠"))));
}

/** arrived says whether both have come to a result. @param {Run[]} runs */
export const arrived = runs => runs.every(({frame: f}) => !f.failure && f.result?.clocks > 0);

/** compared says it. differ is the number of PEs that differ now; go goes to where they part.
 * @param {Run[]} runs A and B @param {Emsim.SeriesAnswer[]} series
 * @param {{parting: Emsim.Parting, now: number, ended: boolean, differ: number,
 *   go: () => Promise<void>}} x */
export function compared(runs, series, {parting, now, ended, differ, go}) {
  const [a, b] = runs.map(r => r.frame.result?.clocks), ends = ended && arrived(runs);
  const same = ended && parting?.clock >= now ? "Both do the same up to their ends."
    : `Up to clock ${count(parting?.clock ?? 0)} both do the same.`;
  const parted = parting?.at ? [el("button", {className: "link", onclick: go},
    `They part at clock ${count(parting.clock)}`), `: ${parting.at}.`] : [same];
  return [
    ends ? el("p", {}, `A takes ${count(a)} clocks, B ${count(b)}: ${times(a, b)}.`) : "",
    el("p", {}, ...parted, differ > 0 && ` PEs that differ now (◤): ${count(differ)}.`),
    table(runs, columns.map(([, value]) => runs.map((r, k) => value(r, series[k]))), ended),
  ];
}

/** deeds are what the picture shows of every PE. @param {Emsim.Frame} f */
export function deeds(f) {
  const list = [...f.state].map((s, i) =>
    [s, f.load[i], f.fifo[i], f.mib[i], f.operands[i]].join());
  for (const p of f.packets) list[p.pe] += ` ${p.in} ${p.out} ${p.kind} ${p.to} ${p.left}`;
  return list;
}

/** caption says which run a machine shows. @param {HTMLElement} place @param {number} side
 * @param {Pick<Emsim.Page, "setup" | "frame" | "stale">} run */
export function caption(place, side, {stale, frame, setup}) {
  const f = stale ? null : frame, busy = f?.state.replace(/[^RMSW]/g, "").length;
  const end = !f ? "" : !f.ended ? `${busy} of ${f.state.length} PEs do something: `
    : f.failure ? "failed: "
      : `${f.all_words === 0 ? "no result" : f.answer} after ${count(f.result.clocks)} clocks: `;
  const what = setup ? named(setup) : "";
  place.replaceChildren(el("b", {}, "AB"[side]), " ", el("b", {}, end), what);
}
