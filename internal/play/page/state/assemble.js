// What is to run becomes the run that the page shows.
import {say, veil} from "../panes/tell.js";
import {get} from "../util.js";
import {versions} from "./keep.js";
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

/** @param {Emsim.Setup} setup */
const named = ({main, args}) => [main, ...args ?? []].join(" ");

/**
 * assembler makes the function that assembles what is in the editor, or a setup with its own
 * texts, and returns whether there is a machine then. Of several the last one counts.
 * @param {Emsim.Page} page
 * @param {{editor: import("../panes/editor.js").Editor, text: import("../panes/console.js").Console,
 *   machine: import("../panes/machine.js").Machine, marks: import("../panes/marks.js").Marks,
 *   versus: import("../panes/versus.js").Versus, timeline: import("../draw/timeline.js").Timeline,
 *   ahead: import("./ahead.js").Ahead, engine: import("../engine.js").Engine,
 *   form: () => import("../panes/setup.js").SetupForm, keep: () => import("./keep.js").Keep}} parts
 *   form and keep come later
 * @param {{ask: Emsim.Ask, controls: () => void, draw: (frame: Emsim.Frame) => void,
 *   enter: () => Promise<void>, look: () => Promise<void>, tab: (name: string) => void}} acts
 */
export function assembler(page, parts, {ask, controls, draw, enter, look, tab}) {
  const {editor, text, machine, marks, versus, timeline, ahead, engine, form, keep} = parts;
  /** @param {Emsim.Setup} [setup] */
  return async setup => {
    if (!form()) return false; // there is no engine yet
    await enter();
    keep().keep();
    const files = editor.changes(), wanted = setup ?? {...form().take(), files};
    const mine = Object.keys(files).length > 0 && page.setup?.main;
    form().put(wanted);
    page.stale = true;
    page.packet = machine.followed = null;
    reset();
    ahead.end(engine.side);
    timeline.clear();
    marks.reset();
    text.clear();
    veil("Assembling …");
    const wants = still(), x = await ask("open", wanted);
    if (!wants()) return false;
    if (!x) {
      veil("The program could not be assembled.");
      return false;
    }
    Object.assign(page, {setup: wanted, answer: x});
    form().learn(x);
    versus.parting = null;
    keep().fresh = true;
    if (x.files.length > 0 && setup) editor.load(x.files);
    else if (x.files.length > 0) editor.renew(x.files, Boolean(x.error));
    if (setup) keep().offer(versions(wanted.main).length > 0 ? wanted.main : mine || "");
    editor.problems(x.problems);
    if (failed(x)) {
      controls();
      return false;
    }
    editor.labels = x.labels;
    Object.assign(page, {net: x.network, stale: false, seriesAt: -1});
    machine.reset(x.network);
    veil(null);
    if (versus.both) await versus.bring(0);
    draw(x.frame);
    text.say("", `${named(wanted)} on ${x.network.next.length} PEs\n`);
    say(`Assembled: ${wanted.main} on ${x.network.next.length} PEs.`);
    get("goal-kind").dispatchEvent(new Event("change"));
    if (page.tab === "calls" || page.tab === "result") tab(page.tab);
    await look();
    ahead.begin(engine.side);
    return true;
  };
}
