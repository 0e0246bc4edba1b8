// The palette: one line that says where to go, or what is to run.
import {page} from "../state/page.js";
import {el, get} from "../util.js";
import {say} from "./tell.js";

/** to goes where the line says: to a clock, the end, a packet or a label, or to a run; after a |
 * stands what is another in a second one. @param {string} line */
async function to(line) {
  const what = line.trim(), {setup, vs} = await page.engine.call("runs", what);
  if (setup) {
    if (!await page.assemble(setup) || !vs) return;
    await page.versus.beside(vs);
    return page.go("compare");
  }
  if (/^\+?\d+$/.test(what)) return page.once(`goto ${what}`);
  if (what === "end") return page.once("continue");
  const packet = /^(\[|data|mlpe|host)/.test(what);
  if (page.run.stale) return say("There is no machine to go on with.", true);
  if (what) return page.once(`until ${packet ? "packet" : "label"} ${what}`);
}

// palette opens it.
export function palette() {
  if (!page.catalogue) return;
  const list = ["end", "data", "mlpe", "host", "mlpe consumed", "host consumed"];
  const goals = [...list, ...page.run.labels].map(value => el("option", {value}));
  get("goals").replaceChildren(...goals);
  get("goal").value = "";
  get("palette").showModal();
}

get("palette").addEventListener("close", () => to(get("goal").value));
get("palette").addEventListener("cancel", () => { get("goal").value = ""; });
