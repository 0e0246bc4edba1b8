// The page of 'emsim play': it connects the engine with the editor, the picture of
// the machine, the opened PE, the time line, the console and the lessons.
import {text as asset} from "./asset.js";
import {tally, theme} from "./draw/appearance.js";
import {Timeline} from "./draw/timeline.js";
import {Engine} from "./engine.js";
import {prompt} from "./panes/clock.js";
import {Console} from "./panes/console.js";
import {wire} from "./panes/controls.js";
import {Editor} from "./panes/editor.js";
import {exercises} from "./panes/exercise.js";
import {Flow} from "./panes/flow.js";
import {Inspect} from "./panes/inspect.js";
import {Lessons} from "./panes/lesson.js";
import {Machine} from "./panes/machine.js";
import {Marks} from "./panes/marks.js";
import {SetupForm} from "./panes/setup.js";
import {Stage} from "./panes/stage.js";
import {say, veil} from "./panes/tell.js";
import {tip} from "./panes/tip.js";
import {Versus} from "./panes/versus.js";
import {first, greets, lives, Watch} from "./panes/watch.js";
import {Ahead} from "./state/ahead.js";
import {assembler} from "./state/assemble.js";
import {Keep} from "./state/keep.js";
import {keys, splits} from "./state/keys.js";
import {Link} from "./state/link.js";
import {Motion} from "./state/motion.js";
import {current, effect, empties, pane, reset} from "./state/store.js";
import {count, get} from "./util.js";

/** @type {Emsim.Page} */
const page = {
  catalogue: null, setup: null, net: null, frame: null, answer: null, stale: true, missing: false,
  running: false, travelling: false, opened: null, tab: "console", packet: null, seriesAt: -1,
  ready: 0, restored: "",
};
const travel = (/** @type {number} */ clock) => motion.travel(clock);
const open = (/** @type {number} */ pe) => inspect.open(pe), look = () => inspect.look();
const follow = (/** @type {string} */ id) => inspect.follow(id);
const tab = (/** @type {string} */ name) => inspect.tab(name);
const once = (/** @type {string} */ line, quiet = true) => motion.once(line, quiet);
const engine = new Engine((frame, side) => { if (side === engine.side) draw(frame); }, dead);
const machine = new Machine(get("machine"), {
  opened: i => open(i), packet: p => follow(p.id), over: what => tip(machine, what),
});
const timeline = new Timeline(get("series"), get("slider"), travel);
const marks = new Marks(get("marks"), travel);
const text = new Console(engine, line => {
  if (page.stale) say("Assemble a program first.", true);
  else once(line, false);
});
const editor = new Editor(get("editor"), get("files"), () => {
  keep.changed();
  say("The program was changed: assemble it.");
}, (file, line) => stage.at(file, line));
const stage = new Stage(page, machine, {ask, open, line(file, n, go = false) {
  editor.to(file, n);
  if (go) editor.view.focus();
}});
const ahead = new Ahead(engine, (whole, side) => {
  (side === engine.side ? timeline : versus.timeline).whole = whole;
  if (!page.stale) draw(page.frame);
});
const flow = new Flow(id => engine.call("follow", id));
/** @type {Keep} */ let keep;
/** @type {SetupForm} */ let form;
/** @type {Lessons} */ let lessons;
const versus = new Versus(page, {machine, timeline, marks, editor, engine}, {
  ask, assemble: s => assemble(s), settle: () => motion.settle(), travel, open, follow, once, tab,
  end: over => stage.end(over && !lessons.current),
  async show() {
    reset();
    if (page.setup) form.put(page.setup);
    if (page.answer) form.learn(page.answer);
    if (!page.stale) {
      draw(page.frame);
      sayEnd(page.frame);
    }
    await look();
    tab(page.tab);
    controls();
  },
});
const motion = new Motion(page, engine, versus, {lead, look, controls});
const watch = new Watch(page, machine, motion);
const assemble = assembler(page, {
  editor, text, machine, marks, versus, timeline, ahead, engine, form: () => form, keep: () => keep,
}, {ask, controls, draw, enter, look, tab});
const inspect = new Inspect(page, {machine, editor, stage, flow, timeline, versus}, {
  ask, controls, once, shown, travel,
});
reset();
globalThis.emsim = Object.assign(page, { // for tests, and for curious people
  engine, machine, stage, editor, marks, keys, once, versus,
});

