// The page of 'emsim play': it makes its parts, which find each other in 'page'.
import {text as asset} from "./asset.js";
import {tally, theme} from "./draw/appearance.js";
import {Timeline} from "./draw/timeline.js";
import {Engine} from "./engine.js";
import {clockPane} from "./panes/clock.js";
import {Console} from "./panes/console.js";
import {wire} from "./panes/controls.js";
import {Editor} from "./panes/editor.js";
import {Stops} from "./panes/gutter.js";
import {flow} from "./panes/flow.js";
import {Inspect} from "./panes/inspect.js";
import {Lessons} from "./panes/lesson.js";
import {Machine} from "./panes/machine.js";
import {Marks} from "./panes/marks.js";
import {SetupForm} from "./panes/setup.js";
import {Stage} from "./panes/stage.js";
import {Strip} from "./panes/strip.js";
import {say, veil} from "./panes/tell.js";
import {tip} from "./panes/tip.js";
import {Versus} from "./panes/versus.js";
import {first, greets, lives, Watch} from "./panes/watch.js";
import {Ahead} from "./state/ahead.js";
import {assemble} from "./state/assemble.js";
import {Keep} from "./state/keep.js";
import {keys} from "./state/keys.js";
import {restore, show} from "./state/link.js";
import {Motion} from "./state/motion.js";
import {page} from "./state/page.js";
import {pane, reset, show as showAll} from "./state/store.js";
import {all, get, named} from "./util.js";

globalThis.emsim = page; // for tests, and for curious people

/** @param {string} why @param {boolean} lived */
async function dead(why, lived) {
  page.stale = true;
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
async function ask(name, argument, side = page.engine.side) {
  try {
    return await page.engine.call(name, argument, side);
  } catch (e) {
    say(e.message.split("\n")[0], true);
    return undefined;
  } finally {
    controls();
  }
}

// controls says what can be done now.
function controls() {
  const none = page.stale || !page.frame, end = page.versus.ended, run = get("run");
  get("back").disabled = none || page.running || page.versus.now <= 0;
  get("step").disabled = none || page.running || end;
  run.disabled = none || end && !page.running;
  for (const b of [get("again"), get("chip"), get("file-open")]) b.disabled = !page.form;
  run.textContent = page.running ? "❚❚" : "▶";
  run.ariaLabel = page.running ? "pause" : "run";
  // A run is not read aloud clock by clock.
  for (const e of [get("told"), get("clock")]) e.ariaLive = page.running ? "off" : "polite";
  get("share").disabled = none;
  get("chip").textContent = page.setup ? `${named(page.setup)} ▾` : "…";
}

/** draw shows a frame everywhere. @param {Emsim.Frame} frame */
function draw(frame, pe = frame?.chosen) {
  if (!frame || page.stale || frame.load.length !== page.net.next.length) return;
  page.frame = frame;
  page.machine.opened = page.opened !== null;
  page.machine.show(frame);
  page.versus.draw();
  shown(pe);
}

/** shown lets the panes show the frame. @param {number} pe that the console speaks of */
function shown(pe) {
  const {frame, versus} = page;
  showAll({frame, pe, now: versus.now, length: versus.length});
}

// recolour gives the machines the colours that are chosen.
async function recolour() {
  await page.stage.recolour();
  if (page.stale) return;
  page.versus.draw();
  await page.versus.look();
}

/** dress chooses dark or light. @param {string} name */
function dress(name) {
  theme(name);
  const {machine, timeline, versus} = page;
  for (const x of [machine, timeline, versus.machine, versus.timeline]) x.draw();
}

/** go goes to a mode, with what stands beside the machine in it. @param {string} to */
async function go(to) {
  await page.enter();
  if (to === "learn" && page.lessons.at < 0) return page.lessons.show(page.lessons.list[0].file);
  document.body.dataset.mode = to;
  for (const b of all("#modes button")) b.ariaCurrent = b.dataset.to === to ? "page" : null;
  if (to === "compare") await page.versus.open();
  await page.versus.finish();
  if (to === "program") await page.inspect.open(page.opened ?? 0);
  page.show(to === "compare" ? "compared" : to === "watch" && page.opened !== null ? "right" : "");
  page.versus.draw();
}

/** see shows what a lesson speaks of: a clock of a setup with a PE, or its end (null).
 * @param {Emsim.Setup} setup @param {What} what */
async function see(setup, {clock, pe, packet, shows, vs}) {
  const {versus} = page;
  await (vs ? versus.choose(0) : versus.close());
  const other = page.stale || JSON.stringify(setup) !== JSON.stringify(page.setup);
  if (other && !await assemble(setup)) return;
  if (vs) await versus.beside(vs);
  if (pe) {
    const [g, c] = JSON.parse(pe);
    await page.open(g * page.net.members + c);
  }
  if (clock !== null) await page.once(`goto ${clock}`);
  else if (!versus.ended) await page.once("continue");
  if (packet) {
    const way = await page.follow(packet);
    await flow();
    const at = way?.stations.find(s => s.text.includes(shows))?.pe ?? page.opened;
    if (way && !pe) await page.open(at);
  }
  await page.show(clock === null ? vs ? "compared" : "result" : packet ? "packet" : "right");
  await versus.sought; // it writes what is to be marked
}

// make makes the parts.
function make() {
  Object.assign(page, {
    keys, ask, assemble, controls, draw, shown, recolour, dress, go, see,
    once: (/** @type {string} */ line, quiet = true) => page.motion.once(line, quiet),
    travel: (/** @type {number} */ clock) => page.motion.travel(clock),
    open: (/** @type {number} */ pe) => page.inspect.open(pe),
    look: () => page.inspect.look(),
    follow: (/** @type {string} */ id) => page.inspect.follow(id),
    show: (/** @type {string} */ name) => page.inspect.show(name),
    enter: () => page.watch.leave(),
    engine: new Engine((frame, side) => { if (side === page.engine.side) draw(frame); }, dead),
  });
  page.machine = new Machine(get("machine"), {
    opened: i => page.inspect.choose(i), packet: p => page.follow(p.id),
    over: what => tip(page.machine, what),
  });
  page.timeline = new Timeline(get("series"), page.travel);
  page.strip = new Strip();
  page.marks = new Marks(get("marks"));
  page.text = new Console();
  page.stops = new Stops();
  page.editor = new Editor(get("editor"), get("files"));
  page.stage = new Stage();
  page.ahead = new Ahead((whole, side) => {
    (side === page.engine.side ? page.timeline : page.versus.timeline).whole = whole;
    if (!page.stale) draw(page.frame);
  });
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
    page.engine.call("catalogue"), asset("lessons/lessons.json").then(JSON.parse),
    asset("start.json").then(JSON.parse),
  ]);
  page.catalogue = catalogue;
  page.editor.words = catalogue.words.map(w => ({...w, shown: w.form}));
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
    tally(frame);
    page.lessons?.light(page.setup, frame.clock);
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
