// The page of 'emsim play': it makes its parts, which find each other in 'page'.
import {Engine, text as asset} from "./engine.js";
import {Console} from "./panes/console.js";
import {wire} from "./panes/controls.js";
import {Editor} from "./panes/editor.js";
import {Stops} from "./panes/gutter.js";
import {Inspect} from "./panes/inspect.js";
import {Lessons} from "./panes/lesson.js";
import {SetupForm} from "./panes/setup.js";
import {Stage, tally} from "./panes/stage.js";
import {clockPane, Marks, Strip} from "./panes/time.js";
import {Versus} from "./panes/versus.js";
import {first, greets, lives, Watch} from "./panes/watch.js";
import {Keep} from "./state/keep.js";
import {keys} from "./state/keys.js";
import {restore, show} from "./state/link.js";
import {Motion} from "./state/motion.js";
import {page, pane, reset, show as showAll} from "./state/page.js";
import {assemble, Run} from "./state/run.js";
import {all, forget, get, named, say, veil} from "./util.js";

globalThis.emsim = page; // for tests, and for curious people

/** @param {string} why @param {boolean} lived */
async function dead(why, lived) {
  page.run.stale = true;
  page.running = false;
  if (!lived) {
    page.missing = true;
    return veil(`The engine could not be loaded: ${why}\nReload the page to try again.`);
  }
  reset(); // what is still to come is of a run that has gone
  page.engine.start();
  await page.versus.close(false);
  veil(`The engine has stopped: ${why}\nIt has been started again; “Run” begins anew.`);
  say("The engine has stopped and was started again.", true);
  controls();
}

/** ask asks the engine and tells of an error; the answer is undefined then.
 * @type {Emsim.Ask} */
async function ask(name, argument, run = page.run) {
  try {
    return await page.engine.call(name, argument, run.side);
  } catch (e) {
    say(e.message.split("\n")[0], true);
    return undefined;
  } finally {
    controls();
  }
}

// controls says what can be done now.
function controls() {
  const none = page.run.stale || !page.run.frame, end = page.versus.ended, run = get("run");
  get("back").disabled = none || page.running || page.versus.now <= 0;
  get("step").disabled = none || page.running || end;
  run.disabled = none || end && !page.running;
  for (const b of [get("again"), get("chip"), get("file-open")]) b.disabled = !page.form;
  run.textContent = page.running ? "❚❚" : "▶";
  run.ariaLabel = page.running ? "pause" : "run";
  // A run is not read aloud clock by clock.
  for (const e of [get("told"), get("clock")]) e.ariaLive = page.running ? "off" : "polite";
  get("share").disabled = none;
  get("chip").textContent = page.run.setup ? `${named(page.run.setup)} ▾` : "…";
}

/** hear shows a frame of long work, if its machine is still there.
 * @param {Emsim.Frame} frame @param {number} side */
function hear(frame, side) {
  const run = page.pair[side];
  if (run.stale || frame.load.length !== run.net.next.length) return;
  run.frame = frame;
  draw();
}

// draw shows the runs everywhere.
function draw() {
  if (page.run.stale) return;
  page.versus.draw();
  shown(page.run.frame.chosen);
}

/** shown lets the panes show the frame. @param {number} pe that the console speaks of */
function shown(pe) {
  const {run: {frame}, versus} = page;
  showAll({frame, pe, now: versus.now, length: versus.length});
}

// pictures draws the machines and time lines again, when letters or colours have changed.
function pictures() {
  forget();
  for (const {machine, timeline} of page.pair) {
    machine.draw();
    timeline.draw();
  }
  page.strip.draw(true);
}

/** dress chooses dark or light. @param {string} name */
function dress(name) {
  document.documentElement.dataset.theme = name;
  get("theme").textContent = name === "dark" ? "☀" : "☾";
  get("theme").ariaLabel = name === "dark" ? "light colours" : "dark colours";
  pictures();
}

/** go goes to a mode, with what stands beside the machine in it. @param {string} to */
async function go(to) {
  await page.watch.leave();
  const {run, versus} = page;
  if (to === "learn" && page.lessons.at < 0) return page.lessons.show(page.lessons.list[0].file);
  document.body.dataset.mode = to;
  for (const b of all("#modes button")) b.ariaCurrent = b.dataset.to === to ? "page" : null;
  if (to === "compare") await versus.open();
  await versus.finish();
  if (to === "program") await page.inspect.open(run.opened ?? 0);
  const opened = to === "watch" && run.opened !== null;
  page.inspect.show(to === "compare" ? "compared" : opened ? "right" : "");
  versus.draw();
}

// make makes the parts.
function make() {
  Object.assign(page, {
    keys, ask, assemble, controls, draw, shown, pictures, dress, go,
    engine: new Engine(hear, dead),
  });
  page.pair = [new Run("A"), new Run("B")];
  [page.run] = page.pair;
  page.strip = new Strip();
  page.marks = new Marks();
  page.text = new Console();
  page.stops = new Stops();
  page.editor = new Editor(get("editor"), get("files"));
  page.stage = new Stage();
  page.versus = new Versus();
  page.motion = new Motion();
  page.watch = new Watch();
  page.inspect = new Inspect();
}

// begin gets everything ready; 'page.ready' is when the first program is.
async function begin() {
  dress(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  wire();
  controls();
  const [catalogue, list, given] = await Promise.all([
    page.engine.call("catalogue"), asset("lessons.json").then(JSON.parse),
    asset("start.json").then(JSON.parse),
  ]);
  page.catalogue = catalogue;
  page.editor.words = catalogue.words;
  page.form = new SetupForm(catalogue);
  page.keep = new Keep();
  page.lessons = new Lessons(list);
  page.stage.recolour();
  page.stage.show("machine");
  if (location.hash.length > 1) await restore(location.hash, first());
  else if (given) await show(given);
  else await page.watch.welcome();
  if (greets()) page.keep.offer(page.keep.last);
  page.ready = performance.now();
  if (lives || greets()) page.watch.live();
}

make();
pane(clockPane);
pane({
  show({frame}) {
    tally();
    page.lessons?.light(page.run.setup, frame.clock);
  },
  leave() {
    const places = "#right, #result, #compared, #calls, #told, [data-state] .swatch";
    for (const e of all(places)) e.replaceChildren();
    get("here").hidden = true;
  },
});
reset();
begin().catch(e => {
  if (page.missing) return; // which has been said
  veil(`The page could not be made ready: ${e.message}`);
  throw e;
});
