"use strict";
// Errors of the page itself are shown, whatever else works no longer. This script comes
// before all modules, so that their mistakes are shown too.
{
  /** @param {string} what */
  const show = what => {
    // A picture that is measured again while it is drawn: no error, but told as one.
    if (what.startsWith("ResizeObserver loop")) return;
    document.getElementById("fault").hidden = false;
    document.getElementById("fault-text").textContent =
      `The page has an error, and what it shows may be wrong. Reload it to be sure. ${what}`;
  };
  addEventListener("error", e => {
    const from = e.target;
    const script = from instanceof HTMLScriptElement && from.getAttribute("src");
    show(script ? `${script} did not come, or is damaged.`
      : e.message ?? "A part of it did not come.");
  }, true);
  addEventListener("unhandledrejection", e => show(String(e.reason?.message ?? e.reason)));
  addEventListener("DOMContentLoaded", () => {
    const fault = document.getElementById("fault");
    document.getElementById("fault-close").onclick = () => { fault.hidden = true; };
  });
}
