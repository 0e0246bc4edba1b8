// The page of 'emsim play': it connects the engine with the editor, the picture of
// the machine, the opened PE, the time line, the console and the lessons.
import {Ahead} from "./ahead.js";
import {tally, theme} from "./appearance.js";
import {text as asset} from "./asset.js";
import {Callouts} from "./callouts.js";
import {Console} from "./console.js";
import {Editor} from "./editor.js";
import {Engine} from "./engine.js";
import {exercises} from "./exercise.js";
import {opens} from "./files.js";
import {Flow} from "./flow.js";
import {goal} from "./goal.js";
import {Keep, versions} from "./keep.js";
import {bind, keys, splits} from "./keys.js";
import {Lessons} from "./lesson.js";
import {Machine} from "./machine.js";
import {Marks} from "./marks.js";
import {drawPE} from "./pe.js";
import {noPacket, showCalls, showPacket, showResult} from "./bottom.js";
import {SetupForm} from "./setup.js";
import {shared} from "./share.js";
import {Stage} from "./stage.js";
import {tabs} from "./tabs.js";
import {say, veil} from "./tell.js";
import {tip} from "./tip.js";
import {Timeline} from "./timeline.js";
import {calm, clockOf, count, el, get} from "./util.js";
import {Versus} from "./versus.js";

/** @type {Emsim.Page} */
const page = {
  catalogue: null, setup: null, net: null, frame: null, answer: null, stale: true, missing: false, running: false, travelling: false, wish: null,
  token: null, opened: null, tab: "console", packet: null, seriesAt: -1, ready: 0, restored: "",
};
const engine = new Engine((frame, side) => { if (side === engine.side) draw(frame); }, dead);
const machine = new Machine(get("machine"), {opened: i => open(i), packet: p => follow(p.id), over: what => tip(machine, what)});
const timeline = new Timeline(get("series"), get("slider"), clock => travel(clock));
const marks = new Marks(get("marks"), clock => travel(clock));
const text = new Console(engine, line => command(line));
const editor = new Editor(get("editor"), get("files"), () => { keep.changed(); say("The program was changed: assemble it."); }, (file, line) => stage.at(file, line));
const stage = new Stage(page, machine, {ask, open: pe => open(pe), line(file, n, go = false) { editor.to(file, n); if (go) editor.view.focus(); }});
/** @type {Keep} */
let keep;
const ahead = new Ahead(engine, (whole, side) => {
  (side === engine.side ? timeline : versus.timeline).whole = whole;
  if (!page.stale) draw(page.frame);
});
const flow = new Flow(id => engine.call("follow", id));
/** @type {SetupForm} */
let form;
/** @type {Lessons} */
let lessons;
const versus = new Versus(page, {machine, timeline, marks, editor, engine}, {
  ask, assemble, settle, travel: clock => travel(clock), open, follow, once, tab: name => tab(name),
  async show() {
    if (page.setup) form.put(page.setup);
    if (page.answer) form.learn(page.answer);
    if (page.stale || page.opened === null) get("right").replaceChildren();
    if (!page.stale) { draw(page.frame); sayEnd(page.frame); }
    await look();
    tab(page.tab);
    controls();
  },
});
globalThis.emsim = Object.assign(page, {engine, machine, stage, editor, marks, keys, once, versus}); // for tests, and for curious people

/** @param {string} why @param {boolean} lived */
async function dead(why, lived) {
  page.stale = true;
  page.running = false;
  if (!lived) {
    page.missing = true;
    return veil(`The engine could not be loaded: ${why}\nReload the page to try again.`);
  }
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
  for (const e of [get("told"), get("clock")]) e.ariaLive = page.running ? "off" : "polite"; // a run is not read aloud clock by clock
  for (const b of [get("slider"), get("share"), get("mark")]) b.disabled = none;
  get("versus").disabled = none && !versus.on;
}

/** draw shows a frame everywhere. @param {Emsim.Frame} frame */
function draw(frame) {
  if (!frame || page.stale || frame.load.length !== page.net.next.length) return;
  page.frame = frame;
  machine.opened = page.opened !== null;
  machine.show(frame);
  tally(frame);
  lessons?.light(page.setup, frame.clock);
  versus.draw();
  get("clock").replaceChildren(...told(versus.now, versus.length));
  prompt(frame.chosen);
}

