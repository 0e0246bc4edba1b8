// What is wrong with the page as it is shown now, a line each: beside its texts that are
// cut off, controls outside of the window, a picture without room.
(({problems, say, rgba, contrast, paper, modal, seen, within}) => {
  for (const e of document.querySelectorAll("button, select, input, label, h1, h2, h3, output, header, #legend, #legend span, .tabs > *")) {
    if (!seen(e)) continue;
    const r = e.getBoundingClientRect(), scrolls = within(e, "#companion, #lesson-text, #calls, #log, #task, dialog, #files, #marks");
    if (!scrolls && (r.left < -0.5 || r.top < -0.5 || r.right > innerWidth + 0.5 || r.bottom > innerHeight + 0.5)) say(e, "outside of the window");
    if (e.id !== "files" && e.tagName !== "INPUT" && !within(e, "#marks") && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0) say(e, `${e.scrollWidth} pixels wide, room for ${e.clientWidth}`);
  }
  for (const id of ["args", "goal"]) {
    const e = document.getElementById(id);
    if (e.scrollWidth > e.clientWidth + 1) say(e, "its value is cut off");
  }
  const root = document.documentElement, view = document.getElementById("view").getBoundingClientRect();
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) say(root, `the page of ${root.scrollWidth} x ${root.scrollHeight} scrolls`);
  if (view.height < 0.36 * innerHeight || view.width < 0.4 * innerWidth) say(document.getElementById("view"), `the machine has only ${view.width} x ${view.height} pixels`);
  if (modal) {
    const r = modal.getBoundingClientRect();
    if (r.top < 0 || r.bottom > innerHeight || r.right > innerWidth || modal.scrollWidth > modal.clientWidth + 1) say(modal, "does not fit");
  }
  // The picture's own letters.
  const value = n => rgba(getComputedStyle(root).getPropertyValue("--" + n));
  for (const [ink, back] of ["runs", "matches", "spills", "waits", "partner", "idle", "failed"].map(n => ["on-" + n, n]).concat([["faint", "paper"]])) {
    const c = contrast(value(ink), value(back));
    if (c < 4.5) problems.add(`--${ink} on --${back}: contrast ${c.toFixed(2)}`);
  }
  for (const n of ["edge", "dot", "here", "rust", "runs", "spills"]) {
    const c = contrast(value(n), paper);
    if (c < 1.9) problems.add(`--${n} on the paper: contrast ${c.toFixed(2)}`);
  }
  return [...problems];
})