for (const id of /** @type {const} */ (["right", "compared", "told"])) empties(get(id));
prompt(machine);
pane(run => effect(() => {
  if (!run.shown.value) return;
  const {frame} = run.shown.value;
  tally(frame);
  lessons?.light(page.setup, frame.clock);
}));

/** @param {string} why @param {boolean} lived */
async function dead(why, lived) {
  page.stale = true;
  page.running = false;
  if (!lived) {
    page.missing = true;
    return veil(`The engine could not be loaded: ${why}\nReload the page to try again.`);
  }
  reset(); // what is still to come is of a run that has gone
  engine.start();
  await versus.close(false);
  veil(`The engine has stopped: ${why}\nIt has been started again; “Assemble” begins anew.`);
  say("The engine has stopped and was started again.", true);
  controls();
}

/**
 * ask asks the engine and tells of an error; the answer is undefined then.
 * @type {Emsim.Ask}
 */
async function ask(name, argument, side = engine.side) {
  try {
    return await engine.call(name, argument, side);
  } catch (e) {
    say(e.message.split("\n")[0], true);
    return undefined;
  } finally {
    controls();
  }
}

function controls() {
  const none = page.stale || !page.frame, end = versus.ended;
  for (const b of [get("first"), get("back")]) b.disabled = none || page.running || versus.now <= 0;
  get("step").disabled = none || page.running || end;
  get("run").disabled = none || end && !page.running;
  for (const b of [get("assemble"), get("knobs-open"), get("file-open")]) b.disabled = !form;
  get("run").textContent = page.running ? "Pause" : "Run";
  // A run is not read aloud clock by clock.
  for (const e of [get("told"), get("clock")]) e.ariaLive = page.running ? "off" : "polite";
  for (const b of [get("slider"), get("share"), get("mark")]) b.disabled = none;
  get("versus").disabled = none && !versus.on;
}

/** draw shows a frame everywhere. @param {Emsim.Frame} frame */
function draw(frame, pe = frame?.chosen) {
  if (!frame || page.stale || frame.load.length !== page.net.next.length) return;
  page.frame = frame;
  machine.opened = page.opened !== null;
  machine.show(frame);
  versus.draw();
  shown(pe);
}

/** shown lets the panes show the frame. @param {number} pe that the console speaks of */
function shown(pe) {
  current().shown.value = {frame: page.frame, pe, now: versus.now, length: versus.length};
}

/** lead executes a command of the debugger and shows where it led. @param {string} line */
async function lead(line, quiet = true) {
  if (page.stale) return;
  const x = await versus.lead(line);
  if (!x) return;
  marks.found = x.marks;
  draw(x.frame);
  if (page.opened !== null) page.opened = x.frame.chosen; // a stop chooses its PE
  if (!quiet || x.hits.length > 0) text.say(line, x.text, x.error);
  if (x.error) say(x.error.split("\n")[0], true);
  else if (x.stopped) say(x.stopped.split("\n")[0], x.stopped.includes("floods"));
  else if (x.hits.length > 0) say(x.hits[0].split("\n")[0]);
  else {
    sayEnd(x.frame);
    if (x.frame.failure) tab("result");
  }
  return x;
}

/** sayEnd says how a run has ended, or nothing. @param {Emsim.Frame} f */
function sayEnd({ended, failure, answer, result}) {
  say(!ended ? "" : failure ? failure.split("\n")[0]
    : `The run is over: result ${answer} after ${count(result.clocks)} clocks.`, Boolean(failure));
}