/** prompt says which clock and PE the console speaks of: those of the page. @param {number} pe */
const prompt = pe => { get("prompt").textContent = `(${clockOf(page.frame)} ${machine.address(pe)})`; };

/** told is a clock in words. A run ends with its result: what follows has no number.
 * @param {number} clock @param {number} length 0: not known yet */
const told = (clock, length) => (!length ? [`clock ${count(clock)}`] : [`clock ${count(Math.min(clock, length))}`, el("small", {}, clock > length ? " the end, then rest" : ` of ${count(length)}`)]);

// series brings the utilisation over time up to date.
async function series() {
  if (page.frame.furthest === page.seriesAt || page.frame.furthest <= timeline.reach) return;
  page.seriesAt = page.frame.furthest;
  timeline.series = await ask("series");
  timeline.draw();
}

// look brings up to date what is asked for separately.
async function look() {
  if (page.stale) return;
  const f = page.frame;
  await series();
  if (page.opened !== null) await open(page.opened);
  await flow.look(page);
  if (page.tab === "result") showResult(f, page.net);
  if (page.tab === "packet" && page.packet) await follow(page.packet, true);
  await versus.look();
  controls();
}

// now is what the user has chosen and written.
const now = () => ({...form.take(), files: editor.changes()});

/** assemble assembles what is in the editor, or a setup with its own texts. @param {Emsim.Setup} [setup] */
async function assemble(setup) {
  if (!form) return false; // there is no engine yet
  await enter();
  keep.keep();
  const wanted = setup ?? now(), mine = Object.keys(editor.changes()).length > 0 && page.setup?.main;
  form.put(wanted);
  page.stale = true;
  for (const pane of [get("right"), get("calls"), get("result"), get("compared"), get("clock"), get("told")]) pane.replaceChildren(); // of the run before
  page.packet = machine.followed = null;
  noPacket();
  get("prompt").textContent = ">";
  ahead.end(engine.side);
  timeline.clear();
  marks.reset();
  text.clear();
  veil("Assembling …");
  const x = await ask("open", wanted);
  if (!x) {
    veil("The program could not be assembled.");
    return false;
  }
  page.setup = wanted;
  page.answer = x;
  form.learn(x);
  versus.parting = null;
  keep.fresh = true;
  if (x.files.length > 0 && setup) editor.load(x.files);
  else if (x.files.length > 0) editor.renew(x.files, Boolean(x.error));
  if (setup) keep.offer(versions(wanted.main).length > 0 ? wanted.main : mine || "");
  editor.problems(x.problems);
  get("problem").hidden = !x.error;
  get("problem").textContent = x.error ? x.error + (x.problems.length + (x.more ?? 0) > 1 ? `\nand ${x.problems.length + (x.more ?? 0) - 1} more: F8 goes to the next` : "") : "";
  if (x.error) {
    veil(x.problems.length ? "The program has errors, so there is no machine: see the line in the editor." : x.error);
    say(x.error.split("\n")[0], true);
    controls();
    return false;
  }
  editor.labels = x.labels;
  page.net = x.network;
  page.stale = false;
  page.seriesAt = -1;
  machine.reset(x.network);
  veil(null);
  if (versus.both) await versus.bring(0);
  draw(x.frame);
  text.say("", `${wanted.main}${(wanted.args ?? []).map(a => " " + a).join("")} on ${x.network.next.length} PEs\n`);
  say(`Assembled: ${wanted.main} on ${x.network.next.length} PEs.`);
  get("goal-kind").dispatchEvent(new Event("change"));
  if (page.tab === "calls" || page.tab === "result") tab(page.tab);
  await look();
  ahead.begin(engine.side);
  return true;
}

/** move executes a command of the debugger and shows where it led. @param {string} line */
async function move(line, quiet = true) {
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
  else ended(x.frame);
  return x;
}

/** sayEnd says how a run has ended, or nothing. @param {Emsim.Frame} f */
function sayEnd(f) {
  if (!f.ended) return say("");
  say(f.failure ? f.failure.split("\n")[0] : `The run is over: result ${f.answer} after ${count(f.result.clocks)} clocks.`, Boolean(f.failure));
}

/** @param {Emsim.Frame} f */
function ended(f) {
  sayEnd(f);
  if (f.failure) { tab("result"); showResult(f, page.net); }
}

