// Two runs, A and B, one above the other. The page shows and changes one of them, the
// chosen one; what it would show of the other is kept here.
import {Machine} from "./machine.js";
import {say, veil} from "./tell.js";
import {Timeline} from "../draw/timeline.js";
import {count, el, get} from "../util.js";
import {arrived, compared} from "./compared.js";
import {Ends} from "./ends.js";

/**
 * goal is the clock of the run that a command is to reach, or undefined if only the
 * debugger knows.
 * @param {string} line
 * @param {number} now the clock of the run
 */
function goal(line, now) {
  const [, word, n] = /^\s*(step|back|goto|continue)\s*\+?(\d*)\s*$/.exec(line) ?? [];
  switch (word) {
    case "step": return now + Number(n || 1);
    case "back": return Math.max(0, now - Number(n || 1));
    case "goto": return Number(n);
    case "continue": return Infinity;
  }
  return undefined;
}

/** deeds are what the picture shows of every PE. @param {Emsim.Frame} f */
function deeds(f) {
  const list = [...f.state].map((s, i) => [s, f.load[i], f.fifo[i], f.mib[i], f.operands[i]].join());
  for (const p of f.packets) list[p.pe] += ` ${p.in} ${p.out} ${p.kind} ${p.to} ${p.left}`;
  return list;
}

// What belongs to one of the runs: of the page, and of a picture.
const ofPage = /** @type {const} */ (["setup", "net", "frame", "answer", "stale", "opened", "packet", "seriesAt"]);
const ofMachine = /** @type {const} */ (["net", "frame", "pe", "followed", "called", "from", "before", "zoom", "x", "y"]);
const ofTimeline = /** @type {const} */ (["series", "whole"]);

/** @template T @template {keyof T} K @param {T} from @param {readonly K[]} names @returns {Pick<T, K>} */
const part = (from, names) => /** @type {any} */ (Object.fromEntries(names.map(n => [n, from[n]])));

/** @typedef {Pick<Emsim.Page, typeof ofPage[number]>} Run */

/** at is where a run is. @param {Run} run */
const at = ({frame}) => frame.clock;

// How far the runs are compared when B is opened, in clocks [chosen: it takes less than a
// second, and most runs part earlier].
const ahead = 2000;

/** named says what runs. @param {Emsim.Setup} s */
const named = s => [`${s.main.replace(/\.s$/, "")}${(s.args ?? []).map(a => " " + a).join("")}`, `${s.pes || 80} PEs`,
  ...Object.entries({...s.params, ...s.sets}).map(([k, v]) => `${k}=${v}`), s.seed > 1 && `seed=${s.seed}`].filter(Boolean).join(", ");

export class Versus {
  on = false;
  side = 0; // of the chosen run: 0 is A
  over = false; // both have ended, and that is shown
  ends = new Ends();
  /** @type {{page: Run, files: ReturnType<import("./editor.js").Editor["stash"]>, found: Emsim.Mark[], own: Emsim.Mark[], veil: string, problem: string}} */
  rest = null; // of the other run
  /** @type {Emsim.Parting} */ parting = null;
  /** @type {object} */ seeking = null; // where they part; another look ends it
  /** @type {Promise<void>} */ sought = null;

  /**
   * shown are the page's parts that show the chosen run.
   * @param {Emsim.Page} page
   * @param {{machine: Machine, timeline: Timeline, marks: import("./marks.js").Marks, editor: import("./editor.js").Editor, engine: import("../engine.js").Engine}} shown
   * @param {{ask: Emsim.Ask, assemble: (setup: Emsim.Setup) => Promise<boolean>, settle: () => Promise<void>, show: () => Promise<void>, travel: (clock: number) => any,
   *   open: (pe: number) => Promise<void>, follow: (id: string) => Promise<any>, once: (line: string) => Promise<any>, tab: (name: string) => void, end: (over: boolean) => void}} acts
   */
  constructor(page, shown, acts) {
    this.page = page;
    this.shown = shown;
    this.acts = acts;
    /** @param {() => any} then */
    const other = async then => { await this.choose(1 - this.side); await then(); };
    this.machine = new Machine(get("other-machine"), {opened: pe => other(() => acts.open(pe)), packet: p => other(() => acts.follow(p.id))});
    this.timeline = new Timeline(get("other-series"), el("input", {type: "range"}), clock => acts.travel(clock));
    get("versus").onclick = () => this.open();
    get("versus-close").onclick = () => this.close();
    get("side-a").onclick = () => this.choose(0);
    get("side-b").onclick = () => this.choose(1);
  }

  // both says whether there are two runs that can move.
  get both() { return this.on && !this.page.stale && !this.rest.page.stale; }

  get runs() { return this.both ? [this.page, this.rest.page] : [this.page]; }

  // now is the clock of the run: of two that of the one which has got farther.
  get now() { return Math.max(...this.runs.map(at)); }

