// The run that the page shows, and its panes: every pane is a function of a run. reset leaves
// the run, and all panes empty. So no pane can keep an earlier run, and an answer of the engine
// that comes too late finds that its run has gone.

/** @type {Emsim.Pane[]} */
const panes = [];
let run = {};

/** pane adds a pane. @param {Emsim.Pane} p */
export const pane = p => { panes.push(p); };

/** show lets all panes show what is known of the run. @param {Emsim.Shown} shown */
export function show(shown) { for (const p of panes) p.show?.(shown); }

// reset leaves the run, and begins with another one.
export function reset() {
  run = {};
  for (const p of panes) p.leave?.();
}

/** still tells later whether the page shows the run that it shows now. */
export function still() {
  const now = run;
  return () => run === now;
}