/** @type {[string, number][]} of clocks a second */
const speeds = [["2 clocks/s", 2], ["8 clocks/s", 8], ["20 clocks/s", 20], ["100 clocks/s", 100], ["1,000 clocks/s", 1000], ["at once", Infinity]];
/** @param {number} ms */
const pause = ms => new Promise(r => setTimeout(r, ms));

// run goes on at the chosen speed until the end, a stop, or a pause.
async function run() {
  if (page.running) return stop();
  if (page.stale || versus.ended) return;
  page.running = true;
  controls();
  const token = (page.token = {});
  try {
    for (let last = performance.now(), seen = last; page.token === token; ) {
      const speed = speeds[get("speed").selectedIndex][1];
      if (speed === Infinity) { await move("continue"); break; }
      const x = await move(`step ${Math.max(1, Math.round(speed / 20))}`);
      if (!x || x.error || x.hits.length > 0 || versus.ended) break;
      if (speed <= 20 || performance.now() - seen > 500) { await look(); seen = performance.now(); }
      const next = last + Math.max(50, 1000 / speed);
      await pause(Math.max(0, next - performance.now()));
      last = Math.max(next, performance.now() - 200);
    }
  } finally {
    if (page.token === token) page.token = null;
    page.running = false;
    controls();
    await look();
  }
}

// stop ends whatever is under way.
async function stop() {
  page.token = null;
  engine.cancel();
  while (page.running) await pause(5);
  await engine.last;
}

// settle ends motions, and waits until the page is at rest.
async function settle() {
  page.wish = versus.seeking = null;
  await stop();
  while (page.travelling || engine.busy) await pause(5);
}

/** @param {string} line */
async function once(line) {
  if (page.running || page.stale) return;
  page.running = true;
  controls();
  try { return await move(line, true); } finally { page.running = false; await look(); }
}

/** travel goes to a clock; of several wishes the last one counts. @param {number} clock */
async function travel(clock) {
  page.wish = clock;
  if (page.travelling || page.stale) return;
  page.travelling = true;
  while (page.wish !== null) {
    const to = page.wish;
    page.wish = null;
    if (to !== versus.now) await move(`goto ${to}`);
  }
  page.travelling = false;
  await look();
}

/** @param {string} line */
async function command(line) {
  if (page.stale) return say("Assemble a program first.", true);
  page.running = true;
  controls();
  try { await move(line, false); } finally { page.running = false; }
  await look();
}

/** open shows a PE. @param {number} pe */
async function open(pe) {
  if (page.stale || pe === null) return;
  if (pe >= page.net.next.length) pe = 0;
  const x = await ask("pe", pe);
  if (!x) return;
  page.opened = pe;
  prompt(pe);
  if (machine.pe !== pe) { machine.pe = pe; machine.draw(); }
  const top = get("right").scrollTop;
  drawPE(get("right"), x, {
    states: page.catalogue.states, fifo: page.net.fifo_words, mib: page.net.mib_words, follow,
    step: async name => { await command(name.toLowerCase()); document.getElementById("go-" + name)?.focus(); },
    goLine: (file, line) => { editor.here(file, line); editor.view.focus(); },
  });
  get("right").scrollTop = top;
  editor.here(x.code.when === "last" ? "" : x.code.file, x.code.line);
  get("told").textContent = `PE ${x.pe}, clock ${clockOf(page.frame)}: ${x.why}`;
  await stage.called();
  await stage.look(x.code);
}

/** follow tells the way of a packet; again, if the pane still shows it. @param {string} id */
async function follow(id, again = false) {
  const way = await ask("follow", id);
  if (again && !way && !page.stale) noPacket(get("message").textContent); // it is not made yet
  if (!way || page.stale || again && (page.tab !== "packet" || page.packet !== id)) return;
  page.packet = machine.followed = id;
  machine.draw();
  if (page.tab !== "packet") tab("packet");
  showPacket(way, page.frame, page.running, {go: travel, openPE: open});
  return way;
}

// recolour gives the machines the colours that are chosen.
async function recolour() {
  await stage.recolour();
  if (page.stale) return;
  versus.draw();
  await versus.look();
}

/** @param {string} name */
function tab(name) {
  page.tab = name;
  choose(name);
  if (page.stale) return;
  if (name === "calls") showCalls(ask, {openPE: open});
  if (name === "result") showResult(page.frame, page.net);
  if (name === "packet" && page.packet) follow(page.packet);
}

