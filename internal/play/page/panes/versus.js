// Two runs, A and B, at one clock: where they part, what they have in common, and their ends.
import {count} from "../draw/pen.js";
import {seen} from "../draw/timeline.js";
import {mode, page, pane, reset, still} from "../state/page.js";
import {sayEnd} from "../state/motion.js";
import {judge} from "../state/run.js";
import {el, fill, get, named, say} from "../util.js";
import {runClass} from "./stage.js";

// How far the runs are compared when B is opened, in clocks [chosen: it takes less than a
// second, and most runs part earlier].
const ahead = 2000;

/** deeds are what the picture shows of every PE. @param {Emsim.Frame} f */
function deeds(f) {
  const list = [...f.state].map((s, i) =>
    [s, f.load[i], f.fifo[i], f.mib[i], f.operands[i]].join());
  for (const p of f.packets) list[p.pe] += ` ${p.in} ${p.out} ${p.kind} ${p.to} ${p.left}`;
  return list;
}

/** caption says which run a machine shows. @param {Run} run */
function caption({stale, frame, setup, name}) {
  const f = stale ? null : frame, busy = f?.state.replace(/[^RMSW]/g, "").length;
  const end = !f ? "" : !f.ended ? `${busy} of ${f.state.length} PEs do something: `
    : f.failure ? "failed: "
      : `${f.all_words === 0 ? "no result" : f.answer} after ${count(f.result.clocks)} clocks: `;
  // What the other run has not comes first: the rest may have no room.
  const [mine, others] = [setup, page.pair.find(r => r.name !== name).setup]
    .map(s => (s ? named(s).split(", ") : []));
  const what = [...mine.filter(x => !others.includes(x)), ...mine.filter(x => others.includes(x))];
  const letter = el("b", {className: runClass(name)}, name);
  get(`caption-${name}`).replaceChildren(letter, " ", el("b", {}, end), what.join(", "));
}

export class Versus {
  on = false;
  over = false; // the ends of both are shown
  /** @type {Emsim.Parting} */ parting = null;
  /** @type {object} */ seeking = null; // where they part; another look ends it
  /** @type {Promise<void>} */ sought = null;

  constructor() {
    new ResizeObserver(() => this.over && this.ends()).observe(get("view"));
    pane({leave: () => get("ends").replaceChildren()});
  }

  // both says whether there are two runs that can move.
  get both() { return this.on && page.pair.every(r => !r.stale); }

  // runs are those that move.
  get runs() { return this.both ? page.pair : [page.run]; }

  // now is the clock of the run: of two that of the one which is ahead.
  get now() { return Math.max(...this.runs.map(r => r.frame.clock)); }

  // length is that of the run, of two that of the longer one; 0 as long as it is not known.
  get length() {
    const all = this.runs.map(r => r.length);
    return all.every(Boolean) ? Math.max(...all) : 0;
  }

  get ended() { return this.runs.every(r => r.frame?.ended); }

  // draw shows the runs on one scale of clocks.
  draw() {
    if (page.run.stale) return;
    const {runs} = this, [x, y] = runs.map(r => deeds(r.frame));
    seen.end = Math.max(1, ...runs.flatMap(({frame, timeline: {whole}}) =>
      [frame.furthest, whole?.clocks.at(-1) ?? 0]));
    for (const {machine, timeline} of runs) {
      machine.differs = x.length === y?.length ? i => x[i] !== y[i] : null;
      machine.show();
      timeline.show();
    }
    if (this.on) page.pair.forEach(caption);
    page.marks.draw();
    page.strip.draw();
  }

  // look brings up to date what is asked for separately.
  async look() {
    await this.tell();
    if (this.both) this.sought = this.seek();
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
    page.marks.draw();
    await this.finish();
    const why = "One of the two programs has errors, so there is nothing to compare.";
    if (!this.both)
      return get("compared").replaceChildren(el("p", {className: "none"}, this.on && why));
    const here = still(), {frame, machine} = page.run;
    const differ = frame.calls.filter((_, i) => machine.differs?.(i)).length;
    const html = await page.ask("compared", differ);
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
    page.stage.show(this.over ? "ends" : page.stage.name);
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
    if (this.on || page.run.stale) return;
    await page.motion.settle();
    if (page.run.stale) return; // the engine has died meanwhile
    const {now} = this, like = setup ?? page.run.setup;
    this.on = true;
    this.turn(page.pair[1]);
    if (await page.assemble(structuredClone(like))) await page.motion.once(`goto ${now}`);
  }

  // beside opens B with a setup, unless it has that already; A is chosen then.
  async beside(/** @type {Emsim.Setup} */ setup) {
    const [a, b] = page.pair;
    await this.choose(a);
    if (this.on && JSON.stringify(b.setup) !== JSON.stringify(setup)) await this.close();
    await this.open(setup);
    await this.choose(a);
  }

  /** choose makes the page show a run. @param {Run} run */
  async choose(run) {
    if (run === page.run) return;
    await page.motion.settle();
    if (!this.on) return; // the engine has died meanwhile
    this.turn(run);
    await this.show();
  }

  // other chooses the other run.
  other() { return this.choose(page.pair[1 - page.run.side]); }

  // show shows the chosen run everywhere.
  async show() {
    const {run: {setup, answer, frame, stale}, form} = page;
    reset();
    if (setup) form?.put(setup);
    if (answer) {
      form?.learn(answer.args);
      judge(answer);
    }
    if (!stale) {
      page.draw();
      sayEnd(frame);
    }
    await page.inspect.look();
    page.inspect.show(page.tab);
    page.controls();
  }

  /** close leaves A alone. @param {boolean} lives whether the engine still has it */
  async close(lives = true) {
    if (!this.on) return;
    const [a, b] = page.pair;
    if (!lives) a.stale = b.stale = true;
    await page.motion.settle();
    this.on = false;
    this.turn(a);
    b.clear();
    this.parting = a.machine.differs = null;
    b.ask("open", {main: ""}); // its memory is free then
    if (page.tab === "compared") page.tab = "";
    await this.show();
  }

  /** turn lets the page show and change a run, and says which runs there are. @param {Run} run */
  turn(run) {
    const {documentElement: root, activeElement} = document, {editor, run: last} = page;
    if (run !== last) {
      editor.keep();
      run.opened ??= last.opened;
      page.run = run;
      if (run.open) editor.fill(run.open);
    }
    root.classList.toggle("versus", this.on);
    root.dataset.chosen = run.name;
    for (const r of page.pair) get(`side-${r.name}`).ariaPressed = String(r === run);
    if (activeElement === last.machine.canvas) run.machine.canvas.focus();
  }
}
