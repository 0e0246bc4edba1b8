// What a statement of a lesson is about, marked where the page shows it.
import {all, get} from "../util.js";

/** words are what an element says, a row of the result also with its number first.
 * @param {HTMLElement} e */
const words = e => {
  const row = e instanceof HTMLTableRowElement && [...e.cells].map(c => c.textContent.trim());
  return (row ? [row[0], row[1], row[0]].join(" ") : e.textContent).replace(/\s+/g, " ");
};

/** show marks the smallest thing that says so in the companion, and brings it into sight.
 * @param {string} shows */
export function show(shows) {
  for (const e of all(".evidence")) e.classList.remove("evidence");
  const said = all("p, li, dt + dd, tr, h3, pre", get("companion"))
    .filter(e => !e.closest("[hidden], details:not(.more, [open])") && words(e).includes(shows))
    .at(-1);
  said?.closest(".more")?.setAttribute("open", "");
  said?.classList.add("evidence");
  said?.scrollIntoView({block: "nearest"});
}