async function share() {
  /** @type {Emsim.View} */
  const view = {setup: page.setup, clock: versus.now, colour: get("colour").value, tab: page.tab};
  versus.share(view);
  if (stage.name !== "machine") view.stage = stage.name;
  if (page.opened !== null) view.pe = page.opened;
  if (lessons.current) view.lesson = lessons.current;
  if (marks.own.length > 0) view.marks = marks.own;
  const link = await ask("share", view);
  if (link) await shared(link);
}

/** restore shows the view of a link. @param {string} link */
async function restore(link) {
  const view = await ask("restore", link);
  if (!view) {
    const why = get("message").textContent;
    await versus.close();
    await assemble(first());
    return say(why, true);
  }
  return show(view);
}

/** show shows a view. @param {Emsim.View} view */
async function show(view) {
  classList.remove("lecture");
  await versus.close();
  if (view.lesson) await lessons.show(view.lesson, true);
  else lessons.close();
  page.opened = view.pe ?? page.opened;
  if (!await assemble(view.setup)) return;
  if (view.vs) await versus.beside(view.vs);
  if (view.clock) await once(`goto ${view.clock}`);
  else await look();
  if (view.side === "B") await versus.choose(1);
  if ([...get("colour").options].some(o => o.value === view.colour)) { get("colour").value = view.colour; recolour(); }
  marks.own = view.marks ?? [];
  marks.draw();
  await stage.show(view.stage);
  tab(panes.includes(view.tab) ? view.tab : versus.on ? "compared" : "console");
}

/** @returns {Emsim.Setup} */
const first = () => (lives ? {main: "fib.s", args: ["10"], pes: 12} : {main: "fib.s", args: ["16"]});

const busiest = 1400; // a clock of the first run at which most of 80 PEs have begun

/** fill adds the text of a program to begin with. @param {Emsim.Setup} setup */
function fill(setup) {
  const given = page.catalogue.programs.find(p => p.main === setup.main)?.text;
  return given ? {...setup, files: {[setup.main]: given}} : setup;
}

/** start begins with a program of the catalogue, on the machine that there is. @param {string} name */
async function start(name) {
  const p = page.catalogue.programs.find(x => x.name === name);
  if (!p) return;
  lessons.close();
  await assemble(fill({...form.machine, main: p.main, args: p.args}));
}

/** own assembles files of the user's computer. @param {string} main @param {Record<string, string>} files */
async function own(main, files) {
  if (!form) return;
  lessons.close();
  if (!await assemble({...form.machine, main, files}) && page.answer.args.length > 0) get("args").focus();
}

const panes = ["console", "calls", "packet", "result"], choose = tabs(get("bottom-tabs"), tab);
/** @param {string} name */
const dress = name => { theme(name); for (const x of [machine, timeline, versus.machine, versus.timeline]) x.draw(); };

