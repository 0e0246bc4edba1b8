// What moves the clock: single commands, a run at a speed, a way to a clock, and how they end.
import {count} from "../draw/pen.js";
import {get, say} from "../util.js";
import {page} from "./page.js";

// speed is the chosen one, in clocks a second; that of "at once" has no number.
const speed = () => Number(get("speed").value.replace(/\D/g, "")) || Infinity;

export const pause = (/** @type {number} */ ms) => new Promise(r => setTimeout(r, ms));

/** sayEnd says how a run has ended, or nothing. @param {Emsim.Frame} f */
export function sayEnd({ended, failure, answer, result}) {
  say(!ended ? "" : failure ? failure.split("\n")[0].replace(/\d{4,}/, n => count(Number(n)))
    : `${page.versus.on ? `Run ${page.run.name}` : "The run"} is over: result ${answer} after ${
      count(result.clocks)} clocks.`, Boolean(failure));
}

/** goal is the clock of the run that a command is to reach, or undefined if only the debugger
 * knows. @param {string} line @param {number} now the clock of the run */
export function goal(line, now) {
  const [, word, n] = /^\s*(step|back|goto|continue)\s*\+?(\d*)\s*$/.exec(line) ?? [];
  const by = Number(n || 1);
  return {step: now + by, back: Math.max(0, now - by), goto: Number(n), continue: Infinity}[word];
}

export class Motion {
  /** @type {object} */ token = null; // of the run that goes on
  /** @type {number} */ wish = null; // where to travel next
  ends = 0; // how many wait for the end of what is under way, to begin something else

  /** lead executes a command of the debugger for the chosen run, takes another one to the same
   * clock, or also to its end, and shows where this has led. @param {string} line */
  async lead(line, quiet = true) {
    const {run, versus} = page;
    if (run.stale) return;
    const {frame, found} = run, to = goal(line, versus.now), further = to - frame.clock;
    versus.seeking = null;
    /** @type {Emsim.Moved} */
    const rests = {text: "", hits: [], stops: null, marks: found, frame};
    const x = versus.both && frame.ended && further >= 0 ? rests : await run.ask("do",
      !versus.both || !Number.isFinite(to) ? line
        : line.startsWith("step") && further > 0 ? `step ${further}` : `goto ${to}`);
    if (!x) return;
    run.take(x);
    const ends = to === undefined || x.hits.length > 0 || x.stopped;
    for (const r of x.error ? [] : versus.runs) {
      if (r !== run) await r.bring(ends ? x.frame.clock : to);
    }
    page.stops.told(x);
    page.draw();
    if (run.opened !== null) run.opened = x.frame.chosen; // a stop chooses its PE
    if (!quiet || x.hits.length > 0) page.text.say(line, x.text, x.error);
    if (x.error) say(x.error.split("\n")[0], true);
    else if (x.stopped) say(x.stopped.split("\n")[0], x.stopped.includes("floods"));
    else if (x.hits.length > 0) say(x.hits[0].split("\n")[0]);
    else {
      sayEnd(x.frame);
      if (x.frame.failure) page.inspect.show("result");
    }
    return x;
  }

  // moving is whether anything is under way that will change what is shown.
  get moving() {
    return this.ends > 0 || page.running || page.travelling || page.engine.busy;
  }

  // run goes on at the chosen speed until the end, a stop, or a pause.
  async run() {
    const {versus} = page;
    if (page.running) return this.stop();
    if (page.run.stale || versus.ended) return;
    const token = (this.token = {});
    await this.during(async () => {
      for (let last = performance.now(), seen = last; this.token === token; ) {
        const clocks = speed();
        if (clocks === Infinity) return this.lead("continue");
        const x = await this.lead(`step ${Math.max(1, Math.round(clocks / 20))}`);
        if (!x || x.error || x.hits.length > 0 || versus.ended) return;
        if (clocks <= 20 || performance.now() - seen > 500) {
          await page.inspect.look();
          seen = performance.now();
        }
        const next = last + Math.max(50, 1000 / clocks);
        await pause(Math.max(0, next - performance.now()));
        last = Math.max(next, performance.now() - 200);
      }
    });
  }

  /** during lets the page know of a motion, and brings it up to date after that.
   * @template T @param {() => Promise<T>} moves */
  async during(moves) {
    page.running = true;
    page.controls();
    try {
      return await moves();
    } finally {
      page.running = false;
      page.controls();
      await page.inspect.look();
    }
  }

  // stop ends whatever is under way.
  async stop() {
    this.token = null;
    page.engine.cancel();
    this.ends++;
    while (page.running) await pause(5);
    await page.engine.last;
    this.ends--;
  }

  // settle ends motions, and waits until the page is at rest.
  async settle() {
    this.wish = page.versus.seeking = null;
    await this.stop();
    this.ends++;
    while (page.travelling || page.engine.busy) await pause(5);
    this.ends--;
  }

  // once executes a command; the console tells of it if it is to be loud.
  async once(/** @type {string} */ line, quiet = true) {
    if (quiet && page.running || page.run.stale) return;
    return this.during(() => this.lead(line, quiet));
  }

  /** travel goes to a clock; of several wishes the last one counts. @param {number} clock */
  async travel(clock) {
    this.wish = clock;
    if (page.travelling || page.run.stale) return;
    page.travelling = true;
    while (this.wish !== null) {
      const to = this.wish;
      this.wish = null;
      if (to !== page.versus.now) await this.lead(`goto ${to}`);
    }
    page.travelling = false;
    await page.inspect.look();
  }
}