  // length is that of the run, of two that of the longer one; 0 as long as it is not known.
  get length() {
    const lines = this.both ? [this.shown.timeline, this.timeline] : [this.shown.timeline], all = lines.map((line, i) => line.length || this.runs[i].frame.length || 0);
    return all.every(Boolean) ? Math.max(...all) : 0;
  }

  get ended() { return Boolean(this.page.frame?.ended && (!this.both || this.rest.page.frame.ended)); }

  /** lead executes a command of the debugger for the chosen run; the other one goes to the
   * same clock, or also to its end. @param {string} line @returns {Promise<Emsim.Moved>} */
  async lead(line) {
    const {page, acts} = this;
    this.seeking = null;
    if (!this.both) return acts.ask("do", line);
    const mine = at(page), to = goal(line, this.now);
    if (page.frame.ended && to >= mine) {
      await this.bring(to);
      return {text: "", hits: [], stops: [], marks: this.shown.marks.found, frame: page.frame};
    }
    const x = await acts.ask("do", to === undefined || to === Infinity ? line : to > mine && line.startsWith("step") ? `step ${to - mine}` : `goto ${to}`);
    if (x && !x.error) await this.bring(to === undefined || x.hits.length > 0 || x.stopped ? at({...page, frame: x.frame}) : to);
    return x;
  }

  /** bring takes the other run to a clock of the run, or to its end. @param {number} to */
  async bring(to) {
    const {page} = this.rest, {frame} = page;
    if (to === at(page) || to > at(page) && frame.ended) return;
    const x = await this.acts.ask("do", to === Infinity ? "continue" : `goto ${to}`, 1 - this.side);
    if (x) { page.frame = x.frame; this.rest.found = x.marks; }
  }

  // draw shows the runs on one scale of clocks.
  draw() {
    const {page, rest, shown, runs} = this, {timeline, marks} = shown;
    const span = Math.max(1, timeline.reach, this.both ? this.timeline.reach : 0, ...runs.map(r => r.frame.furthest));
    timeline.show(page.frame, span, this.now);
    marks.show(span, this.now);
    if (!this.on) return;
    const [x, y] = runs.map(r => deeds(r.frame));
    shown.machine.differs = this.machine.differs = x.length === y?.length ? i => x[i] !== y[i] : null;
    if (this.both) {
      this.machine.mode = shown.machine.mode;
      this.machine.show(rest.page.frame);
      this.timeline.show(rest.page.frame, span);
      Object.assign(shown.machine, {beside: this.machine}).draw();
    }
    for (const [id, side, run] of /** @type {const} */ ([["caption", this.side, page], ["other-caption", 1 - this.side, rest.page]])) {
      const f = run.stale ? null : run.frame, end = !f?.ended ? "" : f.failure ? "failed: " : `${f.all_words === 0 ? "no result" : f.answer} after ${count(f.result.clocks)} clocks: `;
      get(id).replaceChildren(el("b", {}, "AB"[side]), " ", el("b", {}, end), run.setup ? named(run.setup) : "");
    }
  }

  // look brings up to date what is asked for separately.
  async look() {
    if (!this.both) return this.tell();
    const {page, rest, acts, shown} = this, other = 1 - this.side;
    if (rest.page.frame.furthest !== rest.page.seriesAt) {
      this.timeline.series = await acts.ask("series", null, other);
      rest.page.seriesAt = rest.page.frame.furthest;
      this.timeline.draw();
    }
    if (shown.machine.mode === "policy" && page.opened !== null && page.opened < rest.page.net.next.length) {
      this.machine.called = await acts.ask("called", page.opened, other) ?? null;
      this.machine.draw();
    }
    this.tell();
    this.sought = this.seek();
  }

  // seek looks where they part, in small steps: whatever else is wanted goes between them.
  async seek() {
    const {acts} = this, token = (this.seeking = {}), to = Math.max(this.now, ahead);
    for (let from = this.parting?.clock ?? 0; from < to && !this.parting?.at; from += 250) {
      const parting = await acts.ask("part", Math.min(to, from + 250));
      if (!parting || this.seeking !== token) return;
      this.parting = parting;
      if (parting.at) say(`A and B part at clock ${count(parting.clock)}.`);
      this.tell();
    }
  }

  // tell compares the runs, as far as they have come.
  tell() {
    const {page, rest, parting, shown, acts} = this, parted = parting?.at ? parting : null, place = get("compared");
    shown.marks.parted = parted && this.both ? {clock: parted.clock, kind: "part", text: `A ≠ B: ${parted.at}`} : null;
    shown.marks.draw();
    this.finish();
    if (!this.both) return place.replaceChildren(el("p", {className: "none"}, "One of the two programs has errors, so there is nothing to compare."));
    const runs = [page, rest.page], series = [shown.timeline.known, this.timeline.known];
    if (this.side) { series.reverse(); runs.reverse(); }
    const differ = page.frame.calls.filter((_, i) => this.machine.differs?.(i)).length;
    place.replaceChildren(...compared(runs, series, {
      parting, now: this.now, ended: this.ended, differ, address: i => this.machine.address(i),
      go: async () => {
        await acts.travel(parted.clock);
        if (parted.pe >= 0) await acts.open(parted.pe);
      },
    }));
  }

