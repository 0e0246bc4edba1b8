// Two runs, A and B, at one clock. The page shows and changes one of them, the chosen one; what it
// would show of the other is kept here.
import {Timeline} from "../draw/timeline.js";
import {mode, page} from "../state/page.js";
import {pane, reset, still} from "../state/store.js";
import {goal, sayEnd} from "../state/motion.js";
import {count, el, fill, get} from "../util.js";
import {caption, deeds} from "./compared.js";
import {Machine} from "./machine.js";
import {say, veil} from "./tell.js";

// What belongs to one of the runs: of the page, and of a picture.
const ofPage = /** @type {const} */ ([
  "setup", "net", "frame", "answer", "stale", "opened", "packet"]);
const ofMachine = /** @type {const} */ ([
  "net", "frame", "pe", "followed", "called", "from", "before", "zoom", "x", "y"]);

/** @template T @template {keyof T} K @param {T} from @param {readonly K[]} names
 * @returns {Pick<T, K>} */
const part = (from, names) => /** @type {any} */ (Object.fromEntries(names.map(n => [n, from[n]])));

/** swap exchanges parts of two. @template T @param {T} a @param {T} b
 * @param {readonly (keyof T)[]} names */
function swap(a, b, names) {
  const mine = part(a, names);
  Object.assign(a, part(b, names));
  Object.assign(b, mine);
}

// How far the runs are compared when B is opened, in clocks [chosen: it takes less than a
// second, and most runs part earlier].
const ahead = 2000;

export class Versus {
  on = false;
  side = 0; // of the chosen run: 0 is A
  over = false; // the ends of both are shown
  /** @type {{page: Run, files: ReturnType<import("./editor.js").Editor["stash"]>,
   *   found: Emsim.Mark[], own: Emsim.Mark[], veil: string, problem: string}} */
  rest = null; // of the other run
  /** @type {Emsim.Parting} */ parting = null;
  /** @type {object} */ seeking = null; // where they part; another look ends it
  /** @type {Promise<void>} */ sought = null;
  machine = new Machine(get("other-machine"), {
    opened: async pe => { await this.choose(1 - this.side); await page.inspect.choose(pe); },
    packet: async p => { await this.choose(1 - this.side); await page.follow(p.id); },
  });
  timeline = new Timeline(get("other-series"), page.travel);

  constructor() {
    new ResizeObserver(() => this.over && this.ends()).observe(get("view"));
    pane({leave: () => get("ends").replaceChildren()});
  }

  // both says whether there are two runs that can move.
  get both() { return this.on && !page.stale && !this.rest.page.stale; }

  /** @returns {Run[]} */
  get runs() { return this.both ? [page, this.rest.page] : [page]; }

  // now is the clock of the run: of two that of the one which has got farther.
  get now() { return Math.max(...this.runs.map(r => r.frame.clock)); }

  // length is that of the run, of two that of the longer one; 0 as long as it is not known.
  get length() {
    const lines = [page.timeline, this.timeline];
    const all = page.frame ? this.runs.map((r, i) => lines[i].length || r.frame.length || 0) : [0];
    return all.every(Boolean) ? Math.max(...all) : 0;
  }

  get ended() { return Boolean(page.frame?.ended && (!this.both || this.rest.page.frame.ended)); }

  /** lead executes a command of the debugger for the chosen run; the other one goes to the
   * same clock, or also to its end. @param {string} line @returns {Promise<Emsim.Moved>} */
  async lead(line) {
    const {frame} = page, mine = frame.clock;
    this.seeking = null;
    if (!this.both) return page.ask("do", line);
    const to = goal(line, this.now);
    if (frame.ended && to >= mine) {
      await this.bring(to);
      return {text: "", hits: [], stops: null, marks: page.marks.found, frame};
    }
    const free = to === undefined || to === Infinity;
    const steps = to > mine && line.startsWith("step") ? `step ${to - mine}` : `goto ${to}`;
    const x = await page.ask("do", free ? line : steps);
    const stopped = x && (to === undefined || x.hits.length > 0 || x.stopped);
    if (x && !x.error) await this.bring(stopped ? x.frame.clock : to);
    return x;
  }