function wire() {
  get("assemble").onclick = () => assemble();
  get("first").onclick = () => once("goto 0");
  get("back").onclick = () => once("back");
  get("step").onclick = () => once("step");
  get("run").onclick = run;
  get("speed").append(...speeds.map(([name]) => el("option", {}, name)));
  get("speed").selectedIndex = 2;
  goal(() => page.answer?.labels ?? [], once, say);
  get("colour").onchange = () => recolour();
  get("share").onclick = share;
  get("skip").onclick = e => { e.preventDefault(); stage.focus(); }; // its address would be taken for a link to a view
  get("help-open").onclick = () => get("help").showModal();
  get("licences").ontoggle = async () => { get("licences").lastElementChild.textContent = await asset("licences.txt"); };
  get("theme").onclick = () => dress(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  get("mark").onclick = () => marks.toggle();
  get("door-lessons").onclick = () => lessons.show(lessons.list[0].file);
  get("door-try").onclick = () => acts.machine("");
  controls();
  opens(get("left"), own, say);
  const stand = (/** @type {string} */ name) => stage.show(name).then(() => stage.focus());
  /** @type {Record<string, (key: string) => any>} */
  const acts = {
    step: () => once("step"),
    back: () => once("back"),
    steps: () => once("step 10"),
    backs: () => once(`goto ${Math.max(0, (page.frame ? versus.now : 0) - 10)}`),
    run,
    first: () => once("goto 0"),
    last: () => once("continue"),
    goal: () => get("goal-what").focus(),
    mark: () => page.stale || marks.toggle(),
    markBefore: () => page.running || marks.next(-1),
    markAfter: () => page.running || marks.next(1),
    assemble: () => assemble(),
    machine: () => stand("machine"),
    blocks: () => stand("blocks"),
    program: () => editor.view.focus(),
    opened: () => get("right").focus(),
    console: () => { tab("console"); get("line").focus(); },
    form: () => form?.open(),
    lessons: () => get("lesson").focus(),
    versus: () => (versus.on ? versus.choose(1 - versus.side) : versus.open()),
    alone: () => versus.close(),
    tab: key => tab(panes[Number(key) - 1]),
    lecture: () => classList.toggle("lecture"),
    theme: () => get("theme").click(),
    help: () => get("help").showModal(),
    leave: () => stage.focus(),
  };
  for (const [name, act] of Object.entries(acts)) { // behind the doors
    if (!["run", "theme", "help", "leave"].includes(name)) acts[name] = key => (greets() ? enter().then(() => act(key)) : act(key));
  }
  bind(acts);
  addEventListener("hashchange", () => { if (location.hash.length > 1) restore(location.hash).then(() => { page.restored = location.hash; }); });
  splits();
}

// begin gets everything ready; 'page.ready' is when the first program is.
async function begin() {
  dress(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  wire();
  const [catalogue, list, given] = await Promise.all([engine.call("catalogue"), asset("lessons/lessons.json").then(JSON.parse), asset("start.json").then(JSON.parse)]);
  page.catalogue = catalogue;
  editor.words = catalogue.words.map(w => ({...w, shown: w.form}));
  form = new SetupForm(catalogue, () => assemble(), start);
  keep = new Keep({now, open: s => assemble(s)});
  lessons = new Lessons(list, {open: s => versus.close().then(() => assemble(fill(s))), exercises: lesson => exercises(catalogue.exercises.filter(x => x.lesson === lesson), {ask, open: assemble, now}), see: (s, what) => see(fill(s), what), changed(on) { if (on) stage.show("machine"); editor.view.requestMeasure(); }});
  stage.recolour();
  stage.show("machine");
  tab("console");
  if (location.hash.length > 1) await restore(location.hash);
  else if (given) await show(given);
  else await welcome();
  if (page.opened === null && !greets() && !lives) await open(0);
  if (greets()) keep.offer(keep.last);
  page.ready = performance.now();
  if (lives) live(3);
  else if (greets()) live(1);
}

// The first sight of the page: the machine alone, at work, and two doors.
const {classList} = document.documentElement, greets = () => classList.contains("first");

async function welcome() {
  await assemble(first());
  if (lives) return;
  await once(`goto ${busiest}`);
  get("doors").hidden = false;
  classList.add("first");
  machine.callouts = new Callouts();
  machine.draw();
}

// enter goes from the first sight to everything else, and ends whatever is under way.
async function enter() {
  get("doors").hidden = true;
  classList.remove("first");
  machine.callouts = null;
  await stop();
  if (page.opened === null) await open(0);
}

// lives is whether other pages show this one as a small view: the machine alone, at work.
const lives = location.search === "?live";
classList.toggle("live", lives);

/** live runs the program again and again, until somebody pauses it; whoever prefers less motion
 * sees the first sight still. @param {number} speed */
async function live(speed) {
  if (lives) parent.postMessage("ready", "*");
  get("speed").selectedIndex = speed;
  if (calm.matches && !lives) return;
  for (;;) {
    await run();
    if (!page.frame.ended) return;
    await pause(3000);
    if (lives) await once("goto 0");
    else if (greets()) await once(`goto ${busiest}`);
    else return;
  }
}

/** number is that of a PE. @param {string} pe its address */
function number(pe) {
  const [g, c] = JSON.parse(pe);
  return g * page.net.members + c;
}

/** see shows what a lesson speaks of: a clock of a setup with a PE, or its end (null).
 * @param {Emsim.Setup} setup @param {{clock: number, pe: string, packet: string, shows: string, vs: Emsim.Setup}} what */
async function see(setup, {clock, pe, packet, shows, vs}) {
  await (vs ? versus.choose(0) : versus.close());
  if (JSON.stringify(setup) !== JSON.stringify(page.setup) || page.stale) if (!await assemble(setup)) return;
  if (vs) await versus.beside(vs);
  if (pe) await open(number(pe));
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
