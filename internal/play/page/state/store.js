// What the page knows of the run that it shows. Every pane is a function of a run: reset ends
// all that the panes do for the run before, and each leaves its place empty. So no pane can keep
// an earlier run, and an answer of the engine that comes too late finds that its run has gone.

/** @typedef {{(): void, from: Set<Set<Effect>>, ended?: boolean}} Effect */
/** @typedef {() => any} Act what it returns, if anything, undoes it */

/** @type {Effect} */
let reader = null;
/** @type {(() => void)[]} */
let scope = null;

/** signal is a value whose readers act again when it becomes another one.
 * @template T @param {T} value */
export function signal(value) {
  /** @type {Set<Effect>} */
  const readers = new Set();
  return {
    get value() {
      if (reader) { readers.add(reader); reader.from.add(readers); }
      return value;
    },
    set value(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const r of [...readers]) r();
    },
  };
}

/** effect acts now and whenever a signal that it has read changes, until its scope ends.
 * @param {Act} act */
export function effect(act) {
  /** @type {() => void} */
  let undo;
  const leave = () => {
    undo?.();
    undo = null;
    for (const readers of again.from) readers.delete(again);
    again.from.clear();
  };
  const again = /** @type {Effect} */ (() => {
    if (again.ended) return;
    leave();
    const outer = reader;
    reader = again;
    try { undo = act(); } finally { reader = outer; }
  });
  again.from = new Set();
  scope?.push(() => { again.ended = true; leave(); });
  again();
}

/** @type {Emsim.Run} */
let run = null;
/** @type {((run: Emsim.Run) => void)[]} */
const panes = [];
/** @type {(() => void)[]} */
let ends = [];

/** hang lets a pane act for the run. @param {(run: Emsim.Run) => void} f */
function hang(f) {
  scope = ends;
  try { f(run); } finally { scope = null; }
}

/** pane adds a pane: f is called for every run, and what it does then ends with the run.
 * @param {(run: Emsim.Run) => void} f */
export function pane(f) {
  panes.push(f);
  if (run) hang(f);
}

/** empties makes an element a pane that is empty when its run has gone. @param {Element} e */
export const empties = e => pane(() => effect(() => () => e.replaceChildren()));

// reset leaves the run, and all panes empty, and begins with another one.
export function reset() {
  for (const end of ends) end();
  ends = [];
  run = {shown: signal(null)};
  for (const f of panes) hang(f);
  return run;
}

export const current = () => run;

/** still tells later whether the page shows the run that it shows now. */
export function still() {
  const now = run;
  return () => run === now;
}
