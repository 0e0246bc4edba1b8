// What is to run becomes the run that the page shows.
import {say, veil} from "../panes/tell.js";
import {get, named} from "../util.js";
import {versions} from "./keep.js";
import {page, reset, still} from "./page.js";

/** judge shows what is wrong with a program, and returns whether anything is.
 * @param {Emsim.Opened} x */
export function judge({error, problems, more = 0}) {
  const others = problems.length + more - 1;
  get("problem").hidden = !error;
  get("problem").textContent = !error ? ""
    : others > 0 ? `${error}\nand ${others} more: F8 goes to the next` : error;
  veil(!error ? "" : problems.length === 0 ? error
    : "The program has errors, so there is no machine: see the line in the editor.");
  if (error) say(error.split("\n")[0], true);
  return Boolean(error);
}

/** assemble builds what is in the editor, or a setup with its own texts, and returns whether there
 * is a machine then. Of several the last one counts. Where it follows typing the cursor stays.
 * @param {Emsim.Setup} [setup] */
export async function assemble(setup, typing = false) {
  const {editor, text, marks, versus, form, keep} = page;
  if (!form) return false; // there is no engine yet
  editor.built();
  await page.enter();
  keep.keep();
  const {run} = page, {machine, timeline} = run;
  const files = editor.changes(), wanted = setup ?? {...form.take(), files};
  const mine = Object.keys(files).length > 0 && run.setup?.main;
  form.put(wanted);
  Object.assign(run, {stale: true, packet: null, found: [], own: [], way: null});
  page.stops.leave(Boolean(setup));
  reset();
  timeline.clear();
  marks.draw();
  text.clear();
  if (!typing) veil("Assembling …");
  const wants = still(), x = await run.ask("open", wanted);
  if (!wants()) return false;
  if (!x) {
    veil("The program could not be assembled.");
    return false;
  }
  Object.assign(run, {setup: wanted, answer: x});
  versus.parting = null;
  if (!typing) keep.fresh = true;
  if (x.files.length > 0) editor.take(x.files, Boolean(setup), Boolean(x.error));
  if (setup) keep.offer(versions(wanted.main).length > 0 ? wanted.main : mine || "");
  editor.problems(x.problems, !typing);
  if (!x.error) {
    Object.assign(run, {net: x.network, frame: x.frame, labels: x.labels, stale: false});
    machine.reset(x.network);
    page.stage.fit();
    for (const r of versus.runs) await r.bring(0);
    if (!setup) await page.stops.restore(run.stops);
    text.say("", `${named(wanted)}\n`);
  }
  await versus.show();
  if (x.error) return false;
  say(`Assembled: ${wanted.main} on ${x.network.next.length} PEs.`);
  run.ahead();
  return true;
}
