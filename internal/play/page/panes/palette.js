// The palette: one line that says where to go, or what is to run.
import {page} from "../state/page.js";
import {el, get} from "../util.js";
import {say} from "./tell.js";

const form = /^(\S+)((?:\s+-?\d+)*)(?:\s+on\s+(\d+)(?:\s+PEs)?)?$/; // as in fib 20 on 80

/** change changes a setup as "policy=line" says: what runs, a knob of the machine, or a parameter.
 * @param {Emsim.Setup} s @param {string} words */
export function change(s, words) {
  const [key, value] = words.split("=").map(w => w.trim()), knob = key.replace("set.", "");
  const known = page.catalogue.knobs.some(k => k.key === knob);
  if (key === "main") s.main = value;
  else if (key === "args") s.args = value.split(",");
  else if (key === "pes" || key === "seed") s[key] = Number(value);
  else (known ? s.sets ??= {} : s.params ??= {})[knob] = value;
}

/** read is the setup that the chip would name so, as in "fib 20 on 80, policy=line"; null: there is
 * no such program. @param {string} words */
function read(words) {
  const [what, ...changes] = words.split(",").map(w => w.trim());
  const [, name, args, pes] = form.exec(what) ?? [];
  const program = page.catalogue.programs.find(p => p.name === name || p.main === name);
  if (!program) return null;
  const list = args.trim().split(/\s+/).filter(Boolean);
  /** @type {Emsim.Setup} */
  const s = {main: program.main, args: list.length ? list : program.args};
  if (pes) s.pes = Number(pes);
  for (const one of changes) change(s, one);
  return page.fill(s);
}

/** to goes where the line says: to a clock, the end, a packet or a label, or to a run; after a |
 * stands what is another in a second one. @param {string} line */
async function to(line) {
  const [what, other] = line.split("|").map(w => w.trim()), run = read(what);
  if (run) {
    if (!await page.assemble(run) || !other) return;
    const b = structuredClone(run);
    for (const one of other.split(",")) change(b, one);
    await page.versus.beside(b);
    return page.go("compare");
  }
  if (/^\+?\d+$/.test(what)) return page.once(`goto ${what}`);
  if (what === "end") return page.once("continue");
  const packet = /^(\[|data|mlpe|host)/.test(what);
  if (page.stale) return say("There is no machine to go on with.", true);
  if (what) return page.once(`until ${packet ? "packet" : "label"} ${what}`);
}

// palette opens it.
export function palette() {
  if (!page.catalogue) return;
  const list = ["end", "data", "mlpe", "host", "mlpe consumed", "host consumed"];
  const labels = page.answer?.labels ?? [];
  get("goals").replaceChildren(...[...list, ...labels].map(value => el("option", {value})));
  get("goal").value = "";
  get("palette").showModal();
}

// listens lets it act.
export function listens() {
  get("palette").addEventListener("close", () => to(get("goal").value));
  get("palette").addEventListener("cancel", () => { get("goal").value = ""; });
}