  // finish shows the ends of both in the place of the machines, or goes back to these. A lesson
  // speaks of the machines.
  finish() {
    const {page, rest, shown, acts, over} = this;
    const lines = [shown.timeline, this.timeline], known = lines.map(line => line.known);
    this.over = this.both && this.ended && known.every(Boolean) && arrived([page, rest.page]);
    get("ends-tab").hidden = !this.over;
    if (this.over) {
      const runs = [page, rest.page];
      if (this.side) { runs.reverse(); known.reverse(); }
      this.ends.show(runs.map(({setup, frame, net}) => ({setup, frame, net})), known);
    }
    if (this.over !== over) acts.end(this.over);
  }

  /** open opens B, a copy of the chosen run unless a setup is given. @param {Emsim.Setup} [setup] */
  async open(setup) {
    const {page, acts} = this;
    if (this.on || page.stale) return;
    await acts.settle();
    if (page.stale) return; // the engine has died meanwhile
    const {opened} = page, now = this.now;
    this.on = true;
    this.rest = {page: {setup: null, net: null, frame: null, answer: null, stale: true, opened, packet: null, seriesAt: -1}, files: null, found: [], own: [], veil: "", problem: ""};
    this.trade();
    if (await acts.assemble(structuredClone(setup ?? this.rest.page.setup))) await acts.once(`goto ${now}`);
    if (this.on) acts.tab("compared");
  }

  /** beside opens B with a setup, unless it has that already; A is chosen then. @param {Emsim.Setup} setup */
  async beside(setup) {
    await this.choose(0);
    if (this.on && JSON.stringify(this.rest.page.setup) !== JSON.stringify(setup)) await this.close();
    await this.open(setup);
    await this.choose(0);
  }

  /** choose makes the page show A or B. @param {number} side */
  async choose(side) {
    if (!this.on || side === this.side) return;
    await this.acts.settle();
    this.trade();
    await this.acts.show();
  }

  /** close leaves A alone. @param {boolean} lives whether the engine still has it */
  async close(lives = true) {
    if (!this.on) return;
    if (!lives) this.rest.page.stale = true;
    const {acts, shown, page} = this;
    await acts.settle();
    if (this.side) this.trade();
    this.on = false;
    this.rest = this.parting = shown.marks.parted = null;
    this.dress();
    acts.ask("open", {main: ""}, 1).catch(() => {}); // its memory is free then
    if (page.tab === "compared") acts.tab("console");
    await acts.show();
  }

  /** share adds the runs to a view. @param {Emsim.View} view */
  share(view) {
    if (!this.both) return;
    const runs = [this.page, this.rest.page], [a, b] = this.side ? runs.reverse() : runs;
    Object.assign(view, {setup: a.setup, vs: b.setup, clock: this.now}, this.side && {side: "B"});
  }

  // trade exchanges the runs.
  trade() {
    const {page, rest, shown: {machine, timeline, marks, editor, engine}} = this;
    this.rest = {page: part(page, ofPage), files: editor.stash(), found: marks.found, own: marks.own, veil: veil(), problem: get("problem").textContent};
    Object.assign(page, rest.page, {opened: rest.page.opened ?? page.opened});
    const mine = part(machine, ofMachine);
    Object.assign(machine, part(this.machine, ofMachine));
    Object.assign(this.machine, mine);
    const line = part(timeline, ofTimeline);
    Object.assign(timeline, part(this.timeline, ofTimeline));
    Object.assign(this.timeline, line);
    Object.assign(marks, {found: rest.found, own: rest.own});
    editor.restore(rest.files);
    veil(rest.veil || null);
    get("problem").textContent = rest.problem;
    get("problem").hidden = !rest.problem;
    this.side = engine.side = 1 - this.side;
    this.dress();
  }

  // dress shows which runs there are.
  dress() {
    const {classList} = document.documentElement;
    classList.toggle("versus", this.on);
    classList.toggle("second", this.side === 1);
    for (const [k, id] of /** @type {const} */ (["side-a", "side-b"]).entries()) get(id).setAttribute("aria-pressed", String(k === this.side));
    get("versus").hidden = this.on;
    for (const e of [get("sides"), get("compared-tab"), get("caption"), get("other-caption"), get("other-machine"), get("other-series")]) e.hidden = !this.on;
    this.shown.machine.differs = this.machine.differs = this.shown.machine.beside = null;
    this.machine.beside = this.shown.machine;
    this.shown.timeline.name = this.on ? "AB"[this.side] : "";
    this.timeline.name = "AB"[1 - this.side];
    get("other-machine").setAttribute("aria-label", `the machine of run ${this.timeline.name}`);
  }
}
