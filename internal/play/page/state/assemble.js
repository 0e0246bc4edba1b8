// What is to run becomes the run that the page shows.
import {say, veil} from "../panes/tell.js";
import {get, named} from "../util.js";
import {versions} from "./keep.js";
import {page} from "./page.js";
import {reset, still} from "./store.js";

/** failed shows what is wrong with a program. @param {Emsim.Opened} x */
function failed({error, problems, more = 0}) {
  const others = problems.length + more - 1;
  get("problem").hidden = !error;
  get("problem").textContent = !error ? ""
    : others > 0 ? `${error}\nand ${others} more: F8 goes to the next` : error;
  if (!error) return false;
  veil(problems.length === 0 ? error
    : "The program has errors, so there is no machine: see the line in the editor.");
  say(error.split("\n")[0], true);
  return true;
}

/** assemble builds what is in the editor, or a setup with its own texts, and returns whether there
 * is a machine then. Of several the last one counts. Where it follows typing the cursor stays.
 * @param {Emsim.Setup} [setup] */
export async function assemble(setup, typing = false) {
  const {editor, text, machine, marks, versus, timeline, ahead, engine, form, keep} = page;
  if (!form) return false; // there is no engine yet
  editor.built();
  await page.enter();
  keep.keep();
  const files = editor.changes(), wanted = setup ?? {...form.take(), files};
  const mine = Object.keys(files).length > 0 && page.setup?.main;
  form.put(wanted);
  page.stale = true;
  page.packet = machine.followed = null;
  page.stops.leave(Boolean(setup));
  reset();
  ahead.end(engine.side);
  timeline.clear();
  marks.reset();
  text.clear();
  if (!typing) veil("Assembling …");
  const wants = still(), x = await page.ask("open", wanted);
  if (!wants()) return false;
  if (!x) {
    veil("The program could not be assembled.");
    return false;
  }
  Object.assign(page, {setup: wanted, answer: x});
  form.learn(x);
  versus.parting = null;
  if (!typing) keep.fresh = true;
  if (x.files.length > 0 && setup) editor.load(x.files);
  else if (x.files.length > 0) editor.renew(x.files, Boolean(x.error));
  if (setup) keep.offer(versions(wanted.main).length > 0 ? wanted.main : mine || "");
  editor.problems(x.problems, !typing);
  if (failed(x)) {
    page.controls();
    return false;
  }
  editor.labels = x.labels;
  Object.assign(page, {net: x.network, stale: false});
  machine.reset(x.network);
  page.stage.fit();
  veil(null);
  if (versus.both) await versus.bring(0);
  page.draw(x.frame);
  if (!setup) await page.stops.restore(page.stops.list);
  text.say("", `${named(wanted)}\n`);
  say(`Assembled: ${wanted.main} on ${x.network.next.length} PEs.`);
  if (page.tab === "result") page.show("result");
  await page.look();
  ahead.begin(engine.side);
  return true;
}
