// What a statement of a lesson is about, marked where the page shows it.
import {get} from "../util.js";

/** words are what an element says, a row of the result also with its number first. @param {Element} e */
const words = e => (e instanceof HTMLTableRowElement ? [0, 1, 0].map(i => e.cells[i].textContent.trim()).join(" ") : e.textContent).replace(/\s+/g, " ");

/** show marks the smallest thing that says so, in the opened PE, the packet's way, the
 * result or the comparison, and brings it into sight. On a phone its panel comes to the machine.
 * @param {string} shows */
export function show(shows) {
  for (const e of document.querySelectorAll(".evidence")) e.classList.remove("evidence");
  for (const panel of [get("right"), get("packet"), get("result"), get("compared")]) {
    if (!panel.checkVisibility()) continue;
    const found = [...panel.querySelectorAll("p, li, dt + dd, tr, h3, pre")].filter(e => words(e).includes(shows)).at(-1);
    if (!found) continue;
    document.documentElement.dataset.evidence = panel === get("right") ? "right" : "bottom";
    found.classList.add("evidence");
    return found.scrollIntoView({block: "nearest"});
  }
}
