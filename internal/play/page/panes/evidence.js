// What a statement of a lesson is about, marked where the page shows it.
import {page, pane} from "../state/page.js";
import {all, get} from "../util.js";

/** The statement that was chosen last, and the clock that it is about.
 * @type {{shows: string, clock: number}} */
let chosen = null;

/** words are what an element says, a row of the result also with its number first.
 * @param {HTMLElement} e */
const words = e => {
  const row = e instanceof HTMLTableRowElement && [...e.cells].map(c => c.textContent.trim());
  return (row ? [row[0], row[1], row[0]].join(" ") : e.textContent).replace(/\s+/g, " ");
};

// mark marks the smallest thing that says so in the companion, and brings it into sight.
function mark() {
  for (const e of all(".evidence")) e.classList.remove("evidence");
  const said = all("p, li, dt + dd, tr, h3, pre", get("companion"))
    .filter(e => !e.closest("[hidden], details:not(.more, [open])"))
    .findLast(e => words(e).includes(chosen.shows));
  said?.closest(".more")?.setAttribute("open", "");
  said?.classList.add("evidence");
  said?.scrollIntoView({block: "nearest"});
}

/** show marks the evidence of a statement for as long as the page shows its clock.
 * @param {string} shows */
export function show(shows) {
  chosen = {shows, clock: page.versus.now};
  mark();
}

pane({leave() { chosen = null; }});

// A pane may be written again while the clock stands, as when an answer comes late.
new MutationObserver(() => {
  if (chosen && page.versus.now === chosen.clock) mark();
}).observe(get("companion"), {childList: true, subtree: true});
