// What is shown, and the parts that show it. main.js makes them; each asks the others by it.
/** @type {Emsim.Page} */
export const page = /** @type {any} */ ({
  catalogue: null, missing: false, running: false, travelling: false, tab: "", ready: 0,
  restored: "",
});

/** mode is what the page is for now: watch, learn, program or compare. */
export const mode = () => document.body.dataset.mode;