  /** bring takes the other run to a clock of the run, or to its end. @param {number} to */
  async bring(to) {
    const {page: other} = this.rest, {frame} = other;
    if (to === frame.clock || to > frame.clock && frame.ended) return;
    const x = await page.ask("do", to === Infinity ? "continue" : `goto ${to}`, 1 - this.side);
    if (x) { other.frame = x.frame; this.rest.found = x.marks; }
  }

  // draw shows the runs on one scale of clocks.
  draw() {
    const {rest, runs} = this, {machine, timeline, marks} = page;
    if (page.stale || !page.frame) return;
    const reach = Math.max(timeline.reach, this.both ? this.timeline.reach : 0);
    const span = Math.max(1, reach, ...runs.map(r => r.frame.furthest));
    timeline.show(page.frame, span, this.now);
    marks.show(span, this.now);
    if (!this.on) return;
    const [x, y] = runs.map(r => deeds(r.frame));
    machine.differs = this.machine.differs = x.length === y?.length ? i => x[i] !== y[i] : null;
    if (this.both) {
      this.machine.mode = machine.mode;
      this.machine.show(rest.page.frame);
      this.timeline.show(rest.page.frame, span, this.now);
      Object.assign(machine, {beside: this.machine}).draw();
    }
    caption(get("caption"), this.side, page);
    caption(get("other-caption"), 1 - this.side, rest.page);
  }

  // look brings up to date what is asked for separately.
  async look() {
    if (!this.both) return this.tell();
    const other = this.rest.page, side = 1 - this.side;
    if (page.machine.mode === "policy" && page.opened !== null
      && page.opened < other.net.next.length) {
      this.machine.called = await page.ask("called", page.opened, side) ?? null;
      this.machine.draw();
    }
    await this.tell();
    this.sought = this.seek();
  }

  // seek looks where they part, in small steps: whatever else is wanted goes between them.
  async seek() {
    const token = (this.seeking = {}), to = Math.max(this.now, ahead);
    for (let from = this.parting?.clock ?? 0; from < to && !this.parting?.at; from += 250) {
      const parting = await page.ask("part", Math.min(to, from + 250));
      if (!parting || this.seeking !== token) return;
      this.parting = parting;
      if (parting.at) say(`A and B part at clock ${count(parting.clock)}.`);
      await this.tell();
    }
  }

  // tell compares the runs, as far as they have come.
  async tell() {
    const {parting} = this, {marks} = page;
    marks.parted = parting?.at && this.both
      ? {clock: parting.clock, kind: "part", text: `A ≠ B: ${parting.at}`} : null;
    marks.draw();
    await this.finish();
    const why = "One of the two programs has errors, so there is nothing to compare.";
    if (!this.both)
      return get("compared").replaceChildren(el("p", {className: "none"}, this.on && why));
    const here = still(), html = await page.ask("compared",
      page.frame.calls.filter((_, i) => this.machine.differs?.(i)).length);
    if (here() && html) fill(get("compared"), html);
  }

  // arrived says whether both have come to a result, and the page is for their comparison.
  get arrived() {
    return mode() === "compare" && this.both && this.ended
      && this.runs.every(({frame: f}) => !f.failure && f.result.clocks > 0);
  }

  // finish shows the ends of both in the place of the machines, or goes back to these.
  async finish() {
    if (this.arrived) await this.ends();
    if (this.over === this.arrived) return;
    this.over = this.arrived;
    get("ends-tab").hidden = !this.over;
    page.stage.end(this.over);
  }

  // ends brings the ends of both to their place, below whose title and words are the figures.
  async ends() {
    const {clientWidth: width, clientHeight: high} = get("view"), place = get("ends");
    if (width < 40) return;
    const height = high - 9.5 * parseFloat(getComputedStyle(place).fontSize), here = still();
    const html = await page.ask("ends", {width, height});
    if (!here() || !html) return;
    place.innerHTML = html;
    place.ariaLabel = `the end of both runs: ${place.firstElementChild.textContent}`;
  }

