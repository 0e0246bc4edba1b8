// What is shown, and the parts that show it. main.js makes them; each asks the others by 'page'.
/** @type {Emsim.Page} */
export const page = /** @type {any} */ ({
  catalogue: null, missing: false, running: false, travelling: false, tab: "", ready: 0,
  restored: "",
});

/** mode is what the page is for now: watch, learn, program or compare. */
export const mode = () => document.body.dataset.mode;

// Every pane is a function of a run. reset leaves the run, and all panes empty. So no pane can keep
// an earlier run, and an answer of the engine that comes too late finds that its run has gone.
/** @type {Emsim.Pane[]} */
const panes = [];
let life = {};

/** pane adds a pane. @param {Emsim.Pane} p */
export const pane = p => { panes.push(p); };

/** show lets all panes show what is known of the run. @param {Emsim.Shown} shown */
export function show(shown) { for (const p of panes) p.show?.(shown); }

// reset leaves the run, and begins with another one.
export function reset() {
  life = {};
  for (const p of panes) p.leave?.();
}

/** still tells later whether the page shows the run that it shows now. */
export function still() {
  const now = life;
  return () => life === now;
}