// recolour gives the machines the colours that are chosen.
async function recolour() {
  await stage.recolour();
  if (page.stale) return;
  versus.draw();
  await versus.look();
}

/** fill adds the text of a program to begin with. @param {Emsim.Setup} setup */
function fill(setup) {
  const given = page.catalogue.programs.find(p => p.main === setup.main)?.text;
  return given ? {...setup, files: {[setup.main]: given}} : setup;
}

/** own assembles files of the user's computer.
 * @param {string} main @param {Record<string, string>} files */
async function own(main, files) {
  if (!form) return;
  lessons.close();
  const done = await assemble({...form.machine, main, files});
  if (!done && page.answer.args.length > 0) get("args").focus();
}

/** @param {string} name */
function dress(name) {
  theme(name);
  for (const x of [machine, timeline, versus.machine, versus.timeline]) x.draw();
}

// enter goes from the first sight to the rest.
async function enter() {
  await watch.leave();
  if (page.opened === null) await open(0);
}

// begin gets everything ready; 'page.ready' is when the first program is.
async function begin() {
  const link = new Link(page, {stage, marks, versus, get lessons() { return lessons; }}, {
    ask, assemble, once, look, recolour, tab,
    async otherwise(why) {
      await versus.close();
      await assemble(first());
      say(why, true);
    },
  });
  dress(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  wire(page, {
    editor, marks, motion, stage, versus, link, form: () => form, lessons: () => lessons,
  }, {assemble, dress, enter, own, recolour, tab});
  controls();
  splits();
  const [catalogue, list, given] = await Promise.all([
    engine.call("catalogue"), asset("lessons/lessons.json").then(JSON.parse),
    asset("start.json").then(JSON.parse),
  ]);
  page.catalogue = catalogue;
  editor.words = catalogue.words.map(w => ({...w, shown: w.form}));
  form = new SetupForm(catalogue, assemble, async p => { // on the machine that there is
    lessons.close();
    await assemble(fill({...form.machine, main: p.main, args: p.args}));
  });
  const now = () => ({...form.take(), files: editor.changes()});
  keep = new Keep({now, open: assemble});
  lessons = new Lessons(list, {
    open: async s => { await versus.close(); await assemble(fill(s)); },
    exercises: lesson => exercises(catalogue.exercises.filter(x => x.lesson === lesson),
      {ask, open: assemble, now}),
    see: (s, what) => see(fill(s), what),
    changed: on => on && stage.show("machine"),
  });
  stage.recolour();
  stage.show("machine");
  tab("console");
  if (location.hash.length > 1) await link.restore(location.hash);
  else if (given) await link.show(given);
  else await watch.welcome(assemble);
  if (page.opened === null && !greets() && !lives) await open(0);
  if (greets()) keep.offer(keep.last);
  page.ready = performance.now();
  if (lives || greets()) watch.live();
}

/** see shows what a lesson speaks of: a clock of a setup with a PE, or its end (null).
 * @param {Emsim.Setup} setup @param {import("./panes/lesson.js").What} what */
async function see(setup, {clock, pe, packet, shows, vs}) {
  await (vs ? versus.choose(0) : versus.close());
  const other = page.stale || JSON.stringify(setup) !== JSON.stringify(page.setup);
  if (other && !await assemble(setup)) return;
  if (vs) await versus.beside(vs);
  if (pe) {
    const [g, c] = JSON.parse(pe);
    await open(g * page.net.members + c);
  }
  if (clock !== null) await once(`goto ${clock}`);
  else if (!versus.ended) await once("continue");
  if (packet) {
    const way = await follow(packet);
    await flow.look(page);
    if (way && !pe) await open(way.stations.find(s => s.text.includes(shows))?.pe ?? page.opened);
  }
  if (clock === null) tab(vs ? "compared" : "result");
  await versus.sought; // it writes what is to be marked
}

begin().catch(e => {
  if (page.missing) return; // which has been said
  veil(`The page could not be made ready: ${e.message}`);
  throw e;
});