  /** open opens B, a copy of the chosen run unless a setup is given.
   * @param {Emsim.Setup} [setup] */
  async open(setup) {
    if (this.on || page.stale) return;
    await page.motion.settle();
    if (page.stale) return; // the engine has died meanwhile
    const {opened} = page, {now} = this;
    this.on = true;
    this.rest = {files: null, found: [], own: [], veil: "", problem: "", page: {
      setup: null, net: null, frame: null, answer: null, stale: true, opened, packet: null,
    }};
    this.trade();
    if (await page.assemble(structuredClone(setup ?? this.rest.page.setup)))
      await page.once(`goto ${now}`);
  }

  /** beside opens B with a setup, unless it has that already; A is chosen then.
   * @param {Emsim.Setup} setup */
  async beside(setup) {
    await this.choose(0);
    const there = this.on && JSON.stringify(this.rest.page.setup) === JSON.stringify(setup);
    if (this.on && !there) await this.close();
    await this.open(setup);
    await this.choose(0);
  }

  /** choose makes the page show A or B. @param {number} side */
  async choose(side) {
    if (!this.on || side === this.side) return;
    await page.motion.settle();
    this.trade();
    await this.show();
  }

  // show shows the chosen run everywhere.
  async show() {
    reset();
    if (page.setup) page.form?.put(page.setup);
    if (page.answer) page.form?.learn(page.answer);
    if (!page.stale) {
      page.draw(page.frame);
      sayEnd(page.frame);
    }
    await page.look();
    page.show(page.tab);
    page.controls();
  }

  /** close leaves A alone. @param {boolean} lives whether the engine still has it */
  async close(lives = true) {
    if (!this.on) return;
    if (!lives) page.stale = this.rest.page.stale = true;
    await page.motion.settle();
    if (this.side) this.trade();
    this.on = false;
    this.rest = this.parting = page.marks.parted = null;
    this.dress();
    page.ask("open", {main: ""}, 1).catch(() => {}); // its memory is free then
    if (page.tab === "compared") page.tab = "";
    await this.show();
  }

  /** share adds the runs to a view. @param {Emsim.View} view */
  share(view) {
    if (!this.both) return;
    const two = this.runs, [a, b] = this.side ? two.reverse() : two;
    Object.assign(view, {setup: a.setup, vs: b.setup, clock: this.now}, this.side && {side: "B"});
  }

  // trade exchanges the runs.
  trade() {
    const {rest} = this, {machine, timeline, marks, editor} = page;
    this.rest = {
      page: part(page, ofPage), files: editor.stash(), found: marks.found, own: marks.own,
      veil: veil(), problem: get("problem").textContent,
    };
    Object.assign(page, rest.page, {opened: rest.page.opened ?? page.opened});
    swap(machine, this.machine, ofMachine);
    swap(timeline, this.timeline, ["whole"]);
    Object.assign(marks, {found: rest.found, own: rest.own});
    page.stops.list = [];
    editor.restore(rest.files);
    veil(rest.veil || null);
    get("problem").textContent = rest.problem;
    get("problem").hidden = !rest.problem;
    this.side = page.engine.side = 1 - this.side;
    this.dress();
  }

  // dress shows which runs there are.
  dress() {
    const {classList} = document.documentElement, {machine, timeline} = page;
    classList.toggle("versus", this.on);
    classList.toggle("second", this.side === 1);
    for (const [k, b] of [get("side-a"), get("side-b")].entries())
      b.ariaPressed = String(k === this.side);
    for (const id of /** @type {const} */ (["sides", "caption", "other-caption", "other-machine",
      "other-series"])) get(id).hidden = !this.on;
    machine.differs = this.machine.differs = machine.beside = null;
    this.machine.beside = machine;
    timeline.name = this.on ? "AB"[this.side] : "";
    this.timeline.name = "AB"[1 - this.side];
    get("other-machine").ariaLabel = `the machine of run ${this.timeline.name}`;
  }
}
