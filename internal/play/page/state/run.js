// A run of the page: what the engine has of it, its machine and its time line. The page has one, or
// two that are compared, A and B; it shows and changes the chosen one, page.run. What is to run
// becomes that one.
import {Machine} from "../panes/machine.js";
import {Timeline} from "../panes/time.js";
import {get, named, say, veil} from "../util.js";
import {versions} from "./keep.js";
import {page, reset, still} from "./page.js";

const patience = 30; // milliseconds of a step ahead, which everything else waits for [chosen]

export class Run {
  /** @type {Emsim.Setup} */ setup; // that was built
  /** @type {Emsim.Opened} */ answer; // the engine's, to the setup
  /** @type {Emsim.Network} */ net;
  /** @type {Emsim.Frame} */ frame;
  /** @type {boolean} */ stale; // what is shown is of another program than the editor's
  /** @type {number} */ opened; // PE
  /** @type {string} */ packet; // that is followed
  /** @type {Emsim.Mark[]} */ found; // marks, by the engine
  /** @type {Emsim.Mark[]} */ own; // marks, by the user
  /** @type {Stop[]} */ stops;
  /** @type {Map<string, Source>} */ files; // of its program, by name
  /** @type {string} */ open; // of these the one in the editor
  /** @type {string[]} */ labels; // of the program when it was right last
  /** @type {object} */ way; // as long as the run is gone through ahead of the page

  constructor(/** @type {"A" | "B"} */ name) {
    this.name = name;
    this.side = name === "A" ? 0 : 1; // of the engine's two
    const choose = () => page.versus.choose(this);
    this.machine = new Machine(get(`machine-${name}`), this, {
      opened: pe => choose().then(() => page.inspect.choose(pe)),
      packet: p => choose().then(() => page.inspect.follow(p.id)),
    });
    this.timeline = new Timeline(get(`series-${name}`), this);
    this.clear();
  }

  // clear leaves nothing of the run.
  clear() {
    this.setup = this.answer = this.net = this.frame = null;
    this.opened = this.packet = this.open = this.way = null;
    this.stale = true;
    Object.assign(this, {found: [], own: [], stops: [], labels: [], files: new Map()});
    this.timeline.clear();
  }

  /** ask asks the engine about this run. @type {Emsim.Ask} */
  ask(name, argument) { return page.ask(name, argument, this); }

  /** take takes where a command has led. @param {Emsim.Moved} moved */
  take(moved) {
    if (moved) Object.assign(this, {frame: moved.frame, found: moved.marks});
  }

  /** bring takes the run to a clock, or to its end. @param {number} to */
  async bring(to) {
    const {clock, ended} = this.frame;
    if (to === clock || to > clock && ended) return;
    this.take(await this.ask("do", to === Infinity ? "continue" : `goto ${to}`));
  }

  // length is that up to its result; 0 as long as it is not known.
  get length() { return this.stale ? 0 : this.timeline.whole?.length || this.frame.length || 0; }

  // ahead goes through the whole run in small steps while the page does something else, so that
  // the time line is whole before anybody has gone there.
  async ahead() {
    const way = (this.way = {});
    for (let clocks = 200, failed = 0; this.way === way && failed < 20;) {
      const from = performance.now();
      const whole = await page.engine.call("ahead", Math.round(clocks), this.side)
        // somebody has ended whatever was under way
        .catch(() => /** @type {Emsim.Ahead} */ (null));
      if (this.way !== way) return;
      failed = whole ? 0 : failed + 1;
      if (whole) this.timeline.whole = whole;
      page.draw();
      if (whole?.ended) return;
      clocks *= Math.min(2, patience / (performance.now() - from));
      clocks = Math.max(50, Math.min(50_000, clocks));
      await new Promise(next => setTimeout(next, whole ? 0 : 50));
    }
  }
}

// judge shows what is wrong with a program, and returns whether anything is.
export function judge(/** @type {Emsim.Opened} */ {error, problems, more = 0}) {
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
  await page.watch.leave();
  keep.keep();
  const {run} = page, {machine, timeline} = run;
  const files = editor.changes(), wanted = setup ?? {...form.chosen, files};
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
